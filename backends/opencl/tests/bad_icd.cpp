// An OpenCL platform for tests that is no good: HOW says what it does when the loader asks.
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

extern "C" void* clGetExtensionFunctionAddress(const char*);

void* clGetExtensionFunctionAddress(const char*) {
    std::fputs("There is no sky.\n", stderr);
    HOW;
    return nullptr;
}

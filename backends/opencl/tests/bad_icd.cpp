// A broken OpenCL platform for tests: HOW selects what it does when the loader calls it.
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

extern "C" void* clGetExtensionFunctionAddress(const char*);

void* clGetExtensionFunctionAddress(const char*) {
    std::fputs("There is no sky.\n", stderr);
    HOW;
    return nullptr;
}

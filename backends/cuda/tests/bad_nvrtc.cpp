// A broken run-time compiler for tests: AT_LOAD and AT_COMPILE select how it fails.
#include <csignal>
#include <cstddef>

#include <unistd.h>

extern "C" {
int nvrtcVersion(int* major, int* minor) {
    AT_LOAD;
    *major = 13;
    *minor = 0;
    return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 1;
    return 0;
}
int nvrtcGetSupportedArchs(int* architectures) {
    *architectures = 90;
    return 0;
}
const char* nvrtcGetErrorString(int) {
    return "";
}
int nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*,
                       const char* const*) {
    *program = nullptr;
    return 0;
}
int nvrtcDestroyProgram(void**) {
    return 0;
}
int nvrtcCompileProgram(void*, int, const char* const*) {
    AT_COMPILE;
    return 0;
}
int nvrtcGetProgramLogSize(void*, std::size_t* bytes) {
    *bytes = 0;
    return 0;
}
int nvrtcGetProgramLog(void*, char*) {
    return 0;
}
int nvrtcGetPTXSize(void*, std::size_t* bytes) {
    *bytes = 0;
    return 0;
}
int nvrtcGetPTX(void*, char*) {
    return 0;
}
int nvrtcGetCUBINSize(void*, std::size_t* bytes) {
    *bytes = 0;
    return 0;
}
int nvrtcGetCUBIN(void*, char*) {
    return 0;
}
int nvrtcAddNameExpression(void*, const char*) {
    return 0;
}
int nvrtcGetLoweredName(void*, const char*, const char**) {
    return 1;
}
}

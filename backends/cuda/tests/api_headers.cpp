// Includes the available headers of both APIs for the preprocessor; a test compares the mapping
// table's words with its output.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_HPP_TARGET_OPENCL_VERSION 300
#if __has_include(<cuda.h>)
#include <cuda.h>
#endif
#include <cuda_runtime_api.h>
#include <nvrtc.h>
#if __has_include(<nvJitLink.h>)
#include <nvJitLink.h>
#endif
#if __has_include(<cuda_gl_interop.h>) && __has_include(<GL/gl.h>)
#include <cuda_gl_interop.h>
#endif
#if __has_include(<CL/opencl.hpp>)
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <CL/opencl.hpp>
#endif

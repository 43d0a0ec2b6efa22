// An OpenCL platform for tests: PoCL's with a fault that ICD_LIE selects. It reports wrong
// properties or times, does nothing, creates no context (like NVIDIA's next to an MPS daemon), or
// fails at the call with the number after `fail`. It changes PoCL's own function table, so it needs
// a process without another use of PoCL.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <dlfcn.h>

extern "C" void* clGetExtensionFunctionAddress(const char*);
extern "C" cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info, std::size_t, void*,
                                    std::size_t*);

namespace {

cl_icd_dispatch real;  // the original table
std::string lie;
long failing = 0;  ///< number of the call that fails; 0: none
std::atomic<long> calls = 0;

/// Returns a value as OpenCL does: its size, then its bytes.
cl_int give(const void* value, std::size_t size, std::size_t room, void* to, std::size_t* is) {
    if (is) *is = size;
    if (to && room < size) return CL_INVALID_VALUE;
    if (to) std::memcpy(to, value, size);
    return CL_SUCCESS;
}

std::string word_for(cl_device_info what) {
    if (what == CL_DEVICE_NAME)
        return "\033[2Jred\033]0;title\007<script>alert(1)</script>\n\xff\xfe";
    if (what == CL_DEVICE_VERSION || what == CL_DEVICE_OPENCL_C_VERSION) return "OpenCL";
    return std::string(100000, '%') + "\033[31m";
}

cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, std::size_t room, void* to,
                               std::size_t* is) {
    const auto number = [&](auto value) { return give(&value, sizeof value, room, to, is); };
    const bool is_word = what == CL_DEVICE_NAME || what == CL_DEVICE_VENDOR ||
                         what == CL_DRIVER_VERSION || what == CL_DEVICE_VERSION ||
                         what == CL_DEVICE_OPENCL_C_VERSION || what == CL_DEVICE_EXTENSIONS;
    if (lie == "words" && is_word) {
        const std::string word = word_for(what);
        return give(word.c_str(), word.size() + 1, room, to, is);
    }
    // Without the terminating zero, and without a byte.
    if (lie == "no end" && is_word) return give("xxxxxxxx", 8, room, to, is);
    if (lie == "empty" && is_word) return give("", 0, room, to, is);
    const bool is_huge = lie == "huge";
    if (is_huge || lie == "nought") {
        switch (what) {
            case CL_DEVICE_GLOBAL_MEM_SIZE:
            case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
            case CL_DEVICE_LOCAL_MEM_SIZE:
            case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
            case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
                return number(is_huge ? ~cl_ulong{0} : cl_ulong{0});
            case CL_DEVICE_MAX_WORK_GROUP_SIZE:
            case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
            case CL_DEVICE_IMAGE2D_MAX_WIDTH:
            case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
                return number(is_huge ? ~std::size_t{0} : std::size_t{0});
            case CL_DEVICE_MAX_COMPUTE_UNITS:
            case CL_DEVICE_MAX_CLOCK_FREQUENCY: return number(is_huge ? ~cl_uint{0} : cl_uint{0});
            case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
                const std::size_t one = is_huge ? ~std::size_t{0} : 0;
                const std::size_t sizes[] = {one, one, one};
                return give(sizes, is_huge ? sizeof sizes : 0, room, to, is);
            }
            default: break;
        }
    }
    return real.clGetDeviceInfo(device, what, room, to, is);
}

cl_int CL_API_CALL times(cl_event event, cl_profiling_info what, std::size_t room, void* to,
                         std::size_t* is) {
    static std::atomic<cl_ulong> clock = cl_ulong{1} << 40;
    const cl_int status = real.clGetEventProfilingInfo(event, what, room, to, is);
    if (status != CL_SUCCESS || !to || room < sizeof(cl_ulong)) return status;
    cl_ulong value = 0;
    std::memcpy(&value, to, sizeof value);
    if (lie == "clock back") value = clock -= 1000000;
    if (lie == "clock still") value = 12345;
    if (lie == "clock ahead") value *= 1000;
    std::memcpy(to, &value, sizeof value);
    return status;
}

/// A launch that does nothing and reports success.
cl_int CL_API_CALL no_launch(cl_command_queue queue, cl_kernel, cl_uint, const std::size_t*,
                             const std::size_t*, const std::size_t*, cl_uint count,
                             const cl_event* waits, cl_event* event) {
    return real.clEnqueueMarkerWithWaitList(queue, count, waits, event);
}

cl_context CL_API_CALL no_context(const cl_context_properties*, cl_uint, const cl_device_id*,
                                  void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*),
                                  void*, cl_int* code) {
    if (code) *code = -9999;
    return nullptr;
}

bool fails() {
    return failing != 0 && ++calls == failing;
}

/// Counts the calls of `Member`; the selected call fails without being made.
template <auto Member, class R, class... A>
R CL_API_CALL counted(A... arguments) {
    if (fails()) {
        std::fprintf(stderr, "The ICD fails at call %ld.\n", failing);
        if constexpr (std::is_same_v<R, cl_int>) {
            return CL_OUT_OF_RESOURCES;
        } else {
            // Functions that create an object return the code in their last argument.
            cl_int* const code = std::get<sizeof...(A) - 1>(std::tuple(arguments...));
            if (code) *code = CL_OUT_OF_RESOURCES;
            return nullptr;
        }
    }
    return (real.*Member)(arguments...);
}

template <auto Member, class R, class... A>
void count(cl_icd_dispatch& table, R (CL_API_CALL* cl_icd_dispatch::*)(A...)) {
    table.*Member = counted<Member, R, A...>;
}

template <auto... Members>
void count_all(cl_icd_dispatch& table) {
    (count<Members>(table, Members), ...);
}

cl_icd_dispatch& table_of(cl_platform_id platform) {
    return **reinterpret_cast<cl_icd_dispatch**>(platform);
}

void change(cl_icd_dispatch& table) {
    real = table;
    const char* const word = std::getenv("ICD_LIE");
    lie = word ? word : "";
    table.clGetDeviceInfo = device_info;
    table.clGetEventProfilingInfo = times;
    if (lie == "no launch") table.clEnqueueNDRangeKernel = no_launch;
    if (lie == "no context") table.clCreateContext = no_context;
    if (lie.rfind("fail ", 0) != 0) return;
    failing = std::atol(lie.c_str() + 5);
    using Table = cl_icd_dispatch;
    count_all<&Table::clCreateContext, &Table::clCreateCommandQueue, &Table::clCreateBuffer,
              &Table::clCreateImage, &Table::clCreateProgramWithSource, &Table::clBuildProgram,
              &Table::clGetProgramInfo, &Table::clCreateKernel, &Table::clSetKernelArg,
              &Table::clGetKernelWorkGroupInfo, &Table::clWaitForEvents, &Table::clFlush,
              &Table::clFinish, &Table::clEnqueueReadBuffer, &Table::clEnqueueWriteBuffer,
              &Table::clEnqueueCopyBuffer, &Table::clEnqueueFillBuffer,
              &Table::clEnqueueNDRangeKernel, &Table::clEnqueueMarkerWithWaitList,
              &Table::clGetEventProfilingInfo, &Table::clEnqueueMapBuffer,
              &Table::clEnqueueUnmapMemObject>(table);
}

cl_int CL_API_CALL platforms(cl_uint room, cl_platform_id* to, cl_uint* count) {
    using Get = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
    static const Get get = [] {
        void* const library = dlopen("libpocl.so.2", RTLD_NOW | RTLD_LOCAL);
        if (!library) return Get{};
        using Find = void* (*)(const char*);
        const auto find = reinterpret_cast<Find>(dlsym(library, "clGetExtensionFunctionAddress"));
        return find ? reinterpret_cast<Get>(find("clIcdGetPlatformIDsKHR")) : Get{};
    }();
    if (!get) return -1001;
    static const bool is_changed = [] {
        cl_platform_id first = nullptr;
        if (get(1, &first, nullptr) != CL_SUCCESS || !first) return false;
        change(table_of(first));
        return true;
    }();
    return is_changed ? get(room, to, count) : -1001;
}

}  // namespace

void* clGetExtensionFunctionAddress(const char* name) {
    if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return reinterpret_cast<void*>(&platforms);
    return nullptr;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, std::size_t room, void* to,
                         std::size_t* is) {
    return table_of(platform).clGetPlatformInfo(platform, what, room, to, is);
}

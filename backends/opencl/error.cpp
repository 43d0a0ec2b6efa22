// OpenCL's error codes by name, and as sentences.
#include <utility>

#include <fmt/format.h>

#include "backends/opencl/api.hpp"
#include "common/process/mps.hpp"

namespace parallax::opencl {
namespace {

/// NVIDIA's OpenCL uses it for errors without another code.
constexpr cl_int nvidias_own = -9999;

struct Named {
    cl_int code;
    const char* name;
};

// The codes of OpenCL 3.0's cl.h, cl_ext.h's for the loader, and one of NVIDIA's own.
constexpr Named names[] = {
    {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE"},
    {CL_MEM_COPY_OVERLAP, "CL_MEM_COPY_OVERLAP"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_MISALIGNED_SUB_BUFFER_OFFSET, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
    {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
    {CL_INVALID_BINARY, "CL_INVALID_BINARY"},
    {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"},
    {CL_INVALID_PROGRAM, "CL_INVALID_PROGRAM"},
    {CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
    {CL_INVALID_KERNEL_DEFINITION, "CL_INVALID_KERNEL_DEFINITION"},
    {CL_INVALID_KERNEL, "CL_INVALID_KERNEL"},
    {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
    {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_WORK_DIMENSION, "CL_INVALID_WORK_DIMENSION"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
    {CL_INVALID_GLOBAL_OFFSET, "CL_INVALID_GLOBAL_OFFSET"},
    {CL_INVALID_EVENT, "CL_INVALID_EVENT"},
    {CL_INVALID_OPERATION, "CL_INVALID_OPERATION"},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {CL_INVALID_PROPERTY, "CL_INVALID_PROPERTY"},
    {CL_INVALID_COMPILER_OPTIONS, "CL_INVALID_COMPILER_OPTIONS"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    {nvidias_own, "NVIDIA's own error"},
};

std::string advice(cl_int code) {
    switch (code) {
        case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        case CL_OUT_OF_HOST_MEMORY: return "Choose a smaller size with -n.";
        case CL_OUT_OF_RESOURCES:
            return "The kernel asked for more than the device has, or read or wrote where it must "
                   "not; 'compute-sanitizer' or 'oclgrind' shows which.";
        case nvidias_own:
            return "After a launch it says that a kernel read or wrote where it must not, and the "
                   "context is dead: nothing further can be run in it. 'compute-sanitizer' or "
                   "'oclgrind' shows the place.";
        case CL_DEVICE_NOT_AVAILABLE:
        case CL_INVALID_DEVICE: return "See 'parallax devices' for what is there now.";
        default: return {};
    }
}

}  // namespace

std::string error_name(cl_int code) {
    for (const Named& named : names) {
        if (named.code == code) return named.name;
    }
    return fmt::format("error {}", code);
}

void Shared::note(std::string message) {
    // Drivers end it with a line feed, or with a full stop and a line feed.
    message.resize(message.find_last_not_of(" \n.") + 1);
    const std::lock_guard lock(mutex_);
    said_ = std::move(message);
}

std::string Shared::take_note() {
    const std::lock_guard lock(mutex_);
    return std::exchange(said_, {});
}

void throw_no_context(const cl::Error& error, const DeviceInfo& info, Shared& shared) {
    const std::string device = fmt::format("{} ({})", info.id(), info.name);
    if (error.err() == nvidias_own && has_mps()) {
        throw Unsupported(fmt::format("{} cannot be opened: {}", device, mps_advice()));
    }
    if (error.err() != nvidias_own) throw device_error(error, info, shared);
    throw DeviceError(
        fmt::format("{} on {} failed: {} ({}). No kernel has run: the driver makes no context "
                    "here. 'parallax doctor' looks for the cause.",
                    error.what(), device, error_name(error.err()), error.err()));
}

DeviceError device_error(const cl::Error& error, const DeviceInfo& info, Shared& shared) {
    std::string text = fmt::format("{} on {} ({}) failed: {} ({}).", error.what(), info.id(),
                                   info.name, error_name(error.err()), error.err());
    if (const std::string said = shared.take_note(); !said.empty()) {
        text += fmt::format(" The driver says: {}.", said);
    }
    if (const std::string next = advice(error.err()); !next.empty()) text += " " + next;
    return DeviceError(text);
}

}  // namespace parallax::opencl

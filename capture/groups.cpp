// Determines the work-group size of a launch whose program leaves it open.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capture/snapshot.hpp"

namespace parallax::capture {
namespace {

/// The largest number up to `most` that divides `all`.
std::uint64_t divisor(std::uint64_t all, std::uint64_t most) {
    for (std::uint64_t one = std::min(all, most); one > 1; --one) {
        if (all % one == 0) return one;
    }
    return 1;
}

}  // namespace

/// The work-group size of an equally large launch of a probe kernel; 0: it cannot be determined.
std::array<size_t, 3> Snapshot::look() {
    const std::string source =
        "__kernel void parallax_asks(__global ulong* size) {\n"
        "    if (get_global_id(0) == get_global_offset(0)\n"
        "        && get_global_id(1) == get_global_offset(1)\n"
        "        && get_global_id(2) == get_global_offset(2))\n"
        "        for (uint d = 0; d < 3; ++d) size[d] = get_local_size(d);\n"
        "}\n";
    std::array<cl_ulong, 3> seen{};
    LaunchCall range = call_;
    range.local = nullptr;
    if (!ask_device(source, "", range, std::as_writable_bytes(std::span(seen)))) seen = {};
    std::array<size_t, 3> local{};
    std::ranges::copy(seen, local.begin());
    return local;
}

/// Sets the work-group size that the implementation chooses.
void Snapshot::choose_local() {
    const cl_icd_dispatch& api = state().next;
    std::array<size_t, 3> local{};
    api.clGetKernelWorkGroupInfo(call_.kernel, queue_.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                 sizeof(local), local.data(), nullptr);
    local_from_ = "the kernel's text";
    const bool is_required = local[0] != 0;
    if (local[0] == 0) {
        cl_platform_id platform = nullptr;
        api.clGetDeviceInfo(queue_.device, CL_DEVICE_PLATFORM, sizeof(platform), &platform,
                            nullptr);
        using Suggest = cl_int(CL_API_CALL*)(cl_command_queue, cl_kernel, cl_uint, const size_t*,
                                             const size_t*, size_t*);
        const auto suggest = reinterpret_cast<Suggest>(api.clGetExtensionFunctionAddressForPlatform(
            platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
        local_from_ = "the device's suggestion";
        if (!suggest || suggest(call_.queue, call_.kernel, call_.dimensions, call_.offset,
                                call_.global, local.data()) != CL_SUCCESS) {
            local = {};
        }
    }
    if (local[0] == 0) {
        local_from_ = "a probe kernel";
        auto& known = state().looked[{
            queue_.device, fmt::format("{} {}", fmt::join(offset_, ","), fmt::join(global_, ","))}];
        if (known[0] == 0) known = look();
        local = known;
    }
    size_t most = 0;
    api.clGetKernelWorkGroupInfo(call_.kernel, queue_.device, CL_KERNEL_WORK_GROUP_SIZE,
                                 sizeof(most), &most, nullptr);
    std::uint64_t left = std::max<std::uint64_t>(most, 1);
    // A kernel without a fixed work-group size may use sizes that CUDA supports.
    constexpr std::uint64_t largest_in_cuda = 1024, deepest_in_cuda = 64;
    if (!is_required) left = std::min(left, largest_in_cuda);
    for (std::size_t i = 0; i < global_.size(); ++i) {
        std::uint64_t wanted = std::max<std::uint64_t>(local.at(i), 1);
        if (i == 2 && !is_required) wanted = std::min(wanted, deepest_in_cuda);
        local_.push_back(divisor(global_[i], std::min(wanted, left)));
        left = std::max<std::uint64_t>(left / local_.back(), 1);
    }
}

}  // namespace parallax::capture

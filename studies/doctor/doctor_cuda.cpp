// Causes for missing CUDA devices: variables, libraries, versions.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "common/process/mps.hpp"
#include "studies/doctor/system_files.hpp"

namespace parallax {
namespace {

/// UUIDs of the cards that the driver lists.
std::vector<std::string> uuids_of(const SystemFiles& files) {
    std::vector<std::string> uuids;
    for (const std::string& card : files.names("/proc/driver/nvidia/gpus")) {
        const std::string text =
            files.text("/proc/driver/nvidia/gpus/" + card + "/information").value_or("");
        const std::size_t at = text.find("GPU-");
        if (at != text.npos) uuids.push_back(text.substr(at, 40));
    }
    return uuids;
}

std::string library_version(const std::filesystem::path& library) {
    std::error_code error;
    const std::string name = std::filesystem::canonical(library, error).filename();
    const std::size_t at = name.find(".so.");
    return error || at == name.npos ? std::string() : name.substr(at + 4);
}

void look_at_visible(Examination& e, const char* name) {
    const auto value = e.files.variable(name);
    if (!value) return;
    const auto hides = [&](std::string_view finding, const std::string& what) {
        // NVIDIA's OpenCL heeds it as CUDA does.
        e.find("both", finding, fmt::format("{}='{}' {}", name, shown_value(*value), what),
               fmt::format("unset {0}, or name devices that are there: {0}=0, or UUIDs as "
                           "nvidia-smi -L prints them.",
                           name));
    };
    const std::vector<std::string> words = listed(*value);
    if (stripped(*value).empty()) return hides("visible-devices-empty", "hides every device.");
    const std::vector<std::string> uuids = uuids_of(e.files);
    const std::size_t cards = std::max(uuids.size(), e.device_files.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const std::string rest =
            i == 0 ? "hides every device" : "hides that one and all that are named behind it";
        const auto number = number_in(word);
        if (number && word.find_first_not_of("0123456789") == word.npos) {
            if (cards == 0 || *number < cards) continue;
            return hides(
                "visible-devices-wrong",
                fmt::format("{}: there is no device {}, but {}.", rest, word,
                            cards == 1 ? "device 0 alone" : fmt::format("0 to {}", cards - 1)));
        }
        if (word.starts_with("MIG-")) continue;
        const bool is_uuid = word.starts_with("GPU-");
        const bool is_known = std::ranges::any_of(
            uuids, [&](const std::string& uuid) { return uuid.starts_with(word); });
        if (is_uuid && (uuids.empty() || is_known)) continue;
        return hides("visible-devices-wrong",
                     fmt::format("{}: '{}' names no device.", rest, shown_value(word)));
    }
}

}  // namespace

unsigned least_driver_for(unsigned major) {
    // NVIDIA's CUDA compatibility table: minor versions run on the driver of their first.
    struct Row {
        unsigned cuda, driver;
    };
    constexpr std::array rows{Row{10, 410}, Row{11, 450}, Row{12, 525}, Row{13, 580}};
    for (const Row& row : rows) {
        if (row.cuda == major) return row.driver;
    }
    return 0;
}

void look_at_cuda(Examination& e) {
    const SystemFiles& files = e.files;
    if (e.report.cards == 0 && e.report.driver.empty()) return;
    look_at_visible(e, "CUDA_VISIBLE_DEVICES");
    const auto cuda = files.library("libcuda.so.1");
    if (!cuda) {
        e.find("CUDA", "libcuda-missing", "There is a GPU, and no libcuda.so.1.",
               "Install the driver's libraries (Debian: libcuda1). A container needs "
               "NVIDIA_DRIVER_CAPABILITIES=compute,utility; leave the toolkit's stub out of "
               "LD_LIBRARY_PATH.");
    } else if (const std::string version = library_version(*cuda);
               !e.report.driver.empty() && version.find('.') != version.npos &&
               version != e.report.driver) {
        e.find("both", "driver-mismatch",
               fmt::format("The kernel module is {}, and {} is {}: the driver was updated under a "
                           "running system, or the container brought another one.",
                           e.report.driver, cuda->filename().string(), version),
               "Restart the node, or load the new module (rmmod nvidia_uvm nvidia; modprobe "
               "nvidia). A container must take the host's library.");
    }
    const auto nvrtc = files.library("libnvrtc.so.");
    const unsigned driver = number_in(e.report.driver).value_or(0);
    if (nvrtc && driver > 0) {
        const unsigned major = number_in(library_version(*nvrtc)).value_or(0);
        const unsigned least = least_driver_for(major);
        if (least > driver) {
            e.find("CUDA", "driver-older-than-toolkit",
                   fmt::format("{} is of CUDA {}, which needs driver {} or newer, and this is {}.",
                               nvrtc->filename().string(), major, least, e.report.driver),
                   fmt::format("Update the driver, or build with an older toolkit: meson configure "
                               "build -Dtoolkit_root=/usr/local/cuda-{}.",
                               major - 1));
        }
    }
    if (!files.library("libnvidia-ml.so.1")) {
        e.find(
            "CUDA", "nvml-missing",
            "libnvidia-ml.so.1 is not there: clocks, power and other users of the GPU stay "
            "unknown.",
            "Install the driver's NVML (Debian: libnvidia-ml1). A container needs the capability "
            "'utility'.",
            false);
    }
}

void look_at_mps(Examination& e) {
    const auto named = e.files.variable(mps_variable);
    const std::filesystem::path pipe = mps_pipe(named ? named->c_str() : nullptr);
    if (!e.files.has(pipe.string())) return;
    const std::string share = e.files.variable(mps_share_variable).value_or("");
    e.find("both", "mps-daemon",
           fmt::format("{} is there. {}{}", shown_value(pipe.string()), mps_advice(),
                       share.empty() ? ""
                                     : fmt::format(" {}={}: CUDA gets this percentage of the "
                                                   "multiprocessors there.",
                                                   mps_share_variable, shown_value(share))),
           "This program goes round it by itself where no share is given and no device takes one "
           "process alone. Elsewhere end the daemon (echo quit | nvidia-cuda-mps-control), or "
           "measure CUDA alone.",
           false);
}

}  // namespace parallax

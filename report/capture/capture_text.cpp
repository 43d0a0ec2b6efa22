// A capture in lines.
#include "report/capture/capture_text.hpp"

#include <fmt/format.h>

namespace parallax {
namespace {

std::string transfers(const char* direction, const CaptureSum& sum) {
    if (sum.count == 0) return {};
    return fmt::format("; {} transfers {} of {:.4g} MB, {:.3g} s", sum.count, direction,
                       1e-6 * static_cast<double>(sum.bytes), sum.all_seconds());
}

}  // namespace

std::string capture_text(const Capture& capture, const std::string& folder) {
    const std::uint64_t others = capture.launches_not_kept();
    const std::string not_kept =
        others > 0 ? fmt::format(" ({} launches are of kinds that were not)", others) : "";
    std::string text = fmt::format(
        "parallax: {}: {} launches of {} kernels{}{}. Of {:.3g} s, kernels take {:.3g} s; {} "
        "builds, {:.3g} s{}{}; {} for {:.3g} s between commands.\n",
        folder, capture.launches, capture.kernels.size(),
        capture.has_contents
            ? fmt::format(", {} of them kept as cases{}", capture.cases(), not_kept)
            : "",
        capture.processes > 1 ? fmt::format(", by {} processes", capture.processes) : "",
        capture.program_seconds(), capture.kernel_seconds(), capture.builds.count,
        capture.builds.seconds, transfers("to the device", capture.to_device),
        transfers("from it", capture.from_device),
        capture.devices.size() > 1 || capture.processes > 1 ? "devices idle, all together,"
                                                            : "the device idles",
        capture.idle_seconds());
    if (capture.has_contents) {
        text +=
            fmt::format("parallax: keeping contents took {:.3g} s.\n", capture.snapshot_seconds);
    }
    for (const CapturedKernel& kernel : capture.kernels) {
        for (const auto& [reason, count] : kernel.not_kept()) {
            text += fmt::format("parallax: {}: {} launches are not kept: {}\n", kernel.kernel,
                                count, reason);
        }
    }
    for (const auto& [what, count] : capture.left_out) {
        text += fmt::format("parallax: not seen: {}: {}\n", what, count);
    }
    for (const std::string& problem : capture.problems) {
        text += fmt::format("parallax: the layer had trouble: {}\n", problem);
    }
    if (!capture.complete) {
        text +=
            "parallax: a process of the program ended by _exit, by exec or by a signal: times of "
            "its last commands may be missing.\n";
    }
    return text;
}

}  // namespace parallax

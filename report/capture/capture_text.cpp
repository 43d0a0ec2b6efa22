// A capture in lines.
#include "report/capture/capture_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/wording.hpp"
#include "studies/capture/program_verdict.hpp"

namespace parallax {
namespace {

std::string transfers(const char* direction, const CaptureSum& sum) {
    if (sum.count == 0) return {};
    return fmt::format("; {} {} of {:.4g} MB, {:.3g} s", report::counted(sum.count, "transfer"),
                       direction, 1e-6 * static_cast<double>(sum.bytes), sum.all_seconds());
}

/// A line for each reason, with the kernels that have it.
std::string not_kept_of(const Capture& capture) {
    if (!capture.has_contents) return {};  // none was asked for
    struct Line {
        std::string reason;
        std::vector<std::string> kernels;
        std::uint64_t launches = 0;
        double seconds = 0;  ///< about: a kernel's launches take the same
    };
    std::vector<Line> lines;
    for (const CapturedKernel& kernel : capture.kernels) {
        for (const auto& [reason, count] : kernel.not_kept()) {
            auto line = std::ranges::find(lines, reason, &Line::reason);
            if (line == lines.end()) line = lines.insert(line, Line{reason, {}});
            line->kernels.push_back(kernel.kernel);
            line->launches += count;
            line->seconds += kernel.sum.all_seconds() * static_cast<double>(count) /
                             static_cast<double>(std::max<std::uint64_t>(kernel.sum.count, 1));
        }
    }
    const double all = capture.launch_seconds();
    std::string text;
    for (Line& line : lines) {
        constexpr std::size_t most = 4;
        const std::size_t count = line.kernels.size();
        if (count > most) line.kernels.resize(most - 1);
        text += fmt::format(
            "parallax: {}{}: {} launches{} are not kept: {}\n", fmt::join(line.kernels, ", "),
            count > most ? fmt::format(" and {} more", count - most + 1) : "", line.launches,
            all > 0 ? fmt::format(" ({:.3g} % of the kernels' time)", 100 * line.seconds / all)
                    : "",
            line.reason);
    }
    return text;
}

}  // namespace

std::string capture_text(const Capture& capture, const std::string& folder) {
    const std::uint64_t others = capture.launches_not_kept();
    const std::string not_kept =
        others > 0 ? fmt::format(" ({} launches are of kinds that were not)", others) : "";
    std::string text = fmt::format(
        "parallax: {}: {} launch{} of {}{}{}. Of {:.3g} s, kernels take {:.3g} s; {}, {:.3g} "
        "s{}{}; {} for "
        "{:.3g} s between commands.\n",
        folder, capture.launches, capture.launches == 1 ? "" : "es",
        report::counted(capture.kernels.size(), "kernel"),
        capture.has_contents
            ? fmt::format(", {} of them kept as cases{}", capture.cases(), not_kept)
            : "",
        capture.processes > 1 ? fmt::format(", by {} processes", capture.processes) : "",
        capture.program_seconds(), capture.kernel_seconds(),
        report::counted(capture.builds.count, "build"), capture.builds.seconds,
        transfers("to the device", capture.to_device), transfers("from it", capture.from_device),
        capture.devices.size() > 1 || capture.processes > 1 ? "devices idle, all together,"
                                                            : "the device idles",
        capture.idle_seconds());
    if (capture.has_contents) {
        text +=
            fmt::format("parallax: keeping contents took {:.3g} s.\n", capture.snapshot_seconds);
    }
    text += not_kept_of(capture);
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
    if (const std::string most = kernel_share(capture.kernel_seconds(), capture.program_seconds());
        !most.empty()) {
        text += fmt::format(
            "parallax: kernels take {} of the time: a port gains at most as much.\n", most);
    }
    return text;
}

}  // namespace parallax

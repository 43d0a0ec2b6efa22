// Measures, prints and stores the time profile of a command.
#include "cli/timing_option.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "report/document.hpp"

namespace parallax::cli {
namespace {

/// One row per phase, the longest first, with its share of the wall-clock time, followed by the
/// concurrent work of other threads.
report::Grid time_grid(const TimeSpent& spent) {
    std::vector<PhaseTime> phases = spent.phases;
    std::ranges::stable_sort(phases, [](const PhaseTime& a, const PhaseTime& b) {
        return std::pair(a.beside, -a.seconds) < std::pair(b.beside, -b.seconds);
    });
    report::Grid grid{.title = fmt::format("Where {:.2f} s went", spent.wall_seconds),
                      .columns = {"phase",
                                  {"seconds", "seconds", true},
                                  {"share", "share", true},
                                  {"times", "times", true}}};
    for (const PhaseTime& one : phases) {
        std::string name = one.phase;
        if (!one.detail.empty()) name += " " + one.detail;
        if (one.beside) name += ", beside";
        const double share = spent.wall_seconds > 0 ? one.seconds / spent.wall_seconds : 0;
        grid.rows.push_back(
            {.cells = {{name},
                       {fmt::format("{:.3f}", one.seconds), one.seconds},
                       one.beside ? report::Cell()
                                  : report::Cell(fmt::format("{:.1f} %", 100 * share), share),
                       {std::to_string(one.count), static_cast<double>(one.count)}}});
    }
    if (std::ranges::any_of(phases, &PhaseTime::beside)) {
        grid.below = "Beside: other threads did it while the command did something else.";
    }
    return grid;
}

}  // namespace

void add_timing_option(po::options_description_easy_init& add) {
    add("timing", settable_flag(),
        "says at the end where the time went, on standard error, and keeps it with the results");
}

TimeKeeper::TimeKeeper(const Values& values)
    : wanted_(values.count("timing") > 0),
      profiled_(profile()),
      start_(wanted_ ? HostClock::now() : HostClock::time_point{}) {}

void TimeKeeper::finish(const RunInfo& run, ResultWriters& writers, const std::string& device_name,
                        CommandContext& context) {
    if (!wanted_) return;
    const double wall = seconds_since(start_);
    const TimeSpent spent{run, wall, profile_.times(wall)};
    writers.add(spent, device_name);
    context.err << text_of(report::Document{.title = {}, .blocks = {time_grid(spent)}},
                           report::least_width, false);
}

}  // namespace parallax::cli

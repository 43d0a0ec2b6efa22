// Measures, prints and stores the time profile of a command.
#include "cli/timing_option.hpp"

#include <ostream>

#include "report/document.hpp"
#include "report/time_spent_text.hpp"

namespace parallax::cli {

void add_timing_option(po::options_description_easy_init& add) {
    add("timing", settable_flag(),
        "says at the end where the time went, on standard error, and keeps it with the "
        "results");
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
    context.err << text_of(report::Document{.title = {}, .blocks = {report::time_grid(spent)}},
                           report::least_width, false);
}

}  // namespace parallax::cli

// Draws the time profile of a command.
#include "report/time_spent_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace parallax::report {

Grid time_grid(const TimeSpent& spent) {
    std::vector<PhaseTime> phases = spent.phases;
    std::ranges::stable_sort(phases, [](const PhaseTime& a, const PhaseTime& b) {
        return std::pair(a.beside, -a.seconds) < std::pair(b.beside, -b.seconds);
    });
    Grid grid{.title = fmt::format("Where {:.2f} s went", spent.wall_seconds),
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
                       one.beside ? Cell() : Cell(fmt::format("{:.1f} %", 100 * share), share),
                       {std::to_string(one.count), static_cast<double>(one.count)}}});
    }
    if (std::ranges::any_of(phases, &PhaseTime::beside)) {
        grid.below = "Beside: other threads did it while the command did something else.";
    }
    return grid;
}

}  // namespace parallax::report

// The members of a line about time. For records/*.cpp alone.
#pragma once

#include "records/record_members.hpp"
#include "records/result_lines.hpp"

namespace parallax {

constexpr auto members_of(const PhaseTime*) {
    return std::tuple{
        member("phase", &PhaseTime::phase, kinds::name, "`building`, `timing`, ..."),
        member("detail", &PhaseTime::detail, kinds::text, "the backend, where it is a backend's"),
        member("beside", &PhaseTime::beside, kinds::truth,
               "other threads spent it while the command did something else: it is no part of the "
               "wall time"),
        member("seconds", &PhaseTime::seconds, kinds::not_negative, "in all"),
        member("count", &PhaseTime::count, kinds::small, "how often"),
    };
}

constexpr auto members_of(const TimeSpent*) {
    return std::tuple{
        member("run", &TimeSpent::run, "[the run](#run) that made the line"),
        member("wall_seconds", &TimeSpent::wall_seconds, kinds::not_negative,
               "from the command's start to its report"),
        member("phases", &TimeSpent::phases, "[a list](#phase)"),
    };
}

}  // namespace parallax

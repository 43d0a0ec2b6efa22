// The members of a search's result. For records/*.cpp alone.
#pragma once

#include "records/record_members.hpp"
#include "records/tuned.hpp"

namespace parallax {

constexpr auto members_of(const Tuned*) {
    using kinds::not_negative;
    return std::tuple{
        flat(&Tuned::key),
        member("device", &Tuned::device, kinds::name, "the device's model, as it calls itself"),
        member("backend", &Tuned::backend, kinds::name, "its API: `opencl`, `cuda`"),
        member("driver", &Tuned::driver, kinds::text, "its driver then"),
        member("source_hash", &Tuned::source_hash, kinds::hash,
               "of the kernel's source as written; the line is not used with another source"),
        member("seconds", &Tuned::seconds, kinds::positive,
               "median time of a run with these constants"),
        member("low", &Tuned::low, not_negative, "its interval's lower end"),
        member("high", &Tuned::high, not_negative, "its interval's upper end"),
        member("own_seconds", &Tuned::own_seconds, not_negative,
               "median time of a run with the variant's own constants; 0: they did not run"),
        member("tried", &Tuned::tried, kinds::whole, "candidates that were tried"),
        member("candidates", &Tuned::candidates, kinds::whole, "that there were"),
        member("run", &Tuned::run, "[the run](#run) that found it"),
    };
}

}  // namespace parallax

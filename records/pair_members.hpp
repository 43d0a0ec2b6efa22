// The members of a pair and its parts. For records/*.cpp alone.
#pragma once

#include "records/pair.hpp"
#include "records/record_members.hpp"

namespace parallax {

inline constexpr kinds::Kind error_share{"a number between 0 and 1", [](const Json& j) {
                                             return kinds::is_positive(j) && j.get<double>() < 1;
                                         }};
inline constexpr kinds::Kind quad_order{"ABBA or BAAB", [](const Json& j) {
                                            return kinds::is_one_of<2>(j, {"ABBA", "BAAB"});
                                        }};
inline constexpr kinds::Kind reason_to_stop{
    "decided, looks, time or disturbed", [](const Json& j) {
        return kinds::is_one_of<4>(j, {"decided", "looks", "time", "disturbed"});
    }};

constexpr auto members_of(const PairRound*) {
    return std::tuple{
        computed(
            "repeats",
            [](const PairRound& r) {
                return std::vector{r.repeats_a, r.repeats_b};
            },
            [](PairRound& r, const std::vector<unsigned>& repeats) {
                r.repeats_a = repeats[0];
                r.repeats_b = repeats[1];
            },
            &kinds::two_counts, "runs in a batch of A and of B"),
        computed(
            "order", [](const PairRound& r) { return std::string(r.a_first ? "ABBA" : "BAAB"); },
            [](PairRound& r, const std::string& order) { r.a_first = order == "ABBA"; },
            &quad_order, "of its first quad, `ABBA` or `BAAB`; the quads of a round alternate"),
        member(
            "a", &PairRound::a, kinds::quads,
            "seconds of one run of A, batch by batch in the order in which they ran; two a quad"),
        member("b", &PairRound::b, kinds::quads, "the same of B"),
        member("log_ratio", &PairRound::log_ratio, kinds::finite,
               "median of its quads' values, which readers work out again"),
        member("disturbed", &PairRound::disturbed, kinds::said, "why the round does not count")
            .if_any("it does not"),
    };
}

constexpr auto members_of(const AnswerDistances*) {
    return std::tuple{
        member("identical", &AnswerDistances::identical, kinds::truth, "bit by bit"),
        member("elements", &AnswerDistances::elements, kinds::whole, "that were compared"),
        member("differing", &AnswerDistances::differing, kinds::whole, "how many of them differ"),
        member("largest_ulp", &AnswerDistances::largest_ulp, kinds::real,
               "the largest distance in units in the last place"),
        member("median_ulp", &AnswerDistances::median_ulp, kinds::real,
               "the median over those that differ"),
        member("first", &AnswerDistances::first, kinds::whole, "index of the first that differs")
            .if_any("one differs"),
        member("first_a", &AnswerDistances::first_a, kinds::text, "its value on A")
            .if_any("one differs"),
        member("first_b", &AnswerDistances::first_b, kinds::text, "its value on B")
            .if_any("one differs"),
    };
}

constexpr auto members_of(const PairTiming*) {
    return std::tuple{
        member("error", &PairTiming::error, error_share,
               "of the whole comparison, over all interim analyses: 0.05 for an interval of 95 %"),
        member("looks", &PairTiming::interim_analyses, kinds::counts,
               "counts of rounds of the interim analyses, ascending"),
        member("launches", &PairTiming::launches, kinds::count,
               "commands of one run; a queue costs each of them its part")
            .not_in_old(),
        member("look", &PairTiming::look, kinds::small,
               "index of the last one that was made, from 0 on"),
        member("rounds", &PairTiming::rounds,
               "[a list](#round); each round has new buffers and kernels at other addresses"),
        member("stopped_by", &PairTiming::stopped_by, reason_to_stop,
               "`decided`, `looks` (the last one was taken), `time` or `disturbed`"),
    };
}

constexpr auto members_of(const Pair*) {
    return std::tuple{
        flat(&Pair::key),
        member("a", &Pair::a, kinds::name, "the device of side A, `backend:index` in that run"),
        member("b", &Pair::b, kinds::name, "the device of side B"),
        member("self", &Pair::self, kinds::truth,
               "a side against itself: two device objects with buffers and builds of their own"),
        computed(
            "planted",
            [](const Pair& p) { return p.planted > 0 ? std::optional(p.planted) : std::nullopt; },
            [](Pair& p, double factor) { p.planted = factor; }, &kinds::positive,
            "the factor by which B was slowed on purpose, as 1.05 for 105 runs counted as 100")
            .if_any("of a self-test"),
        member("run", &Pair::run, "[the run](#run) that made the line"),
        flat(&Pair::timing),
        computed(
            "launch_seconds",
            [](const Pair& p) {
                return std::vector{p.launch_seconds_a, p.launch_seconds_b};
            },
            [](Pair& p, const std::vector<double>& seconds) {
                p.launch_seconds_a = seconds[0];
                p.launch_seconds_b = seconds[1];
            },
            &kinds::two_times,
            "time of a launch that does next to nothing, on A and on B; 0: not measured"),
        member("measuring_seconds", &Pair::measuring_seconds, kinds::not_negative,
               "spent in timed batches"),
        member("answer", &Pair::answer, "[how far the outputs are apart](#answer)")
            .if_any("the outputs were compared"),
    };
}

}  // namespace parallax

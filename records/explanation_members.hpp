// The members of an explanation and of its parts. For records/*.cpp alone.
#pragma once

#include "records/explanation.hpp"
#include "records/record_members.hpp"

namespace parallax {

inline std::string_view word_in_line(Verdict verdict) {
    return word_of(verdict);
}
inline bool from_word(std::string_view word, Verdict& verdict) {
    const auto named = verdict_named(word);
    if (named) verdict = *named;
    return named.has_value();
}
inline std::string_view word_in_line(KnobSide side) {
    return name_of(side);
}
inline bool from_word(std::string_view word, KnobSide& side) {
    using enum KnobSide;
    for (const KnobSide one : {a, b, both}) {
        if (name_of(one) != word) continue;
        side = one;
        return true;
    }
    return false;
}
inline std::string_view word_in_line(TrialStatus status) {
    return name_of(status);
}
inline bool from_word(std::string_view word, TrialStatus& status) {
    const auto named = trial_status_named(word);
    if (named) status = *named;
    return named.has_value();
}

inline constexpr kinds::Kind verdict_word{
    "a verdict", [](const Json& j) {
        return j.is_string() && verdict_named(j.get_ref<const std::string&>()).has_value();
    }};
inline constexpr kinds::Kind knob_side_word{"A, B or both", [](const Json& j) {
                                                return kinds::is_one_of<3>(j, {"A", "B", "both"});
                                            }};
inline constexpr kinds::Kind trial_status_word{
    "measured, no effect, wrong, unsupported, failed or skipped", [](const Json& j) {
        return j.is_string() && trial_status_named(j.get_ref<const std::string&>()).has_value();
    }};

constexpr auto members_of(const Ratio*) {
    return std::tuple{
        member("value", &Ratio::value, kinds::positive, "time of B over time of A"),
        member("low", &Ratio::low, kinds::positive, "of its interval"),
        member("high", &Ratio::high, kinds::positive, "of its interval"),
        member("confidence", &Ratio::confidence, kinds::share, "that the interval has"),
        member("log_error", &Ratio::log_error, kinds::real, "standard error of the logarithm"),
        member("degrees_of_freedom", &Ratio::degrees, kinds::real, "of Student's t"),
        member("units_a", &Ratio::units_a, kinds::whole, "independent units of A"),
        member("units_b", &Ratio::units_b, kinds::whole, "independent units of B"),
        member("basis", &Ratio::basis, kinds::text,
               "what a unit is: `paired rounds`, `runs`, `rounds of one run`"),
    };
}

constexpr auto members_of(const Occupancy*) {
    return std::tuple{
        member("groups", &Occupancy::groups, kinds::small, "work-groups per compute unit"),
        member("warps", &Occupancy::warps, kinds::small, "warps per compute unit"),
        member("most_warps", &Occupancy::most_warps, kinds::count, "that a compute unit can hold"),
        member("limited_by", &Occupancy::limited_by, kinds::text,
               "`registers`, `local memory`, `warps`, `groups`, with ` and ` between"),
    };
}

/// Non-zero counts of instructions by class. Unknown classes count as others.
using Mix = Constants;  // names with numbers, too
inline std::optional<Mix> mix_in_line(const std::optional<InstructionMix>& mix) {
    if (!mix) return {};
    Mix list;
    for (std::size_t i = 0; i < mix->count.size(); ++i) {
        if (mix->count[i] == 0) continue;
        list.push_back({std::string(name_of(static_cast<InstructionClass>(i))), mix->count[i]});
    }
    return list;
}
inline InstructionMix mix_from(const Mix& list) {
    InstructionMix mix;
    for (const auto& [name, count] : list) {
        std::size_t place = 0;
        while (place < mix.count.size() && name_of(static_cast<InstructionClass>(place)) != name) {
            ++place;
        }
        const auto known = place < mix.count.size() ? static_cast<InstructionClass>(place)
                                                    : InstructionClass::other;
        mix[known] += static_cast<std::uint32_t>(count);
    }
    return mix;
}

constexpr auto members_of(const KernelEvidence*) {
    using kinds::text;
    return std::tuple{
        member("kernel", &KernelEvidence::kernel, kinds::name, "its name"),
        member("options", &KernelEvidence::options, kinds::texts, "of the compiler"),
        member("resources", &KernelEvidence::resources, "[what the compiler reports](#resources)"),
        member("occupancy", &KernelEvidence::occupancy, "[calculated](#occupancy)").or_null(),
        member("why_no_occupancy", &KernelEvidence::why_no_occupancy, text,
               "why it is not known; empty: it is"),
        computed(
            "ptx", [](const KernelEvidence& k) { return mix_in_line(k.ptx); },
            [](KernelEvidence& k, const Mix& mix) { k.ptx = mix_from(mix); }, &kinds::count_values,
            "instructions in the PTX by class, from 1 on (a class that is not there has none)")
            .or_null(),
        computed(
            "machine", [](const KernelEvidence& k) { return mix_in_line(k.machine); },
            [](KernelEvidence& k, const Mix& mix) { k.machine = mix_from(mix); },
            &kinds::count_values, "the same of the machine code")
            .or_null(),
        member("ptx_text", &KernelEvidence::ptx_text, text,
               "normalised, a line an instruction; empty: there is none"),
        member("machine_text", &KernelEvidence::machine_text, text, "the same of the machine code"),
        member("machine_source", &KernelEvidence::machine_source, text,
               "how the machine code was come by, or why it was not"),
    };
}

/// One side of an explanation in the file format.
struct ExplainedSide {
    std::string device, name, planted;
    double seconds = 0;
    std::vector<KernelEvidence> kernels;
    std::string kernel = {};
};
constexpr auto members_of(const ExplainedSide*) {
    return std::tuple{
        member("device", &ExplainedSide::device, kinds::name, "`backend:index` in that run"),
        member("name", &ExplainedSide::name, kinds::text, "the device's name"),
        member("planted", &ExplainedSide::planted, kinds::text,
               "what was put in on purpose; empty: nothing"),
        member("seconds", &ExplainedSide::seconds, kinds::not_negative,
               "of one run of the plan (the median); 0: not measured"),
        member("kernels", &ExplainedSide::kernels, "[what is known of each](#kernel)"),
        member("kernel", &ExplainedSide::kernel, kinds::text, "the variant on this side")
            .if_any("the sides are two kernels"),
    };
}
inline ExplainedSide side_in_line(const Explanation& e, bool is_b) {
    return {e.device.of(is_b), e.device_name.of(is_b), e.planted.of(is_b), e.seconds.of(is_b),
            e.evidence.of(is_b), e.kernel.of(is_b)};
}
inline void take_side(Explanation& e, bool is_b, ExplainedSide&& side) {
    e.device.of(is_b) = std::move(side.device);
    e.device_name.of(is_b) = std::move(side.name);
    e.kernel.of(is_b) = std::move(side.kernel);
    e.planted.of(is_b) = std::move(side.planted);
    e.seconds.of(is_b) = side.seconds;
    e.evidence.of(is_b) = std::move(side.kernels);
}

constexpr auto members_of(const Stage*) {
    return std::tuple{
        member("name", &Stage::name, kinds::said, "`build, cold`, `launch`, ..."),
        member("scope", &Stage::scope, kinds::text, "from where to where, in one sentence"),
        computed(
            "a", [](const Stage& s) { return s.seconds.a; },
            [](Stage& s, double seconds) { s.seconds.a = seconds; }, &kinds::not_negative,
            "seconds on A")
            .or_null(),
        computed(
            "b", [](const Stage& s) { return s.seconds.b; },
            [](Stage& s, double seconds) { s.seconds.b = seconds; }, &kinds::not_negative,
            "seconds on B")
            .or_null(),
        member("in_whole", &Stage::in_whole, kinds::truth,
               "those with true add up to one use from scratch"),
        member("note", &Stage::note, kinds::text,
               "caches by their names, why something is missing"),
    };
}

constexpr auto members_of(const OriginStep*) {
    return std::tuple{
        member("name", &OriginStep::name, kinds::said, "`front end`, `back end`, ..."),
        member("what", &OriginStep::what, kinds::text, "the two that were compared"),
        member("ratio", &OriginStep::ratio, "[a ratio](#ratio)").or_null(),
        member("reason", &OriginStep::reason, kinds::text, "why there is none"),
        member("share", &OriginStep::share, kinds::finite, "of the gap's logarithm").or_null(),
    };
}

constexpr auto members_of(const Trial*) {
    return std::tuple{
        member("knobs", &Trial::knobs, kinds::names,
               "what was changed: one name, or several for a combination"),
        member("setting", &Trial::setting, kinds::text, "what was changed to what: `ALIGN=16`"),
        member("side", &Trial::side, knob_side_word, "`A`, `B` or `both`"),
        member("status", &Trial::status, trial_status_word,
               "`measured`, `no effect` (the compilers made the same code), `wrong`, "
               "`unsupported`, `failed` or `skipped`"),
        member("reason", &Trial::reason, kinds::text,
               "of any status but `measured`; never empty then"),
        member("ratio", &Trial::ratio, "[time of B over time of A](#ratio) with it").or_null(),
        member("closes", &Trial::closes, kinds::finite,
               "the share of the gap's logarithm that it takes away"),
        member("closes_low", &Trial::closes_low, kinds::finite, "of the interval of `closes`"),
        member("closes_high", &Trial::closes_high, kinds::finite, "of the interval of `closes`"),
        member("own_change", &Trial::own_change, kinds::positive,
               "time of the changed side (of the slower one for both) over that without the change")
            .or_null(),
        member("closed", &Trial::closed, kinds::truth, "with it the two are SAME"),
        member("consequences", &Trial::consequences, kinds::texts,
               "what changed in resources and instructions of that side: `registers 96 -> 128`"),
    };
}

constexpr auto members_of(const Conclusion*) {
    return std::tuple{
        member("has_gap", &Conclusion::has_gap, kinds::truth, "the sides are not SAME"),
        member("explained", &Conclusion::explained, kinds::truth, "the cause was found"),
        member("by", &Conclusion::by, kinds::wholes,
               "places in `trials`, from 0 on, of those that explain it, each measured; the first "
               "is the cause that is named"),
        member("cause", &Conclusion::cause, kinds::text, "in a sentence; empty: none was found"),
        member("remedy", &Conclusion::remedy, kinds::text, "what to do; empty: there is none"),
        member("where", &Conclusion::where, kinds::text,
               "where no cause was found: what makes the faster side as slow, or how the two PTX "
               "differ, and at which line of the source")
            .not_in_old(),
        member("gains", &Conclusion::gains, kinds::wholes,
               "places in `trials` of changes that make one side faster and are not the cause")
            .not_in_old(),
        member("ruled_out", &Conclusion::ruled_out, kinds::texts, "knobs that did nothing"),
        member("not_tried", &Conclusion::not_tried, kinds::texts, "what was not tried, and why"),
    };
}

constexpr auto members_of(const Explanation*) {
    return std::tuple{
        flat(&Explanation::key),
        member("title", &Explanation::title, kinds::said, "`transpose/tiled float 4096x4096`"),
        member("run", &Explanation::run, "[the run](#run) that made the line"),
        member("answer", &Explanation::answer, kinds::said, "the answer in words, at most 60"),
        computed(
            "a", [](const Explanation& e) { return side_in_line(e, false); },
            [](Explanation& e, ExplainedSide&& side) { take_side(e, false, std::move(side)); },
            nullptr, "[one side](#side)"),
        computed(
            "b", [](const Explanation& e) { return side_in_line(e, true); },
            [](Explanation& e, ExplainedSide&& side) { take_side(e, true, std::move(side)); },
            nullptr, "[the other](#side)"),
        member("gap", &Explanation::gap, "[time of B over time of A](#ratio)"),
        member("verdict", &Explanation::verdict, verdict_word,
               "`SAME`, `FASTER`, `SLOWER`, `UNDECIDED`, `WRONG` or `NOT COMPARABLE`"),
        member("launching", &Explanation::launching, kinds::truth,
               "shorter than twice an empty launch"),
        member("stages", &Explanation::stages, "[where the time of one use goes](#stage)"),
        member("origin", &Explanation::origin,
               "[the steps from one side to the other](#origin), a list"),
        member("why_no_origin", &Explanation::why_no_origin, kinds::text,
               "why code could not be exchanged; empty: it could"),
        member("trials", &Explanation::trials, "[what was tried](#trial), a list"),
        member("conclusion", &Explanation::conclusion, "[what follows](#conclusion)"),
        member("took_seconds", &Explanation::took_seconds, kinds::not_negative,
               "all of it, by the host's timer"),
        member("needed_seconds", &Explanation::needed_seconds, kinds::not_negative,
               "about the budget in which no trial would have been skipped; 0: none was")
            .not_in_old(),
    };
}

}  // namespace parallax

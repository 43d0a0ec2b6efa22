// The members of a record and its parts. For records/*.cpp alone.
#pragma once

#include "records/device_members.hpp"

namespace parallax {

inline constexpr kinds::Kind a_or_b{"a or b", [](const Json& j) { return j == "a" || j == "b"; }};

using members::computed;

inline std::string_view word_in_line(Status status) {
    return name_of(status);
}
inline bool from_word(std::string_view word, Status& status) {
    const auto named = status_named(word);
    if (named) status = *named;
    return named.has_value();
}

/// A status in a line.
struct ShownStatus {
    Status status = Status::skipped;
    bool is_doubtful = false;
};
inline std::string_view word_in_line(const ShownStatus& shown) {
    return shown.is_doubtful ? "doubtful" : name_of(shown.status);
}
inline bool from_word(std::string_view word, ShownStatus& shown) {
    shown.is_doubtful = word == "doubtful";
    // With a timing it is `ok`: set_status().
    shown.status = Status::checked;
    return shown.is_doubtful || from_word(word, shown.status);
}
/// A line's status, as its doubts and its timing say.
inline void set_status(Record& line) {
    if (line.timing && is_doubtful(line.status, line.doubts)) line.status = Status::ok;
}

inline std::string_view word_in_line(DoubtKind kind) {
    return name_of(kind);
}
inline bool from_word(std::string_view word, DoubtKind& kind) {
    // One of a newer program is a doubt all the same.
    kind = doubt_kind_named(word).value_or(DoubtKind::unnamed);
    return true;
}

constexpr auto members_of(const Doubt*) {
    return std::tuple{
        member("kind", &Doubt::kind, kinds::text,
               "`open questions` (the manifest still has its list `check`), `unwritten output`, "
               "`same for others` (an output is the same for other inputs), `wide tolerance`, `not "
               "a number`, `race`, `skipped work` (it leaves out what is done already), `consumed "
               "inputs` (it finds less to do the second time), `empty launch` (it takes less time "
               "than a launch that does nothing), `beyond ceiling`, `wrong on host:1` (races and "
               "bounds are checked there), or `unnamed`, of an older program"),
        member("sentence", &Doubt::sentence, kinds::said, "what is doubtful"),
        computed(
            "hint", [](const Doubt& d) { return std::string(hint_for(d.kind)); }, nullptr,
            &kinds::said, "what to do about it")
            .if_any("it is known"),
    };
}

constexpr auto members_of(const CaseKey*) {
    return std::tuple{
        member("suite", &CaseKey::suite, kinds::name, "as `parallax list` shows it"),
        member("variant", &CaseKey::variant, kinds::name, "as `parallax list` shows it"),
        member(
            "type", &CaseKey::type, kinds::element_type,
            "what `T` stood for: `float`, `double`, `int`; of a manifest the scalar of its first "
            "output, which may be any of OpenCL C"),
        member("shape", &CaseKey::shape, kinds::shape,
               "extents from 1 on, in the order of the suite's dimensions"),
        member("constants", &CaseKey::constants, kinds::whole_values,
               "all of the suite's constants with their values, whole numbers of 64 bits"),
    };
}

constexpr auto members_of(const RunInfo*) {
    return std::tuple{
        member("id", &RunInfo::id, kinds::said, "the same in all lines of the run"),
        member("started", &RunInfo::started, kinds::text, "in UTC: `2026-11-21T14:00:00Z`"),
        member("seed", &RunInfo::seed, kinds::whole, "of the inputs"),
        member("command", &RunInfo::command, kinds::texts, "the words of the command line"),
        member("program_version", &RunInfo::program_version, kinds::text, "of the program"),
        fact("host", &RunInfo::host, kinds::text, "the node, as its scheduler or it calls itself"),
        member("job", &RunInfo::job, kinds::text, "of the scheduler").if_any("it started the run"),
        member("task", &RunInfo::task, kinds::small, "of the job, over all of its nodes")
            .if_any("it started the run"),
        member("environment", &RunInfo::environment, kinds::text_values,
               "variables that change times, code or devices "
               "([which](settings.md#environment-variables)), by name")
            .if_any("some are set"),
    };
}

constexpr auto members_of(const Resources*) {
    using kinds::small;
    return std::tuple{
        fact("registers", &Resources::registers, small, "of a work-item"),
        fact("spill_bytes", &Resources::spill_bytes, small, "spill stores and spill loads"),
        fact("private_bytes", &Resources::private_bytes, small, "stack of a work-item"),
        fact("local_bytes", &Resources::local_bytes, small, "static local memory of a work-group"),
        fact("constant_bytes", &Resources::constant_bytes, small, "constant memory"),
        fact("max_group_items", &Resources::max_group_items, small,
             "work-items that a work-group of this kernel can have"),
        fact("preferred_multiple", &Resources::preferred_multiple, small,
             "work-group sizes should be a multiple of it"),
        fact("barriers", &Resources::barriers, small, "barriers that the kernel uses"),
    };
}

constexpr auto members_of(const LaunchResources*) {
    return std::tuple_cat(
        members_of(static_cast<const Resources*>(nullptr)),
        std::tuple{fact("groups_per_unit", &LaunchResources::groups_per_unit, kinds::small,
                        "work-groups that a compute unit can hold, as reported by the API")});
}

constexpr auto members_of(const LaunchRecord*) {
    return std::tuple{
        member("name", &LaunchRecord::name, kinds::name, "the kernel's name"),
        member("groups", &LaunchRecord::groups, kinds::three_counts, "in each dimension"),
        member("items", &LaunchRecord::items, kinds::three_counts,
               "work-items per work-group, in each dimension"),
        member("local_bytes", &LaunchRecord::local_bytes, kinds::whole,
               "dynamic local memory of a work-group")
            .not_in_old(),
        member("values_hash", &LaunchRecord::values_hash, kinds::text,
               "of the types and bits of the arguments that are passed by value")
            .if_any("not of an older program"),
        member("resources", &LaunchRecord::resources, "[what the compiler reports](#resources)")
            .if_any("it was built"),
    };
}

constexpr auto members_of(const FloatRules*) {
    return std::tuple{
        member("contract", &FloatRules::contract, kinds::truth, "a product and a sum may be one")
            .not_in_old(),
        member("exact_division", &FloatRules::exact_division, kinds::truth,
               "division and square root are rounded correctly")
            .not_in_old(),
        member("flush_denormals", &FloatRules::flush_denormals, kinds::truth,
               "denormal numbers may be zero")
            .not_in_old(),
        member("relaxed", &FloatRules::relaxed, kinds::truth,
               "results need not be those of IEEE 754")
            .not_in_old(),
    };
}

constexpr auto members_of(const ProgramRecord*) {
    return std::tuple{
        member("file", &ProgramRecord::file, kinds::text, "the kernel file"),
        member("language", &ProgramRecord::language, kinds::text, "`portable` or `native`"),
        member("separate", &ProgramRecord::is_separate, kinds::truth,
               "`true`: CUDA of the user's own, in place of a translation of the OpenCL C")
            .if_any("it is"),
        member("source_hash", &ProgramRecord::source_hash, kinds::text, "of the source as written"),
        member("edits", &ProgramRecord::edits, kinds::texts,
               "names of changes that were made to it on purpose"),
        member("floats", &ProgramRecord::floats, "[float rules](#floats)"),
        member("given_hash", &ProgramRecord::given_hash, kinds::text,
               "of the source that the compiler received")
            .if_any("it was built"),
        member("options", &ProgramRecord::options, kinds::texts, "of the compiler")
            .if_any("there are any"),
        member("ptx_hash", &ProgramRecord::ptx_hash, kinds::text, "of the PTX")
            .if_any("there is PTX"),
        member("build_seconds", &ProgramRecord::build_seconds, kinds::times,
               "all kernels of the case, each time that they were built"),
    };
}

constexpr auto members_of(const Failure*) {
    return std::tuple{
        member("shape", &Failure::shape, kinds::shape, "of the launch").if_any("it is known"),
        member("filling", &Failure::pattern, kinds::text, "the kind of inputs").not_in_old(),
        member("seed", &Failure::seed, kinds::whole, "of the inputs").not_in_old(),
        member("what", &Failure::what, kinds::text, "one sentence"),
    };
}

constexpr auto members_of(const Check*) {
    return std::tuple{
        member("trials", &Check::trials, kinds::small, "launches that were checked"),
        member("checked_against", &Check::checked_against, kinds::text,
               "`reference`; of [manifests](manifest.md) also `reference kernel`, `reference "
               "command`, `expected data`, "
               "and where there is no reference the id of another device or `itself`")
            .if_any("it is known"),
        member("shapes", &Check::shapes, kinds::shapes, "that were tried"),
        member("fillings", &Check::patterns, kinds::texts, "kinds of inputs that were tried"),
        member("worst_share_of_bound", &Check::worst_share_of_bound, kinds::real,
               "the largest error as a share of what is allowed"),
        member("worst_ulp", &Check::worst_ulp, kinds::real,
               "the largest error in units in the last place"),
        member("rms_ulp", &Check::rms_ulp, kinds::real,
               "the root of the mean square of the errors of random inputs, in the same units")
            .not_in_old(),
        member(
            "output_hash", &Check::output_hash, kinds::hash,
            "of the outputs on the case's own random inputs; of a `checked` case on all that was "
            "tried")
            .if_any("it is known"),
        member("repeatable", &Check::repeatable, kinds::truth,
               "launches with equal inputs gave the same bits")
            .if_any("some were repeated"),
        member("failure", &Check::failure, "[the first launch that was not right](#failure)")
            .if_any("one was not right"),
        member("unchecked", &Check::unchecked, kinds::texts,
               "what these checks could not see, a sentence each")
            .if_any("right answers of a [manifest](manifest.md)"),
    };
}

constexpr auto members_of(const Estimate*) {
    return std::tuple{
        member("median", &Estimate::median, kinds::positive,
               "of the samples; readers work it and the next four out again"),
        member("low", &Estimate::low, kinds::positive,
               "of the median's distribution-free interval (order statistics)"),
        member("high", &Estimate::high, kinds::positive, "of the same interval"),
        member("confidence", &Estimate::confidence, kinds::share, "of the same interval"),
        member("spread", &Estimate::spread, kinds::not_negative,
               "median absolute deviation as a share of the median"),
    };
}

constexpr auto members_of(const Timing*) {
    return std::tuple{
        member("scope", &Timing::scope, kinds::text, "what is between the two timestamps"),
        member("unit", &Timing::unit, kinds::text,
               "of all times: seconds of one run of the plan (all its launches)"),
        flat(&Timing::estimate),
        member("stopped_by", &Timing::stopped_by, kinds::text,
               "`narrow` (the interval was narrow enough), `most_samples`, or `time`; in a live "
               "diff what ended the pair"),
        member("least_batch_seconds", &Timing::least_batch_seconds, kinds::not_negative,
               "a batch lasts at least 1000 ticks of the coarsest timer in the run"),
        member("repeats", &Timing::repeats, kinds::counts,
               "runs in a batch, from 1 on, for each round"),
        member("in_cache", &Timing::in_cache, kinds::truth,
               "the last-level cache holds more than half of the buffers; false where they cross "
               "the link to the host"),
        member(
            "round", &Timing::round, kinds::smalls,
            "of each sample, from 0 on; each round has new buffers and kernels at other addresses"),
        member("samples", &Timing::samples, kinds::samples,
               "every batch that was measured, as time over runs, above 0; none is thrown away"),
        member("host_samples", &Timing::host_samples, kinds::samples,
               "the same batches by the host's timer"),
    };
}

constexpr auto members_of(const Work*) {
    return std::tuple{
        member("bytes", &Work::bytes, kinds::not_negative,
               "moved by one run of the plan, by the suite's own model"),
        member("operations", &Work::operations, kinds::not_negative,
               "done by one run of the plan; a fused multiply-add is two"),
    };
}

/// Work divided by the median.
struct Rate {
    double gigabytes_per_second = 0, gigaoperations_per_second = 0;
};
constexpr auto members_of(const Rate*) {
    return std::tuple{
        member("gigabytes_per_second", &Rate::gigabytes_per_second, kinds::real,
               "work over median"),
        member("gigaoperations_per_second", &Rate::gigaoperations_per_second, kinds::real,
               "work over median"),
    };
}

constexpr auto members_of(const Ceiling*) {
    constexpr double giga = 1e9;
    return std::tuple{
        computed(
            "copy_gigabytes_per_second", [](const Ceiling& c) { return c.bytes_per_second / giga; },
            [](Ceiling& c, double value) { c.bytes_per_second = value * giga; },
            &kinds::not_negative, "the device's own copy, read + written; 0: not measured")
            .not_in_old(),
        computed(
            "fma_gigaoperations_per_second",
            [](const Ceiling& c) { return c.operations_per_second / giga; },
            [](Ceiling& c, double value) { c.operations_per_second = value * giga; },
            &kinds::not_negative,
            "fused multiply-adds of the case's type, two operations each; 0: not measured")
            .not_in_old(),
        member("launch_seconds", &Ceiling::launch_seconds, kinds::not_negative,
               "a launch that does next to nothing")
            .not_in_old(),
        member("others_use", &Ceiling::others_use, kinds::not_negative,
               "share of the device that others had while it was measured; 0: not known")
            .not_in_old(),
    };
}

constexpr auto members_of(const CeilingShare*) {
    return std::tuple{
        member("share", &CeilingShare::share, kinds::not_negative,
               "the case's share of the ceiling that it is nearer to")
            .not_in_old(),
        member("of", &CeilingShare::of, kinds::text, "which that is: `copy` or `fma`").not_in_old(),
    };
}

/// A ceiling and the share of it, in the file format.
struct CeilingLine {
    Ceiling ceiling;
    CeilingShare share;
};
constexpr auto members_of(const CeilingLine*) {
    return std::tuple{flat(&CeilingLine::ceiling), flat(&CeilingLine::share)};
}

constexpr auto members_of(const Record*) {
    return std::tuple{
        flat(&Record::key),
        member("device", &Record::device, kinds::name, "`backend:index` in that run"),
        computed(
            "side", [](const Record& r) { return r.side ? std::string(1, r.side) : std::string(); },
            [](Record& r, const std::string& side) { r.side = side[0]; }, &a_or_b,
            "`a` or `b`: the side of the comparison")
            .if_any("live diff"),
        computed(
            "status",
            [](const Record& r) {
                return ShownStatus{r.status, is_doubtful(r.status, r.doubts)};
            },
            [](Record& r, const ShownStatus& shown) { r.status = shown.status; }, &kinds::text,
            "`ok`, `doubtful` (right, with `doubts`; older programs said `ok` or `checked`), "
            "`wrong`, `unsupported`, `refused` (the source has no translation), `failed` (it could "
            "not be built or run), `skipped` or, of `run --check`, `checked`"),
        member("reason", &Record::reason, kinds::said, "why, in full sentences")
            .if_any("unless ok"),
        member("log", &Record::log, kinds::text, "the compiler's own words")
            .if_any("a build failed"),
        member("launches", &Record::launches, "[each launch of the plan](#launch)"),
        member("program", &Record::program, "[the kernel's source](#program)"),
        member("where", &Record::where, "[the device](#where)"),
        member("run", &Record::run, "[the run](#run) that made the line"),
        member("check", &Record::check, "[the verification](#check)").if_any("it was built"),
        member("timing", &Record::timing, "[the measured times](#timing)").if_any("ok"),
        computed(
            "work", [](const Record& r) { return r.timing ? std::optional(r.work) : std::nullopt; },
            [](Record& r, const Work& work) { r.work = work; }, nullptr,
            "`bytes` and `operations` of one run of the plan, by the suite's own model")
            .if_any("ok"),
        computed(
            "rate",
            [](const Record& r) {
                return r.timing ? std::optional(Rate{r.bytes_per_second() / 1e9,
                                                     r.operations_per_second() / 1e9})
                                : std::nullopt;
            },
            nullptr, nullptr,
            "work over median: `gigabytes_per_second`, `gigaoperations_per_second`")
            .if_any("ok"),
        computed(
            "ceiling",
            [](const Record& r) {
                return r.timing && !r.share.of.empty()
                           ? std::optional(CeilingLine{r.ceiling, r.share})
                           : std::nullopt;
            },
            [](Record& r, const CeilingLine& line) {
                r.ceiling = line.ceiling;
                r.share = line.share;
            },
            nullptr,
            "[peak rates of the device](#ceiling), measured in the same run, or earlier as the "
            "ceiling's own line states")
            .if_any("ok, and measured"),
        computed(
            "state",
            [](const Record& r) {
                return r.timing ? std::optional(States{r.before, r.after}) : std::nullopt;
            },
            [](Record& r, const States& states) {
                r.before = states.before;
                r.after = states.after;
            },
            nullptr, "the device's state `before` and `after` the measurement")
            .if_any("ok"),
        member("notes", &Record::notes, kinds::texts,
               "remarks on the number, and conclusions from the answers")
            .if_any("there are any"),
        member("doubts", &Record::doubts,
               "[why a right answer needs a human look](#doubt); older programs kept them among "
               "`notes`, behind `Suspicious: `")
            .if_any("there are any"),
        member(
            "measured", &Record::measured, kinds::text,
            "when the run began that measured it, in UTC: all but the device's index and `run` is "
            "of that run")
            .if_any("a ceiling kept from an earlier run"),
        member("untuned", &Record::default_constants, kinds::whole_values,
               "the default constants of the case; `constants` has those that `parallax tune` kept")
            .if_any("run with `--tuned`, and some were kept"),
        member("compared_with", &Record::compared_with, kinds::text,
               "the variant of side `a`, where side `b` is another kernel")
            .if_any("a diff of two kernels, on side `b`"),
        member("compared_constants", &Record::compared_constants, kinds::whole_values,
               "the constants of that variant's case")
            .if_any("a diff of two kernels, on side `b`, with constants"),
    };
}

}  // namespace parallax

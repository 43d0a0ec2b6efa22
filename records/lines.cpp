// Lines as text and as JSON, by their member lists, and what the members of a line say of each
// other.
#include "records/lines.hpp"

#include <cmath>
#include <set>

#include "common/version.hpp"
#include "records/explanation_members.hpp"
#include "records/pair_members.hpp"
#include "records/time_spent_members.hpp"

namespace parallax {
namespace {

using kinds::Problems;
using kinds::shown;

/// A kind of line.
struct LineKind {
    std::string_view schema;
    int version;
    void (*read)(const Json&, ReadLine&);
};

template <class T>
Json with_schema(const T& line, std::string_view schema, int version) {
    Json json{{"schema", schema}, {"version", version}};
    json.update(members::write_part(line));
    return json;
}

// ---- what members say of each other ---------------------------------------------------------

void check(const Timing& timing, Problems& problems) {
    const std::size_t count = timing.samples.size();
    const auto compare = [&](const char* other, std::size_t size) {
        if (size == count) return;
        problems.push_back(
            fmt::format("timing.samples has {} values, and timing.{} has {}", count, other, size));
    };
    compare("round", timing.round.size());
    compare("host_samples", timing.host_samples.size());
    for (std::size_t i = 0; i < timing.round.size(); ++i) {
        if (timing.round[i] < timing.repeats.size()) continue;
        problems.push_back(
            fmt::format("timing.round[{}] is {}, but timing.repeats knows {} rounds, from 0 on", i,
                        timing.round[i], timing.repeats.size()));
        break;
    }
    const auto& [median, low, high, confidence, spread] = timing.estimate;
    if (!(low <= median && median <= high)) {
        problems.push_back(
            fmt::format("timing.median, {}, does not lie from timing.low, {}, to "
                        "timing.high, {}",
                        median, low, high));
    }
    const double own = median_of(timing.samples);
    if (!(std::fabs(median - own) <= 1e-9 * own)) {
        problems.push_back(fmt::format(
            "timing.median is not that of timing.samples, {} against {}: was the file edited?",
            median, own));
    }
}

void check(const Record& record, const Json& json, Problems& problems) {
    // A figure without a passed check is what the program exists to prevent.
    if (record.status == Status::ok && !(record.check && record.timing)) {
        problems.emplace_back("status is ok, but check or timing is missing");
    }
    if (record.status != Status::ok) {
        if (record.reason.empty()) problems.emplace_back("reason is missing");
        if (record.timing) problems.emplace_back("it has a timing although its status is not ok");
    }
    if (record.status == Status::ok && record.check && record.check->failure) {
        problems.emplace_back("status is ok, but check has a failure");
    }
    if (!record.timing) return;
    check(*record.timing, problems);
    for (const char* needed : {"rate", "work", "state"}) {
        if (!json.contains(needed)) {
            problems.push_back(fmt::format("{} is missing beside the timing", needed));
        }
    }
}

void check(const PairRound& round, const std::string& where, Problems& problems) {
    if (round.a.size() != round.b.size()) {
        problems.push_back(fmt::format("{}.a has {} values, and {}.b has {}", where, round.a.size(),
                                       where, round.b.size()));
        return;
    }
    const double own = log_ratio_of(round);
    if (!(std::fabs(round.log_ratio - own) <= 1e-9)) {
        problems.push_back(fmt::format(
            "{}.log_ratio is not that of its samples, {} against {}: was the file edited?", where,
            round.log_ratio, own));
    }
}

void check(const AnswerDistances& answer, Problems& problems) {
    if (answer.differing > answer.elements) {
        problems.push_back(fmt::format("answer.differing is {}, but there are {} elements",
                                       answer.differing, answer.elements));
    }
    if (answer.identical && answer.differing > 0) {
        problems.push_back(
            fmt::format("answer.identical is true, but {} elements differ", answer.differing));
    }
    if (answer.first && *answer.first >= answer.elements) {
        problems.push_back(fmt::format("answer.first is {}, but there are {} elements",
                                       *answer.first, answer.elements));
    }
}

void check(const Pair& pair, const Json&, Problems& problems) {
    const PairTiming& timing = pair.timing;
    const std::vector<unsigned>& looks = timing.looks;
    for (std::size_t i = 1; i < looks.size(); ++i) {
        if (looks[i - 1] < looks[i]) continue;
        problems.push_back(
            fmt::format("looks[{}] is {}, which is no more than the one before", i, looks[i]));
        break;
    }
    const std::size_t counted = timing.log_ratios().size();
    if (timing.look > looks.size()) {
        problems.push_back(
            fmt::format("look is {}, but there are {} looks", timing.look, looks.size()));
    } else if (timing.look > 0 && counted < looks[timing.look - 1]) {
        problems.push_back(fmt::format(
            "look is {}, which was taken after {} rounds, but {} rounds that count are there: was "
            "the file edited?",
            timing.look, looks[timing.look - 1], counted));
    }
    for (std::size_t i = 0; i < timing.rounds.size() && problems.empty(); ++i) {
        check(timing.rounds[i], fmt::format("rounds[{}]", i), problems);
    }
    if (pair.answer) check(*pair.answer, problems);
}

/// That three members rise.
void check_order(const std::string& where, const std::array<const char*, 3>& names,
                 const std::array<double, 3>& values, Problems& problems) {
    for (std::size_t i = 1; i < values.size() && problems.empty(); ++i) {
        if (values[i - 1] <= values[i]) continue;
        problems.push_back(fmt::format("{}.{} is {}, and {}.{} is {}: was the file edited?", where,
                                       names[i - 1], values[i - 1], where, names[i], values[i]));
    }
}

void check(const Ratio& ratio, const std::string& where, Problems& problems) {
    check_order(where, {"low", "value", "high"}, {ratio.low, ratio.value, ratio.high}, problems);
}

void check(const std::vector<KernelEvidence>& kernels, const std::string& where,
           Problems& problems) {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const auto& occupancy = kernels[i].occupancy;
        if (!occupancy || occupancy->warps <= occupancy->most_warps) continue;
        problems.push_back(fmt::format("{}.kernels[{}].occupancy.warps is {}, but there can be {}",
                                       where, i, occupancy->warps, occupancy->most_warps));
    }
}

void check(const OriginStep& step, const std::string& where, Problems& problems) {
    if (step.ratio) check(*step.ratio, where + ".ratio", problems);
    if (!step.ratio && step.share) {
        problems.push_back(
            fmt::format("{}.share is {}, but {}.ratio is null", where, *step.share, where));
    }
}

void check(const Trial& trial, const std::string& where, Problems& problems) {
    if (trial.ratio) check(*trial.ratio, where + ".ratio", problems);
    check_order(where, {"closes_low", "closes", "closes_high"},
                {trial.closes_low, trial.closes, trial.closes_high}, problems);
    const bool measured = trial.status == TrialStatus::measured;
    if (measured && !trial.ratio) {
        problems.push_back(fmt::format("{0}.ratio is null, but {0}.status is measured", where));
    }
    if (!measured && trial.reason.empty()) {
        problems.push_back(fmt::format("{0}.reason is empty, but {0}.status is '{1}'", where,
                                       name_of(trial.status)));
    }
    if (!measured && trial.closed) {
        problems.push_back(fmt::format("{0}.closed is true, but {0}.status is '{1}'", where,
                                       name_of(trial.status)));
    }
}

void check(const Conclusion& conclusion, const std::vector<Trial>& trials, Problems& problems) {
    std::set<std::size_t> seen;
    for (const std::size_t index : conclusion.by) {
        if (index >= trials.size()) {
            problems.push_back(fmt::format("conclusion.by names trial {}, but there are {}", index,
                                           trials.size()));
        } else if (!seen.insert(index).second) {
            problems.push_back(fmt::format("conclusion.by names trial {} twice", index));
        } else if (trials[index].status != TrialStatus::measured) {
            problems.push_back(
                fmt::format("conclusion.by names trial {}, which was not measured", index));
        }
    }
    if (conclusion.explained && seen.empty()) {
        problems.emplace_back("conclusion.explained is true, but conclusion.by is empty");
    }
}

void check(const Explanation& e, const Json&, Problems& problems) {
    check(e.gap, "gap", problems);
    check(e.evidence.a, "a", problems);
    check(e.evidence.b, "b", problems);
    for (std::size_t i = 0; i < e.origin.size(); ++i) {
        check(e.origin[i], fmt::format("origin[{}]", i), problems);
    }
    for (std::size_t i = 0; i < e.trials.size(); ++i) {
        check(e.trials[i], fmt::format("trials[{}]", i), problems);
    }
    check(e.conclusion, e.trials, problems);
}

void check(const TimeSpent& spent, const Json&, Problems& problems) {
    double own = 0;
    for (const PhaseTime& one : spent.phases) own += one.beside ? 0 : one.seconds;
    // Half a percent for what is rounded on the way.
    if (own <= 1.005 * spent.wall_seconds) return;
    problems.push_back(fmt::format(
        "phases take {} s, and wall_seconds is {}: was the file edited?", own, spent.wall_seconds));
}

template <class T>
void read_as(const Json& json, ReadLine& made) {
    T line;
    members::read_part(json, "", line, made.problems);
    if (made.problems.empty()) check(line, json, made.problems);
    made.line = std::move(line);
}

constexpr LineKind line_kinds[]{
    {record_schema, record_version, read_as<Record>},
    {pair_schema, pair_version, read_as<Pair>},
    {explanation_schema, explanation_version, read_as<Explanation>},
    {time_spent_schema, time_spent_version, read_as<TimeSpent>},
};

template <class T>
std::string table_of(std::string_view part) {
    return fmt::format("<!-- members: {} -->\n| member | when | what it is |\n|---|---|---|\n{}\n",
                       part, members::rows_of<T>());
}

}  // namespace

Json number(double value) {
    if (std::isfinite(value)) return value;
    return fmt::format("{:#018x}", std::bit_cast<std::uint64_t>(value));
}

Json to_json(const Record& record) {
    return with_schema(record, record_schema, record_version);
}
Json to_json(const Pair& pair) {
    return with_schema(pair, pair_schema, pair_version);
}
Json to_json(const Explanation& explanation) {
    return with_schema(explanation, explanation_schema, explanation_version);
}
Json to_json(const TimeSpent& spent) {
    return with_schema(spent, time_spent_schema, time_spent_version);
}
Json to_json(const Ratio& ratio) {
    return members::write_part(ratio);
}
Json to_json(const AnswerDistances& distances) {
    return members::write_part(distances);
}
Json to_json(const std::vector<LaunchRecord>& launches) {
    return members::write(launches);
}
Json to_json(const Line& line) {
    return std::visit([](const auto& one) { return to_json(one); }, line);
}

std::string text_of(const Line& line) {
    return to_json(line).dump(-1, ' ', false, Json::error_handler_t::replace);
}

ReadLine read_line(const Json& json) {
    ReadLine made;
    const auto refuse = [&](std::string problem) {
        made.problems.push_back(std::move(problem));
        return made;
    };
    if (!json.is_object())
        return refuse(fmt::format("it is {}, and not a JSON object", shown(json)));
    // What another program or a newer one wrote is said first: its members follow other rules.
    const auto name = json.find("schema");
    if (name == json.end()) return refuse("schema is missing");
    const auto* kind =
        std::ranges::find_if(line_kinds, [&](const LineKind& one) { return *name == one.schema; });
    if (kind == std::end(line_kinds)) {
        return refuse(fmt::format("its schema is {}, not {}, {}, {} or {}", shown(*name),
                                  record_schema, pair_schema, explanation_schema,
                                  time_spent_schema));
    }
    const auto version = json.find("version");
    if (version == json.end()) return refuse("version is missing");
    if (!kinds::is_whole(*version) || *version != kind->version) {
        return refuse(fmt::format("its version is {}, and this program reads version {}",
                                  shown(*version), kind->version));
    }
    kind->read(json, made);
    return made;
}

std::vector<std::string> problems_of(const Json& json) {
    return read_line(json).problems;
}

std::string members_page() {
    return table_of<Record>("record") + table_of<LaunchRecord>("launch") +
           table_of<LaunchResources>("resources") + table_of<ProgramRecord>("program") +
           table_of<FloatRules>("floats") + table_of<DeviceRecord>("where") +
           table_of<RunInfo>("run") + table_of<Check>("check") + table_of<Failure>("failure") +
           table_of<Timing>("timing") + table_of<CeilingLine>("ceiling") +
           table_of<DeviceState>("state") + table_of<Pair>("pair") + table_of<PairRound>("round") +
           table_of<AnswerDistances>("answer") + table_of<Explanation>("explanation") +
           table_of<Ratio>("ratio") + table_of<ExplainedSide>("side") +
           table_of<KernelEvidence>("kernel") + table_of<Occupancy>("occupancy") +
           table_of<Stage>("stage") + table_of<OriginStep>("origin") + table_of<Trial>("trial") +
           table_of<Conclusion>("conclusion") + table_of<TimeSpent>("time_spent") +
           table_of<PhaseTime>("phase");
}

}  // namespace parallax

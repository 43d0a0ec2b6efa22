// Converts lines between text and JSON by their member lists, and checks their consistency.
#include "records/result_lines.hpp"

#include <cmath>

#include "common/text/text.hpp"
#include "common/version.hpp"
#include "records/explanation_members.hpp"
#include "records/pair_members.hpp"
#include "records/time_spent_members.hpp"
#include "records/tuned_members.hpp"

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

// ---- consistency of members ------------------------------------------------------------------

/// Notes a problem if the condition holds.
template <class... Values>
void note_if(bool is_wrong, Problems& problems, fmt::format_string<const Values&...> what,
             const Values&... values) {
    if (is_wrong) problems.push_back(fmt::format(what, values...));
}

/// The first index of a list where the condition holds; nothing: there is none.
template <class Holds>
std::optional<std::size_t> first_place(std::size_t first, std::size_t size, const Holds& holds) {
    while (first < size && !holds(first)) ++first;
    return first < size ? std::optional(first) : std::nullopt;
}

void check(const Timing& timing, Problems& problems) {
    const std::size_t count = timing.samples.size(), rounds = timing.repeats.size();
    for (const auto& [other, size] : {std::pair("round", timing.round.size()),
                                      std::pair("host_samples", timing.host_samples.size())}) {
        note_if(size != count, problems, "timing.samples has {} values, and timing.{} has {}",
                count, other, size);
    }
    if (const auto i = first_place(0, timing.round.size(),
                                   [&](std::size_t at) { return timing.round[at] >= rounds; })) {
        note_if(true, problems,
                "timing.round[{}] is {}, but timing.repeats knows {} rounds, from 0 on", *i,
                timing.round[*i], rounds);
    }
    const Estimate& given = timing.estimate;
    const Estimate own = estimate_median(timing.samples);
    for (const auto& [name, part] :
         {std::pair("median", &Estimate::median), std::pair("low", &Estimate::low),
          std::pair("high", &Estimate::high), std::pair("confidence", &Estimate::confidence)}) {
        note_if(!(std::fabs(given.*part - own.*part) <= 1e-9 * own.*part), problems,
                "timing.{} is not that of timing.samples, {} against {}: was the file edited?",
                name, given.*part, own.*part);
    }
    // The median absolute deviation may consist of rounding errors.
    note_if(!(std::fabs(given.spread - own.spread) <= 1e-9), problems,
            "timing.spread is not that of timing.samples, {} against {}: was the file edited?",
            given.spread, own.spread);
}

/// Checks a value that other members determine.
void check_given(std::string_view name, double value, double own, Problems& problems) {
    note_if(!(std::fabs(value - own) <= 1e-6 * own), problems,
            "{} is {}, and what it is made of gives {}: was the file edited?", name, value, own);
}

/// Rate and share follow from the work, the median and the ceilings.
void check_rates(const Record& record, const Json& rate, Problems& problems) {
    for (const auto& [name, own] :
         {std::pair("gigabytes_per_second", record.bytes_per_second() / 1e9),
          std::pair("gigaoperations_per_second", record.operations_per_second() / 1e9)}) {
        check_given(fmt::format("rate.{}", name), rate.at(name).get<double>(), own, problems);
    }
    const auto& [share, of] = record.share;
    if (of == "copy" && record.ceiling.bytes_per_second > 0) {
        check_given("ceiling.share", share,
                    record.bytes_per_second() / record.ceiling.bytes_per_second, problems);
    } else if (of == "fma" && record.ceiling.operations_per_second > 0) {
        check_given("ceiling.share", share,
                    record.operations_per_second() / record.ceiling.operations_per_second,
                    problems);
    }
}

void check(const Record& record, const Json& json, Problems& problems) {
    const bool is_ok = record.status == Status::ok;
    // A result without a passed check is what the program exists to prevent.
    note_if(is_ok && !(record.check && record.timing), problems,
            "status is ok, but check or timing is missing");
    note_if(!is_ok && record.reason.empty(), problems, "reason is missing");
    note_if(json.contains("status") && json["status"] == "doubtful" && record.doubts.empty(),
            problems, "status is doubtful, but doubts is missing");
    note_if(!is_ok && record.timing.has_value(), problems,
            "it has a timing although its status is not ok");
    note_if(is_ok && record.check && record.check->failure, problems,
            "status is ok, but check has a failure");
    if (is_ok && record.check) {
        note_if(record.check->trials == 0, problems, "status is ok, but check.trials is 0");
        note_if(!(record.check->worst_share_of_bound <= 1), problems,
                "status is ok, but check.worst_share_of_bound is {}, and 1 is what is allowed",
                record.check->worst_share_of_bound);
    }
    if (!record.timing) return;
    check(*record.timing, problems);
    for (const char* needed : {"rate", "work", "state"}) {
        note_if(!json.contains(needed), problems, "{} is missing although there is a timing",
                needed);
    }
    if (json.contains("rate")) check_rates(record, json["rate"], problems);
}

void check(const PairRound& round, const std::string& where, Problems& problems) {
    if (round.a.size() != round.b.size()) {
        note_if(true, problems, "{}.a has {} values, and {}.b has {}", where, round.a.size(), where,
                round.b.size());
        return;
    }
    const double own = log_ratio_of(round);
    note_if(!(std::fabs(round.log_ratio - own) <= 1e-9), problems,
            "{}.log_ratio is not that of its samples, {} against {}: was the file edited?", where,
            round.log_ratio, own);
}

void check(const AnswerDistances& answer, Problems& problems) {
    note_if(answer.differing > answer.elements, problems,
            "answer.differing is {}, but there are {} elements", answer.differing, answer.elements);
    note_if(answer.identical && answer.differing > 0, problems,
            "answer.identical is true, but {} elements differ", answer.differing);
    note_if(answer.first && *answer.first >= answer.elements, problems,
            "answer.first is {}, but there are {} elements", answer.first.value_or(0),
            answer.elements);
}

void check(const Pair& pair, const Json&, Problems& problems) {
    const PairTiming& timing = pair.timing;
    // Reports state 95 %.
    note_if(timing.error > most_pair_error, problems,
            "error is {}, and an interval that decides misses at most {}", timing.error,
            most_pair_error);
    note_if(!(timing.error >= least_pair_error), problems,
            "error is {}, and no clock is that sure: it is {} at least", timing.error,
            least_pair_error);
    const std::vector<unsigned>& interim_analyses = timing.interim_analyses;
    if (const auto i = first_place(1, interim_analyses.size(), [&](std::size_t at) {
            return interim_analyses[at - 1] >= interim_analyses[at];
        })) {
        note_if(true, problems, "looks[{}] is {}, which is no more than the one before", *i,
                interim_analyses[*i]);
    }
    const std::size_t counted = timing.log_ratios().size();
    const bool is_there = timing.look <= interim_analyses.size();
    note_if(!is_there, problems, "look is {}, but there are {} looks", timing.look,
            interim_analyses.size());
    const unsigned rounds = is_there && timing.look > 0 ? interim_analyses[timing.look - 1] : 0;
    note_if(counted < rounds, problems,
            "look is {}, which was taken after {} rounds, but {} rounds that count are there: was "
            "the file edited?",
            timing.look, rounds, counted);
    for (std::size_t i = 0; i < timing.rounds.size() && problems.empty(); ++i) {
        check(timing.rounds[i], fmt::format("rounds[{}]", i), problems);
    }
    note_if(pair.planted > 0 && !pair.self, problems,
            "planted is {}, but the pair is none of a side against itself", pair.planted);
    if (pair.answer) check(*pair.answer, problems);
}

/// Reports look up the trials that a conclusion names.
void check(const Explanation& e, const Json&, Problems& problems) {
    for (const auto& [list, named] :
         {std::pair("by", &e.conclusion.by), std::pair("gains", &e.conclusion.gains)}) {
        for (const std::size_t index : *named) {
            note_if(index >= e.trials.size() || !e.trials[index].ratio, problems,
                    "conclusion.{} names trial {}, which is not there or was not measured", list,
                    index);
        }
    }
    note_if(e.conclusion.explained && e.conclusion.by.empty(), problems,
            "conclusion.explained is true, but conclusion.by is empty");
}

template <class T>
void read_as(const Json& json, ReadLine& made) {
    T line;
    Problems problems;
    members::read_part(json, "", line, problems);
    if constexpr (std::is_same_v<T, Record>) {
        const Doubts old = doubts_among(line.notes);
        line.doubts.insert(line.doubts.end(), old.begin(), old.end());
        set_status(line);
        add_ceiling_doubt(line);
    }
    if constexpr (!std::is_same_v<T, TimeSpent>) {
        if (problems.empty()) check(line, json, problems);
    }
    made.problems = std::move(problems);
    made.line = std::move(line);
}

constexpr LineKind line_kinds[]{
    {record_schema, record_version, read_as<Record>},
    {pair_schema, pair_version, read_as<Pair>},
    {explanation_schema, explanation_version, read_as<Explanation>},
    {time_spent_schema, time_spent_version, read_as<TimeSpent>},
};

template <class T>
struct NamedPart {
    using Type = T;
    std::string_view name;
};

/// Every part of a line, in the order of the page.
constexpr std::tuple named_parts{
    NamedPart<Record>{"record"},
    NamedPart<Doubt>{"doubt"},
    NamedPart<LaunchRecord>{"launch"},
    NamedPart<LaunchResources>{"resources"},
    NamedPart<ProgramRecord>{"program"},
    NamedPart<FloatRules>{"floats"},
    NamedPart<DeviceRecord>{"where"},
    NamedPart<RunInfo>{"run"},
    NamedPart<Check>{"check"},
    NamedPart<Failure>{"failure"},
    NamedPart<Timing>{"timing"},
    NamedPart<Work>{"work"},
    NamedPart<Rate>{"rate"},
    NamedPart<CeilingLine>{"ceiling"},
    NamedPart<States>{"states"},
    NamedPart<DeviceState>{"state"},
    NamedPart<Pair>{"pair"},
    NamedPart<PairRound>{"round"},
    NamedPart<AnswerDistances>{"answer"},
    NamedPart<Explanation>{"explanation"},
    NamedPart<Ratio>{"ratio"},
    NamedPart<ExplainedSide>{"side"},
    NamedPart<KernelEvidence>{"kernel"},
    NamedPart<Resources>{"kernel_resources"},
    NamedPart<Occupancy>{"occupancy"},
    NamedPart<Stage>{"stage"},
    NamedPart<OriginStep>{"origin"},
    NamedPart<Trial>{"trial"},
    NamedPart<Conclusion>{"conclusion"},
    NamedPart<TimeSpent>{"time_spent"},
    NamedPart<PhaseTime>{"phase"},
    NamedPart<Tuned>{"tuned"},
};

/// The name of a part.
template <class T>
struct PartName {
    static constexpr std::string_view value = std::apply(
        [](const auto&... each) {
            std::string_view found;
            ((std::is_same_v<typename std::remove_cvref_t<decltype(each)>::Type, T>
                  ? void(found = each.name)
                  : void()),
             ...);
            return found;
        },
        named_parts);
    static_assert(!value.empty(), "a part that named_parts lacks");
};

template <class T>
std::string table_of(const NamedPart<T>& part) {
    return fmt::format("<!-- members: {} -->\n| member | when | what it is |\n|---|---|---|\n{}\n",
                       part.name, members::rows_of<T>());
}

template <class T>
Json description_of(const NamedPart<T>& part) {
    Json list = Json::array();
    members::add_members<T, PartName>(list);
    Json json{{"name", part.name}, {"members", std::move(list)}};
    const std::string schema = fmt::format("parallax.{}", part.name);
    for (const LineKind& line : line_kinds) {
        if (line.schema == schema) json["line"] = {{"schema", schema}, {"version", line.version}};
    }
    if (schema == tuned_schema) json["line"] = {{"schema", schema}, {"version", tuned_version}};
    return json;
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
Json to_json(const Doubts& doubts) {
    return members::write(doubts);
}
Json to_json(const ResultEntry& line) {
    return std::visit([](const auto& one) { return to_json(one); }, line);
}

std::string text_of(const ResultEntry& line) {
    // Files are viewed with any tool.
    return harmless(to_json(line).dump(-1, ' ', false, Json::error_handler_t::replace));
}

ReadLine read_line(const Json& json) {
    ReadLine made;
    const auto refuse = [&](std::string problem) {
        made.problems.push_back(std::move(problem));
        return made;
    };
    if (!json.is_object())
        return refuse(fmt::format("it is {}, and not a JSON object", shown(json)));
    // A foreign or newer format is reported first: its members follow other rules.
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
    return std::apply([](const auto&... part) { return (table_of(part) + ...); }, named_parts);
}

std::string members_json() {
    Json parts = Json::array();
    std::apply([&](const auto&... part) { (parts.push_back(description_of(part)), ...); },
               named_parts);
    return parts.dump(1) + "\n";
}

}  // namespace parallax

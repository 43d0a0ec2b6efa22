// What a pair must be, two cases timed in turns: docs/record.md, as code.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/statistics.hpp"
#include "records/schema.hpp"

namespace parallax::schema {
namespace {

constexpr Kind error_share{"a number between 0 and 1", [](const Json& j) {
                               return is_share(j) && j.get<double>() > 0 && j.get<double>() < 1;
                           }};
constexpr Kind order{"ABBA or BAAB", [](const Json& j) {
                         return is_one_of<2>(j, {"ABBA", "BAAB"});
                     }};
constexpr Kind reason_to_stop{"decided, looks, time or disturbed", [](const Json& j) {
                                  return is_one_of<4>(j, {"decided", "looks", "time", "disturbed"});
                              }};
constexpr Kind two_times{"a list of two times",
                         [](const Json& j) { return j.is_array() && j.size() == 2; },
                         &not_negative};
constexpr Kind two_counts{"a list of two counts",
                          [](const Json& j) { return j.is_array() && j.size() == 2; }, &count};
/// Two of each side make a quad.
constexpr Kind quads{"a list of times, two for each quad",
                     [](const Json& j) { return is_some(j) && j.size() % 2 == 0; }, &positive};

constexpr Member pair_members[]{
    {"a", name},
    {"b", name},
    {"self", truth},
    {"planted", real, false},
    {"error", error_share},
    {"looks", counts},
    {"look", whole},
    {"rounds", objects},
    {"stopped_by", reason_to_stop},
    {"launch_seconds", two_times},
    {"measuring_seconds", not_negative},
    {"answer", object, false},
};
constexpr Member round_members[]{
    {"repeats", two_counts}, {"order", order},           {"a", quads}, {"b", quads},
    {"log_ratio", finite},   {"disturbed", said, false},
};
constexpr Member answer_members[]{
    {"identical", truth},     {"elements", whole},      {"differing", whole},
    {"largest_ulp", real},    {"median_ulp", real},     {"first", whole, false},
    {"first_a", text, false}, {"first_b", text, false},
};

/// Median over the round's quads of half of ln b1 + ln b2 - ln a1 - ln a2.
double log_ratio_of(const Json& a, const Json& b) {
    std::vector<double> of_quads;
    const auto log_of = [](const Json& side, std::size_t i) {
        return std::log(side[i].get<double>());
    };
    for (std::size_t i = 0; i < a.size(); i += 2) {
        of_quads.push_back((log_of(b, i) + log_of(b, i + 1) - log_of(a, i) - log_of(a, i + 1)) / 2);
    }
    return median_of(std::move(of_quads));
}

void look_at_round(const Json& round, const std::string& where, Problems& problems) {
    look(round, where + ".", round_members, problems);
    if (!problems.empty()) return;
    const Json &a = round["a"], &b = round["b"];
    if (a.size() != b.size()) {
        problems.push_back(
            fmt::format("{}.a has {} values, and {}.b has {}", where, a.size(), where, b.size()));
        return;
    }
    const double said_ratio = round["log_ratio"].get<double>(), own = log_ratio_of(a, b);
    if (!(std::fabs(said_ratio - own) <= 1e-9)) {
        problems.push_back(fmt::format(
            "{}.log_ratio is not that of its samples, {} against {}: was the file edited?", where,
            said_ratio, own));
    }
}

void look_at_looks(const Json& pair, Problems& problems) {
    const Json& looks = pair["looks"];
    for (std::size_t i = 1; i < looks.size(); ++i) {
        if (looks[i - 1].get<std::uint64_t>() < looks[i].get<std::uint64_t>()) continue;
        problems.push_back(fmt::format("looks[{}] is {}, which is no more than the one before", i,
                                       shown(looks[i])));
        return;
    }
    const auto look = pair["look"].get<std::uint64_t>();
    if (look > looks.size()) {
        problems.push_back(
            fmt::format("look is {}, but there are {} looks", shown(pair["look"]), looks.size()));
        return;
    }
    const auto& rounds = pair["rounds"];
    const auto counted = static_cast<std::uint64_t>(std::ranges::count_if(
        rounds, [](const Json& round) { return !round.contains("disturbed"); }));
    if (look > 0 && counted < looks[look - 1].get<std::uint64_t>()) {
        problems.push_back(fmt::format(
            "look is {}, which was taken after {} rounds, but {} rounds that count are there: was "
            "the file edited?",
            look, shown(looks[look - 1]), counted));
    }
}

void look_at_answer(const Json& answer, Problems& problems) {
    look(answer, "answer.", answer_members, problems);
    if (!problems.empty()) return;
    const auto elements = answer["elements"].get<std::uint64_t>();
    const auto differing = answer["differing"].get<std::uint64_t>();
    if (differing > elements) {
        problems.push_back(
            fmt::format("answer.differing is {}, but there are {} elements", differing, elements));
    }
    if (answer["identical"].get<bool>() && differing > 0) {
        problems.push_back(
            fmt::format("answer.identical is true, but {} elements differ", differing));
    }
    const auto first = answer.find("first");
    if (first != answer.end() && first->get<std::uint64_t>() >= elements) {
        problems.push_back(
            fmt::format("answer.first is {}, but there are {} elements", shown(*first), elements));
    }
}

}  // namespace

Problems of_pair(const Json& pair) {
    Problems problems;
    look(pair, "", of_case, problems);
    look(pair, "", pair_members, problems);
    if (!problems.empty()) return problems;
    look_at_all(pair["constants"], "constants.", int64, problems);
    look(pair["run"], "run.", of_run, problems);
    look_at_looks(pair, problems);
    const Json& rounds = pair["rounds"];
    for (std::size_t i = 0; i < rounds.size() && problems.empty(); ++i) {
        look_at_round(rounds[i], fmt::format("rounds[{}]", i), problems);
    }
    if (pair.contains("answer")) look_at_answer(pair["answer"], problems);
    return problems;
}

}  // namespace parallax::schema

// Puts what the pages draw into JSON.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/suite/answer.hpp"
#include "common/text/text.hpp"
#include "common/version.hpp"
#include "report/diff/cases.hpp"
#include "report/diff/findings.hpp"
#include "report/page/page.hpp"
#include "report/sweep/sweep_report.hpp"
#include "report/wording.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_page_lines = 300;

/// The verdicts that cases have, in the order of the legend, each with the number of its cases.
Json verdicts_json(const Diff& diff) {
    using enum Verdict;
    const Both<std::string> sides = side_names(diff);
    Json list = Json::array();
    for (const Verdict verdict : {same, faster, slower, undecided, equal, within_tolerance, wrong,
                                  failed, refused, not_comparable}) {
        const auto count = std::ranges::count(diff.cases, verdict, &CaseDiff::verdict);
        if (count == 0) continue;
        list.push_back(
            {{"word", word_of(verdict, sides)}, {"tone", tone_name(verdict)}, {"count", count}});
    }
    return list;
}

std::string subtitle(const Diff& diff) {
    if (diff.cases.empty()) return "There are no cases: neither side has anything to compare.";
    const Both<std::string> sides = side_names(diff);
    return fmt::format(
        "{0}, {1}. A ratio is {3}'s time divided by {2}'s: above 1, {3} is slower. SAME means "
        "within {4}.{5}",
        counted(diff.cases.size(), "case"),
        !diff.live                  ? "from stored records"
        : diff.summary.measured > 0 ? "measured alternately"
                                    : "nothing was timed",
        sides.a, sides.b, percent(diff.margin),
        column_names(diff).a == sides.a
            ? ""
            : fmt::format(" In tables {} is A, {} is B.", sides.a, sides.b));
}

std::string ratios_note(const Diff& diff) {
    const Both<std::string> sides = side_names(diff);
    return fmt::format(
        "{}'s time divided by {}'s with its interval, largest gap first, for the cases of the "
        "table: its filter chooses which. The band is the margin of {}; left of it {} is slower, "
        "right of it {}.",
        sides.b, sides.a, percent(diff.margin), sides.a, sides.b);
}

}  // namespace

/// Skipped cases, and warnings.
Sentences said_first(const Diff& diff) {
    Sentences lines = warnings(diff);
    const LeftOut rest = left_out(diff);
    if (!rest.sentence.empty()) lines.insert(lines.begin(), rest.sentence + " " + rest.command);
    return lines;
}

Json page_data(const Diff& diff) {
    // In the order of the terminal's table.
    const std::vector<const CaseDiff*> cases = by_weight(diff);
    const Names short_names(diff);
    Json suites = Json::array(), labels = Json::array();
    for (const CaseDiff* c : cases) {
        suites.push_back(printable(c->key.suite));
        labels.push_back(short_names.of(*c));
    }
    Grid grid = cases_grid(diff, cases);
    grid.drop_empty_columns();
    const Grid counts = counts_grid(diff);
    Json gaps = Json::array();
    for (const Gap& gap : largest_gaps(diff)) {
        gaps.push_back({{"case", gap.place},
                        {"name", gap.name},
                        {"words", gap.words},
                        {"tone", tone_name(gap.verdict)},
                        {"cause", gap.cause}});
    }
    Sentences never;
    for (const std::string& text : diff.never_equal) never.push_back(printable(text));
    const Both<std::string> names = side_names(diff);
    return {{"names", {{"a", names.a}, {"b", names.b}}},
            {"title", pair_of(diff)},
            {"subtitle", subtitle(diff)},
            {"gaps", gaps},
            {"sentence", verdicts_of(diff)},
            {"answers", answers_of(diff)},
            {"warnings", said_first(diff)},
            {"verdicts", verdicts_json(diff)},
            {"sections", json_of(sections_of(diff))},
            {"counts", json_of(counts)},
            {"cases", json_of(grid)},
            {"suites", suites},
            {"labels", labels},
            {"environment", json_of(environment_grid(diff))},
            {"never", never},
            {"ratios_note", ratios_note(diff)},
            {"roofline", roofline_json(diff)},
            {"rates", rates_json(diff)},
            {"curves", curves_json(diff)},
            {"csv", csv_report(diff)},
            {"foot", fmt::format("Written by Parallax {}. The page loads nothing; its data can be "
                                 "saved as JSON and CSV above.",
                                 program_version)}};
}

Json details_data(const Diff& diff, const std::vector<KernelTexts>& files) {
    Json list = Json::array();
    const Both<std::string> sides = side_names(diff);
    for (const CaseDiff* one : by_weight(diff)) {
        const CaseDiff& c = *one;
        Json json{{"subtitle", subtitle_of(c)},
                  {"verdict", verdict_text(c, sides)},
                  {"reason", printable(c.reason)},
                  {"parts", json_of(parts_of(c, diff))}};
        const auto texts = std::ranges::find(files, c.file, &KernelTexts::file);
        if (texts != files.end()) json["texts"] = texts - files.begin();
        if (const auto& explanation = c.explanation) {
            json["why"] = {{"answer", printable(explanation->answer)},
                           {"sections", json_of(sections_of(*explanation, most_page_lines))}};
        }
        list.push_back(std::move(json));
    }
    return list;
}

Json sweep_data(const SweepResult& result) {
    const bool any = result.points.suite != nullptr;
    Sentences said;
    for (const auto& lines : {result.claims(), result.differences()}) {
        for (const std::string& line : lines) said.push_back(printable(line));
    }
    Sentences remarks;
    for (const std::string& line : result.remarks()) remarks.push_back(printable(line));
    return {{"title", any ? printable(result.title()) : ""},
            {"said", said},
            {"remarks", remarks},
            {"curve", any ? curve_json(result) : Json::object()},
            {"points", any ? json_of(sweep_grid(result)) : Json::object()}};
}

namespace {

constexpr std::size_t least_values = 3;
constexpr double giga = 1e9, tera = 1e12, many_giga = 1e13;

/// The unit of an axis, and its size.
struct ChartUnit {
    std::string name;  ///< `GB/s`
    double size = 1;
};

ChartUnit unit_for(std::string_view what, double largest) {
    if (what == "B" || largest < many_giga) return {fmt::format("G{}/s", what), giga};
    return {fmt::format("T{}/s", what), tera};
}

std::string_view unit_of(const CaseDiff& c, bool operations) {
    return rate_unit(operations, element_type_named(c.key.type).value_or(ElementType::i32));
}

/// `2^20`, `65536`: large values in few letters.
std::string short_value(std::int64_t value) {
    const bool is_power = value >= 4096 && (value & (value - 1)) == 0;
    if (!is_power) return std::to_string(value);
    return fmt::format("2^{}", static_cast<int>(std::lround(std::log2(value))));
}

/// A case's swept parameter, and its fixed ones.
struct Swept {
    std::string name;
    std::int64_t value = 0;
    std::string shape;               ///< with `*` for swept extents; empty where all of it is swept
    std::vector<std::string> fixed;  ///< constants that hold still, `TILE=32`
};

std::vector<Swept> swept_of(const CaseDiff& c) {
    const std::string shape = fmt::format("{}", fmt::join(c.key.shape, " x "));
    const auto fixed = [&](const std::string* without) {
        std::vector<std::string> words;
        for (const auto& [name, value] : c.key.constants) {
            if (&name != without) words.push_back(fmt::format("{}={}", printable(name), value));
        }
        return words;
    };
    std::vector<Swept> swept;
    for (const auto& [name, value] : c.key.constants) {
        swept.push_back({printable(name), value, shape, fixed(&name)});
    }
    for (std::size_t i = 0; i < c.key.shape.size(); ++i) {
        std::vector<std::string> words;
        for (std::size_t k = 0; k < c.key.shape.size(); ++k) {
            words.push_back(k == i ? "*" : std::to_string(c.key.shape[k]));
        }
        const bool only = c.key.shape.size() == 1;
        swept.push_back({only ? "size" : fmt::format("extent {}", i + 1),
                         static_cast<std::int64_t>(c.key.shape[i]),
                         only ? "" : fmt::format("{}", fmt::join(words, " x ")), fixed(nullptr)});
    }
    const bool is_square =
        c.key.shape.size() > 1 &&
        std::ranges::all_of(c.key.shape, [&](auto size) { return size == c.key.shape.front(); });
    if (is_square) {
        swept.push_back(
            {"size", static_cast<std::int64_t>(c.key.shape.front()), "", fixed(nullptr)});
    }
    return swept;
}

struct Group {
    std::string suite, variant, type;
    Swept what;
    bool operations = false;
    std::map<std::int64_t, const CaseDiff*> cases;
};

double rate_of(const Side& side, bool operations) {
    return operations ? side.operations_per_second() : side.bytes_per_second();
}

std::vector<Group> groups_of(const Diff& diff) {
    std::vector<Group> groups;
    std::map<std::vector<std::string>, std::size_t> places;
    for (const CaseDiff& c : diff.cases) {
        const bool operations = counts_operations(c);
        if (!(rate_of(c.a, operations) > 0) && !(rate_of(c.b, operations) > 0)) continue;
        for (Swept& swept : swept_of(c)) {
            std::vector<std::string> key{c.key.suite, c.key.variant,
                                         c.key.type,  swept.name,
                                         swept.shape, operations ? "operations" : ""};
            key.insert(key.end(), swept.fixed.begin(), swept.fixed.end());
            const auto [place, is_new] = places.try_emplace(std::move(key), groups.size());
            const std::int64_t value = swept.value;
            if (is_new) {
                groups.push_back(
                    {c.key.suite, c.key.variant, c.key.type, std::move(swept), operations, {}});
            }
            groups[place->second].cases.try_emplace(value, &c);
        }
    }
    std::erase_if(groups, [](const Group& group) { return group.cases.size() < least_values; });
    return groups;
}

/// Constants that have one value in all cases that have them: `TILE=32`.
std::set<std::string> shared_constants(const Diff& diff) {
    std::map<std::string, std::set<std::int64_t>> values;
    for (const CaseDiff& c : diff.cases) {
        for (const auto& [name, value] : c.key.constants) values[name].insert(value);
    }
    std::set<std::string> shared;
    for (const auto& [name, all] : values) {
        if (all.size() == 1) shared.insert(fmt::format("{}={}", printable(name), *all.begin()));
    }
    return shared;
}

/// A line has a gap at a point without a result.
Json gap_json(double x) {
    return {{"x", x}, {"y", nullptr}, {"says", ""}};
}

Json point_json(double x, double y, std::string says) {
    return {{"x", x}, {"y", y}, {"says", std::move(says)}};
}

Json curve_of_group(const Group& group, const std::set<std::string>& shared,
                    const Both<std::string>& sides) {
    std::vector<std::string> note{printable(group.type), group.what.shape};
    for (const std::string& word : group.what.fixed) {
        if (!shared.contains(word)) note.push_back(word);
    }
    std::erase(note, "");
    double largest = 0;
    for (const auto& [value, c] : group.cases) {
        for (const Side* side : {&c->a, &c->b}) {
            largest = std::max(largest, rate_of(*side, group.operations));
        }
    }
    const ChartUnit unit =
        unit_for(unit_of(*group.cases.begin()->second, group.operations), largest);
    Json values = Json::array(), labels = Json::array(), lines = Json::array();
    for (const auto& [value, c] : group.cases) {
        values.push_back(value);
        labels.push_back(short_value(value));
    }
    for (const auto& [name, side] :
         {std::pair(sides.a, &CaseDiff::a), std::pair(sides.b, &CaseDiff::b)}) {
        Json points = Json::array();
        for (const auto& [value, c] : group.cases) {
            const double rate = rate_of(c->*side, group.operations);
            const auto x = static_cast<double>(value);
            points.push_back(rate > 0
                                 ? point_json(x, rate / unit.size,
                                              fmt::format("{}: {}", name,
                                                          speed_text(rate, group.operations, *c)))
                                 : gap_json(x));
        }
        lines.push_back({{"label", name}, {"points", std::move(points)}});
    }
    return {{"title", fmt::format("{}/{} over {}", printable(group.suite), printable(group.variant),
                                  group.what.name)},
            {"note", fmt::format("{}", fmt::join(note, ", "))},
            {"name", group.what.name},
            {"unit", unit.name},
            {"values", values},
            {"labels", labels},
            {"lines", lines}};
}

bool on_roofline(const Side& side) {
    return side.seconds > 0 && side.bytes > 0 && side.operations > 0 &&
           side.copy_bytes_per_second > 0 && side.fma_operations_per_second > 0;
}

bool moves_only(const CaseDiff& c) {
    return std::ranges::any_of(std::array{&c.a, &c.b}, [](const Side* side) {
        return side->bytes_per_second() > 0 && !(side->operations > 0) &&
               side->copy_bytes_per_second > 0;
    });
}

}  // namespace

Json curves_json(const Diff& diff) {
    const std::set<std::string> shared = shared_constants(diff);
    Json curves = Json::array();
    for (const Group& group : groups_of(diff)) {
        curves.push_back(curve_of_group(group, shared, side_names(diff)));
    }
    return curves;
}

Json curve_json(const SweepResult& result) {
    const std::vector<Axis>& axes = result.points.axes;
    if (axes.empty()) return Json::object();
    double largest = 0;
    for (const SweepDevice& device : result.devices) {
        for (const SweepCell& cell : device.cells) {
            largest = std::max(largest, result.figure(cell));
        }
    }
    const ChartUnit unit =
        result.by_time ? ChartUnit{"runs/s", 1}
                       : unit_for(rate_unit(result.by_operations, result.points.type), largest);
    Json labels = Json::array(), lines = Json::array();
    for (const std::int64_t value : axes[0].values) labels.push_back(short_value(value));
    const bool has_second = axes.size() > 1;
    for (const SweepDevice& device : result.devices) {
        for (const std::int64_t other : has_second ? axes[1].values : std::vector{std::int64_t{}}) {
            std::string label = printable(device.id);
            if (has_second) label += fmt::format(", {}={}", axes[1].name, axes[1].label(other));
            Json points = Json::array();
            for (std::size_t i = 0; i < device.cells.size(); ++i) {
                const std::vector<std::int64_t>& at = result.points.points[i].values;
                const SweepCell& cell = device.cells[i];
                if (has_second && at[1] != other) continue;
                const auto x = static_cast<double>(at[0]);
                points.push_back(
                    cell.ran() ? point_json(x, result.figure(cell) / unit.size,
                                            fmt::format("{}: {}", label, result.figure_text(cell)))
                               : gap_json(x));
            }
            lines.push_back({{"label", label}, {"points", std::move(points)}});
        }
    }
    return {{"title", result.title() + ": a line for each device"},
            {"name", axes[0].name},
            {"unit", unit.name},
            {"values", axes[0].values},
            {"labels", labels},
            {"lines", lines}};
}

Json roofline_json(const Diff& diff) {
    /// The highest ceilings that a side has for an element type.
    struct Roof {
        std::size_t place = 0;
        const CaseDiff* first = nullptr;
        double copy = 0, fma = 0;
    };
    std::map<std::pair<const char*, std::string>, Roof> roofs;
    double largest = 0;
    std::set<std::string_view> units;
    constexpr const char *a = "a", *b = "b";
    for (const CaseDiff& c : diff.cases) {
        for (const auto& [name, side] : {std::pair(a, &c.a), std::pair(b, &c.b)}) {
            if (!on_roofline(*side)) continue;
            Roof& roof =
                roofs.try_emplace({name, c.key.type}, Roof{roofs.size(), &c}).first->second;
            roof.copy = std::max(roof.copy, side->copy_bytes_per_second);
            roof.fma = std::max(roof.fma, side->fma_operations_per_second);
            largest = std::max({largest, roof.fma, side->operations_per_second()});
            units.insert(unit_of(c, true));
        }
    }
    std::vector<std::string> names;
    for (const std::string_view unit : units) names.push_back(unit_for(unit, largest).name);
    const double size = unit_for("OP", largest).size;
    Json points = Json::array(), lines(roofs.size(), nullptr);
    const std::vector<const CaseDiff*> cases = by_weight(diff);
    const Both<std::string> sides = side_names(diff);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const CaseDiff& c = *cases[i];
        for (const auto& [name, side] : {std::pair(a, &c.a), std::pair(b, &c.b)}) {
            if (!on_roofline(*side)) continue;
            Json point =
                point_json(side->operations / side->bytes, side->operations_per_second() / size,
                           fmt::format("{}: {}: {}, {}", sides.of(name == b), title_of(c),
                                       speed_text(side->operations_per_second(), true, c),
                                       speed_text(side->bytes_per_second(), false, c)));
            point["at"] = i;
            point["side"] = name;
            point["roof"] = roofs.at({name, c.key.type}).place;
            points.push_back(std::move(point));
        }
    }
    for (const auto& [key, roof] : roofs) {
        lines[roof.place] = {
            {"side", key.first},
            {"slope", roof.copy / size},
            {"top", roof.fma / size},
            {"says",
             fmt::format("{} {}: copy {}, fma {}", sides.of(key.first == b),
                         printable(roof.first->key.type), speed_text(roof.copy, false, *roof.first),
                         speed_text(roof.fma, true, *roof.first))}};
    }
    return {{"unit", fmt::format("{}", fmt::join(names, " or "))},
            {"roofs", std::move(lines)},
            {"points", std::move(points)}};
}

Json rates_json(const Diff& diff) {
    Json bars = Json::array(), ceilings = Json::object();
    std::vector<std::string> said;
    const std::vector<const CaseDiff*> cases = by_weight(diff);
    const Both<std::string> sides = side_names(diff);
    for (const auto& [name, of] : {std::pair("a", &CaseDiff::a), std::pair("b", &CaseDiff::b)}) {
        double most = 0;
        for (const CaseDiff& c : diff.cases) {
            if (moves_only(c)) most = std::max(most, (c.*of).copy_bytes_per_second);
        }
        ceilings[name] = most / giga;
        if (most > 0)
            said.push_back(fmt::format("{} {}", sides.of(name[0] == 'b'), rate(most, "B")));
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const CaseDiff& c = *cases[i];
        if (!moves_only(c)) continue;
        const double a = c.a.bytes_per_second(), b = c.b.bytes_per_second();
        bars.push_back({{"at", i},
                        {"a", a / giga},
                        {"b", b / giga},
                        {"says",
                         {{"a", sides.a + ": " + speed_text(a, false, c)},
                          {"b", sides.b + ": " + speed_text(b, false, c)}}}});
    }
    return {{"note", fmt::format("Cases of the table that only move data. The lines are the sides' "
                                 "measured copy ceilings: {}.",
                                 fmt::join(said, ", "))},
            {"ceilings", std::move(ceilings)},
            {"bars", std::move(bars)}};
}

}  // namespace parallax::report

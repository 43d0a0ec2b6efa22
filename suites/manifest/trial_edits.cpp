// Lists changes of a manifest's JSON.
#include "suites/manifest/trial_edits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "records/line.hpp"

namespace parallax {
namespace {

Json::json_pointer pointer_of(const std::vector<std::string>& path) {
    Json::json_pointer pointer;
    for (const std::string& part : path) pointer /= part;
    return pointer;
}

/// `$.arguments[2]`
std::string words_of(const std::vector<std::string>& path) {
    std::string words = "$";
    for (const std::string& part : path) {
        const bool is_index = part.find_first_not_of("0123456789") == part.npos;
        words += is_index ? fmt::format("[{}]", part) : "." + part;
    }
    return words;
}

bool is_real(const Json& argument) {
    // Without a type it may be one of indices.
    const Json type = argument.value("type", Json());
    if (!type.is_string()) return false;
    const auto& name = type.get_ref<const std::string&>();
    return name.starts_with("float") || name.starts_with("double") || name.starts_with("half");
}

class Edits {
public:
    Edits(const Json& manifest, const WideFills& fills) : manifest_(manifest), fills_(fills) {}

    std::vector<ManifestEdit> all() {
        add_tolerances();
        add_sizes();
        const auto has = [](const char* key) {
            return [key](const Json& one) { return one.contains(key); };
        };
        visit(manifest_, {}, has("fill"), [&](const auto&... of) { add_fills(of...); });
        visit(manifest_, {}, has("value"), [&](const auto&... of) { add_value(of...); });
        visit(manifest_, {}, has("groups"), [&](const auto&... of) { add_groups(of...); });
        add_all_drawn();
        return std::move(edits_);
    }

private:
    using Path = std::vector<std::string>;

    /// Calls `what` with each object that is one of those.
    template <class Is, class What>
    void visit(const Json& at, const Path& path, const Is& is, const What& what) {
        if (at.is_object() && is(at)) what(at, path);
        if (!at.is_structured()) return;
        for (const auto& [key, child] : at.items()) {
            // The keys of a reference are those of the variants.
            if (path.empty() && key == "reference") continue;
            Path below = path;
            below.push_back(key);
            visit(child, below, is, what);
        }
    }

    void add(const Path& path, const std::string& key, const Json& value,
             const std::optional<Json>& for_trial = {}, bool is_exact = false) {
        Json changed = manifest_;
        changed[pointer_of(path)][key] = for_trial.value_or(value);
        edits_.push_back({fmt::format("\"{}\": {}", key, value.dump()), words_of(path),
                          changed.dump(), is_exact});
    }

    /// The largest number of work-items in a dimension of a work-group, as far as it is given.
    std::int64_t group_items() const {
        return std::clamp<std::int64_t>(most_items_in(manifest_), 16, 1024);
    }

    /// The largest of each list of `items` in it; the manifest has one for each launch.
    std::int64_t most_items_in(const Json& at) const {
        std::int64_t most = 0;
        if (at.is_object() && at.contains("items") && at["items"].is_array()) {
            const Json constants = manifest_.value("constants", Json::object());
            for (Json one : at["items"]) {
                if (one.is_string() && constants.contains(one.get_ref<const std::string&>()))
                    one = constants[one.get_ref<const std::string&>()];
                if (one.is_number_integer()) most = std::max(most, one.get<std::int64_t>());
            }
        }
        if (!at.is_structured()) return most;
        for (const Json& one : at) most = std::max(most, most_items_in(one));
        return most;
    }

    void add_sizes() {
        if (!manifest_.contains("sizes") || !manifest_["sizes"].is_object()) return;
        const Json& sizes = manifest_["sizes"];
        const std::size_t dimensions = sizes.value("names", Json::array()).size();
        if (dimensions == 0) return;
        const std::int64_t items = group_items();
        // Several work-groups, not divided by them, and more than 8 bits count.
        const std::int64_t several = std::max<std::int64_t>(8 * items + 5, 517);
        const std::int64_t whole = (several / items + 1) * items;
        // Rows: the extents of one size, of which a size of fewer dimensions has the first.
        const std::array<std::array<std::int64_t, 6>, 13> tried{{
            {several, 2 * items + 3, items + 7, 37, 29, 13},
            // The same for kernels that need whole work-groups or vectors of four.
            {whole, 3 * items, 2 * items, items, items, items},
            {several / 8 * 8 + 4, 2 * items + 4, items + 4, 36, 28, 12},
            {items + 1, items + 1, items + 1, items + 1, items + 1, items + 1},
            {items - 1, items - 1, items - 1, items - 1, items - 1, items - 1},
            {items, 2 * items, items, items, items, items},
            {4 * items, items, 2 * items, items, items, items},
            {37, 53, 29, 17, 13, 11},
            {53, 37, 17, 29, 11, 13},
            {1, 1, 1, 1, 1, 1},
            {2, 2, 2, 2, 2, 2},
            {1, 37, 1, 29, 1, 13},
            {37, 1, 29, 1, 13, 1},
        }};
        for (const auto& extents : tried) {
            Json size = Json::array();
            for (std::size_t i = 0; i < std::min(dimensions, extents.size()); ++i)
                size.push_back(std::max<std::int64_t>(extents.at(i), 1));
            Json checked = sizes.value("checked", Json::array());
            if (std::ranges::find(checked, size) != checked.end()) continue;
            checked.push_back(size);
            add({"sizes"}, "checked", checked, Json::array({size}));
        }
    }

    /// The fillings that tell more than this one.
    std::vector<Json> wider(const Json& argument) const {
        const Json& fill = argument["fill"];
        const auto drawn = [](double low, double high) {
            const auto number = [](double value) {
                const bool is_whole = value == std::floor(value) && std::abs(value) < 1e15;
                return is_whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
            };
            return Json{{"random", Json::array({number(low), number(high)})}};
        };
        const bool is_fixed =
            fill == "zeros" || fill == "iota" || (fill.is_object() && fill.contains("value"));
        if (!is_real(argument)) {
            // An index: 1 is one where there are two elements.
            if (is_fixed && fill != "iota") return {drawn(0, 2)};
            return wider_whole(argument);
        }
        double most = 1;
        if (fill.is_object() && fill.contains("random")) {
            for (const Json& one : fill["random"]) {
                if (!one.is_number()) return {};
                most = std::max(most, std::abs(one.get<double>()));
            }
        } else if (!is_fixed && fill != "random" && fill != "integers") {
            return {};
        }
        std::vector<Json> all{drawn(-most, most), drawn(-1000 * most, 1000 * most), "permutation"};
        if (is_fixed) all.insert(all.begin(), "random");
        std::erase(all, fill);
        if (fill.is_object() && fill.contains("random") && !fill.contains("special")) {
            all.push_back(fill);
            all.back()["special"] = true;
        }
        return all;
    }

    /// Integers that are no indices: the whole range of the type; rows of any length.
    std::vector<Json> wider_whole(const Json& argument) const {
        const Json& fill = argument["fill"];
        if (!fill.is_object()) return {};
        if (fill.contains("csr_offsets") && fill["csr_offsets"].size() == 2) {
            const Json columns = fill["csr_offsets"][1];
            constexpr int many = 1024;
            if (!columns.is_number() || columns.get<double>() >= many) return {};
            return {{{"csr_offsets", {fill["csr_offsets"][0], many}}}};
        }
        const auto known = fills_.find(argument.value("name", ""));
        const Json wide = known == fills_.end() ? Json() : parse_line(known->second).json;
        const auto ends = [](const Json& one) -> std::optional<std::pair<double, double>> {
            if (!one.is_object() || !one.contains("random")) return {};
            const Json& range = one["random"];
            if (range.size() != 2 || !range[0].is_number() || !range[1].is_number()) return {};
            return std::pair(range[0].get<double>(), range[1].get<double>());
        };
        const auto now = ends(fill), then = ends(wide);
        constexpr double most_index = 1 << 24;
        const bool is_data = then && (then->first < 0 || then->second >= most_index);
        const bool is_wider = is_data && now && then->first <= now->first &&
                              then->second >= now->second && *then != *now;
        return is_wider ? std::vector{wide} : std::vector<Json>{};
    }

    /// Fewer work-groups, so that grid-stride loops iterate, and more, so that guards have work.
    void add_groups(const Json& launch, const Path& path) {
        const Json& groups = launch["groups"];
        for (std::size_t d = 0; groups.is_array() && d < groups.size(); ++d) {
            if (!groups[d].is_string() && !groups[d].is_number()) continue;
            const std::string all =
                groups[d].is_string() ? groups[d].get<std::string>() : groups[d].dump();
            for (const char* change : {"ceil(({}) / 3)", "{} + 1"}) {
                Json changed = groups;
                changed[d] = fmt::format(fmt::runtime(change), all);
                add(path, "groups", changed);
            }
        }
    }

    void add_fills(const Json& argument, const Path& path) {
        const bool is_exact = !is_real(argument) && !wider_whole(argument).empty();
        for (const Json& fill : wider(argument)) add(path, "fill", fill, {}, is_exact);
    }

    void add_value(const Json& argument, const Path& path) {
        if (!argument["value"].is_number() || !is_real(argument)) return;
        const double value = argument["value"].get<double>();
        for (const double other : {value + 1.25, -value - 0.75}) add(path, "value", other);
    }

    void add_tolerances() {
        if (!manifest_.contains("tolerance") || !manifest_["tolerance"].is_object()) return;
        for (const double divisor : {1e1, 1e2, 1e3, 1e4}) {
            Json narrow = manifest_["tolerance"];
            bool is_other = false;
            for (auto& [key, value] : narrow.items()) {
                // Rounding of floats takes as much.
                constexpr double least = 1e-6;
                if (!value.is_number() || value.get<double>() / divisor < least) continue;
                value = value.get<double>() / divisor;
                is_other = true;
            }
            if (is_other) add({}, "tolerance", narrow);
        }
    }

    /// The first filling of each argument, all at once.
    void add_all_drawn() {
        Json changed = manifest_;
        std::string line, where;
        std::size_t count = 0;
        const auto has_fill = [](const Json& one) { return one.contains("fill"); };
        visit(manifest_, {}, has_fill, [&](const Json& argument, const Path& path) {
            const std::vector<Json> fills = wider(argument);
            if (fills.empty()) return;
            changed[pointer_of(path)]["fill"] = fills.front();
            line += fmt::format("{}\"fill\": {}", count > 0 ? ", and " : "", fills.front().dump());
            where += fmt::format("{}{}", count > 0 ? ", " : "", words_of(path));
            ++count;
        });
        if (count > 1) edits_.push_back({line, where, changed.dump()});
    }

    const Json& manifest_;
    const WideFills& fills_;
    std::vector<ManifestEdit> edits_;
};

}  // namespace

std::vector<ManifestEdit> trial_edits(std::string_view manifest, const WideFills& fills) {
    const ParsedLine parsed = parse_line(without_mark(std::string(manifest)));
    if (!parsed.json.is_object()) return {};
    return Edits(parsed.json, fills).all();
}

}  // namespace parallax

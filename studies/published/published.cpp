// Reads docs/published.yaml, and finds which results belong to a case.
#include "studies/published/published.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "common/text/embedded_file.hpp"
#include "common/text/unique_values.hpp"
#include "records/result_store.hpp"
#include "suites/case_words.hpp"

namespace parallax {

std::span<const EmbeddedFile> published_texts();

namespace {

struct Contents {
    std::vector<Published> figures;
    std::vector<PublishedRow> rows;
};

template <class T = std::string>
T value(const YAML::Node& node, const char* key) {
    return node[key].as<T>(T{});
}

Contents read_contents() {
    const YAML::Node root = YAML::Load(std::string(published_texts().front().text));
    const auto document = [&](const YAML::Node& node) {
        return root["documents"][value(node, "from")].as<std::string>();
    };
    Contents all;
    for (const YAML::Node& group : root["figures"]) {
        for (const auto& one : group["of"]) {
            const std::string unit = value(group, "unit");
            all.figures.push_back({.key = case_named(one.first.as<std::string>()),
                                   .value = one.second.as<double>(),
                                   .unit = unit,
                                   .text = one.second.as<std::string>() + " " + unit,
                                   .device = value(group, "on"),
                                   .figure = value(group, "figure"),
                                   .document = document(group)});
        }
    }
    for (const YAML::Node& node : root["rows"]) {
        using Texts = std::vector<std::string>;
        PublishedRow row{.name = value(node, "name"),
                         .title = value(node, "title"),
                         .shows = value(node, "shows"),
                         .note = value(node, "note"),
                         .commands = value<Texts>(node, "commands"),
                         .claims = {},
                         .also = {},
                         .occupancy = {},
                         .documents = {}};
        for (const YAML::Node& said : node["claims"]) {
            Claim& claim = row.claims.emplace_back(Claim{.name = value(said, "name"),
                                                         .says = value(said, "says"),
                                                         .document = document(said),
                                                         .figure = value(said, "figure"),
                                                         .steps = {}});
            for (const YAML::Node& list : said["steps"]) {
                const auto words = list.as<Texts>();
                PublishedStep& step = claim.steps.emplace_back();
                if (words.size() > 1) step.slow = case_named(words[0]);
                step.fast = case_named(words[words.size() > 1]);
                if (words.size() > 2) step.stated = words[2];
                if (words.size() > 3) step.factor = list[3].as<double>();
            }
        }
        for (const YAML::Node& group : node["also"]) {
            for (const YAML::Node& one : group["says"]) row.also.push_back(one.as<std::string>());
            add_once(row.documents, document(group));
        }
        for (const YAML::Node& one : node["occupancy"]) {
            row.occupancy.push_back({value(one, "capability"), value<std::uint64_t>(one, "items"),
                                     value<std::uint32_t>(one, "registers"),
                                     value<std::uint32_t>(one, "local"),
                                     value<double>(one, "percent")});
            add_once(row.documents, document(one));
        }
        all.rows.push_back(std::move(row));
    }
    return all;
}

const Contents& contents() {
    static const Contents all = read_contents();
    return all;
}

}  // namespace

const std::vector<Published>& published() {
    return contents().figures;
}

const std::vector<PublishedRow>& published_rows() {
    return contents().rows;
}

CaseKey case_named(std::string_view words) {
    CaseKey c;
    for (std::string_view rest = words; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        const std::size_t slash = word.find('/');
        if (slash != word.npos) {
            c.suite = word.substr(0, slash);
            c.variant = word.substr(slash + 1);
        } else if (word.find('=') != word.npos) {
            c.constants.push_back(parse_define(word, {}));
        } else {
            c.shape = parse_shape(word).extents;
        }
    }
    return c;
}

std::string words_of(const CaseKey& c) {
    std::string text = c.name();
    for (const Constant& one : c.constants) text += fmt::format(" {}={}", one.name, one.value);
    return c.shape.empty() ? text : text + " " + to_string(Shape{c.shape});
}

std::vector<const Published*> published_for(const CaseKey& c) {
    std::vector<const Published*> found;
    for (const Published& p : published()) {
        CaseKey wanted = p.key;
        if (c.shape.empty()) wanted.shape.clear();
        const bool is_named = std::ranges::all_of(wanted.constants, [&](const Constant& one) {
            return c.value_of(one.name).has_value();
        });
        if (is_named && is_case(c, wanted)) found.push_back(&p);
    }
    return found;
}

}  // namespace parallax

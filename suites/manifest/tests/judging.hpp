// Fixture for tests of first manifests: kernels with comments that say what the checks find in
// them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text_lines.hpp"
#include "measure/run_case.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/folder.hpp"
#include "suites/tests/opened.hpp"

namespace parallax::testing_manifest {

/// The comments at the start of a file: `// wrong: FROM => TO`, `// doubtful`, `// elements: NAME
/// N`, `// sanitized` if it also applies to the sanitized host; for a fault and a cheat the message
/// of each device, `// host: wrong: WORDS OF THE REASON`; for a cheat also of `all` devices, and
/// `// tolerance: JSON`.
struct Said {
    std::string word, what;
};

inline std::vector<Said> said_in(const std::string& text) {
    std::vector<Said> all;
    for (const std::string_view line : lines_of(text)) {
        if (!line.starts_with("// ")) break;
        const std::string words(line.substr(3));
        const std::size_t colon = std::min(words.find(": "), words.size());
        all.push_back({words.substr(0, colon), words.substr(std::min(colon + 2, words.size()))});
    }
    return all;
}

/// Judges kernels by the manifests that `port --init` writes.
class Judging {
protected:
    Folder folder_;
    std::optional<ReferenceCache> references_{1 << 26};
    Shape line_{{10000}}, plane_{{100, 90}};  ///< the last work-group is partial
    Opened* answers_ = host();                ///< runs the references

    static Opened* host() {
        for (Opened& one : opened_devices()) {
            if (one.entry.info.only_checks) return &one;
        }
        return nullptr;
    }
    /// Null: the host's compiler has no sanitizers.
    static Opened* sanitized() {
        static const auto opened = []() -> std::unique_ptr<Opened> {
            for (const Entry& entry : find_devices(backends()).entries) {
                if (entry.info.has("sanitizers")) return std::make_unique<Opened>(entry);
            }
            return nullptr;
        }();
        return opened.get();
    }

    /// The generated manifest of a kernel, which is its own reference.
    Json manifest_of(const std::string& text) const {
        folder_.write("right.cl", text);
        Json json = Json::parse(first_manifest({.file = "kernel.cl", .source = text}));
        for (const auto& [word, what] : said_in(text)) {
            if (word != "elements") continue;
            for (Json& one : json["arguments"]) {
                if (what.starts_with(one["name"].get<std::string>() + " ")) {
                    one["elements"] = Json::parse(what.substr(what.find(' ') + 1));
                    one.erase("ask");
                }
            }
        }
        json.erase("check");
        Json& reference = json["reference"] = {{"source", "right.cl"}};
        for (const char* key : {"kernel", "arguments", "items", "groups"}) {
            reference[key] = json[key];
        }
        return json;
    }

    /// `right`, `doubtful`, `wrong` or another status; and the reason.
    std::pair<std::string, std::string> judged(const Json& manifest, const std::string& text,
                                               Opened& on = *host()) {
        folder_.write("kernel.cl", text);
        const Suite suite = suite_from((folder_.path / "m.json").string(), manifest.dump());
        const bool is_line = suite.dimensions.size() == 1, is_long = suite.shapes[0][0] > line_[0];
        const Shape shape = is_line && is_long            ? line_
                            : is_line                     ? Shape{{100}}
                            : suite.dimensions.size() > 2 ? Shape{{70, 50, 45}}
                                                          : plane_;
        RunConfig context;
        context.references = &*references_;
        const Entry& reference = manifest.contains("reference") ? answers_->entry : on.entry;
        context.reference_entries = [&] { return std::vector{reference}; };
        context.kernel_source = [](std::string_view) -> std::string { throw Error("no text"); };
        context.only_checks = true;
        context.seed = 5;
        references_->set_reference_provider(references_among({reference}, context));
        const Outcome outcome = build_and_verify(
            *on.device, make_case(suite, suite.variants[0], shape, suite.types[0]), {}, context);
        if (outcome.status != Status::ok)
            return {std::string(name_of(outcome.status)), outcome.reason};
        std::string doubts;
        for (const Doubt& one : remarks_of(*outcome.checked).doubts) doubts += one.sentence;
        return {doubts.empty() ? "right" : "doubtful", doubts};
    }

    /// The kernel with an error, `FROM => TO`; empty: it does not have the text.
    static std::string changed(const std::string& text, const std::string& what) {
        const std::size_t arrow = what.find(" => ");
        std::string made = text;
        while (made.starts_with("// ")) made.erase(0, made.find('\n') + 1);
        const std::size_t at = made.find(what.substr(0, arrow));
        if (arrow == what.npos || at == made.npos) return {};
        return made.replace(at, arrow, what.substr(arrow + 4));
    }
};

}  // namespace parallax::testing_manifest

// Tests generated manifests of right and modified kernels with the checks on the host, against the
// comments in their files.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text_lines.hpp"
#include "measure/run_case.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/folder.hpp"
#include "suites/tests/opened.hpp"

namespace parallax::checks_test {
namespace {

namespace fs = std::filesystem;

/// The comments at the start of a file: `// wrong: FROM => TO`, `// doubtful`, `// elements: NAME
/// N`, `// sanitized` if it also applies to the sanitized host; for a fault the message of each
/// device, `// host: wrong: WORDS OF THE REASON`.
struct Said {
    std::string word, what;
};

std::vector<Said> said_in(const std::string& text) {
    std::vector<Said> all;
    for (const std::string_view line : lines_of(text)) {
        if (!line.starts_with("// ")) break;
        const std::string words(line.substr(3));
        const std::size_t colon = std::min(words.find(": "), words.size());
        all.push_back({words.substr(0, colon), words.substr(std::min(colon + 2, words.size()))});
    }
    return all;
}

class Checks : public testing::TestWithParam<fs::path> {
protected:
    testing_manifest::Folder folder_;
    std::optional<ReferenceCache> references_{1 << 26};
    Shape line_{{10000}};  ///< the last group is partial

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
        const Shape shape = suite.dimensions.size() == 1 ? line_ : Shape{{100, 90}};
        RunConfig context;
        context.references = &*references_;
        const Entry& reference = manifest.contains("reference") ? host()->entry : on.entry;
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
};

TEST_P(Checks, AreWhatTheKernelIs) {
    if (!host()) GTEST_SKIP() << "no compiler for the host";
    const std::string text = read_file(GetParam(), 1 << 20);
    const Json manifest = manifest_of(text);
    const std::vector<Said> all = said_in(text);
    const bool is_doubtful = std::ranges::any_of(
        all, [](const Said& one) { return one.word == "doubtful" && one.what.empty(); });
    const auto [word, why] = judged(manifest, text);
    EXPECT_EQ(word, is_doubtful ? "doubtful" : "right") << why << manifest.dump(1);
    const bool is_watched = std::ranges::find(all, "sanitized", &Said::word) != all.end();
    if (is_watched && sanitized()) {
        const auto [there, reason] = judged(manifest, text, *sanitized());
        EXPECT_EQ(there, word) << reason;
    }
    for (const auto& [expected, what] : all) {
        const std::size_t arrow = what.find(" => ");
        if (arrow == what.npos) continue;
        const std::string from = what.substr(0, arrow);
        std::string changed = text.substr(text.find("__kernel"));
        ASSERT_NE(changed.find(from), changed.npos) << from;
        changed.replace(changed.find(from), from.size(), what.substr(arrow + 4));
        const auto [now, reason] = judged(manifest, changed);
        EXPECT_EQ(now, expected) << what << ": " << reason << manifest.dump(1);
    }
}

class Faults : public Checks {
protected:
    Faults() { line_ = {{10240}}; }  // not all of them support others
};

TEST_P(Faults, HaveTheirWordAndReason) {
    const std::string text = read_file(GetParam(), 1 << 20);
    Json manifest = manifest_of(text);
    manifest.erase("reference");
    for (const auto& [where, what] : said_in(text)) {
        Opened* const on = where == "host" ? host() : where == "sanitized" ? sanitized() : nullptr;
        if (!on) continue;
        const std::size_t end = std::min(what.find(": "), what.size());
        references_.emplace(1 << 26);  // each device is its own reference
        const auto [word, reason] = judged(manifest, text, *on);
        EXPECT_EQ(word, what.substr(0, end)) << where << reason << manifest.dump(1);
        EXPECT_THAT(reason, testing::HasSubstr(what.substr(std::min(end + 2, what.size()))))
            << where;
    }
}

std::vector<fs::path> files(const fs::path& folder) {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder)) all.push_back(entry.path());
    std::ranges::sort(all);
    return all;
}

constexpr auto name = [](const auto& one) { return one.param.stem().string(); };
INSTANTIATE_TEST_SUITE_P(All, Checks, testing::ValuesIn(files(CHECKS)), name);
INSTANTIATE_TEST_SUITE_P(All, Faults, testing::ValuesIn(files(FAULTS)), name);

}  // namespace
}  // namespace parallax::checks_test

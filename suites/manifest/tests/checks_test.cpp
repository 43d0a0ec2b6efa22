// Tests generated manifests of right and modified kernels with the checks on the host, and kernels
// that cheat on all devices, against the comments in their files.
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/thorough.hpp"
#include "common/text/read_file.hpp"
#include "suites/manifest/tests/judging.hpp"

namespace parallax::checks_test {
namespace {

namespace fs = std::filesystem;

using testing_manifest::Said;
using testing_manifest::said_in;

class Checks : public testing_manifest::Judging, public testing::TestWithParam<fs::path> {};

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
        if (what.find(" => ") == what.npos) continue;
        const std::string wrong = changed(text, what);
        ASSERT_NE(wrong, "") << what;
        const auto [now, reason] = judged(manifest, wrong);
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

TEST_F(Checks, AnErrorThatTheOrderAloneMakesSaysSo) {
    if (!host()) GTEST_SKIP() << "no compiler for the host";
    const std::string text =
        "__kernel void k(__global const int* x, __global int* y, const int n) {\n"
        "    const int i = get_global_id(0);\n    if (i < n) y[i] = x[i];\n}\n";
    const auto [word, why] = judged(manifest_of(text), changed(text, "y[i] = => y[n - 1 - i] ="));
    EXPECT_EQ(word, "wrong");
    EXPECT_THAT(why, testing::HasSubstr("give the output an \"order\""));
    const auto other = judged(manifest_of(text), changed(text, "= x[i] => = x[i] + 1"));
    EXPECT_THAT(other.second, testing::Not(testing::HasSubstr("\"order\"")));
}

/// The parts of a case that a report shows.
struct Seen {
    std::string word;  ///< the status, or `doubtful`
    std::string why;   ///< the reason, or the doubts
    Record record;
};

/// Kernels for one manifest that seem to be right and fast.
class Cheats : public Checks {
protected:
    Cheats() { folder_.write("honest.cl", text_of(CHEATS "/honest.cl")); }

    /// With what all of them claim to work out for each input.
    static std::string text_of(const fs::path& file) {
        return fmt::format(
            "{}float worked_out(float v) {{\n"
            "    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;\n"
            "    return v;\n"
            "}}\n{}",
            file.extension() == ".cu" ? "__device__ " : "", read_file(file, 1 << 16));
    }

    /// `opencl`, `cuda`, `host` and `sanitized`, those that are here.
    static std::vector<std::pair<std::string, Opened*>> devices() {
        std::vector<std::pair<std::string, Opened*>> found;
        for (Opened& one : opened_devices()) {
            const bool is_other = one.entry.info.backend == "opencl" && !one.entry.info.is_pocl();
            if (!is_other) found.emplace_back(one.entry.info.backend, &one);
        }
        // The sanitizers have no room next to NVIDIA's driver.
        const bool has_gpu =
            std::ranges::any_of(found, [](const auto& one) { return one.first == "cuda"; });
        if (sanitized() && !has_gpu) found.emplace_back("sanitized", sanitized());
        return found;
    }

    Json manifest(const std::string& kernel, const Json& tolerance) const {
        Json of_kernel = Json::parse(R"json({
            "arguments": [
                {"name": "n", "type": "uint", "value": "n"},
                {"name": "x", "type": "float", "elements": "n", "fill": "random"},
                {"name": "y", "type": "float", "elements": "n", "use": "output"},
                {"name": "s", "type": "uint", "elements": "2 * n", "use": "scratch"}],
            "items": [64], "groups": ["ceil(n / 64)"]})json");
        of_kernel["kernel"] = "honest";
        of_kernel["source"] = "honest.cl";
        Json json = of_kernel;
        json["reference"] = of_kernel;
        json.update({{"parallax", "manifest"},
                     {"version", 1},
                     {"name", "cheat"},
                     {"source", "kernel.cl"},
                     {"kernel", kernel},
                     {"options", "-cl-std=CL2.0"},
                     {"sizes", {{"names", {"n"}}, {"timed", {{4096}}}, {"checked", {{1}, {1000}}}}},
                     {"tolerance", tolerance}});
        return json;
    }

    /// Runs a kernel as `run` does: OpenCL C, or CUDA that takes the place of the translation.
    Seen seen(const std::string& kernel, const std::string& text, bool is_cuda, Opened& on,
              const Json& tolerance = {{"ulp", 1}}) {
        folder_.write("kernel.cl", is_cuda ? text_of(CHEATS "/in_place.cl") : text);
        Suite suite =
            suite_from((folder_.path / "m.json").string(), manifest(kernel, tolerance).dump());
        if (is_cuda) {
            suite.variants[0].natives = {{.backend = "cuda", .source = "kernel.cu"}};
            suite.text = [text, portable = suite.text](std::string_view file) {
                return file == "kernel.cu" ? text : portable(file);
            };
        }
        references_.emplace(1 << 26);
        const Entry& answers = on.entry.info.only_checks ? host()->entry : on.entry;
        RunConfig config;
        config.references = &*references_;
        config.reference_entries = [&] { return std::vector{answers}; };
        config.kernel_source = [](std::string_view) -> std::string { throw Error("no text"); };
        config.seed = 5;
        config.rule.most_seconds = 0.02;
        config.only_checks = on.entry.info.only_checks;
        references_->set_reference_provider(references_among({answers}, config));
        const Case c = make_case(suite, suite.variants[0], suite.shapes[0], suite.types[0]);
        Outcome o = build_and_verify(*on.device, c, {}, config);
        if (config.only_checks) {
            end_checked(o, "nothing is timed");
        } else if (o.status == Status::ok) {
            time_case(*on.device, config, o);
        }
        Seen result{std::string(name_of(o.status)), o.reason, to_record(o, on.entry.info, {})};
        if (is_doubtful(o.status, o.doubts)) result.word = "doubtful";
        for (const Doubt& one : o.doubts) result.why += one.sentence;
        if (o.status == Status::failed) result.why += o.log;
        return result;
    }
};

TEST_P(Cheats, AreCaught) {
    const std::string text = text_of(GetParam());
    const bool is_cuda = GetParam().extension() == ".cu";
    const bool is_in_both =
        fs::exists(fs::path(GetParam()).replace_extension(is_cuda ? ".cl" : ".cu"));
    const std::vector<Said> all = said_in(read_file(GetParam(), 1 << 16));
    Json tolerance = {{"ulp", 1}};
    for (const auto& [word, what] : all) {
        if (word == "tolerance") tolerance = Json::parse(what);
    }
    const auto line_for = [&](const std::string& device) {
        for (const std::string& word :
             {device, std::string(device == "cuda" ? "host" : "all"), std::string("all")}) {
            const auto found = std::ranges::find(all, word, &Said::word);
            if (found != all.end()) return found;
        }
        return all.end();
    };
    bool was_on_any = false;
    for (const auto& [name, device] : devices()) {
        const auto said = line_for(name);
        // A kernel in OpenCL C alone is translated for CUDA.
        const bool is_others = is_cuda ? name == "opencl" : is_in_both && name == "cuda";
        if (said == all.end() || is_others) continue;
        // Of two languages each has one of the two hosts.
        const bool is_left_out = is_in_both && name == (is_cuda ? "host" : "sanitized");
        if (is_left_out && !test::is_thorough() && sanitized() &&
            line_for("sanitized") != all.end())
            continue;
        was_on_any = true;
        const std::size_t end = said->what.find(": ");
        const std::string word = said->what.substr(0, end), why = said->what.substr(end + 2);
        const Seen found = seen("cheat", text, is_cuda, *device, tolerance);
        if (word == "unchecked") {
            ASSERT_TRUE(found.word == "ok" || found.word == "checked") << name << found.why;
            EXPECT_THAT(found.record.check->unchecked, testing::Contains(testing::HasSubstr(why)))
                << name;
        } else {
            EXPECT_EQ(found.word, word) << name << ": " << found.why;
            EXPECT_THAT(found.why, testing::HasSubstr(why)) << name;
        }
    }
    if (!was_on_any) GTEST_SKIP() << "no device for it";
}

TEST_P(Cheats, AreOnThePage) {
    const std::string page =
        read_file(CHEATS "/../../../../docs/concepts/verification.md", 1 << 20);
    EXPECT_THAT(page, testing::HasSubstr("`" + GetParam().stem().string() + "`"));
}

TEST_F(Cheats, AndAnHonestKernelIsNoneOfThem) {
    const std::string text = text_of(CHEATS "/honest.cl");
    for (const auto& [name, device] : devices()) {
        const Seen found = seen("honest", text, false, *device);
        EXPECT_EQ(found.word, device->entry.info.only_checks ? "checked" : "ok")
            << name << found.why;
        EXPECT_EQ(found.record.check->rms_ulp, 0) << name;
        EXPECT_THAT(found.record.check->patterns,
                    testing::IsSupersetOf({"random with extremes", "random, drawn again"}));
    }
}

TEST_F(Cheats, BelowTheToleranceShowInUlp) {
    const std::string text = text_of(CHEATS "/low_precision.cl");
    for (const auto& [name, device] : devices()) {
        const Seen found = seen("cheat", text, false, *device, {{"relative", 0.01}});
        EXPECT_EQ(found.word, device->entry.info.only_checks ? "checked" : "ok")
            << name << found.why;
        // The thirteen bits that it leaves out are worth 0 to 8191, each as often.
        EXPECT_NEAR(found.record.check->worst_ulp, 8191, 200) << name;
        EXPECT_NEAR(found.record.check->rms_ulp, 8191 / std::sqrt(3), 400) << name;
    }
}

std::vector<fs::path> cheats() {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(CHEATS)) {
        if (entry.path().stem() != "honest") all.push_back(entry.path());
    }
    std::ranges::sort(all);
    return all;
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
INSTANTIATE_TEST_SUITE_P(All, Cheats, testing::ValuesIn(cheats()), [](const auto& one) {
    return one.param.stem().string() + one.param.extension().string().replace(0, 1, "_");
});

}  // namespace
}  // namespace parallax::checks_test

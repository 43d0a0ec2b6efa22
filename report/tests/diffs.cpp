// Makes diffs by hand.
#include "report/tests/diffs.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace parallax::test {

// Escapes of terminals, ends of strings and comments, bidirectional controls, C1, bytes that are
// not UTF-8, half a character of UTF-16, no character, markup of all three formats.
const std::string hostile_text =
    "\033[2J\033]0;x\a\r\n\tDEL\x7f C1\xc2\x9b bidi\xe2\x80\xae\xe2\x81\xa6 line\xe2\x80\xa8 "
    "bad\xff\xc0\xaf half\xed\xa0\x80 none\xef\xbf\xbe ]]> <script>alert(1)</script> & \"'\" "
    "| `tick` ``` [link](http://example.com) @mention #1 **bold** www.example.com <!-- --> \\";

Ratio ratio_of(double value, double half) {
    return {.value = value,
            .low = value * std::exp(-half),
            .high = value * std::exp(half),
            .confidence = 0.95,
            .log_error = half / 2,
            .degrees = 9,
            .units_a = 10,
            .units_b = 10,
            .basis = "paired rounds"};
}

CaseDiff ran(const std::string& suite, const std::string& variant, Verdict verdict, double ratio) {
    CaseDiff c;
    c.key.suite = suite;
    c.key.variant = variant;
    c.key.type = "float";
    c.key.shape = {1024, 1024};
    c.file = suite + ".cl";
    c.title = suite + "/" + variant + " float 1024x1024";
    c.a.status = c.b.status = Status::ok;
    c.a.floats = c.b.floats = FloatRules{};
    c.a.runs = c.b.runs = 1;
    c.a.seconds = 1e-3;
    c.b.seconds = 1e-3 * ratio;
    c.kernel.same = true;
    c.answer = {.right_a = true,
                .right_b = true,
                .repeatable_a = true,
                .repeatable_b = true,
                .identical = true};
    c.ratio = ratio_of(ratio);
    c.verdict = verdict;
    c.reason = verdict == Verdict::same     ? "The interval lies inside the margin."
               : verdict == Verdict::faster ? "The interval lies wholly below the margin."
               : verdict == Verdict::slower ? "The interval lies wholly above the margin."
                                            : "The interval holds an edge of the margin.";
    return c;
}

CaseDiff same(const std::string& suite, const std::string& variant, double ratio) {
    return ran(suite, variant, Verdict::same, ratio);
}

CaseDiff wrong(const std::string& suite, const std::string& variant) {
    CaseDiff c = ran(suite, variant, Verdict::wrong, 1);
    c.ratio.reset();
    c.b = {.status = Status::wrong, .reason = "Element 7 is 3, not 4."};
    c.answer = {.right_a = true, .right_b = false};
    c.reason = "B's answer is not right.";
    return c;
}

CaseDiff unsupported(const std::string& suite, const std::string& variant) {
    CaseDiff c = ran(suite, variant, Verdict::not_comparable, 1);
    c.ratio.reset();
    c.b = {.status = Status::unsupported, .reason = "CUDA has no work_group_reduce_add."};
    c.answer = {.right_a = true};
    c.reason = "B does not support it.";
    return c;
}

CaseDiff failed(const std::string& suite, const std::string& variant) {
    CaseDiff c = wrong(suite, variant);
    c.b = {.status = Status::failed,
           .reason = "It does not build.",
           .log = "x.cu(3): error: expected a \";\"\n  int i\n\t  ^\n"};
    c.verdict = Verdict::failed;
    c.reason = "B failed.";
    return c;
}

Diff empty_diff() {
    Diff diff;
    diff.live = true;
    for (const auto& [side, entry] :
         {std::pair{&diff.a, "opencl:1"}, std::pair{&diff.b, "cuda:0"}}) {
        *side = {entry,
                 {{"device", "NVIDIA H100"}, {"entry", entry}, {"uuid", "7a"}, {"driver", "580.1"}},
                 0,
                 1};
    }
    return diff;
}

Diff small_diff() {
    Diff diff = empty_diff();
    diff.measuring_seconds = 12.3;
    diff.cases = {same("transpose", "naive"),
                  ran("multiply", "blocked", Verdict::faster, 0.61),
                  ran("stencil1d", "staged", Verdict::slower, 1.05),
                  ran("stencil1d", "global", Verdict::slower, 1.4),
                  ran("reduction", "items", Verdict::undecided, 1.02),
                  unsupported("reduction", "builtin"),
                  wrong("strided_copy", "offset"),
                  failed("strided_copy", "strided")};
    CaseDiff& naive = diff.cases[0];
    naive.launching = true;
    naive.in_cache = true;
    naive.kernel.differences = {{"build options", "-cl-std=CL1.2", "--std=c++17", false}};
    CaseDiff& blocked = diff.cases[1];
    blocked.answer.identical = false;
    blocked.answer.distance = {.elements = 1024,
                               .differing = 3,
                               .largest_ulp = 2,
                               .median_ulp = 1,
                               .first = 17,
                               .first_a = "1.5",
                               .first_b = "1.25"};
    blocked.answer.ulp_b = 2;
    blocked.answer.repeatable_b = false;
    CaseDiff& builtin = diff.cases[5];
    builtin.kernel = {false, {{"kernel source", "aaaa", "bbbb", true}}};
    diff.environment = {{"compiler", "OpenCL C 1.2", "NVRTC 13.0"}};
    diff.never_equal = {"the front end of the compiler"};
    diff.self = {
        {"opencl:1", "transpose/naive float 1024x1024", 1e-3, ratio_of(1.001), Verdict::same},
        {"cuda:0", "transpose/naive float 1024x1024", 1e-3, ratio_of(0.999), Verdict::same}};
    diff.summary = summary_of(diff);
    return diff;
}

Diff hostile_diff() {
    Diff diff = small_diff();
    const std::string& evil = hostile_text;
    diff.a = {evil, {{"device", evil}}, 1, 1};
    diff.b = {evil + "b", {{"device", evil + "b"}}, 1, 1};
    diff.environment = {{evil, evil, evil}};
    diff.never_equal = {evil};
    diff.warnings = {evil};
    diff.baseline = evil;
    for (CaseDiff& c : diff.cases) {
        c.key.suite = c.key.variant = evil;
        c.title = evil + c.title;
        c.reason = evil;
        c.a.reason = c.b.reason = evil + ".";
        c.a.log = c.b.log = evil + "\n" + evil;
        c.a.notes = {evil};
        c.kernel.differences = {{evil, evil, evil, true}};
        if (c.ratio) c.ratio->basis = evil;
        if (c.answer.distance) c.answer.distance->first_a = evil;
    }
    for (SelfCheck& check : diff.self) check.device = check.title = evil;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    for (const double value : {nan, inf, -inf, 0.0, -1.0, 1e300, 1e-300}) {
        CaseDiff c = ran(evil, "value", Verdict::slower, value);
        c.answer.ulp_a = value;
        c.answer.identical = false;
        c.answer.distance = {
            .elements = 1, .differing = 1, .largest_ulp = value, .median_ulp = value};
        c.least_visible = c.a.seconds = value;
        c.against_baseline = c.ratio;
        diff.cases.push_back(c);
        diff.self.push_back({evil, evil, value, *c.ratio, Verdict::slower});
    }
    diff.summary.mean = ratio_of(nan);
    diff.summary.kernels = {.cases = 3, .median = nan, .low = -inf, .high = inf};
    return diff;
}

Diff large_diff(std::size_t count) {
    Diff diff = empty_diff();
    for (std::size_t i = 0; i < count; ++i) {
        const bool slow = i % 100 == 99;
        diff.cases.push_back(ran(fmt::format("suite{}", i % 10), fmt::format("variant{}", i % 70),
                                 slow ? Verdict::slower : Verdict::same,
                                 (slow ? 1.2 : 0.995) + 1e-5 * static_cast<double>(i)));
        diff.cases.back().title = fmt::format("suite{}/variant{} float {}", i % 10, i % 70, i);
    }
    return diff;
}

Diff stored_diff() {
    Diff diff = empty_diff();
    diff.live = false;
    diff.a = diff.b;
    diff.a.name = "old/runs.jsonl";
    diff.b.name = "new.jsonl";
    diff.a.runs = 5;
    diff.a.records = 15;
    diff.b.runs = diff.b.records = 3;
    diff.max_slowdown = 0.05;
    diff.baseline = "base.jsonl";
    diff.cases = {same("transpose", "naive"), ran("transpose", "tiled", Verdict::slower, 1.2),
                  ran("transpose", "padded", Verdict::undecided, 1.05),
                  unsupported("reduction", "builtin")};
    const Decision decisions[] = {Decision::pass, Decision::fail, Decision::undecided,
                                  Decision::none};
    for (std::size_t i = 0; i < diff.cases.size(); ++i) {
        diff.cases[i].decision = decisions[i];
        if (!diff.cases[i].ratio) continue;
        diff.cases[i].least_visible = 1.01 + 0.01 * static_cast<double>(i);
        diff.cases[i].against_baseline = diff.cases[i].ratio;
    }
    return diff;
}

}  // namespace parallax::test

// Made-up diffs: numbers from simple formulas, the same each time.
#include "report/page/tests/synthetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mapping/translate/translate.hpp"
#include "records/json.hpp"
#include "studies/diff/diff.hpp"
#include "studies/explain/tests/explanations.hpp"

namespace parallax {
namespace {

constexpr double copy_ceiling = 3.0e12, fma_ceiling = 6.1e13;

struct Kind {
    std::string suite, variant;
    std::vector<std::uint64_t> shape;
    Constants constants;
    double bytes, operations, efficiency;
};

/// The 40 cases of a diff's start: 8 strides, 8 lengths, 8 squares, 8 radii, 8 others.
Kind kind_of(std::size_t index) {
    const std::size_t group = index / 8 % 5, step = index % 8;
    const std::uint64_t lap = index / 40;
    const double bend = 1 / (1 + static_cast<double>(step));
    switch (group) {
        case 0:
            return {"strided_copy",
                    "strided",
                    {(1ULL << 26) + lap},
                    {{"GROUP", 256}, {"STRIDE", 1LL << step}},
                    5.4e8,
                    0,
                    0.95 * bend};
        case 1: {
            const std::uint64_t n = (1ULL << (14 + 2 * step)) + lap;
            const auto items = static_cast<double>(n);
            return {"reduction", "vector", {n},           {{"GROUP", 256}, {"OP", 0}},
                    4 * items,   items,    1 - 0.9 * bend};
        }
        case 2: {
            const std::uint64_t n = (step + 1) * 256 + lap;
            const auto side = static_cast<double>(n);
            return {"multiply",      "tiled",          {n, n, n},
                    {{"TILE", 16}},  12 * side * side, 2 * side * side * side,
                    0.5 - 0.3 * bend};
        }
        case 3: {
            const auto radius = static_cast<std::int64_t>(step + 1);
            return {"stencil1d",
                    "staged",
                    {(1ULL << 24) + lap},
                    {{"GROUP", 256}, {"RADIUS", radius}},
                    1.3e8,
                    1.7e7 * (2.0 * static_cast<double>(radius) + 1),
                    0.8};
        }
        default:
            return {"transpose",
                    step % 2 == 0 ? "padded" : "naive",
                    {1000 + lap, 777 + step},
                    {{"TILE", 32}, {"PAD", 1}},
                    6.2e6,
                    0,
                    step % 2 == 0 ? 0.7 : 0.2};
    }
}

Side measured(const Kind& kind, double slowdown, std::string_view backend) {
    Side side;
    side.status = Status::ok;
    side.runs = 1;
    side.bytes = kind.bytes;
    side.operations = kind.operations;
    side.copy_bytes_per_second = copy_ceiling * (backend == "cuda" ? 1.0 : 0.98);
    side.fma_operations_per_second = fma_ceiling;
    side.seconds =
        slowdown * (kind.bytes / copy_ceiling + kind.operations / fma_ceiling) / kind.efficiency;
    side.low = side.seconds * 0.997;
    side.high = side.seconds * 1.004;
    side.share = side.bytes_per_second() / side.copy_bytes_per_second;
    side.share_of = "copy";
    const double operations = side.operations_per_second() / fma_ceiling;
    if (operations > side.share) {
        side.share = operations;
        side.share_of = "fma";
    }
    side.options =
        backend == "cuda"
            ? std::vector<std::string>{"--std=c++17", "--gpu-architecture=sm_90", "--fmad=false"}
            : std::vector<std::string>{"-cl-std=CL1.2", "-cl-nv-verbose"};
    side.options.push_back("-DGROUP=256");
    LaunchRecord& launch = side.launches.emplace_back();
    launch.name = kind.variant;
    launch.groups = {32768, 8, 1};
    launch.items = {256, 1, 1};
    LaunchResources& resources = launch.resources.emplace();
    resources.registers = backend == "cuda" ? 32 : 30;
    resources.spill_bytes = 0;
    resources.local_bytes = 4096;
    resources.barriers = 1;
    resources.max_group_items = 1024;
    resources.groups_per_unit = 8;
    return side;
}

Ratio ratio_of(double value, double width) {
    return {.value = value,
            .low = value / width,
            .high = value * width,
            .confidence = 0.95,
            .log_error = std::log(width) / 2.1,
            .degrees = 14,
            .units_a = 15,
            .units_b = 15,
            .basis = "paired rounds"};
}

void stop(CaseDiff& c, Side& side, Status status, std::string reason) {
    side = {};
    side.status = status;
    side.reason = std::move(reason);
    c.ratio.reset();
    c.verdict = status == Status::wrong || status == Status::failed ? Verdict::wrong
                                                                    : Verdict::not_comparable;
    c.reason = "One side has no figure: " + side.reason;
    c.answer = {.right_a = true, .ulp_b = std::numeric_limits<double>::quiet_NaN()};
}

/// Every eighth case ends in another way than measured, each way once before it repeats.
void spoil(CaseDiff& c, std::size_t which) {
    switch (which % 6) {
        case 0: stop(c, c.b, Status::wrong, "Element 17 is 3.25 and should be 3.5."); break;
        case 1: stop(c, c.b, Status::unsupported, "The device has no doubles."); break;
        case 2:
            stop(c, c.a, Status::failed, "The compiler did not accept the kernel.");
            c.a.log =
                "transpose.cl:12:9: error: use of undeclared identifier 'tiel'\n"
                "    tiel[row][column] = in[i];\n    ^\n1 error generated.";
            break;
        case 3: stop(c, c.a, Status::skipped, "There was no time left."); break;
        case 4:
            stop(c, c.b, Status::ok, "");
            c.b.status.reset();
            c.reason = "Side B has no such case.";
            break;
        default:
            c.kernel = {.same = false,
                        .differences = {{"kernel source", "26e2b36f", "1472178852", true},
                                        {"driver", "580.1", "575.2", false}}};
            c.ratio.reset();
            c.verdict = Verdict::not_comparable;
            c.reason = "The kernel sources differ, so the speeds are not compared.";
    }
}

CaseDiff case_of(std::size_t index) {
    const Kind kind = kind_of(index);
    const double swing = std::sin(static_cast<double>(index) * 1.7);
    const double value = index % 3 == 0 ? 1 + 0.004 * swing : std::exp(0.5 * swing * swing * swing);
    const double width = index % 11 == 10 ? 1.06 : 1.005;
    CaseDiff c;
    c.key.suite = kind.suite;
    c.key.variant = kind.variant;
    c.key.type = index / 40 % 2 == 0 ? "float" : "double";
    c.key.shape = kind.shape;
    c.key.constants = kind.constants;
    c.file = kind.suite + ".cl";
    c.source_hash = "26e2b36f98457b8768f56e8c8ee21c5b";
    c.title = fmt::format("{}/{} {} {}", c.key.suite, c.key.variant, c.key.type,
                          fmt::join(c.key.shape, "x"));
    for (const auto& [name, number] : c.key.constants) {
        if (name != "GROUP") c.title += fmt::format(" {}={}", name, number);
    }
    c.a = measured(kind, 1, "opencl");
    c.b = measured(kind, value, "cuda");
    c.ratio = ratio_of(value, width);
    c.kernel.same = true;
    c.answer = {.right_a = true,
                .right_b = true,
                .ulp_a = 1,
                .ulp_b = 1.5,
                .repeatable_a = true,
                .repeatable_b = true,
                .identical = index % 4 != 1};
    if (index % 4 == 1) {
        c.answer.distance = {.elements = 1000,
                             .differing = 3,
                             .largest_ulp = 2,
                             .median_ulp = 1,
                             .first = 17,
                             .first_a = "0.1",
                             .first_b = "0.10000001"};
    }
    c.launching = index % 13 == 4;
    c.in_cache = index % 5 == 2;
    if (c.ratio->high < 1.02 && c.ratio->low > 1 / 1.02) {
        c.verdict = Verdict::same;
        c.reason = "The interval lies inside the margin of 2 %.";
    } else if (c.ratio->low > 1.02) {
        c.verdict = Verdict::slower;
        c.reason = fmt::format("B takes {:.2f} times as long as A.", value);
        c.b.notes = {"The clock of the device fell while it was measured."};
    } else if (c.ratio->high < 1 / 1.02) {
        c.verdict = Verdict::faster;
        c.reason = fmt::format("A takes {:.2f} times as long as B.", 1 / value);
    } else {
        c.verdict = Verdict::undecided;
        c.reason = "The interval holds an edge of the margin.";
    }
    if (index % 8 == 6) spoil(c, index / 8);
    return c;
}

/// An explanation with malicious strings.
Explanation hostile_explanation(const std::string& text) {
    Explanation e = test::fully_explained();
    e.title = e.answer = e.device_name.a = e.why_no_origin = text;
    for (Stage& stage : e.stages) stage.name = stage.scope = stage.note = text;
    for (OriginStep& step : e.origin) step.name = step.what = text;
    for (Trial& trial : e.trials) {
        trial.setting = text;
        trial.reason = text;
        trial.consequences = {text};
    }
    for (KernelEvidence* k : {&e.evidence.a[0], &e.evidence.b[0]}) {
        k->kernel = text;
        k->occupancy->limited_by = text;
        k->ptx_text = text + "\n" + k->ptx_text;
    }
    e.conclusion.cause = e.conclusion.remedy = text;
    e.conclusion.ruled_out = e.conclusion.not_tried = {text};
    return e;
}

}  // namespace

Diff synthetic_diff(std::size_t count) {
    Diff diff;
    diff.live = true;
    diff.a = {.name = "opencl:nvidia",
              .facts = {{"device", "NVIDIA H100 80GB HBM3"},
                        {"entry", "opencl:1"},
                        {"uuid", "7a"},
                        {"platform", "NVIDIA CUDA"},
                        {"driver", "580.159.04"},
                        {"compiler", "OpenCL C 1.2"},
                        {"sm_clock_mhz", "1980"}},
              .records = count,
              .runs = 1};
    diff.b = {.name = "cuda:0",
              .facts = {{"device", "NVIDIA H100 80GB HBM3"},
                        {"entry", "cuda:0"},
                        {"uuid", "7a"},
                        {"platform", "CUDA runtime 13.0"},
                        {"driver", "580.159.04"},
                        {"compiler", "NVRTC 13.0"},
                        {"sm_clock_mhz", "1980"}},
              .records = count,
              .runs = 1};
    diff.environment = {{"platform", "NVIDIA CUDA", "CUDA runtime 13.0", false},
                        {"compiler", "OpenCL C 1.2", "NVRTC 13.0", false}};
    diff.never_equal = {"OpenCL's compiler and NVRTC are two compilers.",
                        "OpenCL counts work-items, CUDA counts blocks."};
    diff.cases.reserve(count);
    for (std::size_t i = 0; i < count; ++i) diff.cases.push_back(case_of(i));
    if (count > 20) {
        diff.warnings = {
            "Another process used the device while side A was measured; "
            "close it and measure again."};
        for (std::size_t i = 0; i < 6; ++i) {
            diff.self.push_back({.device = i % 2 == 0 ? "opencl:nvidia" : "cuda:0",
                                 .title = diff.cases[i].title,
                                 .seconds = diff.cases[i].a.seconds,
                                 .ratio = ratio_of(1 + 0.001 * static_cast<double>(i), 1.004),
                                 .verdict = i == 5 ? Verdict::faster : Verdict::same});
        }
    }
    // The case's own name and numbers do not matter to the page.
    const std::vector<Explanation> explanations = test::all_explanations();
    for (std::size_t i = 0; i < std::min(explanations.size(), count - count % 40); ++i) {
        diff.cases[i + 1].explanation = explanations[i];
    }
    diff.measuring_seconds = static_cast<double>(count) * 0.21;
    diff.summary = summary_of(diff);
    return diff;
}

Diff hostile_diff() {
    const std::vector<std::string> texts{
        "<img src=x onerror=\"window.pwned=1\">",
        "</script><script>window.pwned=1</script>",
        "<!--<script>",
        "\"><svg onload=window.pwned=1>",
        "{{chart.js}} ${window.pwned=1} &lt;b&gt;",
        "=HYPERLINK(\"http://example.invalid\")",
        "+1+1",
        "-2",
        "@SUM(A1)",
        "\t=1",
        "\x1b[31mred\x07 \u202edesrever \u2028line\u2029 \ufeff",
        "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xff\xfe not UTF-8 \xc3",
        "__proto__",
        "constructor",
        "",
        std::string(400, 'x'),
        "javascript:window.pwned=1",
        std::string("nul\0inside", 10),
    };
    Diff diff = synthetic_diff(40);
    for (std::size_t i = 0; i < diff.cases.size(); ++i) {
        CaseDiff& c = diff.cases[i];
        const std::string& text = texts[i % texts.size()];
        const std::string& other = texts[(i + 1) % texts.size()];
        if (i % 3 == 0) c.key.suite = text;
        c.key.variant = other;
        c.key.type = text;
        c.title = text + (i < texts.size() ? "" : " again");
        c.reason = other;
        c.file = i % 2 == 0 ? "transpose.cl" : text;
        c.source_hash = text;
        c.key.constants.emplace_back(text, -3);
        c.kernel.differences = {{text, other, text, i % 2 == 0}};
        if (c.ratio) c.ratio->basis = text;
        c.explanation = hostile_explanation(text);
        c.answer.distance = {.elements = 10, .differing = 1, .first_a = text, .first_b = other};
        for (Side* side : {&c.a, &c.b}) {
            side->reason = text;
            side->log = fmt::format("{}\n{}", text, other);
            side->share_of = text;
            side->options = {text, other};
            side->notes = {text};
            LaunchRecord launch;
            launch.name = text;
            if (i % 2 == 0) launch.resources.emplace();
            side->launches = {launch};
        }
    }
    diff.cases[1].ratio = ratio_of(std::numeric_limits<double>::quiet_NaN(), 1);
    diff.cases[2].ratio = ratio_of(std::numeric_limits<double>::infinity(), 1);
    diff.cases[3].ratio = ratio_of(0, 1);
    diff.cases[4].ratio = ratio_of(1e-9, 2);
    diff.cases[5].ratio = ratio_of(1e9, 2);
    diff.a.name = texts[0];
    diff.b.name = texts[10];
    for (const std::string& text : texts) {
        diff.a.facts.emplace_back(text, text);
        diff.b.facts.emplace_back(text, text + "b");
        diff.environment.push_back({text, text, text, true});
        diff.never_equal.push_back(text);
        diff.warnings.push_back(text);
        diff.self.push_back({.device = text, .title = text, .ratio = ratio_of(1, 1.1)});
    }
    diff.baseline = texts[1];
    diff.max_slowdown = 0.05;
    return diff;
}

std::vector<KernelTexts> synthetic_kernels() {
    const std::string opencl =
        "// out[x][y] = in[y][x]\n"
        "__kernel void naive(__global const float* in, __global float* out, const ulong n) {\n"
        "    const size_t x = get_global_id(0);\n"
        "    if (x < n) out[x] = in[n - 1 - x];\n"
        "}\n";
    const std::string alone = "__kernel void shuffle(void) {}\n";
    return {{"transpose.cl", side_by_side(opencl, to_cuda("transpose.cl", opencl, {})),
             "__device__ float twice(float x) { return 2 * x; }\n"},
            {"reduction.opencl.cl",
             side_by_side("reduction.opencl.cl", alone, "no CUDA source", ""), ""}};
}

std::vector<KernelTexts> hostile_kernels() {
    const std::string text =
        "</script><img src=x onerror=window.pwned=1> /* \xe2\x80\xae */ <!--\n\x1b\n";
    return {{text, side_by_side(text, text, text, text), text}};
}

std::string synthetic_course() {
    const std::string choices = "1. this\n2. that\n3. neither\n\n</div>\n\n";
    const std::string answer =
        "<details><summary>What was measured, and why</summary>\n\n"
        "| device | time |\n| --- | --- |\n| a-device-with-a-rather-long-name | 1.00 ms |\n\n"
        "Because of `x`.\n\n</details>\n\n";
    return "# A course\n\n## A lesson\n\n### 1. First\n\n```c\n__kernel void a(__global float* "
           "very_long_parameter_name, const ulong another_long_parameter_name, const uint n) "
           "{}\n```\n\n"
           "<details><summary>The same in CUDA C++</summary>\n\n```cpp\nextern \"C\" __global__ "
           "void "
           "a() {}\n```\n\n</details>\n\n"
           "<div class=\"choices\" data-right=\"2\">\n\n" +
           choices + answer +
           "### 2. Second\n\n```diff\n- old\n+ new\n```\n\n"
           "<div class=\"choices\" data-right=\"\">\n\n" +
           choices + answer;
}

}  // namespace parallax

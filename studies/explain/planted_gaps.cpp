// The planted gaps: kernels of the suites, changed in one thing on one side.
#include "studies/explain/planted_gaps.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "studies/explain/host_knobs.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax {
namespace {

using Change = std::function<void(Configuration&)>;

Change option(const char* word) {
    return [word](Configuration& s) { s.program.options.emplace_back(word); };
}

Change constant(const char* name, std::int64_t value) {
    return [=](Configuration& s) { s.constants.push_back({name, value}); };
}

Change both(Change first, Change second) {
    return [first = std::move(first), second = std::move(second)](Configuration& s) {
        first(s);
        second(s);
    };
}

/// A stencil with more to do for each element, so that arithmetic decides.
Change stencil_with(const std::string& steps) {
    return planted_edit("        out[i] = sum;", steps + "        out[i] = sum;");
}

Change plan(PlanChange change) {
    return [change = std::move(change)](Configuration& s) { s.plan_changes.push_back(change); };
}

/// Buffers of one kind in memory of another.
Change placed(Placement from, Placement to) {
    return plan([=](Plan& p) {
        for (BufferSpec& buffer : p.buffers) {
            if (buffer.placement == from) buffer.placement = to;
        }
    });
}

/// A work-item copies eight elements; seven of eight work-items have nothing to do.
constexpr const char* eight_each =
    "get_global_id(0);\n    const size_t part = n / 8;\n    if (i < part) {\n"
    "        for (uint r = 0; r < 8; ++r) out[i + r * part] = in[i + r * part];\n    }\n"
    "    if (i < n - 8 * part) out[8 * part + i] = in[8 * part + i];";

// Divided by one that the compiler does not know to be one.
constexpr const char* divide_float =
    "        for (uint r = 0; r < 32; ++r) sum = sum / (1.0f * get_num_groups(1));\n";
constexpr const char* divide_double =
    "        for (uint r = 0; r < 32; ++r) sum = sum / (1.0 * get_num_groups(1));\n";

const Shape square{{2048, 2048, 2048}};
const Shape medium{{1024, 1024, 1024}};
const Shape one_row{{std::uint64_t{1} << 25}};

Change products_and_sums() {
    return both(planted_edit("sums[i][j] = fma(from_a[i], from_b[j], sums[i][j])",
                             "sums[i][j] = from_a[i] * from_b[j] + sums[i][j]"),
                [](Configuration& s) { s.program.floats.contract = true; });
}

// Back and forth by remainders, to the same index in the end.
Change modulo() {
    return planted_edit("const size_t i = item + offset < n ? item + offset : item + offset - n;",
                        "size_t i = (item + offset) % n;\n"
                        "        for (uint r = 0; r < 16; ++r) i = (i + n - 1) % n;\n"
                        "        for (uint r = 0; r < 16; ++r) i = (i + 1) % n;");
}

/// A kernel of a suite as both sides run it; members as in PlantedGap.
struct OnBothSides {
    const char *suite, *variant;
    Shape shape;
    std::vector<Constant> constants = {};
    Change base = {};
};

PlantedGap gap(const char* name, const char* what, OnBothSides kernel, const char* backend,
               Change plant, std::vector<std::string> knobs, bool on_other = false) {
    return {.name = name,
            .what = what,
            .suite = kernel.suite,
            .variant = kernel.variant,
            .shape = std::move(kernel.shape),
            .constants = std::move(kernel.constants),
            .base = std::move(kernel.base),
            .backend = backend,
            .plant = std::move(plant),
            .on_other = on_other,
            .knobs = std::move(knobs)};
}

std::vector<PlantedGap> gaps_of_suites() {
    const std::vector<Constant> small_blocks{{"BLOCK", 64}, {"EACH", 4}};
    return {
        gap("unaligned blocks", "local arrays aligned to 4 bytes",
            {"multiply", "blocked", square, small_blocks}, "opencl", constant("ALIGN", 4),
            {"alignment"}),
        gap("unaligned tiles", "local arrays aligned to 4 bytes",
            {"multiply", "staged_ab", square, {{"TILE", 32}}}, "opencl", constant("ALIGN", 4),
            {"alignment"}),
        gap("few registers, OpenCL", "at most 40 registers an item",
            {"multiply", "blocked", square}, "opencl", option("-cl-nv-maxrregcount=40"),
            {"register cap"}),
        gap("spills, CUDA", "at most 64 registers an item, so that values spill",
            {"multiply", "blocked", square}, "cuda", option("--maxrregcount=64"), {"register cap"}),
        gap("wide indices, CUDA", "a remainder of 64 bits for each index",
            {"strided_copy", "offset", one_row, {}, modulo()}, "opencl",
            planted_rewrite(narrow_indices), {"index width"}, true),
        gap("wide indices, OpenCL", "a remainder of 64 bits for each index",
            {"strided_copy", "offset", one_row, {}, modulo()}, "cuda",
            planted_rewrite(narrow_indices), {"index width"}, true),
        gap("no contraction, CUDA", "products and sums are not fused",
            {"multiply", "blocked", square, {}, products_and_sums()}, "cuda",
            [](Configuration& s) { s.program.floats.contract = false; }, {"contraction"}),
        gap("exact division, CUDA", "division rounded correctly",
            {"stencil1d",
             "global",
             one_row,
             {},
             both(stencil_with(divide_float),
                  [](Configuration& s) { s.program.floats.exact_division = false; })},
            "cuda", [](Configuration& s) { s.program.floats.exact_division = true; },
            {"exact division"}),
        gap("bank conflicts, OpenCL", "a tile without its spare column",
            {"transpose", "padded", {{8192, 8192}}}, "opencl", constant("PAD", 0), {"padding"}),
        gap("no restrict, CUDA", "pointers without restrict",
            {"strided_copy",
             "copy",
             one_row,
             {},
             planted_edit("get_global_id(0);\n    if (i < n) out[i] = in[i];", eight_each)},
            "opencl",
            planted_rewrite([](std::string_view t) { return restrict_pointers(t, false); }),
            {"restrict", "read-only loads"}, true),
        gap("no unrolling, OpenCL", "#pragma unroll 1 on all loops",
            {"multiply", "staged_ab", medium}, "opencl",
            planted_rewrite([](std::string_view t) { return unroll_loops(t, Unroll::forbidden); }),
            {"unrolling"}),
        gap("small groups, CUDA", "groups of 32 items", {"strided_copy", "copy", one_row}, "cuda",
            constant("GROUP", 32), {"work-group size"}),
        gap("no optimisation, OpenCL", "-cl-opt-disable", {"multiply", "staged_ab", medium},
            "opencl", option("-cl-opt-disable"), {"optimisation level"}),
        gap("volatile tiles, CUDA", "volatile local arrays", {"multiply", "staged_ab", square},
            "cuda",
            planted_edit("T tile_a[TILE][TILE];\n    __local __attribute__((aligned(ALIGN))) T "
                         "tile_b",
                         "volatile T tile_a[TILE][TILE];\n    __local "
                         "__attribute__((aligned(ALIGN))) volatile T tile_b"),
            {"volatile"}),
        gap("stray doubles, CUDA", "a literal without its f",
            {"stencil1d", "global", one_row, {}, stencil_with(divide_float)}, "cuda",
            [](Configuration& s) {
                s.program.edits.clear();
                stencil_with(divide_double)(s);
            },
            {"doubles"}),
        gap("one queue for two, CUDA", "transfers in both directions wait in one queue",
            {"transfer", "both_at_once", {{std::uint64_t{1} << 24}}}, "cuda",
            plan(host_knobs::in_one_queue), {"queues"}),
        gap("pageable memory, OpenCL", "the host's memory is not page-locked",
            {"transfer", "to_device_locked", {{std::uint64_t{1} << 24}}}, "opencl",
            placed(Placement::page_locked, Placement::pageable), {"memory"}),
        gap("many small transfers, OpenCL", "256 transfers for one",
            {"transfer", "to_device_locked", {{std::uint64_t{1} << 22}}}, "opencl",
            plan([](Plan& p) { host_knobs::split_transfers(p, 256); }), {"transfers"}),
        gap("mapped memory, CUDA", "the kernel works in the host's memory",
            {"strided_copy", "copy", one_row}, "cuda", placed(Placement::device, Placement::mapped),
            {"memory"}),
    };
}

}  // namespace

Change planted_edit(std::string find, std::string replace) {
    return [find = std::move(find), replace = std::move(replace)](Configuration& s) {
        s.program.edits.push_back({find, replace, "planted"});
    };
}

Change planted_rewrite(std::function<Rewritten(std::string_view)> how) {
    return [how = std::move(how)](Configuration& s) {
        s.program.source = edited_source(s.program);
        s.program.edits.clear();
        if (Rewritten text = how(s.program.source)) s.program.source = std::move(*text);
    };
}

const std::vector<PlantedGap>& planted_gaps() {
    static const std::vector<PlantedGap> all = [] {
        std::vector<PlantedGap> gaps = gaps_of_suites(), more = gaps_of_strangers();
        std::ranges::move(more, std::back_inserter(gaps));
        return gaps;
    }();
    return all;
}

const PlantedGap& planted_gap_named(std::string_view name) {
    std::vector<std::string> known;
    for (const PlantedGap& gap : planted_gaps()) {
        if (gap.name == name) return gap;
        known.push_back(fmt::format("'{}'", gap.name));
    }
    throw UsageError(fmt::format("No planted gap is called '{}'. There are, beside 'all': {}.",
                                 name, fmt::join(known, "; ")));
}

Case case_of(const PlantedGap& gap) {
    const Suite& suite = gap.is_stranger ? stranger(gap.suite) : suite_named(gap.suite);
    const Variant& variant =
        gap.variant.empty() ? suite.variants.front() : variant_named(suite, gap.variant);
    return make_case(suite, variant, gap.shape.extents.empty() ? suite.shapes.front() : gap.shape,
                     suite.types.front(), gap.constants);
}

void PlantedTally::add(const PlantedGap& gap, const Explanation& found) {
    Row row{
        gap.name,
        gap.what,
        fmt::format("{:.3f} ({:.3f} to {:.3f})", found.gap.value, found.gap.low, found.gap.high),
        "nothing",
        duration(found.took_seconds),
        false};
    if (!found.conclusion.by.empty()) {
        const Trial& best = found.trials.at(found.conclusion.by.front());
        row.named = fmt::format("{}: {} on {}, closes {:.0f} %", fmt::join(best.knobs, " and "),
                                best.setting, name_of(best.side), 100 * best.closes);
        row.found = found.conclusion.explained && best.knobs.size() == 1 &&
                    std::ranges::find(gap.knobs, best.knobs.front()) != gap.knobs.end();
    }
    rows_.push_back(std::move(row));
}

void PlantedTally::add(const PlantedGap& gap, const std::string& problem) {
    rows_.push_back({gap.name, gap.what, "", problem, "", false});
}

std::size_t PlantedTally::missed() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rows_, [](const Row& row) { return !row.found; }));
}

std::string PlantedTally::text() const {
    using enum Table::Align;
    Table table({left, left, left, left, right, left});
    table.add({"planted gap", "what was planted", "B over A", "named first", "took", ""});
    for (const Row& row : rows_) {
        table.add(
            {row.name, row.what, row.gap, row.named, row.took, row.found ? "found" : "MISSED"});
    }
    return table.text() + fmt::format("{} of {} planted causes were named first.\n",
                                      rows_.size() - missed(), rows_.size());
}

}  // namespace parallax

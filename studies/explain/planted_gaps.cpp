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

std::vector<PlantedGap> gaps_of_suites() {
    const std::vector<Constant> small_blocks{{"BLOCK", 64}, {"EACH", 4}};
    return {
        {.name = "unaligned blocks",
         .what = "local arrays aligned to 4 bytes",
         .suite = "multiply",
         .variant = "blocked",
         .shape = square,
         .constants = small_blocks,
         .backend = "opencl",
         .plant = constant("ALIGN", 4),
         .knobs = {"alignment"}},
        {.name = "unaligned tiles",
         .what = "local arrays aligned to 4 bytes",
         .suite = "multiply",
         .variant = "staged_ab",
         .shape = square,
         .constants = {{"TILE", 32}},
         .backend = "opencl",
         .plant = constant("ALIGN", 4),
         .knobs = {"alignment"}},
        {.name = "few registers, OpenCL",
         .what = "at most 40 registers an item",
         .suite = "multiply",
         .variant = "blocked",
         .shape = square,
         .backend = "opencl",
         .plant = option("-cl-nv-maxrregcount=40"),
         .knobs = {"register cap"}},
        {.name = "spills, CUDA",
         .what = "at most 64 registers an item, so that values spill",
         .suite = "multiply",
         .variant = "blocked",
         .shape = square,
         .backend = "cuda",
         .plant = option("--maxrregcount=64"),
         .knobs = {"register cap"}},
        {.name = "wide indices, CUDA",
         .what = "a remainder of 64 bits for each index",
         .suite = "strided_copy",
         .variant = "offset",
         .shape = one_row,
         .base = modulo(),
         .backend = "opencl",
         .plant = planted_rewrite(narrow_indices),
         .on_other = true,
         .knobs = {"index width"}},
        {.name = "wide indices, OpenCL",
         .what = "a remainder of 64 bits for each index",
         .suite = "strided_copy",
         .variant = "offset",
         .shape = one_row,
         .base = modulo(),
         .backend = "cuda",
         .plant = planted_rewrite(narrow_indices),
         .on_other = true,
         .knobs = {"index width"}},
        {.name = "no contraction, CUDA",
         .what = "products and sums are not fused",
         .suite = "multiply",
         .variant = "blocked",
         .shape = square,
         .base = products_and_sums(),
         .backend = "cuda",
         .plant = [](Configuration& s) { s.program.floats.contract = false; },
         .knobs = {"contraction"}},
        {.name = "exact division, CUDA",
         .what = "division rounded correctly",
         .suite = "stencil1d",
         .variant = "global",
         .shape = one_row,
         .base = both(stencil_with(divide_float),
                      [](Configuration& s) { s.program.floats.exact_division = false; }),
         .backend = "cuda",
         .plant = [](Configuration& s) { s.program.floats.exact_division = true; },
         .knobs = {"exact division"}},
        {.name = "bank conflicts, OpenCL",
         .what = "a tile without its spare column",
         .suite = "transpose",
         .variant = "padded",
         .shape = {{8192, 8192}},
         .backend = "opencl",
         .plant = constant("PAD", 0),
         .knobs = {"padding"}},
        {.name = "no restrict, CUDA",
         .what = "pointers without restrict",
         .suite = "strided_copy",
         .variant = "copy",
         .shape = one_row,
         .base = planted_edit("get_global_id(0);\n    if (i < n) out[i] = in[i];", eight_each),
         .backend = "opencl",
         .plant = planted_rewrite([](std::string_view t) { return restrict_pointers(t, false); }),
         .on_other = true,
         .knobs = {"restrict", "read-only loads"}},
        {.name = "no unrolling, OpenCL",
         .what = "#pragma unroll 1 on all loops",
         .suite = "multiply",
         .variant = "staged_ab",
         .shape = medium,
         .backend = "opencl",
         .plant =
             planted_rewrite([](std::string_view t) { return unroll_loops(t, Unroll::forbidden); }),
         .knobs = {"unrolling"}},
        {.name = "small groups, CUDA",
         .what = "groups of 32 items",
         .suite = "strided_copy",
         .variant = "copy",
         .shape = one_row,
         .backend = "cuda",
         .plant = constant("GROUP", 32),
         .knobs = {"work-group size"}},
        {.name = "no optimisation, OpenCL",
         .what = "-cl-opt-disable",
         .suite = "multiply",
         .variant = "staged_ab",
         .shape = medium,
         .backend = "opencl",
         .plant = option("-cl-opt-disable"),
         .knobs = {"optimisation level"}},
        {.name = "volatile tiles, CUDA",
         .what = "volatile local arrays",
         .suite = "multiply",
         .variant = "staged_ab",
         .shape = square,
         .backend = "cuda",
         .plant =
             planted_edit("T tile_a[TILE][TILE];\n    __local __attribute__((aligned(ALIGN))) T "
                          "tile_b",
                          "volatile T tile_a[TILE][TILE];\n    __local "
                          "__attribute__((aligned(ALIGN))) volatile T tile_b"),
         .knobs = {"volatile"}},
        {.name = "stray doubles, CUDA",
         .what = "a literal without its f",
         .suite = "stencil1d",
         .variant = "global",
         .shape = one_row,
         .base = stencil_with(divide_float),
         .backend = "cuda",
         .plant =
             [](Configuration& s) {
                 s.program.edits.clear();
                 stencil_with(divide_double)(s);
             },
         .knobs = {"doubles"}},
        {.name = "one queue for two, CUDA",
         .what = "transfers in both directions wait in one queue",
         .suite = "transfer",
         .variant = "both_at_once",
         .shape = {{std::uint64_t{1} << 24}},
         .backend = "cuda",
         .plant = plan(host_knobs::in_one_queue),
         .knobs = {"queues"}},
        {.name = "pageable memory, OpenCL",
         .what = "the host's memory is not page-locked",
         .suite = "transfer",
         .variant = "to_device_locked",
         .shape = {{std::uint64_t{1} << 24}},
         .backend = "opencl",
         .plant = placed(Placement::page_locked, Placement::pageable),
         .knobs = {"memory"}},
        {.name = "many small transfers, OpenCL",
         .what = "256 transfers for one",
         .suite = "transfer",
         .variant = "to_device_locked",
         .shape = {{std::uint64_t{1} << 22}},
         .backend = "opencl",
         .plant = plan([](Plan& p) { host_knobs::split_transfers(p, 256); }),
         .knobs = {"transfers"}},
        {.name = "mapped memory, CUDA",
         .what = "the kernel works in the host's memory",
         .suite = "strided_copy",
         .variant = "copy",
         .shape = one_row,
         .backend = "cuda",
         .plant = placed(Placement::device, Placement::mapped),
         .knobs = {"memory"}},
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

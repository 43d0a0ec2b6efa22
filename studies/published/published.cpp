// The table of published figures, which of them belong to a case, and how they are said.
#include "studies/published/published.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "records/result_store.hpp"
#include "studies/published/documents.hpp"
#include "suites/case_words.hpp"

namespace parallax {
namespace {

using namespace documents;

constexpr std::string_view gtx_285 = "GeForce GTX 285";
constexpr std::string_view gtx_280 = "GeForce GTX 280";
constexpr std::string_view fx_5600 = "Quadro FX 5600";

/// A case in words, and its figure.
struct FigureOf {
    std::string_view of;
    double value;
};

constexpr FigureOf matvec_times[]{
    // The first kernel's 196 groups follow from the height; the others loop.
    {"matvec/row_per_item GROUP=512 1100x100000", 135.9},
    {"matvec/rows_strided GROUP=512 GROUPS=60 1100x100000", 135.5},
    {"matvec/group_serial GROUP=512 GROUPS=60 1100x100000", 99.7},
    {"matvec/tree_interleaved GROUP=512 GROUPS=60 1100x100000", 31.4},
    {"matvec/tree_sequential GROUP=512 GROUPS=60 1100x100000", 23.9},
    {"matvec/warp GROUP=512 GROUPS=60 1100x100000", 21.7}};
constexpr FigureOf transpose_280[]{
    {"transpose/naive", 1.1}, {"transpose/tiled", 24.8}, {"transpose/padded", 30.3}};
constexpr FigureOf transpose_5600[]{
    {"transpose/naive", 0.4}, {"transpose/tiled", 13.3}, {"transpose/padded", 15.6}};
constexpr FigureOf multiply_280[]{
    {"multiply/naive", 8.8}, {"multiply/staged_a", 14.3}, {"multiply/staged_ab", 29.7}};
constexpr FigureOf multiply_5600[]{
    {"multiply/naive", 0.62}, {"multiply/staged_a", 7.34}, {"multiply/staged_ab", 15.5}};
constexpr FigureOf smoothing_times[]{
    {"smoothing/plain 664x1024", 57},   {"smoothing/staged 664x1024", 19},
    {"smoothing/padded 664x1024", 16},  {"smoothing/padded_staged 664x1024", 13},
    {"smoothing/padded 1024x664", 13},  {"smoothing/padded_staged 1024x664", 12},
    {"smoothing/pitched 664x1024", 16}, {"smoothing/pitched_staged 664x1024", 12}};

/// A step of the ladder of matrix products at one size of groups.
struct Rung {
    std::string_view variant;
    int group;
    double overall, kernel;
};
constexpr Rung ladder[]{
    {"plain", 32, 23.3, 24.2},          {"plain", 64, 26.0, 27.0},
    {"plain", 128, 24.5, 25.3},         {"plain", 256, 24.9, 25.9},
    {"strip_of_c", 32, 28.5, 29.8},     {"strip_of_c", 64, 40.4, 43.1},
    {"strip_of_c", 128, 40.5, 43.2},    {"strip_of_c", 256, 41.2, 44.0},
    {"two_rows", 32, 40.4, 43.1},       {"two_rows", 64, 40.7, 43.4},
    {"two_rows", 128, 40.8, 43.6},      {"four_rows", 32, 40.8, 43.4},
    {"four_rows", 64, 40.9, 43.6},      {"four_rows", 128, 39.6, 42.1},
    {"two_columns", 32, 52.7, 57.3},    {"two_columns", 64, 75.2, 84.8},
    {"two_columns", 128, 76.2, 86.3},   {"four_columns", 32, 92.3, 107.4},
    {"four_columns", 64, 131.3, 163.8}, {"four_columns", 128, 134.6, 169.1},
};

std::vector<Published> all_published() {
    std::vector<Published> all;
    const auto add = [&](const Publication& document, std::string_view device, Unit unit,
                         std::span<const FigureOf> figures, std::string_view figure = {}) {
        for (const FigureOf& f : figures) {
            all.push_back(
                {case_named(f.of), device, f.value, unit, std::string(figure), &document, {}, {}});
        }
    };
    const auto add_one = [&](const Publication& document, std::string_view device, Unit unit,
                             FigureOf one, std::string_view figure = {}) {
        add(document, device, unit, {&one, 1}, figure);
    };
    const auto say = [&](std::string_view row, const Publication& document, std::string_view device,
                         double value, Unit unit, std::string_view figure) {
        all.push_back({{}, device, value, unit, std::string(figure), &document, row, {}});
    };
    add(architecture, gtx_285, Unit::milliseconds, matvec_times);
    add(optimization, gtx_280, Unit::gigabytes_per_second, transpose_280);
    add(optimization, fx_5600, Unit::gigabytes_per_second, transpose_5600);
    for (const auto& [device, times] : {std::pair{gtx_280, 1.7}, {fx_5600, 8.0}}) {
        add_one(optimization, device, Unit::times_slower, {"strided_copy/offset OFFSET=1", times});
        all.back().against = "OFFSET=0";
    }
    add(optimization, gtx_280, Unit::gigabytes_per_second, multiply_280);
    add(optimization, fx_5600, Unit::gigabytes_per_second, multiply_5600);
    for (const Rung& rung : ladder) {
        const std::string words =
            fmt::format("multiply_ladder/{} GROUP={} 4096x4096x4096", rung.variant, rung.group);
        add_one(introduction, "", Unit::gigaflops, {words, rung.overall}, "overall");
        add_one(introduction, "", Unit::gigaflops, {words, rung.kernel}, "kernel only");
    }
    say("multiply_ladder", introduction, "a CPU that the document does not name", 0.969,
        Unit::gigaflops, "the product of 1024x1024 matrices in plain C on the CPU");
    say("multiply_ladder", introduction, "one core of a 3 GHz Intel Xeon", 1.7, Unit::gigaflops,
        "a product of matrices on the CPU with loops in the order j, k, i");
    add(course_page, "GeForce 9600M GT", Unit::milliseconds, smoothing_times);
    add_one(optimization, "PCI-e x16 Gen2", Unit::gigabytes_per_second, {"transfer/to_device", 8});
    add_one(optimization, gtx_280, Unit::gigabytes_per_second, {"ceiling/copy", 141});
    say("configuration", optimization, "", 64, Unit::items, "the least size of a group");
    say("configuration", optimization, "", 256, Unit::items,
        "a larger size that may be better, and should be tried");
    say("memory_spaces", optimization, "", 100, Unit::times_faster,
        "the latency of local memory against that of global memory (about)");
    add_one(introduction, gtx_280, Unit::gigabytes_per_second, {"ceiling/copy", 141.6},
            "theoretical");
    return all;
}

}  // namespace

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

std::string reference_of(const Publication& document) {
    return fmt::format("{}, {}, {}", document.author, document.title, document.date);
}

const std::vector<Published>& published() {
    static const std::vector<Published> all = all_published();
    return all;
}

const std::vector<OccupancyExample>& occupancy_examples() {
    static const std::vector<OccupancyExample> all{
        {"1.0", 192, 20, 68, 50, &optimization},   {"1.0", 256, 10, 0, 100, &optimization},
        {"1.0", 256, 11, 0, 66, &optimization},    {"1.0", 128, 11, 0, 83, &optimization},
        {"1.3", 256, 8, 2048, 100, &introduction},
    };
    return all;
}

std::vector<const Published*> published_for(const CaseKey& c) {
    std::vector<const Published*> found;
    for (const Published& p : published()) {
        CaseKey wanted = p.key;
        if (c.shape.empty()) wanted.shape.clear();
        const bool is_named = std::ranges::all_of(wanted.constants, [&](const Constant& one) {
            return c.value_of(one.name).has_value();
        });
        if (p.row.empty() && is_named && is_case(c, wanted)) found.push_back(&p);
    }
    return found;
}

std::string text_of(const Published& p) {
    switch (p.unit) {
        case Unit::milliseconds: return fmt::format("{} ms", p.value);
        case Unit::gigabytes_per_second: return fmt::format("{} GB/s", p.value);
        // The documents print 26.0 next to 23.3.
        case Unit::gigaflops:
            return p.value < 1 ? fmt::format("{} GFLOP/s", p.value)
                               : fmt::format("{:.1f} GFLOP/s", p.value);
        case Unit::times_slower:
            return fmt::format("{} times slower than with {}", p.value, p.against);
        case Unit::times_faster: return fmt::format("{} times", p.value);
        case Unit::items: return fmt::format("{} work-items", p.value);
    }
    return {};
}

}  // namespace parallax

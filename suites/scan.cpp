// The sums of all elements up to each. After "Parallel Prefix Sum (Scan) with CUDA" (M. Harris,
// 2007) and "Single-pass Parallel Prefix Scan with Decoupled Look-back" (D. Merrill, M. Garland,
// NVIDIA, 2016).
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/library_variant.hpp"
#include "suites/parts.hpp"

namespace parallax::scan_suite {
namespace {

std::uint64_t group(const Case& c) {
    return count_of(c, "GROUP");
}
/// Elements per work-group.
std::uint64_t tile(const Case& c) {
    return group(c) * count_of(c, "ITEMS");
}

Plan begin(const Case& c) {
    Plan plan = in_to_out(c);
    return plan;
}

BufferIndex scratch(Plan& plan, ElementType type, std::uint64_t elements) {
    plan.buffers.push_back({"of tiles", Role::scratch, type, elements});
    return {plan.buffers.size() - 1};
}

void launch(Plan& plan, const Case& c, const char* kernel, std::uint64_t groups,
            std::vector<LaunchArgument> arguments) {
    plan.steps.push_back(Launch{kernel, in_a_row(groups, group(c)), std::move(arguments)});
}

/// Turns sums of tiles into prefix sums of tiles, in as many levels as needed. `reads_twice`: the
/// prefix is known before the tile is scanned, and not added afterwards.
void add_levels(Plan& plan, const Case& c, BufferIndex from, BufferIndex to, std::uint64_t count,
                bool reads_twice) {
    const std::uint64_t tiles = divide_up(count, tile(c));
    const BufferIndex sums = scratch(plan, c.type, tiles);
    if (tiles == 1) {
        launch(plan, c, "scan_tiles", tiles, {from, to, sums, count, std::uint32_t{0}});
        return;
    }
    const BufferIndex before = scratch(plan, c.type, tiles);
    if (reads_twice) {
        launch(plan, c, "sum_tiles", tiles, {from, sums, count});
        add_levels(plan, c, sums, before, tiles, reads_twice);
        launch(plan, c, "scan_tiles", tiles, {from, to, before, count, std::uint32_t{1}});
    } else {
        launch(plan, c, "scan_tiles", tiles, {from, to, sums, count, std::uint32_t{0}});
        add_levels(plan, c, sums, before, tiles, reads_twice);
        launch(plan, c, "add_before", tiles - 1, {to, before, count});
    }
}

Plan levels(const Case& c, bool reads_twice) {
    Plan plan = begin(c);
    add_levels(plan, c, {0}, {1}, c.shape[0], reads_twice);
    return plan;
}

Plan look_back(const Case& c) {
    Plan plan = begin(c);
    const std::uint64_t tiles = divide_up(c.shape[0], tile(c)), words = tiles + 1;
    const BufferIndex told = scratch(plan, ElementType::u64, words);
    launch(plan, c, "forget", divide_up(words, group(c)), {told, words});
    launch(plan, c, "look_back", tiles, {BufferIndex{0}, BufferIndex{1}, told, c.shape[0]});
    return plan;
}

/// Successive additions inside a tile, and those of its prefix: three within a vector of four,
/// twice a work-item's vectors, the steps of a work-group, and three that combine them.
double tile_depth(const Case& c) {
    return 6 + static_cast<double>(c["ITEMS"]) / 2 +
           std::ceil(std::log2(static_cast<double>(group(c))));
}

double levels_depth(const Case& c) {
    double levels = 0;
    for (std::uint64_t count = c.shape[0]; levels == 0 || count > 1; ++levels) {
        count = divide_up(count, tile(c));
    }
    return levels * tile_depth(c);
}

double look_back_depth(const Case& c) {
    return tile_depth(c) + static_cast<double>(divide_up(c.shape[0], tile(c)));
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const std::uint64_t n = c.shape[0];
    std::vector<HostArray> arrays;
    arrays.emplace_back(c.type, n);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        using Limits = std::numeric_limits<T>;
        const std::span<T> data = arrays[0].as<T>();
        // Integer sums must not overflow.
        const double reach = std::max(3.0, std::floor(0x1p31 / static_cast<double>(n)) - 1);
        const bool is_exact = pattern.exact, is_denormal = pattern.name == "denormals";
        fill_by_index(data, [=](std::uint64_t i) -> T {
            // Both signs, so that sums stay small enough to be exact.
            if (is_exact) return static_cast<T>(small_integer(seed, i));
            const double u = uniform(seed, i);
            if constexpr (std::is_integral_v<T>) {
                return static_cast<T>(u * reach);
            } else {
                if (is_denormal) return static_cast<T>(u * static_cast<double>(Limits::min()));
                return static_cast<T>(u);
            }
        });
        if constexpr (Limits::has_infinity) {
            if (pattern.name == "one nan") data[mix(seed, n) % n] = Limits::quiet_NaN();
            if (pattern.name == "infinity") data[mix(seed, n) % n] = Limits::infinity();
        }
    });
    return arrays;
}

/// The sums in a wider type, and those of magnitudes: first in chunks, then with their prefixes.
template <class Wide, class T>
std::pair<std::vector<Wide>, std::vector<double>> sums_of(std::span<const T> data) {
    std::vector<Wide> values(data.size());
    std::vector<double> magnitudes(data.size());
    std::vector<std::pair<Wide, double>> before(chunk_count(data.size()) + 1);
    const auto add = [&](bool store) {
        for_chunks(data.size(), [&](std::uint64_t begin, std::uint64_t end, std::size_t chunk) {
            auto [sum, magnitude] = store ? before[chunk] : std::pair<Wide, double>{};
            for (std::uint64_t i = begin; i < end; ++i) {
                sum += static_cast<Wide>(data[i]);
                magnitude += std::fabs(static_cast<double>(data[i]));
                if (!store) continue;
                values[i] = sum;
                magnitudes[i] = magnitude;
            }
            if (!store) before[chunk + 1] = {sum, magnitude};
        });
    };
    add(false);
    for (std::size_t chunk = 1; chunk < before.size(); ++chunk) {
        before[chunk].first += before[chunk - 1].first;
        before[chunk].second += before[chunk - 1].second;
    }
    add(true);
    return {std::move(values), std::move(magnitudes)};
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    return visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        return answer_of_sums<T>(c.type,
                                 [&](auto wide) { return sums_of<decltype(wide)>(in[0].as<T>()); });
    });
}

std::string refuse(const Case& c) {
    if (c["ITEMS"] % 4 != 0) return "ITEMS must be a multiple of 4.";
    if (tile(c) < 2) return "A tile of one element leaves as many sums as there were elements.";
    return refuse_alignment(c);
}

}  // namespace

Suite suite() {
    return {
        .name = "scan",
        .question =
            "How often must an element pass through memory until all sums before it are known?",
        .source = "scan.cl",
        .dimensions = {"n"},
        // A tile's sum and a flag share one 64-bit word.
        .types = {ElementType::f32, ElementType::i32},
        .constants =
            {
                searched({"GROUP", 256, 1, 1024, "work-items of a group"}, group_sizes),
                searched({"ITEMS", 16, 4, 64, "elements of a work-item"}, {4, 8, 16, 32, 64}),
                searched({"WINDOW", 32, 1, 256, "tiles that a group asks at a time (look_back)"},
                         {8, 16, 32, 64}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                {.name = "scan_then_add",
                 .description =
                     "tiles are scanned, then their sums, then added: four moves an element",
                 .plan = [](const Case& c) { return levels(c, false); },
                 .depth = levels_depth},
                {.name = "reduce_then_scan",
                 .description =
                     "sums of tiles first, which takes no writing: three moves an element",
                 .plan = [](const Case& c) { return levels(c, true); },
                 .depth = levels_depth},
                {.name = "look_back",
                 .description =
                     "one pass: a tile asks those before it, which are under way: two moves",
                 .constants = {{"ITEMS", 32}},
                 .plan = look_back,
                 .depth = look_back_depth},
                cub_variant([](const Case&) { return "scan"; }, begin),
            },
        .shapes = powers_of_two({20, 22, 24, 26, 28}),
        .check_shapes = {{{1}}, {{3}}, {{255}}, {{1025}}, {{4096}}, {{4097}}, {{16386}}, {{70001}}},
        .edge_cases = {{"denormals", false, true},
                       {"one nan", false, true},
                       {"infinity", false, true}},
        .opt_in = {"scan_then_add", "reduce_then_scan", "library"},
        .inputs = inputs,
        .reference = reference,
        .tolerance =
            [](const Case& c) {
                return is_floating(c.type) ? Tolerance::rounding(c.variant->depth(c))
                                           : Tolerance::exact();
            },
        .work = [](const Case& c) { return moving(c, 2 * length(c), length(c) - 1); },
        .refuse = refuse,
    };
}

}  // namespace parallax::scan_suite

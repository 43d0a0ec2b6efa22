// A matrix product with matrix units, by one warp or four warps at a time.
#include <cmath>
#include <limits>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/library_variant.hpp"
#include "suites/parts.hpp"
#include "suites/product.hpp"

namespace parallax::tensor_suite {
namespace {

/// Prefix of the names of problems with halves.
constexpr std::string_view of_halves = "half_";

bool has_halves(const Case& c) {
    return c.variant->name.starts_with(of_halves);
}

ElementType factor_type(const Case& c) {
    return has_halves(c) ? ElementType::f16 : c.type;
}

Plan plan(const Case& c, const char* kernel, std::uint64_t rows, std::uint64_t columns,
          Size items) {
    const std::uint64_t m = c.shape[0], n = c.shape[1], k = c.shape[2];
    Plan plan;
    plan.buffers = {{"a", Role::input, factor_type(c), m * k},
                    {"b", Role::input, factor_type(c), n * k},
                    {"c", Role::output, has_halves(c) ? ElementType::f32 : c.type, m * n}};
    plan.steps.push_back(Launch{kernel,
                                {{divide_up(n, columns), divide_up(m, rows), 1}, items},
                                {BufferIndex{0}, BufferIndex{1}, BufferIndex{2}, m, n, k}});
    return plan;
}

Plan plain(const Case& c) {
    const std::uint64_t tile = count_of(c, "TILE");
    return plan(c, has_halves(c) ? "half_plain" : "plain", tile, tile, {tile, tile, 1});
}

Plan by_warps(const Case& c) {
    const std::uint64_t rows = count_of(c, "BLOCK"), columns = count_of(c, "ACROSS");
    const std::uint64_t warps = rows / count_of(c, "EACH") * (columns / count_of(c, "EACH_ACROSS"));
    return plan(c, "warp", rows, columns, {warps * 32, 1, 1});
}

Plan by_warpgroups(const Case& c) {
    const std::uint64_t rows = count_of(c, "BLOCK"), columns = count_of(c, "ACROSS");
    Plan made = plan(c, "warpgroup", rows, columns, {rows * 2, 1, 1});
    // A strip has 128 bytes of each row, and begins at a multiple of 1024.
    const auto bytes =
        static_cast<std::uint32_t>(count_of(c, "STAGES") * (rows + columns) * 128 + 1024);
    auto& arguments = std::get<Launch>(made.steps.front().what).arguments;
    arguments.insert(arguments.begin() + 3, LocalBytes{bytes});
    return made;
}

Plan library(const Case& c) {
    return plan(c, has_halves(c) ? "multiply_halves" : "multiply_rows", c.shape[0], c.shape[1],
                {1, 1, 1});
}

/// `value` with the precision of a unit's factors: 11 bits for a float and a half.
double rounded(ElementType type, double value) {
    if (type == ElementType::f64 || value == 0 || !std::isfinite(value)) return value;
    const double unit = std::ldexp(1.0, std::ilogb(value) - 10);
    return std::nearbyint(value / unit) * unit;
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const std::uint64_t m = c.shape[0], n = c.shape[1], k = c.shape[2];
    std::vector<HostArray> arrays;
    arrays.emplace_back(factor_type(c), m * k);
    arrays.emplace_back(factor_type(c), n * k);
    for (std::uint64_t which = 0; which < 2; ++which) {
        const std::uint64_t own = seed + 0x9e37 * which;
        const std::uint64_t at = mix(own, arrays[which].size()) % arrays[which].size();
        visit_any_type(factor_type(c), [&](auto zero) {
            using T = decltype(zero);
            if constexpr (std::is_integral_v<T>) return;
            fill_by_index(arrays[which].template as<T>(), [&](std::uint64_t i) -> T {
                if (pattern.exact) return static_cast<T>(double(small_integer(own, i)));
                if (i == at && which == 0 && pattern.name == "one nan") {
                    return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
                }
                if (i == at && which == 1 && pattern.name == "infinity") {
                    return static_cast<T>(std::numeric_limits<double>::infinity());
                }
                return static_cast<T>(rounded(factor_type(c), uniform(own, i)));
            });
        });
    }
    return arrays;
}

/// The rows as the columns of a matrix, converted from halves to floats.
HostArray turned(const HostArray& rows, std::uint64_t count, std::uint64_t length) {
    const bool is_half = rows.type() == ElementType::f16;
    HostArray columns(is_half ? ElementType::f32 : rows.type(), rows.size());
    const auto turn = [&](auto from, auto to) {
        using To = typename decltype(to)::value_type;
        fill_by_index(to, [&](std::uint64_t i) {
            return static_cast<To>(from[i % count * length + i / count]);
        });
    };
    if (is_half) {
        turn(rows.as<Half>(), columns.as<float>());
    } else if (rows.type() == ElementType::f32) {
        turn(rows.as<float>(), columns.as<float>());
    } else {
        turn(rows.as<double>(), columns.as<double>());
    }
    return columns;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const std::uint64_t m = c.shape[0], n = c.shape[1], k = c.shape[2];
    // Rows of a one-column matrix are that column's elements.
    const HostArray a = turned(in[0], m * k, 1);
    return product_answer(a, turned(in[1], n, k), {m, n, k});
}

/// A unit may add several products at once, and truncates where a fused multiply-add rounds: at
/// most twice the unit roundoff per product. Factors are exact, see inputs. For doubles it rounds
/// like a fused multiply-add, which the portable kernels use.
Tolerance tolerance(const Case& c) {
    const auto products = static_cast<double>(c.shape[2]);
    const bool is_rounded =
        c.variant->natives.empty() || (c.type == ElementType::f64 && !has_halves(c));
    return Tolerance::rounding(is_rounded ? products : 2 * products);
}

Work work(const Case& c) {
    const auto m = static_cast<double>(c.shape[0]), n = static_cast<double>(c.shape[1]),
               k = static_cast<double>(c.shape[2]);
    const auto factor = static_cast<double>(size_of(factor_type(c)));
    const auto sum = static_cast<double>(has_halves(c) ? 4 : size_of(c.type));
    return {.bytes = (m + n) * k * factor + m * n * sum, .operations = 2 * m * n * k};
}

std::string refuse(const Case& c) {
    if (c.shape[2] % 8 != 0)
        return "k must be a multiple of 8: rows are copied 16 bytes at a time.";
    if (c.variant->natives.empty() || c.variant->name.ends_with("library")) return {};
    const std::uint64_t places = std::max(c.shape[0], c.shape[1]) * c.shape[2];
    if (places * size_of(factor_type(c)) / 16 >> 32 != 0)
        return "Matrices must have less than 2^32 times 16 bytes: places are counted in 32 bits.";
    if (c.variant->name.ends_with("warpgroup")) {
        // A round of copies is BLOCK / 4 rows, and both strips need whole rounds.
        const std::int64_t columns = c["ACROSS"];
        if ((columns == 128 || columns == 256) && c["BLOCK"] % 64 == 0 &&
            columns % (c["BLOCK"] / 4) == 0 && c["STAGES"] >= 3)
            return {};
        return "Four warps have 64 rows of 128 or 256 columns: ACROSS must be one of these, BLOCK "
               "64, 128 or 256, and STAGES 3 or more.";
    }
    const std::int64_t rows = c["BLOCK"], columns = c["ACROSS"];
    if (c["EACH"] % 16 != 0 || c["EACH_ACROSS"] % 16 != 0 || rows % c["EACH"] != 0 ||
        columns % c["EACH_ACROSS"] != 0) {
        return "EACH and EACH_ACROSS must be multiples of 16, and divide BLOCK and ACROSS.";
    }
    const std::int64_t at_once = rows / c["EACH"] * (columns / c["EACH_ACROSS"]) * 8;
    if (rows % at_once != 0 || columns % at_once != 0 || c["STAGES"] < 2) {
        return "The items of a group must copy whole rounds of both strips, of which there are two "
               "or more.";
    }
    return {};
}

Variant native(const char* name, const char* description, std::function<Plan(const Case&)> plan,
               std::vector<NativeSource> texts, std::vector<Constant> constants = {}) {
    return {.name = name,
            .description = description,
            .constants = std::move(constants),
            .plan = std::move(plan),
            .natives = std::move(texts)};
}

std::vector<Variant> variants() {
    const auto warps = [](const char* feature) {
        return std::vector<NativeSource>{
            {.backend = "opencl", .source = "tensor.opencl.cl", .feature = feature},
            {.backend = "cuda", .source = "tensor.cuda.cu", .feature = feature}};
    };
    const std::vector<NativeSource> warpgroups{{.backend = "cuda",
                                                .source = "tensor_warpgroup.cuda.cu",
                                                .feature = "matrix_units_of_warpgroups",
                                                .options = {"--gpu-architecture=sm_90a"}}};
    const std::vector<Constant> large{{"BLOCK", 128}, {"ACROSS", 256}, {"STAGES", 4}, {"BAND", 16}};
    const std::vector<Constant> small{{"BLOCK", 64}, {"ACROSS", 128}, {"STAGES", 6}, {"BAND", 16}};
    // Larger products take them as long as many other cases together.
    const std::vector<Shape> of_slow_kernels{
        {{128, 128, 128}}, {{333, 444, 552}}, {{512, 512, 512}}, {{1024, 1024, 1024}}};
    std::vector<Variant> list{
        {.name = "plain", .description = "one element an item, without these units", .plan = plain},
        native("warp", "16 x 8 sums at a time by a warp: TF32", by_warps, warps("matrix_units")),
        native("double_warp", "warp, of doubles", by_warps, warps("matrix_units_of_doubles")),
        native("warpgroup", "64 x 256 sums by four warps, factors from local memory: TF32",
               by_warpgroups, warpgroups, large),
        native("small_warpgroup", "warpgroup for small products: blocks of 64 x 128", by_warpgroups,
               warpgroups, small),
        library_variant(library),
        {.name = "half_plain",
         .description = "plain, of halves into floats",
         .plan = plain,
         .shapes = of_slow_kernels},
        native("half_warp", "warp, of halves into floats", by_warps, warps("matrix_units"),
               {{"BLOCK", 128},
                {"ACROSS", 128},
                {"EACH", 64},
                {"EACH_ACROSS", 64},
                {"STAGES", 2},
                {"BAND", 8}}),
        native("half_warpgroup", "warpgroup, of halves into floats", by_warpgroups, warpgroups,
               large),
        native("half_small_warpgroup", "small_warpgroup, of halves into floats", by_warpgroups,
               warpgroups, small),
        library_variant(library),
    };
    list.back().name = "half_library";
    for (Variant& variant : list) {
        if (variant.name.starts_with(of_halves)) {
            variant.problem = "halves";
            variant.types = {ElementType::f32};
        }
        if (variant.name == "warp" || variant.name.ends_with("warpgroup")) {
            variant.types = {ElementType::f32};
        }
        if (variant.name == "double_warp") variant.types = {ElementType::f64};
        // CLBlast does not use these units.
        if (variant.name.ends_with("library")) {
            variant.natives.erase(variant.natives.begin());
            variant.natives.front().feature = "matrix_units";
            variant.description = "what cuBLAS does with these units";
        }
    }
    return list;
}

}  // namespace

Suite suite() {
    return {
        .name = "tensor",
        .question = "What do units that multiply small matrices buy, and what do they ask for?",
        .source = "tensor.cl",
        .dimensions = {"m", "n", "k"},
        .types = {ElementType::f32, ElementType::f64},
        .constants =
            {
                searched({"TILE", 16, 1, 32, "side of a group (plain)"}, {8, 16, 32}),
                searched({"BLOCK", 64, 16, 256, "rows of a group's block"}, {64, 128, 256}),
                searched({"ACROSS", 64, 16, 256, "columns of a group's block"}, {64, 128, 256}),
                searched({"EACH", 32, 16, 128, "rows of a warp's part (warp)"}, {16, 32, 64}),
                searched({"EACH_ACROSS", 32, 16, 128, "columns of a warp's part (warp)"},
                         {16, 32, 64}),
                searched({"STAGES", 3, 2, 8, "strips in local memory, or on their way"},
                         {2, 3, 4, 5, 6}),
                searched({"BAND", 16, 1, 1024, "blocks that groups go down before they go across"},
                         {4, 8, 16, 32}),
                {.name = "BYTES",
                 .value = 4,
                 .least = 2,
                 .most = 8,
                 .meaning = "of a factor",
                 .follows = [](const Case& c) -> std::int64_t {
                     return static_cast<std::int64_t>(size_of(factor_type(c)));
                 }},
            },
        .variants = variants(),
        .shapes = {{{128, 128, 128}},
                   {{333, 444, 552}},
                   {{512, 512, 512}},
                   {{1024, 1024, 1024}},
                   {{2048, 2048, 2048}},
                   {{4096, 4096, 4096}}},
        .check_shapes = {{{1, 1, 8}},
                         {{17, 19, 8}},
                         {{33, 1, 40}},
                         {{129, 131, 72}},
                         // More than 255.
                         {{259, 5, 264}},
                         {{5, 259, 264}},
                         // The strips, too, exceed the 127 of a signed byte.
                         {{5, 19, 4104}},
                         // Whole blocks both ways and partial ones, more strips than stages.
                         {{193, 322, 136}}},
        .edge_cases = {{"one nan", false, true}, {"infinity", false, true}},
        .opt_in = {"plain", "warp", "double_warp", "warpgroup", "small_warpgroup", "library",
                   "half_warp", "half_warpgroup", "half_small_warpgroup", "half_library"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = tolerance,
        .work = work,
        .refuse = refuse,
    };
}

}  // namespace parallax::tensor_suite

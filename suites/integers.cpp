// Integer instructions: the cost of division and modulo, and the savings of 24 bits.
#include <bit>

#include "suites/chains.hpp"

namespace parallax::integers_suite {
namespace {

enum Operation : std::int64_t {
    exclusive_or,
    divide,
    divide_constant,
    shift,
    modulo,
    modulo_constant,
    mask,
    multiply,
    mul24,
    mad24,
    divide_signed
};

std::uint32_t divisor_of(const Case& c) {
    return static_cast<std::uint32_t>(c["DIVISOR"]);
}

std::uint32_t shift_of(const Case& c) {
    return static_cast<std::uint32_t>(std::bit_width(divisor_of(c)) - 1);
}

// Odd, so that products and sums reach all residues.
constexpr std::uint32_t factor = 0xc4f1a5, bump = 0x9e3779b1;

Plan plan(const Case& c) {
    return chains_plan(c, ElementType::u32, {}, {divisor_of(c), shift_of(c), factor, bump});
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays;
    arrays.push_back(in_periods<std::uint32_t>(
        ElementType::u32, c.shape[0], [&](std::uint64_t i) -> std::uint32_t {
            const auto bits = static_cast<std::uint32_t>(mix(seed, i));
            if (pattern.exact) return bits % 65536;
            return pattern.name == "near the end" ? ~(bits % 16) : bits;
        }));
    return arrays;
}

/// One step in a different way from the kernel: in 64 bits, where nothing wraps.
std::uint32_t applied(Operation operation, std::uint32_t x, const Case& c, std::uint32_t sum) {
    const std::uint64_t wide = x, high = wide / 256, divisor = divisor_of(c);
    switch (operation) {
        case divide:
        case divide_constant:
        case shift: return static_cast<std::uint32_t>(wide / divisor + sum);
        case modulo:
        case modulo_constant:
        case mask: return static_cast<std::uint32_t>(high - high / divisor * divisor + sum);
        case multiply:
        case mul24:
        case mad24: return static_cast<std::uint32_t>(high * factor + sum);
        case divide_signed: {
            // Towards 0, unlike a shift.
            const std::int64_t value = static_cast<std::int32_t>(x);
            const auto size = static_cast<std::uint64_t>(value < 0 ? -value : value) / divisor;
            return static_cast<std::uint32_t>((value < 0 ? 0 - size : size) + sum);
        }
        case exclusive_or: break;
    }
    return static_cast<std::uint32_t>((wide ^ divisor) + sum);
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const std::span<const std::uint32_t> first = in[0].as<std::uint32_t>();
    const auto operation = static_cast<Operation>(c["OP"]);
    const auto repeat = static_cast<std::uint32_t>(c["REPEAT"]);
    return one_answer(
        in_periods<std::uint32_t>(ElementType::u32, first.size(), [&](std::uint64_t i) {
            std::uint32_t x = first[i];
            for (std::uint32_t k = 1; k <= repeat; ++k) x = applied(operation, x, c, k * bump);
            return x;
        }));
}

std::string refuse(const Case& c) {
    const std::int64_t operation = c["OP"];
    if ((operation == shift || operation == mask) && !std::has_single_bit(divisor_of(c))) {
        return "A shift or a mask needs a DIVISOR that is a power of two.";
    }
    return {};
}

Variant variant(const char* name, std::int64_t operation, const char* description) {
    return {
        .name = name, .description = description, .constants = {{"OP", operation}}, .plan = plan};
}

std::vector<ConstantSpec> constants() {
    std::vector<ConstantSpec> list{
        {"OP", exclusive_or, 0, 10, "the instruction; every variant has its own", {}, true},
        {"DIVISOR", 64, 1, 65536, "what is divided by", {}, true}};
    std::ranges::copy(chain_constants(), std::back_inserter(list));
    return list;
}

}  // namespace

Suite suite() {
    return {
        .name = "integers",
        .question = "What do integer division and modulo cost, and what do 24 bits save?",
        .source = "integers.cl",
        .dimensions = {"n"},
        .types = {ElementType::i32},
        .constants = constants(),
        .variants =
            {
                variant("exclusive_or", exclusive_or,
                        "x ^ d: as cheap as an instruction can be, as a yardstick"),
                variant("divide", divide, "x / d, d known when it runs: a whole routine"),
                variant("divide_constant", divide_constant,
                        "x / 64, known to the compiler, which makes a shift of it"),
                variant("shift", shift, "x >> s, written by hand, s known when it runs"),
                variant("modulo", modulo, "(x >> 8) % d, d known when it runs"),
                variant("modulo_constant", modulo_constant,
                        "(x >> 8) % 64, known to the compiler, which makes a mask of it"),
                variant("mask", mask, "(x >> 8) & (d - 1), written by hand"),
                variant("multiply", multiply, "a product of 32 bits"),
                variant("mul24", mul24, "mul24: fast when products of 32 bits were slow"),
                variant("mad24", mad24, "mad24: product and sum"),
                variant("divide_signed", divide_signed,
                        "signed x / 64: no shift alone, since -1 / 64 is 0"),
            },
        .shapes = chain_shapes(),
        .check_shapes = chain_check_shapes(),
        .edge_cases = {{"near the end"}},
        .opt_in = {"multiply", "mul24", "exclusive_or", "divide_constant", "modulo",
                   "modulo_constant", "mask", "mad24", "divide_signed"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        // One operation of the variant's kind.
        .work = [](const Case& c) { return chains_work(c, 1); },
        .refuse = refuse,
    };
}

}  // namespace parallax::integers_suite

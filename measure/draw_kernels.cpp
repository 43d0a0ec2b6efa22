// The kernels in OpenCL C, and their launches.
#include "measure/draw_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/suite/inputs.hpp"
#include "measure/program_cache.hpp"

namespace parallax {
namespace {

/// mix() of common/suite/inputs.hpp.
constexpr const char* mixed = R"(
ulong mixed(const ulong seed, const ulong index) {
    ulong z = seed + (index + 1) * 0x9e3779b97f4a7c15UL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return z ^ (z >> 31);
}
)";

/// The formulas of suites/manifest/fill.cpp. `unit` of a number in [0, 1) has 53 bits: all of its
/// steps are exact. `form`: what an element is, 0 a whole number, 1 one without a sign, 2 to 4 a
/// half, a float, a double.
constexpr const char* drawn = R"(
double uniform_of(const ulong seed, const ulong index) {
    return (double)((long)mixed(seed, index) >> 11) * 2.220446049250313e-16;
}

ulong permuted(const ulong seed, const ulong count, const uint half_bits, const ulong index) {
    const ulong mask = ((ulong)1 << half_bits) - 1;
    ulong i = index;
    do {
        ulong left = i >> half_bits;
        ulong right = i & mask;
        for (ulong round = 0; round < 4; round++) {
            const ulong other = left ^ (mixed(seed + round, right) & mask);
            left = right;
            right = other;
        }
        i = left << half_bits | right;
    } while (i >= count);
    return i;
}

double row_begin(const double elements, const double columns, const ulong rows, const ulong seed,
                 const ulong i) {
    if (i == rows) return elements;
    const double each = elements / (double)rows;
    const double most = 0.499 * fmin(each, columns - each);
    const double moved = i == 0 ? 0.0 : most * uniform_of(seed, i);
    return floor(elements * (double)i / (double)rows + moved);
}

double number(const ulong seed, const ulong count, const ulong i, const uint is_sorted,
              const uint form, const double low, const double high) {
    double unit = (uniform_of(seed, i) + 1.0) / 2.0;
    if (is_sorted != 0) unit = fmin(((double)i + unit) / (double)count, 1.0 - 1.1102230246251565e-16);
    if (form < 2) return fmin(low + floor((high - low) * unit), high - 1.0);
    return low + (high - low) * unit;
}

double rounded(const double value, const uint form) {
    if (form == 3) return (double)(float)value;
    if (form != 2) return value;
    const int exponent = fabs(value) < 6.103515625e-05 ? -14 : ilogb(value);
    return ldexp(rint(ldexp(value, 10 - exponent)), exponent - 10);
}

ulong half_bits_of(const double value) {
    const double size = fabs(value);
    const int exponent = size < 6.103515625e-05 ? -14 : ilogb(size);
    const ulong units = (ulong)ldexp(size, 10 - exponent);
    return (ulong)(value < 0.0 ? 32768 : 0) + ((ulong)(exponent + 14) << 10) + units;
}

ulong bits_of(const double value, const uint form) {
    if (form == 4) return as_ulong(value);
    if (form == 3) return (ulong)as_uint((float)value);
    if (form == 2) return half_bits_of(value);
    return value < 0.0 ? (ulong)(long)value : (ulong)value;
}

ulong element(const ulong seed, const ulong count, const ulong i, const uint kind, const uint form,
              const double low, const double high, const uint half_bits) {
    double value = low;
    if (kind == 1) value = (double)i;
    if (kind == 2) value = (double)permuted(seed, count, half_bits, i);
    if (kind == 3) {
        const int draw = (int)(mixed(seed, i) % 6);
        const int small = draw < 3 ? draw - 3 : draw - 2;
        value = (double)(form == 1 && small < 0 ? -small : small);
    }
    if (kind == 4 || kind == 5) {
        value = number(seed, count, i, kind == 5 ? 1 : 0, form, low, high);
        if (form >= 2 && rounded(value, form) >= high) value = low;
    }
    if (kind == 6) value = row_begin(low, high, count - 1, seed, i);
    return bits_of(rounded(value, form), form);
}

__kernel void draw(__global WORD* to, const ulong count, const ulong first, const ulong per,
                   const ulong stride, const ulong seed, const uint kind, const uint form,
                   const double low, const double high, const uint half_bits) {
    const ulong i = get_global_id(0);
    if (i >= count) return;
    const ulong at = per == stride ? i : i / per * stride + i % per;
    to[first + at] = (WORD)element(seed, count, i, kind, form, low, high, half_bits);
}
)";

/// The columns of a row ascend, each in its own share of all columns. A begin has one word or two.
constexpr const char* columns = R"(
ulong begin_of(__global const uint* begins, const uint words, const ulong row) {
    if (words == 1) return (ulong)begins[row];
    return (ulong)begins[2 * row] | (ulong)begins[2 * row + 1] << 32;
}

__kernel void draw_columns(__global WORD* to, __global const uint* begins, const uint words,
                           const ulong rows, const ulong columns, const ulong seed,
                           const ulong elements) {
    const ulong row = get_global_id(0);
    if (row >= rows) return;
    const ulong begin = begin_of(begins, words, row);
    const ulong end = begin_of(begins, words, row + 1);
    if (begin > end || end > elements) return;
    const ulong count = end - begin;
    for (ulong k = 0; k < count; k++) {
        const ulong low = k * (columns / count) + k * (columns % count) / count;
        const ulong high = (k + 1) * (columns / count) + (k + 1) * (columns % count) / count;
        to[begin + k] = (WORD)(low + mixed(seed, begin + k) % (high - low));
    }
}
)";

constexpr const char* sums = R"(
__kernel void digest(__global const uint* data, const ulong words, const ulong key,
                     __global ulong* sums) {
    const ulong item = get_global_id(0);
    const ulong items = get_global_size(0);
    ulong sum = 0;
    for (ulong i = item; i < words; i += items) sum += mixed(key ^ (ulong)data[i], i);
    sums[item] = sum;
}
)";

constexpr std::uint64_t group = 256, digest_items = group * 256;

Program program(std::string name, std::string source, std::size_t word_bytes) {
    constexpr std::string_view placeholder = "WORD";
    const std::string_view word = word_bytes == 1   ? "uchar"
                                  : word_bytes == 2 ? "ushort"
                                  : word_bytes == 4 ? "uint"
                                                    : "ulong";
    for (std::size_t at = 0; (at = source.find(placeholder, at)) != std::string::npos;) {
        source.replace(at, placeholder.size(), word);
    }
    Program made;
    made.name = std::move(name);
    made.source = std::move(source);
    made.type.reset();
    return made;
}

std::pair<Program, const char*> draw_program(const DrawnPart& part) {
    const std::size_t bytes = size_of(part.type);
    const bool is_columns = part.kind == DrawnPart::Kind::row_columns;
    return {program(fmt::format("{}_{}.cl", is_columns ? "columns" : "inputs", 8 * bytes),
                    std::string(mixed) + (is_columns ? columns : drawn), bytes),
            is_columns ? "draw_columns" : "draw"};
}

Program digest_program() {
    return program("digest.cl", std::string(mixed) + sums, 4);
}

Plan plan_with(const char* kernel) {
    Plan plan;
    plan.steps.push_back(Launch{.kernel = kernel, .geometry = {}, .arguments = {}});
    return plan;
}

Geometry items_for(std::uint64_t count) {
    return {{divide_up(count, group), 1, 1}, {group, 1, 1}};
}

std::uint32_t form_of(ElementType type) {
    switch (type) {
        case ElementType::f16: return 2;
        case ElementType::f32: return 3;
        case ElementType::f64: return 4;
        case ElementType::u8:
        case ElementType::u16:
        case ElementType::u32:
        case ElementType::u64: return 1;
        default: return 0;
    }
}

}  // namespace

void DrawKernels::ask(Device& device, ProgramCache& programs,
                      const std::vector<DrawnBuffer>& buffers) {
    for (const DrawnBuffer& buffer : buffers) {
        for (const DrawnPart& part : buffer.parts) {
            const auto [program, kernel] = draw_program(part);
            programs.ask(device, program, plan_with(kernel));
        }
    }
    programs.ask(device, digest_program(), plan_with("digest"));
}

std::shared_ptr<const Code> DrawKernels::code(const Program& program, const char* kernel) {
    auto known = std::ranges::find(built_, program, &std::pair<Program, Codes>::first);
    if (known == built_.end()) {
        const Plan plan = plan_with(kernel);
        built_.emplace_back(program, programs_ ? programs_->take(*device_, program, plan)
                                               : build(*device_, program, plan));
        known = built_.end() - 1;
    }
    return known->second.at(kernel);
}

Command DrawKernels::draw(const DrawnPart& part, std::uint64_t key,
                          const std::shared_ptr<Memory>& buffer,
                          const std::shared_ptr<Memory>& begins, std::uint64_t rows) {
    const auto [program, kernel] = draw_program(part);
    const std::uint64_t seed = seed_for(key, part.name);
    Dispatch dispatch;
    dispatch.code = code(program, kernel);
    if (part.kind == DrawnPart::Kind::row_columns) {
        const auto words = static_cast<std::uint32_t>(begins->bytes() / (rows + 1) / 4);
        dispatch.geometry = items_for(rows);
        dispatch.arguments = {buffer,
                              begins,
                              Scalar(words),
                              Scalar(rows),
                              Scalar(static_cast<std::uint64_t>(part.high)),
                              Scalar(seed),
                              Scalar(part.count)};
        return {std::move(dispatch)};
    }
    const auto half_bits =
        (static_cast<std::uint32_t>(std::bit_width(std::max<std::uint64_t>(part.count, 1) - 1)) +
         1) /
        2;
    dispatch.geometry = items_for(part.count);
    dispatch.arguments = {buffer,
                          Scalar(part.count),
                          Scalar(part.first),
                          Scalar(part.per),
                          Scalar(part.stride),
                          Scalar(seed),
                          Scalar(static_cast<std::uint32_t>(part.kind)),
                          Scalar(form_of(part.type)),
                          Scalar(part.low),
                          Scalar(part.high),
                          Scalar(half_bits)};
    return {std::move(dispatch)};
}

std::uint64_t DrawKernels::digest(const std::shared_ptr<Memory>& memory) {
    const std::uint64_t words = memory->bytes() / 4;
    constexpr std::uint64_t key = 0x5eed;
    std::uint64_t hash = 0;
    if (words > 0) {
        if (!sums_) sums_ = device_->allocate(digest_items * sizeof(std::uint64_t), 0);
        Dispatch dispatch;
        dispatch.code = code(digest_program(), "digest");
        dispatch.geometry = items_for(digest_items);
        dispatch.arguments = {memory, Scalar(words), Scalar(key), sums_};
        const Command command{std::move(dispatch)};
        device_->run({&command, 1});
        std::vector<std::uint64_t> all(digest_items);
        device_->read(*sums_, std::as_writable_bytes(std::span(all)));
        for (const std::uint64_t one : all) hash += one;
    }
    std::array<std::byte, 3> rest{};
    const std::size_t bytes = memory->bytes() % 4;
    if (bytes > 0) {
        device_->read(*memory, std::span(rest).first(bytes),
                      static_cast<std::ptrdiff_t>(4 * words));
    }
    for (const std::byte one : rest) hash = mix(hash, std::to_integer<std::uint64_t>(one));
    return hash;
}

}  // namespace parallax

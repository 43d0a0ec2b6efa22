// Fills the buffers of a manifest with inputs.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/suite/inputs.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/model.hpp"

namespace parallax::manifest {
namespace {

/// The position of `i` in a random permutation of the numbers below `count`: a Feistel network over
/// the required bits, repeated until the result is in range (Black, Rogaway 2002).
std::uint64_t permuted(std::uint64_t seed, std::uint64_t count, std::uint64_t i) {
    const auto half = (static_cast<unsigned>(std::bit_width(count - 1)) + 1) / 2;
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    do {
        std::uint64_t left = i >> half, right = i & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            left ^= mix(seed + round, right) & mask;
            std::swap(left, right);
        }
        i = left << half | right;
    } while (i >= count);
    return i;
}

/// The start of each row of a CSR matrix, and the end of the last one: rows are empty, or have one
/// element, some or very many. The total number of elements is exact, and no row has more elements
/// than columns.
std::vector<double> uneven_rows(const InputPattern& fill, std::uint64_t rows, std::uint64_t seed) {
    const auto [elements, columns] = *fill.range;
    const double each = elements / static_cast<double>(rows);
    const double many = std::max(std::floor(elements / 8), 4 * std::ceil(each));
    std::vector<double> begins{0};
    for (std::uint64_t row = 0; row < rows; ++row) {
        const std::uint64_t die = mix(mix(seed, 2), row);
        const bool is_long = row == rows / 2 || die % 16 == 15;
        const double wanted = is_long        ? many
                              : die % 4 == 0 ? 0
                              : die % 4 == 1 ? 1
                                             : std::floor(each * (1 + uniform(seed, row)));
        const double left = elements - begins.back();
        const double room = columns * static_cast<double>(rows - row - 1);
        begins.push_back(begins.back() + std::max(std::min({wanted, columns, left}), left - room));
    }
    return begins;
}

/// The start of row `i` of a CSR matrix whose rows are of about one length.
double row_begin(const InputPattern& fill, std::uint64_t rows, std::uint64_t seed,
                 std::uint64_t i) {
    const auto [elements, columns] = *fill.range;
    if (i == rows) return elements;  // a rounded product may miss it
    const double each = elements / static_cast<double>(rows);
    // The maximum shift of each row's end.
    const double most = 0.499 * std::min(each, columns - each);
    const double moved = i == 0 ? 0 : most * uniform(seed, i);
    return std::floor(elements * static_cast<double>(i) / static_cast<double>(rows) + moved);
}

/// The random draws of verification.
struct Draw {
    bool exact = false;     ///< few digits, so that sums and products of some are exact
    bool upper = false;     ///< only those above 0, where the range has both signs
    bool again = false;     ///< parallax::drawn_again
    bool extremes = false;  ///< parallax::with_extremes
    bool high = false;      ///< parallax::with_high
    bool low = false;       ///< parallax::with_low
    bool special = false;   ///< parallax::with_special
    bool few_special = false;  ///< parallax::with_few_special
    std::size_t turn = 0;   ///< of the size among those that are checked
};

/// Whether an element is the same where the others are drawn again.
bool stays(std::uint64_t count, std::uint64_t i) {
    if (i == 0) return count > 1;
    return i < count / 16 || (i + 1 == count && count > 2);
}

/// Few numbers of a range, all multiples of one power of two. From a range with both signs they
/// have one sign and no 0, since only then the minimum or maximum shows an accumulator that starts
/// from 0. From another range 0 is excluded once, so that a lost term is noticed.
struct FewNumbers {
    double step = 1, first = 0, count = 1;

    FewNumbers(double low, double high, bool upper) {
        constexpr double enough = 7;
        const bool has_both = low < 0 && high > 0;
        if (has_both) (upper ? low : high) = 0;
        for (int halved = 0;; ++halved, step /= 2) {
            first = std::ceil(low / step);
            if (first == 0 && high > step && (has_both || !upper)) first = 1;
            count = std::ceil(high / step) - first;
            if (count >= enough || halved == 60) break;
        }
        count = std::clamp(count, 1.0, enough);
    }
    double operator()(std::uint64_t random) const {
        return step * (first + static_cast<double>(random % static_cast<std::uint64_t>(count)));
    }
};

/// The numbers of a range that are rarely drawn: 0, its ends and those of the source.
std::vector<double> listed_numbers(std::pair<double, double> range, bool is_whole,
                                   const std::vector<double>& literals) {
    std::vector<double> all{range.first};
    if (!is_whole) return all;
    all.push_back(range.second - 1);
    // Next to each other they are one number in floating point.
    for (const double one : {range.first + 1, range.second - 2})
        if (one >= range.first && one < range.second) all.push_back(one);
    for (const double one : literals) {
        if (one >= range.first && one < range.second) all.push_back(one);
    }
    return all;
}

/// What the first and the last element are in this turn, where few digits are drawn: a number of
/// the sources, which may decide. Nothing: like the others.
std::optional<double> number_at_ends(std::pair<double, double> range, Draw draw,
                                     const std::vector<double>& literals) {
    constexpr double most = 1024;  // sums are still exact
    const bool has_both = range.first < 0 && range.second > 1;
    std::vector<double> fit;
    for (const double one : literals) {
        const bool has_sign = !has_both || (draw.upper ? one > 0 : one < 0);
        if (one >= range.first && one < range.second && std::abs(one) <= most && has_sign)
            fit.push_back(one);
    }
    return fit.empty() ? std::nullopt : std::optional(fit[draw.turn % fit.size()]);
}

/// An element of with_extremes; nothing: it is drawn like any other. Work-groups of every second
/// stretch have one value.
std::optional<double> extreme_number(std::pair<double, double> range, bool is_whole,
                                     const std::vector<double>& listed, std::uint64_t seed,
                                     std::uint64_t i) {
    const auto [low, high] = range;
    const bool has_zero = low <= 0 && high > 0;
    constexpr std::uint64_t stretch = 512;
    const std::uint64_t at = i / stretch % 2 ? i / stretch : i;
    const std::uint64_t die = mix(mix(seed, 2), at), other = mix(die, at);
    if (has_zero && (i == 0 || die % 4 == 0)) return 0;
    if (die % 4 == 1) return listed[other % listed.size()];
    if (die % 4 != 2 || !is_whole) return {};
    // All sizes are as likely.
    const double size = std::exp2((uniform(other, i) + 1) * 32);
    const double value = std::floor(has_zero ? (low < 0 && other % 2 ? -size : size) : low + size);
    return value >= low && value < high ? std::optional(value) : std::nullopt;
}

/// An element of with_special; nothing: it is an ordinary one. Of each three blocks one has none,
/// and one has few: a row is not all NaN. The last three are the first of `all`: rests have them.
/// @param is_rare  there are hardly others, so that sums stay finite
template <class T>
std::optional<T> special_number(std::uint64_t seed, std::uint64_t count, std::uint64_t i,
                                bool is_rare) {
    if constexpr (std::is_integral_v<T>) {
        return {};
    } else {
        using Limits = std::numeric_limits<float>;
        constexpr std::array all{
            Limits::quiet_NaN(),  Limits::infinity(),    -Limits::infinity(), -0.0f,
            Limits::denorm_min(), -Limits::denorm_min(), Limits::min() / 2,   -Limits::min()};
        const std::uint64_t die = mix(mix(seed, 3), i),
                            often = is_rare ? 512 : std::array{0, 4, 32}.at(i / 64 % 3);
        if (i + 3 >= count && count > 8) return static_cast<T>(all.at(count - 1 - i));
        if (often == 0 || die % often != 0) return {};
        return static_cast<T>(all.at(die / often % all.size()));
    }
}

/// A number of the pattern for one element of `count`.
double drawn(const InputPattern& fill, ElementType type, const std::optional<FewNumbers>& few,
             std::uint64_t seed, std::uint64_t count, std::uint64_t i) {
    const bool is_signed = type != ElementType::u8 && type != ElementType::u16 &&
                           type != ElementType::u32 && type != ElementType::u64;
    if (fill.kind == InputPattern::Kind::integers) {
        const std::int32_t value = small_integer(seed, i);
        return is_signed ? value : std::abs(value);
    }
    const bool is_sorted = fill.kind == InputPattern::Kind::sorted;
    if (few && !is_sorted) return (*few)(mix(seed, i));
    double unit = (uniform(seed, i) + 1) / 2;
    if (is_sorted) {
        unit = std::min((static_cast<double>(i) + unit) / static_cast<double>(count), 1 - 0x1p-53);
    }
    const auto [low, high] = fill.range.value_or(std::pair{0.0, 1.0});
    const double value = low + (high - low) * unit;
    if (!is_floating(type)) return std::min(low + std::floor((high - low) * unit), high - 1);
    // Integers, if the range has enough of them to distinguish elements.
    const bool is_whole = few && std::ceil(high) - 1 > std::ceil(low);
    return is_whole ? std::max(std::ceil(low), std::floor(value)) : value;
}

template <class T>
bool is_at(T value, double end) {
    return !std::is_integral_v<T> && static_cast<double>(value) >= end;
}

/// An element of with_high or with_low: a minimum or maximum of such shows a wrong first number.
template <class T>
T number_at_end(std::pair<double, double> range, bool high, std::uint64_t seed, std::uint64_t i) {
    const double part = (range.second - range.first) / 8;
    const double least = high ? range.second - part : range.first;
    double value = least + part * (uniform(seed, i) + 1) / 2;
    if (std::is_integral_v<T>) value = std::clamp(std::floor(value), range.first, range.second - 1);
    const T made = static_cast<T>(value);
    return is_at(made, range.second) ? static_cast<T>(range.first) : made;
}

template <class T>
void fill_with(std::span<T> data, InputPattern fill, ElementType type, Draw draw,
               const std::vector<double>& literals, std::uint64_t seed) {
    const std::uint64_t count = data.size();
    const std::pair<double, double> range = fill.range.value_or(std::pair{0.0, 1.0});
    std::optional<FewNumbers> few;
    if (draw.exact && is_floating(type)) {
        few.emplace(range.first, range.second, draw.upper);
    } else if (draw.exact && fill.kind == InputPattern::Kind::random) {
        auto& [low, high] = *fill.range;
        if (low < 0 && high > 1 && fill.bounds[0].empty()) {
            (draw.upper ? low : high) = draw.upper ? 1 : 0;
            (draw.upper ? high : low) = draw.upper ? std::min(high, 8.0) : std::max(low, -7.0);
        } else if (high - low > 0x1p24) {  // data, and no indices
            high = low + 16;
        }
    }
    constexpr bool is_whole = std::is_integral_v<T>;
    const bool is_random = fill.kind == InputPattern::Kind::random;
    std::vector<double> rare, begins;
    const auto at_ends =
        draw.exact && is_whole && is_random ? number_at_ends(range, draw, literals) : std::nullopt;
    if (draw.extremes && is_random) rare = listed_numbers(range, is_whole, literals);
    const bool is_at_end = is_random && (draw.high || draw.low);
    if ((draw.extremes || draw.high || draw.low) && fill.kind == InputPattern::Kind::csr_offsets)
        begins = uneven_rows(fill, count - 1, seed);
    fill_by_index(data, [&](std::uint64_t i) -> T {
        if (is_at_end) return number_at_end<T>(range, draw.high, seed, i);
        if (!rare.empty()) {
            if (const auto one = extreme_number(range, is_whole, rare, seed, i))
                return static_cast<T>(*one);
        }
        if (at_ends && (i == 0 || i + 1 == count)) return static_cast<T>(*at_ends);
        if ((draw.special || draw.few_special) && fill.special) {
            if (const auto one = special_number<T>(seed, count, i, draw.few_special)) return *one;
        }
        // Elements of a permutation depend on each other.
        const bool is_other =
            draw.again && (fill.kind == InputPattern::Kind::permutation || !stays(count, i));
        const std::uint64_t own = is_other ? mix(seed, 1) : seed;
        switch (fill.kind) {
            case InputPattern::Kind::none:
            case InputPattern::Kind::zeros:
            case InputPattern::Kind::file:
            case InputPattern::Kind::csr_columns:
            case InputPattern::Kind::formula: break;
            case InputPattern::Kind::value: return static_cast<T>(fill.value);
            case InputPattern::Kind::iota:
            case InputPattern::Kind::permutation: {
                const std::uint64_t place =
                    fill.kind == InputPattern::Kind::iota ? i : permuted(own, count, i);
                if constexpr (std::is_integral_v<T>) {
                    return static_cast<T>(place);
                } else {
                    return static_cast<T>(static_cast<double>(place));
                }
            }
            case InputPattern::Kind::csr_offsets:
                return static_cast<T>(begins.empty() ? row_begin(fill, count - 1, own, i)
                                                     : begins[i]);
            case InputPattern::Kind::integers:
            case InputPattern::Kind::random:
            case InputPattern::Kind::sorted: {
                const T made = static_cast<T>(drawn(fill, type, few, own, count, i));
                // A number that rounds to the end of the range is outside of it.
                return fill.kind != InputPattern::Kind::integers && is_at(made, range.second)
                           ? static_cast<T>(range.first)
                           : made;
            }
        }
        return T{};
    });
}

/// Rejects values that the elements cannot hold.
void check_room(const InputPattern& fill, const HostArray& array) {
    const std::uint64_t count = array.size();
    const auto [least, most] = ends_of(array.type());
    const bool drawn =
        fill.kind == InputPattern::Kind::random || fill.kind == InputPattern::Kind::sorted;
    if (drawn && fill.range && !is_floating(array.type()) &&
        (fill.range->first < least || fill.range->second - 1 >= most)) {
        throw UsageError(
            fmt::format("{} does not hold numbers from {} up to {}, but from {} up to "
                        "{}: write min(..., {}) or another type",
                        parallax::name_of(array.type()), fill.range->first, fill.range->second,
                        least, most, most));
    }
    if (fill.kind == InputPattern::Kind::permutation && static_cast<double>(count - 1) >= most) {
        throw UsageError(fmt::format("{} does not hold a permutation of {} numbers",
                                     parallax::name_of(array.type()), count));
    }
    if (fill.kind != InputPattern::Kind::csr_offsets) return;
    const auto [elements, columns] = *fill.range;
    const auto rows = static_cast<double>(count - 1);
    if (rows < 1 || elements < 0 || columns < 1 || elements != std::floor(elements) ||
        columns != std::floor(columns) || elements >= most || elements > rows * columns) {
        throw UsageError(
            fmt::format("no matrix of {} rows (one less than the buffer's elements) "
                        "and {} columns has {} elements",
                        rows, columns, elements));
    }
}

/// The fill with the values of its formulas.
InputPattern evaluated(const ArgumentSpec& argument, const FormulaNames& names) {
    InputPattern fill = argument.fill;
    if (!fill.bounds[0].empty()) {
        fill.range = {formula_value(fill.bounds[0], names), formula_value(fill.bounds[1], names)};
        if (fill.kind != InputPattern::Kind::csr_offsets &&
            !(fill.range->first < fill.range->second)) {
            throw UsageError(fmt::format("'{}' holds numbers from {} up to {}, and there are none",
                                         argument.name, fill.range->first, fill.range->second));
        }
    }
    return fill;
}

/// Fills an array of scalars as specified by the argument or the member.
void fill_array(HostArray& array, const ArgumentSpec& argument, const FormulaNames& names,
                Draw draw, const std::vector<double>& literals, std::uint64_t seed) {
    const InputPattern fill = evaluated(argument, names);
    const ElementType type = array.type();
    check_room(fill, array);
    visit_any_type(type, [&](auto zero) {
        using T = decltype(zero);
        const std::span<T> data = array.as<T>();
        if (fill.kind != InputPattern::Kind::formula) {
            return fill_with(data, fill, type, draw, literals, seed);
        }
        formula_each(fill.formula, names, data.size(), [&](std::uint64_t i, double value) {
            if constexpr (std::is_integral_v<T>) {
                constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
                const bool boolean = argument.type.element == "bool";
                if (value != std::floor(value) || value < least ||
                    value >= std::ldexp(1.0, boolean ? 1 : std::numeric_limits<T>::digits)) {
                    throw UsageError(fmt::format("'{}' is {} for i = {}, which {} does not hold",
                                                 fill.formula, value, i,
                                                 boolean ? "bool" : parallax::name_of(type)));
                }
            }
            data[i] = static_cast<T>(value);
        });
    });
}

/// Fills the elements of a struct, each member on its own.
void fill_structs(HostArray& array, const ArgumentSpec& argument, const FormulaNames& names,
                  Draw draw, const std::vector<double>& literals, std::uint64_t seed) {
    const Layout layout = layout_of(argument);
    std::ranges::fill(array.bytes(), std::byte{0});
    const std::uint64_t count = array.bytes().size() / layout.bytes;
    for (const auto& [own, offset] : layout.parts) {
        const ArgumentSpec& member = *own;
        const std::uint64_t size = layout_of(member).bytes;
        HostArray part(scalar_type(member.type), count * slots(member.type) * member.elements);
        fill_array(part, member, names, draw, literals, seed_for(seed, member.name));
        for (std::uint64_t i = 0; i < count; ++i) {
            std::ranges::copy(
                part.bytes().subspan(i * size, size),
                array.bytes().begin() + static_cast<std::ptrdiff_t>(i * layout.bytes + offset));
        }
    }
}

/// The part that a device can generate; empty: none.
std::optional<DrawnPart> part_of(const ArgumentSpec& argument, const FormulaNames& names,
                                 ElementType type) {
    using Kind = InputPattern::Kind;
    using Drawn = DrawnPart::Kind;
    const InputPattern fill = evaluated(argument, names);
    DrawnPart part{.type = type, .name = argument.name};
    std::tie(part.low, part.high) = fill.range.value_or(std::pair{0.0, 1.0});
    switch (fill.kind) {
        case Kind::none:
        case Kind::zeros: part.low = 0; break;
        case Kind::value: part.low = fill.value; break;
        case Kind::iota: part.kind = Drawn::iota; break;
        case Kind::permutation: part.kind = Drawn::permutation; break;
        case Kind::integers: part.kind = Drawn::small_integers; break;
        case Kind::random: part.kind = Drawn::numbers; break;
        case Kind::sorted: part.kind = Drawn::sorted; break;
        case Kind::csr_offsets: part.kind = Drawn::row_begins; break;
        case Kind::csr_columns:
        case Kind::file:
        case Kind::formula: return {};
    }
    // Values outside of a half's range become infinite.
    constexpr double most_of_half = 65504;
    const bool is_range = part.kind == Drawn::numbers || part.kind == Drawn::sorted;
    const bool may_exceed = is_range ? std::max(-part.low, part.high) > most_of_half
                                     : fill.kind != Kind::zeros && fill.kind != Kind::integers;
    if (type == ElementType::f16 && may_exceed) return {};
    return part;
}

/// The inputs of one case.
class Inputs {
public:
    Inputs(const Model& model, const KernelSource& text, const Case& c,
           const parallax::InputPattern& pattern, std::uint64_t seed)
        : model_(model),
          text_(text),
          case_(c),
          draw_{pattern.exact,
                pattern.name == above_zero,
                pattern.name == drawn_again,
                pattern.name == with_extremes,
                pattern.name == with_high,
                pattern.name == with_low,
                pattern.name == with_special,
                pattern.name == with_few_special,
                static_cast<std::size_t>(std::ranges::find(c.suite->check_shapes, c.shape) -
                                         c.suite->check_shapes.begin())},
          // Each pattern has its own numbers, even where all draw integers in the same way.
          seed_(pattern.exact ? mix(seed, draw_.upper) : seed),
          plan_(plan_of(model, text, c)),
          names_(names_of(model, text, c)) {}

    std::vector<HostArray> all() const {
        std::vector<HostArray> arrays;
        for (const BufferSpec& buffer : plan_.buffers) {
            if (is_loaded(buffer.role)) arrays.push_back(array_of(buffer));
        }
        return arrays;
    }

    std::vector<DrawnBuffer> drawing() const {
        std::vector<DrawnBuffer> all;
        for (const BufferSpec& buffer : plan_.buffers) {
            if (is_loaded(buffer.role)) all.push_back(drawn(buffer));
        }
        return all;
    }

private:
    const ArgumentSpec& argument_of(const BufferSpec& buffer) const {
        return *std::ranges::find(text_.arguments, buffer.name, &ArgumentSpec::name);
    }

    DrawnBuffer drawn(const BufferSpec& buffer) const {
        const ArgumentSpec& argument = argument_of(buffer);
        DrawnBuffer drawn;
        // Numbers that are no indices are as good at another place.
        drawn.may_rotate = argument.fill.kind == InputPattern::Kind::file &&
                           is_floating(buffer.type) && argument.members.empty();
        const auto add = [&](std::optional<DrawnPart> part, std::uint64_t count) {
            drawn.has_rest |= !part;
            if (!part) return;
            part->count = count;
            drawn.parts.push_back(*std::move(part));
        };
        if (argument.fill.kind == InputPattern::Kind::csr_columns) {
            add(drawn_columns(buffer, argument), buffer.elements);
        } else if (argument.members.empty()) {
            add(part_of(argument, names_, buffer.type), buffer.elements);
        }
        const Layout layout = layout_of(argument);
        const std::uint64_t structs = buffer.bytes() / layout.bytes;
        for (const auto& [member, offset] : layout.parts) {
            const ElementType type = scalar_type(member->type);
            std::optional<DrawnPart> part = part_of(*member, names_, type);
            const std::uint64_t per = slots(member->type) * member->elements;
            if (part) {
                part->name = argument.name + member->name;
                part->first = offset / size_of(type);
                part->per = per;
                part->stride = layout.bytes / size_of(type);
            }
            add(std::move(part), structs * per);
        }
        return drawn;
    }

    std::optional<DrawnPart> drawn_columns(const BufferSpec& buffer,
                                           const ArgumentSpec& argument) const {
        const auto begins =
            std::ranges::find(plan_.buffers, argument.fill.offsets, &BufferSpec::name);
        if (begins == plan_.buffers.end() || size_of(begins->type) < 4 ||
            is_floating(begins->type) || is_floating(buffer.type) || begins->image) {
            return {};
        }
        return DrawnPart{.kind = DrawnPart::Kind::row_columns,
                         .type = buffer.type,
                         .name = argument.name,
                         .high = formula_value(argument.fill.bounds[1], names_),
                         .begins = static_cast<std::size_t>(begins - plan_.buffers.begin())};
    }

    HostArray array_of(const BufferSpec& buffer) const {
        const ArgumentSpec& argument = argument_of(buffer);
        if (argument.fill.kind == InputPattern::Kind::file) {
            return read_elements(model_, argument.path, argument.fill.file, buffer.type,
                                 buffer.elements);
        }
        HostArray array(buffer.type, buffer.elements);
        told_at(model_, argument.path, case_, [&] {
            const std::uint64_t seed = seed_for(seed_, argument.name);
            if (argument.fill.kind == InputPattern::Kind::csr_columns) {
                return fill_columns(array, argument, seed);
            }
            const auto fill = argument.members.empty() ? fill_array : fill_structs;
            fill(array, argument, names_, draw_, model_.literals, seed);
        });
        return array;
    }

    /// The columns of each row's elements, ascending, without duplicates.
    void fill_columns(HostArray& array, const ArgumentSpec& argument, std::uint64_t seed) const {
        const auto buffer =
            std::ranges::find(plan_.buffers, argument.fill.offsets, &BufferSpec::name);
        const auto leads =
            std::ranges::find(text_.arguments, argument.fill.offsets, &ArgumentSpec::name);
        if (buffer == plan_.buffers.end() || !is_loaded(buffer->role) ||
            is_floating(buffer->type) || leads->fill.kind == InputPattern::Kind::csr_columns) {
            throw UsageError(
                fmt::format("'{}' is no buffer of whole numbers that says where rows "
                            "begin",
                            argument.fill.offsets));
        }
        const HostArray offsets = array_of(*buffer);
        const std::uint64_t own_seed = draw_.again ? mix(seed, 1) : seed;
        const auto columns = static_cast<std::uint64_t>(
            formula_count(argument.fill.bounds[1], names_, 1, largest_exact));
        visit_any_type(array.type(), [&](auto zero) {
            using T = decltype(zero);
            if (static_cast<double>(columns - 1) >=
                std::ldexp(1.0, std::numeric_limits<T>::digits)) {
                throw UsageError(fmt::format("{} does not hold {} columns",
                                             parallax::name_of(array.type()), columns));
            }
            const std::span<T> data = array.as<T>();
            std::ranges::fill(data, T{});
            visit_any_type(offsets.type(), [&](auto of_row) {
                const auto begins = offsets.as<decltype(of_row)>();
                for (std::size_t row = 0; row + 1 < begins.size(); ++row) {
                    const auto begin = static_cast<double>(begins[row]),
                               end = static_cast<double>(begins[row + 1]);
                    if (begin < 0 || end < begin || end > static_cast<double>(data.size()) ||
                        end - begin > static_cast<double>(columns)) {
                        throw UsageError(
                            fmt::format("row {} is from {} up to {}, of {} elements and {} columns",
                                        row, begin, end, data.size(), columns));
                    }
                    const auto first = static_cast<std::uint64_t>(begin),
                               count = static_cast<std::uint64_t>(end) - first;
                    // k * columns / count without overflow of the product.
                    const auto share = [&](std::uint64_t k) {
                        return k * (columns / count) + k * (columns % count) / count;
                    };
                    for (std::uint64_t k = 0; k < count; ++k) {
                        const std::uint64_t low = share(k), high = share(k + 1);
                        data[first + k] = static_cast<T>(
                            static_cast<double>(low + mix(own_seed, first + k) % (high - low)));
                    }
                }
            });
        });
    }

    const Model& model_;
    const KernelSource& text_;
    const Case& case_;
    Draw draw_;
    std::uint64_t seed_;
    Plan plan_;
    FormulaNames names_;
};

}  // namespace

std::pair<double, double> ends_of(ElementType type) {
    return visit_any_type(type, [](auto zero) -> std::pair<double, double> {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) {
            return {static_cast<double>(std::numeric_limits<T>::min()),
                    std::ldexp(1.0, std::numeric_limits<T>::digits)};
        } else {
            return {-0x1p53, 0x1p53};
        }
    });
}

std::vector<HostArray> inputs_of(const Model& model, const KernelSource& text, const Case& c,
                                 const parallax::InputPattern& pattern, std::uint64_t seed) {
    return Inputs(model, text, c, pattern, seed).all();
}

std::vector<DrawnBuffer> drawing_of(const Model& model, const KernelSource& text, const Case& c) {
    return Inputs(model, text, c, {}, 0).drawing();
}

}  // namespace parallax::manifest

// Compares outputs with the reference, element by element, on all cores.
#include "measure/compare.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "measure/element_scale.hpp"

namespace parallax {
namespace {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// The value in a type for arithmetic on the host.
template <class T>
auto number_of(T value) {
    if constexpr (std::is_same_v<T, Half>) {
        return static_cast<float>(value);
    } else {
        return value;
    }
}

/// The type for errors and bounds: wider than both the output's and the reference's, so that its
/// own rounding does not count; `double` where that suffices, since `long double` is several times
/// slower.
template <class T, class Wide>
using Real = std::conditional_t<!std::is_integral_v<T> && sizeof(T) <= sizeof(float) &&
                                    sizeof(Wide) <= sizeof(double),
                                double, long double>;

/// One unit in the last place of type T at `value`. Outputs are long, so a value that fits gets it
/// from its exponent's bits; `std::ilogb` and `std::ldexp` of a long double take ten times as long.
template <class T, class R, class Value>
R ulp_at(Value value) {
    if constexpr (std::is_integral_v<T>) {
        return 1;
    } else {
        const auto largest = static_cast<R>(std::numeric_limits<T>::max());
        const auto smallest = static_cast<R>(std::numeric_limits<T>::min());
        const R size = std::min(std::fabs(static_cast<R>(value)), largest);
        if (size < smallest) return static_cast<R>(std::numeric_limits<T>::denorm_min());
        constexpr int less = std::numeric_limits<T>::digits - 1;
        if constexpr (sizeof(Value) <= sizeof(double) && sizeof(T) < sizeof(double)) {
            constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000;
            const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(size)) & exponent;
            return static_cast<R>(std::bit_cast<double>(bits - (std::uint64_t{less} << 52)));
        } else {
            return std::ldexp(R{1}, std::ilogb(size) - less);
        }
    }
}

/// The result of one chunk.
struct Chunk {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t wrong = 0;
    double share = 0, ulp = 0, squared_ulp = 0;
};

template <class R>
struct Allowance {
    R bound = 0;
    bool infinity_allowed = false;
};

template <class T, class Wide>
class Comparer {
    using R = Real<T, Wide>;

public:
    /// `values` and `magnitudes` (empty, or as many) belong to the elements of `got`, which start
    /// at `first` of the output.
    Comparer(std::span<const T> got, std::span<const Wide> values,
             std::span<const double> magnitudes, const Tolerance& tolerance, std::uint64_t first)
        : got_(got),
          values_(values),
          magnitudes_(magnitudes),
          tolerance_(tolerance),
          first_(first) {}

    Comparison run() {
        const std::vector<std::uint64_t> blocks = differing_blocks();
        if constexpr (!std::is_integral_v<T> && std::is_same_v<T, Wide>) {
            if (!blocks.empty() && is_captured_tolerance(tolerance_))
                scale_.emplace(values_, tolerance_);
        }
        std::vector<Chunk> chunks(chunk_count(blocks.size(), least_blocks));
        for_chunks(
            blocks.size(),
            [&](std::uint64_t begin, std::uint64_t end, std::size_t chunk) {
                for (std::uint64_t k = begin; k < end; ++k) {
                    const std::uint64_t last = end_of_block(blocks[k]);
                    for (std::uint64_t i = blocks[k]; i < last; ++i) look(i, chunks[chunk]);
                }
            },
            least_blocks);
        Comparison all;
        Mismatch mismatch;
        std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
        for (const Chunk& chunk : chunks) {
            first = std::min(first, chunk.first);
            mismatch.count += chunk.wrong;
            all.worst_share = std::max(all.worst_share, chunk.share);
            all.worst_ulp = std::max(all.worst_ulp, chunk.ulp);
            all.squared_ulp += chunk.squared_ulp;
        }
        if (mismatch.count > 0) {
            mismatch.index = first_ + first;
            mismatch.got = spelled(got_[first]);
            mismatch.expected = spelled(values_[first]);
            mismatch.bound = tolerance_.kind == Tolerance::Kind::bits ? "the same bits"
                             : tolerance_.kind == Tolerance::Kind::value
                                 ? "exactly this"
                                 : fmt::format("{:.6g}", static_cast<double>(allowed(first).bound));
            all.mismatch = mismatch;
        }
        return all;
    }

private:
    /// Elements of a block are compared one by one only where some of its bytes differ from the
    /// expected ones. Most outputs are bitwise identical, and then cost only the memory traffic.
    static constexpr std::uint64_t block = 1 << 12, least_blocks = 8;

    std::uint64_t end_of_block(std::uint64_t first) const {
        return std::min<std::uint64_t>(first + block, got_.size());
    }

    /// The first element of each, ascending; of all blocks where the bytes tell nothing.
    std::vector<std::uint64_t> differing_blocks() const {
        const std::uint64_t count = (got_.size() + block - 1) / block;
        std::vector<std::vector<std::uint64_t>> found(chunk_count(count, least_blocks));
        for_chunks(
            count,
            [&](std::uint64_t begin, std::uint64_t end, std::size_t chunk) {
                for (std::uint64_t first = begin * block; first < end * block; first += block) {
                    if constexpr (std::is_same_v<T, Wide>) {
                        const std::size_t bytes = (end_of_block(first) - first) * sizeof(T);
                        if (std::memcmp(&got_[first], &values_[first], bytes) == 0) continue;
                    }
                    found[chunk].push_back(first);
                }
            },
            least_blocks);
        std::vector<std::uint64_t> all;
        for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
        return all;
    }

    Allowance<R> allowed(std::uint64_t i) const {
        const auto value = static_cast<R>(number_of(values_[i]));
        switch (tolerance_.kind) {
            case Tolerance::Kind::bits:
            case Tolerance::Kind::value: return {};
            case Tolerance::Kind::ulp:
                return {static_cast<R>(tolerance_.ulp) * ulp_at<T, R>(number_of(values_[i])),
                        false};
            case Tolerance::Kind::difference:
                if (std::is_integral_v<T> && tolerance_.integers_equal) return {};
                if constexpr (!std::is_integral_v<T>) {
                    if (scale_)
                        return {static_cast<R>(scale_->bound(static_cast<double>(value))), false};
                }
                return {static_cast<R>(tolerance_.relative) * std::fabs(value) +
                            static_cast<R>(tolerance_.absolute),
                        false};
            case Tolerance::Kind::rounding: break;
        }
        if constexpr (std::is_integral_v<T>) {
            return {};
        } else {
            constexpr R roundoff = R{0.5} / (1ULL << (std::numeric_limits<T>::digits - 1));
            const auto depth = static_cast<R>(tolerance_.depth);
            const R magnitude =
                magnitudes_.empty() ? std::fabs(value) : static_cast<R>(magnitudes_[i]);
            Allowance<R> allowance;
            allowance.bound = depth * roundoff * magnitude +
                              depth * static_cast<R>(std::numeric_limits<T>::denorm_min());
            allowance.infinity_allowed =
                std::fabs(value) + allowance.bound > static_cast<R>(std::numeric_limits<T>::max());
            return allowance;
        }
    }

    void look(std::uint64_t i, Chunk& chunk) const {
        if (!right(i, chunk)) {
            ++chunk.wrong;
            chunk.first = std::min(chunk.first, i);
        }
    }

    bool right(std::uint64_t i, Chunk& chunk) const {
        if constexpr (std::is_same_v<T, Wide>) {
            if (std::memcmp(&got_[i], &values_[i], sizeof(T)) == 0) return true;
            if (tolerance_.kind == Tolerance::Kind::bits || (scale_ && scale_->holds_bits()))
                return false;
        }
        const auto got = number_of(got_[i]);
        const auto value = number_of(values_[i]);
        if constexpr (std::is_floating_point_v<decltype(got)>) {
            if (std::isnan(value) || std::isnan(got)) return std::isnan(value) && std::isnan(got);
            if (std::isinf(value)) return static_cast<decltype(value)>(got) == value;
            if (std::isinf(got)) {
                return allowed(i).infinity_allowed && std::signbit(got) == std::signbit(value);
            }
        }
        const R error = std::fabs(static_cast<R>(got) - static_cast<R>(value));
        if (error == 0) return true;
        const auto ulp = static_cast<double>(error / ulp_at<T, R>(value));
        chunk.ulp = std::max(chunk.ulp, ulp);
        chunk.squared_ulp += ulp * ulp;
        const R bound = allowed(i).bound;
        chunk.share = std::max(chunk.share, bound > 0 ? static_cast<double>(error / bound)
                                                      : std::numeric_limits<double>::infinity());
        return error <= bound;
    }

    std::span<const T> got_;
    std::span<const Wide> values_;
    std::span<const double> magnitudes_;
    Tolerance tolerance_;
    std::uint64_t first_;
    /// For floating-point numbers with a captured tolerance.
    std::optional<ElementScale<std::conditional_t<std::is_integral_v<T>, float, T>>> scale_;
};

}  // namespace

bool have_same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
    if (a.size() != b.size()) return false;
    if (a.data() == b.data()) return true;
    constexpr std::uint64_t worth_a_thread = 1 << 21;
    const auto are_same = [&](std::uint64_t begin, std::uint64_t end) {
        return std::memcmp(a.data() + begin, b.data() + begin, end - begin) == 0;
    };
    if (a.size() < 2 * worth_a_thread) return are_same(0, a.size());
    std::atomic<bool> same = true;
    for_chunks(
        a.size(),
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            if (!are_same(begin, end)) same = false;
        },
        worth_a_thread);
    return same;
}

void Comparison::add(const Comparison& later) {
    worst_share = std::max(worst_share, later.worst_share);
    worst_ulp = std::max(worst_ulp, later.worst_ulp);
    squared_ulp += later.squared_ulp;
    if (!later.mismatch) return;
    if (mismatch) {
        mismatch->count += later.mismatch->count;
    } else {
        mismatch = later.mismatch;
    }
}

std::uint64_t size_of(const Expected& expected) {
    return std::visit([](const auto& values) -> std::uint64_t { return values.size(); },
                      expected.values);
}

template <class T>
std::string spelled(T value) {
    if constexpr (std::is_same_v<T, long double>) {
        return fmt::format("{:.21g}", value);
    } else if constexpr (std::is_integral_v<T>) {
        return fmt::format("{}", value + 0);  // an 8-bit value prints as a number
    } else if constexpr (std::is_same_v<T, Half>) {
        return fmt::format("{} ({:#06x})", static_cast<float>(value), value.bits);
    } else {
        return fmt::format("{} ({:#x})", value, std::bit_cast<Bits<T>>(value));
    }
}
template std::string spelled(float);
template std::string spelled(double);
template std::string spelled(Half);
template std::string spelled(std::int8_t);
template std::string spelled(std::uint8_t);
template std::string spelled(std::int16_t);
template std::string spelled(std::uint16_t);
template std::string spelled(std::int32_t);
template std::string spelled(std::uint32_t);
template std::string spelled(std::int64_t);
template std::string spelled(std::uint64_t);

Comparison compare(const HostArray& got, const Expected& expected, const Tolerance& tolerance,
                   std::uint64_t first) {
    const std::uint64_t all = size_of(expected);
    if (first > all || all - first < got.size()) {
        throw Error(fmt::format("The reference has {} elements, the output more.", all));
    }
    std::span<const double> magnitudes = expected.magnitudes;
    if (!magnitudes.empty()) magnitudes = magnitudes.subspan(first, got.size());
    return visit_any_type(got.type(), [&](auto zero) {
        using T = decltype(zero);
        return std::visit(
            [&](const auto& values) -> Comparison {
                using Values = std::decay_t<decltype(values)>;
                if constexpr (std::is_same_v<Values, HostArray>) {
                    if (values.type() != got.type()) {
                        throw Error("The reference is of another type than the output.");
                    }
                    return Comparer<T, T>(got.as<T>(),
                                          values.template as<T>().subspan(first, got.size()),
                                          magnitudes, tolerance, first)
                        .run();
                } else {
                    using Wide = typename Values::value_type;
                    return Comparer<T, Wide>(got.as<T>(),
                                             std::span(values).subspan(first, got.size()),
                                             magnitudes, tolerance, first)
                        .run();
                }
            },
            expected.values);
    });
}

namespace {

/// Offsets of the part's numbers, which no array splits, within bytes `begin` to `end` of a buffer.
std::vector<std::uint64_t> places_of(const BufferSpec& spec, const StructPart& part,
                                     std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t size = size_of(part.type);
    std::vector<std::uint64_t> places;
    for (std::uint64_t at = begin / spec.struct_bytes * spec.struct_bytes; at < end;
         at += spec.struct_bytes) {
        for (std::uint64_t i = 0; i < part.count; ++i) {
            const std::uint64_t place = at + part.offset + i * size;
            if (place >= begin && place < end) places.push_back(place);
        }
    }
    return places;
}

/// @param begin  the offset of the first byte
HostArray gathered(std::span<const std::byte> bytes, const StructPart& part,
                   const std::vector<std::uint64_t>& places, std::uint64_t begin) {
    const std::uint64_t size = size_of(part.type);
    HostArray made(part.type, places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        std::ranges::copy(bytes.subspan(places[i] - begin, size),
                          made.bytes().subspan(i * size).begin());
    }
    return made;
}

}  // namespace

std::vector<HostArray> fields_of(const HostArray& values, const BufferSpec& spec) {
    std::vector<HostArray> fields;
    if (spec.parts.empty()) fields.push_back(values.copy());
    for (const StructPart& part : spec.parts) {
        fields.push_back(
            gathered(values.bytes(), part, places_of(spec, part, 0, values.bytes().size()), 0));
    }
    return fields;
}

void put_fields(HostArray& values, const BufferSpec& spec, const std::vector<HostArray>& fields) {
    for (std::size_t k = 0; k < spec.parts.size(); ++k) {
        const std::uint64_t size = size_of(spec.parts[k].type);
        std::uint64_t next = 0;
        for (const std::uint64_t place : places_of(spec, spec.parts[k], 0, values.bytes().size())) {
            std::ranges::copy(fields.at(k).bytes().subspan(size * next++, size),
                              values.bytes().subspan(place).begin());
        }
    }
}

Comparison compare_structs(const HostArray& got, const HostArray& expected, const BufferSpec& spec,
                           const Tolerance& tolerance, std::uint64_t first) {
    const std::uint64_t unit = size_of(got.type()), begin = first * unit,
                        end = begin + got.bytes().size();
    if (expected.bytes().size() < end) throw Error("The reference has fewer elements.");
    if (std::ranges::all_of(spec.parts,
                            [&](const StructPart& part) { return part.type == spec.type; })) {
        Comparison all = compare(
            only_parts(got.bytes(), spec, first),
            {only_parts(expected.bytes().subspan(begin, end - begin), spec, first), {}}, tolerance);
        if (all.mismatch) all.mismatch->index += first;
        return all;
    }
    Comparison all;
    for (const StructPart& part : spec.parts) {
        const std::vector<std::uint64_t> places = places_of(spec, part, begin, end);
        const HostArray own = gathered(got.bytes(), part, places, begin);
        HostArray right = gathered(expected.bytes(), part, places, 0);
        Comparison one = compare(own, {std::move(right), {}},
                                 is_floating(part.type) ? tolerance : Tolerance::exact());
        if (one.mismatch) one.mismatch->index = places[one.mismatch->index] / unit;
        if (one.mismatch && all.mismatch && one.mismatch->index < all.mismatch->index) {
            std::swap(one, all);
        }
        all.add(one);
    }
    return all;
}

}  // namespace parallax

// Computes the distances between the elements of two outputs.
#include "measure/result_distance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "common/error.hpp"
#include "measure/compare.hpp"

namespace parallax {
namespace {

/// Maps a value to an integer so that integers have the order of the values.
template <class T>
std::int64_t in_order(T value) {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
        return static_cast<std::int64_t>(value ^ (std::uint64_t{1} << 63));
    } else if constexpr (std::is_integral_v<T>) {
        return value;
    } else if constexpr (std::is_same_v<T, Half>) {
        const auto bits = std::bit_cast<std::int16_t>(value.bits);
        return bits < 0 ? std::int64_t{std::numeric_limits<std::int16_t>::min()} - bits - 1 : bits;
    } else if constexpr (sizeof(T) == 4) {
        const auto bits = std::bit_cast<std::int32_t>(value);
        return bits < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - bits - 1 : bits;
    } else {
        const auto bits = std::bit_cast<std::int64_t>(value);
        return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits - 1 : bits;
    }
}

std::uint64_t apart(std::int64_t a, std::int64_t b) {
    // Unsigned arithmetic does not overflow.
    return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                 : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

}  // namespace

HostArray ascending_rows(const HostArray& values, const BufferSpec& spec) {
    return std::move(ascending_rows({&values}, {&spec}).front());
}

std::vector<HostArray> ascending_rows(const std::vector<const HostArray*>& values,
                                      const std::vector<const BufferSpec*>& specs) {
    std::vector<HostArray> kept, made;
    for (std::size_t k = 0; k < values.size(); ++k) {
        kept.push_back(specs[k]->parts.empty() ? values[k]->copy()
                                               : only_parts(values[k]->bytes(), *specs[k]));
    }
    std::vector<std::uint64_t> rows(kept.front().size() / specs.front()->row);
    std::iota(rows.begin(), rows.end(), 0);
    // A stable sort by the last output first.
    for (std::size_t k = kept.size(); k-- > 0;) {
        visit_any_type(kept[k].type(), [&](auto zero) {
            using T = decltype(zero);
            const auto row_at = [all = kept[k].as<T>(), row = specs[k]->row](std::uint64_t one) {
                return all.subspan(one * row, row);
            };
            std::ranges::stable_sort(rows, [&](std::uint64_t a, std::uint64_t b) {
                return std::ranges::lexicographical_compare(row_at(a), row_at(b), {}, in_order<T>,
                                                            in_order<T>);
            });
        });
    }
    for (std::size_t k = 0; k < kept.size(); ++k) {
        HostArray& to = made.emplace_back(kept[k].type(), kept[k].size());
        const std::size_t bytes = specs[k]->row * size_of(to.type());
        auto place = to.bytes().begin();
        for (const std::uint64_t row : rows)
            place = std::ranges::copy(kept[k].bytes().subspan(row * bytes, bytes), place).out;
    }
    return made;
}

void AnswerDistance::count(std::uint64_t ulp) {
    if (ulp < exact_.size()) {
        ++exact_[ulp];
    } else {
        ++powers_[static_cast<std::size_t>(std::bit_width(ulp) - 1)];
    }
    distance_.largest_ulp = std::max(distance_.largest_ulp, static_cast<double>(ulp));
}

template <class T>
void AnswerDistance::add_all(std::span<const T> a, std::span<const T> b, std::uint64_t first) {
    distance_.elements += a.size();
    if (std::memcmp(a.data(), b.data(), a.size_bytes()) == 0) return;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::memcmp(&a[i], &b[i], sizeof(T)) == 0) continue;
        if (distance_.differing++ == 0) {
            distance_.first = first + i;
            distance_.first_a = spelled(a[i]);
            distance_.first_b = spelled(b[i]);
        }
        if constexpr (!std::is_integral_v<T>) {
            const bool nan_a = is_nan(a[i]), nan_b = is_nan(b[i]);
            if (nan_a && nan_b) {
                count(0);
                continue;
            }
            if (nan_a || nan_b) {
                ++infinitely_far_;
                continue;
            }
        }
        count(apart(in_order(a[i]), in_order(b[i])));
    }
}

void AnswerDistance::add(const HostArray& a, const HostArray& b, std::uint64_t first) {
    if (a.type() != b.type() || a.size() != b.size()) {
        throw Error("Outputs of two types or sizes cannot be compared.");
    }
    visit_any_type(a.type(), [&](auto zero) {
        using T = decltype(zero);
        add_all<T>(a.as<T>(), b.as<T>(), first);
    });
}

AnswerDistances AnswerDistance::distance() const {
    AnswerDistances result = distance_;
    result.identical = identical();
    if (infinitely_far_ > 0) result.largest_ulp = std::numeric_limits<double>::infinity();
    std::uint64_t left = (result.differing + 1) / 2;
    if (left == 0) return result;
    for (std::size_t i = 0; i < exact_.size(); ++i) {
        if (left <= exact_[i]) {
            result.median_ulp = static_cast<double>(i);
            return result;
        }
        left -= exact_[i];
    }
    for (std::size_t i = 0; i < powers_.size(); ++i) {
        if (left <= powers_[i]) {
            result.median_ulp = std::ldexp(1.0, static_cast<int>(i));
            return result;
        }
        left -= powers_[i];
    }
    result.median_ulp = std::numeric_limits<double>::infinity();
    return result;
}

}  // namespace parallax

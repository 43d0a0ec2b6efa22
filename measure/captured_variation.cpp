// Repeats a captured launch on its own side, to compare differences with its own variation.
#include "measure/captured_variation.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "common/suite/inputs.hpp"
#include "common/text/characters.hpp"
#include "common/text/comments.hpp"
#include "measure/compare.hpp"
#include "measure/element_scale.hpp"
#include "measure/result_distance.hpp"
#include "measure/verification.hpp"

namespace parallax {
namespace {

/// Runs with slightly changed inputs.
constexpr unsigned moved_runs = 3;
/// Allowed differences as a multiple of the range of these few runs.
constexpr long double times_the_range = 16;

template <class T>
using Number = std::conditional_t<std::is_same_v<T, Half>, float, T>;

template <class T>
Number<T> number(T value) {
    return static_cast<Number<T>>(value);
}

template <class T>
long double real(T value) {
    return static_cast<long double>(number(value));
}

/// Whether two outputs hold the same numbers in any order.
bool are_same_numbers(const HostArray& a, const HostArray& b, const Tolerance& within) {
    return !compare(ascending_rows(a, {}), {ascending_rows(b, {}), {}}, within).mismatch;
}

/// Inputs are moved only where they are as fine as an output, 0 to 2: the last place of a `float`
/// says nothing of the rounding of a `double`. Of integers it is that of floats.
int fineness(ElementType type) {
    return type == ElementType::f16 ? 0 : type == ElementType::f64 ? 2 : 1;
}

/// The next number above it or below it, or itself, by chance; what is not finite, the largest
/// numbers and the smallest stay.
template <class T>
T moved(T number, std::uint64_t chance) {
    using Bits =
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    constexpr Bits largest = std::bit_cast<Bits>(std::numeric_limits<T>::max());
    const auto bits = std::bit_cast<Bits>(number);
    const Bits size = bits & (std::numeric_limits<Bits>::max() >> 1);
    if (size <= 1 || size >= largest) return number;
    return std::bit_cast<T>(static_cast<Bits>(bits + chance % 3 - 1));
}

HostArray moved(const HostArray& values, std::uint64_t seed) {
    HostArray made = values.copy();
    visit_any_type(made.type(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (!std::is_integral_v<T>) {
            const auto numbers = made.as<T>();
            for_chunks(numbers.size(), [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
                for (std::uint64_t i = begin; i < end; ++i)
                    numbers[i] = moved(numbers[i], mix(seed, i) >> 33);
            });
        }
    });
    return made;
}

/// The same for the numbers of a buffer, or of its parts, with that precision.
HostArray moved(const HostArray& values, const BufferSpec& spec, int fine, std::uint64_t seed) {
    if (spec.parts.empty()) return fineness(spec.type) < fine ? values.copy() : moved(values, seed);
    HostArray made = values.copy();
    std::vector<HostArray> fields = fields_of(values, spec);
    for (HostArray& one : fields) {
        if (fineness(one.type()) >= fine) one = moved(one, seed++);
    }
    put_fields(made, spec, fields);
    return made;
}

/// Kernels see its integers as floats, which a device rounds as it likes.
bool is_normalized_input(const BufferSpec& spec) {
    return spec.image && spec.image->is_normalized && spec.role == Role::input;
}

/// The values that kernels read from the image.
HostArray texels_of(const HostArray& values) {
    HostArray made(ElementType::f32, values.size());
    visit_any_type(values.type(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) {
            std::ranges::transform(values.as<T>(), made.as<float>().begin(), [](T one) {
                return std::max(
                    static_cast<float>(one) / static_cast<float>(std::numeric_limits<T>::max()),
                    -1.0F);
            });
        }
    });
    return made;
}

/// The case with such images as images of floats, which can be moved.
Case with_float_texels(const Case& c, Variant& variant) {
    variant = *c.variant;
    variant.name += " with texels as floats";
    variant.plan = [plan = c.variant->plan](const Case& one) {
        Plan made = plan(one);
        for (BufferSpec& spec : made.buffers) {
            if (!is_normalized_input(spec)) continue;
            spec.type = ElementType::f32;
            spec.image->is_normalized = false;
        }
        return made;
    };
    Case made = c;
    made.variant = &variant;
    return made;
}

bool has_numbers_as_fine(const BufferSpec& spec, int fine) {
    if (is_normalized_input(spec)) return fineness(ElementType::f32) >= fine;
    const auto is_as_fine = [&](ElementType type) {
        return is_floating(type) && fineness(type) >= fine;
    };
    return is_loaded(spec.role) &&
           (spec.parts.empty() ? is_as_fine(spec.type)
                               : std::ranges::any_of(spec.parts, is_as_fine, &StructPart::type));
}

/// The same as fields_of(), for values that are not needed afterwards.
std::vector<HostArray> take_fields(HostArray&& values, const BufferSpec& spec) {
    if (!spec.parts.empty()) return fields_of(values, spec);
    std::vector<HostArray> one;
    one.push_back(std::move(values));
    return one;
}

}  // namespace

struct OwnRanges {
    /// The numbers of one part of an output, over all runs.
    struct Range {
        HostArray low, high;
        HostArray first;                 ///< the first run's, as long as others have equal inputs
        std::uint64_t differing = 0;     ///< at most, from one run to another with equal inputs
        bool is_reordered = false;       ///< they were the same numbers in other places
        bool has_other_numbers = false;  ///< they were others

        explicit Range(HostArray&& run)
            : low(run.copy()), high(run.copy()), first(std::move(run)) {}

        void add(const HostArray& run) {
            visit_any_type(run.type(), [&](auto zero) {
                using T = decltype(zero);
                const auto one = run.as<T>();
                const auto lows = low.as<T>(), highs = high.as<T>();
                for_chunks(one.size(), [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
                    for (std::uint64_t i = begin; i < end; ++i) {
                        if (number(one[i]) < number(lows[i])) lows[i] = one[i];
                        if (number(one[i]) > number(highs[i])) highs[i] = one[i];
                    }
                });
            });
        }
        void add_equal(const HostArray& run, const Tolerance& within) {
            Expected before{std::move(first), {}};
            const Comparison apart = compare(run, before, within);
            first = std::move(std::get<HostArray>(before.values));
            if (apart.mismatch) {
                differing = std::max(differing, apart.mismatch->count);
                const bool is_same = are_same_numbers(run, first, within);
                is_reordered = is_reordered || is_same;
                has_other_numbers = has_other_numbers || !is_same;
            }
            add(run);
        }
    };

    Shape shape;
    std::vector<std::vector<Range>> ranges;  ///< by output and part
};

namespace {

using Range = OwnRanges::Range;

/// Runs on the program's own side. By output and part: how far its numbers vary.
/// @param takes_places  numbers have any place: they are put in order
std::vector<std::vector<Range>> own_ranges(const Plan& plan, const Case& c,
                                           const ReferenceData& reference_data,
                                           const ReferenceCache& references,
                                           std::string_view device, bool takes_places) {
    const Tolerance tolerance = c.suite->tolerance(c);
    std::vector<const BufferSpec*> outputs;
    for (const BufferSpec& one : plan.buffers) {
        if (is_compared(one.role)) outputs.push_back(&one);
    }
    std::vector<std::vector<Range>> ranges(outputs.size());
    const auto add = [&](std::vector<Expected> answers, auto&& what) {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            std::vector<HostArray> fields =
                take_fields(std::move(std::get<HostArray>(answers.at(i).values)), *outputs[i]);
            for (std::size_t k = 0; k < fields.size(); ++k) {
                if (takes_places) fields[k] = ascending_rows(fields[k], {});
                what(i, k, fields[k]);
            }
        }
    };
    const auto add_run = [&](std::size_t i, std::size_t k, HostArray& field) {
        ranges[i].at(k).add(field);
    };
    Variant as_floats;
    const bool has_texels = std::ranges::any_of(plan.buffers, is_normalized_input);
    const Case to_move = has_texels ? with_float_texels(c, as_floats) : c;
    std::set<int> finenesses;
    const auto run = [&](const Case& one, const std::vector<HostArray>& inputs) {
        return references.answered_again(one, inputs, device);
    };
    add(run(c, reference_data.inputs), [&](std::size_t i, std::size_t, HostArray& field) {
        finenesses.insert(fineness(field.type()));
        ranges[i].emplace_back(std::move(field));
    });
    const auto has_any = [&](int fine) {
        return std::ranges::any_of(
            plan.buffers, [&](const BufferSpec& one) { return has_numbers_as_fine(one, fine); });
    };
    // Where nothing can be moved, the order of work-items is all that may vary.
    const unsigned equal_runs = std::ranges::none_of(finenesses, has_any) ? 1 + moved_runs : 1;
    for (unsigned i = 0; i < equal_runs; ++i) {
        add(run(c, reference_data.inputs), [&](std::size_t k, std::size_t part, HostArray& field) {
            ranges[k].at(part).add_equal(field, output_tolerance(tolerance, *outputs[k]));
        });
    }
    for (std::vector<Range>& parts : ranges) {
        for (Range& one : parts) one.first = HostArray();
    }
    for (const int fine : finenesses) {
        for (unsigned seed = 1; has_any(fine) && seed <= moved_runs; ++seed) {
            std::vector<HostArray> inputs;
            for (const BufferSpec& one : plan.buffers) {
                if (!is_loaded(one.role)) continue;
                const HostArray& values = reference_data.inputs.at(inputs.size());
                if (is_normalized_input(one)) {
                    HostArray texels = texels_of(values);
                    // Twice: a device may be 1.5 units off.
                    const bool is_moved = has_numbers_as_fine(one, fine);
                    inputs.push_back(is_moved ? moved(moved(texels, seed), seed + moved_runs)
                                              : std::move(texels));
                } else {
                    inputs.push_back(moved(values, one, fine, seed));
                }
            }
            add(run(to_move, inputs), [&](std::size_t i, std::size_t k, HostArray& field) {
                if (fineness(field.type()) == fine) ranges[i].at(k).add(field);
            });
        }
    }
    // With contraction, which the compiler may use and did not. A launch of two sources stays one:
    // else the device that is verified would answer for its own kernel.
    Variant other = *on_backend(c, {}).variant;
    FloatRules floats = other.floats.value_or(FloatRules{});
    floats.contract = !floats.contract;
    other.floats = floats;
    if (other.for_cuda) {
        auto cuda = std::make_shared<Variant>(*other.for_cuda);
        cuda->floats = floats;
        other.for_cuda = std::move(cuda);
    }
    other.name += floats.contract ? " with fused multiply-adds" : " without fused multiply-adds";
    Case otherwise = c;
    otherwise.variant = &other;
    const auto compared_names = [](const Plan& of) {
        std::vector<std::string> names;
        for (const BufferSpec& one : of.buffers) {
            if (is_compared(one.role)) names.push_back(one.name);
        }
        return names;
    };
    if (compared_names(other.plan(otherwise)) != compared_names(plan)) return ranges;
    try {
        add(run(otherwise, reference_data.inputs), add_run);
    } catch (const Interrupted&) {
        throw;
    } catch (const Error&) {
        // Only one compiler's rules are available.
    }
    return ranges;
}

/// The findings for one part of an output.
struct Found {
    enum class Kind { right, order, rounding, race, wrong } kind = Kind::right;
    std::uint64_t beyond = 0;  ///< elements outside the tolerance
    double furthest = 0, range = 0;
};

long double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

template <class T>
Found rounding_of(const HostArray& got, const HostArray& right, const Range& range,
                  const Tolerance& tolerance) {
    constexpr bool is_whole = std::is_integral_v<T>;
    const ElementScale<std::conditional_t<is_whole, float, T>> scale(
        [&] {
            if constexpr (is_whole) {
                return std::span<const float>();
            } else {
                return right.as<T>();
            }
        }(),
        tolerance);
    const auto size_at = [&](long double value) {
        return is_whole ? 1 : static_cast<long double>(scale.scale(static_cast<double>(value)));
    };
    const auto gots = got.as<T>(), rights = right.as<T>(), lows = range.low.as<T>(),
               highs = range.high.as<T>();
    std::atomic<std::uint64_t> count = 0;
    for_chunks(gots.size(), [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
        std::uint64_t own = 0;
        for (std::uint64_t i = begin; i < end; ++i) own += number(highs[i]) > number(lows[i]);
        count += own;
    });
    const std::uint64_t varying = count;
    // The largest number of elements whose variation is measured.
    constexpr std::uint64_t most_telling = 1 << 20;
    const std::uint64_t every = varying / most_telling + 1;
    std::vector<double> spreads, shares;
    for (std::uint64_t i = 0, seen = 0; i < gots.size(); ++i) {
        if (!(number(highs[i]) > number(lows[i])) || seen++ % every != 0) continue;
        const long double spread = real(highs[i]) - real(lows[i]);
        const long double size = size_at(real(rights[i]));
        spreads.push_back(static_cast<double>(spread));
        shares.push_back(static_cast<double>(size > 0 ? spread / size : 0));
    }
    const long double usual = median_of(std::move(spreads)), share = median_of(std::move(shares));
    Found found{Found::Kind::rounding};
    std::uint64_t rest = 0, far = 0;  // that varied less in these runs; of these, by several steps
    for (std::size_t i = 0; i < gots.size(); ++i) {
        if (std::memcmp(&gots[i], &rights[i], sizeof(T)) == 0) continue;
        const long double value = real(rights[i]);
        const long double off = std::fabs(real(gots[i]) - value);
        if (off == 0) continue;
        if (std::isnan(off) && std::isnan(value) && std::isnan(real(gots[i]))) continue;
        if (!is_whole && std::isfinite(off) && off <= scale.bound(static_cast<double>(value))) {
            continue;
        }
        ++found.beyond;
        const long double spread = real(highs[i]) - real(lows[i]);
        found.furthest = std::max(found.furthest, static_cast<double>(off));
        found.range = std::max(found.range, static_cast<double>(spread));
        if (off <= times_the_range * spread) continue;
        // Rare steps from one integer to the next appear in some runs and not in others.
        ++rest;
        far += is_whole && off > usual;
        const bool is_usual =
            is_whole ? off <= times_the_range * usual
                     : 2 * varying >= gots.size() &&
                           off <= times_the_range * std::min(usual, share * size_at(value));
        if (!is_usual) found.kind = Found::Kind::wrong;
    }
    // Sums of many steps vary in more than one of this number of elements.
    constexpr std::uint64_t one_of = 16;
    if (rest > varying || one_of * far > found.beyond || found.beyond == 0)
        found.kind = Found::Kind::wrong;
    return found;
}

Found judged(const HostArray& got, const Expected& expected, const Range& range,
             const Tolerance& within, const Tolerance& tolerance, bool takes_places,
             bool is_ordered = false) {
    const Comparison as_it_is = compare(got, expected, within);
    if (!as_it_is.mismatch) return {};
    const std::uint64_t beyond = as_it_is.mismatch->count;
    const auto& right = std::get<HostArray>(expected.values);
    if ((takes_places || range.is_reordered) && are_same_numbers(got, right, within)) {
        return {Found::Kind::order, beyond};
    }
    if (takes_places && !is_ordered) {
        return judged(ascending_rows(got, {}), {ascending_rows(right, {}), {}}, range, within,
                      tolerance, true, true);
    }
    if (!is_floating(right.type()) && range.differing > 0) {
        const bool is_race =
            range.has_other_numbers && may_be_a_race(beyond, range.differing, got.size());
        return {is_race ? Found::Kind::race : Found::Kind::wrong, beyond};
    }
    return visit_any_type(right.type(), [&](auto zero) {
        return rounding_of<decltype(zero)>(got, right, range, tolerance);
    });
}

void add_remark(AnswerRemarks& remarks, const Found& found, const std::string& name,
                std::uint64_t elements) {
    const std::string start = fmt::format("Not the same from run to run: {} of {} numbers of '{}' ",
                                          found.beyond, elements, name);
    if (found.kind == Found::Kind::order) {
        remarks.notes.push_back(
            start + "have another place, as atomic functions gave it; all of them are there.");
    } else if (found.kind == Found::Kind::race) {
        remarks.doubts.push_back(
            {DoubtKind::race,
             start + "are others, and they differ on the program's own side with equal inputs, "
                     "too: what is wrong would not show there."});
    } else if (found.kind == Found::Kind::rounding) {
        remarks.notes.push_back(
            start + fmt::format("follow from how others are rounded: they are off by up to {:.3g}, "
                                "and on the program's own side they vary by up to {:.3g}.",
                                found.furthest, found.range));
    }
}

}  // namespace

bool takes_places_by_atomics(std::string text) {
    for_comments(text, [](std::span<char> comment) { std::ranges::fill(comment, ' '); });
    std::set<std::string_view> places;  // variables that hold results of atomic functions
    bool found = false;
    const auto look = [&](std::string_view statement) {
        int depth = 0;  // nesting of brackets
        std::size_t assigned = statement.npos;
        for (std::size_t i = 0; i < statement.size(); ++i) {
            const char c = statement[i], next = i + 1 < statement.size() ? statement[i + 1] : ' ';
            if (c == '[') ++depth;
            if (c == ']') --depth;
            if (c == '=' && next != '=' && i > 0 && !std::strchr("=!<>", statement[i - 1]) &&
                assigned == statement.npos) {
                assigned = i;
            }
            if (!is_word_character(c) || (i > 0 && is_word_character(statement[i - 1]))) continue;
            const std::size_t end = word_end(statement, i);
            const std::string_view word = statement.substr(i, end - i);
            const bool is_atomic = (word.starts_with("atomic_") || word.starts_with("atom_")) &&
                                   end < statement.size() && statement[end] == '(';
            if (!is_atomic && !places.contains(word)) continue;
            if (depth > 0 ||
                (is_atomic && statement.find("return") == statement.find_first_not_of(" \t\r\n")))
                found = true;
            if (assigned == statement.npos) continue;
            std::size_t last = assigned;
            while (last > 0 && std::strchr(" \t\r\n+-|&^", statement[last - 1])) --last;
            // Values stored in memory cannot be tracked.
            if (last > 0 && statement[last - 1] == ']') found = true;
            std::size_t first = last;
            while (first > 0 && is_word_character(statement[first - 1])) --first;
            if (last > first) places.insert(statement.substr(first, last - first));
        }
    };
    for (std::size_t before = text.npos; before != places.size() && !found;) {
        before = places.size();
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find_first_of(";{}", at), text.size());
            look(std::string_view(text).substr(at, end - at));
            at = end + 1;
        }
    }
    return found;
}

std::optional<AnswerRemarks> within_own_range(const Binding& binding, const Plan& plan,
                                              const Case& c, const ReferenceData& reference_data,
                                              const ReferenceCache& references,
                                              std::string_view device,
                                              std::shared_ptr<const OwnRanges>& known) {
    const Tolerance tolerance = c.suite->tolerance(c);
    if (!is_captured_tolerance(tolerance) || !binding.damage(reference_data.inputs).empty())
        return {};
    const bool takes_places = takes_places_by_atomics(c.suite->text(c.variant->source));
    if (!known || known->shape != c.shape) {
        known = std::make_shared<OwnRanges>(OwnRanges{
            c.shape, own_ranges(plan, c, reference_data, references, device, takes_places)});
    }
    AnswerRemarks remarks;
    std::size_t output = 0;
    for (const std::size_t place : binding.outputs()) {
        const BufferSpec& spec = plan.buffers.at(place);
        HostArray values(spec.type, spec.elements);
        binding.read_part(place, 0, values);
        const Expected& expected = reference_data.expected.at(output);
        std::vector<Expected> rights;  // of parts
        if (!spec.parts.empty()) {
            for (HostArray& one : fields_of(std::get<HostArray>(expected.values), spec))
                rights.push_back({std::move(one), {}});
        }
        const std::vector<HostArray> gots = take_fields(std::move(values), spec);
        for (std::size_t k = 0; k < gots.size(); ++k) {
            const Found found = judged(gots[k], rights.empty() ? expected : rights[k],
                                       known->ranges.at(output).at(k),
                                       output_tolerance(tolerance, spec), tolerance, takes_places);
            if (found.kind == Found::Kind::wrong) return {};
            add_remark(remarks, found, spec.name, gots[k].size());
        }
        ++output;
    }
    return remarks;
}

}  // namespace parallax

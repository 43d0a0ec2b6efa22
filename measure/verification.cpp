// Verifies launches for every shape and input pattern of a case.
#include "measure/verification.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <future>
#include <limits>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/profile.hpp"
#include "common/text/hash.hpp"
#include "common/text/unique_values.hpp"
#include "measure/captured_variation.hpp"
#include "measure/compare.hpp"
#include "measure/element_scale.hpp"
#include "measure/result_distance.hpp"
#include "measure/run_case.hpp"
#include "measure/timed_inputs.hpp"
#include "measure/why_wrong.hpp"

namespace parallax {
namespace {

// Two alternating poison bytes: all ones is a NaN, which propagates; the other is an ordinary
// number, so that an output that happens to equal one of them is detected by the other. Guard zones
// are derived from them.
constexpr std::byte poisons[] = {std::byte{0xff}, std::byte{0xa5}};

/// The poison alternates from one trial to the next, and is the other one for the same pattern at
/// the next size, if a size has two patterns.
std::byte poison_of(unsigned trial) {
    return poisons[(trial + trial / 2) % std::size(poisons)];
}

/// Keys in VerificationResult::passing.
constexpr const char *not_a_number = "NaN", *one_number = "one number", *raced = "a race";

/// From this number of elements on, hashing runs concurrently with the comparison.
constexpr std::size_t worth_a_thread = 1 << 20;

/// Number of elements for testing which other values would pass.
constexpr std::uint64_t doubt_sample = 1 << 20;

}  // namespace

Tolerance tolerance_for(const Case& c, const InputPattern& pattern) {
    const Tolerance tolerance = c.suite->tolerance(c);
    // Which of two zeros a minimum is, or which NaN, is not for a kernel to know.
    const bool is_by_value = (is_extreme(pattern) || is_special(pattern.name)) &&
                             tolerance.kind == Tolerance::Kind::bits;
    return is_by_value || (pattern.exact && tolerance.kind == Tolerance::Kind::rounding)
               ? Tolerance::exact()
               : tolerance;
}

Plan plan_of(const Case& c) {
    return c.variant->plan(c);
}

std::string output_key(const Shape& shape, std::string_view pattern) {
    return fmt::format("{} {}", to_string(shape), pattern);
}

std::string output_key(const Shape& shape, const InputPattern& pattern) {
    const std::string key = output_key(shape, pattern.name);
    return pattern.key == 0 ? key : fmt::format("{} {:x}", key, pattern.key);
}

std::string VerificationResult::hash_of(const Shape& shape, const InputPattern& pattern) const {
    const auto& hashes = pattern.key == 0 ? output_hashes : keyed_hashes;
    const auto found = hashes.find(output_key(shape, pattern));
    return found == hashes.end() ? std::string() : found->second;
}

std::vector<InputPattern> input_patterns_of(const Case& c) {
    std::vector<InputPattern> patterns{{"integers", true, false}, {"random", false, false}};
    for (const InputPattern& edge_cases : c.suite->edge_cases) {
        if (!edge_cases.floating_only || is_floating(c.type)) patterns.push_back(edge_cases);
    }
    return patterns;
}

std::string words_of_inputs(std::string_view against, const std::vector<std::string>& patterns) {
    if (against == expected_data) return "your data";
    return fmt::format("the inputs '{}'", fmt::join(patterns, "', '"));
}

namespace {

/// The first 64 KiB of each.
std::string hash_of_beginnings(const std::vector<HostArray>& inputs) {
    Hasher hasher;
    for (const HostArray& one : inputs) {
        hasher.add(one.bytes().first(std::min<std::size_t>(one.bytes().size(), 1 << 16)));
    }
    return hasher.digits();
}

bool is_poison(std::span<const std::byte> bytes, std::byte poison) {
    return std::ranges::all_of(bytes, [&](std::byte one) { return one == poison; });
}

/// Whether the bytes differ from the output's content before the launch.
/// @param before  its initial content; null: it was poisoned
bool is_altered(std::span<const std::byte> bytes, const HostArray* before, std::size_t first) {
    if (before) return !have_same_bytes(bytes, before->bytes().subspan(first, bytes.size()));
    return std::ranges::none_of(poisons,
                                [&](std::byte poison) { return is_poison(bytes, poison); });
}

/// A copy of the first elements.
HostArray first_of(const HostArray& values, std::uint64_t count) {
    HostArray some(values.type(), count);
    std::ranges::copy(values.bytes().first(some.bytes().size()), some.bytes().begin());
    return some;
}

HostArray zeros_of(ElementType type, std::uint64_t count) {
    HostArray zeros(type, count);
    std::ranges::fill(zeros.bytes(), std::byte{0});
    return zeros;
}

/// As many elements, all halfway between the least and the largest one.
HostArray all_alike(HostArray values) {
    visit_any_type(values.type(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (!std::is_same_v<T, Half>) {
            const std::span<T> data = values.as<T>();
            if (data.empty()) return;
            const auto [least, most] = std::ranges::minmax(data);
            std::ranges::fill(data, std::midpoint(least, most));
        }
    });
    return values;
}

/// For each element, whether it was written: 1 or 0.
/// @param before  the output's initial content; null: it was poisoned
HostArray written(const HostArray& values, const HostArray* before) {
    HostArray made(ElementType::u8, values.size());
    const std::size_t size = size_of(values.type());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto bytes = values.bytes().subspan(i * size, size);
        const bool holds_poison =
            is_poison(bytes, witness_poison) || !is_altered(bytes, nullptr, 0);
        made.bytes()[i] = std::byte{before ? is_altered(bytes, before, i * size) : !holds_poison};
    }
    return made;
}

/// The comparable form of an output whose order the kernel may choose.
HostArray in_own_order(const HostArray& values, const BufferSpec& spec, const HostArray* before) {
    return spec.order == Order::race ? written(values, before) : ascending_rows(values, spec);
}

/// An output in any order, and the right one.
struct Unordered {
    BufferSpec spec;
    HostArray got;
    const HostArray* right;
};

/// The name of what has entries of its own kind at an index: each output is right, in some order of
/// its own, and rows of several are not those that belong together. Empty: none.
std::string torn_rows(std::vector<Unordered> outputs, const Tolerance& tolerance) {
    const auto rows_of = [](const Unordered& one) { return one.got.size() / one.spec.row; };
    // Rounding may change the order of floating-point numbers.
    std::ranges::stable_partition(
        outputs, [](const Unordered& one) { return !is_floating(one.got.type()); });
    while (!outputs.empty()) {
        const auto others = std::ranges::stable_partition(
            outputs, [rows = rows_of(outputs.front()), &rows_of](const Unordered& one) {
                return rows_of(one) == rows;
            });
        const std::span<const Unordered> group(outputs.begin(), others.begin());
        std::vector<const HostArray*> got, right;
        std::vector<const BufferSpec*> specs;
        std::vector<std::string> names;
        for (const Unordered& one : group) {
            got.push_back(&one.got);
            right.push_back(one.right);
            specs.push_back(&one.spec);
            names.push_back(one.spec.name);
        }
        if (group.size() > 1) {
            const std::vector<HostArray> mine = ascending_rows(got, specs);
            std::vector<HostArray> theirs = ascending_rows(right, specs);
            for (std::size_t k = 0; k < mine.size(); ++k) {
                const BufferSpec& spec = *specs[k];
                const Tolerance within = output_tolerance(tolerance, spec);
                const Comparison found = spec.parts.empty()
                                             ? compare(mine[k], {std::move(theirs[k]), {}}, within)
                                             : compare_structs(mine[k], theirs[k], spec, within);
                if (found.mismatch) return fmt::format("'{}'", fmt::join(names, "', '"));
            }
        }
        outputs.erase(outputs.begin(), others.begin());
    }
    return {};
}

/// The initialised buffers of a plan, each with its index in the inputs.
std::vector<std::pair<const BufferSpec*, std::size_t>> loaded_buffers(const Plan& plan) {
    std::vector<std::pair<const BufferSpec*, std::size_t>> found;
    for_loaded(plan, [&](std::size_t buffer, std::size_t place) {
        found.emplace_back(&plan.buffers[buffer], place);
    });
    return found;
}

std::uint64_t count_nans(const HostArray& values) {
    return visit_any_type(values.type(), [&](auto zero) -> std::uint64_t {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) {
            return 0;
        } else {
            return static_cast<std::uint64_t>(
                std::ranges::count_if(values.as<T>(), [](T one) { return is_nan(one); }));
        }
    });
}

/// A comparison of a part of an output.
using PartComparison = std::function<Comparison(const HostArray&, const Tolerance&)>;

/// Notes how many of the written elements that differ from the first one in the right answer do so
/// in an output that only races, whose values are not compared.
void note_raced(Passing& noted, const HostArray& got, const HostArray& right,
                const HostArray* before) {
    const HostArray there = written(right, before);
    const std::size_t size = size_of(right.type());
    std::optional<std::size_t> first;
    const auto is_as_first = [&](const HostArray& values, std::size_t i) {
        const auto bytes = values.bytes();
        return have_same_bytes(bytes.subspan(i * size, size), bytes.subspan(*first * size, size));
    };
    for (std::size_t i = 0; i < right.size(); ++i) {
        if (there.bytes()[i] == std::byte{0}) continue;
        if (!first) first = i;
        if (is_as_first(right, i)) continue;
        ++noted.elements;
        noted.passing += is_as_first(got, i);
    }
}

void note_passing(Passing& noted, const HostArray& other, const PartComparison& compared,
                  const Tolerance& tolerance) {
    const Comparison differs = compared(other, Tolerance::exact());
    if (!differs.mismatch) return;
    const Comparison outside = compared(other, tolerance);
    noted.elements += differs.mismatch->count;
    noted.passing += differs.mismatch->count - (outside.mismatch ? outside.mismatch->count : 0);
}

/// If another value passes for a larger share of an output's elements, the output is doubtful. A
/// number that fails for some elements is no answer; outputs of one or few elements are alike.
constexpr double doubtful_share = 0.3, doubtful_share_of_one_number = 0.95;
constexpr std::uint64_t least_alike = 8;

}  // namespace

AnswerRemarks remarks_of(const VerificationResult& checked) {
    AnswerRemarks found = checked.variations;
    if (found.empty() && checked.against == expected_data && !checked.repeatable.value_or(true)) {
        found.notes.emplace_back(
            "Launches with equal inputs gave different bits, as where numbers are added up in any "
            "order: the answers are held against the expected data within the tolerance alone.");
    }
    // A lock is as it was, and something may be counted equally often: another output tells.
    const auto is_beside = [&](const std::string& name, const auto& tells) {
        const auto length = checked.lengths.find(name);
        return length != checked.lengths.end() && length->second <= 1 &&
               std::ranges::any_of(checked.lengths, [&](const auto& other) {
                   return other.first != name && tells(other.first, other.second);
               });
    };
    for (const auto& [name, altered] : checked.altered) {
        const bool is_lock = is_beside(name, [&](const std::string& other, std::uint64_t) {
            const auto one = checked.altered.find(other);
            return one != checked.altered.end() && one->second;
        });
        if (altered || is_lock) continue;
        found.doubts.push_back(
            {DoubtKind::unwritten_output,
             fmt::format("'{}' holds after every launch what it held before: does the kernel write "
                         "it?",
                         name)});
    }
    struct Wide {
        double share = 0;
        std::vector<std::string> values, patterns;
    };
    std::map<std::string, Wide> wide;
    for (const auto& [key, seen] : checked.passing) {
        const auto& [name, what, pattern] = key;
        const double share = static_cast<double>(seen.passing) /
                             static_cast<double>(std::max<std::uint64_t>(seen.elements, 1));
        if (share < doubtful_share || (seen.passing < 8 && share < 1)) continue;
        if (what == raced) {
            if (share < 1) continue;
            found.doubts.push_back(
                {DoubtKind::same_for_others,
                 fmt::format("'{}' holds one number in all elements, where the run that it is "
                             "compared with writes several. Its order is a race, and values are "
                             "not compared: does the kernel write the right ones?",
                             name)});
        } else if (what == not_a_number) {
            const bool shows = std::ranges::any_of(checked.passing, [&](const auto& one) {
                const auto& [other, of, by] = one.first;
                return other == name && of == not_a_number && !is_special(by) &&
                       static_cast<double>(one.second.passing) <
                           doubtful_share * static_cast<double>(one.second.elements);
            });
            if (shows) continue;
            found.doubts.push_back(
                {DoubtKind::not_a_number,
                 fmt::format("{:.0f} % of '{}' is NaN with {}, and any error that "
                             "makes a NaN passes there: do the inputs suit the kernel?",
                             100 * share, name, words_of_inputs(checked.against, {pattern}))});
        } else if (what != one_number ||
                   (share >= doubtful_share_of_one_number && seen.elements >= least_alike)) {
            Wide& one = wide[name];
            one.share = std::max(one.share, share);
            add_once(one.values, what == one_number ? "one number for all" : what);
            add_once(one.patterns, pattern);
        }
    }
    for (const auto& [name, one] : wide) {
        found.doubts.push_back(
            {DoubtKind::wide_tolerance,
             fmt::format("{} would pass for {:.0f} % of the elements of '{}' that are something "
                         "else, with {}: is the tolerance too wide? Write an "
                         "\"absolute\" or \"relative\" one that is small beside these elements.",
                         fmt::join(one.values, " or "), 100 * one.share, name,
                         words_of_inputs(checked.against, one.patterns))});
    }
    if (!found.empty()) return found;
    const auto known = [&](const std::string& name, const Shape& shape, const char* pattern) {
        const auto of = checked.held.find(name);
        if (of == checked.held.end()) return std::string();
        const auto digits = of->second.find(output_key(shape, pattern));
        return digits == of->second.end() ? std::string() : digits->second;
    };
    /// Launches with other inputs after which an output is the same, and another one.
    const auto launches = [&](const std::string& name) {
        unsigned same = 0, other = 0;
        for (const Shape& shape : checked.shapes) {
            const std::string a = known({}, shape, "integers"), b = known({}, shape, "random");
            const std::string output = known(name, shape, "integers");
            if (a.empty() || b.empty() || a == b || output.empty()) continue;
            ++(output == known(name, shape, "random") ? same : other);
        }
        return std::pair{same, other};
    };
    for (const auto& [name, held] : checked.held) {
        const auto [same, other] = launches(name);
        const bool is_count = is_beside(name, [&](const std::string& one, std::uint64_t length) {
            return length > 1 || launches(one).second > 0;
        });
        if (same == 0 || other > 0 || is_count) continue;
        found.doubts.push_back(
            {DoubtKind::same_for_others,
             fmt::format("'{}' is the same for other inputs: do the lengths and the launch let the "
                         "kernel do its work?",
                         name)});
    }
    if (found.empty() && checked.is_kept_answer) {
        found.doubts.push_back(
            {DoubtKind::same_for_others,
             "the answer to inputs that took the place of others is the one to these: does the "
             "kernel keep what an earlier launch found?"});
    }
    return found;
}

void note_launch(const Case& c, const InputPattern& pattern, VerificationResult& checked) {
    ++checked.trials;
    add_once(checked.shapes, c.shape);
    add_once(checked.patterns, pattern.name);
}

namespace {

/// compare_outputs() that also returns the first wrong element.
std::optional<WrongElement> look_at_outputs(const Binding& binding, const Case& c,
                                            const InputPattern& pattern, std::uint64_t seed,
                                            const ReferenceData& reference_data,
                                            VerificationResult& checked) {
    const InPhase phase(Phase::verification);
    std::optional<WrongElement> wrong;
    note_launch(c, pattern, checked);
    checked.against = reference_data.against;
    const auto fail = [&](std::string what) {
        if (!checked.failure)
            checked.failure = Failure{c.shape.extents, pattern.name, seed, std::move(what)};
    };
    std::size_t next = 0;
    Hasher all;
    const bool looks = !c.suite->manifest.empty();
    std::vector<Unordered> unordered;
    const bool is_tried_once = std::ranges::find(c.suite->tried_once, pattern.name,
                                                 &InputPattern::name) != c.suite->tried_once.end();
    const Plan plan = looks ? plan_of(c) : Plan{};
    const Binding::Snapshot snapshot = binding.snapshot();
    const std::string key = output_key(c.shape, pattern);
    auto& hashes = pattern.key == 0 ? checked.output_hashes : checked.keyed_hashes;
    const bool is_new = !hashes.contains(key);
    if (looks && is_new) checked.held[{}].emplace(key, hash_of_beginnings(reference_data.inputs));
    for (const auto& [one, place] : loaded_buffers(plan))
        checked.inputs_seen[one->name].add(reference_data.inputs.at(place), *one);
    for (const std::size_t output : binding.outputs()) {
        const Expected& given = reference_data.expected.at(next++);
        const auto* run = std::get_if<HostArray>(&given.values);
        const BufferSpec spec = looks ? plan.buffers.at(output) : BufferSpec{};
        if (looks && run) checked.answers_seen[spec.name].add(*run, spec);
        Comparison comparison;
        Hasher hasher;
        std::string_view hint;
        bool* altered = nullptr;
        const HostArray* before = nullptr;
        if (looks) {
            std::uint64_t& length = checked.lengths[spec.name];
            length = std::max<std::uint64_t>(length, spec.elements);
            // Where several kernels write the buffer, one may undo another's change.
            const bool is_shared =
                std::ranges::count_if(launches_of(plan), [&](const Launch* launch) {
                    return std::ranges::any_of(launch->arguments, [&](const LaunchArgument& one) {
                        const auto* buffer = std::get_if<BufferIndex>(&one);
                        return buffer && buffer->index == output;
                    });
                }) > 1;
            for (const auto& [one, place] : loaded_buffers(plan)) {
                if (one == &plan.buffers[output]) before = &reference_data.inputs.at(place);
            }
            // Expected data may require an unchanged buffer.
            const bool is_to_stay = before && run && reference_data.against == expected_data &&
                                    have_same_bytes(run->bytes(), before->bytes());
            if ((!is_shared || !is_loaded(spec.role)) && !is_to_stay)
                altered = &checked.altered[spec.name];
        }
        const bool is_open = spec.order != Order::given && run;
        const Expected own{is_open ? in_own_order(*run, spec, before) : HostArray(), {}};
        const Expected& expected = is_open ? own : given;
        if (is_open) run = &std::get<HostArray>(own.values);
        const bool in_parts = !spec.parts.empty() && spec.order != Order::race;
        const Tolerance tolerance = spec.order == Order::race
                                        ? Tolerance::exact()
                                        : output_tolerance(tolerance_for(c, pattern), spec);
        const auto note_doubts = [&](const PartComparison& compared, std::uint64_t count) {
            const auto noted = [&](std::string_view what) -> Passing& {
                return checked.passing[{spec.name, std::string(what), pattern.name}];
            };
            if (is_floating(run->type()) && !in_parts) {
                Passing& nans = noted(not_a_number);
                nans.elements += count;
                nans.passing += count_nans(first_of(*run, count));
            }
            const bool may_be_wide = tolerance.kind == Tolerance::Kind::difference ||
                                     tolerance.kind == Tolerance::Kind::ulp;
            if (may_be_wide && !in_parts && !is_open) {
                note_passing(noted(one_number), all_alike(first_of(*run, count)), compared,
                             tolerance);
            }
            if (tolerance.kind != Tolerance::Kind::difference) return;
            note_passing(noted("zeros"), zeros_of(run->type(), count), compared, tolerance);
            if (is_open) return;
            for (const auto& [one, place] : loaded_buffers(plan)) {
                if (one->type != spec.type || one->elements != spec.elements ||
                    one->parts != spec.parts) {
                    continue;
                }
                note_passing(noted(fmt::format("what '{}' holds", one->name)),
                             first_of(reference_data.inputs.at(place), count), compared, tolerance);
            }
        };
        const auto look = [&](const HostArray& part, std::uint64_t first) {
            auto hashed = std::async(
                part.size() > worth_a_thread ? std::launch::async : std::launch::deferred, [&] {
                    const HostArray kept =
                        in_parts ? only_parts(part.bytes(), spec, first) : HostArray();
                    const auto bytes = in_parts ? kept.bytes() : part.bytes();
                    all.add(bytes);
                    if (looks) hasher.add(bytes);
                });
            const auto compared = [&](const HostArray& values, const Tolerance& within) {
                return in_parts && run ? compare_structs(values, *run, spec, within, first)
                                       : compare(values, expected, within, first);
            };
            const Comparison one = compared(part, tolerance);
            // The first elements of a large output are a sample of it.
            if (looks && run && is_new && first == 0 && !is_tried_once)
                note_doubts(compared, std::min<std::uint64_t>(part.size(), doubt_sample));
            const bool is_permuted = one.mismatch && looks && run && !c.suite->manifest.empty() &&
                                     spec.order == Order::given && part.size() == run->size() &&
                                     !compare(ascending_rows(part, spec),
                                              Expected{ascending_rows(*run, spec), {}}, tolerance)
                                          .mismatch;
            if (is_permuted) {
                hint =
                    " In ascending order all are right: where any order will do, give the output "
                    "an \"order\".";
            }
            if (one.mismatch && !wrong && !is_open) {
                const std::size_t size = size_of(part.type());
                const std::uint64_t index = one.mismatch->index;
                const auto got = part.bytes().subspan((index - first) * size, size);
                wrong = {output, index, {got.begin(), got.end()}};
            }
            comparison.add(one);
            hashed.get();
        };
        HostArray whole(spec.type, is_open ? spec.elements : 0);
        binding.read_in_parts(snapshot, output, [&](const HostArray& part, std::uint64_t first) {
            const std::uint64_t begin = first * size_of(part.type());
            if (altered && !*altered) *altered = is_altered(part.bytes(), before, begin);
            if (!is_open) return look(part, first);
            std::ranges::copy(part.bytes(), whole.bytes().subspan(begin).begin());
        });
        if (is_open) {
            look(in_own_order(whole, spec, before), 0);
            hint = spec.order == Order::any
                       ? " It is compared in ascending order, since its order is any."
                       : " It tells which elements were written (1), since its order is a race.";
            const HostArray& right = std::get<HostArray>(given.values);
            if (looks && spec.order == Order::race)
                note_raced(checked.passing[{spec.name, raced, {}}], whole, right, before);
            if (looks && spec.order == Order::any && spec.elements > spec.row)
                unordered.push_back({spec, std::move(whole), &right});
        }
        checked.worst_share = std::max(checked.worst_share, comparison.worst_share);
        checked.worst_ulp = std::max(checked.worst_ulp, comparison.worst_ulp);
        if (pattern.name == "random" || pattern.name == drawn_again) {
            checked.squared_ulp += comparison.squared_ulp;
            checked.elements += size_of(expected);
        }
        if (comparison.mismatch) {
            const Mismatch& m = *comparison.mismatch;
            fail(fmt::format(
                "{} of {} element(s) wrong; the first is {}[{}]: got {}, {} {}, "
                "allowed is {}.{}",
                m.count, size_of(expected), plan_of(c).buffers.at(output).name, m.index, m.got,
                whose_answer(reference_data.against), m.expected, m.bound, hint));
        }
        // Which elements are written may be the same for all inputs: another output tells.
        if (looks && spec.order != Order::race)
            checked.held[spec.name].emplace(key, hasher.digits());
    }
    if (unordered.size() > 1 && !checked.failure) {
        const std::string names = torn_rows(std::move(unordered), tolerance_for(c, pattern));
        if (!names.empty()) {
            add_once(checked.untold,
                     fmt::format("Whether entries of {} at one index belong together: each buffer "
                                 "is right in an order of its own, and all in one order are not. "
                                 "Where one counter gives the index, that is an error.",
                                 names));
        }
    }
    const std::string digits = all.digits();
    hashes.emplace(key, digits);
    // Expected data belong to one set of inputs, whatever the pattern is called.
    const bool is_fixed = c.suite->reference_name == expected_data;
    for (const auto& [other, known] : hashes) {
        if (other == key ? is_new : !is_fixed) continue;
        checked.repeatable = checked.repeatable.value_or(true) && digits == known;
    }
    if (std::string damage = binding.damage(snapshot, reference_data.inputs); !damage.empty()) {
        fail(std::move(damage));
    }
    return wrong;
}

}  // namespace

void compare_outputs(const Binding& binding, const Case& c, const InputPattern& pattern,
                     std::uint64_t seed, const ReferenceData& reference_data,
                     VerificationResult& checked) {
    look_at_outputs(binding, c, pattern, seed, reference_data, checked);
}

void verify_after_timing(const Binding& binding, const Case& c, const InputPattern& pattern,
                         std::uint64_t seed, const ReferenceData& reference_data,
                         VerificationResult& checked) {
    if (!binding.changes_its_inputs()) {
        compare_outputs(binding, c, pattern, seed, reference_data, checked);
    } else if (std::string damage = binding.damage(reference_data.inputs);
               !damage.empty() && !checked.failure) {
        checked.failure = Failure{c.shape.extents, pattern.name, seed, std::move(damage)};
    }
}

namespace {

/// Whether rounding may decide which numbers are infinite: some are, and others are almost. NaN
/// counts, too.
/// @param is_ordinary  the rules of floating point allow finite numbers only: infinities count
bool may_overflow(const std::vector<Expected>& expected, bool is_ordinary) {
    return std::ranges::any_of(expected, [&](const Expected& one) {
        const auto* values = std::get_if<HostArray>(&one.values);
        return !values || visit_any_type(values->type(), [&](auto zero) {
            using T = decltype(zero);
            if constexpr (std::is_integral_v<T>) {
                return false;
            } else {
                using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
                // Its square is infinite.
                const Wide large = std::is_same_v<T, Half>
                                       ? Wide(256)
                                       : std::sqrt(std::numeric_limits<Wide>::max());
                bool any_infinite = false, any_large = false;
                for (const T given : values->as<T>()) {
                    const Wide value = static_cast<Wide>(given);
                    if (std::isnan(value)) return true;
                    any_infinite |= std::isinf(value);
                    any_large |= std::isfinite(value) && std::abs(value) > large;
                }
                return any_infinite && (any_large || is_ordinary);
            }
        });
    });
}

/// Whether the program's own nondeterminism explains the error, so that it is no failure.
bool varies_by_itself(const Binding& binding, const Plan& plan, const Case& c,
                      const ReferenceData& reference_data, const ReferenceCache& references,
                      VerificationResult& checked) {
    if (reference_data.against != expected_data) return false;
    try {
        auto remarks = within_own_range(binding, plan, c, reference_data, references,
                                        binding.device_info().id(), checked.own_ranges);
        if (!remarks) return false;
        checked.failure.reset();
        // With equal inputs the remarks would be the same ones.
        if (checked.variations.empty()) checked.variations = *std::move(remarks);
        return true;
    } catch (const Interrupted&) {
        throw;
    } catch (const Error&) {
        // Its own side cannot run it: only the expected data are known.
    } catch (const std::bad_alloc&) {
    }
    return false;
}

}  // namespace

// Allocating and freeing memory takes a GPU's driver longer than writing a small buffer.
void Verifier::launch(const Case& c, const Codes& codes, const InputPattern& pattern,
                      VerificationResult& checked) {
    const auto reference_data = references.get(c, pattern, seed, device.info().id());
    if (is_extreme(pattern) && may_overflow(reference_data->expected, is_ordinary)) return;
    const Plan plan = plan_of(c);
    const std::byte poison = poison_of(checked.trials);
    if (!binding || !binding->is_of(plan, codes)) {
        binding.reset();
        binding.emplace(device, plan, codes);
    }
    if (pattern.name == drawn_again) {
        const InputPattern first = input_patterns_of(c)[1];
        const auto before = references.get(c, first, seed, device.info().id());
        binding->load(before->inputs, poison);
        run_changing(device, *binding, plan, *before, *reference_data);
        verify_changed(
            *binding, c, first, pattern, seed, *reference_data, [&] { return before; }, checked);
        return;
    }
    binding->load(reference_data->inputs, poison);
    binding->run();
    const bool was_right = checked.right();
    const auto wrong = look_at_outputs(*binding, c, pattern, seed, *reference_data, checked);
    if (!wrong || !was_right) return;
    if (varies_by_itself(*binding, plan, c, *reference_data, references, checked)) return;
    try {
        checked.failure->what += why_wrong(
            device, plan, codes, *reference_data, *binding,
            {poison, poison == poisons[0] ? poisons[1] : poisons[0]}, *wrong, [&] {
                return references.answered_again(c, reference_data->inputs, device.info().id());
            });
    } catch (const UsageError&) {
        // The device has no room for the buffers twice: the explanation is skipped.
    } catch (const Unsupported&) {
    } catch (const std::bad_alloc&) {
    }
}

std::vector<VerificationTrial> trials_of(const Case& c, bool is_brief, bool is_timed,
                                         bool leaves_own_shape) {
    std::vector<VerificationTrial> trials;
    const std::vector<InputPattern> patterns = input_patterns_of(c);
    for (const Shape& shape : c.suite->check_shapes) {
        const Case tried = with_shape(c, shape);
        // Constants for the timed shape may not suit a tiny one.
        if (c.suite->refuse && !c.suite->refuse(tried).empty()) continue;
        // The last one is the largest, and odd in every dimension.
        const bool is_last = &shape == &c.suite->check_shapes.back();
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            if (!is_brief || is_last || i < 2) trials.push_back({tried, patterns[i]});
        }
    }
    const auto try_once = [&](const Case& on) {
        for (const InputPattern& one : c.suite->tried_once)
            if (!one.shape) trials.push_back({on, one});
    };
    // A captured launch has one shape, and one set of inputs.
    const bool is_captured = c.suite->reference_name == expected_data;
    const Case last = trials.empty() ? c : trials.back().the_case;
    if (is_brief && !is_captured) {
        try_once(last);
        return trials;
    }
    for (const InputPattern& one : c.suite->tried_once) {
        const std::vector<Shape>& shapes = c.suite->check_shapes;
        if (!one.shape || *one.shape + 1 >= shapes.size()) continue;
        const Case tried = with_shape(c, shapes[*one.shape]);
        if (!c.suite->refuse || c.suite->refuse(tried).empty()) trials.push_back({tried, one});
    }
    if (leaves_own_shape && !trials.empty()) {
        try_once(last);
        return trials;
    }
    trials.push_back({c, patterns[0]});
    // In-out buffers are verified after a single launch only, since timed launches accumulate in
    // them.
    const Plan plan = plan_of(c);
    const bool changes_inputs =
        std::ranges::any_of(plan.buffers, [](const BufferSpec& b) { return is_changed(b.role); });
    const bool is_only_size = c.suite->check_shapes.empty();
    if (changes_inputs || (!is_captured && (!is_timed || is_only_size))) {
        trials.push_back({c, patterns[1]});
    }
    if (last.shape != c.shape) try_once(last);
    if (!is_timed || last.shape == c.shape) try_once(c);
    return trials;
}

std::optional<Case> on_smallest_check_shape(const Case& c) {
    constexpr std::uint64_t few = 64;
    const auto has_several_groups = [](const Plan& plan) {
        return std::ranges::any_of(launches_of(plan), [](const Launch* launch) {
            const std::uint64_t groups = launch->geometry.groups.product();
            return groups > 1 && groups <= few;
        });
    };
    std::vector<Case> cases;
    for (const Shape& shape : c.suite->check_shapes) {
        Case tried = with_shape(c, shape);
        if (!c.suite->refuse || c.suite->refuse(tried).empty()) cases.push_back(std::move(tried));
    }
    if (cases.empty()) return {};
    return *std::ranges::min_element(cases, {}, [&](const Case& tried) {
        const Plan plan = plan_of(tried);
        return std::tuple{tried.constants != c.constants, !has_several_groups(plan),
                          footprint(plan).total};
    });
}

namespace {

/// As Verifier::is_first_look.
std::vector<VerificationTrial> first_trials_of(const Case& c) {
    const std::vector<InputPattern> patterns = input_patterns_of(c);
    const auto smallest = on_smallest_check_shape(c);
    if (!smallest) return {{c, patterns[0]}};
    return {{*smallest, patterns[0]}, {*smallest, patterns[1]}};
}

/// The program with the case's values of its constants.
Program with_constants(Program program, const Case& c) {
    for (Constant& one : program.constants) one.value = c[one.name];
    return program;
}

/// @throws Error when a file cannot be written
void save_outputs(const Binding& binding, const Plan& plan, const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const std::size_t output : binding.outputs()) {
        const std::filesystem::path file = folder / (plan.buffers[output].name + ".bin");
        std::ofstream out(file, std::ios::binary);
        binding.read_in_parts(output, [&](const HostArray& part, std::uint64_t) {
            out.write(reinterpret_cast<const char*>(part.bytes().data()),
                      static_cast<std::streamsize>(part.bytes().size()));
        });
        if (!out.flush()) throw Error(fmt::format("{} cannot be written.", file.string()));
    }
}

/// Whether it has all kernels of the plan: another shape may need other kernels.
bool holds(const Codes& codes, const Plan& plan) {
    return std::ranges::all_of(
        launches_of(plan), [&](const Launch* launch) { return codes.contains(launch->kernel); });
}

}  // namespace

VerificationResult Verifier::verify(const Case& c, const Program& program, const Codes& codes) {
    const InPhase phase(Phase::verification);
    VerificationResult checked;
    Codes own;  // of a source or plan that depends on the shape
    std::vector<Constant> own_constants;
    std::optional<TooSlow> given_up;
    bool has_saved = false;
    const auto verify = [&](const Case& tried, const InputPattern& pattern) {
        const Plan plan = plan_of(tried);
        const bool is_same = tried.constants == c.constants && holds(codes, plan);
        if (!is_same && program.foreign) return;  // another API's PTX exists for its own size only
        if (!is_same && (own_constants != tried.constants || !holds(own, plan))) {
            own = build(device, with_constants(program, tried), plan);
            own_constants = tried.constants;
        }
        launch(tried, is_same ? codes : own, pattern, checked);
        if (!saved_outputs.empty() && tried.shape == c.shape && !std::exchange(has_saved, true))
            save_outputs(*binding, plan, saved_outputs);
    };
    is_ordinary = program.floats.relaxed || program.floats.flush_denormals;
    for (const auto& [tried, pattern] :
         is_first_look ? first_trials_of(c) : trials_of(c, is_brief, is_timed, leaves_own_shape)) {
        if (is_one_size && tried.shape != c.shape) continue;
        if (is_special(pattern.name) && is_ordinary) continue;
        if (check_interrupt) check_interrupt();
        const std::string size = to_string(tried.shape);
        if (checked.too_slow.contains(size)) continue;
        try {
            const auto at_size =
                scope_of_size(device.info(), tried, checked.trials > 0, "its answers were checked");
            verify(tried, pattern);
        } catch (const TooSlow& slow) {
            checked.too_slow.emplace(size, slow.what());
            given_up = slow;
        }
        if (checked.failure) break;
    }
    if (given_up && checked.trials == 0) throw *given_up;
    checked.own_ranges.reset();
    return checked;
}

}  // namespace parallax

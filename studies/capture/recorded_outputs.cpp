// Finds outputs of two recordings that agree: equal bytes by their hashes, equal numbers by
// reading.
#include "studies/capture/recorded_outputs.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <span>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/hash.hpp"
#include "common/text/text.hpp"
#include "measure/compare.hpp"
#include "measure/element_scale.hpp"
#include "measure/verification.hpp"

namespace parallax {
namespace {

/// Launches whose contents stay in memory.
constexpr std::size_t most_read = 8;
/// Of a launch's buffers; larger ones are compared by their hashes alone.
constexpr std::uint64_t most_bytes = std::uint64_t{512} << 20;

std::vector<RecordedContent> changed(const RecordedLaunch& launch) {
    std::vector<RecordedContent> contents;
    std::ranges::copy_if(launch.contents, std::back_inserter(contents),
                         &RecordedContent::is_changed);
    return contents;
}

/// @param of_changed  also what outputs held before
std::set<std::string> begun_with(const RecordedLaunch& launch, bool of_changed) {
    std::set<std::string> hashes;
    for (const RecordedContent& one : launch.contents) {
        if (of_changed || !one.is_changed()) hashes.insert(one.before);
    }
    return hashes;
}

template <class Set>
bool is_within(const Set& one, const Set& other) {
    return one.size() <= other.size() ? std::ranges::includes(other, one)
                                      : std::ranges::includes(one, other);
}

/// Numbers of any width: `04000000` and `0400000000000000` are one.
std::multiset<std::string> numbers(const RecordedLaunch& launch) {
    std::multiset<std::string> all;
    for (std::string digits : launch.values) {
        while (digits.ends_with("00")) digits.resize(digits.size() - 2);
        all.insert(std::move(digits));
    }
    return all;
}

/// Whether that content is zero everywhere: many launches leave that.
bool is_blank(const std::string& hash, std::uint64_t bytes) {
    static std::map<std::uint64_t, std::string> known;
    if (bytes == 0) return false;
    std::string& blank = known[bytes];
    if (blank.empty()) {
        const std::vector<std::byte> piece(std::size_t{1} << 16);
        Hasher hasher;
        for (std::uint64_t left = bytes; left > 0;) {
            const std::size_t part = std::min<std::uint64_t>(left, piece.size());
            hasher.add(std::span(piece).first(part));
            left -= part;
        }
        blank = hasher.digits();
    }
    return hash == blank;
}

HostArray as_type(const HostArray& values, ElementType type) {
    HostArray other(type, values.bytes().size() / size_of(type));
    if (other.size() > 0)
        std::memcpy(other.bytes().data(), values.bytes().data(), other.bytes().size());
    return other;
}

bool is_typed(const BufferSpec& spec) {
    return !spec.parts.empty() || (spec.type != ElementType::u8 && spec.type != ElementType::i8);
}

/// Sets the elements to zero that neither launch changed: what was not written is not compared.
void drop_unchanged(HostArray& a, const HostArray& before_a, HostArray& b,
                    const HostArray& before_b) {
    const std::size_t step = size_of(a.type());
    const auto to_a = a.bytes(), to_b = b.bytes();
    const auto from_a = before_a.bytes(), from_b = before_b.bytes();
    if (from_a.size() != to_a.size() || from_b.size() != to_b.size()) return;
    for (std::size_t at = 0; at + step <= to_a.size(); at += step) {
        if (std::memcmp(&to_a[at], &from_a[at], step) != 0) continue;
        if (std::memcmp(&to_b[at], &from_b[at], step) != 0) continue;
        std::memset(&to_a[at], 0, step);
        std::memset(&to_b[at], 0, step);
    }
}

bool is_zero(const HostArray& values) {
    return std::ranges::all_of(values.bytes(), [](std::byte one) { return one == std::byte{}; });
}

/// Whether they have one size, and are not floating-point numbers against integers.
bool may_be_equal(const BufferSpec& a, const HostArray& of_a, const BufferSpec& b,
                  const HostArray& of_b) {
    const bool one_kind =
        !is_typed(a) || !is_typed(b) || is_floating(a.type) == is_floating(b.type);
    return one_kind && of_a.bytes().size() == of_b.bytes().size();
}

/// Elements of two outputs of one size that do not agree.
struct Disagreement {
    std::uint64_t count = 0;
    bool is_telling = false;  ///< they agree, and not in zeros alone
    std::string text;
};

Disagreement compared(const BufferSpec& spec_a, const HostArray& before_a, const HostArray& after_a,
                      const BufferSpec& spec_b, const HostArray& before_b,
                      const HostArray& after_b) {
    const BufferSpec& typed = is_typed(spec_a) ? spec_a : spec_b;
    HostArray a = as_type(after_a, typed.type), b = as_type(after_b, typed.type);
    drop_unchanged(a, as_type(before_a, typed.type), b, as_type(before_b, typed.type));
    // Two implementations cancel in different ways: a number may differ by a tenth of itself.
    Tolerance of_two = captured_tolerance(false);
    of_two.depth *= 10;
    const Tolerance tolerance = output_tolerance(of_two, typed);
    const bool is_telling = !is_zero(a);
    const Comparison found = typed.parts.empty() ? compare(b, Expected{std::move(a), {}}, tolerance)
                                                 : compare_structs(b, a, typed, tolerance);
    if (!found.mismatch) return {0, is_telling, {}};
    const Mismatch& first = *found.mismatch;
    return {
        first.count, false,
        fmt::format("{} of {} elements of '{}' and '{}', [{}] is {} and {}", first.count, b.size(),
                    spec_a.name, spec_b.name, first.index, first.expected, first.got)};
}

}  // namespace

Agreement LaunchMatch::agreement() const {
    if (outputs > 0 && bits + tolerance == outputs)
        return tolerance > 0 ? Agreement::tolerance : Agreement::bits;
    const bool is_known = same_inputs && same_values && unread.empty();
    return is_known && !difference.empty() ? Agreement::differs : Agreement::unknown;
}

std::string LaunchMatch::remark() const {
    if (!unread.empty()) return unread;
    if (outputs == 0) return "neither changed a buffer";
    std::string text = bits + tolerance > 0
                           ? fmt::format("{} of {} outputs agree", bits + tolerance, outputs)
                           : "no output agrees";
    text += !same_values   ? ", and arguments by value differ"
            : !same_read   ? ", and the launches began with different data"
            : !same_inputs ? ", and the outputs held different data before"
                           : ", and the others have other sizes or types";
    if (same_read && !difference.empty()) text += ": " + difference;
    return text;
}

std::optional<PairedBy> LaunchMatch::evidence() const {
    if (bits > 0 && has_telling_output) return PairedBy::bytes;
    if (tolerance > 0 && has_telling_output) return PairedBy::values;
    if (same_inputs && has_telling_input && same_values) return PairedBy::inputs;
    return {};
}

RecordedOutputs::RecordedOutputs(const RecordedPair& recorded) : recorded_(recorded) {
    for (const bool is_b : {false, true}) {
        for (const RecordedLaunch& one : recorded.launches.of(is_b)) {
            by_name_.of(is_b).emplace(one.name, &one);
            for (const std::string& hash : begun_with(one, true)) ++readers_[hash];
            for (const RecordedContent& content : changed(one)) ++writers_[content.after];
        }
    }
}

const RecordedLaunch* RecordedOutputs::launch(bool is_b, const std::string& name) const {
    const auto found = by_name_.of(is_b).find(name);
    return found == by_name_.of(is_b).end() ? nullptr : found->second;
}

const RecordedOutputs::Contents& RecordedOutputs::read(const RecordedLaunch& launch) {
    const auto known = std::ranges::find(read_, launch.variant, &Contents::variant);
    if (known != read_.end()) {
        read_.splice(read_.begin(), read_, known);  // the next one read takes the oldest's place
        return read_.front();
    }
    Contents contents{launch.variant, {}, {}};
    const Suite& suite = *recorded_.suite;
    const Variant& variant = variant_named(suite, launch.variant);
    const Case c =
        make_case(suite, variant, shapes_of(suite, variant).front(), suite.types.front());
    const Plan plan = plan_of(c);
    if (!(recorded_.why_none.a + recorded_.why_none.b).empty()) {
        contents.unread = "a recording has the hashes of its contents alone";
    } else if (footprint(plan).total > most_bytes) {
        contents.unread = fmt::format("buffers of {} are compared by their hashes alone",
                                      binary_size(footprint(plan).total));
    } else {
        const std::vector<HostArray> inputs = suite.inputs(c, {}, 0);
        std::vector<Expected> answers = suite.reference(c, inputs);
        std::size_t input = 0, output = 0;
        for (const BufferSpec& spec : plan.buffers) {
            const HostArray* before = is_loaded(spec.role) ? &inputs.at(input++) : nullptr;
            if (!is_compared(spec.role)) continue;
            auto* const after = std::get_if<HostArray>(&answers.at(output++).values);
            if (!after) continue;
            const auto bytes = std::as_const(*after).bytes();
            std::string hash = hash_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            contents.outputs.push_back(
                {spec, before ? before->copy() : HostArray(), std::move(*after), std::move(hash)});
        }
    }
    read_.push_front(std::move(contents));
    if (read_.size() > most_read) read_.pop_back();
    return read_.front();
}

/// Pairs outputs of one size: first those that agree, then of the rest those that differ least.
void RecordedOutputs::compare_numbers(const RecordedLaunch& a, const RecordedLaunch& b,
                                      const std::vector<std::string>& left_a,
                                      const std::vector<std::string>& left_b, LaunchMatch& match) {
    const Contents &of_a = read(a), &of_b = read(b);
    match.unread = of_a.unread.empty() ? of_b.unread : of_a.unread;
    const auto is_left = [](const std::vector<std::string>& hashes, const Output& one) {
        return std::ranges::find(hashes, one.hash) != hashes.end();
    };
    std::set<const Output*> used;
    std::optional<std::uint64_t> least;
    for (const Output& one : of_a.outputs) {
        if (!is_left(left_a, one)) continue;
        for (const Output& other : of_b.outputs) {
            if (used.contains(&other) || !is_left(left_b, other) ||
                !may_be_equal(one.spec, one.after, other.spec, other.after)) {
                continue;
            }
            const Disagreement found =
                compared(one.spec, one.before, one.after, other.spec, other.before, other.after);
            if (found.count == 0) {
                used.insert(&other);
                ++match.tolerance;
                match.has_telling_output = match.has_telling_output || found.is_telling;
                break;
            }
            if (least && *least <= found.count) continue;
            least = found.count;
            match.difference = found.text;
        }
    }
}

bool RecordedOutputs::is_telling(const std::map<std::string, std::size_t>& users,
                                 const RecordedContent& content, bool is_after) const {
    const std::string& hash = is_after ? content.after : content.before;
    const auto found = users.find(hash);
    const std::size_t launches = recorded_.launches.a.size() + recorded_.launches.b.size();
    return found != users.end() && found->second <= std::max<std::size_t>(4, launches / 4) &&
           !is_blank(hash, content.bytes);
}

LaunchMatch RecordedOutputs::match(const RecordedLaunch& a, const RecordedLaunch& b, bool reads) {
    LaunchMatch match;
    const std::vector<RecordedContent> of_a = changed(a), of_b = changed(b);
    match.outputs = std::max(of_a.size(), of_b.size());
    std::vector<std::string> left_a, left_b;
    for (const RecordedContent& one : of_b) left_b.push_back(one.after);
    for (const RecordedContent& one : of_a) {
        const auto other = std::ranges::find(left_b, one.after);
        if (other == left_b.end()) {
            left_a.push_back(one.after);
            continue;
        }
        ++match.bits;
        match.has_telling_output = match.has_telling_output || is_telling(writers_, one, true);
        left_b.erase(other);
    }
    match.same_values = is_within(numbers(a), numbers(b));
    match.same_read = is_within(begun_with(a, false), begun_with(b, false));
    match.same_inputs = match.same_read && is_within(begun_with(a, true), begun_with(b, true));
    match.has_telling_input = std::ranges::any_of(a.contents, [&](const RecordedContent& one) {
        return is_telling(readers_, one, false) && begun_with(b, true).contains(one.before);
    });
    if (left_a.empty() != left_b.empty()) {
        // With a buffer more in all it may be a place for what the other keeps elsewhere.
        const bool are_alike = a.contents.size() == b.contents.size();
        (are_alike ? match.difference : match.unread) =
            fmt::format("one changed {} and the other {} buffers, of which {} agree", of_a.size(),
                        of_b.size(), match.bits);
    } else if (reads && !left_a.empty()) {
        compare_numbers(a, b, left_a, left_b, match);
    }
    return match;
}

}  // namespace parallax

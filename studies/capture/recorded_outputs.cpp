// Finds outputs of two recordings that agree: equal bytes by their hashes, equal numbers by
// reading.
#include "studies/capture/recorded_outputs.hpp"

#include <algorithm>
#include <cstring>
#include <set>

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

/// Contents that the launch changed, by their hashes.
std::vector<std::string> written(const RecordedLaunch& launch) {
    std::vector<std::string> hashes;
    for (const RecordedContent& one : launch.contents) {
        if (!one.after.empty() && one.after != one.before) hashes.push_back(one.after);
    }
    return hashes;
}

std::set<std::string> begun_with(const RecordedLaunch& launch) {
    std::set<std::string> hashes;
    for (const RecordedContent& one : launch.contents) {
        if (!one.before.empty()) hashes.insert(one.before);
    }
    return hashes;
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

}  // namespace

Agreement LaunchMatch::agreement() const {
    if (outputs > 0 && bits + tolerance == outputs)
        return tolerance > 0 ? Agreement::tolerance : Agreement::bits;
    return same_inputs && !difference.empty() ? Agreement::differs : Agreement::unknown;
}

std::string LaunchMatch::why_unknown() const {
    if (!unread.empty()) return unread;
    const std::string agree = bits + tolerance > 0 ? fmt::format("{} of {} outputs agree, and ",
                                                                 bits + tolerance, outputs)
                                                   : "";
    return agree + (same_inputs ? "the others have different sizes"
                                : "their launches began with different data");
}

std::optional<PairedBy> LaunchMatch::evidence() const {
    if (bits > 0 && is_telling) return PairedBy::bytes;
    if (tolerance > 0 && is_telling) return PairedBy::values;
    if (same_inputs) return PairedBy::inputs;
    return {};
}

RecordedOutputs::RecordedOutputs(const RecordedPair& recorded) : recorded_(recorded) {
    for (const bool is_b : {false, true}) {
        for (const RecordedLaunch& one : recorded.launches.of(is_b)) {
            by_name_.of(is_b).emplace(one.name, &one);
            for (const std::string& hash : begun_with(one)) ++readers_[hash];
            for (const std::string& hash : written(one)) ++writers_[hash];
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
    if (footprint(plan).total > most_bytes) {
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

bool RecordedOutputs::agree(const Output& a, const Output& b, LaunchMatch& match) {
    const BufferSpec& typed = is_typed(a.spec) ? a.spec : b.spec;
    HostArray of_a = as_type(a.after, typed.type), of_b = as_type(b.after, typed.type);
    drop_unchanged(of_a, as_type(a.before, typed.type), of_b, as_type(b.before, typed.type));
    const Tolerance tolerance = output_tolerance(captured_tolerance(false), typed);
    const bool is_telling = !is_zero(of_a);
    const Comparison compared = typed.parts.empty()
                                    ? compare(of_b, Expected{std::move(of_a), {}}, tolerance)
                                    : compare_structs(of_b, of_a, typed, tolerance);
    if (!compared.mismatch) {
        match.is_telling = match.is_telling || is_telling;
        return true;
    }
    if (match.difference.empty()) {
        match.difference = fmt::format(
            "{} of {} elements differ, [{}] is {} and {}", compared.mismatch->count, of_b.size(),
            compared.mismatch->index, compared.mismatch->expected, compared.mismatch->got);
    }
    return false;
}

bool RecordedOutputs::is_rare(const std::map<std::string, std::size_t>& users,
                              const std::string& hash) const {
    const auto found = users.find(hash);
    const std::size_t launches = recorded_.launches.a.size() + recorded_.launches.b.size();
    return found != users.end() && found->second <= std::max<std::size_t>(4, launches / 4);
}

LaunchMatch RecordedOutputs::match(const RecordedLaunch& a, const RecordedLaunch& b, bool reads) {
    LaunchMatch match;
    std::vector<std::string> of_a = written(a), of_b = written(b);
    match.outputs = std::min(of_a.size(), of_b.size());
    for (auto one = of_a.begin(); one != of_a.end();) {
        const auto other = std::ranges::find(of_b, *one);
        if (other == of_b.end()) {
            ++one;
            continue;
        }
        ++match.bits;
        match.is_telling = match.is_telling || is_rare(writers_, *one);
        of_b.erase(other);
        one = of_a.erase(one);
    }
    const std::set<std::string> from_a = begun_with(a), from_b = begun_with(b);
    const auto& less = from_a.size() < from_b.size() ? from_a : from_b;
    const auto& more = from_a.size() < from_b.size() ? from_b : from_a;
    match.same_inputs =
        std::ranges::includes(more, less) &&
        std::ranges::any_of(less, [&](const std::string& hash) { return is_rare(readers_, hash); });
    if (reads && match.bits < match.outputs) {
        const Contents &left_contents = read(a), &right_contents = read(b);
        const std::vector<Output>&left = left_contents.outputs, &right = right_contents.outputs;
        match.unread = left_contents.unread.empty() ? right_contents.unread : left_contents.unread;
        std::set<const Output*> used;
        for (const Output& one : left) {
            if (std::ranges::find(of_a, one.hash) == of_a.end()) continue;
            const auto other = std::ranges::find_if(right, [&](const Output& candidate) {
                return !used.contains(&candidate) &&
                       std::ranges::find(of_b, candidate.hash) != of_b.end() &&
                       candidate.after.bytes().size() == one.after.bytes().size() &&
                       agree(one, candidate, match);
            });
            if (other == right.end()) continue;
            used.insert(&*other);
            ++match.tolerance;
        }
    }
    return match;
}

}  // namespace parallax

// Infers from a kernel's body how a buffer is used, initialised, and how long it is.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mapping/analyze/value_type.hpp"
#include "suites/manifest/launch_inference.hpp"

namespace parallax::manifest {

using OrderedJson = nlohmann::ordered_json;

bool LaunchInference::is_cast(std::size_t p, const ValueType& type) const {
    const auto casts = body_.cast_to.find(p);
    return casts != body_.cast_to.end() &&
           std::ranges::any_of(casts->second, [&](const std::string& one) {
               return !one.empty() && one != name_of(type);
           });
}

/// The upper end of the range of integers that the body's use allows.
std::uint64_t LaunchInference::most_of(std::size_t p, const ValueType& type) const {
    const unsigned bytes = element_bytes(type.element);
    // Bytes of finite floating-point numbers.
    if (bytes == 1 && (is_cast(p, type) || !parameter(p).obstacle.empty())) return 60;
    if (body_.within.contains(p)) return static_cast<std::uint64_t>(body_.within.at(p));
    const bool bits = body_.bits.contains(p);
    if (!bits && body_.truths.contains(p)) return 2;
    if (!bits && bytes != 1) return 16;
    return std::uint64_t{1} << (std::min(8 * bytes, 32U) - is_signed_element(type.element));
}

std::string LaunchInference::range_of(std::size_t p, const ValueType& type) {
    const auto range = [](auto low, auto high) {
        return fmt::format("{{\"random\": [{}, {}]}}", low, high);
    };
    const bool divides = std::ranges::any_of(body_.divisors, [&](int one) {
        return is(one, Of::loaded) && symbol(one).number == static_cast<int>(p);
    });
    if (divides) return range(1, 17);
    const unsigned bits = 8 * element_bytes(type.element);
    if (const auto kept = body_.kept.find(p); kept != body_.kept.end() && bits > 8) {
        const auto& [starts_at_zero, end, scatters] = kept->second;
        if (scatters && bits >= 32) return "\"permutation\"";  // each place is stored to once
        const bool is_below = starts_at_zero && is_signed_element(type.element);
        const Poly ends = settled(end);
        const bool is_known = std::ranges::all_of(
            ends.symbols(), [&](int one) { return one < 0 ? one > -101 : is_number(one); });
        if (const auto number = ends.number()) {
            const double more = 1 + std::ceil(*number / 8);
            return range(is_below ? -more : 0, *number + more);
        }
        if (is_known) {
            const std::string text = text_of(ends), more = fmt::format("1 + ceil(({}) / 8)", text);
            return fmt::format("{{\"random\": [{}, \"{} + {}\"]}}",
                               is_below ? fmt::format("\"-({})\"", more) : "0", text, more);
        }
    }
    const bool is_truth = body_.truths.contains(p) && !body_.bits.contains(p);
    const bool adds = body_.sums_any || body_.summed.contains(p);
    const bool is_free = !body_.is_open && !body_.has_open_loops && !body_.converts &&
                         !body_.indices.contains(p) && !body_.within.contains(p) && !is_truth &&
                         !is_cast(p, type) && (!is_shared(p) || !adds) &&
                         parameter(p).obstacle.empty();
    if (!is_free) return range(0, most_of(p, type));
    if (!is_signed_element(type.element)) return range(0, std::uint64_t{1} << std::min(bits, 53U));
    const std::int64_t end = std::int64_t{1} << (std::min(bits, 53U) - 1);
    // Smaller types are added up as int. Long sums are not near 0, where relative tolerances fail.
    if ((!adds || bits < 32) && has_whole_answers()) return range(-end, end);
    // Sums of two fit in the type.
    return bits == 32 ? range(-500000000, 1000000000) : range(-end / 2, end);
}

bool LaunchInference::has_whole_answers() const {
    return std::ranges::none_of(body_.accesses, [&](const BodyAccess& one) {
        const auto type = value_type_named(parameter(one.parameter).type);
        return one.stores && (!type || is_float_element(type->element));
    });
}

/// Whether work-items read where others write: the values depend on order, unless the numbers are
/// such that nothing changes.
bool LaunchInference::is_shared(std::size_t p) const {
    const BodyAccess* stored = nullptr;
    for (const BodyAccess& one : body_.accesses) {
        if (one.parameter == p && one.stores && !one.atomic) stored = &one;
    }
    return stored && std::ranges::any_of(body_.accesses, [&](const BodyAccess& one) {
               return one.parameter == p && one.loads && one.most != stored->most;
           });
}

/// Holds a range to what the type can be.
std::string LaunchInference::held_to_type(const std::string& fill, const ValueType& type) {
    OrderedJson json = OrderedJson::parse(fill);
    if (!json.is_object() || !json.contains("random") || is_float_element(type.element))
        return fill;
    const unsigned bits = std::min(8 * element_bytes(type.element), 53U);
    const bool is_signed = is_signed_element(type.element);
    const auto end = static_cast<std::int64_t>(std::uint64_t{1} << (bits - is_signed));
    const std::int64_t least = is_signed ? -end : 0;
    OrderedJson &low = json["random"][0], &high = json["random"][1];
    if (low.is_number()) low = std::max(low.get<std::int64_t>(), least);
    if (high.is_number()) high = std::min(high.get<std::int64_t>(), end);
    // A size may be more than a small type holds.
    const bool is_small = bits <= 16;
    if (low.is_string() && is_small)
        low = fmt::format("max({}, {})", low.get<std::string>(), least);
    if (high.is_string() && is_small)
        high = fmt::format("min({}, {})", high.get<std::string>(), end);
    return fmt::format("{{\"random\": [{}, {}]}}", low.dump(), high.dump());
}

std::string LaunchInference::float_fill() const {
    const bool is_free = !body_.has_open_loops && !body_.converts && !body_.takes_roots;
    if (!is_free) return "\"random\"";
    // A third is below 0, and long sums stay away from it. Both sides of what they are compared
    // with are met.
    const double edge = body_.float_edge <= 1000 ? std::max(body_.float_edge, 0.5) : 0.5;
    return fmt::format("{{\"random\": [{}, {}]{}}}", edge > 0.5 ? -2 * edge : -0.5, 2 * edge,
                       body_.needs_finite ? "" : ", \"special\": true");
}

std::string LaunchInference::fill_of(std::size_t p, const std::optional<ValueType>& type) {
    if (!type || is_float_element(type->element)) {  // without one it has members
        return is_shared(p) ? "\"random\"" : float_fill();
    }
    return type->element == "bool" ? "\"random\"" : range_of(p, *type);
}

/// A value that no work-item writes, so that written elements differ from unwritten ones: where
/// exchanges find it, the end of lists, and elsewhere a number that is neither such an end nor an
/// extreme.
std::string LaunchInference::vacant_fill(std::size_t p, const ValueType& type) const {
    const auto value = [](auto number) { return fmt::format("{{\"value\": {}}}", number); };
    const auto known = body_.vacant.find(p);
    if (known != body_.vacant.end() && is_float_element(type.element)) return value(known->second);
    if (is_float_element(type.element)) return value(type.element == "half" ? "-60000" : "-1e30");
    const bool is_signed = is_signed_element(type.element);
    const unsigned bits = std::min(8 * element_bytes(type.element), 32U);
    if (known != body_.vacant.end()) {
        // As C converts it to the element: -1 of an uint is its largest number.
        const unsigned unused = 64 - 8 * element_bytes(type.element);
        const auto number = static_cast<std::uint64_t>(static_cast<std::int64_t>(known->second))
                            << unused;
        if (is_signed) return value(static_cast<std::int64_t>(number) >> unused);
        constexpr std::uint64_t most_in_manifest = std::uint64_t{1} << 53;
        if (number >> unused <= most_in_manifest) return value(number >> unused);
    }
    const std::int64_t end = std::int64_t{1} << bits, other = 0xaaaaaaaa >> (32 - bits);
    const std::int64_t free = body_.exchanged.contains(p) ? end - 1 : other;
    return value(is_signed ? free - end : free);
}

/// Sets the order of an output that the launch may choose.
void LaunchInference::write_order(GuessedArgument& made, std::size_t p,
                                  const std::optional<ValueType>& type) {
    const bool is_raced = body_.raced.contains(p);
    if (body_.unsettled.contains(p) || (is_raced && (!type || type->element == "bool"))) {
        made.order = "null";
        made.ask = fmt::format(
            "Work-items write '{}' in the order in which they reach an atomic function. Delete "
            "\"order\" where that does not show; write \"any\" where it always holds the same "
            "elements, \"race\" where it does not, and always the "
            "same ones are written. Otherwise make it scratch, and compare what a later kernel "
            "makes of it.",
            made.name);
    } else if (is_raced) {
        made.use = "in_out";
        made.fill = vacant_fill(p, *type);
        made.order = "\"race\"";
        note(fmt::format("'{}' is taken to be what any of several work-items writes.", made.name));
    } else if (const auto row = body_.unordered.find(p); row != body_.unordered.end()) {
        made.order =
            row->second <= 1 || !type ? "\"any\"" : fmt::format("{{\"rows\": {}}}", row->second);
        note(fmt::format(
            "'{}' is taken to be in any order, since an atomic counter gives the places.",
            made.name));
    }
}

LaunchInference::BufferUse LaunchInference::use_of(std::size_t p) {
    BufferUse use;
    bool reached = false;
    double apart = HUGE_VAL, together = 0, least = HUGE_VAL;
    for (const BodyAccess& access : body_.accesses) {
        if (access.parameter != p) continue;
        use.any = true;
        use.loads = use.loads || access.loads;
        use.loads_first = use.loads_first || (access.loads && !reached);
        use.atomic = use.atomic || access.atomic;
        use.is_asked = use.is_asked || access.is_asked;
        if (!access.stores) continue;
        use.stores = true;
        least = std::min(least, access.least);
        if (access.partial || !access.most) continue;
        apart = std::min(apart, access.apart);
        together += access.together;
        reached = reached || reaches(*access.most, p);
    }
    use.partial = !reached || together < apart || least > 0;
    return use;
}

void LaunchInference::write_buffer(GuessedArgument& made, std::size_t p) {
    const BufferUse use = use_of(p);
    const auto type = value_type_named(made.type);
    const bool is_sum = use.atomic || body_.updated.contains(p);
    if (is_sum && type && is_float_element(type->element)) {
        guess_.answer = coarser(guess_.answer, "any order");
    }
    if (use.stores && !use.loads_first && !use.partial && !use.atomic) {
        made.use = "output";
    } else {
        made.use = use.stores ? "in_out" : "input";
        const auto fill = fills_.find(p);
        // An atomic whose result is used is a lock, a counter, or an exchanged sum.
        made.fill = fill != fills_.end() ? fill->second
                    : use.is_asked       ? "\"zeros\""
                                         : fill_of(p, type);
        if (type && type->element != "bool") made.fill = held_to_type(made.fill, *type);
    }
    if (use.stores) write_order(made, p, type);
    if (use.stores) note_answer(made.type, made.members);
    if (made.use != "output") {
        for (GuessedArgument& member : made.members) write_member_fill(member, p);
    }
    if (!made.members.empty()) made.fill.clear();
    ask_length(made, p, use);
    if (made.formula.empty()) return;
    std::uint64_t bytes =
        type ? std::uint64_t{element_bytes(type->element)} * (type->width == 3 ? 4 : type->width)
             : 0;
    for (const GuessedArgument& member : made.members) bytes += bytes_of(member);
    const bool knows_launch = made.formula.find("items_") != std::string::npos ||
                              made.formula.find("groups_") != std::string::npos;
    if (bytes == 0 || knows_launch) return;
    add_bytes(bytes * (use.loads && use.stores ? 2 : 1), made.formula);
}

void LaunchInference::ask_length(GuessedArgument& made, std::size_t p, const BufferUse& use) {
    const Parameter& one = parameter(p);
    const std::string order = std::exchange(made.ask, {});
    if (!use.any && body_.unnamed.contains(static_cast<int>(p))) {
        made.formula = "1";
        note(fmt::format("'{}' is not used by the kernel.", made.name));
    } else if (!use.any) {
        if (!one.read_only) made.use = "in_out";
        made.formula.clear();
        made.ask = fmt::format(
            "How many elements has '{}', and is it read or written? The kernel names it in a way "
            "that is not followed here.",
            made.name);
    } else if (made.formula.empty() && !one.obstacle.empty()) {
        made.ask =
            fmt::format("How many bytes has '{}'? {} is {}.", made.name, one.type, one.obstacle);
    } else if (made.formula.empty()) {
        made.ask = fmt::format(
            "How many elements has '{}'? It is {} at an index that the text does not bound.",
            made.name, use.stores ? "written" : "read");
    }
    made.ask += (made.ask.empty() || order.empty() ? "" : " ") + order;
}

void LaunchInference::add_bytes(std::uint64_t each, const std::string& count) {
    if (!guess_.bytes.empty()) guess_.bytes += " + ";
    const bool single =
        count.find(" + ") == std::string::npos && count.find(" - ") == std::string::npos;
    guess_.bytes += fmt::format("{} * {}", each, single ? count : fmt::format("({})", count));
}

bool LaunchInference::reaches(const Poly& most, std::size_t p) {
    const double end = sample(settled(most + Poly(1)), 0);
    return std::ranges::all_of(lengths_[p],
                               [&](const Poly& length) { return sample(length, 0) <= end + 0.5; });
}

}  // namespace parallax::manifest

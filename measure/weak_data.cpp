// Finds what the verified launches of a user's kernel had in common.
#include <algorithm>

#include <fmt/format.h>

#include "measure/compare.hpp"
#include "measure/outcome.hpp"

namespace parallax {
namespace {

/// Fewer elements are often alike by chance, and few indices can miss them.
constexpr std::uint64_t least_elements = 8;

bool is_captured(const Outcome& o) {
    return o.the_case.suite->reference_name == expected_data;
}

std::string words_of_input(const BufferSpec& buffer, const SeenContents& seen, bool captured) {
    // Counters begin with 0.
    const bool is_counter = is_changed(buffer.role) && !is_floating(buffer.type);
    if (!seen.all_alike || is_counter) return {};
    return fmt::format(
        "'{}' holds {} in every checked launch: {} does not show. {}", buffer.name,
        seen.all_zero ? "only zeros" : "one number in all elements",
        seen.all_zero ? "an error in how it is used" : "reading it at a wrong index",
        captured ? "Capture the program on other data." : "Draw it: \"fill\": \"random\".");
}

std::string words_of_answer(const BufferSpec& buffer, const SeenContents& seen, bool captured) {
    if (!seen.all_alike) return {};
    return fmt::format("The right answer in '{}' is {}: {}. {}", buffer.name,
                       seen.all_zero ? "0 everywhere in every checked launch"
                       : seen.number ? "the same number everywhere in every checked launch"
                                     : "one number everywhere in each checked launch",
                       seen.all_zero || seen.number
                           ? "a kernel that writes it without any work passes"
                           : "a wrong index in what it is made of may not show",
                       captured ? "Capture the program on other data."
                                : "Choose inputs, with \"fill\", that give other answers.");
}

}  // namespace

void SeenContents::add(const HostArray& values, const BufferSpec& buffer) {
    most_elements = std::max<std::uint64_t>(most_elements, values.size());
    const auto bytes = std::as_const(values).bytes();
    const std::size_t unit = buffer.struct_bytes > 0 ? buffer.struct_bytes : size_of(values.type());
    if (!all_alike || bytes.size() < unit) return;
    const auto first = bytes.first(unit);
    if (number && number->empty()) number->assign(first.begin(), first.end());
    if (number && !have_same_bytes(first, *number)) number.reset();
    if (bytes.size() == unit) return;
    all_alike = have_same_bytes(bytes.subspan(unit), bytes.first(bytes.size() - unit));
    all_zero = all_zero && all_alike &&
               std::ranges::all_of(first, [](std::byte one) { return one == std::byte{0}; });
}

std::vector<std::string> weak_data_of(const Outcome& o) {
    std::vector<std::string> said;
    if (o.the_case.suite->manifest.empty() || !o.checked) return said;
    const VerificationResult& checked = *o.checked;
    const bool captured = is_captured(o);
    if (checked.shapes.size() == 1) {
        said.push_back(
            fmt::format("All checked launches have the size {}. An error at another size, such as "
                        "one that work-groups do not divide, does not show. {}",
                        to_string(checked.shapes.front()),
                        captured ? "Capture the program on others."
                                 : "List more sizes in \"checked\" of \"sizes\"."));
    }
    const auto note = [&](const BufferSpec& buffer, const auto& all, const auto& words_of) {
        const auto seen = all.find(buffer.name);
        if (seen == all.end() || seen->second.most_elements < least_elements) return;
        if (std::string words = words_of(buffer, seen->second, captured); !words.empty())
            said.push_back(std::move(words));
    };
    const Tolerance tolerance = o.the_case.suite->tolerance(o.the_case);
    const bool is_step_allowed =
        tolerance.kind == Tolerance::Kind::difference && tolerance.absolute >= 1;
    for (const BufferSpec& buffer : o.plan.buffers) {
        if (buffer.order == Order::race) continue;
        if (is_step_allowed && is_compared(buffer.role) && !is_floating(buffer.type) &&
            !buffer.image && !captured) {
            said.push_back(fmt::format(
                "The tolerance lets each number in '{}' be {} off: a kernel that is {} off "
                "everywhere passes. Write \"tolerance\": \"equal\" unless rounding decides them.",
                buffer.name, tolerance.absolute, tolerance.absolute));
        }
        if (is_loaded(buffer.role)) note(buffer, checked.inputs_seen, words_of_input);
        if (is_compared(buffer.role)) note(buffer, checked.answers_seen, words_of_answer);
    }
    return said;
}

}  // namespace parallax

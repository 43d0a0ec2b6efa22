// Reads what NVIDIA's disassemblers print.
#include "studies/explain/machine_body.hpp"

#include <charconv>

#include "common/text/text_lines.hpp"

namespace parallax {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed_line(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(blanks));
}

/// The kind of a line that may begin a section of code.
enum class Heading { none, ours, another };

Heading heading(std::string_view line, std::string_view kernel) {
    std::string_view name;
    constexpr std::string_view section = ".section", function = "Function :", text = ".text.";
    if (line.starts_with("//---")) return Heading::another;
    if (line.starts_with("Fatbin ") || line.starts_with("code for ")) return Heading::another;
    if (line.starts_with(section)) {
        name = trimmed_line(line.substr(section.size()));
        if (!name.starts_with(text)) return Heading::another;
        name = name.substr(text.size());
        name = name.substr(0, name.find_first_of(", \t"));
    } else if (line.starts_with(function)) {
        name = trimmed_line(line.substr(function.size()));
    } else {
        return Heading::none;
    }
    return name == kernel ? Heading::ours : Heading::another;
}

/// Takes `/*0010*/` from the beginning and every other comment from the end of a line.
/// @return the address that was there
std::optional<std::uint64_t> take_comments(std::string_view& line) {
    std::optional<std::uint64_t> address;
    while (line.starts_with("/*")) {
        const std::size_t end = line.find("*/", 2);
        if (end == line.npos) {
            line = {};
            return address;
        }
        const std::string_view inside = line.substr(2, end - 2);
        std::uint64_t value = 0;
        const auto [stop, error] =
            std::from_chars(inside.data(), inside.data() + inside.size(), value, 16);
        if (!address && error == std::errc() && stop == inside.data() + inside.size()) {
            address = value;
        }
        line = trimmed_line(line.substr(end + 2));
    }
    line = trimmed_line(line.substr(0, line.find("/*")));
    return address;
}

std::optional<MachineInstruction> instruction(std::string_view line) {
    // Kepler and Maxwell show by braces what is issued together.
    if (line.starts_with('{')) line = trimmed_line(line.substr(1));
    if (line.ends_with('}')) line = trimmed_line(line.substr(0, line.size() - 1));
    if (!line.ends_with(';')) return {};
    line = trimmed_line(line.substr(0, line.size() - 1));
    MachineInstruction made;
    if (line.starts_with('@')) {
        made.guard = first_word(line);
        line = trimmed_line(line.substr(made.guard.size()));
    }
    made.opcode = first_word(line);
    if (made.opcode.empty() || made.opcode[0] < 'A' || made.opcode[0] > 'Z') return {};
    made.operands = trimmed_line(line.substr(made.opcode.size()));
    return made;
}

}  // namespace

std::optional<MachineBody> machine_body(std::string_view sass, std::string_view kernel) {
    std::optional<MachineBody> body;
    bool inside = false;
    for (const std::string_view whole : lines_of(sass)) {
        std::string_view line = trimmed_line(whole);
        if (const Heading h = heading(line, kernel); h != Heading::none) {
            if (inside && body && !body->instructions.empty()) break;
            inside = h == Heading::ours;
            if (inside) body.emplace();
            continue;
        }
        if (!inside) continue;
        const auto address = take_comments(line);
        if (line.ends_with(':')) {
            body->labels.emplace(line.substr(0, line.size() - 1), body->instructions.size());
        } else if (const auto made = instruction(line)) {
            if (address) body->addresses.emplace(*address, body->instructions.size());
            body->instructions.push_back(*made);
        }
    }
    if (body && body->instructions.empty()) body.reset();
    return body;
}

}  // namespace parallax

// Reads what NVIDIA's disassemblers print, and leaves out what is only numbering.
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "studies/explain/instruction_classes.hpp"
#include "studies/explain/instructions.hpp"

namespace parallax {
namespace {

/// An instruction: `@!P2 LDG.E R22, desc[UR4][R22.64]`.
struct MachineInstruction {
    std::string_view guard;   ///< `@!P2`; empty: none
    std::string_view opcode;  ///< `LDG.E`
    std::string_view operands;
};

/// The code of one kernel, with the functions in its section.
struct MachineBody {
    std::vector<MachineInstruction> instructions;
    /// Indices into `instructions`: of labels, and of addresses.
    std::unordered_map<std::string_view, std::size_t> labels;
    std::unordered_map<std::uint64_t, std::size_t> addresses;
};

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

/// The first code of `kernel` in what `nvdisasm` or `cuobjdump -sass` printed; nothing: there is
/// none. Any bytes will do; views are of `sass`. Takes time in proportion to it.
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

bool is_in_operand(char c) {
    return is_word_character(c) || c == '$' || c == '.';
}

/// `visit(word)` for words, `keep(text)` for what is between them.
template <class Visit, class Keep>
void for_each_piece(std::string_view text, Visit visit, Keep keep) {
    for (std::size_t at = 0; at < text.size();) {
        const bool word = is_in_operand(text[at]);
        const std::size_t begin = at;
        while (at < text.size() && is_in_operand(text[at]) == word) ++at;
        const std::string_view piece = text.substr(begin, at - begin);
        if (word) {
            visit(piece);
        } else {
            keep(piece);
        }
    }
}

struct Register {
    std::string_view file;  ///< `R`, `UR`, `P`, `UP`, `B`
    unsigned number = 0;
};

std::optional<Register> register_named(std::string_view word) {
    for (const std::string_view file : {"UR", "UP", "R", "P", "B"}) {
        if (!word.starts_with(file)) continue;
        Register made{file};
        const char* const end = word.data() + word.size();
        const auto [stop, error] = std::from_chars(word.data() + file.size(), end, made.number);
        if (error == std::errc() && stop == end && made.number < 1024) return made;
    }
    return {};
}

bool jumps(std::string_view opcode) {
    const std::string_view base = opcode.substr(0, opcode.find('.'));
    for (const std::string_view jump : {"BRA", "BSSY", "CALL", "RET", "JMP", "SSY", "CAL", "PBK"}) {
        if (base == jump) return true;
    }
    return false;
}

/// The numbers of consecutive registers of the first and of the last operand of an instruction.
std::pair<unsigned, unsigned> widths(std::string_view opcode) {
    const std::string_view base = opcode.substr(0, opcode.find('.'));
    const unsigned words = machine_access_bits(opcode) / 32;
    if (base.starts_with("LD") || base.starts_with("ULD")) return {words, 1};
    if (base.starts_with("ST")) return {1, words};
    if (opcode.find("IMAD.WIDE") != opcode.npos) return {2, 2};
    if (base == "CS2R" && opcode.find(".32") == opcode.npos) return {2, 1};
    if (base == "DFMA" || base == "DADD" || base == "DMUL") return {2, 2};
    return {1, 1};
}

class MachineRenamer {
public:
    explicit MachineRenamer(const MachineBody& body) : body_(body) {
        for (const MachineInstruction& i : body.instructions) {
            for_each_piece(
                i.operands,
                [&](std::string_view word) {
                    if (const auto place = target(i, word)) wanted_.insert(*place);
                },
                [](std::string_view) {});
        }
    }

    /// `L3`, or nothing where nothing jumps there.
    std::string label(std::size_t place) {
        if (!wanted_.contains(place)) return {};
        return "L" + std::to_string(labels_.emplace(place, labels_.size()).first->second);
    }

    std::string operands(const MachineInstruction& i) {
        const std::pair<unsigned, unsigned> wide = widths(i.opcode);
        const std::size_t last_comma = i.operands.rfind(',');
        std::string result;
        bool is_first = true;
        for_each_piece(
            i.operands,
            [&](std::string_view word) {
                if (const auto place = target(i, word)) {
                    result += label(*place);
                    return;
                }
                const std::string_view head = word.substr(0, word.find('.'));
                const std::string_view suffix = word.substr(head.size());
                const auto r = register_named(head);
                if (!r) {
                    result += word;
                    return;
                }
                const bool is_last =
                    last_comma != i.operands.npos && word.data() > i.operands.data() + last_comma;
                const unsigned width = suffix.starts_with(".64") ? 2
                                       : is_first                ? wide.first
                                       : is_last                 ? wide.second
                                                                 : 1;
                is_first = false;
                result += name(*r, width);
                result += suffix;
            },
            // `(.L_x_1) marks a label for the assembler only
            [&](std::string_view between) {
                for (const char c : between) {
                    if (c != '`' && c != '(' && c != ')') result += c;
                }
            });
        return result;
    }

private:
    /// The place that a word of an instruction names, if it does.
    std::optional<std::size_t> target(const MachineInstruction& i, std::string_view word) const {
        if (const auto found = body_.labels.find(word); found != body_.labels.end()) {
            return found->second;
        }
        if (!jumps(i.opcode) || !word.starts_with("0x") ||
            word.data() + word.size() != i.operands.data() + i.operands.size()) {
            return {};
        }
        std::uint64_t address = 0;
        std::from_chars(word.data() + 2, word.data() + word.size(), address, 16);
        const auto found = body_.addresses.find(address);
        if (found == body_.addresses.end()) return {};
        return found->second;
    }

    /// Registers of one value get numbers side by side, so that which part is used stays visible.
    std::string name(const Register& r, unsigned width) {
        auto& numbers = numbers_[r.file];
        for (unsigned i = 0; i < width; ++i) {
            numbers.emplace(r.number + i, static_cast<unsigned>(numbers.size()));
        }
        return std::string(r.file) + std::to_string(numbers.at(r.number));
    }

    const MachineBody& body_;
    std::unordered_set<std::size_t> wanted_;
    std::unordered_map<std::size_t, std::size_t> labels_;
    std::map<std::string_view, std::unordered_map<unsigned, unsigned>> numbers_;  ///< by file
};

bool fills_up(const MachineInstruction& i) {
    return i.opcode == "NOP";
}

}  // namespace

std::optional<InstructionMix> machine_mix(std::string_view sass, std::string_view kernel) {
    const auto body = machine_body(sass, kernel);
    if (!body) return {};
    InstructionMix mix;
    for (const MachineInstruction& i : body->instructions) {
        if (!fills_up(i)) ++mix[class_of_machine(i.opcode, i.operands)];
    }
    return mix;
}

std::string normalised_machine(std::string_view sass, std::string_view kernel) {
    const auto body = machine_body(sass, kernel);
    if (!body) return {};
    MachineRenamer rename(*body);
    std::string lines;
    for (std::size_t place = 0; place < body->instructions.size(); ++place) {
        const MachineInstruction& i = body->instructions[place];
        if (const std::string label = rename.label(place); !label.empty()) lines += label + ":\n";
        if (fills_up(i)) continue;
        if (!i.guard.empty()) {
            lines += rename.operands({{}, {}, i.guard}) + " ";
        }
        lines += i.opcode;
        const std::string operands = rename.operands(i);
        lines += operands.empty() ? "\n" : " " + operands + "\n";
    }
    return lines;
}

}  // namespace parallax

// Machine code without what is only numbering.
#include <charconv>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "studies/explain/instruction_classes.hpp"
#include "studies/explain/instructions.hpp"
#include "studies/explain/machine_body.hpp"

namespace parallax {
namespace {

bool is_in_operand(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.';
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

// Moves regions between PTX texts: finds values that are the same, renames, and writes the kernel
// anew.
#include "studies/explain/ptx_moves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {
namespace {

using Kind = PtxStatement::Kind;

unsigned register_bits(std::string_view type) {
    return type == ".pred" ? 1 : type.ends_with("16") ? 16 : type.ends_with("32") ? 32 : 64;
}

/// Rounded in another order they are the same.
bool same_value(std::uint64_t x, std::uint64_t y, std::string_view type) {
    if (x == y) return true;
    double a = 0, b = 0;
    if (type == ".f32") {
        a = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(x)));
        b = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(y)));
    } else if (type == ".f64") {
        a = std::bit_cast<double>(x);
        b = std::bit_cast<double>(y);
    } else {
        return false;
    }
    return std::fabs(a - b) <= 1e-4 * (std::fabs(a) + std::fabs(b));
}

/// Calculates from parameters and special registers what depends on nothing else.
bool follows_from_parameters(const PtxInstruction& one) {
    if (one.guard >= 0) return false;
    if (one.in_memory) return one.statement->name.starts_with("ld.param");
    return one.base != "atom" && one.base != "shfl" && one.base != "vote" && one.base != "match" &&
           one.base != "activemask" && one.base != "bar" && one.base != "barrier";
}

class Mover {
public:
    Mover(const FollowedPtx& into, const PtxRegion& place, const FollowedPtx& from,
          const PtxRegion& what)
        : into_(into), place_(place), from_(from), what_(what) {}

    std::string text() {
        const PtxEvents here = events_of(into_, place_), there = events_of(from_, what_);
        take_inputs(here, there);
        take_outputs(here, there);
        const std::string_view whole = into_.program.text().text();
        const std::string_view body = into_.program.function().braces;
        const auto begin = static_cast<std::size_t>(body.data() - whole.data());
        return std::string(whole.substr(0, begin)) + kernel() +
               std::string(whole.substr(begin + body.size()));
    }

private:
    struct Copy {
        int to = 0, from = 0;  ///< of `from` to of `into`, or the other way
    };

    static std::uint64_t value(const FollowedPtx& x, const PtxEvents::Place& at, int reg) {
        return x.walks[at.walk].log[at.visit].registers[static_cast<std::size_t>(reg)];
    }

    const PtxProgram::Register& theirs(int reg) const {
        return from_.program.registers[static_cast<std::size_t>(reg)];
    }
    const PtxProgram::Register& ours(int reg) const {
        return into_.program.registers[static_cast<std::size_t>(reg)];
    }

    /// Whether a register of `into` holds at all places what one of `from` holds.
    bool agree(int our, int their, const std::vector<PtxEvents::Place>& here,
               const std::vector<PtxEvents::Place>& there) const {
        if (register_bits(ours(our).type) != register_bits(theirs(their).type)) return false;
        for (std::size_t i = 0; i < here.size(); ++i) {
            if (!same_value(value(into_, here[i], our), value(from_, there[i], their),
                            theirs(their).type)) {
                return false;
            }
        }
        return true;
    }

    std::vector<bool> defined_in(const FollowedPtx& x, const PtxRegion& region) const {
        std::vector<bool> defined(x.program.registers.size());
        for (std::size_t b = 0; b < region.inside.size(); ++b) {
            const PtxBlock& block = x.program.blocks[b];
            for (std::size_t i = block.first; i < block.last && region.inside[b]; ++i) {
                for (const int reg : x.program.code[i].defines) {
                    defined[static_cast<std::size_t>(reg)] = true;
                }
            }
        }
        return defined;
    }

    /// Registers that the moved region reads before it sets them.
    void take_inputs(const PtxEvents& here, const PtxEvents& there) {
        std::vector<bool> read(from_.program.registers.size());
        for (std::size_t b = 0; b < what_.inside.size(); ++b) {
            const PtxBlock& block = from_.program.blocks[b];
            for (std::size_t i = block.first; i < block.last && what_.inside[b]; ++i) {
                for (const int reg : from_.program.code[i].reads) {
                    read[static_cast<std::size_t>(reg)] = true;
                }
            }
        }
        const auto& live = from_.live[static_cast<std::size_t>(what_.head)];
        for (std::size_t reg = 0; reg < read.size(); ++reg) {
            if (read[reg] && live[reg]) take_input(static_cast<int>(reg), here, there);
        }
    }

    void take_input(int their, const PtxEvents& here, const PtxEvents& there) {
        if (!known_.insert(their).second) return;
        for (std::size_t our = 0; our < into_.program.registers.size(); ++our) {
            if (!agree(static_cast<int>(our), their, here.entries, there.entries)) continue;
            inputs_.push_back({their, static_cast<int>(our)});
            return;
        }
        calculate(their);
    }

    /// Copies what the register is calculated of to the kernel's begin.
    void calculate(int their) {
        if (!calculated_.insert(their).second) return;
        const auto& code = from_.program.code;
        const auto made = std::ranges::find_if(code, [&](const PtxInstruction& one) {
            return std::ranges::find(one.defines, their) != one.defines.end();
        });
        if (theirs(their).definitions != 1 || made == code.end() ||
            !follows_from_parameters(*made)) {
            throw Unsupported(fmt::format(
                "It reads {} of {}, which the other PTX does not hold there and which does not "
                "follow from the kernel's arguments.",
                theirs(their).name, from_.program.function().name));
        }
        for (const int reg : made->reads) calculate(reg);
        first_ += instruction(*made);
    }

    void take_outputs(const PtxEvents& here, const PtxEvents& there) {
        const std::vector<bool> our_defined = defined_in(into_, place_);
        const std::vector<bool> their_defined = defined_in(from_, what_);
        const auto& live = into_.live[static_cast<std::size_t>(place_.exit)];
        const auto& their_live = from_.live[static_cast<std::size_t>(what_.exit)];
        for (std::size_t our = 0; our < live.size(); ++our) {
            if (!our_defined[our] || !live[our]) continue;
            int found = -1, rank = 0;
            for (std::size_t their = 0; their < their_defined.size(); ++their) {
                const int good = 1 + their_defined[their] + their_live[their];
                if (good <= rank || !agree(static_cast<int>(our), static_cast<int>(their),
                                           here.exits, there.exits)) {
                    continue;
                }
                found = static_cast<int>(their);
                rank = good;
            }
            if (found < 0) {
                throw Unsupported(fmt::format(
                    "What is read after it in {} is calculated there and not in the other PTX.",
                    ours(static_cast<int>(our)).name));
            }
            if (!their_defined[static_cast<std::size_t>(found)]) take_input(found, here, there);
            outputs_.push_back({static_cast<int>(our), found});
        }
    }

    static std::string renamed(std::string_view reg) {
        return fmt::format("%moved_{}", reg.substr(1));
    }

    std::string copy(std::string_view type, std::string_view to, std::string_view from) const {
        return fmt::format("mov.{} {}, {};\n",
                           type == ".pred" ? "pred" : fmt::format("b{}", register_bits(type)), to,
                           from);
    }

    /// What a word of the moved text is called in the other.
    std::string word(std::string_view word) const {
        if (word.starts_with('%')) {
            const bool is_register =
                std::ranges::find(from_.program.registers, word, &PtxProgram::Register::name) !=
                from_.program.registers.end();
            return is_register ? renamed(word) : std::string(word);
        }
        for (std::size_t b = 0; b < from_.program.blocks.size(); ++b) {
            const auto& labels = from_.program.blocks[b].labels;
            if (std::ranges::find(labels, word) != labels.end())
                return their_label(static_cast<int>(b));
        }
        const auto &theirs = from_.program.function().parameters,
                   &ours = into_.program.function().parameters;
        if (const auto at = std::ranges::find(theirs, word); at != theirs.end()) {
            const auto place = static_cast<std::size_t>(at - theirs.begin());
            if (theirs.size() == ours.size()) return std::string(ours[place]);
            throw Unsupported("The two have different parameters.");
        }
        return array(word);
    }

    /// Local arrays are the same by size and order.
    std::string array(std::string_view name) const {
        const auto size = [](const auto& one) {
            return one.second.substr(std::min(one.second.find('['), one.second.size()));
        };
        std::string_view wanted;
        std::size_t number = 0;
        for (const auto& one : from_.program.shared) {
            if (one.first == name) wanted = size(one);
        }
        for (const auto& one : from_.program.shared) {
            if (one.first == name) break;
            number += size(one) == wanted;
        }
        for (const auto& one : into_.program.shared) {
            if (!wanted.empty() && size(one) == wanted && number-- == 0)
                return std::string(one.first);
        }
        throw Unsupported(fmt::format("It uses {}, which the other PTX has not.", name));
    }

    std::string their_label(int block) const {
        return block == what_.exit ? "$moved_exit" : fmt::format("$moved_{}", block);
    }
    static std::string our_label(int block) { return fmt::format("$kept_{}", block); }

    std::string instruction(const PtxInstruction& one) const {
        const auto in_theirs = [&](std::string_view text) {
            std::string made;
            std::size_t done = 0;
            for_each_word(text, [&](std::string_view part, std::size_t begin) {
                if (begin > 0 && text[begin - 1] == '.') return;
                made += text.substr(done, begin - done);
                made += word(part);
                done = begin + part.size();
            });
            return made + std::string(text.substr(done));
        };
        const PtxStatement& s = *one.statement;
        return fmt::format("{}{}{} {};\n", in_theirs(s.guard), s.guard.empty() ? "" : " ", s.name,
                           in_theirs(s.rest));
    }

    /// The block's instructions, with the directives before each.
    template <class Write>
    static std::string block(const PtxProgram& program, const PtxBlock& of, Write write) {
        const auto& body = program.function().body;
        std::string made;
        for (std::size_t i = of.first; i < of.last; ++i) {
            const auto end = static_cast<std::size_t>(program.code[i].statement - body.data());
            std::size_t begin = end;
            while (begin > 0 && body[begin - 1].kind == Kind::directive) --begin;
            for (std::size_t d = begin; d < end; ++d) {
                made += fmt::format("{} {};\n", body[d].name, body[d].rest);
            }
            made += write(program.code[i]);
        }
        return made;
    }

    std::string moved_blocks() const {
        std::string made;
        for (const Copy& one : inputs_) {
            made += copy(theirs(one.to).type, renamed(theirs(one.to).name), ours(one.from).name);
        }
        if (first_of(what_) != what_.head)
            made += fmt::format("bra {};\n", their_label(what_.head));
        for (std::size_t b = 0; b < what_.inside.size(); ++b) {
            if (!what_.inside[b]) continue;
            const PtxBlock& of = from_.program.blocks[b];
            made += their_label(static_cast<int>(b)) + ":\n";
            made += block(from_.program, of,
                          [&](const PtxInstruction& one) { return instruction(one); });
            if (of.next >= 0 && (!what_.inside[static_cast<std::size_t>(of.next)] ||
                                 static_cast<std::size_t>(of.next) != b + 1)) {
                made += fmt::format("bra {};\n", their_label(of.next));
            }
        }
        made += "$moved_exit:\n";
        for (const Copy& one : outputs_) {
            made += copy(ours(one.to).type, ours(one.to).name, renamed(theirs(one.from).name));
        }
        return made + fmt::format("bra {};\n", our_label(place_.exit));
    }

    static int first_of(const PtxRegion& region) {
        return static_cast<int>(std::ranges::find(region.inside, true) - region.inside.begin());
    }

    std::string kernel() const {
        std::string made = "{\n";
        for (const PtxStatement& s : into_.program.function().body) {
            if (s.kind == Kind::declaration) made += fmt::format("{} {};\n", s.name, s.rest);
        }
        for (const PtxStatement& s : from_.program.function().body) {
            if (s.kind != Kind::declaration || s.name != ".reg") continue;
            made += s.name;
            std::size_t done = 0;
            made += ' ';
            for_each_word(s.rest, [&](std::string_view part, std::size_t begin) {
                if (!part.starts_with('%')) return;
                made += s.rest.substr(done, begin - done);
                made += renamed(part);
                done = begin + part.size();
            });
            made += fmt::format("{};\n", s.rest.substr(done));
        }
        made += first_;
        const auto& blocks = into_.program.blocks;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const bool is_head = static_cast<int>(b) == place_.head;
            if (place_.inside[b] && !is_head) continue;
            made += our_label(static_cast<int>(b)) + ":\n";
            for (const std::string_view label : blocks[b].labels)
                made += std::string(label) + ":\n";
            if (is_head) {
                made += moved_blocks();
                continue;
            }
            made += block(into_.program, blocks[b], [](const PtxInstruction& one) {
                const PtxStatement& s = *one.statement;
                return fmt::format("{}{}{} {};\n", s.guard, s.guard.empty() ? "" : " ", s.name,
                                   s.rest);
            });
            const int next = blocks[b].next;
            if (next >= 0 && next != place_.head && place_.inside[static_cast<std::size_t>(next)]) {
                throw Unsupported("It is entered at two places.");
            }
            if (next >= 0 && static_cast<std::size_t>(next) != b + 1) {
                made += fmt::format("bra {};\n", our_label(next));
            }
        }
        return made + "}\n";
    }

    const FollowedPtx& into_;
    const PtxRegion& place_;
    const FollowedPtx& from_;
    const PtxRegion& what_;
    std::vector<Copy> inputs_, outputs_;
    std::set<int> known_, calculated_;
    std::string first_;  ///< at the kernel's begin
};

}  // namespace

std::string moved_ptx(const FollowedPtx& into, const PtxRegion& place, const FollowedPtx& from,
                      const PtxRegion& what, const PtxLaunch& launch) {
    std::string text = Mover(into, place, from, what).text();
    const PtxText parsed(text);
    FollowedPtx moved(parsed, into.program.function().name);
    follow(moved, launch);
    for (std::size_t w = 0; w < into.walks.size(); ++w) {
        const PtxWalk &now = moved.walks[w], &before = into.walks[w];
        if (now.ended != before.ended || (now.ended && now.written != before.written)) {
            throw Unsupported("With it an item does not store what it stored before.");
        }
    }
    return text;
}

}  // namespace parallax

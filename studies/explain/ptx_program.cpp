// Takes a kernel's PTX apart into blocks, operands and kinds of instructions.
#include "studies/explain/ptx_program.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "studies/explain/classes.hpp"

namespace parallax {
namespace {

using Kind = PtxStatement::Kind;

bool names_part(std::string_view name, std::string_view wanted) {
    bool found = false;
    for_each_part(name, [&](std::string_view part) { found = found || part == wanted; });
    return found;
}

/// Whether the part of a name is a type such as `u32` or `pred`, which it then tells.
bool reads_type(std::string_view part, char& kind, unsigned& bits) {
    if (part == "pred") {
        kind = 'p';
        bits = 1;
        return true;
    }
    if (part.size() < 2 || std::string_view("usfb").find(part[0]) == part.npos) return false;
    unsigned read = 0;
    const auto [end, error] = std::from_chars(part.data() + 1, part.data() + part.size(), read);
    if (error != std::errc{} || end != part.data() + part.size()) return false;
    kind = part[0];
    bits = read;
    return true;
}

std::string_view without_space(std::string_view text) {
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
    return text;
}

/// Parts of `text` between `mark` outside of brackets.
std::vector<std::string_view> split_outside(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at == text.size() || (text[at] == mark && depth == 0)) {
            if (const auto part = without_space(text.substr(begin, at - begin)); !part.empty()) {
                parts.push_back(part);
            }
            begin = at + 1;
        } else if (text[at] == '[' || text[at] == '{') {
            ++depth;
        } else if (text[at] == ']' || text[at] == '}') {
            --depth;
        }
    }
    return parts;
}

/// `12`, `-1`, `0xFF`, `0f3F800000`, `0d...`. @return whether it is one
bool reads_number(std::string_view text, std::uint64_t& bits) {
    const bool minus = text.starts_with('-');
    if (minus) text.remove_prefix(1);
    if (text.ends_with('U')) text.remove_suffix(1);
    if (text.empty() || text[0] < '0' || text[0] > '9') return false;
    int base = 10;
    if (text.size() > 2 && text[0] == '0' &&
        std::string_view("xXfFdD").find(text[1]) != text.npos) {
        base = 16;
        text.remove_prefix(2);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, base);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    if (minus) bits = ~bits + 1;
    return true;
}

/// The first operand is read, as all are.
bool defines_nothing(std::string_view base, std::string_view name) {
    constexpr std::array<std::string_view, 12> all{"st",    "red",      "bra",       "membar",
                                                   "fence", "prefetch", "prefetchu", "trap",
                                                   "ret",   "exit",     "nanosleep", "cp"};
    return std::ranges::find(all, base) != all.end() ||
           ((base == "bar" || base == "barrier") && !names_part(name, "red"));
}

bool goes_away(const PtxInstruction& one) {
    return one.base == "bra" || one.base == "ret" || one.base == "exit" || one.base == "trap";
}

}  // namespace

PtxProgram::PtxProgram(const PtxText& text, std::string_view kernel)
    : text_(&text), function_(text.function(kernel)) {
    if (!function_ || !function_->is_entry) {
        throw Unsupported(fmt::format("The PTX has no kernel '{}'.", kernel));
    }
    for (const PtxStatement& s : function_->body) {
        if (s.kind == Kind::declaration) declare(s);
        if (s.kind == Kind::directive && s.name == ".branchtargets") {
            throw Unsupported(fmt::format("'{}' jumps by a table.", kernel));
        }
    }
    std::vector<std::pair<std::string_view, std::string_view>> outside(text.shared().begin(),
                                                                       text.shared().end());
    std::ranges::sort(outside, {}, [](const auto& one) { return one.second.data(); });
    for (const auto& [name, declaration] : outside) shared.emplace_back(name, declaration);
    for (const PtxStatement& s : function_->body) {
        if (s.kind == Kind::label) labels_.emplace_back(s.name, code.size());
        if (s.kind == Kind::instruction) decode(s);
    }
    make_blocks();
    sort_kinds();
}

void PtxProgram::declare(const PtxStatement& s) {
    if (s.name != ".reg") {
        if (s.name == ".shared") shared.emplace_back(declared_word(s.rest), s.rest);
        return;
    }
    const std::size_t space = std::min(s.rest.find_first_of(" \t"), s.rest.size());
    const std::string_view type = s.rest.substr(0, space);
    for (const std::string_view one : split_outside(s.rest.substr(space), ',')) {
        const std::size_t open = one.find('<');
        const std::string_view name = without_space(one.substr(0, open));
        const auto same = [&](const auto& family) { return family.first == name; };
        if (places_.contains(name) || std::ranges::any_of(families_, same)) {
            throw Unsupported(
                fmt::format("'{}' has inline assembly that declares registers of its "
                            "own.",
                            function_->name));
        }
        if (open != one.npos) {
            families_.emplace_back(name, type);
        } else {
            places_.emplace(name, static_cast<int>(registers.size()));
            registers.push_back({name, type});
        }
    }
}

PtxOperand PtxProgram::operand(std::string_view text) const {
    PtxOperand made;
    if (text.starts_with('!')) {
        made.negated = true;
        text = without_space(text.substr(1));
    }
    if (reads_number(text, made.bits)) return made;
    std::size_t end = 0;
    while (end < text.size() && (is_word(text[end]) || text[end] == '.')) ++end;
    const std::string_view word = text.substr(0, end);
    std::string_view rest = without_space(text.substr(end));
    if (rest.starts_with('+')) rest = without_space(rest.substr(1));
    if (!rest.empty()) reads_number(rest, made.bits);
    const auto place = places_.find(word);
    if (place != places_.end()) {
        made.reg = place->second;
    } else {
        made.word = word;
    }
    return made;
}

void PtxProgram::operands(std::string_view text, std::vector<PtxOperand>& into) const {
    if (text.starts_with('{') || text.starts_with('[')) {
        for (const auto part : split_outside(text.substr(1, text.size() - 2), ','))
            operands(part, into);
        return;
    }
    for (const std::string_view part : split_outside(text, '|')) into.push_back(operand(part));
}

void PtxProgram::decode(const PtxStatement& s) {
    // Registers of families get their places when they are first named.
    const auto know = [&](std::string_view text) {
        for_each_word(text, [&](std::string_view word, std::size_t) {
            if (places_.contains(word)) return;
            const std::string_view letters =
                word.substr(0, word.find_last_not_of("0123456789") + 1);
            if (letters.size() == word.size()) return;
            const auto family = std::ranges::find(
                families_, letters, &std::pair<std::string_view, std::string_view>::first);
            if (family == families_.end()) return;
            places_.emplace(word, static_cast<int>(registers.size()));
            registers.push_back({word, family->second});
        });
    };
    know(s.guard);
    know(s.rest);
    PtxInstruction one;
    one.statement = &s;
    one.base = s.name.substr(0, s.name.find('.'));
    if (one.base == "call" || one.base == "brx" || one.base == "alloca") {
        throw Unsupported(fmt::format("'{}' has a `{}`.", function_->name, one.base));
    }
    bool known = false;
    for_each_part(s.name, [&](std::string_view part) {
        if (part == "v2" || part == "v4" || part == "v8") {
            one.vector = static_cast<unsigned>(part[1] - '0');
        } else if (!known && reads_type(part, one.kind, one.bits)) {
            known = true;
            one.from_kind = one.kind;
            one.from_bits = one.bits;
        } else {
            reads_type(part, one.from_kind, one.from_bits);
        }
    });
    if (!s.guard.empty()) {
        const PtxOperand guard = operand(without_space(s.guard.substr(1)));
        one.guard = guard.reg;
        one.guard_negated = guard.negated;
    }
    std::vector<std::string_view> parts = split_outside(s.rest, ',');
    const bool none = defines_nothing(one.base, s.name);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool is_target = i == 0 && !none;
        if (!is_target && one.sources.empty()) one.in_memory = parts[i].starts_with('[');
        operands(parts[i], is_target ? one.targets : one.sources);
    }
    if (one.guard >= 0) one.reads.push_back(one.guard);
    for (const PtxOperand& source : one.sources) {
        if (source.reg >= 0) one.reads.push_back(source.reg);
    }
    for (const PtxOperand& target : one.targets) {
        if (target.reg < 0) continue;
        one.defines.push_back(target.reg);
        ++registers[static_cast<std::size_t>(target.reg)].definitions;
        if (one.guard >= 0) one.reads.push_back(target.reg);  // it may stay
    }
    code.push_back(std::move(one));
}

void PtxProgram::make_blocks() {
    std::set<std::size_t> begins{0};
    for (const auto& [name, place] : labels_) begins.insert(place);
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (goes_away(code[i])) begins.insert(i + 1);
    }
    begins.erase(code.size());
    std::unordered_map<std::string_view, int> at;
    for (const std::size_t begin : begins) {
        if (!blocks.empty()) blocks.back().last = begin;
        blocks.push_back({.first = begin, .last = code.size()});
        for (const auto& [name, place] : labels_) {
            if (place != begin) continue;
            blocks.back().labels.push_back(name);
            at.emplace(name, static_cast<int>(blocks.size()) - 1);
        }
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const PtxInstruction& last = code[blocks[i].last - 1];
        const bool leaves = goes_away(last);
        if (leaves && last.base == "bra") {
            const auto target = last.sources.empty() ? at.end() : at.find(last.sources[0].word);
            if (target == at.end()) {
                throw Unsupported(fmt::format("'{}' branches to nowhere.", function_->name));
            }
            blocks[i].branch = target->second;
        }
        const bool ends = leaves && last.guard < 0;
        if (!ends && i + 1 < blocks.size()) blocks[i].next = static_cast<int>(i) + 1;
    }
}

void PtxProgram::sort_kinds() {
    // Registers that addresses are made of, through integers.
    std::vector<bool> address(registers.size());
    for (bool more = true; more;) {
        more = false;
        const auto mark = [&](int reg) {
            if (reg < 0 || address[static_cast<std::size_t>(reg)]) return;
            address[static_cast<std::size_t>(reg)] = more = true;
        };
        for (const PtxInstruction& one : code) {
            if (one.in_memory) mark(one.sources[0].reg);
            const bool makes = std::ranges::any_of(
                one.defines, [&](int reg) { return address[static_cast<std::size_t>(reg)]; });
            if (!makes || one.in_memory || one.kind == 'f' || one.base == "selp") continue;
            for (const PtxOperand& source : one.sources) mark(source.reg);
        }
    }
    for (const PtxInstruction& one : code) {
        const std::string_view name = one.statement->name;
        const bool integer = one.kind == 'u' || one.kind == 's' || one.kind == 'b';
        PtxKind kind = PtxKind::other;
        if (one.base == "mov" || one.base == "cvta" || one.base == "ret" || one.base == "exit" ||
            name.starts_with("ld.param")) {
            kind = PtxKind::count_;
        } else if (one.base == "bra" || one.base == "selp" || one.guard >= 0) {
            kind = PtxKind::choice;
        } else if (one.base == "ld" || one.base == "st") {
            kind = PtxKind::access;
        } else if (one.base == "setp" || one.kind == 'p') {
            kind = PtxKind::test;
        } else if (one.base == "cvt") {
            kind = PtxKind::conversion;
        } else if (one.kind == 'f') {
            kind = one.base == "fma" || one.base == "mad"                        ? PtxKind::fused
                   : one.base == "mul" || one.base == "add" || one.base == "sub" ? PtxKind::unfused
                                                                                 : PtxKind::other;
        } else if (integer && std::ranges::any_of(one.defines, [&](int reg) {
                       return address[static_cast<std::size_t>(reg)];
                   })) {
            kind = PtxKind::address;
        }
        kinds.push_back(kind);
    }
}

std::vector<std::vector<bool>> PtxProgram::live_at_begin() const {
    std::vector<std::vector<bool>> live(blocks.size(), std::vector<bool>(registers.size()));
    for (bool more = true; more;) {
        more = false;
        for (std::size_t b = blocks.size(); b-- > 0;) {
            std::vector<bool> now(registers.size());
            for (const int to : {blocks[b].branch, blocks[b].next}) {
                if (to < 0) continue;
                for (std::size_t r = 0; r < now.size(); ++r) {
                    now[r] = now[r] || live[static_cast<std::size_t>(to)][r];
                }
            }
            for (std::size_t i = blocks[b].last; i-- > blocks[b].first;) {
                for (const int reg : code[i].defines) now[static_cast<std::size_t>(reg)] = false;
                for (const int reg : code[i].reads) now[static_cast<std::size_t>(reg)] = true;
            }
            if (now != live[b]) {
                live[b] = std::move(now);
                more = true;
            }
        }
    }
    return live;
}

}  // namespace parallax

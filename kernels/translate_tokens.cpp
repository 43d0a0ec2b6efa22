// Writes tokens: words, numbers, directives, and the rows that begin with them.
#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "kernels/prelude.hpp"
#include "kernels/rules.hpp"
#include "kernels/translator.hpp"

namespace parallax {
namespace {

/// Only blanks: nothing that a reader would miss, no line end.
bool is_blank(std::string_view space) {
    return space.find_first_not_of(" \t") == space.npos;
}

}  // namespace

void Translator::write_space(std::size_t i) {
    const std::string_view space = at(i).space;
    if (flat_) {
        if (!space.empty() && !swallow_ && !out_.empty()) out_ += ' ';
    } else if (!(swallow_ && is_blank(space)) && i != spaced_) {
        out_ += space;
    }
    swallow_ = false;
}

void Translator::keep_layout(std::size_t i) {
    if (!flat_ && !is_blank(at(i).space)) out_ += at(i).space;
}

void Translator::write(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to;) i = write_token(i, to);
}

std::size_t Translator::write_token(std::size_t i, std::size_t to) {
    if (!flat_ && dynamic_.last > 0) {
        // The comma before the parameter goes with it.
        const std::size_t comma = dynamic_.first - 1;
        if ((i == comma && at(i).is(",")) || (i >= dynamic_.first && i < dynamic_.last)) {
            keep_layout(i);
            return i + 1;
        }
    }
    const Token& token = at(i);
    switch (token.kind) {
        case TokenKind::word: return write_word(i, to);
        case TokenKind::number: return plain(i, number(token.text));
        case TokenKind::directive: return write_directive(i);
        case TokenKind::character: refuse(i, "'a'"); break;
        case TokenKind::string: refuse(i, "\"a\""); break;
        case TokenKind::mark: return write_mark(i, to);
        case TokenKind::end: break;
    }
    return plain(i, token.text);
}

std::size_t Translator::plain(std::size_t i, std::string_view text) {
    write_space(i);
    out_ += text;
    return i + 1;
}

std::size_t Translator::drop(std::size_t i) {
    write_space(i);
    swallow_ = true;
    return i + 1;
}

std::string Translator::number(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c;
        if (c == 'l' || c == 'L') result += c;
    }
    return result;
}

std::size_t Translator::write_mark(std::size_t i, std::size_t to) {
    const Token& token = at(i);
    if (token.is("(")) {
        if (const std::size_t next = write_row(i, to)) return next;
        if (is_vector_cast(outline_, i, type_)) refuse(i + 1, "(T4)x");
    }
    if ((token.is("<<") || token.is(">>") || token.is("<<=") || token.is(">>=")) &&
        !shift_is_safe(outline_, i)) {
        refuse(i, "<<");
    }
    const std::size_t next = plain(i, token.text);
    if (item_ && i == item_->body && dynamic_.last > 0 && i > 0) write_dynamic_local();
    return next;
}

std::size_t Translator::write_directive(std::size_t i) {
    const std::string text(at(i).text.substr(1));
    std::vector<Token> words;
    try {
        words = lex(outline_.file, text);
    } catch (const Refused&) {
        words.clear();
    }
    if (!words.empty()) words.pop_back();
    for (const Pattern& pattern : Patterns::of_table().beginning_with("#")) {
        if (pattern.words.size() != words.size() + 1) continue;
        bool fits = true;
        for (std::size_t k = 0; k < words.size(); ++k) {
            const std::string& wanted = pattern.words[k + 1];
            fits = fits && (wanted == "$" ? words[k].kind == TokenKind::number ||
                                                constants_.contains(std::string(words[k].text))
                                          : wanted == words[k].text);
        }
        if (!fits) continue;
        if (!pattern.cuda.empty()) return plain(i, at(i).text);
        write_space(i);
        out_.append(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
        return i + 1;
    }
    refuse(i, !words.empty() && words[0].is("pragma") ? "#pragma" : "#define");
    return plain(i, at(i).text);
}

std::size_t Translator::write_word(std::size_t i, std::size_t to) {
    const Patterns& table = Patterns::of_table();
    const std::string_view text = word(i);
    if (i > 0 && (at(i - 1).is(".") || at(i - 1).is("->"))) return write_member(i);
    if (text == "__kernel" || text == "kernel") {
        return plain(i, Patterns::row("__kernel").cuda);
    }
    if (is_address_space(text)) return write_address_space(i);
    const bool called = at(i + 1).is("(");
    if (is_shared_keyword(text)) {
        if (text == "sizeof" && !sizeof_is_safe(outline_, i)) refuse(i, "sizeof");
        if (text == "static" && (!item_ || !item_->is_function() || i > item_->name)) {
            refuse(i, "static");
        }
        return plain(i, text);
    }
    if (constants_.contains(std::string(text))) return plain(i, text);
    const bool is_defined = kernels_.contains(text) || helpers_.contains(text);
    if (called && is_defined) return write_call(i);
    if (text == "long" && at(i + 1).is("double")) refuse(i, "long double");
    if ((text == "long" && at(i + 1).is("long")) ||
        (text == "unsigned" && at(i + 1).is("long") && at(i + 2).is("long"))) {
        refuse(i, "long long");
        return plain(i, text);
    }
    const auto& rows = table.beginning_with(text);
    if (called && !rows.empty() && rows.back().words.size() == 1) {
        complain(i, "a type or constant in front of a parenthesis; write a cast as (float)(x)");
    }
    if (const std::size_t next = write_row(i, to)) return next;
    if (!called && table.is_function(text)) return plain(i, text);  // a variable of that name
    const Row* refusal = table.refusal(text, called);
    if (text == "__attribute__") refusal = &Patterns::row("__attribute__");
    if (refusal) {
        complain(i, refusal->because);
    } else if (!rows.empty()) {
        complain(i, misfit(text));
    } else if (called) {
        complain(i,
                 "neither a function of this file nor one with a row in the table; define it, "
                 "or use one of the table");
    }
    return plain(i, text);
}

std::string Translator::misfit(std::string_view word) {
    std::string rows;
    for (const Pattern& pattern : Patterns::of_table().beginning_with(word)) {
        if (!rows.empty()) rows += ", ";
        rows += pattern.row->opencl;
    }
    const bool index = Patterns::of_table().beginning_with(word).front().index;
    return fmt::format("no row fits its arguments; {} {}",
                       index ? "the literal 0, 1 or 2 in" : "write it as", rows);
}

std::size_t Translator::write_call(std::size_t i) {
    if (kernels_.contains(at(i).text) && !(item_ && item_->name == i)) {
        complain(i,
                 "a kernel called as a function, which CUDA does not allow; put what they "
                 "share into a helper function");
    }
    return plain(i, at(i).text);
}

std::size_t Translator::write_member(std::size_t i) {
    const std::string_view name = at(i).text;
    if (!members_.contains(name)) {
        const std::string_view mapped = name == "s0"   ? ".s0"
                                        : name == "s1" ? ".s1"
                                        : name == "s2" ? ".s2"
                                        : name == "s3" ? ".s3"
                                                       : "";
        if (!mapped.empty()) return plain(i, Patterns::row(mapped).cuda.substr(1));
        if (is_swizzle(name)) refuse(i, ".xy");
    }
    const Row* refusal = Patterns::of_table().refusal(name, false);
    if (refusal && refusal->topic == "names") complain(i, refusal->because);
    return plain(i, name);
}

std::size_t Translator::write_row(std::size_t i, std::size_t to) {
    for (const Pattern& pattern : Patterns::of_table().beginning_with(word(i))) {
        if (pattern.call && !at(i + 1).is("(")) continue;
        std::vector<ParameterRange> arguments;
        const std::size_t past = fit(pattern, i, to, arguments);
        if (past == 0) continue;
        note_prelude(pattern.cuda);
        if (pattern.cuda == pattern.row->opencl) {
            // Unaltered: the layout stays as it is. A call's arguments are yet to be written.
            if (pattern.call) return plain(i, word(i));
            for (; i < past; ++i) plain(i, word(i));
            return past;
        }
        write_space(i);
        write_pattern(pattern, arguments);
        for (std::size_t k = i + 1; k < past; ++k) {
            const bool written = std::any_of(
                arguments.begin(), arguments.end(),
                [k](const ParameterRange& range) { return k >= range.first && k < range.last; });
            if (!written || pattern.index) keep_layout(k);
        }
        return past;
    }
    return 0;
}

std::size_t Translator::fit(const Pattern& pattern, std::size_t i, std::size_t to,
                            std::vector<ParameterRange>& arguments) const {
    for (std::size_t k = 0; k < pattern.words.size(); ++k) {
        if (i >= to) return 0;
        if (pattern.words[k] != "$") {
            if (word(i) != pattern.words[k]) return 0;
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < to && !at(i).is(",") && !at(i).is(")") && !at(i).is("]") && !at(i).is("}") &&
               !at(i).is(";")) {
            i = std::max(i, outline_.match[i]) + 1;
        }
        if (i == first) return 0;
        if (pattern.index && (i != first + 1 || dimension(first).empty())) return 0;
        arguments.push_back({first, i});
    }
    return i;
}

std::string_view Translator::dimension(std::size_t i) const {
    const Token& token = at(i);
    if (token.is("0") || token.is("0u") || token.is("0U")) return "x";
    if (token.is("1") || token.is("1u") || token.is("1U")) return "y";
    if (token.is("2") || token.is("2u") || token.is("2U")) return "z";
    return {};
}

void Translator::write_pattern(const Pattern& pattern,
                               const std::vector<ParameterRange>& arguments) {
    std::size_t next = 0;
    for (const char c : pattern.cuda) {
        if (c != '$') {
            out_ += c;
        } else if (pattern.index) {
            out_ += dimension(arguments.front().first);
        } else {
            const ParameterRange range = arguments[next++];
            swallow_ = true;
            write(range.first, range.last);
        }
    }
}

void Translator::note_prelude(std::string_view cuda) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    };
    for (std::size_t i = 0; i < cuda.size(); ++i) {
        std::size_t end = i;
        while (end < cuda.size() && is_letter(cuda[end])) ++end;
        if (end == i) continue;
        const std::string name(cuda.substr(i, end - i));
        if (in_prelude(name)) prelude_.insert(name);
        i = end;
    }
}

}  // namespace parallax

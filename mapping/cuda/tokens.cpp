// Brackets and template arguments in tokens of CUDA C++.
#include <charconv>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/cuda/host_parts.hpp"

namespace parallax::cuda_reading {

Tokens::Tokens(std::vector<Token> all) : all_(std::move(all)), match_(all_.size(), size()) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < size(); ++i) {
        match_[i] = i;
        if (all_[i].kind != TokenKind::punctuator) continue;
        if (all_[i].is_one_of({"(", "[", "{"})) {
            match_[i] = size();
            open.push_back(i);
        } else if (all_[i].is_one_of({")", "]", "}"})) {
            const std::string_view wanted = all_[i].is(")") ? "(" : all_[i].is("]") ? "[" : "{";
            const auto found = std::find_if(open.rbegin(), open.rend(),
                                            [&](std::size_t one) { return all_[one].is(wanted); });
            if (found == open.rend()) continue;  // nothing opens it
            const std::size_t at = *found;
            open.erase(found.base() - 1, open.end());
            match_[at] = i;
            match_[i] = at;
        }
    }
}

std::optional<std::size_t> Tokens::angle(std::size_t i) const {
    if (!(*this)[i].is("<")) return {};
    constexpr std::size_t longest = 400;  // limits the time of comparisons
    unsigned depth = 0;
    for (const std::size_t from = i; i < std::min(size(), from + longest); ++i) {
        const Token& token = (*this)[i];
        if (token.is("<")) {
            ++depth;
        } else if (token.is(">")) {
            if (--depth == 0) return i;
        } else if (token.is(">>")) {
            if (depth <= 2) return i;
            depth -= 2;
        } else if (token.is_one_of({"(", "["})) {
            i = match(i);
        } else if (token.is_one_of({";", "{", "}", ")", "]", "&&", "||", "<<", "=="})) {
            return {};
        }
    }
    return {};
}

namespace {

/// Rewrites a text byte by byte.
class Plain {
public:
    explicit Plain(std::string_view source) : source_(source) {}

    std::string run() && {
        while (at_ < source_.size()) step();
        return std::move(made_);
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }
    void take(std::size_t count) {
        made_ += source_.substr(at_, count);
        at_ += std::min(count, source_.size() - at_);
    }
    /// Keeps the line ends of what is left out.
    void leave_out(std::size_t count) {
        for (const char c : source_.substr(at_, count)) {
            if (c == '\n') made_ += c;
        }
        at_ += std::min(count, source_.size() - at_);
    }

    void step() {
        const char c = peek();
        if (c == '/' && (peek(1) == '/' || peek(1) == '*')) return comment();
        const bool is_first =
            at_ == 0 || !(is_letter(source_[at_ - 1]) || is_digit(source_[at_ - 1]));
        if (is_first && c == 'R' && peek(1) == '"') return raw_string();
        if (c == '"' || c == '\'') return quoted(c);
        if (is_first && is_digit(c)) return number();
        if (c == '#' && starts_line()) return directive();
        if (c == '\r' || c == '\0' || c == '@' || c == '`' || c == '$' ||
            static_cast<unsigned char>(c) >= 0x7f) {
            return leave_out(1);
        }
        if (c == '\\') {
            std::size_t blanks = 1;
            while (peek(blanks) == ' ' || peek(blanks) == '\t' || peek(blanks) == '\r') ++blanks;
            made_ += peek(blanks) == '\n' ? '\\' : ' ';
            at_ += blanks;
            return;
        }
        // `<::a>` is no digraph in C++.
        const bool digraph = (c == '<' && (peek(1) == ':' || peek(1) == '%')) ||
                             ((c == ':' || c == '%') && peek(1) == '>') ||
                             (c == '%' && peek(1) == ':');
        take(1);
        if (digraph || (c == '?' && peek() == '?')) made_ += ' ';
    }

    bool starts_line() const {
        const std::size_t last = made_.find_last_not_of(" \t");
        return last == made_.npos || made_[last] == '\n';
    }

    void comment() {
        const bool line = peek(1) == '/';
        const std::size_t end = source_.find(line ? "\n" : "*/", at_ + 2);
        made_ += ' ';
        leave_out(end == source_.npos ? source_.npos : end + (line ? 0 : 2) - at_);
    }

    void raw_string() {
        const std::size_t open = std::min(source_.find('(', at_), source_.size());
        const std::string end = ")" + std::string(source_.substr(at_ + 2, open - at_ - 2)) + "\"";
        const std::size_t close = open - at_ > 18 ? source_.npos : source_.find(end, open);
        made_ += "\"\"";
        leave_out(close == source_.npos ? 2 : close + end.size() - at_);
    }

    void quoted(char quote) {
        std::size_t end = 1;
        while (peek(end) != quote && peek(end) != '\n' && at_ + end < source_.size()) {
            end += peek(end) == '\\' ? 2 : 1;
        }
        const bool closed = peek(end) == quote;
        // The content of a string does not matter; a character may be a number.
        const bool is_plain = closed && quote == '\'' && end <= 3;
        if (is_plain) return take(end + 1);
        made_ += quote == '"' ? "\"\"" : "0";
        at_ = std::min(at_ + (closed ? end + 1 : 1), source_.size());
    }

    void number() {
        const std::size_t from = at_;
        std::string text;
        const bool hex = peek() == '0' && (peek(1) | 0x20) == 'x';
        for (;; ++at_) {
            const char c = peek();
            if (c == '\'' && (is_letter(peek(1)) || is_digit(peek(1)))) continue;
            const char before = text.empty() ? '\0' : static_cast<char>(text.back() | 0x20);
            const bool sign = (c == '+' || c == '-') && before == (hex ? 'p' : 'e');
            if (!(is_letter(c) || is_digit(c) || c == '.' || sign)) break;
            if (text.size() < 64) text += c;
        }
        if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'b') {
            std::uint64_t value = 0;
            std::from_chars(text.data() + 2, text.data() + text.size(), value, 2);
            text = std::to_string(value);
        }
        // A user-defined suffix, or no number at all.
        for (;;) {
            try {
                lex({}, text);
                break;
            } catch (const Error&) {
                if (text.size() <= 1)
                    text = "0";
                else
                    text.pop_back();
            }
        }
        made_ += text;
        if (at_ == from) ++at_;
    }

    void directive() {
        std::size_t end = at_;
        while (end < source_.size() && source_[end] != '\n') {
            const bool goes_on = source_[end] == '\\';
            ++end;
            while (goes_on && end < source_.size() && (source_[end] == ' ' || source_[end] == '\r'))
                ++end;
            if (goes_on && end < source_.size()) ++end;
        }
        const std::string_view line = source_.substr(at_, end - at_);
        const std::size_t word = std::min(line.find_first_not_of(" \t", 1), line.size());
        const bool stays =
            starts_with_any(line.substr(word), {"define", "undef", "if", "el", "endif", "line"});
        if (!stays) return leave_out(end - at_);
        take(1 + word - 1);
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::string made_;
};

}  // namespace

std::string lexable(std::string_view source) {
    return Plain(source).run();
}

}  // namespace parallax::cuda_reading

// Splits OpenCL C into tokens: maximal munch over bytes, no preprocessor.
#include "mapping/analyze/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

constexpr bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool is_blank_within_line(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

// Longest first, so that the first that fits is the longest.
constexpr std::array<std::string_view, 48> operators{
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "*=",  "/=", "%=", "+=", "-=", "&=", "^=", "|=", "[",  "]",
    "(",   ")",   "{",   "}",  ".",  "&",  "*",  "+",  "-",  "~",  "!",  "/",
    "%",   "<",   ">",   "^",  "|",  "?",  ":",  ";",  "=",  ",",  "##", "#"};

class Lexer {
public:
    Lexer(std::string_view file, std::string_view source) : file_(file), source_(source) {}
    /// Reads the rest of a directive, from behind its `#`.
    explicit Lexer(const Token& directive)
        : file_(directive.file),
          source_(directive.text),
          at_(1),
          line_(directive.line),
          in_directive_(true) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        bool line_start = !in_directive_;
        for (;;) {
            const std::size_t space_from = at_;
            line_start = skip_space() || line_start;
            Token token;
            token.space = source_.substr(space_from, at_ - space_from);
            token.line = line_;
            token.file = file_;
            token.column = column(at_);
            const std::size_t from = at_;
            token.kind = next(line_start && !in_directive_);
            token.text = source_.substr(from, at_ - from);
            tokens.push_back(token);
            if (token.kind == TokenKind::directive) take_place(token);
            line_start = false;
            if (token.kind == TokenKind::end) return tokens;
        }
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }
    bool done() const { return at_ >= source_.size(); }
    unsigned column(std::size_t position) const {
        return static_cast<unsigned>(position - line_from_) + 1;
    }

    [[noreturn]] void refuse(std::size_t position, std::string_view what) const {
        throw Refused(fmt::format("{}:{}:{}: {}", file_, line_, column(position), what));
    }

    /// Length of the line end here, or 0.
    std::size_t line_end() const {
        if (peek() == '\n') return 1;
        if (peek() == '\r' && peek(1) == '\n') return 2;
        if (peek() == '\r') {
            refuse(at_, "a carriage return alone; end lines with LF or CR LF");
        }
        return 0;
    }

    void take_line_end(std::size_t length) {
        at_ += length;
        ++line_;
        line_from_ = at_;
    }

    /// Takes a backslash and the line end behind it.
    bool take_continuation() {
        if (peek() != '\\') return false;
        std::size_t ahead = 1;
        while (is_blank_within_line(peek(ahead))) ++ahead;
        const char after = peek(ahead);
        if (at_ + ahead >= source_.size() || (after != '\n' && after != '\r')) return false;
        // Compilers differ on whether this continues the line.
        if (ahead > 1)
            refuse(at_, "blanks between a backslash and the end of its line; remove them");
        ++at_;
        take_line_end(line_end());
        return true;
    }

    void check_byte() const {
        if (peek() == '\0') refuse(at_, "a NUL byte; kernel sources are plain text");
    }

    void refuse_trigraph() const {
        if (peek() != '?' || peek(1) != '?' ||
            std::string_view("=/'()!<>-").find(peek(2)) == std::string_view::npos) {
            return;
        }
        refuse(at_, "a trigraph, which OpenCL C replaces and C++ does not; write the character");
    }

    /// Takes blanks, line ends and comments.
    /// @returns whether a line ended, outside a continuation.
    bool skip_space() {
        bool line_ended = false;
        while (!done()) {
            if (const std::size_t length = line_end()) {
                take_line_end(length);
                line_ended = true;
            } else if (is_blank_within_line(peek())) {
                ++at_;
            } else if (take_continuation()) {
                continue;
            } else if (peek() == '/' && peek(1) == '/') {
                skip_line_comment();
            } else if (peek() == '/' && peek(1) == '*') {
                skip_block_comment();
            } else {
                break;
            }
        }
        return line_ended;
    }

    void skip_line_comment() {
        while (!done() && line_end() == 0) {
            check_byte();
            // In a comment only the trigraph of the backslash can matter.
            if (peek(2) == '/' && (peek(3) == '\n' || peek(3) == '\r')) refuse_trigraph();
            if (!take_continuation()) ++at_;
        }
    }

    void skip_block_comment() {
        const unsigned from_line = line_;
        const unsigned from_column = column(at_);
        at_ += 2;
        while (!(peek() == '*' && peek(1) == '/')) {
            if (done()) {
                throw Refused(fmt::format("{}:{}:{}: a comment without its end; close it with */",
                                          file_, from_line, from_column));
            }
            check_byte();
            if (const std::size_t length = line_end()) {
                take_line_end(length);
            } else {
                ++at_;
            }
        }
        at_ += 2;
    }

    TokenKind next(bool line_start) {
        if (done()) return TokenKind::end;
        check_byte();
        const char c = peek();
        if (is_letter(c)) return identifier();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (c == '\'' || c == '"') return quoted(c);
        if (c == '#' && line_start) return directive();
        refuse_trigraph();
        for (const std::string_view digraph : {"<:", ":>", "<%", "%>", "%:"}) {
            if (source_.substr(at_, 2) == digraph) refuse(at_, "a digraph; write the bracket");
        }
        for (const std::string_view operation : operators) {
            if (source_.substr(at_, operation.size()) != operation) continue;
            if (c == '#' && !in_directive_) break;
            at_ += operation.size();
            refuse_split();
            return TokenKind::punctuator;
        }
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\\') refuse(at_, "a backslash that does not end its line; remove it");
        if (byte >= 0x80) {
            refuse(at_, fmt::format("byte 0x{:02x} outside a comment; use ASCII there", byte));
        }
        if (byte < 0x20 || byte == 0x7f) {
            refuse(at_, fmt::format("control character 0x{:02x}; remove it", byte));
        }
        refuse(at_, fmt::format("'{}' is no token of OpenCL C", c));
    }

    /// A continuation right behind a token could go on with it on the next line.
    void refuse_split() const {
        std::size_t next = 0;
        while (peek(next) == '\\') next += peek(next + 1) == '\r' ? 3 : 2;
        const char last = source_[at_ - 1];
        const bool ends = std::string_view("()[]{};,").find(last) != std::string_view::npos;
        const char first = peek(next);
        const bool is_apart = is_blank_within_line(first) || first == '\n' || first == '\0';
        if (next > 0 && !ends && !is_apart) {
            refuse(at_,
                   "a continued line inside a word or operator; put a blank before the backslash");
        }
    }

    TokenKind identifier() {
        while (is_letter(peek()) || is_digit(peek())) ++at_;
        refuse_split();
        return TokenKind::identifier;
    }

    TokenKind number() {
        const std::size_t from = at_;
        const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        // A preprocessing number first, as C takes it; then we look at what it is.
        while (is_letter(peek()) || is_digit(peek()) || peek() == '.') {
            const char c = peek();
            ++at_;
            const bool takes_sign = c == 'e' || c == 'E' || c == 'p' || c == 'P';
            if (takes_sign && (peek() == '+' || peek() == '-')) ++at_;
        }
        refuse_split();
        const std::string_view text = source_.substr(from, at_ - from);
        if (!is_number(text, hex)) {
            const bool has_sign = text.find_first_of("+-") != text.npos;
            const bool is_binary = text.starts_with("0b") || text.starts_with("0B");
            refuse(from, fmt::format("'{}' is not a number of OpenCL C; {}", text,
                                     has_sign    ? "write a blank in front of the sign"
                                     : is_binary ? "write it in hexadecimal"
                                                 : "write it in decimal, or in hexadecimal behind "
                                                   "0x, with no suffix but u, l, f or h"));
        }
        return TokenKind::number;
    }

    static bool is_float_suffix(char c) { return c == 'f' || c == 'F' || c == 'h' || c == 'H'; }

    static bool is_number(std::string_view text, bool hex) {
        std::size_t i = hex ? 2 : 0;
        std::size_t digits = 0;
        bool floating = false;
        const auto digit = [&](char c) { return hex ? is_hex(c) : is_digit(c); };
        for (; i < text.size() && digit(text[i]); ++i) ++digits;
        if (i < text.size() && text[i] == '.') {
            floating = true;
            for (++i; i < text.size() && digit(text[i]); ++i) ++digits;
        }
        if (digits == 0) return false;
        bool exponent = false;
        if (i < text.size() && (hex ? (text[i] | 0x20) == 'p' : (text[i] | 0x20) == 'e')) {
            floating = exponent = true;
            if (++i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
            const std::size_t first = i;
            while (i < text.size() && is_digit(text[i])) ++i;
            if (i == first) return false;
        }
        if (hex && floating && !exponent) return false;
        const std::string_view suffix = text.substr(i);
        if (floating) return suffix.empty() || (suffix.size() == 1 && is_float_suffix(suffix[0]));
        if (!hex && text.size() > 1 && text[0] == '0' &&
            text.substr(0, i).find_first_of("89") != std::string_view::npos) {
            return false;
        }
        static constexpr std::array<std::string_view, 23> suffixes{
            "",   "u",  "U",  "l",   "L",   "ul",  "uL",  "Ul",  "UL",  "lu",  "lU", "Lu",
            "LU", "ll", "LL", "ull", "uLL", "Ull", "ULL", "llu", "llU", "LLu", "LLU"};
        return std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end();
    }

    TokenKind quoted(char quote) {
        const std::size_t from = at_++;
        while (peek() != quote) {
            if (done() || peek() == '\n' || peek() == '\r') {
                refuse(from, "a literal without its closing quote");
            }
            check_byte();
            if (peek() == '\\') ++at_;
            if (done() || peek() == '\n' || peek() == '\r') {
                refuse(from, "a literal that goes over the end of its line");
            }
            ++at_;
        }
        ++at_;
        return quote == '"' ? TokenKind::string : TokenKind::character;
    }

    TokenKind directive() {
        while (!done() && line_end() == 0) {
            check_byte();
            if (peek() == '/' && peek(1) == '/') break;
            if (peek() == '/' && peek(1) == '*') {
                skip_block_comment();
                continue;
            }
            if (peek() == '"' && take_string()) continue;
            if (static_cast<unsigned char>(peek()) >= 0x80) refuse(at_, "use ASCII here");
            if (take_continuation()) continue;
            ++at_;
        }
        return TokenKind::directive;
    }

    /// Reads a string that ends on its line; an #error may have a single quote.
    bool take_string() {
        std::size_t end = at_ + 1;
        while (end < source_.size() && source_[end] != '"' && source_[end] != '\n' &&
               source_[end] != '\0') {
            end += source_[end] == '\\' ? 2 : 1;
        }
        if (end >= source_.size() || source_[end] != '"') return false;
        for (std::size_t i = at_; i < end; ++i) {
            if (source_[i] == '\n' || source_[i] == '\0' || source_[i] == '\r') return false;
        }
        at_ = end + 1;
        return true;
    }

    /// After `#line 7 "x.cl"` the next line is line 7 of x.cl.
    void take_place(const Token& directive) {
        const std::size_t first = directive.text.find_first_not_of(" \t", 1);
        if (first == std::string_view::npos || directive.text.substr(first, 4) != "line") return;
        const std::vector<Token> words = lex_directive(directive);
        if (words.size() < 3 || !words[0].is("line") || words[1].kind != TokenKind::number) return;
        unsigned number = 0;
        const std::string_view digits = words[1].text;
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (parsed.ec != std::errc{} || number == 0) return;
        line_ = number - 1;
        if (words[2].kind == TokenKind::string && words[2].text.size() > 2) {
            file_ = words[2].text.substr(1, words[2].text.size() - 2);
        }
    }

    std::string_view file_, source_;
    std::size_t at_ = 0, line_from_ = 0;
    unsigned line_ = 1;
    bool in_directive_ = false;
};

}  // namespace

std::vector<Token> lex(std::string_view file, std::string_view source) {
    return Lexer(file, source).run();
}

std::vector<Token> lex_directive(const Token& directive) {
    return Lexer(directive).run();
}

std::string line_directive(unsigned line, std::string_view name) {
    std::string quoted;
    for (const char c : printable(name)) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return fmt::format("#line {} \"{}\"", line, quoted);
}

}  // namespace parallax

// Splits OpenCL C into tokens without losing a character of its layout.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// The kind of a token.
enum class TokenKind {
    identifier,  ///< identifier or keyword
    number,      ///< integer or floating-point literal, with its suffix
    character,   ///< `'a'`
    string,      ///< `"a"`
    punctuator,  ///< operator or punctuation, the longest that fits
    /// a whole preprocessor line, from its `#` up to, not including, the line's end or a `//`
    directive,
    end  ///< empty; carries what follows the last token
};

/// One token; `space + text` of all tokens of a text, in order, is that text.
struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::string_view space;  ///< blanks, line ends, continuations and comments before it
    std::string_view file;   ///< the one given, or that of the last `#line`
    unsigned line = 1;       ///< of the first character of `text`; 1 is the first line
    unsigned column = 1;     ///< in bytes; 1 is the first column

    bool is(std::string_view other) const { return kind != TokenKind::end && text == other; }
    bool is_one_of(std::initializer_list<std::string_view> others) const {
        return kind != TokenKind::end && std::ranges::find(others, text) != others.end();
    }
};

/// The tokens of `source`, the last one of kind `end`. They point into `source` and `file`, which
/// must live as long as they do.
/// @param file  its name, for messages
/// @throws Refused naming file, line and column of the first thing that is not OpenCL C, or that
/// OpenCL C and C++ read differently (trigraphs, a line end inside a word).
std::vector<Token> lex(std::string_view file, std::string_view source);

/// The tokens of a directive behind its `#`; `#` and `##` are punctuators there.
/// @throws Refused as lex() does.
std::vector<Token> lex_directive(const Token& directive);

/// `#line N "NAME"`, without a line end; what is not printable in the name is spelled out.
std::string line_directive(unsigned line, std::string_view name);

}  // namespace parallax

// Goes over comments, literals and continued lines, and keeps what begins with '#'.
#include "mapping/preprocess/directives.hpp"

#include <algorithm>

#include "common/text/characters.hpp"

namespace parallax {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

class DirectiveScanner {
public:
    explicit DirectiveScanner(std::string_view text) : text_(text) {}

    Directives run() {
        bool line_start = true;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                take_line_end();
                line_start = true;
            } else if (take_continuation() || take_comment()) {
                continue;
            } else if (is_blank(c)) {
                ++at_;
            } else if (c == '#' && line_start) {
                take_directive();
            } else {
                line_start = false;
                if (c == '"' || c == '\'') {
                    take_literal(c);
                } else {
                    ++at_;
                }
            }
        }
        return std::move(found_);
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool at_line_end() const { return at_ >= text_.size() || text_[at_] == '\n'; }

    void take_line_end() {
        ++at_;
        ++line_;
    }

    /// A backslash and the line end behind it.
    bool take_continuation() {
        if (peek() != '\\') return false;
        const std::size_t length = peek(1) == '\r' ? 2 : 1;
        if (peek(length) != '\n') return false;
        at_ += length;
        take_line_end();
        return true;
    }

    bool take_comment() {
        if (peek() != '/') return false;
        if (peek(1) == '/') {
            while (!at_line_end()) {
                if (!take_continuation()) ++at_;
            }
            return true;
        }
        if (peek(1) != '*') return false;
        const unsigned from = line_;
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) found_.open_comment = from;
        const std::size_t to = end == std::string_view::npos ? text_.size() : end + 2;
        line_ += static_cast<unsigned>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                  text_.begin() + static_cast<std::ptrdiff_t>(to),
                                                  '\n'));
        at_ = to;
        return true;
    }

    /// Up to its closing mark, or the line's end where there is none.
    void take_literal(char close) {
        ++at_;
        while (!at_line_end()) {
            if (take_continuation()) continue;
            if (text_[at_] == '\\' && peek(1) != '\n') {
                at_ += 2;
                continue;
            }
            if (text_[at_++] == close) return;
        }
    }

    void take_directive() {
        DirectiveLine one{.begin = at_++, .line = line_};
        std::string words;
        while (!at_line_end()) {
            if (take_continuation()) continue;
            if (take_comment()) {
                words += ' ';
                continue;
            }
            const char c = text_[at_];
            const bool name = c == '<' && words.find_last_not_of(' ') != std::string::npos &&
                              words.substr(words.find_first_not_of(' ')).starts_with("include");
            if (c == '"' || c == '\'' || name) {
                const std::size_t from = at_;
                take_literal(name ? '>' : c);
                words += text_.substr(from, at_ - from);
            } else {
                words += is_blank(c) ? ' ' : c;
                ++at_;
            }
        }
        one.end = std::min(at_, text_.size());
        if (one.end > one.begin + 1 && text_[one.end - 1] == '\r') --one.end;
        one.last_line = line_;
        split(words, one);
        found_.all.push_back(std::move(one));
    }

    static void split(std::string_view words, DirectiveLine& one) {
        words = trimmed(words);
        one.name = words.substr(0, word_end(words));
        one.rest = trimmed(words.substr(one.name.size()));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
    Directives found_;
};

}  // namespace

Directives directives_of(std::string_view text) {
    return DirectiveScanner(text).run();
}

}  // namespace parallax

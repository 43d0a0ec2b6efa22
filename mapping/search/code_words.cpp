// Takes code apart into words.
#include <algorithm>

#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "mapping/search/search_words.hpp"

namespace parallax {
namespace {

/// Walks through code, word by word.
class WordScanner {
public:
    explicit WordScanner(std::string_view text) : text_(text) {}

    std::vector<std::string> words() {
        while (at_ < text_.size()) step();
        return std::move(found_);
    }

private:
    bool here(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    void pass_word() {
        while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    }

    void add(std::string_view word) {
        if (std::ranges::find(found_, word) == found_.end()) found_.emplace_back(word);
    }

    void step() {
        const char c = text_[at_];
        if (here("//")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (here("/*")) {
            const std::size_t end = text_.find("*/", at_ + 2);
            at_ = end == text_.npos ? text_.size() : end + 2;
        } else if (is_letter(c)) {
            add(identifier());
        } else if (is_digit(c)) {
            number();
        } else if (c == '"') {
            quoted();
        } else if (here("<<<") || here(">>>")) {
            if (c == '<') add("<<<");
            at_ += 3;
        } else if (here("<<") || here(">>")) {
            add(text_.substr(at_, 2));
            at_ += 2;
        } else if (c == '#' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1])) {
            const std::size_t start = at_++;
            pass_word();
            add(text_.substr(start, at_ - start));
        } else {
            ++at_;
        }
    }

    /// Of a number only an integer's suffix is a word: `1L` finds all longs.
    void number() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (is_word_character(text_[at_]) || text_[at_] == '.')) ++at_;
        const std::string literal = lower_case(text_.substr(start, at_ - start));
        if (literal.find('.') != literal.npos) return;
        const std::size_t last = literal.find_last_not_of("ul");
        const auto longs = std::ranges::count(literal.substr(last + 1), 'l');
        if (longs == 1) add("1L");
        if (longs == 2) add("1LL");
    }

    /// `name` or `scope::name`.
    std::string_view identifier() {
        const std::size_t start = at_;
        while (true) {
            pass_word();
            if (!here("::") || at_ + 2 >= text_.size() || !is_letter(text_[at_ + 2])) break;
            at_ += 2;
        }
        return text_.substr(start, at_ - start);
    }

    void quoted() {
        const std::size_t start = ++at_;
        while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
        at_ = std::min(at_, text_.size());
        const std::string_view inside = text_.substr(start, at_ - start);
        ++at_;
        for (std::size_t i = 0; i < inside.size();) {
            std::size_t end = i;
            while (end < inside.size() && (is_word_character(inside[end]) || inside[end] == '-')) {
                ++end;
            }
            const std::string_view word = inside.substr(i, end - i);
            if (looks_like_api(word)) add(word);
            i = end + 1;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> words_in_code(std::string_view code) {
    return WordScanner(code).words();
}

}  // namespace parallax

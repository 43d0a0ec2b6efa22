// Aligns the tokens of two sources.
#include "studies/explain/source_hunks.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "mapping/analyze/edited_source.hpp"

namespace parallax {
namespace {

/// Longer bodies are not aligned: the table has a row for each token.
constexpr std::size_t most_tokens = 3000;

/// Tokens [first, last) of the own source, and those of the other one in their place.
struct HunkPlace {
    ParameterRange own, other;
    std::size_t body = 0;
};

const Item* function_named(const EditedSource& source, std::string_view name) {
    for (const Item& item : source.items()) {
        if (item.is_function() && item.body != 0 && source[item.name].is(name)) return &item;
    }
    return nullptr;
}

bool has_one(const EditedSource& source, std::string_view name) {
    return std::ranges::count_if(source.items(), [&](const Item& item) {
               return item.is_function() && item.body != 0 && source[item.name].is(name);
           }) == 1;
}

class Alignment {
public:
    Alignment(const EditedSource& own, const EditedSource& other) : own_(own), other_(other) {}

    void add(const Item& mine, const Item& theirs) {
        // One kernel may be launched several times.
        if (std::ranges::any_of(bodies_,
                                [&](const Body& one) { return one.own.first == mine.body; }))
            return;
        Body& body = bodies_.emplace_back();
        body.own = {mine.body, mine.last};
        body.other = {theirs.body, theirs.last};
        const auto here = own_.parameters(mine), there = other_.parameters(theirs);
        for (std::size_t k = 0; here.size() == there.size() && k < here.size(); ++k) {
            rename(body, other_[there[k].last - 1], own_[here[k].last - 1]);
        }
    }

    std::vector<HunkPlace> differences() {
        rename_throughout(align());
        return align();
    }

    /// The token of the other source's body, by the own source's names.
    std::string_view word(std::size_t i, std::size_t body) const {
        const auto& names = bodies_[body].names;
        const bool is_member = other_[i - 1].is_one_of({".", "->"});
        const auto found = is_member ? names.end() : names.find(other_[i].text);
        return found == names.end() ? other_[i].text : found->second;
    }

private:
    struct Body {
        ParameterRange own, other;
        /// Of the other source, as the own has them.
        std::map<std::string_view, std::string_view> names = {};
    };

    /// @param to  a name that the other body does not have for something else
    void rename(Body& body, const Token& from, const Token& to) const {
        if (from.kind != TokenKind::identifier || to.kind != TokenKind::identifier) return;
        if (from.text != to.text && !has(other_, body.other, to.text))
            body.names.emplace(from.text, to.text);
    }

    /// Words of which each is declared in its body, and that are in the place of each other, are
    /// one name.
    void rename_throughout(const std::vector<HunkPlace>& found) {
        for (const HunkPlace& one : found) {
            if (one.own.last != one.own.first + 1 || one.other.last != one.other.first + 1)
                continue;
            Body& body = bodies_[one.body];
            const Token &mine = own_[one.own.first], &theirs = other_[one.other.first];
            if (declares(own_, body.own, mine.text) && declares(other_, body.other, theirs.text) &&
                !has(own_, body.own, theirs.text)) {
                rename(body, theirs, mine);
            }
        }
    }

    static bool has(const EditedSource& source, const ParameterRange& range,
                    std::string_view word) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            if (source[i].is(word) && !source[i - 1].is_one_of({".", "->"})) return true;
        }
        return false;
    }

    /// Whether some place reads as a declaration of it: a type's word, and then this one.
    static bool declares(const EditedSource& source, const ParameterRange& range,
                         std::string_view word) {
        for (std::size_t i = range.first + 1; i < range.last; ++i) {
            const Token& before = source[i - 1];
            if (source[i].is(word) && before.kind == TokenKind::identifier &&
                !before.is_one_of({"return", "else", "case", "goto", "do"}) &&
                source[i + 1].is_one_of({"=", ";", "[", ","})) {
                return true;
            }
        }
        return false;
    }

    std::vector<HunkPlace> align() const {
        std::vector<HunkPlace> found;
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            std::vector<HunkPlace> of_body;
            align(b, of_body);
            // What opens a bracket is one difference with what closes it.
            for (std::size_t i = 0; i < of_body.size(); ++i) {
                HunkPlace whole = of_body[i];
                while (i + 1 < of_body.size() && !is_balanced(whole)) {
                    ++i;
                    whole.own.last = of_body[i].own.last;
                    whole.other.last = of_body[i].other.last;
                }
                found.push_back(whole);
            }
        }
        return found;
    }

    bool is_balanced(const HunkPlace& one) const {
        const auto closes_all = [](const EditedSource& source, const ParameterRange& range) {
            for (std::size_t i = range.first; i < range.last; ++i) {
                if (!source[i].is_one_of({"(", "[", "{", ")", "]", "}"})) continue;
                const std::size_t there = source.match(i);
                if (there < range.first || there >= range.last) return false;
            }
            return true;
        };
        return closes_all(own_, one.own) && closes_all(other_, one.other);
    }

    void align(std::size_t body, std::vector<HunkPlace>& found) const {
        const auto &mine = bodies_[body].own, &theirs = bodies_[body].other;
        const std::size_t rows = mine.last - mine.first, columns = theirs.last - theirs.first;
        if (rows > most_tokens || columns > most_tokens) return;
        const auto equal = [&](std::size_t r, std::size_t c) {
            return own_[mine.first + r].text == word(theirs.first + c, body);
        };
        // The length of the longest common sequence behind each place.
        std::vector<std::uint16_t> longest((rows + 1) * (columns + 1), 0);
        const auto at = [&](std::size_t r, std::size_t c) -> std::uint16_t& {
            return longest[r * (columns + 1) + c];
        };
        for (std::size_t r = rows; r-- > 0;) {
            for (std::size_t c = columns; c-- > 0;) {
                at(r, c) = equal(r, c) ? static_cast<std::uint16_t>(at(r + 1, c + 1) + 1)
                                       : std::max(at(r + 1, c), at(r, c + 1));
            }
        }
        std::size_t r = 0, c = 0;
        while (r < rows || c < columns) {
            if (r < rows && c < columns && equal(r, c)) {
                ++r;
                ++c;
                continue;
            }
            HunkPlace one{{mine.first + r, 0}, {theirs.first + c, 0}, body};
            while ((r < rows || c < columns) && !(r < rows && c < columns && equal(r, c))) {
                const bool is_own = c == columns || (r < rows && at(r + 1, c) >= at(r, c + 1));
                ++(is_own ? r : c);
            }
            one.own.last = mine.first + r;
            one.other.last = theirs.first + c;
            found.push_back(one);
        }
    }

    const EditedSource &own_, &other_;
    std::vector<Body> bodies_;
};

/// Two sources, aligned.
class Aligned {
public:
    Aligned(const SourceToChange& own, const std::vector<std::string>& kernels,
            const SourceToChange& other, const std::vector<std::string>& others)
        : own_source_(own.source),
          own_(own.source, own.language),
          other_(other.source, other.language),
          alignment_(own_, other_) {
        for (std::size_t i = 0; i < std::min(kernels.size(), others.size()); ++i) {
            const Item* const mine = function_named(own_, plain_name(kernels[i]));
            const Item* const theirs = function_named(other_, plain_name(others[i]));
            if (mine && theirs) alignment_.add(*mine, *theirs);
        }
        for (const Item& item : own_.items()) {
            if (item.kind != Item::Kind::helper || item.body == 0) continue;
            const std::string_view name = own_[item.name].text;
            const Item* const theirs = function_named(other_, name);
            if (!theirs || theirs->kind != Item::Kind::helper) continue;
            // Which overload is which is not known.
            if (has_one(own_, name) && has_one(other_, name)) alignment_.add(item, *theirs);
        }
        differences_ = alignment_.differences();
    }

    const std::vector<HunkPlace>& differences() const { return differences_; }
    const EditedSource& own() const { return own_; }

    std::string own_words(const HunkPlace& one) const {
        return one.own.first == one.own.last ? "" : own_.between(one.own.first, one.own.last);
    }

    std::string other_words(const HunkPlace& one) const {
        std::string words;
        for (std::size_t i = one.other.first; i < one.other.last; ++i) {
            const bool is_line = other_[i].kind == TokenKind::directive;
            if (is_line) {
                words += '\n';
            } else if (i > one.other.first && !other_[i].space.empty()) {
                words += ' ';
            }
            words += alignment_.word(i, one.body);
            if (is_line) words += '\n';
        }
        return words;
    }

    /// The number of loops around a place.
    std::size_t depth(std::size_t place) const {
        std::size_t depth = 0;
        for (std::size_t i = 0; i < place; ++i) {
            if (!own_[i].is_one_of({"for", "while"}) || !own_[i + 1].is("(")) continue;
            const std::size_t body = own_.match(i + 1) + 1;
            std::size_t end = body;
            if (own_[body].is("{")) {
                end = own_.match(body);
            } else {
                while (end < own_.size() && !own_[end].is(";")) ++end;
            }
            depth += place <= end;
        }
        return depth;
    }

    static void take_over(EditedSource& text, const HunkPlace& one, const std::string& words) {
        for (std::size_t i = one.own.first; i < one.own.last; ++i) text.remove(i);
        const std::size_t at = one.own.first == one.own.last ? one.own.first - 1 : one.own.last - 1;
        // Behind a directive it would be a part of that.
        const bool is_line = text[at].kind == TokenKind::directive;
        text.insert_after(at, (is_line ? "\n" : " ") + words + " ");
    }

    /// The changed source, with the functions that only the other source has before all others, if
    /// `words` call one.
    Rewritten completed(EditedSource& text, std::string_view words) const {
        std::string functions;
        bool is_called = false;
        for (const Item& item : other_.items()) {
            if (item.kind != Item::Kind::helper || item.body == 0) continue;
            const std::string_view name = other_[item.name].text;
            if (function_named(own_, name)) continue;
            functions += other_.between(item.first, item.last + 1) + "\n";
            is_called = is_called || words.find(name) != words.npos;
        }
        Rewritten made = text.result();
        if (!made || !is_called) return made;
        for (const Item& item : own_.items()) {
            if (!item.is_function()) continue;
            // Line ends before the first function, and the blanks, are not part of its token.
            const std::size_t at = own_[item.first].text.data() - own_source_.data();
            return made->insert(at, functions);
        }
        return made;
    }

private:
    std::string_view own_source_;
    EditedSource own_, other_;
    Alignment alignment_;
    std::vector<HunkPlace> differences_;
};

}  // namespace

SourceDifferences source_differences(const SourceToChange& own,
                                     const std::vector<std::string>& kernels,
                                     const SourceToChange& other,
                                     const std::vector<std::string>& others, std::size_t most) {
    const Aligned aligned(own, kernels, other, others);
    struct Kind {
        std::vector<const HunkPlace*> places;
        std::size_t depth = 0;
    };
    std::map<std::pair<std::string, std::string>, Kind> kinds;
    EditedSource whole(own.source, own.language);
    std::string all_words;
    for (const HunkPlace& one : aligned.differences()) {
        const std::string words = aligned.other_words(one);
        Aligned::take_over(whole, one, words);
        all_words += words + ' ';
        Kind& kind = kinds[{aligned.own_words(one), words}];
        kind.places.push_back(&one);
        kind.depth = std::max(kind.depth, aligned.depth(one.own.first));
    }
    std::vector<std::pair<std::size_t, SourceHunk>> found;
    for (const auto& [words, kind] : kinds) {
        EditedSource text(own.source, own.language);
        for (const HunkPlace* const place : kind.places) {
            Aligned::take_over(text, *place, words.second);
        }
        found.emplace_back(
            kind.depth,
            SourceHunk{aligned.own()[kind.places.front()->own.first].line, kind.places.size(),
                       words.first, words.second,
                       aligned.completed(text, words.second).value_or(std::string(own.source))});
    }
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second.line < b.second.line;
    });
    SourceDifferences made{{}, aligned.completed(whole, all_words)};
    for (auto& [depth, hunk] : found) {
        if (made.hunks.size() < most) made.hunks.push_back(std::move(hunk));
    }
    return made;
}

std::string_view plain_name(std::string_view kernel) {
    kernel = kernel.substr(0, kernel.find('<'));
    const std::size_t scope = kernel.rfind(':');
    return scope == kernel.npos ? kernel : kernel.substr(scope + 1);
}

}  // namespace parallax

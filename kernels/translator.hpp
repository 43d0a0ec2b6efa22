// The translator: its state, and what its parts in translate*.cpp do.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/types.hpp"
#include "kernels/outline.hpp"
#include "kernels/patterns.hpp"
#include "kernels/translate.hpp"
#include "kernels/vectors.hpp"

namespace parallax {

/// Walks over the tokens of one file and writes what the mapping table says of each.
class Translator {
public:
    Translator(std::string_view file, std::string_view source, const TranslateOptions& options)
        : outline_(outline_of(file, source)),
          type_(options.type),
          constants_(options.constants.begin(), options.constants.end()) {}
    Translation run();

private:
    const Token& at(std::size_t i) const { return outline_[i]; }
    std::string_view word(std::size_t i) const {
        return at(i).kind == TokenKind::word ? spelled(at(i).text, type_) : at(i).text;
    }

    // What cannot be translated.
    void complain(std::size_t i, std::string_view what);
    void refuse(std::size_t i, std::string_view key) { complain(i, Patterns::row(key).because); }
    [[noreturn]] void throw_problems() const;

    // Declarations.
    /// Notes what the file defines, and refuses names that it cannot have.
    void declare();
    /// The words of a struct, as members may share the name of a swizzle.
    void note_members(const Item& item);
    std::size_t write_item(const Item& item);
    bool item_has(const Item& item, std::initializer_list<std::string_view> words) const;
    void check_alias(const Item& item);

    // Local memory whose size the launch decides.
    bool is_local(std::size_t i) const { return at(i).is("__local") || at(i).is("local"); }
    void find_dynamic_local(const Item& item);
    /// Writes the parameter as a variable, on the line of the kernel's opening brace.
    void write_dynamic_local();

    // Writing.
    void write_space(std::size_t i);
    /// Keeps the line ends and comments of what is not written.
    void keep_layout(std::size_t i);
    void write(std::size_t from, std::size_t to);
    /// Writes the token at `i`, or a row that begins there, and returns what comes next.
    std::size_t write_token(std::size_t i, std::size_t to);
    std::size_t plain(std::size_t i, std::string_view text);
    std::size_t drop(std::size_t i);
    static std::string number(std::string_view text);
    std::size_t write_mark(std::size_t i, std::size_t to);
    std::size_t write_directive(std::size_t i);

    // Words.
    std::size_t write_word(std::size_t i, std::size_t to);
    static std::string misfit(std::string_view word);
    std::size_t write_call(std::size_t i);
    std::size_t write_member(std::size_t i);

    // Address spaces.
    /// Whether a `*` follows before the declaration, parameter or cast is over.
    bool points(std::size_t i) const;
    /// Whether the declaration has parentheses around its name: `(*p)[4]`.
    bool has_inner_parentheses(std::size_t i) const;
    /// Whether a later name of the same declaration has another number of `*`.
    bool mixes_pointers(std::size_t i) const;
    bool in_parameters(std::size_t i) const {
        return item_ && item_->is_function() && i > item_->open && i < item_->close;
    }
    bool in_body(std::size_t i) const { return item_ && item_->body != 0 && i > item_->body; }
    std::size_t write_address_space(std::size_t i);
    std::size_t write_constant(std::size_t i, bool pointer);

    // Rows.
    /// Writes the first row that fits at `i`; returns what comes next, or 0.
    std::size_t write_row(std::size_t i, std::size_t to);
    /// Where the tokens behind a fitting pattern begin, or 0.
    std::size_t fit(const Pattern& pattern, std::size_t i, std::size_t to,
                    std::vector<ParameterRange>& arguments) const;
    std::string_view dimension(std::size_t i) const;
    void write_pattern(const Pattern& pattern, const std::vector<ParameterRange>& arguments);
    void note_prelude(std::string_view cuda);

    Outline outline_;
    std::optional<ElementType> type_;
    std::set<std::string> constants_;
    std::set<std::string_view, std::less<>> kernels_, helpers_, members_;
    VectorUse use_;
    std::set<std::string> prelude_;
    std::multimap<std::size_t, std::string> problems_;  // by token, so that they come in order
    std::size_t problem_count_ = 0;
    const Item* item_ = nullptr;  // being written
    ParameterRange dynamic_;      // its dynamic local parameter
    std::size_t dynamic_star_ = 0;
    std::string out_;
    std::size_t spaced_ = static_cast<std::size_t>(-1);  // the space of this token is written
    bool swallow_ = false;                               // blanks before the next token
    bool flat_ = false;                                  // line ends and comments become blanks
};

}  // namespace parallax

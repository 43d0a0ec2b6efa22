// The names that a kernel file declares, and their names in CUDA C++.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/options.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/problems.hpp"
#include "mapping/table/table.hpp"

namespace parallax {

/// The names of a file. Some of them CUDA C++ or the translation uses itself: those get other ones.
class Declarations {
public:
    using Words = std::set<std::string, std::less<>>;

    /// Complains about names that cannot be changed.
    /// @param written  the words that the file's translation has of its own
    /// @throws Refused for a constant that cannot have its name
    Declarations(const Outline& outline, const TranslateOptions& options, const Words& written,
                 Problems& problems);

    std::optional<ElementType> type;  ///< the type of `T`
    Words constants;
    std::set<std::string_view> at_file_scope;  ///< functions, types, enumerators and data
    std::set<std::string_view, std::less<>> kernels, helpers, aliases;
    std::set<std::string_view, std::less<>> overloaded;  ///< helpers
    std::map<std::string_view, PointerAlias> pointer_aliases;
    std::map<std::string_view, std::vector<const Directive*>> macros;  ///< in order
    /// Kernels that the file calls, which CUDA C++ does not allow, and what their device functions
    /// are called.
    std::map<std::string_view, std::string> called_kernels;

    /// The OpenCL type that the token represents, or the token.
    std::string_view resolved(const Token& token) const {
        return token.kind == TokenKind::identifier ? parallax::resolved(token.text, type)
                                                   : token.text;
    }
    bool is_renamed(std::string_view name) const { return renamed_.contains(name); }
    std::string_view written_name(std::string_view name) const;
    /// The same, marked as a word of the file within the text of an edit.
    std::string own_word(std::string_view name) const;
    /// The row that says why the name is written differently; empty: it is not.
    RowList renaming(std::string_view name) const;

private:
    void check_constants(std::string_view file, const Words& written) const;
    void rename(const Outline& outline, const Words& written, Problems& problems);
    void find_called_kernels(const Outline& outline, const Words& words);

    std::map<std::string, std::string, std::less<>> renamed_;
};

}  // namespace parallax

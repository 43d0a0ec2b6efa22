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

/// The names of a file. Some of them CUDA C++ or the prelude uses itself: those get other ones.
class Declarations {
public:
    /// Complains about functions that cannot have their names.
    /// @throws Refused for a constant that cannot have its name
    Declarations(const Outline& outline, const TranslateOptions& options, Problems& problems);

    std::optional<ElementType> type;  ///< the type of `T`
    std::set<std::string, std::less<>> constants;
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
    /// The row that says why the name is written differently; empty: it is not.
    RowList renaming(std::string_view name) const;

private:
    using Words = std::set<std::string_view>;
    void check_constants(std::string_view file) const;
    void rename(const Outline& outline, Problems& problems);
    void find_called_kernels(const Outline& outline, const Words& words);

    std::map<std::string, std::string, std::less<>> renamed_;
};

}  // namespace parallax

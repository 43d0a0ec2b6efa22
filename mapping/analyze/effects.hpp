// Which parts of an expression have side effects, so that their order of evaluation counts.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "mapping/analyze/declarations.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/parser.hpp"

namespace parallax {

/// Searches tokens for side effects, also in the bodies and arguments of macros.
class Effects {
public:
    Effects(const Outline& outline, const Parser& parser, const Declarations& declared);

    /// Whether the tokens [first, last) assign, count, or call what may change something.
    bool in(std::size_t first, std::size_t last);

private:
    bool of_word(std::size_t i);
    bool of_arguments(const Directive& define);
    bool is_called_with_effects(std::string_view name) const;

    const Outline& outline_;
    const Parser& parser_;
    const Declarations& declared_;
    bool has_variables_ = false;  // at file scope, which every function may change
    std::map<const Directive*, bool> bodies_, arguments_;  // what was found of macros
};

}  // namespace parallax

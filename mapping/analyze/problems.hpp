// Constructs of a source that cannot be translated, with their places.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "mapping/analyze/outline.hpp"

namespace parallax {

/// Collects complaints about tokens, which may come in any order.
class Problems {
public:
    /// The outline must live as long.
    explicit Problems(const Outline& outline) : outline_(outline) {}

    void complain(std::size_t i, std::string_view what);
    /// @throws Refused listing them by their places, up to 500; does nothing without any
    void throw_any() const;

private:
    const Outline& outline_;
    std::multimap<std::size_t, std::string> by_token_;
    std::size_t count_ = 0;
};

}  // namespace parallax

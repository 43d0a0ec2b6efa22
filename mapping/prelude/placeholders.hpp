// Puts types into the text of a section.
#pragma once

#include <string>
#include <string_view>

#include "mapping/prelude/sections.hpp"
#include "mapping/translate/value_type.hpp"

namespace parallax {

/// `text` with all words written out that depend on the name and on the type; of an unknown type,
/// only those that depend on the name. sections.hpp lists them.
std::string filled(std::string_view text, const Section::Name& name, ValueType type);

}  // namespace parallax

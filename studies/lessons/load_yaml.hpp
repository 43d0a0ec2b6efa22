// YAML of which every part was written where it stands.
#pragma once

#include <string>

#include <yaml-cpp/node/node.h>

namespace parallax {

/// One document without aliases.
/// @param file  its name, for messages
/// @throws UsageError for any other text
YAML::Node load_yaml(const std::string& file, const std::string& text);

}  // namespace parallax

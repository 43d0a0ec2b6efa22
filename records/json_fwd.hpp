// Forward declaration of the JSON type: nlohmann's header takes a compiler over a second, so only
// code that accesses a Json includes <nlohmann/json.hpp>.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace parallax {

using Json = nlohmann::ordered_json;

}  // namespace parallax

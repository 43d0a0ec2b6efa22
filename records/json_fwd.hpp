// The name of the JSON type, for headers that only hand it on: reading nlohmann's own header takes
// a compiler over a second, so those who look into a Json include <nlohmann/json.hpp> themselves.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace parallax {

using Json = nlohmann::ordered_json;

}  // namespace parallax

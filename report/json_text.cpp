// Prints JSON.
#include "report/json_text.hpp"

#include <nlohmann/json.hpp>

namespace parallax::report {

std::string printed(const Json& json) {
    return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string printed_line(const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace parallax::report

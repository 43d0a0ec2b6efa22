// Tells records of the suites' own kernels from those of experiments.
#include "records/suite_record.hpp"

#include <algorithm>

#include "common/suite.hpp"

namespace parallax::cli {

bool is_of_the_suite(const Json& record) {
    const auto program = record.find("program");
    if (program == record.end() || !program->is_object()) return true;
    const auto edits = program->find("edits");
    if (edits != program->end() && !edits->empty()) return false;
    const auto suite =
        std::ranges::find(suites(), record["suite"].get<std::string>(), &Suite::name);
    if (suite == suites().end()) return true;
    const auto variant =
        std::ranges::find(suite->variants, record["variant"].get<std::string>(), &Variant::name);
    if (variant != suite->variants.end() && variant->floats) return true;
    const Json floats = program->value("floats", Json::object());
    const auto says = [&](const char* rule, bool usual) {
        return floats.is_object() && floats.value(rule, Json(usual)) != Json(usual);
    };
    return !says("contract", false) && !says("exact_division", true) &&
           !says("flush_denormals", false) && !says("relaxed", false);
}

}  // namespace parallax::cli

// Fuzzes the reading of manifests and of the formulas in them.
//
//     tests/fuzz/run build-fuzz 600 manifest
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/manifest.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace parallax;
using fuzz::demand;

void load(std::string_view text) {
    try {
        const Suite suite = suite_from(EXAMPLES "/x.json", text);
        demand(!suite.name.empty() && !suite.variants.empty() && !suite.shapes.empty());
        demand(!suite.text(suite.source).empty());
    } catch (const UsageError& error) {
        demand(std::string_view(error.what()).starts_with(EXAMPLES "/x.json"));
    }
}

void evaluate(std::string_view formula) {
    const FormulaNames names{{"n", 1024}, {"TILE", 32}};
    try {
        const double value = formula_value(formula, names);
        demand(std::isfinite(value) && formula_value(formula, names) == value);
        const std::int64_t count = formula_count(formula, names, 1, 1000);
        demand(count >= 1 && count <= 1000 && static_cast<double>(count) == value);
    } catch (const UsageError&) {
    }
}

}  // namespace

int parallax::fuzz::manifest(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    load(text);
    evaluate(text);
    return 0;
}

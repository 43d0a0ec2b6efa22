// The table of options, and the refusals that follow from it.
#include "cli/option_table.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/option_values.hpp"
#include "common/error.hpp"

namespace parallax::cli {
namespace {

/// Only for new measurements.
constexpr unsigned of_none = 0;
/// Reports on the points of one case, of which constants, sizes and the type say which they are.
constexpr unsigned of_points = sweep_from | tune_from;
constexpr unsigned of_cases = diff_files | run_from | of_points;

constexpr std::array option_table = std::to_array<OptionRow>({
    {"again", "FILE[:CASE]", run_again},
    {"against", "SUITE/VARIANT", any_data},
    {"all-devices", "", of_none},
    {"all-knobs", "", of_none},
    {"allow", "FOLDER", of_cases | run_again},
    {"allow-command", "", of_cases | run_again},  // a manifest that has one is not read without it
    {"baseline", "FILE", any_data},
    {"budget", "SECONDS", run_again},
    {"busy", "NUMBER", any_data},
    {"capability", "N.N", any_data},
    {"check", "", run_again},
    {"data", "FILE", of_none},
    {"define", "NAME=VALUE", of_points},
    {"device", "", diff_files | explain_files | run_again | of_points},
    {"expect", "FILE", any_data},
    {"explain", "", of_none},
    {"first", "NUMBER", any_data},
    {"floats", "RULES", of_none},
    {"fresh-ceilings", "", run_again},
    {"from", "FILE", any_data},
    {"full", "", of_none},
    {"include", "FOLDER", of_none},
    {"items", "NUMBER", any_data},
    {"judge", "SECONDS", any_data},
    {"junit", "FILE", any_data},
    {"keep", "FILE", any_data},
    {"kernel", "NAME", any_data},
    {"kernels", "FOLDER", diff_files | explain_files | run_again},
    {"launch", "NUMBER", any_data},
    {"local", "BYTES", any_data},
    {"margin", "PERCENT", any_data},
    {"max-bytes", "BYTES", any_data},
    {"max-slowdown", "PERCENT", any_data},
    {"memory", "GIB", run_again},
    {"no-wait", "", run_again},
    {"one-size", "", of_none},
    {"output", "FILE", diff_files | explain_files | run_again | lesson_from},
    {"over", "NAME=LIST", any_data},
    {"pair", "A=B", of_none},
    {"per-kernel", "NUMBER", any_data},
    {"places", "FILE", any_data},
    {"planted", "NAME|NUMBER", of_none},
    {"processes", "NUMBER", of_none},
    {"registers", "NUMBER", any_data},
    {"require-score", "PERCENT", any_data},
    {"results", "FOLDER", any_data},
    {"root", "FOLDER", any_data},
    {"sarif", "FILE", any_data},
    {"save", "FOLDER", run_again},
    {"seed", "NUMBER", tune_from},
    {"size", "", of_cases},
    {"source", "FILE", of_none},
    {"suite", "", diff_files | run_from | run_again},
    {"timing", "", run_again},
    {"trials", "NUMBER", any_data},
    {"try-exchange", "", of_none},
    {"tuned", "", of_none},
    {"tuned-from", "FILE", of_none},
    {"type", "", of_cases},
    {"verbose", "", diff_files},
    {"watchdog", "SECONDS", run_again},
    {"width", "COLUMNS", any_data},
});

}  // namespace

OptionRow row_of(std::string_view option) {
    const auto found = std::ranges::find(option_table, option, &OptionRow::name);
    return found == option_table.end() ? OptionRow{option, "", any_data} : *found;
}

void refuse_unheeded(const Values& values, StoredData data) {
    const char* const why = data == run_again ? "new runs, and --again repeats what a record says"
                            : data <= explain_files
                                ? "what is measured now, and files are shown as they are"
                                : "what is run now, and --from shows what is stored";
    for (const auto& [name, value] : values) {
        if (!is_given(values, name.c_str()) || (row_of(name).heeded & data) != 0) continue;
        throw UsageError(fmt::format("--{0} is for {1}. Leave --{0} out.", name, why));
    }
}

}  // namespace parallax::cli

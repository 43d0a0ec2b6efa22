// `parallax sweep`: measures one case over the values of a constant or a size.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "cli/measure_points.hpp"
#include "cli/option_values.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "report/report.hpp"
#include "report/sweep/sweep_report.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

std::string rendered(const SweepResult& result, const std::string& format) {
    if (format == "json") {
        return sweep_json(result);
    }
    if (format == "html") return html_sweep(result);
    const report::Document document = sweep_document(result);
    return format == "md" ? markdown_of(document) : text_of(document, terminal_width(), false);
}

/// Shows the curve of stored records.
int show_file(const std::string& file, const SweepPoints& points, const Values& values,
              const std::string& format, CommandContext& context) {
    const ResultSet set = kept_records(values, file, sweep_from);
    const SweepResult result = sweep_result(points, set.records, values.count("occupancy") > 0);
    const bool any = std::ranges::any_of(
        result.devices, [](const SweepDevice& device) { return device.highest.has_value(); });
    if (!any) {
        context.err << fmt::format("parallax: {} holds none of these points.\n", file);
        return exit_nothing;
    }
    context.out << rendered(result, format) << std::flush;
    return exit_ok;
}

int sweep(const Values& values, CommandContext& context) {
    const std::string format = value_of<std::string>(values, "format").value_or("text");
    const SweepPoints points = sweep_points(sweep_request(values, context));
    if (const auto file = value_of<std::string>(values, "from")) {
        return show_file(*file, points, values, format, context);
    }
    // Errors of the page are reported before the measurement.
    if (format == "html") html_sweep({});
    return measure_points(points, values, context, [&](const std::vector<Record>& records) {
        context.out << rendered(sweep_result(points, records, values.count("occupancy") > 0),
                                format)
                    << std::flush;
    });
}

}  // namespace

Command sweep_command() {
    return {
        .name = "sweep",
        .arguments = "SUITE/VARIANT --over NAME=LIST [--over NAME=LIST] [-d DEVICE]...",
        .summary = "a constant or a size over many values: table, curve, and which is best",
        .about =
            "Runs one case at every value of a constant (the size of a group, elements an item, "
            "...) or of an extent of its shape, verified and timed as by 'parallax run'. A list "
            "looks like 32,64,128, like 32..1024 (doubled from the first on, as far as the last) "
            "or like 32..256+32 (in steps); 'size' is every extent at once. Values that the suite "
            "or a device does not take are shown as such, and the sweep goes on. What is called "
            "best, or within 2 % of it, is so by the intervals of this run. All points have one "
            "size: -n, or the smallest that suits one of them. --occupancy shows next to the speed "
            "how many warps a multiprocessor holds, what limits that, and what the API says. "
            "Records are kept as those of 'run'; --from shows the curve of such a file again.",
        .examples = {"parallax sweep reduction/items --over GROUP=32..1024",
                     "parallax sweep stencil1d/staged --over GROUP=32..1024+32 -d cuda -n 2^26",
                     "parallax sweep reduction/items --over ITEMS=4..256 --over GROUP=64,256",
                     "parallax sweep reduction/items --over GROUP=32..1024+32 --occupancy",
                     "parallax sweep transpose/padded --over size=512..8192 --format html > t.html",
                     "parallax sweep mine.json --over ITEMS=1..16 -o mine.jsonl",
                     "parallax sweep mine.json --over ITEMS=1..16 --from mine.jsonl --format md"},
        .positional = {"case"},
        .options =
            [](auto add) {
                using Words = std::vector<std::string>;
                add("case", po::value<std::string>(),
                    "SUITE/VARIANT; a word with .json is a manifest of your own kernel");
                add("over", settable<Words>(),
                    "NAME=LIST: a constant or an extent and its values; twice: all pairs");
                add("device,d", settable<Words>(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all");
                add_point_options(add);
                add("occupancy", settable_flag(),
                    "shows the occupancy of each point next to its speed");
                add("from", settable<std::string>(Setting::path),
                    "shows the points that a file of records holds, and measures nothing");
                add("format", settable<std::string>(), "text (default), md, html or json");
            },
        .run = sweep,
        .choices = {{"format", {"text", "md", "html", "json"}}}};
}

}  // namespace parallax::cli

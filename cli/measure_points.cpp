// Runs a sweep's points through the ordinary session, and stores the records.
#include "cli/measure_points.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "cli/chosen_devices.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/request.hpp"
#include "cli/result_writers.hpp"
#include "cli/supervisor.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"

namespace parallax::cli {

namespace po = boost::program_options;

SweepRequest sweep_request(const Values& values, const CommandContext& context) {
    SweepRequest request;
    request.pick = parse_variant(value_of<std::string>(values, "case"), context.permissions);
    request.over = words_of(values, "over");
    for (const std::string& define : words_of(values, "define")) {
        request.defines.push_back(parse_define(define, {request.pick}));
    }
    if (const auto size = value_of<std::string>(values, "size")) request.shape = parse_shape(*size);
    request.type = type_for(request.pick, value_of<std::string>(values, "type"));
    return request;
}

namespace {

int measure_in_this_process(const Values& values, CommandContext& context, const Measured& what,
                            const RunInfo& info, ResultWriters& writers) {
    const bool quiet = values.count("quiet") > 0;
    RunConfig config = run_config(context, what.seed, value_of<std::string>(values, "kernels"));
    take_timing_options(values, config);
    // Reports a missing kernel file before a device is opened.
    program_of(what.first, config);
    const std::vector<Entry> entries = entries_for(words_of(values, "device"), quiet, context);
    if (entries.empty()) {
        return print_no_device(context, "to run on");
    }
    refuse_untimed(entries);
    if (!quiet) warn_of_environment(info, entries, context);

    const InterruptGuard interrupt;
    ProgressLine line(context.err, !quiet && is_terminal(context.err));
    std::vector<Record> records;
    const auto finish = [&] {
        line.clear();
        if (!records.empty()) what.show(records);
        if (!quiet) writers.print_places(context.err);
    };
    try {
        const Totals totals =
            what.measure(entries, config, info,
                         {.progress = [&](const Progress& progress) { line.show(progress); },
                          .record =
                              [&](const Record& record) {
                                  writers.add(record, record.where.name);
                                  records.push_back(record);
                              },
                          .trouble =
                              [&](const std::string& trouble) {
                                  line.clear();
                                  context.err << "parallax: " << trouble << "\n";
                              }});
        finish();
        return exit_code(totals);
    } catch (const Interrupted&) {
        line.clear();
        context.err << "parallax: Interrupted.\n";
        finish();
        throw;
    } catch (const Error&) {
        finish();
        throw;
    }
}

}  // namespace

int measure_and_keep(const Values& values, CommandContext& context, const Measured& what) {
    const RunInfo info = run_info(context, what.seed);
    ResultWriters writers(value_of<std::string>(values, "output"), what.kind, "-o");
    return run_supervised(values, writers, context, [&] {
        return measure_in_this_process(values, context, what, info, writers);
    });
}

int measure_points(const SweepPoints& points, const Values& values, CommandContext& context,
                   const std::function<void(const std::vector<Record>&)>& show) {
    Request request = request_within(values, 100);
    request.points = points.cases();
    if (request.points.empty()) throw UsageError(points.points.front().refusal);
    return measure_and_keep(values, context,
                            {.kind = "sweep",
                             .first = request.points.front(),
                             .seed = request.seed,
                             .measure =
                                 [&](const std::vector<Entry>& entries, const RunConfig& config,
                                     const RunInfo& info, const Listener& listener) {
                                     return run_session(request, entries, config, info, listener);
                                 },
                             .show = show});
}

ResultSet kept_records(const Values& values, const std::string& file, StoredData data) {
    refuse_unheeded(values, data);
    ResultSet set = read_result_set(file);
    const std::vector<std::string> wanted = words_of(values, "device");
    if (!wanted.empty()) {
        std::erase_if(set.records, [&](const Record& record) {
            return std::ranges::none_of(wanted, [&](const std::string& word) {
                return record.device == word || record.where.backend == word;
            });
        });
    }
    return set;
}

void add_point_options(po::options_description_easy_init& add) {
    using Words = std::vector<std::string>;
    add("size,n", settable<std::string>(),
        "size of the problem: 2^20, 64M, 1024x777; none: one that suits the device");
    add("type", settable<std::string>(),
        "float, double or int; none: the first that the suite or the variant is written for");
    add("define", settable<Words>(), "NAME=VALUE: another constant of the kernels");
    add("output,o", settable<std::string>(Setting::file), "file that the records are appended to");
    add("seed", settable<std::string>(), "of the inputs; none: drawn, and recorded");
    add("budget", settable<double>(),
        "seconds for all of it (default 100); what it does not reach is skipped");
    add_timing_options(add);
    add("kernels", po::value<std::string>(),
        "folder of kernel files to use instead, named as the program's own");
    add_allow_options(add);
    add_watch_options(add);
    add("quiet", settable_flag(), "only the report; no progress, no remarks");
}

}  // namespace parallax::cli

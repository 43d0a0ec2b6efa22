// `parallax run`: the main job. Every case built, checked, measured, kept.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <map>
#include <ostream>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/run_report.hpp"
#include "common/error.hpp"
#include "common/results.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

std::string utc(const char* form) {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format(fmt::runtime(form), fmt::gmtime(now));
}

/// Result files: the one that was named, or one in the folder of each physical device.
class Keeper {
public:
    explicit Keeper(const std::optional<std::string>& file) {
        if (file && file->empty()) throw UsageError("-o names no file.");
        if (file) writers_[""].writer = std::make_unique<ResultWriter>(*file);
        named_ = file.has_value();
        name_ = "run-" + utc("{:%Y%m%dT%H%M%SZ}") + ".jsonl";
    }

    void add(const Json& record, const std::string& device_name) {
        const std::string key = named_ ? "" : folder_name(device_name);
        Kept& kept = writers_[key];
        if (!kept.writer) {
            kept.writer =
                std::make_unique<ResultWriter>(std::filesystem::path("results") / key / name_);
        }
        kept.writer->add(record);
        ++kept.records;
    }

    /// Of files that something was kept in.
    std::vector<std::string> paths() const {
        std::vector<std::string> paths;
        for (const auto& [key, kept] : writers_) {
            if (kept.records > 0) paths.push_back(kept.writer->path().string());
        }
        return paths;
    }

private:
    struct Kept {
        std::unique_ptr<ResultWriter> writer;
        std::size_t records = 0;
    };
    bool named_ = false;
    std::string name_;
    std::map<std::string, Kept> writers_;
};

Request request_of(const Values& values) {
    Request request;
    for (const std::string& word : words_of(values, "suite")) {
        request.picks.push_back(parse_pick(word));
    }
    for (const std::string& word : words_of(values, "size")) {
        request.shapes.push_back(parse_shape(word));
    }
    for (const std::string& word : words_of(values, "type")) {
        request.types.push_back(parse_type(word));
    }
    std::vector<Request::Pick> picks = request.picks;
    if (picks.empty()) {
        for (const Suite& suite : suites()) picks.push_back({&suite, nullptr});
    }
    for (const std::string& word : words_of(values, "define")) {
        request.defines.push_back(parse_define(word, picks));
    }
    request.full = values.count("full") > 0;
    request.budget_seconds = value_of<double>(values, "budget").value_or(request.full ? 600 : 100);
    if (!(request.budget_seconds > 0)) {
        throw UsageError("--budget is a number of seconds greater than 0.");
    }
    const auto seed = value_of<std::string>(values, "seed");
    request.seed = seed
                       ? parse_number("--seed", *seed, 0, std::numeric_limits<std::uint64_t>::max())
                       : std::random_device{}();
    return request;
}

/// The chosen entries, each once, in the order in which they were named.
std::vector<Entry> entries_of(const Devices& devices, const std::vector<std::string>& words) {
    if (words.empty()) return devices.entries;
    std::vector<Entry> chosen;
    for (const std::string& word : words) {
        for (const Entry& entry : matching(devices, word)) {
            const bool known = std::ranges::any_of(
                chosen, [&](const Entry& other) { return other.info.id() == entry.info.id(); });
            if (!known) chosen.push_back(entry);
        }
    }
    return chosen;
}

std::string summary_of(const Totals& totals) {
    std::string text =
        fmt::format("{} ok, {} wrong, {} failed", totals.ok, totals.wrong, totals.failed);
    if (totals.unsupported) text += fmt::format(", {} unsupported", totals.unsupported);
    if (totals.skipped) text += fmt::format(", {} skipped", totals.skipped);
    return text;
}

int run(const Values& values, World& world) {
    const std::string format = parse_choice(
        "--format", value_of<std::string>(values, "format").value_or("text"), {"text", "json"});
    const bool quiet = values.count("quiet") > 0;
    const Request request = request_of(values);
    expand(request);  // what cannot be is said before any device is touched
    const auto folder = value_of<std::string>(values, "kernels");

    RunInfo info;
    info.started = utc("{:%Y-%m-%dT%H:%M:%SZ}");
    info.id = fmt::format("{}-{:08x}", utc("{:%Y%m%dT%H%M%SZ}"), std::random_device{}());
    info.seed = request.seed;
    info.command = world.words;
    Keeper keeper(value_of<std::string>(values, "output"));

    const Devices devices = find_devices(world.backends);
    const std::vector<std::string> wanted = words_of(values, "device");
    for (const std::string& problem : devices.problems) {
        if (wanted.empty() && !quiet) world.err << problem << "\n";
    }
    const std::vector<Entry> entries = entries_of(devices, wanted);
    if (entries.empty()) {
        world.err
            << "parallax: There is no device to run on. 'parallax devices' says what is missing, "
               "and how to get it.\n";
        return exit_nothing;
    }

    const InterruptGuard interrupt;
    ProgressLine line(world.err, !quiet && is_terminal(world.err));
    RunReport report(world.out);
    RunContext context;
    // The yardstick is the program's own, whatever kernels are tried.
    context.kernel_text = [&](std::string_view file) {
        const bool yardstick = std::ranges::any_of(
            suites(), [&](const Suite& suite) { return suite.is_ceiling && suite.source == file; });
        return kernel_text(file, yardstick ? std::nullopt : folder);
    };
    context.seed = request.seed;
    context.between = InterruptGuard::check;
    const auto say_where = [&] {
        if (quiet) return;
        for (const std::string& path : keeper.paths()) world.err << "kept in " << path << "\n";
    };
    try {
        const Totals totals = run_session(
            request, entries, context,
            {.progress = [&](const Progress& progress) { line.show(progress); },
             .outcome =
                 [&](const Outcome& outcome, const Entry& entry) {
                     const Json record = to_record(outcome, entry.info, info);
                     keeper.add(record, entry.info.name);
                     line.clear();
                     if (format == "json") {
                         world.out << record.dump(-1, ' ', false, Json::error_handler_t::replace)
                                   << std::endl;
                     } else {
                         report.add(outcome, entry);
                     }
                 },
             .trouble =
                 [&](const std::string& what) {
                     line.clear();
                     world.err << "parallax: " << what << "\n";
                 }});
        line.clear();
        report.finish();
        if (!quiet) world.err << summary_of(totals) << "\n";
        say_where();
        return exit_code(totals);
    } catch (const Interrupted&) {
        line.clear();
        report.finish();
        world.err << "parallax: Interrupted.\n";
        say_where();
        throw;
    } catch (const Error&) {
        line.clear();
        report.finish();
        say_where();
        throw;
    }
}

}  // namespace

Command run_command() {
    return {
        .name = "run",
        .arguments = "[-s SUITE[/VARIANT]]... [-d DEVICE]... [-o FILE]",
        .summary = "builds, checks and measures; keeps the results",
        .about =
            "Runs the suites on the devices. Each case is built, checked on inputs that leave no "
            "error "
            "unseen, and measured only when every answer was right. Results are kept, one line of "
            "JSON "
            "a case, in results/DEVICE/ unless -o names a file. Sizes suit the device unless -n "
            "says "
            "them.",
        .examples = {"parallax run", "parallax run -s transpose -d cuda -d opencl:1",
                     "parallax run -s reduction/vector -n 2^28 --type double --define OP=max",
                     "parallax run --full --budget 600 -o all.jsonl",
                     "parallax run -s transpose -n 1000x777 --format json"},
        .positional = {},
        .options =
            [](auto add) {
                using Words = std::vector<std::string>;
                add("suite,s", po::value<Words>()->composing(),
                    "SUITE or SUITE/VARIANT; no -s: all");
                add("device,d", po::value<Words>()->composing(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all");
                add("size,n", po::value<Words>()->composing(),
                    "size of the problem: 2^20, 64M, 1024x777; none: one that suits the device");
                add("output,o", po::value<std::string>(), "file that the records are appended to");
                add("type", po::value<Words>()->composing(), "float (default), double or int");
                add("define", po::value<Words>()->composing(),
                    "NAME=VALUE: a constant of the kernels");
                add("seed", po::value<std::string>(), "of the inputs; none: drawn, and recorded");
                add("budget", po::value<double>(),
                    "seconds for the whole run (default 100; with --full 600); what it does not "
                    "reach is "
                    "skipped");
                add("full", "all types, all operations, all sizes");
                add("kernels", po::value<std::string>(),
                    "folder of kernel files to use instead, named as the program's own");
                add("quiet", "only the tables; no progress, no remarks");
                add("format", po::value<std::string>(),
                    "text (default) or json, one record a line");
            },
        .run = run,
    };
}

}  // namespace parallax::cli

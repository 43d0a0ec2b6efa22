// Converts options into a request for a run.
#include "cli/request.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/chosen_devices.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_values.hpp"
#include "cli/selftest_kernel.hpp"
#include "common/error.hpp"
#include "common/process/job_place.hpp"
#include "common/process/process_folders.hpp"
#include "common/text/unique_values.hpp"
#include "common/version.hpp"
#include "measure/telemetry.hpp"
#include "records/environment.hpp"
#include "report/wording.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {

void add_case_options(po::options_description_easy_init& add, const std::string& budget) {
    add("suite,s", settable<Words>(Setting::suite),
        "SUITE or SUITE/VARIANT; a word with .json is a manifest of your own kernel; no -s: all");
    add("size,n", settable<Words>(),
        "size of the problem: 2^20, 64M, 1024x777; none: one that suits the device");
    add("type", settable<Words>(),
        "float, double or int; none: the first that the suite or the variant is written for");
    add("define,D", settable<Words>(),
        "NAME=VALUE: a constant of the kernels; with --source a macro of the files");
    add_source_options(add);
    add("seed", settable<std::string>(), "of the inputs; none: drawn, and recorded");
    add("budget", settable<double>(),
        fmt::format("seconds for all of it (default {}), of each process where there are several; "
                    "a step that has begun is finished, and what it does not reach is skipped",
                    budget)
            .c_str());
    add("floats", settable<std::string>(),
        "what arithmetic may do: exact (default), contract (fused multiply-adds), relaxed "
        "(-cl-fast-relaxed-math, --use_fast_math), or as-shipped (what each side's compiler does "
        "without options)");
    add_timing_options(add);
    add_allow_options(add);
    add("full", settable_flag(), "all types, all operations, all sizes");
    add("kernels", po::value<std::string>(),
        "folder of kernel files to use instead, named as the program's own");
}

void add_strict_option(po::options_description_easy_init& add) {
    add("strict", settable_flag(),
        "exit code 1 also where a case is doubtful (its manifest has open questions, or its checks "
        "cannot tell), refused (it has no translation), unsupported on a device, or compared with "
        "nothing");
}

void print_strict_failures(std::size_t cases, CommandContext& context) {
    if (cases == 0) return;
    context.err << fmt::format(
        "parallax: --strict takes {} for {}: doubtful, refused, unsupported, or compared with "
        "nothing but itself.\n",
        report::counted(cases, "case"), cases == 1 ? "a failure" : "failures");
}

void add_lock_option(po::options_description_easy_init& add) {
    add("no-wait", settable_flag(),
        "ends with 5 where another run of parallax times on a GPU, and does not wait for it");
}

void add_timing_options(po::options_description_easy_init& add) {
    add("fresh-ceilings", settable_flag(),
        "measures what the devices can do at most, though it was measured within a day and kept");
    add_lock_option(add);
}

void take_timing_options(const Values& values, RunConfig& config) {
    config.fresh_ceilings = values.count("fresh-ceilings") > 0;
}

void print_notices(const std::vector<CasePick>& picks, CommandContext& context) {
    std::set<std::string> said;
    for (const CasePick& pick : picks) {
        const std::string& notice = pick.suite->notice;
        if (!notice.empty() && said.insert(notice).second) {
            context.err << fmt::format("parallax: {}\n", notice);
        }
    }
}

std::size_t print_refused(const Suite& suite, std::ostream& err) {
    for (const RefusedCase& one : refused_cases(suite)) {
        err << fmt::format("parallax: {}/{} is left out: {}\n", suite.name, one.name, one.why);
    }
    return refused_cases(suite).size();
}

Request request_of(const Values& values, const CommandContext& context, double budget,
                   double full_budget) {
    Request request;
    for (const std::string& word : words_of(values, "suite")) {
        request.picks.push_back(parse_pick(word, context.permissions));
    }
    for (const std::string& word : words_of(values, "size")) {
        request.shapes.push_back(parse_shape(word));
    }
    for (const std::string& word : words_of(values, "type")) {
        request.types.push_back(parse_type(word));
    }
    if (!request.types.empty()) {
        for (const Request::Pick& pick : request.picks) refuse_type(*pick.suite);
    }
    std::vector<Request::Pick> picks = request.picks;
    if (picks.empty()) {
        for (const Suite& suite : suites()) picks.push_back({&suite, nullptr});
    }
    for (const std::string& word : constants_of(values)) {
        request.defines.push_back(parse_define(word, picks));
    }
    request.full = values.count("full") > 0;
    const Request within = request_within(values, request.full ? full_budget : budget);
    request.budget_seconds = within.budget_seconds;
    request.seed = within.seed;
    return request;
}

bool stands_for(const Request& request, const CaseKey& key) {
    const auto is_one_of = [](const auto& list, const auto& is) {
        return list.empty() || std::ranges::any_of(list, is);
    };
    return is_one_of(request.picks,
                     [&](const Request::Pick& pick) {
                         return pick.suite->name == key.suite &&
                                (!pick.variant || pick.variant->name == key.variant);
                     }) &&
           is_one_of(request.types, [&](ElementType t) { return name_of(t) == key.type; }) &&
           is_one_of(request.shapes, [&](const Shape& s) { return s.extents == key.shape; });
}

Request request_within(const Values& values, double budget) {
    Request request;
    request.budget_seconds = value_of<double>(values, "budget").value_or(budget);
    if (!(request.budget_seconds > 0)) {
        throw UsageError("--budget is a number of seconds greater than 0.");
    }
    const auto seed = value_of<std::string>(values, "seed");
    request.seed = seed
                       ? parse_number("--seed", *seed, 0, std::numeric_limits<std::uint64_t>::max())
                       : std::random_device{}();
    return request;
}

FloatChoice floats_of(const Values& values) {
    const std::string word = value_of<std::string>(values, "floats").value_or("exact");
    if (word == "relaxed") return {FloatRules::fast()};
    return {.rules = {.contract = word == "contract"}, .as_shipped = word == "as-shipped"};
}

double parse_share(std::string_view option, std::string_view word, std::string_view others) {
    std::string_view digits = word;
    const bool percent = digits.ends_with('%');
    if (percent) digits.remove_suffix(1);
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    double value = -1;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size() ||
        !std::isfinite(value) || value < 0) {
        throw UsageError(
            fmt::format("{} is a share such as 5% or 0.05{}, and not '{}'.", option, others, word));
    }
    if (percent) {
        value /= 100;
    } else if (value >= 1) {
        throw UsageError(fmt::format("{0} {1}: is that {1}% or {2:g}%? Write one of them.", option,
                                     word, 100 * value));
    }
    if (value > 100) {
        throw UsageError(fmt::format("{} {}: that is {:g} times. A share looks like 5% or 0.05.",
                                     option, word, value));
    }
    return value;
}

double margin_of(const Values& values) {
    const std::string word = value_of<std::string>(values, "margin").value_or("2%");
    const double margin = parse_share("--margin", word);
    if (margin > 0 && margin < 1) return margin;
    throw UsageError(fmt::format(
        "--margin is a share greater than 0 and below 100%, such as 2%, and not '{}'.", word));
}

std::string utc(const char* form) {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format(fmt::runtime(form), fmt::gmtime(now));
}

RunInfo run_info(const CommandContext& context, std::uint64_t seed) {
    RunInfo info;
    info.started = utc("{:%Y-%m-%dT%H:%M:%SZ}");
    info.id = fmt::format("{}-{:08x}", utc("{:%Y%m%dT%H%M%SZ}"), std::random_device{}());
    info.seed = seed;
    // What is gone tomorrow repeats nothing.
    if (std::ranges::none_of(context.words, is_of_python_object)) info.command = context.words;
    info.program_version = program_version;
    const JobPlace& place = job_place();
    info.host = place.host;
    info.job = place.job;
    info.task = place.task;
    info.environment = measured_variables(environ);
    return info;
}

void warn_of_environment(const RunInfo& info, const std::vector<Entry>& entries,
                         CommandContext& context) {
    std::vector<std::string> warnings;
    for (const Entry& entry : entries) {
        const DeviceRecord where = device_record(entry.info, device_settings(entry.info));
        for (std::string& one : environment_warnings(info, where))
            add_once(warnings, std::move(one));
    }
    for (const std::string& one : warnings) context.err << "parallax: " << one << "\n";
}

fs::path ceilings_file_in(const char* cache_home, const char* home) {
    const fs::path folder = user_cache_folder(cache_home, home);
    return folder.empty() ? folder : folder / "ceilings.jsonl";
}

RunConfig run_config(const CommandContext& context, std::uint64_t seed,
                     const std::optional<std::string>& folder, bool own_ceilings) {
    RunConfig config;
    config.reference_entries = [backends = context.backends] {
        std::vector<Entry> entries = chosen_entries(find_devices(backends, "host"), {});
        // Two machines with PoCL use the same reference; it is rarely a compared side.
        std::stable_partition(entries.begin(), entries.end(),
                              [](const Entry& entry) { return entry.info.is_pocl(); });
        return entries;
    };
    config.kernel_source = [folder, own_ceilings](std::string_view file) {
        const bool yardstick = std::ranges::any_of(
            suites(), [&](const Suite& suite) { return suite.is_ceiling && suite.source == file; });
        return kernel_source(file, yardstick && !own_ceilings ? std::nullopt : folder);
    };
    if (folder) config.files = {.reach = PathSandbox({*folder}), .folders = {*folder}};
    config.seed = seed;
    config.check_interrupt = InterruptGuard::check;
    config.workers = context.workers;
    if (!own_ceilings) config.ceilings_file = context.ceilings_file;
    config.score_of_checks = kept_scores(context.ceilings_file);
    config.earlier = context.earlier;
    config.locks = {.folder = context.locks,
                    .waits = context.waits,
                    .command = context.words,
                    .tell = [&err = context.err](
                                const std::string& said) { err << "parallax: " << said << "\n"; },
                    .check_interrupt = InterruptGuard::check};
    config.locks.command.insert(config.locks.command.begin(), "parallax");
    return config;
}

}  // namespace parallax::cli

// What of the suites' kernels verification does not notice: runs changed kernels through it, each
// in a process that may die of it.
//
//     mutants DEVICE... [--suite NAME]... [--native] [--most N] [--seed N] [--jobs N] [--minutes N]
//             [--list FILE] [--only FILE] [--except FILE] [--as-they-are]
//     mutants --judge DEVICE SECONDS LIST FILE        a process that does a part of it (worker.hpp)
//     mutants --write FILE.cl FOLDER                  its changes as files, for manifests of one's
//     own
//
// It prints a table, each mutant that lived and is not argued for in equivalent.txt, and what is
// wrong with the arguments. Exit codes: 0 nothing of that, 1 something, 2 it cannot be done.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/mutation/argued.hpp"
#include "benchmarks/mutation/choose.hpp"
#include "benchmarks/mutation/tally.hpp"
#include "benchmarks/mutation/worker.hpp"
#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "studies/mutation/deal.hpp"
#include "suites/case_words.hpp"
#include "suites/simulator.hpp"

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

/// With a time limit: the time for mutants in progress, and for unmodified kernels that tell
/// whether a crash counts.
constexpr std::chrono::seconds seconds_to_end{20}, seconds_for_controls{20};

struct Wanted {
    std::vector<std::string> devices, suites;
    std::size_t most = 0;
    std::optional<std::uint64_t> seed;
    unsigned jobs = 1;
    long seconds = 0;
    std::optional<double> minutes;
    bool gate_alone = false, as_they_are = false, native = false;
    std::optional<std::string> list, only, except;
};

/// Program and command line of a worker.
std::pair<std::string, std::vector<std::string>> judge_of(const std::string& device,
                                                          const Wanted& wanted) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    std::vector<std::string> words{"--judge", device, std::to_string(wanted.seconds),
                                   wanted.list.value_or("")};
    if (device != simulator) return {self, words};
    words.insert(words.begin(), self);
    words.insert(words.begin(), simulator_words.begin(), simulator_words.end());
    return {std::string(simulator), words};
}

/// The names of the mutants in a file.
std::set<std::string> names_of(const std::string& path) {
    const auto names = names_in(read_file(path, std::uint64_t{1} << 28));
    return {names.begin(), names.end()};
}

/// Indices in `all`.
std::vector<std::size_t> chosen_of(const std::vector<Tried>& all, const Wanted& wanted) {
    std::optional<std::set<std::string>> only;
    if (wanted.only) only = names_of(*wanted.only);
    std::set<std::string> except;
    if (wanted.except) except = names_of(*wanted.except);
    std::vector<std::vector<std::size_t>> of_suites;
    for (const Suite& suite : suites()) {
        if (!wanted.suites.empty() &&
            std::ranges::find(wanted.suites, suite.name) == wanted.suites.end())
            continue;
        std::vector<std::size_t> own;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].suite == suite.name && (!wanted.native || !all[i].backend.empty()) &&
                (!only || only->contains(all[i].mutant.name)))
                own.push_back(i);
        }
        std::vector<std::size_t>& some = of_suites.emplace_back();
        const auto places = wanted.seed ? by_chance(own.size(), wanted.most, *wanted.seed)
                                        : evenly(own.size(), wanted.most);
        for (const std::size_t i : places) {
            if (!except.contains(all[own[i]].mutant.name)) some.push_back(own[i]);
        }
    }
    // Parts of each suite in turn, so that a time limit affects all equally. Not single mutants,
    // since a process keeps the references of its current suite.
    constexpr std::size_t parts = 4;
    std::vector<std::size_t> chosen;
    for (std::size_t part = 0; part < parts; ++part) {
        for (const std::vector<std::size_t>& some : of_suites) {
            const std::span rest(some);
            const std::size_t begin = part * some.size() / parts;
            const auto own = rest.subspan(begin, (part + 1) * some.size() / parts - begin);
            chosen.insert(chosen.end(), own.begin(), own.end());
        }
    }
    return chosen;
}

bool has_died(const std::string& result) {
    return result.starts_with(name_of(End::died));
}

bool is_well(const std::string& result) {
    return result == name_of(End::lived) || result == name_of(End::same_code);
}

using ResultsOf = std::function<std::vector<std::string>(const std::vector<std::size_t>&)>;

/// Verifies unmodified kernels until one is right. @throws Error when three are wrong: the device's
/// results are then meaningless
void glance(const std::string& device, const std::vector<Tried>& all,
            const std::vector<std::size_t>& open, const ResultsOf& results_of) {
    std::string said;
    for (const std::size_t i : {open.front(), open[open.size() / 2], open.back()}) {
        const std::string result =
            results_of({i + static_cast<std::size_t>(Place::glance) * all.size()}).front();
        if (is_well(result)) return;
        if (result == name_of(End::not_tried)) continue;  // the device supports none of the cases
        said += fmt::format(" {} {}: {}.", all[i].mutant.file, all[i].mutant.function,
                            result.empty() ? "not tried" : result);
    }
    if (said.empty()) return;
    throw Error(fmt::format("{} cannot judge: of three kernels as they are none is right.{}",
                            device, said));
}

/// Mutants whose unmodified kernel fails as well (for lack of time, or on a broken device): these
/// count as undetected. Tried once per function.
/// @param some  indices in `all`
std::set<std::size_t> not_right_anyway(const std::vector<Tried>& all,
                                       const std::vector<std::size_t>& some,
                                       const ResultsOf& results_of) {
    std::map<std::string, std::vector<std::size_t>> by_function;
    for (const std::size_t i : some)
        by_function[all[i].mutant.file + " " + all[i].mutant.function].push_back(i);
    std::vector<std::size_t> controls;
    for (const auto& [function, places] : by_function)
        controls.push_back(places.front() + all.size());
    const std::vector<std::string> results = results_of(controls);
    std::set<std::size_t> anyway;
    auto result = results.begin();
    for (const auto& [function, places] : by_function) {
        if (const std::string& said = *result++;
            !is_well(said) && said != name_of(End::not_tried)) {
            fmt::print(stderr, "mutants: {}, as it is: {}. That its mutants are so says nothing.\n",
                       function, said.empty() ? "not tried" : said);
            anyway.insert(places.begin(), places.end());
        }
    }
    return anyway;
}

/// Says what came of a kernel on a device. @returns whether another device may say more
bool note_result(Tried& one, const std::string& result, bool is_right_anyway,
                 const std::string& device, bool gate_alone) {
    const auto* const end =
        std::ranges::find(names_of_ends, has_died(result) ? name_of(End::died) : result);
    // Where nothing was seen, what was seen before stands.
    const bool is_seen = end != names_of_ends.end() && !is_right_anyway;
    const auto now = is_seen ? static_cast<End>(end - names_of_ends.begin()) : End::not_tried;
    // It has none of the cases: another one may.
    if (is_seen && now == End::not_tried) return true;
    // A text may be none for one compiler.
    if (is_seen && (one.end == End::not_tried || now != End::not_built)) {
        one.end = now;
        one.device = device;
    }
    return one.end >= End::lived && !is_noticed(one.end, gate_alone);
}

/// Those of `open` that the device does not notice, and for which there is another.
/// @param until  none: no end
std::vector<std::size_t> try_on(const std::string& device, std::vector<Tried>& all,
                                const std::vector<std::size_t>& open, const Wanted& wanted,
                                std::optional<Clock::time_point> until) {
    const auto results_of = [&](const std::vector<std::size_t>& places,
                                std::optional<Clock::time_point> end) {
        const auto [program, words] = judge_of(device, wanted);
        return deal(program, words, places, wanted.jobs, end, seconds_to_end);
    };
    const auto in_time = [&](const auto& places) { return results_of(places, until); };
    glance(device, all, open, in_time);
    if (wanted.as_they_are) {
        not_right_anyway(all, open, in_time);
        return {};
    }
    const auto results = in_time(open);
    std::vector<std::size_t> died;
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (has_died(results[i])) died.push_back(open[i]);
    }
    // Where an end was asked for, it waits for these, too: nothing is told before.
    const std::set<std::size_t> anyway = not_right_anyway(all, died, [&](const auto& places) {
        std::optional<Clock::time_point> end;
        if (wanted.minutes) end = Clock::now() + seconds_for_controls;
        return results_of(places, end);
    });
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (note_result(all[open[i]], results[i], anyway.contains(open[i]), device,
                        wanted.gate_alone)) {
            left.push_back(open[i]);
        }
    }
    return left;
}

/// On one device after the other, those that it takes and that none has noticed so far.
void try_all(std::vector<Tried>& all, std::vector<std::size_t> rest, const Wanted& wanted) {
    // Each process gets its share of the cores.
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(std::max(1u, cores / wanted.jobs)).c_str(), 0);
    const auto begin = Clock::now();
    for (std::size_t d = 0; d < wanted.devices.size(); ++d) {
        const std::string& device = wanted.devices[d];
        std::optional<Clock::time_point> until;
        if (wanted.minutes) {
            const double share = *wanted.minutes * static_cast<double>(d + 1) /
                                 static_cast<double>(wanted.devices.size());
            until = begin + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double, std::ratio<60>>(share));
        }
        std::vector<std::size_t> open, left;
        std::ranges::partition_copy(rest, std::back_inserter(open), std::back_inserter(left),
                                    [&](std::size_t i) { return takes(device, all[i]); });
        if (open.empty() || (until && *until <= Clock::now())) continue;
        const std::vector<std::size_t> unnoticed = try_on(device, all, open, wanted, until);
        if (wanted.as_they_are) continue;
        left.insert(left.end(), unnoticed.begin(), unnoticed.end());
        rest = std::move(left);
    }
}

void write_list(const std::string& path, std::span<const Tried> tried) {
    std::ofstream file(path);
    if (!(file << list_of(tried) << std::flush))
        throw UsageError(fmt::format("{} cannot be written.", path));
}

int run(const Wanted& wanted) {
    std::vector<Tried> all = all_mutants();
    const std::vector<std::size_t> chosen = chosen_of(all, wanted);
    if (chosen.empty()) throw UsageError("There is no such mutant: look at --suite and --only.");
    if (wanted.list) write_list(*wanted.list, {});
    try_all(all, chosen, wanted);
    const std::vector<std::string> wrong = hold_against(own_equivalents(), all);

    std::vector<Tried> tried;
    std::set<std::size_t> in_order(chosen.begin(), chosen.end());
    for (const std::size_t i : in_order) tried.push_back(all[i]);
    fmt::print("{}", table_of(tried, wanted.gate_alone));
    if (!cuda::nvrtc().available())
        fmt::print("NVRTC is not here to say which are the same code.\n");
    for (const Tried& one : tried) {
        if (open_in({&one, 1}, wanted.gate_alone) == 0) continue;
        fmt::print("{}:{}: {}\n", one.mutant.file, one.mutant.line, one.mutant.name);
    }
    for (const std::string& sentence : wrong) fmt::print("{}\n", sentence);
    if (wanted.list) write_list(*wanted.list, tried);
    return wrong.empty() && open_in(tried, wanted.gate_alone) == 0 ? 0 : 1;
}

/// Writes each change of a kernel file as a separate file, with its name in the first line.
int write_changes(const std::string& file, const std::filesystem::path& folder) {
    std::size_t place = 0;
    for (const Mutant& one : mutants_of(file, read_file(file, std::uint64_t{1} << 22))) {
        const auto path = folder / fmt::format("{}.cl", place++);
        if (!(std::ofstream(path) << "// " << one.name << "\n" << one.text << std::flush))
            throw UsageError(fmt::format("{} cannot be written.", path.string()));
    }
    return 0;
}

int main_of(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--write") return write_changes(argv[2], argv[3]);
    if (argc == 6 && std::string_view(argv[1]) == "--judge")
        return judge_some(argv[2], std::stol(argv[3]), argv[4], std::stoi(argv[5]));
    namespace po = boost::program_options;
    Wanted wanted;
    po::options_description options("usage: mutants DEVICE...");
    auto add = options.add_options();
    add("help", "this text");
    add("device", po::value(&wanted.devices),
        "where they are run; those that live on one are tried on the next: opencl:0 host:1, and "
        "oclgrind, where it is installed");
    add("suite", po::value(&wanted.suites), "these suites; none: all");
    add("native", po::bool_switch(&wanted.native), "of their native texts alone");
    add("most", po::value(&wanted.most)->default_value(100000),
        "mutants of a suite, at most, evenly chosen");
    add("seed", po::value<std::uint64_t>(), "chosen by chance in place of evenly");
    add("jobs",
        po::value(&wanted.jobs)->default_value(std::max(1u, std::thread::hardware_concurrency())),
        "processes at once");
    add("seconds", po::value(&wanted.seconds)->default_value(20),
        "of processor time that one launch may take, five times that by the clock");
    add("minutes", po::value<double>(),
        "after which none is begun, an equal part for each device; it may end a minute later");
    add("gate-alone", po::bool_switch(&wanted.gate_alone),
        "a refused launch or a dead process does not count as noticed");
    add("as-they-are", po::bool_switch(&wanted.as_they_are),
        "kernels without a change, by all cases of their mutants: says which are not right");
    add("list", po::value<std::string>(),
        "a file for a line a mutant: end, device, name; it grows while they are tried");
    add("only", po::value<std::string>(), "those that are named in such a file");
    add("except", po::value<std::string>(), "without those: goes on where a run has ended");
    po::positional_options_description places;
    places.add("device", -1);
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(options).positional(places).run(),
              values);
    po::notify(values);
    if (values.contains("help")) {
        std::ostringstream text;
        text << options;
        fmt::print("{}", text.str());
        return 0;
    }
    if (wanted.devices.empty()) throw UsageError("Name a device, as in: mutants opencl:0 host:1");
    if (wanted.jobs == 0 || wanted.seconds <= 0)
        throw UsageError("--jobs and --seconds are 1 at least.");
    if (values.contains("minutes")) wanted.minutes = values["minutes"].as<double>();
    if (values.contains("seed")) wanted.seed = values["seed"].as<std::uint64_t>();
    if (values.contains("list")) wanted.list = values["list"].as<std::string>();
    if (values.contains("only")) wanted.only = values["only"].as<std::string>();
    if (values.contains("except")) wanted.except = values["except"].as<std::string>();
    for (const std::string& name : wanted.suites) suite_named(name);
    return run(wanted);
}

}  // namespace
}  // namespace parallax

int main(int argc, char** argv) {
    try {
        return parallax::main_of(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "mutants: {}\n", error.what());
        return 2;
    }
}

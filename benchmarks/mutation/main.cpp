// What of the suites' kernels verification does not notice: runs changed kernels through it, each
// in a process that may die of it.
//
//     mutants DEVICE... [--most N] [--seed N] [--jobs N]
//     mutants --write FILE.cl FOLDER        its changes as files, for manifests of one's own
//
// N mutants of each suite are drawn (no --most: all). Those that live on one device are tried on
// the next. It prints a table, each mutant that lived and is not argued for in equivalent.txt, and
// what is wrong with the arguments. Exit codes: 0 nothing of that, 1 something, 2 it cannot be
// done.
#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/mutation/choose.hpp"
#include "benchmarks/shared_work.hpp"
#include "common/text/read_file.hpp"

namespace parallax {
namespace {

/// Processor time of one build or launch.
constexpr long most_seconds = 20;

/// A process of deal(): places are mutants, and behind them the kernels of each as they are.
int judge_some(const std::vector<Tried>& all, const SharedWork& work) {
    const std::unique_ptr<Device> device = entry_alone(backends(), work.devices.front()).open();
    ReferenceCache references{std::uint64_t{1} << 28};
    const Backend* const compiler = device_free_compiler(backends());
    return work_off(*work.file, most_seconds, [&](std::size_t place) {
        const Tried& one = all.at(place % all.size());
        Mutant mutant = one.mutant;
        if (place >= all.size()) mutant.text = kernel_source(mutant.file);
        const auto cases = judged_cases(suite_named(one.suite), mutant, device->info());
        return std::string(name_of(judge(
            *device, cases, mutant, references, [] { limit_time(most_seconds); }, compiler)));
    });
}

/// Indices in `all`, of each suite.
std::set<std::size_t> chosen_of(const std::vector<Tried>& all, const SharedWork& work) {
    std::map<std::string_view, std::vector<std::size_t>> of_suites;
    for (std::size_t i = 0; i < all.size(); ++i) of_suites[all[i].suite].push_back(i);
    std::set<std::size_t> chosen;
    std::mt19937_64 chance(work.numbers.at("seed"));
    for (const auto& [suite, own] : of_suites)
        std::ranges::sample(own, std::inserter(chosen, chosen.end()),
                            static_cast<std::ptrdiff_t>(work.numbers.at("most")), chance);
    return chosen;
}

/// Functions of which a mutant died, and that do not pass as they are, for lack of time, or on a
/// broken device: that says nothing of the mutants.
std::set<std::string> not_right_anyway(const std::string& device, const std::vector<Tried>& all,
                                       const std::vector<std::size_t>& places,
                                       const std::vector<std::string>& results,
                                       const SharedWork& work) {
    std::map<std::string, std::size_t> controls;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Mutant& mutant = all[places[i]].mutant;
        if (end_of(results[i]) == End::died)
            controls.emplace(mutant.file + mutant.function, places[i] + all.size());
    }
    std::vector<std::size_t> right;
    for (const auto& [function, place] : controls) right.push_back(place);
    const std::vector<std::string> as_they_are = work.results_of({device}, right);
    std::set<std::string> anyway;
    auto result = as_they_are.begin();
    for (const auto& [function, place] : controls) {
        if (const std::string& said = *result++; is_noticed(end_of(said))) {
            fmt::print(stderr, "{}, as it is: {}. That its mutants are so says nothing.\n",
                       function, said);
            anyway.insert(function);
        }
    }
    return anyway;
}

int run(const SharedWork& work) {
    if (work.devices.empty()) throw UsageError("Name a device, as in: mutants opencl:0 host:1");
    std::vector<Tried> all = all_mutants();
    if (work.file) return judge_some(all, work);
    const std::set<std::size_t> chosen = chosen_of(all, work);
    for (const std::string& device : work.devices) {
        std::vector<std::size_t> places;
        std::ranges::copy_if(chosen, std::back_inserter(places), [&](std::size_t i) {
            return takes(device, all[i]) &&
                   (all[i].end == End::not_tried || all[i].end == End::lived);
        });
        const std::vector<std::string> results = work.results_of({device}, places);
        const std::set<std::string> anyway = not_right_anyway(device, all, places, results, work);
        for (std::size_t i = 0; i < places.size(); ++i) {
            Tried& one = all[places[i]];
            const End end = end_of(results[i]);
            // Where nothing was seen, what was seen before stands, as where one compiler alone
            // takes no text.
            if (end == End::not_tried ||
                (end == End::died && anyway.contains(one.mutant.file + one.mutant.function)) ||
                (end == End::not_built && one.end == End::lived))
                continue;
            one.end = end;
            one.device = device;
        }
    }
    const std::vector<std::string> wrong = hold_against(argued_mutants(), all);
    std::vector<Tried> tried;
    for (const std::size_t i : chosen) tried.push_back(all[i]);
    fmt::print("{}", table_of(tried));
    if (!cuda::nvrtc().available())
        fmt::print("NVRTC is not here to say which are the same code.\n");
    bool is_well = wrong.empty();
    for (const Tried& one : tried) {
        if (!is_open(one)) continue;
        is_well = false;
        fmt::print("{}:{}: {}\n", one.mutant.file, one.mutant.line, one.mutant.name);
    }
    for (const std::string& sentence : wrong) fmt::print("{}\n", sentence);
    return is_well ? 0 : 1;
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

}  // namespace
}  // namespace parallax

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv, argv + argc);
    const bool writes = argc == 4 && words[1] == "--write";
    return parallax::run_shared(
        writes ? 1 : argc, argv, {.devices = {}, .numbers = {{"most", 100000}, {"seed", 1}}},
        [&](const parallax::SharedWork& work) {
            return writes ? parallax::write_changes(words[2], words[3]) : parallax::run(work);
        });
}

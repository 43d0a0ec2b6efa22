// What of the suites' kernels verification does not notice: runs changed kernels through it, each
// in a process that may die of it.
//
//     mutants DEVICE... [--most N] [--seed N] [--jobs N]
//
// N mutants of each suite are drawn (no --most: all). Those that live on one device are tried on
// the next. It prints a table, each mutant that lived and is not argued for in equivalent.txt, and
// what is wrong with the arguments. Exit codes: 0 nothing of that, 1 something, 2 it cannot be
// done.
#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <fmt/format.h>

#include "backends/cuda/nvrtc.hpp"
#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "studies/mutation/deal.hpp"
#include "suites/case_words.hpp"
#include "tests/mutation/choose.hpp"

namespace parallax {
namespace {

/// Processor time of one build or launch.
constexpr long most_seconds = 20;

struct Wanted {
    std::vector<std::string> devices;
    std::uint64_t most = 100000, seed = 1, jobs = usable_cores();
};

/// A process of deal(): its tasks are the mutants, followed by the unchanged kernels.
int judge_some(const std::vector<Tried>& all, const std::string& device_word, int file) {
    const std::unique_ptr<Device> device = entry_alone(backends(), device_word).open();
    ReferenceCache references{std::uint64_t{1} << 28};
    const Backend* const compiler = device_free_compiler(backends());
    return work_off(file, most_seconds, [&](std::size_t place) {
        const Tried& one = all.at(place % all.size());
        Mutant mutant = one.mutant;
        if (place >= all.size()) mutant.text = kernel_source(mutant.file);
        const auto cases = judged_cases(suite_named(one.suite), mutant, device->info());
        return std::string(name_of(judge(
            *device, cases, mutant, references, [] { limit_time(most_seconds); }, compiler)));
    });
}

/// Indices in `all`, of each suite.
std::set<std::size_t> chosen_of(const std::vector<Tried>& all, const Wanted& wanted) {
    std::map<std::string_view, std::vector<std::size_t>> of_suites;
    for (std::size_t i = 0; i < all.size(); ++i) of_suites[all[i].suite].push_back(i);
    std::set<std::size_t> chosen;
    std::mt19937_64 chance(wanted.seed);
    for (const auto& [suite, own] : of_suites)
        std::ranges::sample(own, std::inserter(chosen, chosen.end()),
                            static_cast<std::ptrdiff_t>(wanted.most), chance);
    return chosen;
}

std::vector<std::string> results_of(const std::string& device,
                                    const std::vector<std::size_t>& places, const Wanted& wanted) {
    return deal(std::filesystem::read_symlink("/proc/self/exe"), {"--judge", device}, places,
                static_cast<unsigned>(wanted.jobs));
}

/// Functions of which a mutant died, and that do not pass as they are, for lack of time, or on a
/// broken device: that says nothing of the mutants.
std::set<std::string> not_right_anyway(const std::string& device, const std::vector<Tried>& all,
                                       const std::vector<std::size_t>& places,
                                       const std::vector<std::string>& results,
                                       const Wanted& wanted) {
    std::map<std::string, std::size_t> controls;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Mutant& mutant = all[places[i]].mutant;
        if (end_of(results[i]) == End::died)
            controls.emplace(mutant.file + mutant.function, places[i] + all.size());
    }
    std::vector<std::size_t> right;
    for (const auto& [function, place] : controls) right.push_back(place);
    const std::vector<std::string> as_they_are = results_of(device, right, wanted);
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

int try_all(const Wanted& wanted) {
    std::vector<Tried> all = all_mutants();
    share_cores(static_cast<unsigned>(wanted.jobs));
    const std::set<std::size_t> chosen = chosen_of(all, wanted);
    for (const std::string& device : wanted.devices) {
        std::vector<std::size_t> places;
        std::ranges::copy_if(chosen, std::back_inserter(places), [&](std::size_t i) {
            return all[i].end == End::not_tried || all[i].end == End::lived;
        });
        const std::vector<std::string> results = results_of(device, places, wanted);
        const std::set<std::string> anyway = not_right_anyway(device, all, places, results, wanted);
        for (std::size_t i = 0; i < places.size(); ++i) {
            Tried& one = all[places[i]];
            const End end = end_of(results[i]);
            // Without a new finding the earlier one is kept, also where one compiler alone rejects
            // the source.
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

int run(const std::vector<std::string>& words) {
    if (words.size() == 3 && words[0] == "--judge")
        return judge_some(all_mutants(), words[1], std::stoi(words[2]));
    Wanted wanted;
    const std::map<std::string, std::uint64_t*> numbers{
        {"--most", &wanted.most}, {"--seed", &wanted.seed}, {"--jobs", &wanted.jobs}};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto number = numbers.find(words[i]);
        if (number == numbers.end()) {
            if (words[i].starts_with('-')) {
                throw UsageError(
                    fmt::format("There is no option '{}': --most, --seed, --jobs.", words[i]));
            }
            wanted.devices.push_back(words[i]);
        } else if (++i == words.size()) {
            throw UsageError(fmt::format("{} takes a number.", words.back()));
        } else {
            *number->second = parse_number(number->first, words[i], 1, 1'000'000'000);
        }
    }
    if (wanted.devices.empty()) throw UsageError("Name a device, as in: mutants opencl:0 host:1");
    return try_all(wanted);
}

}  // namespace
}  // namespace parallax

int main(int argc, char** argv) {
    try {
        return parallax::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "mutants: {}\n", error.what());
        return 2;
    }
}

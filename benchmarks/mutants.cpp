// What of the suites' kernels the gate does not notice: runs changed kernels through it, one after
// the other, each in a process that may die of it.
//
//     mutants DEVICE... [--suite NAME]... [--most N]   a table, and below it each mutant that lived
//     mutants --judge DEVICE SUITE MOST PLACES         of a process that does a part of it
#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/time.h>
#include <unistd.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/mutate.hpp"
#include "common/child.hpp"
#include "common/devices.hpp"
#include "common/error.hpp"
#include "common/text_lines.hpp"
#include "measure/gate.hpp"
#include "suites/planted.hpp"

namespace parallax {
namespace {

/// Of processor time that one mutant may take: one that never ends is noticed by that. And what a
/// process that sleeps may take in all.
constexpr long most_processor_seconds = 60;
constexpr std::chrono::minutes most_for_all{60};

/// A timed shape of more elements is left out: a CPU takes too long for it.
constexpr double most_elements = 1 << 23;

/// How one mutant ended.
enum class End { killed, died, lived, same_code, not_built };
constexpr std::string_view words[] = {"killed", "died", "lived", "same_code", "not_built"};

std::string file_of(const Suite& suite, const Variant& variant) {
    return variant.source.empty() ? suite.source : variant.source;
}

/// Every `most`-th part of all mutants of a suite's portable texts, evenly.
std::vector<std::pair<std::string, Mutant>> chosen_of(const Suite& suite, std::size_t most) {
    std::set<std::string> files;
    for (const Variant& variant : suite.variants) {
        if (variant.natives.empty()) files.insert(file_of(suite, variant));
    }
    std::vector<std::pair<std::string, Mutant>> all, some;
    for (const std::string& file : files) {
        if (file.empty()) continue;
        for (Mutant& one : mutants_of(file, kernel_text(file)))
            all.emplace_back(file, std::move(one));
    }
    const std::size_t count = std::min(most, all.size());
    for (std::size_t i = 0; i < count; ++i) some.push_back(std::move(all[i * all.size() / count]));
    return some;
}

/// The cases that can tell: of the variants that launch the kernel, or of all where the function is
/// no kernel of its own; of each type, and of each choice of a constant.
std::vector<Case> cases_for(const Suite& suite, const std::string& file, const Mutant& mutant,
                            const DeviceInfo& info) {
    std::vector<const Variant*> own, all;
    for (const Variant& variant : suite.variants) {
        if (!variant.natives.empty() || file_of(suite, variant) != file) continue;
        if (!variant.feature.empty() && !info.has(variant.feature)) continue;
        all.push_back(&variant);
        const Plan plan =
            plan_of(make_case(suite, variant, suite.check_shapes.back(), suite.types.front()));
        const auto launches = launches_of(plan);
        if (std::ranges::any_of(launches,
                                [&](const Launch* l) { return l->kernel == mutant.function; })) {
            own.push_back(&variant);
        }
    }
    std::vector<Case> cases;
    const auto add = [&](const Variant& variant, ElementType type,
                         const std::vector<Constant>& constants) {
        try {
            Case c = make_case(suite, variant, suite.check_shapes.back(), type, constants);
            if (!suite.refuse || suite.refuse(c).empty()) cases.push_back(std::move(c));
        } catch (const UsageError&) {
            // The suite has no such case.
        }
    };
    for (const Variant* variant : own.empty() ? all : own) {
        for (const ElementType type : suite.types) add(*variant, type, {});
        for (const ConstantSpec& constant : suite.constants) {
            for (std::size_t value = 0; value < constant.choices.size(); ++value) {
                add(*variant, suite.types.front(),
                    {{constant.name, static_cast<std::int64_t>(value)}});
            }
        }
    }
    return cases;
}

/// Whether NVRTC makes the same of it: then it is no other kernel.
bool is_same_code(const Program& program, const Program& mutant) {
    constexpr int generation = 90;
    static std::map<std::string, std::string> known;  // of the kernels as they are
    if (!cuda::nvrtc().available()) return false;
    try {
        const cuda::CompileResult made = cuda::compile_for(mutant, generation);
        const auto [right, is_new] =
            known.try_emplace(fmt::format("{} {}", program.source, fmt::join(made.options, " ")));
        if (is_new) right->second = cuda::compile_for(program, generation).ptx;
        return made.ptx == right->second;
    } catch (const Error&) {
        return false;
    }
}

/// The largest shape of the suite's that a CPU has done soon; nothing: there is none.
const Shape* timed_shape(const Suite& suite) {
    const auto elements = [](const Shape& shape) {
        return std::accumulate(shape.extents.begin(), shape.extents.end(), 1.0, std::multiplies());
    };
    const Shape* largest = nullptr;
    for (const Shape& shape : suite.shapes) {
        if (elements(shape) > most_elements) continue;
        if (!largest || elements(shape) > elements(*largest)) largest = &shape;
    }
    return largest;
}

/// On the suite's check shapes, and where that shows nothing on one that is timed too, as
/// `parallax run` does.
bool is_right(Device& device, const Case& c, const Program& program, Workloads& workloads) {
    const Codes codes = build(device, program, plan_of(c));
    if (!check_case(device, c, program, codes, 1, workloads).right()) return false;
    Case timed = c;
    const Shape* const shape = timed_shape(*c.suite);
    if (!shape) return true;
    timed.shape = *shape;
    Checked checked;
    check_once(device, timed, build(device, program, plan_of(timed)), fillings_of(timed).front(), 1,
               workloads, checked);
    return checked.right();
}

End judge(Device& device, const std::vector<Case>& cases, const Mutant& mutant,
          Workloads& workloads) {
    bool was_built = false, is_another = false;
    for (const Case& c : cases) {
        Program program = program_of(c);
        const Program right = program;
        program.source = mutant.text;
        try {
            if (!is_right(device, c, program, workloads)) return End::killed;
        } catch (const BuildFailed&) {
            continue;
        }
        was_built = true;
        is_another = is_another || !is_same_code(right, program);
    }
    return !was_built ? End::not_built : is_another ? End::lived : End::same_code;
}

void limit_processor_time() {
    const itimerval limit{{0, 0}, {most_processor_seconds, 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
}

std::unique_ptr<Device> open(const std::string& word) {
    const Devices devices = find_devices(backends());
    for (const Entry& entry : devices.entries) {
        if (entry.info.id() == word) return entry.open();
    }
    throw UsageError(
        fmt::format("There is no device {}. 'parallax devices' shows those that are here.", word));
}

/// A line a mutant: how it ended.
/// @param places  of the mutants, with blanks between
int judge_some(const std::string& word, const Suite& suite, std::size_t most,
               std::istringstream places) {
    const auto mutants = chosen_of(suite, most);
    std::unique_ptr<Device> device = open(word);
    const DeviceInfo info = device->info();
    Workloads workloads{std::uint64_t{1} << 28};
    for (std::size_t i = 0; places >> i;) {
        limit_processor_time();
        const auto& [file, mutant] = mutants.at(i);
        End end = End::died;
        try {
            end = judge(*device, cases_for(suite, file, mutant, info), mutant, workloads);
        } catch (const DeviceError&) {
            return 1;  // the device is unusable from here on, and so is this process
        } catch (const Error&) {
            end = End::killed;  // the launch itself was refused
        }
        fmt::print("{}\n", words[static_cast<std::size_t>(end)]);
        std::fflush(stdout);
    }
    return 0;
}

/// How those at these places ended.
std::vector<End> ends_of(const std::string& device, const Suite& suite, std::size_t most,
                         std::span<const std::size_t> places) {
    std::vector<End> ends;
    while (ends.size() < places.size()) {
        const Ended ended =
            run_program("/proc/self/exe",
                        {"--judge", device, suite.name, std::to_string(most),
                         fmt::format("{}", fmt::join(places.subspan(ends.size()), " "))},
                        most_for_all);
        if (ended.exit_code == 2) throw Error(ended.err);
        for (const std::string_view line : lines_of(ended.out)) {
            const auto* const end = std::ranges::find(words, line);
            if (end != std::end(words)) ends.push_back(static_cast<End>(end - words));
        }
        // The process died over the next one.
        if (ends.size() < places.size()) ends.push_back(End::died);
    }
    return ends;
}

/// Those that lived on one device are tried on the next.
std::vector<End> ends_of(const std::vector<std::string>& devices, const Suite& suite,
                         std::size_t most, std::size_t count) {
    std::vector<End> ends(count, End::lived);
    for (const std::string& device : devices) {
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < count; ++i) {
            if (ends[i] == End::lived) left.push_back(i);
        }
        const std::vector<End> found = ends_of(device, suite, most, left);
        for (std::size_t i = 0; i < left.size(); ++i) {
            // A text may be none for one compiler.
            if (found[i] != End::not_built || device == devices.front()) ends[left[i]] = found[i];
        }
    }
    return ends;
}

void print_row(std::string_view name, std::map<End, std::size_t>& of) {
    std::size_t sum = 0;
    for (const auto& [end, count] : of) sum += count;
    fmt::print("{:<18} {:>7} {:>9} {:>9} {:>7} {:>6} {:>6}\n", name, sum, of[End::not_built],
               of[End::same_code], of[End::killed], of[End::died], of[End::lived]);
    std::fflush(stdout);
}

int run(const std::vector<std::string>& devices, const std::vector<std::string>& names,
        std::size_t most) {
    std::map<End, std::size_t> all;
    std::vector<std::string> lived;
    fmt::print("{:<18} {:>7} {:>9} {:>9} {:>7} {:>6} {:>6}\n", "suite", "mutants", "not built",
               "same code", "noticed", "died", "lived");
    for (const Suite& suite : suites()) {
        if (!names.empty() && std::ranges::find(names, suite.name) == names.end()) continue;
        const auto mutants = chosen_of(suite, most);
        if (mutants.empty()) continue;
        const std::vector<End> ends = ends_of(devices, suite, most, mutants.size());
        std::map<End, std::size_t> of;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            ++of[ends[i]];
            ++all[ends[i]];
            if (ends[i] != End::lived) continue;
            const auto& [file, mutant] = mutants[i];
            lived.push_back(fmt::format("{}:{}: {}: {}: '{}' -> '{}'", file, mutant.line,
                                        mutant.function, mutant.change, mutant.was, mutant.is));
        }
        print_row(suite.name, of);
    }
    print_row("all", all);
    if (!lived.empty()) fmt::print("\n{}\n", fmt::join(lived, "\n"));
    return lived.empty() ? 0 : 1;
}

int main_of(int argc, char** argv) {
    if (argc == 6 && std::string_view(argv[1]) == "--judge") {
        return judge_some(argv[2], suite_named(argv[3]), std::stoul(argv[4]),
                          std::istringstream(argv[5]));
    }
    namespace po = boost::program_options;
    po::options_description options("usage: mutants DEVICE");
    auto add = options.add_options();
    add("device", po::value<std::vector<std::string>>()->required(),
        "where they are run, one after the other: opencl:0 host:1");
    add("suite", po::value<std::vector<std::string>>()->default_value({}, "all"), "these suites");
    add("most", po::value<std::size_t>()->default_value(100000),
        "mutants of a suite, at most, evenly chosen");
    po::positional_options_description places;
    places.add("device", -1);
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(options).positional(places).run(),
              values);
    po::notify(values);
    return run(values["device"].as<std::vector<std::string>>(),
               values["suite"].as<std::vector<std::string>>(), values["most"].as<std::size_t>());
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

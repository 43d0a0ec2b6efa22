// Changes the kernels of a manifest, and counts what its checks notice.
#include "studies/mutation/checks_score.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <sys/prctl.h>

#include "common/error.hpp"
#include "common/text/grouping.hpp"
#include "common/text/hash.hpp"
#include "common/text/read_file.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/device_lock.hpp"
#include "measure/verification.hpp"
#include "studies/mutation/deal.hpp"
#include "studies/mutation/work_apart.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

/// The inputs of each process are the same ones.
constexpr std::uint64_t score_seed = 1;

/// The largest timed size that each changed kernel is verified at, on a CPU; a GPU does this many
/// times as much.
constexpr double most_bytes = 0x1p26, most_items = 0x1p22, most_operations = 0x1p30,
                 gpu_factor = 64;

/// The share of a kernel's time for its mutants; the rest is for finding what shows survivors.
constexpr double share_for_mutants = 0.75;

/// Limits of a build or launch, in seconds, each tried where the kernel as it is exceeds the last.
constexpr std::array<long, 3> launch_limits{5, 20, 60};

constexpr std::string_view shown_by = "shown by ";

/// The numbers below `count`, in an order whose every beginning is spread evenly.
std::vector<std::size_t> spread(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [](std::size_t i) {
        std::uint32_t reversed = 0;
        for (unsigned bit = 0; bit < 32; ++bit)
            reversed |= (static_cast<std::uint32_t>(i) >> bit & 1U) << (31 - bit);
        return reversed;
    });
    return order;
}

/// Where the manifest says of no operations, each work-item may use every element of a buffer.
double most_operations_of(const Case& c, const Plan& plan, double items) {
    const double said = c.suite->work(c).operations;
    double elements = 1;
    for (const BufferSpec& buffer : plan.buffers)
        elements = std::max(elements, static_cast<double>(buffer.elements));
    return said > 0 ? said : items * elements;
}

bool is_soon_verified(const Case& c, const DeviceInfo& info) {
    const double factor = info.is_gpu ? gpu_factor : 1;
    const Plan plan = plan_of(c);
    double items = 0;
    for (const Launch* launch : launches_of(plan)) items += work_items(launch->geometry);
    return static_cast<double>(footprint(plan).total) <= factor * most_bytes &&
           items <= factor * most_items &&
           most_operations_of(c, plan, items) <= factor * most_operations;
}

/// The variant's case for all checks: its largest timed size that is soon verified, else the last
/// checked one, else its smallest.
/// @param left_out  gets the timed sizes that are not soon verified
Case case_for(const Suite& suite, const Variant& variant, const DeviceInfo& info,
              std::vector<std::string>& left_out) {
    const std::vector<Shape>& timed = shapes_of(suite, variant);
    const auto case_at = [&](const Shape& shape) {
        return on_backend(make_case(suite, variant, shape, suite.types.front()), info.backend);
    };
    std::optional<Case> chosen;
    for (const Shape& shape : timed) {
        Case c = case_at(shape);
        if (is_soon_verified(c, info)) {
            chosen = std::move(c);
        } else {
            left_out.push_back(to_string(shape));
        }
    }
    if (chosen) return *chosen;
    if (suite.check_shapes.empty() && !left_out.empty()) left_out.erase(left_out.begin());
    return case_at(suite.check_shapes.empty() ? timed.front() : suite.check_shapes.back());
}

/// With its source as a device gets it, without other kernels.
JudgedCase judged_case(Case c, const DeviceInfo& info, const RunConfig& config) {
    Program program = only_launched(program_of(c, config, info.backend), plan_of(c));
    return {std::move(c), std::move(program)};
}

/// `scale` of `ns::scale<float, 256>`.
std::string_view function_of(std::string_view kernel) {
    kernel = kernel.substr(0, kernel.find('<'));
    const std::size_t at = kernel.rfind(':');
    return at == kernel.npos ? kernel : kernel.substr(at + 1);
}

/// Of a source with other kernels those of the launched ones, and of functions.
std::vector<Mutant> mutants_of_launched(const Program& program, const Plan& plan) {
    std::vector<Mutant> mutants = mutants_of(program.name, program.source);
    std::erase_if(mutants, [&](const Mutant& one) {
        return one.in_kernel && std::ranges::none_of(launches_of(plan), [&](const Launch* launch) {
                   return function_of(launch->kernel) == one.function;
               });
    });
    return mutants;
}

/// The manifest's text; empty: it is a folder, whose launches belong to their data.
std::string manifest_text(const Suite& suite) {
    std::error_code error;
    if (std::filesystem::is_directory(suite.manifest, error)) return {};
    return read_file(suite.manifest, most_manifest_bytes);
}

/// The places of all kernels' mutants, then those of the search for what shows each of them, then
/// those of the unmodified kernels.
class Places {
public:
    enum class Kind { mutant, control, search };
    struct Place {
        Kind kind;
        std::size_t kernel, mutant;
    };

    explicit Places(const std::vector<KernelUnderTest>& kernels) {
        for (const KernelUnderTest& one : kernels) {
            first_.push_back(mutants_);
            mutants_ += one.mutants.size();
        }
    }
    std::size_t of(Kind kind, std::size_t kernel, std::size_t mutant = 0) const {
        if (kind == Kind::control) return 2 * mutants_ + kernel;
        return (kind == Kind::search ? mutants_ : 0) + first_[kernel] + mutant;
    }
    Place at(std::size_t place) const {
        if (place >= 2 * mutants_) return {Kind::control, place - 2 * mutants_, 0};
        const std::size_t index = place % mutants_;
        const auto kernel =
            static_cast<std::size_t>(std::ranges::upper_bound(first_, index) - first_.begin() - 1);
        return {place < mutants_ ? Kind::mutant : Kind::search, kernel, index - first_[kernel]};
    }

private:
    std::vector<std::size_t> first_;
    std::size_t mutants_ = 0;
};

bool is_seen(std::string_view result) {
    return result == name_of(End::wrong) || result == name_of(End::refused) ||
           result.starts_with(name_of(End::died));
}

/// Judges places in this process.
class PlaceJudge {
public:
    PlaceJudge(const ScoreTask& task, Device& device, long seconds)
        : task_(task),
          device_(device),
          check_time_([seconds] { limit_time(seconds); }),
          kernels_(kernels_under_test(*task.suite, task.only, device.info(), task.config)),
          places_(kernels_) {
        references_.set_reference_provider(references_among({task.entry}, task.config));
    }

    std::string result_of(std::size_t number) {
        const auto [kind, kernel, index] = places_.at(number);
        const KernelUnderTest& one = kernels_.at(kernel);
        if (kind == Places::Kind::search) return search(kernel, one.mutants.at(index));
        if (kind == Places::Kind::mutant)
            return std::string(name_of(judged(one, one.mutants.at(index))));
        for (const JudgedCase& of : one.cases) {
            Mutant as_it_is;
            as_it_is.text = of.program.source;
            const End end = judge(device_, {&of, 1}, as_it_is, references_, check_time_, nullptr);
            if (end != End::lived) return fmt::format("{}: {}", name_of(end), of.the_case.title());
        }
        return std::string(name_of(End::lived));
    }

private:
    End judged(const KernelUnderTest& one, const Mutant& mutant) {
        return judge(device_, one.cases, mutant, references_, check_time_, task_.compiler);
    }

    /// The first change of the manifest with which the mutant is noticed, and its kernel is right.
    std::string search(std::size_t kernel, const Mutant& mutant) {
        if (edits_.empty()) {
            for (ManifestEdit& edit : trial_edits(manifest_text(*task_.suite)))
                edits_.push_back({.edit = std::move(edit)});
        }
        // What has shown another mutant is likely to show this one.
        std::vector<std::size_t> order(edits_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, std::greater(),
                                 [&](std::size_t i) { return edits_[i].shown; });
        for (const std::size_t i : order) {
            if (!shows(edits_[i], i, kernel, mutant)) continue;
            ++edits_[i].shown;
            return fmt::format("{}{}", shown_by, i);
        }
        return "nothing shows it";
    }

    struct TriedEdit {
        ManifestEdit edit;
        std::size_t shown = 0;  ///< mutants
        std::unique_ptr<Suite> suite = {};
        std::vector<KernelUnderTest> kernels = {};
        std::set<std::size_t> unfit = {};  ///< kernels that are not right with it
        bool is_refused = false;
    };

    bool shows(TriedEdit& tried, std::size_t number, std::size_t kernel, const Mutant& mutant) {
        if (tried.is_refused || tried.unfit.contains(kernel)) return false;
        try {
            if (!tried.suite) {
                tried.suite = std::make_unique<Suite>(
                    suite_from(task_.suite->manifest, tried.edit.manifest, task_.permissions));
                // Reference data are kept by this name.
                tried.suite->name += fmt::format(" with change {}", number);
                tried.kernels = kernels_under_test(*tried.suite, variant_in(*tried.suite),
                                                   device_.info(), task_.config);
            }
            std::vector<JudgedCase> cases = tried.kernels.at(kernel).cases;
            for (JudgedCase& one : cases) {
                if (tried.suite->check_shapes.empty()) continue;
                // Constants may depend on the size.
                Case c = with_shape(one.the_case, tried.suite->check_shapes.back());
                one = judged_case(std::move(c), device_.info(), task_.config);
            }
            Mutant as_it_is;
            as_it_is.text = cases.at(0).program.source;
            if (judge(device_, cases, as_it_is, references_, check_time_, nullptr, true) !=
                End::lived) {
                tried.unfit.insert(kernel);
                return false;
            }
            const End end = judge(device_, cases, mutant, references_, check_time_, nullptr, true);
            return end == End::wrong || end == End::refused;
        } catch (const DeviceError&) {
            throw;
        } catch (const Error&) {
            tried.is_refused = true;
            return false;
        }
    }

    const Variant* variant_in(const Suite& suite) const {
        return task_.only ? &variant_named(suite, task_.only->name) : nullptr;
    }

    const ScoreTask& task_;
    Device& device_;
    std::function<void()> check_time_;
    std::vector<KernelUnderTest> kernels_;
    Places places_;
    std::vector<TriedEdit> edits_;
    ReferenceCache references_{std::uint64_t{1} << 28};
};

/// Scores the checks of one kernel after the other.
class Scorer {
public:
    explicit Scorer(const ScoreTask& task)
        : task_(task),
          kernels_(kernels_under_test(*task.suite, task.only, task.entry.info, task.config)),
          places_(kernels_),
          edits_(trial_edits(manifest_text(*task.suite))) {
        if (!kernels_.empty()) return;
        throw UsageError(
            fmt::format("{} has no kernel source that can be changed for {}: changes are made in "
                        "OpenCL C and CUDA C++, and not in PTX or machine code.",
                        task.suite->manifest, task.entry.info.id()));
    }

    std::vector<ChecksScore> all() {
        std::vector<ChecksScore> scores;
        for (std::size_t kernel = 0; kernel < kernels_.size(); ++kernel) {
            const double left = std::max(0.0, task_.budget_seconds - clock_.elapsed());
            scores.push_back(
                score_of(kernel, left / static_cast<double>(kernels_.size() - kernel)));
        }
        return scores;
    }

private:
    /// @param seconds  for this kernel
    ChecksScore score_of(std::size_t kernel, double seconds) {
        const KernelUnderTest& one = kernels_[kernel];
        ChecksScore score{.suite = task_.suite->name,
                          .kernel = one.name,
                          .device = task_.entry.info.id(),
                          .device_name = task_.entry.info.name,
                          .left_out_sizes = one.left_out_sizes,
                          .could_compare_code = task_.compiler != nullptr};
        for (const Variant* variant : one.variants) score.variants.push_back(variant->name);
        const auto begin = Clock::now();
        const auto after = [&](double share) {
            return begin + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(share * seconds));
        };
        score.against = against_of(one);
        score.problem = problem_of(kernel, after(1));
        if (!score.problem.empty()) {
            score.not_tried = one.mutants.size();
            return score;
        }
        try_mutants(kernel, after(share_for_mutants), score);
        search(kernel, after(1), score);
        return score;
    }

    static std::string against_of(const KernelUnderTest& one) {
        const Suite& suite = *one.cases.front().the_case.suite;
        if (suite.reference_kernel) return "reference kernel";
        return suite.reference ? suite.reference_name : "itself";
    }

    std::vector<std::string> results_of(const std::vector<std::size_t>& places,
                                        Clock::time_point until) const {
        std::vector<std::string> words = task_.words;
        words.insert(words.end(), {"--judge", std::to_string(limit_), "--places"});
        return deal(task_.program, words, places, task_.jobs, until,
                    std::chrono::seconds(5 + limit_));
    }

    /// Sets the time limit, too.
    std::string problem_of(std::size_t kernel, Clock::time_point until) {
        tell(kernel, "the kernel as it is");
        std::string result;
        for (const long limit : launch_limits) {
            const std::chrono::duration<double> left = until - Clock::now();
            if (!result.empty() && left.count() < static_cast<double>(limit)) break;
            limit_ = limit;
            result = results_of({places_.of(Places::Kind::control, kernel)}, until).front();
            if (!result.starts_with(name_of(End::died))) break;
        }
        if (result == name_of(End::lived)) return {};
        if (result.empty()) return "The budget ended before the kernel as it is was verified.";
        const std::string or_slow = result.starts_with(name_of(End::died))
                                        ? fmt::format(", or takes longer than {} s", limit_)
                                        : "";
        return fmt::format("The kernel as it is does not pass its checks ({}){}.", result, or_slow);
    }

    void try_mutants(std::size_t kernel, Clock::time_point until, ChecksScore& score) {
        const KernelUnderTest& one = kernels_[kernel];
        tell(kernel, fmt::format("{} changed kernels", one.mutants.size()));
        const std::vector<std::size_t> order = spread(one.mutants.size());
        std::vector<std::size_t> places;
        for (const std::size_t i : order)
            places.push_back(places_.of(Places::Kind::mutant, kernel, i));
        const std::vector<std::string> results = results_of(places, until);
        lived_.clear();
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::string& result = results[i];
            if (is_seen(result)) {
                ++score.noticed;
            } else if (result == name_of(End::same_code)) {
                ++score.same_code;
            } else if (result == name_of(End::not_built)) {
                ++score.not_built;
            } else if (result == name_of(End::lived)) {
                lived_.push_back(order[i]);
            } else {
                ++score.not_tried;
            }
        }
        std::ranges::sort(lived_);
    }

    void search(std::size_t kernel, Clock::time_point until, ChecksScore& score) {
        std::vector<std::size_t> places;
        for (const std::size_t i : lived_)
            places.push_back(places_.of(Places::Kind::search, kernel, i));
        if (!lived_.empty()) tell(kernel, "what shows those that pass");
        std::vector<std::string> results(places.size());
        if (!edits_.empty()) results = results_of(places, until);
        for (std::size_t i = 0; i < lived_.size(); ++i) {
            const Mutant& mutant = kernels_[kernel].mutants[lived_[i]];
            UnnoticedMutant& one = score.unnoticed.emplace_back(UnnoticedMutant{
                mutant.file, mutant.function, mutant.was, mutant.is, mutant.line, {}, {}});
            if (!results[i].starts_with(shown_by)) continue;
            const ManifestEdit& edit = edits_.at(std::stoul(results[i].substr(shown_by.size())));
            one.edit = edit.line;
            one.path = edit.path;
        }
    }

    void tell(std::size_t kernel, const std::string& what) const {
        if (task_.tell) task_.tell(fmt::format("{}: {}", kernels_[kernel].name, what));
    }

    const ScoreTask& task_;
    const BudgetClock clock_;
    std::vector<KernelUnderTest> kernels_;
    Places places_;
    std::vector<ManifestEdit> edits_;
    long limit_ = launch_limits.front();
    std::vector<std::size_t> lived_;  ///< mutants of the kernel
};

}  // namespace

double ChecksScore::share() const {
    const std::size_t others = noticed + unnoticed.size();
    return others == 0 ? 1 : static_cast<double>(noticed) / static_cast<double>(others);
}

std::vector<KernelUnderTest> kernels_under_test(const Suite& suite, const Variant* only,
                                                const DeviceInfo& info, const RunConfig& config) {
    std::vector<KernelUnderTest> kernels;
    std::map<std::string, std::size_t> known;  // by source
    for (const Variant& variant : suite.variants) {
        if (only ? &variant != only : variant.by_name_only) continue;
        std::vector<std::string> left_out;
        Case c = case_for(suite, variant, info, left_out);
        if (!missing_capability(info, c).empty()) continue;
        const Plan plan = plan_of(c);
        JudgedCase judged = judged_case(std::move(c), info, config);
        const Program& program = judged.program;
        if (program.language != Language::portable && program.language != Language::native)
            continue;
        std::string key = program.source;
        for (const Launch* launch : launches_of(plan)) key += "\n" + launch->kernel;
        const auto [place, is_new] = known.try_emplace(key, kernels.size());
        if (is_new) {
            kernels.push_back({variant.name, {}, mutants_of_launched(program, plan), {}, {}});
        }
        KernelUnderTest& one = kernels[place->second];
        one.variants.push_back(&variant);
        one.cases.push_back(std::move(judged));
        for (std::string& size : left_out) add_once(one.left_out_sizes, std::move(size));
    }
    return kernels;
}

std::vector<ChecksScore> score_checks(const ScoreTask& task) {
    return Scorer(task).all();
}

int judge_places(const ScoreTask& task, Device& device, long seconds, int file) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with its parent
    PlaceJudge judge(task, device, seconds);
    while (const auto place = next_place(file)) {
        fmt::print("{}\n", *place);
        std::fflush(stdout);
        try {
            limit_time(seconds);
            fmt::print("{} {}\n", *place, judge.result_of(*place));
            std::fflush(stdout);
        } catch (const DeviceError& error) {
            fmt::print(stderr, "{}\n", error.what());
            return 1;
        }
    }
    return 0;
}

std::string checks_digest(const Suite& suite, const Variant& variant, const RunConfig& config,
                          std::string_view program_version) {
    std::string all(program_version);
    const auto add = [&](std::string_view text) {
        all += '\0';
        all += text;
    };
    std::error_code error;
    const std::filesystem::path manifest = suite.manifest;
    const bool is_folder = std::filesystem::is_directory(manifest, error);
    add(variant.name);
    add(read_file((is_folder ? manifest / (variant.name + ".json") : manifest).string(),
                  most_manifest_bytes));
    std::vector<std::string> left_out;
    const Case c = case_for(suite, variant, {}, left_out);
    for (const char* backend : {"opencl", "cuda"}) add(program_of(c, config, backend).source);
    if (suite.reference_kernel) {
        Case reference = c;
        reference.variant = suite.reference_kernel.get();
        add(program_of(reference, config, "opencl").source);
    }
    // A capture's data are named by their hashes.
    if (!is_folder) {
        const Case small =
            suite.check_shapes.empty() ? c : with_shape(c, suite.check_shapes.front());
        for (const HostArray& input : suite.inputs(small, {"random", false, false}, score_seed)) {
            const auto bytes = input.bytes();
            all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
    }
    return hash_of(all);
}

}  // namespace parallax

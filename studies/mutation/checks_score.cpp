// Changes the kernels of a manifest, and counts what its checks notice.
#include "studies/mutation/checks_score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/hash.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/device_lock.hpp"
#include "measure/outcome.hpp"
#include "measure/verification.hpp"
#include "studies/mutation/deal.hpp"
#include "suites/manifest/guess.hpp"
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

/// The share of a kernel's time for finding out whether its larger sizes are soon verified.
constexpr double share_for_sizes = 0.1;

constexpr std::string_view shown_by = "shown by ";

/// Before each note in the result of a kernel as it is.
constexpr char note_mark = '\t';

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

/// The cost of verifying a case.
enum class Effort : std::uint8_t { small, unknown, large };

/// Where the manifest says of no operations, each work-item may use every element of a buffer, and
/// need not.
Effort effort_of(const Case& c, const DeviceInfo& info) {
    const double factor = info.is_gpu ? gpu_factor : 1;
    const Plan plan = plan_of(c);
    double items = 0, elements = 1;
    for (const Launch* launch : launches_of(plan)) items += work_items(launch->geometry);
    for (const BufferSpec& buffer : plan.buffers)
        elements = std::max(elements, static_cast<double>(buffer.elements));
    const double said = c.suite->work(c).operations;
    if (static_cast<double>(footprint(plan).total) > factor * most_bytes ||
        items > factor * most_items || said > factor * most_operations)
        return Effort::large;
    return said > 0 || items * elements <= factor * most_operations ? Effort::small
                                                                    : Effort::unknown;
}

/// A variant's case for all checks.
struct ChosenCase {
    Case the_case;
    std::vector<Shape> left_out;  ///< timed sizes that take too long
};

/// The largest timed size of at most this effort, else the last checked one, else the smallest.
ChosenCase case_for(const Suite& suite, const Variant& variant, const DeviceInfo& info,
                    Effort most) {
    const std::vector<Shape>& timed = shapes_of(suite, variant);
    const auto case_at = [&](const Shape& shape) {
        return on_backend(make_case(suite, variant, shape, suite.types.front()), info.backend);
    };
    std::optional<Case> chosen;
    std::vector<Shape> left_out;
    for (const Shape& shape : timed) {
        Case c = case_at(shape);
        if (effort_of(c, info) <= most) {
            chosen = std::move(c);
        } else {
            left_out.push_back(shape);
        }
    }
    if (chosen) return {std::move(*chosen), std::move(left_out)};
    if (!suite.check_shapes.empty()) return {case_at(suite.check_shapes.back()), left_out};
    left_out.erase(left_out.begin());
    return {case_at(timed.front()), std::move(left_out)};
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

/// Mutants of the launched kernels and of functions, without other kernels of the source.
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

/// The fills of buffers in a generated manifest of the kernels.
WideFills fills_for(const std::vector<KernelUnderTest>& kernels) {
    WideFills fills;
    for (const KernelUnderTest& one : kernels) {
        const Program& program = one.cases.front().program;
        if (program.language != Language::portable) continue;
        try {
            for (const KernelReading& reading :
                 read_kernels(program.name, program.source, {.defines = program.defines})) {
                for (const manifest::GuessedArgument& argument :
                     manifest::guess_launch(reading).arguments)
                    fills.emplace(argument.name, argument.fill);
            }
        } catch (const Error&) {  // the kernel is in no form that is read
        }
    }
    return fills;
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

Clock::duration seconds_of(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
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
        return as_it_is(kernel);
    }

private:
    const std::vector<JudgedCase>& cases_of(const KernelUnderTest& one) const {
        return task_.longer ? one.longer_cases : one.cases;
    }

    End judged(const KernelUnderTest& one, const Mutant& mutant) {
        return judge(device_, cases_of(one), mutant, references_, check_time_, task_.compiler);
    }

    End judged_as_it_is(std::span<const JudgedCase> cases, bool is_glance) {
        Mutant as_it_is;
        as_it_is.text = cases.front().program.source;
        return judge(device_, cases, as_it_is, references_, check_time_, nullptr, is_glance);
    }

    /// `lived`, with the notes of all cases, and the changes of the manifest with which its answers
    /// are not the reference's; else what is wrong.
    std::string as_it_is(std::size_t kernel) {
        const KernelUnderTest& one = kernels_.at(kernel);
        std::vector<std::string> notes;
        for (const JudgedCase& of : cases_of(one)) {
            const End end = end_as_it_is(one, of, notes);
            if (end != End::lived) return fmt::format("{}: {}", name_of(end), of.the_case.title());
        }
        std::string result(name_of(End::lived));
        for (const std::string& note : notes) result += note_mark + printable(note);
        load_edits();
        const bool has_reference = task_.suite->reference || task_.suite->reference_kernel;
        for (std::size_t i = 0; has_reference && i < edits_.size(); ++i) {
            if (!edits_[i].edit.is_exact || !can_load(edits_[i], i)) continue;
            const std::vector<JudgedCase> cases = cases_with(edits_[i], kernel);
            if (!cases.empty() && judged_as_it_is(cases, false) == End::wrong)
                result += fmt::format("{}{}{}", note_mark, shown_by, i);
        }
        return result;
    }

    End end_as_it_is(const KernelUnderTest& one, const JudgedCase& of,
                     std::vector<std::string>& notes) {
        Outcome o;
        o.the_case = of.the_case;
        o.plan = plan_of(of.the_case);
        try {
            check_time_();
            o.codes = build(device_, only_launched(of.program, o.plan), o.plan);
            o.checked =
                Verifier{device_, references_, score_seed, check_time_, false, false}.verify(
                    of.the_case, of.program, o.codes);
        } catch (const DeviceError&) {
            throw;
        } catch (const BuildFailed&) {
            return End::not_built;
        } catch (const Error&) {
            return End::refused;
        }
        if (!o.checked->right()) return End::wrong;
        // A run has the sizes that are left out here.
        for (const Shape& shape : task_.longer ? one.longer_left_out : one.left_out)
            o.checked->shapes.push_back(shape);
        auto [said, doubts] = remarks_of(*o.checked);
        std::ranges::move(weak_data_of(o), std::back_inserter(said));
        for (std::string& note : remarks_of(std::move(said), doubts))
            add_once(notes, std::move(note));
        return End::lived;
    }

    /// The first change of the manifest with which the mutant is noticed, and its kernel is right.
    std::string search(std::size_t kernel, const Mutant& mutant) {
        load_edits();
        // An edit that caught another mutant is likely to catch this one.
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
        std::set<std::size_t> fit = {};    ///< those that are, in all checks
        bool is_refused = false;
    };

    void load_edits() {
        if (!edits_.empty()) return;
        for (ManifestEdit& edit : trial_edits(manifest_text(*task_.suite), fills_for(kernels_)))
            edits_.push_back({.edit = std::move(edit)});
    }

    /// Loads the manifest with the change. @returns whether that is possible
    bool can_load(TriedEdit& tried, std::size_t number) {
        if (tried.is_refused || tried.suite) return !tried.is_refused;
        try {
            tried.suite = std::make_unique<Suite>(
                suite_from(task_.suite->manifest, tried.edit.manifest, task_.permissions));
            // Reference data are kept by this name.
            tried.suite->name += fmt::format(" with change {}", number);
            tried.kernels = kernels_under_test(*tried.suite, variant_in(*tried.suite),
                                               device_.info(), task_.config);
        } catch (const DeviceError&) {
            throw;
        } catch (const Error&) {
            tried.is_refused = true;
        }
        return !tried.is_refused;
    }

    bool shows(TriedEdit& tried, std::size_t number, std::size_t kernel, const Mutant& mutant) {
        if (!can_load(tried, number) || tried.unfit.contains(kernel)) return false;
        try {
            const std::vector<JudgedCase> whole = cases_with(tried, kernel);
            std::vector<JudgedCase> cases = whole;
            for (JudgedCase& one : cases) {
                if (tried.suite->check_shapes.empty()) continue;
                // Constants may depend on the size.
                Case c = with_shape(one.the_case, tried.suite->check_shapes.back());
                one = judged_case(std::move(c), device_.info(), task_.config);
            }
            if (cases.empty() || judged_as_it_is(cases, true) != End::lived) {
                tried.unfit.insert(kernel);
                return false;
            }
            const End end = judge(device_, cases, mutant, references_, check_time_, nullptr, true);
            if (end != End::wrong && end != End::refused) return false;
            if (tried.fit.contains(kernel)) return true;
            const bool is_fit = std::ranges::all_of(whole, [&](const JudgedCase& one) {
                return judged_as_it_is({&one, 1}, false) == End::lived;
            });
            (is_fit ? tried.fit : tried.unfit).insert(kernel);
            return is_fit;
        } catch (const DeviceError&) {
            throw;
        } catch (const Error&) {
            tried.is_refused = true;
            return false;
        }
    }

    /// The cases of the kernel's variants with that change, which may part or unite kernels.
    std::vector<JudgedCase> cases_with(const TriedEdit& tried, std::size_t kernel) const {
        const auto has = [&](const Variant* variant) {
            return std::ranges::any_of(kernels_.at(kernel).variants, [&](const Variant* own) {
                return own->name == variant->name;
            });
        };
        std::vector<JudgedCase> cases;
        for (const KernelUnderTest& one : tried.kernels) {
            for (std::size_t i = 0; i < one.variants.size(); ++i)
                if (has(one.variants[i])) cases.push_back(cases_of(one)[i]);
        }
        return cases;
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
          edits_(trial_edits(manifest_text(*task.suite), fills_for(kernels_))) {
        if (!kernels_.empty()) return;
        throw UsageError(
            fmt::format("{} has no kernel source that can be changed for {}: changes are made in "
                        "OpenCL C and CUDA C++, and not in PTX or machine code.",
                        task.suite->manifest, task.entry.info.id()));
    }

    std::vector<ChecksScore> all() {
        std::vector<ChecksScore> scores;
        for (std::size_t kernel = 0; kernel < kernels_.size(); ++kernel) {
            if (is_stopped()) break;
            const double left = std::max(0.0, task_.budget_seconds - clock_.elapsed());
            scores.push_back(
                score_of(kernel, left / static_cast<double>(kernels_.size() - kernel)));
        }
        return scores;
    }

private:
    bool is_stopped() const { return task_.is_stopped && task_.is_stopped(); }

    /// @param seconds  for this kernel
    ChecksScore score_of(std::size_t kernel, double seconds) {
        const KernelUnderTest& one = kernels_[kernel];
        ChecksScore score{.suite = task_.suite->name,
                          .kernel = one.name,
                          .device = task_.entry.info.id(),
                          .device_name = task_.entry.info.name,
                          .could_compare_code = task_.compiler != nullptr};
        for (const Variant* variant : one.variants) score.variants.push_back(variant->name);
        const auto begin = Clock::now();
        score.against = against_of(one);
        const std::string result = as_it_is(kernel, begin, seconds);
        score.size = to_string((is_longer_ ? one.longer_cases : one.cases).front().the_case.shape);
        for (const Shape& shape : is_longer_ ? one.longer_left_out : one.left_out)
            score.left_out_sizes.push_back(to_string(shape));
        score.problem = problem_of(result);
        score.fails = !score.problem.empty() && !result.empty() && !is_late(result);
        if (!score.problem.empty()) {
            score.not_tried = one.mutants.size();
            return score;
        }
        for (std::size_t at = result.find(note_mark); at != result.npos;) {
            const std::size_t next = result.find(note_mark, ++at);
            std::string note = result.substr(at, next - at);
            if (note.starts_with(shown_by)) {
                const ManifestEdit& edit = edits_.at(std::stoul(note.substr(shown_by.size())));
                score.unnoticed.push_back(
                    {.file = one.cases.front().program.name, .edit = edit.line, .path = edit.path});
            } else {
                score.notes.push_back(std::move(note));
            }
            at = next;
        }
        try_mutants(kernel, begin + seconds_of(share_for_mutants * seconds), score);
        search(kernel, begin + seconds_of(seconds), score);
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
        words.insert(words.end(), {"--judge", std::to_string(limit_)});
        if (is_longer_) words.emplace_back("--longer");
        words.emplace_back("--places");
        return deal(task_.program, words, places, task_.jobs, until,
                    std::chrono::seconds(5 + limit_), task_.is_stopped);
    }

    std::string verified(std::size_t kernel, Clock::time_point until) {
        return results_of({places_.of(Places::Kind::control, kernel)}, until).front();
    }

    /// Verifies the kernel as it is, and chooses its sizes and the time limit by how long it takes.
    /// @return its result; empty: the budget has ended
    std::string as_it_is(std::size_t kernel, Clock::time_point begin, double seconds) {
        tell(kernel, "the kernel as it is");
        const KernelUnderTest& one = kernels_[kernel];
        std::string result;
        limit_ = launch_limits.front();
        is_longer_ = one.may_be_longer;
        if (is_longer_) {
            const auto start = Clock::now();
            result = verified(kernel, start + seconds_of(share_for_sizes * seconds));
            const std::chrono::duration<double> took = Clock::now() - start;
            const double all = took.count() * static_cast<double>(one.mutants.size());
            is_longer_ = !result.empty() && !is_late(result) &&
                         all <= share_for_mutants * seconds * task_.jobs;
        }
        if (is_longer_) return result;
        const auto until = begin + seconds_of(seconds);
        result.clear();
        for (const long limit : launch_limits) {
            const std::chrono::duration<double> left = until - Clock::now();
            if (!result.empty() && left.count() < static_cast<double>(limit)) break;
            limit_ = limit;
            result = verified(kernel, until);
            if (!is_late(result)) break;
        }
        return result;
    }

    std::string problem_of(const std::string& result) const {
        if (result.starts_with(name_of(End::lived))) return {};
        if (is_stopped()) return "It was interrupted before the kernel as it is was verified.";
        if (result.empty()) {
            return "The budget ended before the kernel as it is was verified: give more with "
                   "--budget.";
        }
        if (is_late(result)) {
            return fmt::format(
                "A build or a launch of the kernel as it is takes longer than {} s{}.", limit_,
                limit_ < launch_limits.back() ? ", and the budget ends before a longer limit: give "
                                                "more with --budget, or smaller sizes"
                                              : ": give smaller sizes");
        }
        return fmt::format("The kernel as it is does not pass its checks ({}).", result);
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
            const End end = end_of(results[i]);
            if (end == End::lived) lived_.push_back(order[i]);
            score.noticed += is_noticed(end);
            score.same_code += end == End::same_code;
            score.not_built += end == End::not_built;
            score.not_tried += end == End::not_tried;
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
                .file = mutant.file, .function = mutant.function, .was = mutant.was});
            one.is = mutant.is;
            one.line = mutant.line;
            one.column = mutant.column;
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
    bool is_longer_ = false;
    std::vector<std::size_t> lived_;  ///< mutants of the kernel
};

}  // namespace

double ChecksScore::share() const {
    const std::size_t others = noticed + unnoticed.size();
    return others == 0 ? 1 : static_cast<double>(noticed) / static_cast<double>(others);
}

double ChecksScore::least_share() const {
    if (not_tried == 0) return share();
    const auto count = static_cast<double>(noticed + unnoticed.size());
    if (count == 0) return 0;
    constexpr double z = 1.645;  // of the normal distribution, one-sided
    const double p = share(), square = z * z / count;
    return (p + square / 2 - std::sqrt(square * (p * (1 - p) + square / 4))) / (1 + square);
}

std::vector<KernelUnderTest> kernels_under_test(const Suite& suite, const Variant* only,
                                                const DeviceInfo& info, const RunConfig& config) {
    std::vector<KernelUnderTest> kernels;
    std::map<std::string, std::size_t> known;  // by source
    for (const Variant& variant : suite.variants) {
        if (only ? &variant != only : variant.by_name_only) continue;
        auto [c, left_out] = case_for(suite, variant, info, Effort::small);
        auto [longer, longer_left_out] = case_for(suite, variant, info, Effort::unknown);
        if (!missing_capability(info, c).empty()) continue;
        const Plan plan = plan_of(c);
        const bool is_longer = !(longer.shape == c.shape);
        JudgedCase judged = judged_case(std::move(c), info, config);
        const Program& program = judged.program;
        if (program.language != Language::portable && program.language != Language::native)
            continue;
        std::string key = program.source;
        for (const Launch* launch : launches_of(plan)) key += "\n" + launch->kernel;
        const auto [place, is_new] = known.try_emplace(key, kernels.size());
        if (is_new) {
            kernels.push_back(
                {.name = variant.name, .mutants = mutants_of_launched(program, plan)});
        }
        KernelUnderTest& one = kernels[place->second];
        one.variants.push_back(&variant);
        one.cases.push_back(std::move(judged));
        one.longer_cases.push_back(judged_case(std::move(longer), info, config));
        one.may_be_longer = one.may_be_longer || is_longer;
        for (const Shape& shape : left_out) add_once(one.left_out, shape);
        for (const Shape& shape : longer_left_out) add_once(one.longer_left_out, shape);
    }
    return kernels;
}

std::vector<ChecksScore> score_checks(const ScoreTask& task) {
    return Scorer(task).all();
}

int judge_places(const ScoreTask& task, Device& device, long seconds, int file) {
    PlaceJudge judge(task, device, seconds);
    return work_off(file, seconds, [&](std::size_t place) { return judge.result_of(place); });
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
    const Case c =
        make_case(suite, variant, shapes_of(suite, variant).front(), suite.types.front());
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

// Tests that verification detects every planted error on every available device or, where the order
// of work-items hides a race, Oclgrind does.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/tests/thorough.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "mapping/translate/translate.hpp"
#include "measure/verification.hpp"
#include "suites/tests/planted_cases.hpp"

namespace parallax::planted_test {
namespace {

// Detection must not depend on the seed; 0 is the program's default.
constexpr std::uint64_t seeds[] = {0, 1, 2};

TEST(PlantedErrors, TableIsSound) {
    EXPECT_GE(planted_errors().size(), 250u)
        << "docs/concepts/verification.md and docs/concepts/cuda-on-cpu.md say so";
    std::set<std::pair<std::string_view, std::string_view>> names;
    std::map<std::string_view, int> of_suite;
    for (const Planted& planted : planted_errors()) {
        EXPECT_TRUE(names.insert({planted.suite, planted.name}).second) << planted.name;
        ++of_suite[planted.suite];
        EXPECT_FALSE(planted.why.empty()) << planted.name;
        // At least one check must detect it.
        if (planted.finding == ExpectedFinding::blind ||
            planted.finding == ExpectedFinding::unfit) {
            EXPECT_NE(planted.oclgrind, Oclgrind::silent) << planted.name;
        }
        if (planted.pattern.empty()) continue;
        const auto patterns = input_patterns_of(case_of(planted));
        EXPECT_NE(std::ranges::find(patterns, planted.pattern, &InputPattern::name), patterns.end())
            << planted.name;
    }
    for (const Suite& suite : suites()) EXPECT_GE(of_suite[suite.name], 4) << suite.name;
}

TEST(PlantedErrors, EveryOneIsAKernelForBothBackends) {
    for (const Planted& planted : planted_errors()) {
        const Case c = case_of(planted);
        const Program program = program_with(planted, c);
        EXPECT_NE(edited_source(program), program.source) << planted.name;
        EXPECT_NO_THROW(to_cuda(program.name, edited_source(program), translate_options(program)))
            << planted.name;
    }
}

/// The order in which a device runs a work-group's work-items between barriers.
enum class Order { unknown, ascending, scrambled };

Order order_of(const DeviceInfo& info) {
    if (info.only_checks) return Order::scrambled;
    // Later versions use other orders, so that some races do not show.
    return info.is_pocl() && info.driver_version.starts_with("3.") ? Order::ascending
                                                                   : Order::unknown;
}

/// All devices except the sanitized one, opened once, with compiled kernels and passed originals.
class Here {
public:
    static Here& get() {
        static Here here;
        return here;
    }

    struct One {
        Entry entry;
        DeviceInfo info;
        std::unique_ptr<Device> device;
        Order order = Order::unknown;
        std::map<std::string, Codes> unharmed;
        std::set<std::string> passed;
    };
    std::vector<One> devices;
    ReferenceCache references{std::uint64_t{1} << 28};

private:
    Here() {
        for (const Entry& entry : find_devices(backends()).entries) {
            if (entry.info.has("sanitizers")) continue;
            devices.push_back({entry, entry.info, entry.open(), order_of(entry.info), {}, {}});
        }
    }
};

/// Verifies the original kernel.
VerificationResult check(Here::One& one, const Case& c) {
    const Program program = program_of(c);
    const Codes codes = build(*one.device, program, plan_of(c));
    return Verifier{*one.device, Here::get().references, seeds[0]}.verify(c, program, codes);
}

/// Verifies the original where the error showed. Trials are cached.
void expect_right_unharmed(Here::One& one, const Case& c, const Failure& failure,
                           std::uint64_t seed) {
    const auto trials = trials_of(c, false, true);
    const auto trial = std::ranges::find_if(trials, [&](const VerificationTrial& at) {
        return at.the_case.shape.extents == failure.shape && at.pattern.name == failure.pattern;
    });
    ASSERT_NE(trial, trials.end());
    const Case& tried = trial->the_case;
    std::string text =
        fmt::format("{}/{} {}", tried.suite->name, tried.variant->name, name_of(tried.type));
    for (const Constant& constant : tried.constants) {
        text += fmt::format(" {}={}", constant.name, constant.value);
    }
    const std::string key =
        fmt::format("{} {} {} {}", text, to_string(tried.shape), failure.pattern, seed);
    if (one.passed.contains(key)) return;
    const Plan plan = plan_of(tried);
    Codes& codes = one.unharmed[text];
    const bool is_built = std::ranges::all_of(
        launches_of(plan), [&](const Launch* launch) { return codes.contains(launch->kernel); });
    if (!is_built) codes = build(*one.device, only_launched(program_of(tried), plan), plan);
    VerificationResult checked;
    checked.trials = static_cast<unsigned>(trial - trials.begin());  // which determines the poison
    Verifier{*one.device, Here::get().references, seed}.launch(tried, codes, trial->pattern,
                                                               checked);
    ASSERT_TRUE(checked.right()) << "without the error: " << checked.failure->what;
    one.passed.insert(key);
}

/// The same with the whole verification, once. @return whether the device supports it
bool expect_right_at_all(Here::One& one, const Case& c) {
    const std::string key = c.title() + to_string(c.shape);
    if (one.passed.contains(key)) return true;
    try {
        const VerificationResult control = check(one, c);
        EXPECT_TRUE(control.right()) << "without the error: " << told(control);
        if (control.right()) one.passed.insert(key);
    } catch (const Unsupported&) {
        return false;
    }
    return true;
}

/// Verifies a source with an error; nothing where the device itself stopped.
/// @param codes  of the source, built where they are missing: only its launched kernels, which is
/// faster
std::optional<VerificationResult> check_planted(Here::One& one, const Case& c,
                                                const Program& program, Codes& codes,
                                                std::uint64_t seed) {
    try {
        const Plan plan = plan_of(c);
        if (codes.empty()) codes = build(*one.device, only_launched(program, plan), plan);
        return Verifier{*one.device, Here::get().references, seed}.verify(c, program, codes);
    } catch (const DeviceError&) {
        codes.clear();
        one.unharmed.clear();
        one.device = nullptr;
        try {
            one.device = one.entry.open();
        } catch (const DeviceError&) {
            // A card's driver may no longer work in this process: it is skipped from here on.
        }
        return {};
    }
}

/// The words that identify this kind of failure.
std::string_view words_of(ExpectedFinding gate) {
    switch (gate) {
        case ExpectedFinding::wrong: return "element(s) wrong";
        case ExpectedFinding::before: return "before the start of buffer";
        case ExpectedFinding::behind: return "past the end of buffer";
        case ExpectedFinding::altered: return "altered its input";
        case ExpectedFinding::blind:
        case ExpectedFinding::unfit: break;
    }
    return {};
}

class PlantedError : public testing::TestWithParam<Planted> {};

bool takes(const Here::One& one, const Case& c) {
    if (c.type == ElementType::f64 && !one.info.has("double")) return false;
    return one.device && missing_capability(one.info, c).empty();
}

/// The devices that run it. Unless thorough, where both PoCL and the host support it, PoCL runs one
/// of four wrong results, and the host, which builds faster, the others, through the translation to
/// CUDA. PoCL runs all other kinds; races run on both.
std::vector<Here::One*> devices_for(const Planted& planted, const Case& c) {
    std::vector<Here::One*> all;
    for (Here::One& one : Here::get().devices) {
        if (takes(one, c)) all.push_back(&one);
    }
    const auto is_pocl = [](const Here::One* one) { return one->info.is_pocl(); };
    const auto is_host = [](const Here::One* one) { return one->info.only_checks; };
    const bool has_both = std::ranges::any_of(all, is_pocl) && std::ranges::any_of(all, is_host);
    if (test::is_thorough() || !has_both || planted.is_race ||
        planted.finding == ExpectedFinding::blind) {
        return all;
    }
    const auto place =
        std::ranges::find_if(planted_errors(),
                             [&](const Planted& one) {
                                 return one.suite == planted.suite && one.name == planted.name;
                             }) -
        planted_errors().begin();
    const bool is_plain = planted.finding == ExpectedFinding::wrong && planted.pattern.empty();
    std::erase_if(all, [&](const Here::One* one) {
        return is_plain && place % 4 != 0 ? is_pocl(one) : is_host(one);
    });
    return all;
}

TEST_P(PlantedError, IsNoticedByTheGate) {
    const Planted& planted = GetParam();
    const Case c = case_of(planted);
    unsigned ran = 0;
    for (Here::One* const at : devices_for(planted, c)) {
        Here::One& one = *at;
        SCOPED_TRACE(one.info.id() + " " + one.info.name);
        // Where an error may show nothing, or crash the device.
        const bool is_luck = planted.is_race && one.order == Order::unknown;
        const bool is_card = !one.info.is_pocl() && !one.info.only_checks;
        if ((is_luck || is_card) && !expect_right_at_all(one, c)) continue;
        ++ran;
        Codes codes;
        const Program program = program_with(planted, c);
        for (const std::uint64_t seed : seeds) {
            if (seed != seeds[0] && !test::is_thorough()) break;
            // Inputs matter little where work-items run slowly, in a different order each time.
            if (seed != seeds[0] && one.order == Order::scrambled && !planted.is_race) break;
            std::optional<VerificationResult> told_by;
            try {
                told_by = check_planted(one, c, program, codes, seed);
            } catch (const Unsupported&) {
                // It does not support the launch, with the error or without.
                EXPECT_THROW(check(one, c), Unsupported);
                --ran;
                break;
            }
            if (!told_by) {  // an access that the device intercepts
                if (one.device) expect_right_at_all(one, c);
                break;
            }
            const VerificationResult& checked = *told_by;
            if (is_luck) continue;
            const bool shows = planted.is_race && !planted.is_benign;
            if (planted.finding == ExpectedFinding::blind &&
                !(shows && one.order == Order::scrambled)) {
                EXPECT_TRUE(checked.right()) << "The gate sees it after all: " << told(checked);
                continue;
            }
            ASSERT_FALSE(checked.right()) << planted.why << " Seed " << seed << ".";
            expect_right_unharmed(one, c, *checked.failure, seed);
            if (planted.finding == ExpectedFinding::blind || one.order == Order::scrambled)
                continue;
            EXPECT_NE(checked.failure->what.find(words_of(planted.finding)), std::string::npos)
                << told(checked);
            if (!planted.pattern.empty()) {
                EXPECT_EQ(checked.failure->pattern, planted.pattern) << told(checked);
            }
        }
    }
    if (ran == 0) GTEST_SKIP() << "no device here takes it";
}

INSTANTIATE_TEST_SUITE_P(ExpectedFinding, PlantedError,
                         testing::ValuesIn(test::every_nth(those([](const Planted& planted) {
                                                               return planted.finding !=
                                                                      ExpectedFinding::unfit;
                                                           }),
                                                           3)),
                         test_name);

/// The output of Oclgrind and the runner.
struct Watched {
    int exit_code = 0;
    std::string output, log;
};

std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char letter : word) {
        if (letter == '\'') {
            text += "'\\''";
        } else {
            text += letter;
        }
    }
    return text + "'";
}

/// Starts the runner, which is next to this program, under Oclgrind.
Watched watch(const std::string& planted) {
    const auto runner =
        std::filesystem::read_symlink("/proc/self/exe").replace_filename("oclgrind_runner");
    const TemporaryFolder folder("parallax-oclgrind-");
    const auto log = folder.path() / "log", output = folder.path() / "output";
    // The kernels are not optimised: Oclgrind 21.10 crashes on vectors with undefined components,
    // and an optimiser may remove races.
    const std::string command = fmt::format(
        "oclgrind --data-races --uniform-writes --uninitialized --build-options -cl-opt-disable "
        "--log {} {} {} > {} 2>&1",
        quoted(log), quoted(runner), planted.empty() ? "" : quoted(planted), quoted(output));
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(output), content(log)};
}

bool has_oclgrind() {
    return std::system("command -v oclgrind > /dev/null 2>&1") == 0;
}

/// Oclgrind may be missing on a developer's machine, but not in a full check.
class UnderOclgrind : public testing::TestWithParam<Planted> {
protected:
    void SetUp() override {
        if (has_oclgrind()) return;
        const char* ci = std::getenv("CI");
        if (ci && std::string_view(ci) == "true") FAIL() << "Oclgrind is not installed.";
        GTEST_SKIP() << "Oclgrind is not installed: apt-get install oclgrind";
    }
};

class AllKernels : public UnderOclgrind {};

// The unused parameter belongs to the fixture.
TEST_P(AllKernels, AreCleanUnderOclgrind) {
    const Watched watched = watch("");
    EXPECT_EQ(watched.exit_code, 0) << watched.output;
    EXPECT_EQ(watched.log, "");
    for (const Suite& suite : suites()) {
        for (const Variant& variant : suite.variants) {
            if (!variant.natives.empty()) continue;
            const std::string title = fmt::format(" {}/{} ", suite.name, variant.name);
            // The backend reports features that OpenCL lacks.
            EXPECT_TRUE(watched.output.find("right" + title) != std::string::npos ||
                        watched.output.find("unsupported" + title) != std::string::npos)
                << title << "\n"
                << watched.output;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Oclgrind, AllKernels, testing::Values(Planted{}));

std::vector<std::string> words_of(Oclgrind report) {
    switch (report) {
        case Oclgrind::silent: break;
        case Oclgrind::race: return {"data race at"};
        case Oclgrind::uninitialized: return {"ninitialized value", "ninitialized address"};
        case Oclgrind::outside: return {"Invalid write", "Invalid read"};
        case Oclgrind::divergence: return {"Work-group divergence detected"};
    }
    return {};
}

/// The lines of the file that differ from Oclgrind's excerpts. It prints them as `At line 7 (column
/// 3) of x.cl:`, and the line below.
std::vector<std::string> wrong_excerpts(const std::string& log, const Program& program) {
    const auto trimmed = [](std::string_view line) {
        const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
        return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    };
    const std::string source = edited_source(program);
    const std::vector<std::string_view> file = lines_of(source), said = lines_of(log);
    std::vector<std::string> wrong;
    for (std::size_t i = 0; i + 1 < said.size(); ++i) {
        std::size_t number = 0;
        const std::string line(trimmed(said[i]));
        // The first has a prefix.
        if (std::sscanf(line.c_str(), "At line %zu ", &number) != 1 || number < 2) continue;
        if (!line.ends_with(" of " + program.name + ":") || number > file.size()) continue;
        if (trimmed(said[i + 1]) != trimmed(file[number - 1]))
            wrong.push_back(line + std::string(said[i + 1]));
    }
    return wrong;
}

TEST_P(UnderOclgrind, IsReported) {
    const Planted& planted = GetParam();
    const Watched watched = watch(std::string(planted.name));
    EXPECT_THAT(wrong_excerpts(watched.log, program_with(planted, small_case(planted))),
                testing::IsEmpty());
    EXPECT_TRUE(watched.exit_code == 0 || watched.exit_code == 1 ||
                planted.oclgrind == Oclgrind::divergence)
        << watched.output;
    const auto words = words_of(planted.oclgrind);
    EXPECT_TRUE(std::ranges::any_of(
        words,
        [&](const std::string& word) { return watched.log.find(word) != std::string::npos; }))
        << watched.log << watched.output;
}

/// Errors that only Oclgrind detects; unless thorough, every third of the others.
std::vector<Planted> for_oclgrind() {
    std::vector<Planted> all = those([](const Planted& planted) {
        return planted.oclgrind != Oclgrind::silent && (planted.finding == ExpectedFinding::blind ||
                                                        planted.finding == ExpectedFinding::unfit);
    });
    std::ranges::move(test::every_nth(those([](const Planted& planted) {
                                          return planted.oclgrind != Oclgrind::silent &&
                                                 planted.finding != ExpectedFinding::blind &&
                                                 planted.finding != ExpectedFinding::unfit;
                                      }),
                                      3),
                      std::back_inserter(all));
    return all;
}

INSTANTIATE_TEST_SUITE_P(Oclgrind, UnderOclgrind, testing::ValuesIn(for_oclgrind()), test_name);

}  // namespace
}  // namespace parallax::planted_test

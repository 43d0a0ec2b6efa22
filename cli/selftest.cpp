// `parallax selftest`: checks that verification catches planted errors and that timing is accurate.
#include "studies/selftest/selftest.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/chosen_devices.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/request.hpp"
#include "cli/result_writers.hpp"
#include "cli/selftest_kernel.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "measure/device_lock.hpp"
#include "measure/sizing.hpp"
#include "report/selftest/score_report.hpp"

namespace parallax::cli {
namespace {

/// Acceptable rate of false verdicts: 4 in 1000.
constexpr double lies_allowed = 0.004;
constexpr double seconds_a_device = 150;
/// Largest share of a device's time for the timing trials; planted errors get the rest.
constexpr double share_of_clock = 2.0 / 3;

std::string counts(const VerdictCounts& c) {
    return fmt::format("{} SAME, A slower in {}, B slower in {}, {} UNDECIDED", c.same, c.faster,
                       c.slower, c.undecided);
}

/// Whether there are significantly more false verdicts than the allowed rate.
bool too_many(unsigned lies, unsigned trials, double allowed) {
    const double expected = allowed * trials;
    return lies > expected + 3 * std::sqrt(expected);
}

class SelfTestCommand {
public:
    SelfTestCommand(const Values& values, CommandContext& context) : context_(context) {
        const auto number = [&](const char* name, unsigned otherwise, unsigned most) {
            const auto word = value_of<std::string>(values, name);
            return word ? static_cast<unsigned>(
                              parse_number(fmt::format("--{}", name), *word, 0, most))
                        : otherwise;
        };
        request_.trials = number("trials", request_.trials, 1000000);
        request_.planted = number("planted", request_.trials / 5, 1000000);
        request_.margin = margin_of(values);
        budget_ = value_of<double>(values, "budget");
        if (budget_ && !(*budget_ > 0)) {
            throw UsageError("--budget is a number of seconds greater than 0.");
        }
        const auto seed = value_of<std::string>(values, "seed");
        request_.seed =
            seed ? parse_number("--seed", *seed, 0, std::numeric_limits<std::uint64_t>::max()) : 0;
        devices_ = words_of(values, "device");
        data_ = value_of<std::string>(values, "data");
        request_.busy = number("busy", 0, 1024);
        quiet_ = values.count("quiet") > 0;
        gate_only_ = request_.trials == 0 && request_.planted == 0;
        as_json_ = value_of<std::string>(values, "format") == "json";
        found_.margin = request_.margin;
    }

    int run() {
        const Devices devices = find_devices(context_.backends);
        const std::vector<Entry> entries = chosen_entries(devices, devices_);
        if (!gate_only_) refuse_untimed(entries);
        if (data_) writers_.emplace(data_, "selftest", "--data");
        if (entries.empty()) {
            print_json();
            throw no_device("to try");
        }
        const InterruptGuard interrupt;
        try {
            try_all(entries);
        } catch (const Interrupted&) {
            context_.out << std::flush;
            context_.err << "parallax: Interrupted.\n";
            print_places();
            throw;
        }
        print_json();
        print_places();
        return bad_ ? exit_wrong : exit_ok;
    }

private:
    void print_json() {
        if (as_json_) context_.out << selftest_json(found_, !bad_);
    }

    void print_places() const {
        if (!quiet_ && writers_) writers_->print_places(context_.err);
    }

    void try_all(const std::vector<Entry>& entries) {
        const RunInfo info = run_info(context_, request_.seed);
        if (!quiet_) warn_of_environment(info, entries, context_);
        const double budget =
            budget_.value_or(seconds_a_device * static_cast<double>(entries.size()));
        double devices_left = static_cast<double>(entries.size());
        for (const Entry& entry : entries) {
            const double until =
                clock_.elapsed() + std::max(0.0, budget - clock_.elapsed()) / devices_left--;
            const auto left = [&] { return std::max(0.0, until - clock_.elapsed()); };
            found_.devices.push_back({entry.info.id(), entry.info.name, {}, {}});
            text() << fmt::format("\n{}  {}\n", entry.info.id(), entry.info.name);
            if (!gate_only_) {
                request_.budget_seconds = (request_.busy > 0 ? 1 : share_of_clock) * left();
                try_clock(entry, info);
            }
            // Last: an error may make the device unusable in this process.
            if (request_.busy == 0) {
                show(try_verification(entry, request_.seed, left(), InterruptGuard::check));
            }
        }
    }

    /// The stream for readable output: none where a program reads.
    std::ostream& text() { return as_json_ ? nowhere_ : context_.out; }

    void try_clock(const Entry& entry, const RunInfo& info) {
        ProgressLine line(context_.err, quiet_);
        const RunConfig config = run_config(context_, request_.seed, {});
        const SelfTestReport report = run_selftest(
            entry, request_, config, info,
            [&](const ResultEntry& pair) {
                if (writers_) writers_->add(pair, entry.info.name);
            },
            [&](const Progress& progress) { line.show(progress); });
        line.clear();
        show(report);
    }

    void show(const VerificationTally& tally) {
        found_.devices.back().gate = tally;
        text() << fmt::format("  Verification detected {} of {} planted errors.\n", tally.noticed,
                              tally.planted);
        for (const std::string& one : tally.missed) {
            text() << fmt::format("    missed: {}\n", one);
        }
        if (!tally.ended_by.empty()) {
            text() << fmt::format(
                "    '{}' left the device unusable in this process, so the errors after it were "
                "not tried.\n",
                tally.ended_by);
        }
        if (tally.untried > 0) {
            text() << fmt::format(
                "    The budget ended it before {} more were tried; --budget gives more.\n",
                tally.untried);
        }
        bad_ = bad_ || tally.noticed < tally.planted;
    }

    void show(const SelfTestReport& report) {
        found_.devices.back().clock = report;
        using enum Table::Align;
        Table table({left, right, right, right, right, right, right, right, right, left});
        table.add({"kernel", "one run", "A/A trials", "SAME", "lies", "missed", "worst ratio",
                   "median width", "5 % found", ""});
        std::array<unsigned, lie_margins.size()> lies_at{};
        VerdictCounts itself, planted;
        for (const SelfTestRow& row : report.rows) {
            table.add({row.title, duration(row.seconds), std::to_string(row.itself.all()),
                       std::to_string(row.itself.same),
                       std::to_string(row.itself.faster + row.itself.slower),
                       std::to_string(row.itself.missed), fmt::format("{:.4f}", row.worst),
                       fmt::format("{:.2f} %", 100 * row.widest),
                       fmt::format("{} of {}", row.planted.slower, row.planted.all()),
                       row.launching ? "launching" : ""});
            itself += row.itself;
            planted += row.planted;
            for (std::size_t i = 0; i < lies_at.size(); ++i) lies_at[i] += row.lies_at[i];
        }
        text() << table.text(2);
        const unsigned lies = itself.faster + itself.slower;
        text() << fmt::format(
            "  Against itself: {}: {} of {} lied.\n  {} of {} intervals of 95 % missed 1. At "
            "margins of 0.5, 1 and 2 % a side would be called slower in {}.\n  105 runs counted "
            "as 100: found slower in {} of {} ({}).\n  Measuring took {}.\n",
            counts(itself), lies, itself.all(), itself.missed, itself.all(),
            fmt::join(lies_at, ", "), planted.slower, planted.all(), counts(planted),
            duration(report.measuring_seconds));
        if (report.out_of_time) {
            text() << "  The budget ended it before all trials were made; --budget gives "
                      "more.\n";
        }
        if (too_many(itself.missed, itself.all(), most_pair_error)) {
            text() << fmt::format(
                "  Intervals of 95 % are too narrow here: {} of {} missed the truth.\n",
                itself.missed, itself.all());
            bad_ = true;
        }
        if (too_many(lies, itself.all(), lies_allowed)) {
            text() << fmt::format("  False verdicts here: {} of {}, more than {:g} %.\n", lies,
                                  itself.all(), 100 * lies_allowed);
            bad_ = true;
        }
    }

    CommandContext& context_;
    const BudgetClock clock_;
    std::optional<double> budget_;
    SelfTestRequest request_;
    std::vector<std::string> devices_;
    std::optional<std::string> data_;
    std::optional<ResultWriters> writers_;
    SelfTestFound found_;  ///< so far
    std::ostream nowhere_{nullptr};
    bool as_json_ = false, quiet_ = false, gate_only_ = false, bad_ = false;
};

}  // namespace

Command selftest_command() {
    return {
        .name = "selftest",
        .arguments = "[MANIFEST[/KERNEL]] [-d DEVICE]... [--trials N]",
        .summary = "whether verdicts are right on this machine, and what your own checks detect",
        .about =
            "Tests the program itself. On each device, kernels with planted errors are verified, "
            "and kernels of all durations are compared with themselves, through two device objects "
            "with their own buffers and builds, where a slower side is a false verdict; then with "
            "105 runs counted as 100, where it is right. Ends with 1 when an error is missed, when "
            "more than 4 in 1000 verdicts are false, or when more than 5 % of the intervals miss "
            "1, beyond chance. Trials that the budget does not reach are reported. With a manifest "
            "or a captured folder it changes your kernel instead, one token at a time, and "
            "verifies each changed kernel by the manifest's checks: how many are told apart, and "
            "which line of the manifest would show those that pass.",
        .examples = {"parallax selftest", "parallax selftest -d cuda:0 --trials 1000 --budget 600",
                     "parallax selftest -d opencl:0 --trials 0", "parallax selftest mine.json",
                     "parallax selftest mine.json/tiled -d opencl:0 --require-score 95%"},
        .positional = {"manifest"},
        .options =
            [](auto add) {
                add("manifest", po::value<std::string>(),
                    "a manifest of your own kernel, one of its kernels, or a captured folder");
                add("device,d", settable<Words>(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all, and for your own kernel "
                    "one that takes it");
                add("require-score", po::value<std::string>(),
                    "of your own kernel: exit code 1 where fewer of the changed kernels are told "
                    "apart, 4 where too few were tried to be sure");
                add_allow_options(add);
                add("judge", po::value<std::string>(),
                    "seconds of one launch: only judges changed kernels, in this process");
                add("longer",
                    "with --judge: at the sizes of which it is not known how long they take");
                add("places", po::value<std::string>(),
                    "with --judge: the open file that says which");
                add("trials", settable<std::string>(),
                    "of a device against itself (default 100; 0: none)");
                add("planted", settable<std::string>(),
                    "of 105 runs counted as 100 (default: a fifth of the trials)");
                add("margin", settable<std::string>(),
                    "ratios this near to 1 are the SAME (default 2%)");
                add("seed", settable<std::string>(), "of the inputs (default 0)");
                add("budget", settable<double>(),
                    "seconds for all of it, shared by the devices (default 150 for each; 60 for "
                    "your own kernel)");
                add_lock_option(add);
                add("busy", settable<std::string>(),
                    "number of threads that compute and move memory during every trial; no other "
                    "test is run: how does a busy host affect times?");
                add("data", settable<std::string>(Setting::file),
                    "file that every trial is appended to");
                add("format", settable<std::string>(),
                    "text (default), or json: one object when all is done");
                add("quiet", settable_flag(), "no progress");
            },
        .run =
            [](const Values& values, CommandContext& context) {
                if (values.count("manifest") > 0) return score_own_checks(values, context);
                refuse_given(values, {"require-score", "judge", "longer", "places"},
                             "--{} is for your own kernel: name its manifest, as in 'parallax "
                             "selftest mine.json'.");
                return SelfTestCommand(values, context).run();
            },
        .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli

// Shows that running and timing a kernel through Parallax has no overhead: the same cases directly
// and through Parallax, with the ratio of their times.
#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "benchmarks/cost.hpp"
#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "common/text/text.hpp"
#include "records/json.hpp"
#include "suites/case_words.hpp"

namespace parallax::benchmarks {
namespace {

namespace po = boost::program_options;

constexpr std::uint64_t seed = 1;
/// Meson's exit code for a skipped test.
constexpr int exit_skipped = 77;
constexpr int exit_nothing = 5;
constexpr int exit_usage = 2;

struct Options {
    std::vector<std::string> devices;
    std::string scale;  ///< `small`, `large`, or empty: what suits the device
    bool smoke = false;
    Extent extent;
    std::optional<std::string> output;
};

/// The cases of one scale.
struct Pick {
    const char* suite;
    const char* variant;
    std::vector<std::uint64_t> large, small;
};

const std::vector<Pick>& picks() {
    static const std::vector<Pick> all{
        {"ceiling", "copy", {1u << 28}, {1u << 20}},
        {"ceiling", "fma", {1u << 20}, {1u << 10}},
        {"transpose", "padded", {16384, 16384}, {1000, 777}},
        {"transpose", "padded", {1024, 1024}, {100, 77}},
        {"reduction", "vector", {1u << 28}, {1u << 20}},
        {"reduction", "vector", {1u << 20}, {70001}},
    };
    return all;
}

Json json_of(const Estimate& estimate) {
    return {{"median", number(estimate.median)},
            {"low", number(estimate.low)},
            {"high", number(estimate.high)},
            {"confidence", number(estimate.confidence)}};
}

Json json_of(const Cost& cost, const DeviceInfo& info) {
    Json constants = Json::object();
    for (const Constant& constant : cost.the_case.constants) {
        constants[constant.name] = constant.value;
    }
    Json rounds = Json::array();
    for (const Round& round : cost.rounds) {
        rounds.push_back({{"repeats", round.repeats},
                          {"ratio", number(round.ratio)},
                          {"direct_seconds", round.direct},
                          {"parallax_seconds", round.parallax},
                          {"direct_first", round.direct_first}});
    }
    const Case& c = cost.the_case;
    return {{"benchmark", "harness_adds_nothing"},
            {"version", 1},
            {"device", info.id()},
            {"device_name", info.name},
            {"uuid", info.uuid ? to_string(*info.uuid) : "unknown"},
            {"driver", info.driver_version},
            {"api", info.api_version},
            {"compiler", info.compiler_version},
            {"suite", c.suite->name},
            {"variant", c.variant->name},
            {"type", name_of(c.type)},
            {"shape", c.shape.extents},
            {"constants", constants},
            {"commands", cost.launches},
            {"identical", true},
            {"direct", json_of(cost.direct)},
            {"parallax", json_of(cost.parallax)},
            {"ratio", json_of(cost.ratio)},
            {"margin", margin},
            {"verdict", word_of(verdict_of(cost))},
            {"rounds", rounds}};
}

/// Checks conditions that do not depend on times. @throws Error with the violated one
void check_structure(const Cost& cost, const Extent& extent) {
    const auto demand = [&](bool so, std::string_view what) {
        if (!so) throw Error(fmt::format("{}: {}.", cost.the_case.title(), what));
    };
    const auto sane = [](const std::vector<double>& samples) {
        return std::ranges::all_of(samples, [](double s) { return std::isfinite(s) && s > 0; });
    };
    demand(cost.launches > 0, "it does nothing");
    demand(cost.rounds.size() == extent.rounds, "not as many rounds as asked for");
    for (const Round& round : cost.rounds) {
        demand(round.repeats > 0, "a batch of nothing");
        demand(round.direct.size() == 2 * std::size_t{extent.quads},
               "not as many batches as asked for");
        demand(round.parallax.size() == round.direct.size(), "the sides have unequal batches");
        demand(sane(round.direct) && sane(round.parallax), "a time that is not positive");
        for (std::size_t i = 1; i < round.direct_first.size(); ++i) {
            demand(round.direct_first[i] != round.direct_first[i - 1],
                   "the order does not alternate");
        }
    }
    for (const Estimate& estimate : {cost.direct, cost.parallax, cost.ratio}) {
        demand(estimate.low > 0 && std::isfinite(estimate.high), "an interval without ends");
        demand(estimate.low <= estimate.median && estimate.median <= estimate.high,
               "a median outside its interval");
    }
}

std::string time_text(double seconds) {
    return fmt::format("{:.3f} us", 1e6 * seconds);
}

std::vector<std::string> row_of(const Cost& cost, const DeviceInfo& info) {
    return {info.id(),
            cost.the_case.title(),
            time_text(cost.direct.median),
            time_text(cost.parallax.median),
            fmt::format("{:.4f}", cost.ratio.median),
            fmt::format("{:.4f} .. {:.4f}", cost.ratio.low, cost.ratio.high),
            std::string(word_of(verdict_of(cost)))};
}

/// Totals over the cases.
struct Totals {
    unsigned within = 0, undecided = 0, outside = 0, too_short = 0, failed = 0;

    void count(Verdict verdict) {
        switch (verdict) {
            case Verdict::within: ++within; break;
            case Verdict::undecided: ++undecided; break;
            case Verdict::outside: ++outside; break;
            case Verdict::too_short: ++too_short; break;
        }
    }
    unsigned measured() const { return within + undecided + outside + too_short; }
};

std::vector<Entry> entries_of(const Devices& devices, const Options& options) {
    std::vector<Entry> chosen;
    for (const std::string& word : options.devices) {
        for (const Entry& entry : matching(devices, word)) {
            const bool known = std::ranges::any_of(
                chosen, [&](const Entry& other) { return other.info.id() == entry.info.id(); });
            if (!known) chosen.push_back(entry);
        }
    }
    if (!options.devices.empty()) return chosen;
    std::ranges::copy_if(devices.entries, std::back_inserter(chosen),
                         [](const Entry& entry) { return entry.info.is_gpu; });
    return chosen.empty() ? devices.entries : chosen;
}

class Benchmark {
public:
    explicit Benchmark(Options options) : options_(std::move(options)) {
        config_.kernel_source = [](std::string_view file) { return kernel_source(file); };
        config_.references = &references_;
        config_.seed = seed;
        if (options_.output) {
            lines_.open(*options_.output, std::ios::app);
            if (!lines_) throw UsageError(fmt::format("Cannot write {}.", *options_.output));
        }
        table_.add({"device", "kernel", "direct", "through Parallax", "ratio", "interval", "1 %"});
    }

    int run() {
        // As in a supervised process.
        static WatchdogState state{};
        supervision().state = &state;
        const Devices devices = find_devices(backends());
        for (const Problem& problem : devices.problems) std::cerr << to_string(problem) << "\n";
        for (const Entry& entry : entries_of(devices, options_)) measure_on(entry);
        if (totals_.measured() + totals_.failed == 0) {
            std::cerr << "There is no device that can be called directly.\n";
            return options_.smoke ? exit_skipped : exit_nothing;
        }
        std::cout << table_.text();
        std::cout << fmt::format(
            "Times are medians of one run. A ratio is Parallax over direct: the median of {} "
            "round(s) with new programs and buffers, each the median of {} quads of batches in "
            "the order A B B A; the interval has a confidence of {:.1f} %.\n",
            options_.extent.rounds, options_.extent.quads, 100 * confidence_);
        return conclude();
    }

private:
    void measure_on(const Entry& entry) {
        const auto apis = direct_apis();
        const auto api = std::ranges::find(apis, entry.info.backend, &DirectApi::backend);
        if (api == apis.end()) {
            std::cerr << fmt::format("{}: nothing here calls {} directly.\n", entry.info.id(),
                                     entry.info.backend);
            return;
        }
        try {
            const std::unique_ptr<Device> device = entry.open();
            const std::unique_ptr<Direct> direct = api->open(entry.info);
            for (const Pick& pick : picks()) measure_case(*device, *direct, pick);
        } catch (const std::exception& error) {
            // After an error the context may be unusable: continue with the next device.
            ++totals_.failed;
            std::cerr << "\n" << entry.info.id() << ": " << error.what() << "\n";
        }
    }

    void measure_case(Device& device, Direct& direct, const Pick& pick) {
        const DeviceInfo& info = device.info();
        const bool large = options_.scale.empty() ? info.is_gpu : options_.scale == "large";
        const Suite& suite = suite_named(pick.suite);
        const Case c = make_case(suite, variant_named(suite, pick.variant),
                                 {large ? pick.large : pick.small}, ElementType::f32);
        std::cerr << fmt::format("{} {} ...", info.id(), c.title()) << std::flush;
        const Cost cost = cost_of(device, direct, c, config_, options_.extent);
        check_structure(cost, options_.extent);
        std::cerr << fmt::format(" {:.4f}\n", cost.ratio.median);
        totals_.count(verdict_of(cost));
        confidence_ = cost.ratio.confidence;
        table_.add(row_of(cost, info));
        if (lines_.is_open()) lines_ << json_of(cost, info).dump() << std::endl;
    }

    int conclude() const {
        if (totals_.failed > 0) return 1;
        if (options_.smoke) {
            std::cout << "Both ways gave the same right answers. Times were not judged.\n";
            return 0;
        }
        std::cout << fmt::format(
            "{} of the kernels of {:.0f} us and more within {:.0f} %, {} outside, {} undecided; {} "
            "shorter.\n",
            totals_.within, 1e6 * least_seconds, 100 * margin, totals_.outside, totals_.undecided,
            totals_.too_short);
        if (totals_.undecided > 0) {
            std::cout
                << "An undecided interval reaches over the margin, or has less than 95 % of "
                   "confidence. More --rounds (6 at least) narrow it, on a device that no other "
                   "process uses.\n";
        }
        return totals_.within > 0 && totals_.outside + totals_.undecided == 0 ? 0 : 1;
    }

    using Align = Table::Align;

    Options options_;
    ReferenceCache references_{0};
    RunConfig config_;
    std::ofstream lines_;  ///< one line per kernel
    Table table_{{Align::left, Align::left, Align::right, Align::right, Align::right, Align::right,
                  Align::left}};
    Totals totals_;
    double confidence_ = 0;
};

/// Nothing: the help page was requested, and shown.
std::optional<Options> parse(int count, const char* const* words) {
    Options options;
    po::options_description description(
        "Runs kernels directly, by calls of an API alone, and through Parallax, and compares the "
        "times.\nExit code: 0 every kernel of 100 us and more within 1 %; 1 not so, or an answer "
        "is wrong;\n2 a word that names nothing; 5 no device. Options");
    auto add = description.add_options();
    using Words = std::vector<std::string>;
    add("device,d", po::value<Words>(&options.devices)->composing(),
        "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all GPUs, or all where there is none");
    add("scale", po::value<std::string>(&options.scale),
        "large or small; without: large on a GPU, small elsewhere");
    add("smoke", po::bool_switch(&options.smoke),
        "checks answers and structure on a few batches, and judges no times");
    add("rounds", po::value<unsigned>(),
        "with new programs and buffers each (default 9; 6 at least to judge)");
    add("quads", po::value<unsigned>(), "of batches in a round, A B B A (default 8)");
    add("output,o", po::value<std::string>(),
        "file that a line of JSON for each case is appended to (no records of 'parallax run')");
    add("help,h", "this page");
    po::variables_map values;
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(count, words)
                  .options(description)
                  .positional({})
                  .style(style)
                  .run(),
              values);
    if (values.count("help") > 0) {
        std::cout << description;
        return {};
    }
    po::notify(values);
    if (!options.scale.empty() && options.scale != "large" && options.scale != "small") {
        throw UsageError(fmt::format("--scale is large or small, not '{}'.", options.scale));
    }
    if (options.smoke) options.extent = {.rounds = 2, .quads = 2};
    const auto take = [&](const char* name, unsigned& value, unsigned most) {
        if (values.count(name) == 0) return;
        value = values[name].as<unsigned>();
        if (value < 1 || value > most) {
            throw UsageError(fmt::format("--{} is a number from 1 to {}.", name, most));
        }
    };
    take("rounds", options.extent.rounds, 1000);
    take("quads", options.extent.quads, 1000);
    if (values.count("output") > 0) options.output = values["output"].as<std::string>();
    return options;
}

int main_program(int count, const char* const* words) {
    try {
        const std::optional<Options> options = parse(count, words);
        return options ? Benchmark(*options).run() : 0;
    } catch (const po::error& error) {
        std::cerr << error.what() << ". --help shows what there is.\n";
        return exit_usage;
    } catch (const UsageError& error) {
        std::cerr << error.what() << "\n";
        return exit_usage;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}

}  // namespace
}  // namespace parallax::benchmarks

int main(int count, char** words) {
    return parallax::benchmarks::main_program(count, words);
}

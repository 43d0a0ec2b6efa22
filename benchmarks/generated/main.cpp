// Kernels that a program writes by a grammar of OpenCL C, and whether their translations give the
// same answers: each as it is and after the preprocessor, compiled by NVRTC, run by the devices.
//
//     generated [opencl:0 host:0] [--seed N] [--kernels N] [--jobs N] [--write FOLDER]
//     generated --judge SEED FIRST LAST TOGETHER SECONDS DEVICES FILE   a process that does a part
//
// It prints a table and the kernels that do not agree, each reduced to a few lines. Exit codes: 0
// there are none, 1 there are, 2 it cannot be done.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/time.h>

#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/generated/grammar.hpp"
#include "benchmarks/generated/judge.hpp"
#include "benchmarks/generated/reduce.hpp"
#include "benchmarks/mutation/deal.hpp"
#include "common/devices.hpp"
#include "common/error.hpp"

namespace parallax::generated {
namespace {

using Json = nlohmann::ordered_json;

struct Wanted {
    std::vector<std::string> devices{"opencl:0", "host:0"};
    std::uint64_t seed = 1;
    std::size_t kernels = 300, together = 20;
    unsigned jobs = 1;
    long seconds = 60;
    unsigned tries = 60;
    std::optional<std::string> folder;
};

/// From now on, for one build or launch: one that never ends is noticed by that.
void limit_time(long seconds) {
    const itimerval processor{{0, 0}, {seconds, 0}}, wall{{0, 0}, {5 * seconds, 0}};
    setitimer(ITIMER_PROF, &processor, nullptr);
    setitimer(ITIMER_REAL, &wall, nullptr);
}

/// Numbers of files and kernels as places: a file as a whole, and each of its kernels alone.
struct Places {
    std::size_t together;
    std::size_t whole(std::size_t file) const { return file * (together + 1); }
    std::size_t alone(std::size_t file, std::size_t kernel) const {
        return whole(file) + 1 + kernel;
    }
};

/// What a process says of a place.
Json judged(Judge& judge, const Wanted& wanted, const Dialect& dialect, std::size_t place,
            std::set<std::string>& known) {
    const std::size_t number = place / (wanted.together + 1), one = place % (wanted.together + 1);
    const std::size_t first = number * wanted.together;
    const File file =
        file_of(wanted.seed, number, std::min(wanted.together, wanted.kernels - first), dialect);
    std::vector<std::size_t> kernels(file.kernels.size());
    std::iota(kernels.begin(), kernels.end(), std::size_t{0});
    if (one > 0) kernels = {one - 1};
    Json all = Json::array();
    unsigned differences = 0;
    for (const Finding& finding : judge.judge(file, kernels)) {
        Json told{{"kernel", first + finding.kernel}, {"end", finding.end},
                  {"expanded", finding.is_expanded},  {"device", finding.device},
                  {"reason", finding.reason},         {"kind", finding.kind}};
        const std::string kind = fmt::format(
            "{} {}", names_of_ends[static_cast<std::size_t>(finding.end)], finding.kind);
        File alone = file;
        alone.kernels = {file.kernels[finding.kernel]};
        // Alone, it may have ended the process while it was reduced. One of a kind is enough.
        const bool is_new =
            finding.end == End::differs ? differences++ < 2 : known.insert(kind).second;
        if (is_new) {
            const bool may = one == 0 && finding.end != End::not_opencl;
            if (may)
                alone = reduced(
                    alone, [&](const File& f) { return judge.shows(f, finding); }, wanted.tries);
            told["text"] = text_of(alone, {0}).text;
            told["reduced"] = may;
        }
        all.push_back(told);
    }
    return all;
}

std::vector<std::unique_ptr<Device>> open(const std::vector<std::string>& words) {
    const Devices devices = find_devices(backends());
    std::vector<std::unique_ptr<Device>> open;
    for (const std::string& word : words) open.push_back(matching(devices, word).front().open());
    if (open.front()->info().backend != "opencl")
        throw UsageError(
            "The first device is the one that knows the answers: an OpenCL one, such as opencl:0.");
    return open;
}

int judge_some(const Wanted& wanted, int file) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with who deals
    const auto devices = open(wanted.devices);
    const DeviceInfo& info = devices.front()->info();
    bool has_double = true;
    std::vector<Device*> others;
    for (const auto& one : devices) {
        has_double = has_double && one->info().has("double");
        if (one != devices.front()) others.push_back(one.get());
    }
    Judge judge(*devices.front(), others, [&] { limit_time(wanted.seconds); });
    std::set<std::string> known;
    while (const auto place = next_place(file)) {
        fmt::print("{}\n", *place);
        std::fflush(stdout);
        const Json all = judged(judge, wanted, {has_double, info.is_pocl()}, *place, known);
        fmt::print("{} {}\n", *place, all.dump(-1, ' ', true, Json::error_handler_t::replace));
        std::fflush(stdout);
    }
    return 0;
}

/// FILE.cl and the manifest that runs it.
void write(const std::filesystem::path& folder, const std::string& name, const Json& one) {
    std::filesystem::create_directories(folder);
    Json arguments = Json::array();
    arguments.push_back({{"name", "in"},
                         {"type", "uint"},
                         {"elements", fmt::format("{}*n", inputs)},
                         {"fill", {{"random", {0, 4294967295}}}}});
    arguments.push_back({{"name", "out"},
                         {"type", "uint"},
                         {"elements", fmt::format("{}*n", probes)},
                         {"fill", "zeros"},
                         {"use", "in_out"}});
    const Json manifest{{"parallax", "manifest"},
                        {"version", 1},
                        {"name", name},
                        {"question", "Is the translation what the source says?"},
                        {"source", name + ".cl"},
                        {"defines", {{"D0", "1"}, {"D1", "3"}}},
                        {"expand", one["expanded"]},
                        {"sizes", {{"names", {"n"}}, {"timed", {{64}}}, {"checked", {{64}}}}},
                        {"variants",
                         {{{"name", "v"},
                           {"teaches", "a generated kernel"},
                           {"kernel", "k"},
                           {"arguments", arguments},
                           {"items", {16}},
                           {"groups", {"n/16"}}}}},
                        {"work", {{"bytes", fmt::format("{}*n", 4 * (inputs + probes))}}},
                        {"tolerance", "bits"}};
    const std::string text =
        fmt::format("// {}\n{}", one["reason"].get<std::string>(), one["text"].get<std::string>());
    if (!(std::ofstream(folder / (name + ".cl")) << text << std::flush) ||
        !(std::ofstream(folder / (name + ".json")) << manifest.dump(1) << "\n"
                                                   << std::flush))
        throw UsageError(fmt::format("{} cannot be written.", folder.string()));
}

int run(const Wanted& wanted) {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(std::max(1u, cores / wanted.jobs)).c_str(), 0);
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const std::vector<std::string> words{"--judge",
                                         std::to_string(wanted.seed),
                                         std::to_string(wanted.kernels),
                                         std::to_string(wanted.together),
                                         std::to_string(wanted.seconds),
                                         std::to_string(wanted.tries),
                                         fmt::format("{}", fmt::join(wanted.devices, ","))};
    const Places places{wanted.together};
    const std::size_t files = (wanted.kernels + wanted.together - 1) / wanted.together;
    std::vector<std::size_t> whole, alone;
    for (std::size_t i = 0; i < files; ++i) whole.push_back(places.whole(i));
    std::vector<Json> findings;
    const auto take = [&](const std::string& result) {
        for (const Json& one : Json::parse(result)) findings.push_back(one);
    };
    const std::vector<std::string> results = deal(self, words, whole, wanted.jobs);
    for (std::size_t i = 0; i < files; ++i) {
        if (!results[i].starts_with("died")) {
            take(results[i]);
            continue;
        }
        // One of them did it, or the reduction of one.
        const std::size_t count = std::min(wanted.together, wanted.kernels - i * wanted.together);
        for (std::size_t kernel = 0; kernel < count; ++kernel)
            alone.push_back(places.alone(i, kernel));
    }
    const std::vector<std::string> second = deal(self, words, alone, wanted.jobs);
    for (std::size_t i = 0; i < alone.size(); ++i) {
        if (!second[i].starts_with("died")) {
            take(second[i]);
            continue;
        }
        const std::size_t kernel = alone[i] / (wanted.together + 1) * wanted.together +
                                   alone[i] % (wanted.together + 1) - 1;
        findings.push_back({{"kernel", kernel},
                            {"end", End::died},
                            {"expanded", false},
                            {"device", ""},
                            {"reason", second[i]},
                            {"kind", second[i]}});
    }
    // A table of ends, and the kinds of each with their kernels.
    std::map<std::string, std::set<std::size_t>> kinds;
    std::set<std::size_t> bad;
    for (const bool is_expanded : {false, true}) {
        std::map<End, std::set<std::size_t>> ends;
        std::set<std::size_t> here;
        for (const Json& one : findings) {
            if (one["expanded"] != is_expanded) continue;
            ends[one["end"].get<End>()].insert(one["kernel"].get<std::size_t>());
            here.insert(one["kernel"].get<std::size_t>());
        }
        bad.insert(here.begin(), here.end());
        fmt::print("{:<9} {} of {} agree",
                   is_expanded ? "expanded:" : "as it is:", wanted.kernels - here.size(),
                   wanted.kernels);
        for (const auto& [end, kernels] : ends)
            fmt::print("; {}: {}", names_of_ends[static_cast<std::size_t>(end)], kernels.size());
        fmt::print("\n");
    }
    for (const Json& one : findings)
        kinds[fmt::format("{}: {}", names_of_ends[static_cast<std::size_t>(one["end"].get<End>())],
                          one["kind"].get<std::string>())]
            .insert(one["kernel"].get<std::size_t>());
    for (const auto& [kind, kernels] : kinds) fmt::print("{:6} {}\n", kernels.size(), kind);
    std::set<std::string> shown;
    std::size_t number = 0;
    for (const Json& one : findings) {
        if (!one.contains("text")) continue;
        const std::string end(names_of_ends[static_cast<std::size_t>(one["end"].get<End>())]);
        if (one["end"] != End::differs &&
            !shown.insert(end + one["kind"].get<std::string>()).second)
            continue;
        fmt::print("\nseed {}, kernel {}{}: {} ({}): {}\n{}", wanted.seed,
                   one["kernel"].get<std::size_t>(), one["expanded"] == true ? ", expanded" : "",
                   end, one["device"].get<std::string>(), one["reason"].get<std::string>(),
                   one["text"].get<std::string>());
        if (wanted.folder)
            write(*wanted.folder,
                  fmt::format("s{}-{}-{}", wanted.seed, one["kernel"].get<std::size_t>(), number++),
                  one);
    }
    if (!cuda::nvrtc().available()) fmt::print("NVRTC is not here: nothing was compiled by it.\n");
    return bad.empty() ? 0 : 1;
}

int main_of(int argc, char** argv) {
    Wanted wanted;
    if (argc == 9 && std::string_view(argv[1]) == "--judge") {
        wanted.seed = std::stoull(argv[2]);
        wanted.kernels = std::stoull(argv[3]);
        wanted.together = std::stoull(argv[4]);
        wanted.seconds = std::stol(argv[5]);
        wanted.tries = static_cast<unsigned>(std::stoul(argv[6]));
        wanted.devices.clear();
        std::istringstream devices(argv[7]);
        for (std::string one; std::getline(devices, one, ',');) wanted.devices.push_back(one);
        return judge_some(wanted, std::stoi(argv[8]));
    }
    namespace po = boost::program_options;
    po::options_description options("usage: generated [DEVICE...]");
    auto add = options.add_options();
    std::vector<std::string> devices;
    add("help", "this text");
    add("device", po::value(&devices),
        "an OpenCL device that knows the answers, and what is held against it; none: opencl:0 "
        "host:0");
    add("seed", po::value(&wanted.seed)->default_value(1), "other kernels for another number");
    add("kernels", po::value(&wanted.kernels)->default_value(wanted.kernels), "how many");
    add("together", po::value(&wanted.together)->default_value(wanted.together),
        "of them in one file");
    add("jobs",
        po::value(&wanted.jobs)->default_value(std::max(1u, std::thread::hardware_concurrency())),
        "processes at once");
    add("seconds", po::value(&wanted.seconds)->default_value(wanted.seconds),
        "of processor time that one build or launch may take, five times that by the clock");
    add("tries", po::value(&wanted.tries)->default_value(wanted.tries),
        "files that are tried to reduce a kernel");
    add("write", po::value<std::string>(),
        "a folder for the kernels that do not agree, with manifests");
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
    if (!devices.empty()) wanted.devices = devices;
    if (wanted.devices.size() < 2 || wanted.kernels == 0 || wanted.together == 0 ||
        wanted.jobs == 0)
        throw UsageError(
            "Name two devices, and 1 kernel, file and process at least, as in: generated opencl:0 "
            "host:0");
    if (values.contains("write")) wanted.folder = values["write"].as<std::string>();
    return run(wanted);
}

}  // namespace
}  // namespace parallax::generated

int main(int argc, char** argv) {
    try {
        return parallax::generated::main_of(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "generated: {}\n", error.what());
        return 2;
    }
}

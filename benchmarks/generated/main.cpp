// Kernels that a program writes by a grammar of OpenCL C, and whether their translations give the
// same answers: each as it is and after the preprocessor, compiled by NVRTC, run by the devices.
//
//     generated [opencl:0 host:0] [--seed N] [--kernels N] [--jobs N] [--write FOLDER]
//     generated --judge SEED KERNELS DEVICES FILE    a process that does a part
//
// It prints the kernels that do not agree, each reduced to a few lines. Exit codes: 0 there are
// none, 1 there are, 2 it cannot be done.
#include <csignal>
#include <filesystem>
#include <fstream>
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
#include "common/device/devices.hpp"
#include "common/error.hpp"

namespace parallax::generated {
namespace {

using Json = nlohmann::ordered_json;

/// Kernels of one file, and files that are tried to reduce one.
constexpr std::size_t together = 25;
constexpr unsigned tries = 150;

struct Wanted {
    std::vector<std::string> devices{"opencl:0", "host:0"};
    std::uint64_t seed = 1;
    std::size_t kernels = 300;
    unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
    std::string folder = {};
    std::size_t files() const { return (kernels + together - 1) / together; }
};

/// A build or launch that never ends is noticed by that.
void limit_time() {
    const itimerval processor{{0, 0}, {60, 0}}, wall{{0, 0}, {300, 0}};
    setitimer(ITIMER_PROF, &processor, nullptr);
    setitimer(ITIMER_REAL, &wall, nullptr);
}

/// What a process says of a place: a file as a whole, and behind all files a kernel alone.
Json judged(Judge& judge, const Wanted& wanted, const Dialect& dialect, std::size_t place,
            std::set<std::string>& known) {
    const bool is_alone = place >= wanted.files();
    const std::size_t number = is_alone ? (place - wanted.files()) / together : place;
    const std::size_t first = number * together;
    const File file =
        file_of(wanted.seed, number, std::min(together, wanted.kernels - first), dialect);
    std::vector<std::size_t> kernels(file.kernels.size());
    std::iota(kernels.begin(), kernels.end(), std::size_t{0});
    if (is_alone) kernels = {place - wanted.files() - first};
    Json all = Json::array();
    for (const Finding& one : judge.judge(file, kernels)) {
        all.push_back({{"kernel", first + one.kernel},
                       {"end", one.end},
                       {"expanded", one.is_expanded},
                       {"reason", fmt::format("{}: {}", one.device, one.reason)},
                       {"kind", fmt::format("{}: {}", one.end, one.kind)}});
        // One of a kind is enough, and all that differ.
        if (one.end != "differs" && !known.insert(one.end + one.kind).second) continue;
        File alone = file;
        alone.kernels = {file.kernels[one.kernel]};
        // Alone, it may have ended the process while it was reduced.
        if (!is_alone)
            alone = reduced(
                alone, [&](const File& f) { return judge.shows(f, one); }, tries);
        all.back()["text"] = text_of(alone, {0});
    }
    return all;
}

int judge_some(const Wanted& wanted, int file) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with who deals
    const Devices found = find_devices(backends());
    std::vector<std::unique_ptr<Device>> devices;
    std::vector<Device*> others;
    bool has_double = true;
    for (const std::string& word : wanted.devices) {
        devices.push_back(matching(found, word).front().open());
        has_double = has_double && devices.back()->info().has("double");
        if (devices.size() > 1) others.push_back(devices.back().get());
    }
    const DeviceInfo& info = devices.front()->info();
    if (info.backend != "opencl")
        throw UsageError(
            "The first device is the one that knows the answers: an OpenCL one, such as opencl:0.");
    const Dialect dialect{has_double, info.is_pocl()                   ? "pocl"
                                      : info.platform == "NVIDIA CUDA" ? "nvidia"
                                                                       : ""};
    Judge judge(*devices.front(), others, limit_time);
    std::set<std::string> known;
    while (const auto place = next_place(file)) {
        fmt::print("{}\n", *place);
        std::fflush(stdout);
        const Json all = judged(judge, wanted, dialect, *place, known);
        fmt::print("{} {}\n", *place, all.dump(-1, ' ', true, Json::error_handler_t::replace));
        std::fflush(stdout);
    }
    return 0;
}

/// The kernel, and the manifest that runs it.
void write(const std::filesystem::path& folder, const std::string& name, const Json& one) {
    Json manifest = Json::parse(R"({
        "parallax": "manifest", "version": 1, "name": "",
        "question": "Is the translation what the source says?", "source": "",
        "defines": {"D0": "1", "D1": "3"}, "expand": false,
        "sizes": {"names": ["n"], "timed": [[64]], "checked": [[64]]},
        "variants": [{"name": "v", "teaches": "a generated kernel", "kernel": "k", "arguments": [
            {"name": "in", "type": "uint", "elements": "8*n",
             "fill": {"random": [0, 4294967295]}},
            {"name": "out", "type": "uint", "elements": "16*n", "fill": "zeros",
             "use": "in_out"}], "items": [16], "groups": ["n/16"]}],
        "work": {"bytes": "96*n"}, "tolerance": "bits"})");
    manifest["name"] = name;
    manifest["source"] = name + ".cl";
    manifest["expand"] = one["expanded"];
    std::filesystem::create_directories(folder);
    std::ofstream source(folder / (name + ".cl")), json(folder / (name + ".json"));
    source << "// " << one["reason"].get<std::string>() << '\n' << one["text"].get<std::string>();
    json << manifest.dump(1) << '\n';
    if (!source.flush() || !json.flush())
        throw UsageError(fmt::format("{} cannot be written.", folder.string()));
}

int run(const Wanted& wanted) {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(std::max(1u, cores / wanted.jobs)).c_str(), 0);
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const std::vector<std::string> words{"--judge", std::to_string(wanted.seed),
                                         std::to_string(wanted.kernels),
                                         fmt::format("{}", fmt::join(wanted.devices, ","))};
    std::vector<std::size_t> whole(wanted.files()), alone;
    std::iota(whole.begin(), whole.end(), std::size_t{0});
    std::vector<Json> findings;
    for (const std::vector<std::size_t>* places : {&whole, &alone}) {
        const std::vector<std::string> results = deal(self, words, *places, wanted.jobs);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const std::size_t place = (*places)[i];
            if (!results[i].starts_with("died")) {
                for (const Json& one : Json::parse(results[i])) findings.push_back(one);
            } else if (places == &alone) {
                findings.push_back({{"kernel", place - wanted.files()},
                                    {"expanded", false},
                                    {"reason", results[i]},
                                    {"kind", results[i]}});
            } else {  // one of its kernels did it, or the reduction of one
                for (std::size_t k = place * together;
                     k < std::min((place + 1) * together, wanted.kernels); ++k)
                    alone.push_back(wanted.files() + k);
            }
        }
    }
    std::map<std::string, std::set<std::size_t>> kinds;
    std::set<std::size_t> bad;
    for (const Json& one : findings) {
        const std::string kind = one["kind"];
        bad.insert(one["kernel"].get<std::size_t>());
        const bool is_shown = kind.starts_with("differs") || !kinds.contains(kind);
        kinds[kind].insert(one["kernel"].get<std::size_t>());
        if (!is_shown || !one.contains("text")) continue;
        const std::string name =
            fmt::format("s{}-{}{}", wanted.seed, one["kernel"].get<std::size_t>(),
                        one["expanded"] == true ? "x" : "");
        fmt::print("\n// {}: {}\n{}", name, one["reason"].get<std::string>(),
                   one["text"].get<std::string>());
        if (!wanted.folder.empty()) write(wanted.folder, name, one);
    }
    fmt::print("\n{} of {} kernels agree\n", wanted.kernels - bad.size(), wanted.kernels);
    for (const auto& [kind, kernels] : kinds) fmt::print("{:6} {}\n", kernels.size(), kind);
    if (!cuda::nvrtc().available()) fmt::print("NVRTC is not here: nothing was compiled by it.\n");
    return bad.empty() ? 0 : 1;
}

int main_of(int argc, char** argv) {
    Wanted wanted;
    if (argc == 6 && std::string_view(argv[1]) == "--judge") {
        wanted.seed = std::stoull(argv[2]);
        wanted.kernels = std::stoull(argv[3]);
        wanted.devices.clear();
        std::istringstream devices(argv[4]);
        for (std::string one; std::getline(devices, one, ',');) wanted.devices.push_back(one);
        return judge_some(wanted, std::stoi(argv[5]));
    }
    namespace po = boost::program_options;
    po::options_description options("usage: generated [DEVICE...]");
    auto add = options.add_options();
    add("help", "this text");
    add("device", po::value(&wanted.devices),
        "an OpenCL device that knows the answers, and what is held against it; none: opencl:0 "
        "host:0");
    add("seed", po::value(&wanted.seed), "other kernels for another number than 1");
    add("kernels", po::value(&wanted.kernels), "how many, in place of 300");
    add("jobs", po::value(&wanted.jobs), "processes at once; nothing: one for each core");
    add("write", po::value(&wanted.folder),
        "a folder for the kernels that do not agree, with manifests");
    po::positional_options_description places;
    places.add("device", -1);
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(options).positional(places).run(),
              values);
    if (values.contains("device")) wanted.devices.clear();
    po::notify(values);
    if (values.contains("help")) {
        std::ostringstream text;
        text << options;
        fmt::print("{}", text.str());
        return 0;
    }
    if (wanted.devices.size() < 2 || wanted.kernels == 0 || wanted.jobs == 0)
        throw UsageError(
            "Name two devices, and 1 kernel and process at least, as in: generated opencl:0 "
            "host:0");
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

// A folder that `parallax capture` wrote, as a suite: every manifest in it is a variant.
#include "suites/manifest/captured.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/device/build_options.hpp"
#include "common/error.hpp"
#include "common/text/demangled.hpp"
#include "common/text/hash.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand.hpp"
#include "records/capture.hpp"
#include "records/line.hpp"
#include "records/write_file.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/recorded_source.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_cases = 10'000;
constexpr std::uint64_t most_source_bytes = std::uint64_t{256} << 20;

std::string name_for(const fs::path& folder) {
    std::string name = fs::weakly_canonical(folder).filename().string();
    for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' && c != '.')
            c = '_';
    }
    name.resize(std::min<std::size_t>(name.size(), 60));
    const bool taken =
        std::ranges::any_of(suites(), [&](const Suite& own) { return own.name == name; });
    return taken || name.empty() ? name + "_captured" : name;
}

std::vector<fs::path> manifests_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        // Kernels are never named capture.2: these are the timelines of further processes.
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() != ".json" || name == capture_file ||
            name.starts_with("capture.")) {
            continue;
        }
        files.push_back(entry.path());
        if (files.size() > most_cases) {
            throw UsageError(
                fmt::format("{} has more than {} cases.", folder.string(), most_cases));
        }
    }
    std::ranges::sort(files);
    return files;
}

/// The options except for `-I`, which the layer writes last.
std::string without_folders(std::string words) {
    const std::size_t at = words.find("-I");
    if (at != words.npos) words.resize(at);
    return words;
}

/// Adds the launches of the capture whose manifests are missing.
void note_missing(const fs::path& folder, std::vector<RefusedCase>& refused) {
    std::set<std::string> here;
    for (const fs::path& file : manifests_in(folder)) here.insert(file.stem());
    try {
        for (const CapturedKernel& kernel : read_capture(folder).kernels) {
            for (const CapturedKind& kind : kernel.kinds) {
                if (kind.name.empty() || here.contains(kind.name)) continue;
                refused.push_back({printable(kind.name, 100),
                                   fmt::format("{}.json is missing", printable(kind.name, 100))});
            }
        }
    } catch (const Error& error) {
        // The existing cases can be run; the missing ones are unknown.
        refused.push_back({capture_file, error.what()});
    }
}

/// Checks a captured source against its hash.
/// @throws UsageError
void check_text(const fs::path& folder, const Json& json, std::set<std::string>& known) {
    // A launch of CUDA has its machine code.
    const fs::path source = json.contains("source")
                                ? json.at("source").get<std::string>()
                                : json.at("cuda").at("cubin").get<std::string>();
    if (!source.string().starts_with("texts/") || !is_hash(source.stem().string())) return;
    if (!known.insert(source.string()).second) return;
    if (hash_of(read_file(folder / source, most_source_bytes)) == source.stem()) return;
    known.erase(source.string());
    throw UsageError(
        fmt::format("{} is damaged: what it holds is not what it is named by. A text that was "
                    "edited needs another name, in the manifest's 'source' too.",
                    (folder / source).string()));
}

/// The launches of a folder that can be run, by their variants.
struct CapturedLaunches {
    std::map<std::string, Suite, std::less<>> suites;      // of each manifest
    std::map<std::string, std::string, std::less<>> said;  // what the layer chose for the program
    std::vector<std::string> unchanging;  // launches that change no buffer, and are none of these
};

/// The sources that the user gives the launches of a folder, and what they are not for.
class Sourcing {
public:
    explicit Sourcing(const ManifestPermissions& permissions) : permissions_(permissions) {
        const CudaSources& given = permissions.sources;
        if (!given.files.empty())
            sources_ = std::make_unique<RecordedSources>(given, permissions.folders);
    }

    /// The suite of a launch: with its source where one of the files has it.
    Suite suite(const fs::path& file, const std::string& text, const Json& json) {
        Suite recorded = suite_from(file.string(), text, permissions_);
        if (!sources_ || !json.contains("cuda") || json.contains("source")) return recorded;
        ++launches_;
        std::string why;
        for (SourcedLaunch& launch : sources_->launches(json, file.parent_path())) {
            try {
                Suite one = suite_from(file.string(), launch.json.dump(), permissions_,
                                       std::move(launch.texts));
                std::erase_if(one.variants, &Variant::by_name_only);
                ++sourced_;
                if (!launch.also.empty())
                    noted(json, "Two files define ",
                          fmt::format("{} is taken, and not {}", launch.from, launch.also));
                if (!one.variants.front().for_cuda)
                    one.variants.front().no_opencl =
                        noted(json, "No OpenCL C of ", why.empty() ? launch.why_no_opencl : why);
                return one;
            } catch (const Error& error) {
                if (why.empty()) why = error.what();
            }
        }
        recorded.variants.front().no_opencl = noted(
            json, "Machine code stays for ", why.empty() ? "no file of --source defines it" : why);
        return recorded;
    }

    /// What the user has to know of it, in one line; empty: no source was given.
    std::string notice(const std::string& folder) const {
        if (!sources_) return {};
        std::string said = fmt::format("{}: {} of {} recorded launches have their CUDA source.",
                                       folder, sourced_, launches_);
        for (const auto& [kernel, about] : notes_)
            said += fmt::format(" {} ({} launch{}): {}.", kernel, about.first,
                                about.first == 1 ? "" : "es", about.second);
        return said;
    }

private:
    std::string noted(const Json& json, const char* what, std::string why) {
        while (why.ends_with('.')) why.pop_back();
        const std::string kernel = printable(readable_name(json.value("kernel", "")), 100);
        ++notes_.try_emplace(what + kernel, 0, printable(why, 300)).first->second.first;
        return why;
    }

    const ManifestPermissions& permissions_;
    std::unique_ptr<RecordedSources> sources_;
    unsigned launches_ = 0, sourced_ = 0;
    std::map<std::string, std::pair<unsigned, std::string>> notes_;  ///< launches, the first's why
};

std::string sentences_of(const Json& list) {
    std::string all;
    for (const Json& sentence : list) {
        if (!sentence.is_string()) continue;
        all += (all.empty() ? "" : " ") + printable(sentence.get<std::string>(), 400);
    }
    return all;
}

/// @param why_none  why a launch was left out that was not refused
std::string why_no_launch(const std::string& folder, const std::vector<RefusedCase>& refused,
                          const std::string& why_none) {
    if (!refused.empty()) return refused.front().why;
    try {
        const Capture capture = read_capture(folder);
        if (!capture.has_contents)
            return "it was captured with --timeline, which keeps no contents";
        for (const CapturedKernel& kernel : capture.kernels) {
            for (const auto& [reason, count] : kernel.not_kept()) {
                return fmt::format("launches of {} were not kept: {}",
                                   printable(kernel.kernel, 100), printable(reason, 200));
            }
        }
    } catch (const Error& error) {
        return error.what();
    }
    return why_none.empty() ? "the program made no launch that could be kept" : why_none;
}

/// What a launch of that manifest began with and left: equal bytes have equal names.
void add_data(RecordedLaunch& launch, const Json& json) {
    const auto hash_in = [](const Json& file) {
        return file.is_string() ? fs::path(file.get<std::string>()).stem().string() : "";
    };
    for (const Json& argument : json.value("arguments", Json::array())) {
        if (argument.is_object() && argument.contains("hex") && !argument.contains("pointers"))
            launch.values.push_back(argument.value("hex", ""));
        if (!argument.is_object() || !argument.contains("fill")) continue;
        RecordedContent one{hash_in(argument["fill"].value("file", Json())),
                            {},
                            argument.value("bytes", std::uint64_t{0})};
        one.after = argument.contains("after") ? hash_in(argument["after"]) : one.before;
        launch.contents.push_back(std::move(one));
    }
}

/// @param whole_texts  those that were looked at
/// @param name  of its variant
RecordedLaunch read_captured(const fs::path& folder, const fs::path& file, const std::string& name,
                             Sourcing& sourcing, std::set<std::string>& whole_texts,
                             CapturedLaunches& launches) {
    const std::string text = without_mark(read_file(file, most_manifest_bytes));
    const Json json = parse_line(text).json;
    if (json.is_object() && json.contains("reference")) {
        throw UsageError(
            "it has a 'reference', which no capture writes: what is right lies in the files of "
            "'after'");
    }
    Suite one = sourcing.suite(file, text, json);
    if (one.variants.size() != 1) throw UsageError("it is no single launch");
    if (!one.reference) throw UsageError("it lacks what the launch computed, its 'after'");
    check_text(folder, json, whole_texts);
    one.variants.front().name = name;
    launches.suites.emplace(name, std::move(one));
    launches.said[name] = sentences_of(json.value("check", Json::array()));
    RecordedLaunch launch{file.stem().string(), name, {}, {}};
    add_data(launch, json);
    return launch;
}

bool holds_data(const fs::path& folder) {
    try {
        return !read_capture(folder).only_hashes;
    } catch (const Error&) {  // its cases can be run all the same
        return true;
    }
}

/// Adds the launches of a folder. A name that is taken gets `-b`.
/// @param why_none  receives why nothing was kept; null: there must be a launch that could be run
/// @throws UsageError when launches were kept, and none could be run
std::vector<RecordedLaunch> add_folder(const std::string& folder, Sourcing& sourcing,
                                       CapturedLaunches& launches,
                                       std::vector<RefusedCase>& refused,
                                       std::string* why_none = nullptr) {
    if (!is_captured(folder)) {
        throw UsageError(fmt::format(
            "{} is a folder without {}, so that it is no capture: 'parallax capture -o "
            "DIR -- PROGRAM' makes one. A manifest is named by its file, FOLDER/NAME.json.",
            folder, capture_file));
    }
    std::vector<RecordedLaunch> added;
    std::string nothing_compared;
    std::set<std::string> whole_texts;
    for (const fs::path& file : manifests_in(folder)) {
        std::string name = file.stem().string();
        while (launches.suites.contains(name)) name += "-b";
        try {
            added.push_back(read_captured(folder, file, name, sourcing, whole_texts, launches));
        } catch (const NothingCompared& error) {
            nothing_compared = error.what();
            launches.unchanging.push_back(printable(name, 100));
        } catch (const Error& error) {
            refused.push_back({printable(file.stem().string(), 100), error.what()});
        }
    }
    note_missing(folder, refused);
    if (!added.empty() && holds_data(folder)) return added;
    const std::string why =
        added.empty() ? why_no_launch(folder, refused, nothing_compared)
                      : "it was captured with --no-data, which keeps hashes in place of contents; "
                        "'diff' pairs the kernels of two recordings by them";
    if (!why_none || !refused.empty())
        throw UsageError(fmt::format("{} has no case that can be run: {}", folder, why));
    *why_none = why;
    return added;
}

/// Launches of one text are of one file: it is built once for all of them.
void add_launches(Suite& suite, const CapturedLaunches& launches) {
    std::map<std::string, std::string> files;
    for (const auto& [name, part] : launches.suites) {
        const auto placed = [&](Variant variant) {
            const bool is_text =
                !variant.natives.empty() && variant.natives.front().language == Language::native;
            const std::string ending = variant.natives.empty() ? ".cl" : is_text ? ".cu" : ".cubin";
            variant.name = name;
            variant.source =
                files.try_emplace(part.text(variant.source), name + ending).first->second;
            for (NativeSource& native : variant.natives) native.source = variant.source;
            variant.shapes = part.shapes;
            variant.problem = name;
            return variant;
        };
        Variant variant = placed(part.variants.front());
        if (variant.for_cuda)
            variant.for_cuda = std::make_shared<Variant>(placed(*variant.for_cuda));
        suite.variants.push_back(std::move(variant));
    }
}

/// @param folder  for messages
Suite suite_of(const std::string& folder, const std::string& name,
               const std::shared_ptr<const CapturedLaunches>& launches) {
    Suite suite;
    suite.name = name;
    if (launches->suites.empty()) return suite;
    const Suite& first = launches->suites.begin()->second;
    suite.question = "What does each of the program's launches take on either side?";
    suite.manifest = folder;
    // Launches with a source of the user's have the folders of its includes, too.
    for (const auto& [variant, part] : launches->suites) {
        if (!suite.files || part.files->folders.size() > suite.files->folders.size())
            suite.files = part.files;
    }
    suite.dimensions = first.dimensions;
    suite.types = first.types;
    suite.shapes = first.shapes;
    suite.reference_name = first.reference_name;
    add_launches(suite, *launches);
    suite.source = suite.variants.front().source;
    const auto part_named = [launches, folder](std::string_view file) -> const Suite& {
        const std::string_view stem = file.substr(0, file.rfind('.'));
        const auto part = launches->suites.find(stem);
        if (part == launches->suites.end()) {
            throw UsageError(fmt::format("{} has no kernel file '{}'.", folder, file));
        }
        return part->second;
    };
    suite.text = [part_named](std::string_view file) {
        const Suite& part = part_named(file);
        const Variant& variant = part.variants.front();
        return part.text(file.ends_with(".cu") && variant.for_cuda ? variant.for_cuda->source
                                                                   : variant.source);
    };
    suite.written = [part_named](std::string_view file) {
        const Suite& part = part_named(file);
        return part.written(part.source);
    };
    const auto part_of = [launches](const Case& c) -> const Suite& {
        return launches->suites.at(c.variant->name);
    };
    suite.inputs = [part_of](const Case& c, const InputPattern& pattern, std::uint64_t seed) {
        return part_of(c).inputs(c, pattern, seed);
    };
    suite.reference = [part_of](const Case& c, const std::vector<HostArray>& inputs) {
        return part_of(c).reference(c, inputs);
    };
    suite.tolerance = [part_of](const Case& c) { return part_of(c).tolerance(c); };
    suite.work = [part_of](const Case& c) { return part_of(c).work(c); };
    suite.refuse = first.refuse;
    suite.summarize = [launches](const Case& c, const std::vector<Expected>&) {
        return launches->said.at(c.variant->name);
    };
    return suite;
}

}  // namespace

bool is_hash(std::string_view name) {
    return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == name.npos;
}

bool is_captured(const fs::path& folder) {
    std::error_code error;
    return !folder.empty() && fs::is_regular_file(folder / capture_file, error);
}

void include_by_macros(const fs::path& folder) {
    std::map<std::string, std::string> made;  // sources, by their original source and options
    for (const fs::path& file : manifests_in(folder)) {
        try {
            ParsedLine parsed = parse_line(read_file(file, most_manifest_bytes));
            Json& json = parsed.json;
            const auto source = json.at("source").get<std::string>();
            const auto words = json.at("options").get<std::string>();
            const BuildOptions options = parse_build_options(words);
            const std::string text = read_file(folder / source, most_manifest_bytes << 4);
            const auto includes = directives_of(text).all;
            if (!std::ranges::any_of(
                    includes, [](const DirectiveLine& one) { return one.name == "include"; }))
                continue;
            std::string& name = made[source + '\n' + words];
            if (name.empty()) {
                const std::string whole =
                    expanded("program.cl", text, options.defines, options.folders,
                             PathSandbox({"/"}), options.undefined);
                name = fmt::format("texts/{}.cl", hash_of(whole));
                write_file(folder / name, whole);
            }
            json["source"] = name;
            json["options"] = without_folders(words);
            write_file(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
        } catch (const std::exception&) {
            // Reading the manifest will report the missing file.
        }
    }
}

CapturedSuite captured_suite(const std::string& folder, const ManifestPermissions& permissions) {
    CapturedSuite captured;
    const auto launches = std::make_shared<CapturedLaunches>();
    Sourcing sourcing(permissions);
    add_folder(folder, sourcing, *launches, captured.refused);
    captured.suite = suite_of(folder, name_for(folder), launches);
    captured.suite.notice = sourcing.notice(folder);
    if (!launches->unchanging.empty()) {
        captured.suite.notice +=
            fmt::format("{}Nothing tells right from wrong of launches that change no buffer: {}.",
                        captured.suite.notice.empty() ? folder + ": " : " ",
                        fmt::join(launches->unchanging, ", "));
    }
    return captured;
}

CapturedPair captured_pair(const Both<std::string>& folders,
                           const ManifestPermissions& permissions) {
    CapturedPair pair;
    const auto launches = std::make_shared<CapturedLaunches>();
    Sourcing sourcing(permissions);
    for (const bool is_b : {false, true}) {
        pair.launches.of(is_b) = add_folder(folders.of(is_b), sourcing, *launches,
                                            pair.refused.of(is_b), &pair.why_none.of(is_b));
    }
    pair.suite = suite_of(folders.a, fmt::format("{}-{}", name_for(folders.a), name_for(folders.b)),
                          launches);
    return pair;
}

}  // namespace parallax

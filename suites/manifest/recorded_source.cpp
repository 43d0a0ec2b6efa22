// Finds recorded kernels in CUDA files, and writes their launches as manifests of two sources.
#include "suites/manifest/recorded_source.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/demangled.hpp"
#include "common/text/hash.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/from_cuda/cuda_kernels.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/preprocess/includes.hpp"
#include "suites/manifest/model.hpp"
#include "suites/manifest/unpack.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// What OpenCL C cannot have, or the recording does not say: a part of a sentence.
struct NoOpenCl : Error {
    using Error::Error;
};

/// A variable's name without its namespaces.
std::string last_name(const std::string& mangled) {
    const std::string whole = readable_name(mangled);
    return whole.substr(whole.rfind(':') + 1);  // npos + 1 is 0
}

std::string hex(const std::vector<std::byte>& bytes) {
    std::string digits;
    for (const std::byte one : bytes) digits += fmt::format("{:02x}", std::to_integer<int>(one));
    return digits;
}

/// The size of a variable of a type with a name in OpenCL C.
/// @throws NoOpenCl
std::size_t value_bytes(const CudaVariable& variable) {
    const auto type = value_type_named(variable.type);
    if (!type || !element_type_named(type->element)) {
        throw NoOpenCl(fmt::format("the size of '{}' ({}) is not known", variable.name,
                                   printable(variable.type, 40)));
    }
    return manifest::slots(*type) * size_of(*element_type_named(type->element));
}

/// Whether an argument is one address and nothing else.
bool is_address(const Json& argument) {
    constexpr std::size_t digits = 16;
    return argument.value("hex", "").size() == digits && argument.at("pointers").size() == 1;
}

/// The argument of that name in the list of a manifest.
/// @throws UsageError: there is none
Json& argument_in(Json& list, const std::string& name) {
    const auto found =
        std::ranges::find_if(list, [&](const Json& one) { return one.value("name", "") == name; });
    if (found != list.end()) return *found;
    throw UsageError(
        fmt::format("'arguments' has no '{}', which 'cuda' names: the manifest was "
                    "edited",
                    printable(name, 60)));
}

/// @throws UsageError where a variable without extents has another size in the program
void check_bytes(const CudaVariable& variable, const Json& recorded) {
    const auto type = value_type_named(variable.type);
    if (!variable.count.empty() || !type || !element_type_named(type->element)) return;
    const std::size_t here = value_bytes(variable), there = recorded.value("bytes", here);
    if (here == there) return;
    throw UsageError(
        fmt::format("'{}' has {} bytes in the source and {} in the program: --source "
                    "names another version",
                    variable.name, here, there));
}

}  // namespace

/// A file of --source.
struct RecordedSources::File {
    fs::path path;
    std::string text;  ///< with what it includes
    std::vector<CudaKernel> kernels;
};

/// A recorded kernel in one of the files.
struct RecordedSources::Found {
    const File* file = nullptr;
    CudaKernel kernel;
    std::string expression;  ///< for CUDA's compilers
    std::string also = {};   ///< another file that defines it
    // The translation:
    std::string why_none;  ///< empty: there is one
    std::string text, name;
    Signature signature = {};

    void translate(const CudaSources&);
    Json with_source(const Json& manifest, const CudaSources&) const;
    void add_opencl(Json& json, const fs::path& folder) const;
};

RecordedSources::RecordedSources(const CudaSources& given,
                                 const std::vector<std::filesystem::path>& folders)
    : given_(given) {
    for (const fs::path& path : given.files) {
        std::vector<fs::path> open{path.parent_path()};
        for (const auto* more : {&given.folders, &folders})
            open.insert(open.end(), more->begin(), more->end());
        std::vector<std::string> include;
        for (const fs::path& folder : given.folders) include.push_back(folder.string());
        File& file = files_.emplace_back(File{fs::absolute(path), {}, {}});
        const std::string text = without_mark(read_file(path, most_text_bytes));
        file.text = with_includes(path.string(), text, include, PathSandbox(open), true).text;
        file.kernels = cuda_kernels(path.string(), file.text, {.defines = given.defines});
    }
}

RecordedSources::~RecordedSources() = default;

const RecordedSources::Found* RecordedSources::find(const std::string& mangled) {
    const auto [at, is_new] = known_.try_emplace(mangled);
    if (!is_new) return at->second.get();
    const std::string name = readable_name(mangled), wanted = demangled(mangled).expression;
    const auto take = [&](const File& file, const std::vector<CudaKernel>& kernels) {
        const auto found = std::ranges::find_if(kernels, [&](const CudaKernel& one) {
            return one.open.empty() && readable_name(one.mangled) == name;
        });
        if (found == kernels.end()) return;
        if (at->second) {
            at->second->also = file.path.filename().string();
            return;
        }
        at->second =
            std::make_unique<Found>(Found{&file, *found, found->expression, {}, {}, {}, {}});
        // Of several kernels of this name the type says which one it is.
        if (std::ranges::count(kernels, found->expression, &CudaKernel::expression) > 1)
            at->second->expression =
                fmt::format("(void (*){}){}", name.substr(name.rfind(wanted) + wanted.size()),
                            found->expression);
        at->second->translate(given_);
    };
    for (const File& file : files_) take(file, file.kernels);
    for (const File& file : files_) {
        // Nothing in the file makes this instance of its template.
        if (at->second || wanted.find('<') == wanted.npos) continue;
        try {
            take(file, cuda_kernels(file.path.string(), file.text,
                                    {.defines = given_.defines, .kernels = {wanted}}));
        } catch (const Error&) {  // the file has no such template
        }
    }
    return at->second.get();
}

void RecordedSources::Found::translate(const CudaSources& given) {
    const bool is_instance = kernel.expression.find('<') != kernel.expression.npos;
    try {
        OpenClTranslation made =
            to_opencl(file->path.filename().string(), file->text,
                      {.defines = given.defines,
                       .kernels = {is_instance ? kernel.expression : kernel.mangled}},
                      !given.defines.empty());
        text = std::move(made.text);
        if (made.kernels.size() != 1) throw Refused("it is not one kernel of its translation");
        name = made.kernels.front().second;
        for (Signature& one : signatures(file->path.string(), text, TranslateOptions{})) {
            if (one.kernel == name) signature = std::move(one);
        }
    } catch (const Refused& error) {
        why_none = error.what();
    }
}

/// The launch with the CUDA source in place of the machine code.
Json RecordedSources::Found::with_source(const Json& manifest, const CudaSources& given) const {
    Json json = manifest;
    json["kernel"] = expression;
    for (const Define& one : given.defines) json["defines"][one.name] = one.value;
    for (const fs::path& one : given.folders) json["include"].push_back(fs::absolute(one).string());
    Json& cuda = json["cuda"];  // adding to `json` would move it
    cuda.erase("cubin");
    cuda["source"] = file->path.filename().string();
    Json& arguments = json["arguments"];
    const Json symbols = cuda.value("symbols", Json::object());
    for (const auto& [argument, variable] : symbols.items()) {
        const auto own =
            std::ranges::find(kernel.symbols, last_name(variable), &CudaVariable::name);
        if (own != kernel.symbols.end()) {
            check_bytes(*own, argument_in(arguments, argument));
            continue;
        }
        // It is of another kernel.
        arguments.erase(
            static_cast<std::size_t>(&argument_in(arguments, argument) - &arguments.front()));
        cuda["symbols"].erase(argument);
    }
    // The source says the types of its parameters.
    for (const Json& one : cuda.at("arguments")) {
        if (Json& own = argument_in(arguments, one); own.contains("fill")) own.erase("type");
    }
    return json;
}

/// Adds the translation, and what its kernel takes.
/// @throws NoOpenCl
void RecordedSources::Found::add_opencl(Json& json, const fs::path& folder) const {
    if (!why_none.empty()) throw NoOpenCl(why_none);
    Json& arguments = json["arguments"];
    Json cuda = json["cuda"];
    const Json passed = cuda.at("arguments");
    Json names = Json::array();
    bool has_shared = false;
    for (const std::string one : passed) {
        Json& own = argument_in(arguments, one);
        if (own.contains("local_bytes")) {
            has_shared = true;
            if (kernel.shared.empty()) own["only"] = "cuda";
            own.erase("type");
            continue;
        }
        if (own.contains("pointers") && !is_address(own)) {
            throw NoOpenCl(
                fmt::format("parameter {} holds addresses, and OpenCL takes none within a struct",
                            names.size() + 1));
        }
        names.push_back(one);
    }
    const Json symbols = cuda.value("symbols", Json::object());
    const auto is_value = [&](std::size_t place) {
        return place < signature.parameters.size() &&
               signature.parameters[place].kind == Parameter::Kind::scalar;
    };
    for (const CudaVariable& variable : kernel.symbols) {
        const auto own = std::ranges::find_if(symbols.items(), [&](const auto& item) {
            return last_name(item.value()) == variable.name;
        });
        const bool is_recorded = own != symbols.items().end();
        if (!variable.value.empty()) {
            if (!is_recorded) continue;
            throw NoOpenCl(fmt::format(
                "'{}' begins as {} in the source, which is a constant in OpenCL C, and has other "
                "contents in the program",
                variable.name, printable(variable.value, 40)));
        }
        names.push_back(is_recorded ? own.key() : "variable_" + variable.name);
        if (is_value(names.size() - 1)) {
            // A kernel that only reads a variable takes its value.
            std::vector<std::byte> bytes(value_bytes(variable));
            if (is_recorded) {
                Json& buffer = argument_in(arguments, own.key());
                bytes.resize(buffer.at("bytes"));
                manifest::unpack(folder / buffer.at("fill").at("file").get<std::string>(), bytes);
                buffer["only"] = "cuda";
            }
            names.back() = "value_of_" + variable.name;
            arguments.push_back({{"name", names.back()}, {"hex", hex(bytes)}, {"only", "opencl"}});
            continue;
        }
        if (is_recorded) {
            argument_in(arguments, own.key()).erase("type");
            continue;
        }
        // The program left it as the loader makes it.
        arguments.push_back({{"name", names.back()},
                             {"type", variable.type},
                             {"elements", variable.count.empty() ? "1" : variable.count},
                             {"fill", "zeros"},
                             {"use", "input"},
                             {"only", "opencl"}});
    }
    if (kernel.shared.size() > 1)
        throw NoOpenCl("several arrays are extern __shared__, and are one memory in CUDA");
    if (!kernel.shared.empty()) {
        names.push_back("shared");
        constexpr unsigned least = 16;  // an argument of OpenCL has some bytes
        if (!has_shared)
            arguments.push_back({{"name", "shared"}, {"local_bytes", least}, {"only", "opencl"}});
    }
    if (names.size() != signature.parameters.size()) {
        throw NoOpenCl(
            fmt::format("its OpenCL C has {} parameters, and the recording {} values for them",
                        signature.parameters.size(), names.size()));
    }
    Json launch{{"arguments", passed}};
    for (const char* key : {"kernel", "items", "groups", "cooperative"}) {
        if (!json.contains(key)) continue;
        launch[key] = json[key];
        json.erase(key);
    }
    cuda.erase("arguments");
    cuda["launches"] = {launch};
    launch["arguments"] = names;
    launch["kernel"] = name;
    json["launches"] = {launch};
    json["cuda"] = std::move(cuda);
    json["source"] = fmt::format("{}.cl", hash_of(text));
}

std::vector<SourcedLaunch> RecordedSources::launches(const Json& manifest, const fs::path& folder) {
    const Found* const found = find(manifest.value("kernel", ""));
    if (!found) return {};
    std::vector<SourcedLaunch> made;
    std::string why;
    const Json cuda = found->with_source(manifest, given_);
    const std::map<std::string, std::string> texts{
        {cuda.at("cuda").at("source"), found->kernel.needed}};
    try {
        SourcedLaunch both{cuda, texts, {}, found->file->path.filename().string(), found->also};
        found->add_opencl(both.json, folder);
        both.texts[both.json.at("source")] = found->text;
        made.push_back(std::move(both));
    } catch (const Error& error) {
        why = error.what();
    } catch (const Json::exception&) {
        why = "the manifest of the launch was edited";
    }
    made.push_back({cuda, texts, why, found->file->path.filename().string(), found->also});
    return made;
}

}  // namespace parallax

// Parses the kernels of a manifest and their launches.
#include <algorithm>
#include <memory>
#include <set>

#include "suites/manifest/formula.hpp"
#include "suites/manifest/node.hpp"

namespace parallax::manifest {
namespace {

std::vector<std::string> read_extents(const Node& node) {
    std::vector<std::string> formulas;
    for (const Node& one : node.list("a list of one to three formulas", 1, 3)) {
        formulas.push_back(one.formula());
    }
    return formulas;
}

/// @param usual  where the key is not there
bool read_cooperative(const Node& node, bool usual) {
    const auto given = node.find("cooperative");
    if (!given) return usual;
    if (!given->json().is_boolean()) given->expect("true or false");
    return given->json().get<bool>();
}

/// A kernel's name and launch configuration.
/// @param is_cuda  whether its name may be an expression
LaunchSpec read_launch(const Node& node, bool is_cuda) {
    LaunchSpec launch;
    launch.path = node.path();
    const Node name = node.need("kernel", "the kernel's name");
    launch.kernel = is_cuda ? name.name_expression() : name.name("the kernel's name");
    launch.items = read_extents(node.need("items", "work-items of a group, such as [256]"));
    const auto groups = node.find("groups"), global = node.find("global");
    if (groups.has_value() == global.has_value()) {
        node.fail(
            "one of 'groups' (such as [\"ceil(n / 256)\"]) and 'global' (work-items in all) "
            "is needed");
    }
    launch.is_global = global.has_value();
    launch.groups = read_extents(groups ? *groups : *global);
    launch.is_cooperative = read_cooperative(node, false);
    if (const auto offset = node.find("offset")) {
        for (const Node& one : offset->list("a list of one to three whole numbers", 1, 3)) {
            launch.offset.push_back(
                static_cast<std::uint64_t>(one.whole("a whole number", 0, largest_exact)));
        }
    }
    return launch;
}

constexpr const char* names_of_arguments = "a list of names of arguments";

/// Its place; past the end: there is none.
std::size_t argument_named(const KernelSource& text, std::string_view name) {
    const auto found = std::ranges::find(text.arguments, name, &ArgumentSpec::name);
    return static_cast<std::size_t>(found - text.arguments.begin());
}

/// Parses the names of a launch's arguments.
void read_names(const Node& list, const KernelSource& text, LaunchSpec& launch) {
    launch.arguments.clear();
    for (const Node& word : list.list(names_of_arguments, 0, 200)) {
        const std::size_t place = argument_named(text, word.text("the name of an argument"));
        if (place == text.arguments.size()) word.expect("the name of one of the 'arguments'");
        launch.arguments.push_back(place);
    }
}

/// The arguments of a launch that does not name them: all, in their order.
void take_all(const KernelSource& text, LaunchSpec& launch) {
    launch.arguments.clear();
    for (std::size_t i = 0; i < text.arguments.size(); ++i) {
        const ArgumentSpec& one = text.arguments[i];
        if (text.leaves_out(one) || text.symbols.contains(one.name)) continue;
        launch.arguments.push_back(i);
    }
}

/// Parses successive launches, whose arguments are names of a shared list.
void read_launches(const Node& node, const Node& list, KernelSource& text) {
    for (const char* key : {"kernel", "items", "groups", "global", "offset", "cooperative"}) {
        if (!node.find(key)) continue;
        node.fail(fmt::format("'{}' is next to 'launches'; write it in each of them", key));
    }
    text.is_list = true;
    text.launches.clear();
    std::vector<bool> used(text.arguments.size());
    for (const auto& [name, symbol] : text.symbols) used.at(argument_named(text, name)) = true;
    for (const ArgumentSpec& one : text.arguments) {
        for (const auto& pointer : one.pointers) {
            if (const std::size_t place = argument_named(text, pointer.to); place < used.size())
                used[place] = true;
        }
    }
    for (const Node& one : list.list("a list of one object or more", 1, 1000)) {
        one.object(launch_keys);
        LaunchSpec& launch =
            text.launches.emplace_back(read_launch(one, text.language != Language::portable));
        read_names(one.need("arguments", names_of_arguments), text, launch);
        for (const std::size_t place : launch.arguments) used[place] = true;
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        const ArgumentSpec& argument = text.arguments[i];
        if (text.leaves_out(argument)) continue;
        // Names are used in formulas, and as a reference command's file names.
        if (!is_formula_name(argument.name) || argument.kind == ArgumentSpec::Kind::same) {
            node.fail(
                "with 'launches' each argument has a name of its own (letters, digits and _), and "
                "none has 'same_as'");
        }
        if (!used[i]) {
            node.fail(fmt::format("no launch has the argument '{}'", argument.name));
        }
    }
}

const Keys cuda_keys = both(launch_keys, {"source", "ptx", "cubin", "constants", "defines",
                                          "options", "symbols", "launches"});

/// The one file, and what it holds.
void read_file_name(const Node& node, KernelSource& side) {
    const std::pair<const char*, Language> kinds[] = {
        {"source", Language::native}, {"ptx", Language::ptx}, {"cubin", Language::cubin}};
    side.source.clear();
    for (const auto& [key, language] : kinds) {
        const auto file = node.find(key);
        if (!file) continue;
        if (!side.source.empty()) node.fail("two files; write one of source, ptx and cubin");
        side.source = file->file("a file's name");
        side.language = language;
    }
    if (side.source.empty()) node.fail("no file; write one of source, ptx and cubin");
}

void read_symbols(const Node& node, KernelSource& side) {
    for (const auto& [name, symbol] : node.members("{\"ARGUMENT\": \"VARIABLE\"}")) {
        const std::size_t place = argument_named(side, name);
        if (place == side.arguments.size()) symbol.fail("there is no argument of this name");
        const ArgumentSpec& one = side.arguments[place];
        if (one.kind != ArgumentSpec::Kind::buffer || one.image) {
            symbol.fail("only a buffer can be a variable of the source");
        }
        side.symbols[name] = symbol.name("the name of a __constant__ or __device__ variable");
    }
}

/// Name, order of arguments and launch configuration of CUDA's one launch, where they differ.
void read_own_launch(const Node& node, LaunchSpec& launch, const KernelSource& side) {
    if (const auto name = node.find("kernel")) launch.kernel = name->name_expression();
    if (const auto order = node.find("arguments")) read_names(*order, side, launch);
    const auto groups = node.find("groups"), global = node.find("global"),
               items = node.find("items");
    if (groups && global) node.fail("both 'groups' and 'global'; write one of them");
    if (items) launch.items = read_extents(*items);
    if (groups || global) {
        launch.is_global = global.has_value();
        launch.groups = read_extents(groups ? *groups : *global);
    }
    launch.is_cooperative = read_cooperative(node, launch.is_cooperative);
    if (items || groups || global) launch.path = node.path();
}

/// Parses the key `cuda`.
/// @param kernel  the kernel's other keys: what the CUDA source has in common with its OpenCL C
KernelSource read_cuda_side(const Node& node, const KernelSource& kernel) {
    KernelSource side = kernel;
    side.path = node.path();
    side.language = Language::native;
    if (node.json().is_string()) {
        side.source = node.file("the CUDA file's name");
        if (!side.is_list) take_all(side, side.launches.front());
        return side;
    }
    node.object(cuda_keys);
    read_file_name(node, side);
    if (const auto symbols = node.find("symbols")) read_symbols(*symbols, side);
    if (const auto constants = node.find("constants")) {
        side.own_constants = read_constants(*constants, nullptr);
    }
    if (const auto defines = node.find("defines")) {
        for (const Define& one : read_defines(*defines)) {
            side.options.push_back(fmt::format("-D{}={}", one.name, one.value));
        }
    }
    if (const auto options = node.find("options")) read_cuda_options(*options, side);
    if (const auto launches = node.find("launches")) {
        read_launches(node, *launches, side);
    } else if (!side.is_list) {
        take_all(side, side.launches.front());
        read_own_launch(node, side.launches.front(), side);
    } else {
        for (const char* key :
             {"kernel", "arguments", "items", "groups", "global", "cooperative"}) {
            if (!node.find(key)) continue;
            node.fail(
                fmt::format("'{}' is of one kernel, and these are several launches; write "
                            "'launches' for CUDA's",
                            key));
        }
    }
    return side;
}

/// Finds the buffers that addresses within bytes point to.
void find_targets(const Node& node, KernelSource& text) {
    for (ArgumentSpec& one : text.arguments) {
        for (ArgumentSpec::Pointer& pointer : one.pointers) {
            if (text.language == Language::portable && !one.is_address())
                node.fail("'pointers' within a struct are of a kernel in CUDA alone");
            pointer.place = argument_named(text, pointer.to);
            if (pointer.place == text.arguments.size() ||
                text.arguments[pointer.place].kind != ArgumentSpec::Kind::buffer ||
                text.arguments[pointer.place].image) {
                node.fail(fmt::format("there is no buffer '{}', to which 'pointers' of '{}' point",
                                      printable(pointer.to, 60), printable(one.name, 60)));
            }
        }
    }
}

}  // namespace

SourceNames sources_of(const Node& node, const SourceNames& of_manifest) {
    const auto source = node.find("source"), cuda = node.find("cuda");
    if (!source && !cuda) return of_manifest;
    return {source ? source->file("the kernel file's name") : "", cuda};
}

KernelSource read_kernel(const Node& node, const SourceNames& sources) {
    KernelSource text;
    text.path = node.path();
    text.source = sources.opencl;
    const bool is_cuda = sources.opencl.empty();
    if (is_cuda && !sources.cuda) {
        node.fail(
            "neither 'source' nor 'cuda': write the file of the kernel next to the manifest, "
            "OpenCL C under 'source', CUDA C++ under 'cuda'");
    }
    if (is_cuda) text.language = Language::native;
    std::set<std::string> names;
    for (const Node& one : node.need("arguments", "a list, in the order of the parameters")
                               .list("a list of objects", 0, 200)) {
        text.arguments.push_back(read_argument(one));
        const ArgumentSpec& last = text.arguments.back();
        if (!last.name.empty() && !names.insert(last.name).second) {
            one.fail("a second argument of this name");
        }
        if (last.kind != ArgumentSpec::Kind::same) continue;
        if (last.same_as + 1 >= text.arguments.size() ||
            text.arguments[last.same_as].kind != ArgumentSpec::Kind::buffer) {
            one.fail("'same_as' is the place of a buffer before, from 0");
        }
    }
    if (const auto launches = node.find("launches")) {
        read_launches(node, *launches, text);
    } else {
        LaunchSpec& only = text.launches.emplace_back(read_launch(node, is_cuda));
        take_all(text, only);
    }
    text.name = text.launches.front().kernel;
    if (is_cuda) {
        // `ns::scale<float>` is variant `scale`.
        text.name = text.name.substr(0, text.name.find('<'));
        text.name = text.name.substr(text.name.rfind(':') + 1);  // npos + 1 is 0
        KernelSource side = read_cuda_side(*sources.cuda, text);
        find_targets(node, side);
        return side;
    }
    if (sources.cuda) {
        text.cuda = std::make_shared<KernelSource>(read_cuda_side(*sources.cuda, text));
    }
    find_targets(node, text);
    return text;
}

}  // namespace parallax::manifest

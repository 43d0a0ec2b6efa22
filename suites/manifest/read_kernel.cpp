// Parses the kernels of a manifest and their launches.
#include <algorithm>
#include <numeric>
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

/// A kernel's name and launch configuration.
LaunchText read_launch(const Node& node) {
    LaunchText launch;
    launch.path = node.path();
    launch.kernel = node.need("kernel", "the kernel's name").name("the kernel's name");
    launch.items = read_extents(node.need("items", "work-items of a group, such as [256]"));
    const auto groups = node.find("groups"), global = node.find("global");
    if (groups.has_value() == global.has_value()) {
        node.fail(
            "one of 'groups' (such as [\"ceil(n / 256)\"]) and 'global' (work-items in all) "
            "is needed");
    }
    launch.is_global = global.has_value();
    launch.groups = read_extents(groups ? *groups : *global);
    if (const auto offset = node.find("offset")) {
        for (const Node& one : offset->list("a list of one to three whole numbers", 1, 3)) {
            launch.offset.push_back(
                static_cast<std::uint64_t>(one.whole("a whole number", 0, largest_exact)));
        }
    }
    return launch;
}

/// Parses successive launches, whose arguments are names of a shared list.
void read_launches(const Node& node, const Node& list, KernelSource& text) {
    for (const char* key : {"kernel", "items", "groups", "global", "offset"}) {
        if (!node.find(key)) continue;
        node.fail(fmt::format("'{}' is next to 'launches'; write it in each of them", key));
    }
    text.is_list = true;
    std::vector<bool> used(text.arguments.size());
    for (const Node& one : list.list("a list of one object or more", 1, 1000)) {
        one.object(launch_keys);
        LaunchText& launch = text.launches.emplace_back(read_launch(one));
        for (const Node& word : one.need("arguments", "a list of names of arguments")
                                    .list("a list of names of arguments", 0, 200)) {
            const std::string name = word.text("the name of an argument");
            const auto found = std::ranges::find(text.arguments, name, &ArgumentText::name);
            if (found == text.arguments.end()) word.expect("the name of one of the 'arguments'");
            launch.arguments.push_back(static_cast<std::size_t>(found - text.arguments.begin()));
            used[launch.arguments.back()] = true;
        }
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        const ArgumentText& argument = text.arguments[i];
        // Names are used in formulas, and as a reference command's file names.
        if (!is_formula_name(argument.name) || argument.kind == ArgumentText::Kind::same) {
            node.need("arguments", "")
                .fail(
                    "with 'launches' each argument has a name of its own (letters, digits and _), "
                    "and none has 'same_as'");
        }
        if (!used[i]) {
            node.need("arguments", "")
                .fail(fmt::format("no launch has the argument '{}'", argument.name));
        }
    }
}

}  // namespace

KernelSource read_kernel(const Node& node, const std::string& source) {
    KernelSource text;
    text.path = node.path();
    text.source = source;
    std::set<std::string> names;
    for (const Node& one : node.need("arguments", "a list, in the order of the parameters")
                               .list("a list of objects", 0, 200)) {
        text.arguments.push_back(read_argument(one));
        const ArgumentText& last = text.arguments.back();
        if (!last.name.empty() && !names.insert(last.name).second) {
            one.fail("a second argument of this name");
        }
        if (last.kind != ArgumentText::Kind::same) continue;
        if (last.same_as + 1 >= text.arguments.size() ||
            text.arguments[last.same_as].kind != ArgumentText::Kind::buffer) {
            one.fail("'same_as' is the place of a buffer before, from 0");
        }
    }
    if (const auto launches = node.find("launches")) {
        read_launches(node, *launches, text);
    } else {
        LaunchText& only = text.launches.emplace_back(read_launch(node));
        only.arguments.resize(text.arguments.size());
        std::iota(only.arguments.begin(), only.arguments.end(), std::size_t{0});
    }
    text.name = text.launches.front().kernel;
    return text;
}

}  // namespace parallax::manifest

// Reads what a host program gives the compiler, and says in the text what it gives the launch.
#include <algorithm>

#include <fmt/format.h>

#include "common/characters.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/node.hpp"

namespace parallax::manifest {
namespace {

/// Whether it can be said as `#define NAME ...`, with parameters or without.
bool is_macro_name(std::string_view name) {
    const std::size_t end = std::min(name.find('('), name.size());
    const std::string_view parameters = name.substr(end);
    return is_formula_name(name.substr(0, end)) &&
           (parameters.empty() ||
            (parameters.ends_with(')') && std::ranges::count(parameters, '(') == 1)) &&
           std::ranges::all_of(parameters, [](char c) {
               return is_word_character(c) ||
                      std::string_view("(), .").find(c) != std::string_view::npos;
           });
}

}  // namespace

void read_options(const Node& node, Model& model) {
    model.options =
        parse_build_options(node.text("build options such as \"-DN=4 -cl-mad-enable\""));
    BuildOptions& options = *model.options;
    for (const std::string& one : options.without_counterpart) {
        node.fail(fmt::format("the option {} changes results, and CUDA has nothing like it",
                              printable(one, 60)));
    }
    for (const Define& one : options.defines) {
        if (!is_macro_name(one.name) || one.value.find('\n') != one.value.npos) {
            node.fail(fmt::format("-D{} is no macro on one line", printable(one.name, 60)));
        }
        model.defines.push_back(one);
    }
    if (!options.standard.empty() && !std::ranges::all_of(options.standard, [](char c) {
            return is_word_character(c) || c == '.' || c == '+';
        })) {
        node.fail("-cl-std= names a language such as CL1.2");
    }
    model.include.insert(model.include.end(), options.folders.begin(), options.folders.end());
}

void add_index_macros(const Node& top, Model& model) {
    const auto has = [](const KernelText& variant) {
        return std::ranges::any_of(variant.launches.front().offset,
                                   [](std::uint64_t one) { return one != 0; });
    };
    if (model.expand && model.variants.size() == 1 &&
        !model.variants.front().launches.front().offset.empty()) {
        const LaunchText& text = model.variants.front().launches.front();
        model.defines.push_back({"get_work_dim()", fmt::format("{}u", text.groups.size())});
        if (!has(model.variants.front())) return;
        const auto at = [&](std::size_t i) { return i < text.offset.size() ? text.offset[i] : 0; };
        const std::string chosen = fmt::format(
            "((d) == 0 ? {}ul : (d) == 1 ? {}ul : (d) == 2 ? {}ul : 0ul)", at(0), at(1), at(2));
        model.defines.push_back({"get_global_id(d)", "(get_global_id(d) + " + chosen + ")"});
        model.defines.push_back({"get_global_offset(d)", chosen});
    } else if (std::ranges::any_of(model.variants, has)) {
        top.fail(
            "'offset' needs 'expand', and a manifest of one kernel: the text says it to both "
            "sides");
    }
}

}  // namespace parallax::manifest

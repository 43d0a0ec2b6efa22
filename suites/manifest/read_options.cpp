// Parses compiler options, and defines macros for launch properties in the source.
#include <algorithm>

#include <fmt/format.h>

#include "common/text/characters.hpp"
#include "suites/manifest/node.hpp"

namespace parallax::manifest {
namespace {

/// Whether it is valid in `#define NAME ...`, with or without parameters.
bool is_macro_name(std::string_view name) {
    const std::size_t end = std::min(name.find('('), name.size());
    const std::string_view parameters = name.substr(end);
    return end > 0 && is_letter(name.front()) &&
           std::ranges::all_of(name.substr(0, end), is_word_character) &&
           (parameters.empty() ||
            (parameters.ends_with(')') && std::ranges::count(parameters, '(') == 1)) &&
           std::ranges::all_of(parameters, [](char c) {
               return is_word_character(c) ||
                      std::string_view("(), .").find(c) != std::string_view::npos;
           });
}

/// Options that apply to both APIs, or that do not change results.
const std::vector<std::string> known_options{"-cl-fast-relaxed-math",
                                             "-cl-unsafe-math-optimizations",
                                             "-cl-denorms-are-zero",
                                             "-cl-fp32-correctly-rounded-divide-sqrt",
                                             "-cl-mad-enable",
                                             "-cl-no-signed-zeros",
                                             "-cl-finite-math-only",
                                             "-cl-opt-disable",
                                             "-cl-strict-aliasing",
                                             "-cl-uniform-work-group-size",
                                             "-cl-no-subgroup-ifp",
                                             "-cl-kernel-arg-info",
                                             "-cl-nv-verbose",
                                             "-cl-std=",
                                             "-g",
                                             "-w",
                                             "-O0",
                                             "-O1",
                                             "-O2",
                                             "-O3"};
/// The same, with a number after `=` or as the next word.
const std::vector<std::string> known_with_number{"-cl-nv-maxrregcount", "-cl-nv-opt-level"};

bool is_number(std::string_view word) {
    return !word.empty() && std::ranges::all_of(word, is_digit);
}

/// Ignoring an option could change one side. @param words  as in BuildOptions
void refuse_unknown(const Node& node, const std::vector<std::string>& words) {
    const auto has = [](const std::vector<std::string>& list, std::string_view word) {
        return std::ranges::find(list, word) != list.end();
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const std::size_t equals = std::min(word.find('='), word.size());
        if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-W") ||
            word.starts_with("-cl-std=") || has(known_options, word)) {
            continue;
        }
        if (has(known_with_number, word.substr(0, equals))) {
            if (equals < word.size() && is_number(word.substr(equals + 1))) continue;
            if (equals == word.size() && i + 1 < words.size() && is_number(words[i + 1])) {
                ++i;
                continue;
            }
        }
        std::vector<std::string> all = known_options;
        all.insert(all.end(), known_with_number.begin(), known_with_number.end());
        const std::string meant = did_you_mean(word, all);
        node.fail(fmt::format(
            "the option '{}' is not known{}", printable(word, 60),
            meant.empty() ? "; leave it out where the kernel needs it not" : "." + meant));
    }
}

}  // namespace

std::vector<Define> read_defines(const Node& node) {
    std::vector<Define> defines;
    for (const auto& [name, value] : node.members("an object such as {\"REAL\": \"float\"}")) {
        if (!is_formula_name(name)) value.fail("that is no name; write letters, digits and _");
        defines.push_back({name, value.text("a text such as \"float\"")});
        if (!is_macro_value(defines.back().value)) {
            value.fail("a macro's value is one line, and no backslash ends it");
        }
    }
    return defines;
}

void read_options(const Node& node, Model& model) {
    model.options =
        parse_build_options(node.text("build options such as \"-DN=4 -cl-mad-enable\""));
    BuildOptions& options = *model.options;
    for (const std::string& one : options.without_counterpart) {
        node.fail(fmt::format("the option {} changes results, and CUDA has nothing like it",
                              printable(one, 60)));
    }
    refuse_unknown(node, options.words);
    for (const Define& one : options.defines) {
        if (!is_macro_name(one.name) || !is_macro_value(one.value)) {
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

namespace {

/// nvcc's options in the words of NVRTC, and those that both have.
std::optional<std::string> nvrtc_option(std::string_view word) {
    static constexpr std::pair<std::string_view, std::string_view> starts[] = {
        {"-maxrregcount=", "--maxrregcount="},
        {"--maxrregcount=", "--maxrregcount="},
        {"-std=", "--std="},
        {"--std=", "--std="},
        {"-arch=", "--gpu-architecture="},
        {"--gpu-architecture=", "--gpu-architecture="}};
    for (const auto& [theirs, ours] : starts) {
        if (word.starts_with(theirs)) return std::string(ours).append(word.substr(theirs.size()));
    }
    if (word == "--extra-device-vectorization" || word == "-extra-device-vectorization") {
        return "--extra-device-vectorization";
    }
    return {};
}

/// Changes the rule that an option is about. @returns whether it is about one
bool set_rule(std::string_view word, FloatRules& floats) {
    if (word.starts_with("--")) word.remove_prefix(1);
    if (word == "-use_fast_math") {
        floats = FloatRules::fast();
        return true;
    }
    const std::pair<std::string_view, bool FloatRules::*> rules[] = {
        {"-fmad=", &FloatRules::contract},
        {"-prec-div=", &FloatRules::exact_division},
        {"-prec-sqrt=", &FloatRules::exact_division},
        {"-ftz=", &FloatRules::flush_denormals}};
    for (const auto& [start, rule] : rules) {
        if (!word.starts_with(start)) continue;
        const std::string_view value = word.substr(start.size());
        if (value != "true" && value != "false") return false;
        floats.*rule = value == "true";
        return true;
    }
    return false;
}

/// Whether it changes nothing of the machine code that is timed here.
bool has_no_effect(std::string_view word) {
    return word == "-O0" || word == "-O1" || word == "-O2" || word == "-O3" || word == "-g" ||
           word == "-lineinfo" || word == "--generate-line-info" || word.starts_with("-W") ||
           word == "-w";
}

}  // namespace

void read_cuda_options(const Node& node, KernelSource& side) {
    const std::string text = node.text("build options such as \"-DN=4 --use_fast_math\"");
    // nvcc's own rules where no option says another.
    FloatRules floats{.contract = true};
    bool has_rule = false;
    const BuildOptions options = parse_build_options(text);
    if (!options.folders.empty()) {
        node.fail("folders of headers belong under the manifest's 'include'");
    }
    for (const std::string& word : options.words) {
        if (set_rule(word, floats)) {
            has_rule = true;
        } else if (word.starts_with("-D") || word.starts_with("-U")) {
            if (!is_macro_value(word))
                node.fail(fmt::format("{} is no macro on one line", printable(word, 60)));
            side.options.push_back(word);
        } else if (const auto option = nvrtc_option(word)) {
            side.options.push_back(*option);
        } else if (!has_no_effect(word)) {
            node.fail(fmt::format(
                "the option '{}' is not known; there are -D, -U, -std=, -arch=, -maxrregcount=, "
                "--use_fast_math, --fmad=, --ftz=, --prec-div=, --prec-sqrt= and "
                "--extra-device-vectorization",
                printable(word, 60)));
        }
    }
    if (has_rule) side.floats = floats;
}

void add_index_macros(const Node& top, Model& model) {
    const auto has = [](const KernelSource& variant) {
        return std::ranges::any_of(variant.launches.front().offset,
                                   [](std::uint64_t one) { return one != 0; });
    };
    if (std::ranges::none_of(model.variants, has)) return;
    if (!model.expand || model.variants.size() != 1) {
        top.fail(
            "'offset' needs 'expand', and a manifest of one kernel: the text says it to both "
            "sides");
    }
    const LaunchSpec& text = model.variants.front().launches.front();
    const auto at = [&](std::size_t i) { return i < text.offset.size() ? text.offset[i] : 0; };
    const std::string chosen = fmt::format(
        "((d) == 0 ? {}ul : (d) == 1 ? {}ul : (d) == 2 ? {}ul : 0ul)", at(0), at(1), at(2));
    model.defines.push_back({"get_global_id(d)", "(get_global_id(d) + " + chosen + ")"});
    model.defines.push_back({"get_global_offset(d)", chosen});
}

}  // namespace parallax::manifest

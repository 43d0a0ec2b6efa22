// Generates a first manifest of a kernel, with questions where its source says nothing.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/path_sandbox.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/preprocess/expand.hpp"
#include "suites/manifest/first_cuda.hpp"
#include "suites/manifest/guess.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {
namespace {

using manifest::formula;
using manifest::formulas;
using manifest::GuessedArgument;
using manifest::LaunchGuess;
using OrderedJson = nlohmann::ordered_json;

std::string suite_name(std::string_view kernel) {
    std::string name(kernel.substr(0, 50));
    const bool taken =
        std::ranges::any_of(suites(), [&](const Suite& own) { return own.name == name; });
    return taken ? name + "_own" : name;
}

/// On one line, with readable blanks.
std::string on_a_line(const OrderedJson& json) {
    if (!json.is_structured()) return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::vector<std::string> parts;
    for (const auto& [key, value] : json.items()) {
        parts.push_back(json.is_array() ? on_a_line(value)
                                        : OrderedJson(key).dump() + ": " + on_a_line(value));
    }
    return fmt::format("{}{}{}", json.is_array() ? '[' : '{', fmt::join(parts, ", "),
                       json.is_array() ? ']' : '}');
}

OrderedJson value_json(const GuessedArgument& argument) {
    OrderedJson json = formula(argument.formula);
    if (!argument.parts.empty()) json = OrderedJson::array();
    for (const std::string& part : argument.parts) json.push_back(formula(part));
    return json;
}

OrderedJson members_json(const GuessedArgument& argument, bool by_value) {
    OrderedJson made = OrderedJson::array();
    for (const GuessedArgument& member : argument.members) {
        OrderedJson& one = made.emplace_back(OrderedJson{{"name", member.name}});
        one["type"] = member.type + (member.is_array ? fmt::format("[{}]", member.elements) : "");
        if (!member.ask.empty()) one["type"] = nullptr;
        if (!member.members.empty()) {
            one["members"] = members_json(member, by_value);
        } else if (by_value) {
            one["value"] = value_json(member);
        } else if (!member.fill.empty()) {
            one["fill"] = OrderedJson::parse(member.fill);
        }
        if (!member.ask.empty()) one["ask"] = member.ask;
    }
    return made;
}

OrderedJson json_of(const GuessedArgument& argument) {
    OrderedJson json{{"name", argument.name}};
    if (!argument.only.empty()) json["only"] = argument.only;
    if (argument.kind == GuessedArgument::Kind::sampler) {
        json["sampler"] = {{"normalized", "no"}, {"address", "edge"}, {"filter", "nearest"}};
        return json;
    }
    if (argument.kind == GuessedArgument::Kind::image) {
        const char* third = argument.is_array ? "layers" : "depth";
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (argument.texels.at(axis).empty()) continue;
            json["image"][std::array{"width", "height", third}.at(axis)] =
                formula(argument.texels.at(axis));
        }
        json["image"]["channels"] = argument.channels;
        json["image"]["format"] = argument.type;
        json["fill"] = OrderedJson::parse(argument.fill);
        json["use"] = argument.use;
        return json;
    }
    json["type"] = argument.type;
    if (!argument.members.empty()) {
        json["members"] = members_json(argument, argument.kind == GuessedArgument::Kind::value);
    }
    switch (argument.kind) {
        case GuessedArgument::Kind::value:
            if (!argument.members.empty()) break;
            json["value"] = value_json(argument);
            break;
        case GuessedArgument::Kind::image:
        case GuessedArgument::Kind::sampler: break;
        case GuessedArgument::Kind::local: json["local"] = formula(argument.formula); break;
        case GuessedArgument::Kind::buffer:
            json["elements"] = formula(argument.formula);
            if (!argument.fill.empty()) json["fill"] = OrderedJson::parse(argument.fill);
            json["use"] = argument.use;
            if (!argument.order.empty()) json["order"] = OrderedJson::parse(argument.order);
    }
    if (!argument.ask.empty()) json["ask"] = argument.ask;
    return json;
}

/// Ten to a hundred roundings of the type; one step for rounded values.
OrderedJson tolerance_for(std::string_view answer) {
    if (answer.empty()) return "equal";
    if (answer == "rounded") return {{"absolute", 1}};
    if (answer == "any order") return {{"relative", 1e-3}, {"absolute", 1e-3}};
    if (answer == "half") return {{"relative", 1e-2}, {"absolute", 1e-3}};
    if (answer == "float") return {{"relative", 1e-5}, {"absolute", 1e-6}};
    return {{"relative", 1e-12}, {"absolute", 1e-13}};
}

bool is_float_answer(std::string_view answer) {
    return !answer.empty() && answer != "rounded";
}

constexpr std::string_view contraction_note =
    "nvcc fuses a * b + c where nothing forbids it. 'run' and 'diff' build both sides without, so "
    "that their answers can be bitwise identical; --floats contract fuses on both, --floats "
    "as-shipped builds each side as its compiler does without options.";

/// Why the source cannot be translated to CUDA; empty: it can.
std::string refusal(const FirstManifest& first, const std::string& text,
                    const TranslateOptions& options) {
    try {
        to_cuda(first.file, text, options);
        return {};
    } catch (const Refused& error) {
        return error.what();
    }
}

/// The kernels of the source, after preprocessing if possible, since macros and conditions hide
/// parts of the body.
/// @param refused  receives the reason if the source cannot be translated to CUDA
std::vector<KernelReading> readings(FirstManifest& first, std::string& refused) {
    const TranslateOptions options{.defines = first.expand ? std::vector<Define>{} : first.defines};
    refused = refusal(first, first.source, options);
    if (!first.expand && can_expand()) {
        try {
            const std::string text =
                expanded(first.file, first.source, first.defines, {}, PathSandbox({}));
            auto found = read_kernels(first.file, text, {});
            const bool there = std::ranges::any_of(found, [&](const KernelReading& one) {
                return first.kernels.empty() ||
                       std::ranges::find(first.kernels, one.signature.kernel) !=
                           first.kernels.end();
            });
            if (there) {
                const std::string left = refused.empty() ? "" : refusal(first, text, {});
                first.expand = !refused.empty() && left.empty();
                refused = left;
                return found;
            }
        } catch (const Error&) {  // the source itself may still be parsed
        }
    }
    return read_kernels(first.file, first.source, options);
}

}  // namespace

std::vector<std::string> kernels_in(FirstManifest first) {
    std::vector<std::string> names;
    std::string refused;
    if (first.file.empty()) {
        for (const CudaKernel& one :
             cuda_kernels(first.cuda, first.cuda_source, {.defines = first.defines})) {
            names.push_back(one.expression);
        }
        return names;
    }
    for (const KernelReading& one : readings(first, refused)) names.push_back(one.signature.kernel);
    return names;
}

namespace {

/// The requested kernels, in that order; by default the only one.
std::vector<KernelReading> chosen(const FirstManifest& first,
                                  const std::vector<KernelReading>& all) {
    std::vector<std::string> names;
    for (const KernelReading& one : all) names.push_back(one.signature.kernel);
    if (names.empty()) {
        throw UsageError(
            fmt::format("{} has no __kernel that can be seen. Where conditions "
                        "decide, give the -D and -I of your build.",
                        first.file));
    }
    if (first.kernels.empty() && all.size() > 1)
        manifest::refuse_kernels(first.file, fmt::format("{} kernels", all.size()), names);
    if (first.kernels.empty()) return all;
    std::vector<KernelReading> found;
    for (const std::string& name : first.kernels) {
        const auto one = std::ranges::find(names, name);
        if (one == names.end())
            manifest::refuse_kernels(first.file, fmt::format("no kernel '{}'", name), names);
        found.push_back(all[static_cast<std::size_t>(one - names.begin())]);
    }
    return found;
}

/// The OpenCL kernels, and the words for those of CUDA: a word of --kernel with template arguments
/// or namespaces, and one that the OpenCL source has not, is CUDA's; another one is both's.
std::pair<std::vector<KernelReading>, std::vector<std::string>> kernels_of_both(
    const FirstManifest& first) {
    FirstManifest opencl = first;
    std::string refused;  // nothing is translated
    const std::vector<KernelReading> all = readings(opencl, refused);
    std::vector<std::string> words, own;
    const auto is_opencl = [&](const std::string& name) {
        return std::ranges::any_of(
            all, [&](const KernelReading& one) { return one.signature.kernel == name; });
    };
    for (const std::string& name : first.kernels) (is_opencl(name) ? own : words).push_back(name);
    opencl.kernels = own;
    std::vector<KernelReading> kernels = chosen(opencl, all);
    if (words.empty()) {
        FirstManifest cuda = first;
        cuda.file.clear();
        const auto names = kernels_in(cuda);
        const bool only = names.size() == 1 && kernels.size() == 1;
        for (const KernelReading& one : kernels) {
            if (!only) words.push_back(one.signature.kernel);
        }
    }
    return {std::move(kernels), std::move(words)};
}

/// The kernels of a translation, in the order of the CUDA kernels that they were made of.
std::vector<KernelReading> translated_kernels(const FirstManifest& first,
                                              const manifest::CudaSide& side) {
    FirstManifest opencl = first;
    opencl.kernels = first.translated;
    std::string refused;  // nothing is translated back
    std::vector<KernelReading> all = chosen(opencl, readings(opencl, refused));
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::array<unsigned, 3>& items = side.kernels[k].items;
        std::string text = first.source;
        if (!manifest::hint_block(text, all[k], items)) continue;
        opencl.source = text;
        opencl.kernels = {first.translated[k]};
        all[k] = chosen(opencl, readings(opencl, refused)).front();
    }
    return all;
}

/// A list of the manifest, one entry per line.
std::string on_lines(const char* key, const std::vector<std::string>& lines) {
    return fmt::format("  \"{}\": [\n    {}\n  ]", key, fmt::join(lines, ",\n    "));
}

}  // namespace

std::string first_manifest(FirstManifest first, FirstRemarks* remarks) {
    std::string refused;
    std::vector<KernelReading> kernels;
    OrderedJson cuda;
    manifest::RowGuess row;
    if (first.file.empty()) {
        const manifest::CudaSide side = manifest::cuda_side(first, first.kernels);
        kernels = side.readings;
        row = manifest::guess_row(kernels);
        cuda = manifest::cuda_alone(first, side, row);
    } else if (first.cuda.empty()) {
        kernels = chosen(first, readings(first, refused));
        row = manifest::guess_row(kernels);
    } else if (!first.translated.empty()) {
        const manifest::CudaSide side = manifest::cuda_side(first, first.kernels);
        kernels = translated_kernels(first, side);
        row = manifest::guess_row(kernels);
        cuda = manifest::cuda_beside(first, side, kernels, row);
        if (is_float_answer(row.all.answer)) row.all.notes.emplace_back(contraction_note);
    } else {
        const auto [opencl, words] = kernels_of_both(first);
        kernels = opencl;
        row = manifest::guess_row(kernels);
        cuda = manifest::cuda_beside(first, manifest::cuda_side(first, words), kernels, row);
    }
    LaunchGuess& guess = row.all;
    OrderedJson head{
        {"parallax", "manifest"},
        {"version", 1},
        {"name", suite_name(kernels.front().signature.kernel)},
        {"question", first.cuda.empty()   ? "Is it the same through OpenCL and CUDA?"
                     : first.file.empty() ? "Is it right, and how fast?"
                                          : "Do both sources give the same answer, and which is "
                                            "faster?"}};
    if (!first.file.empty()) head["source"] = first.file;
    if (!cuda.is_null()) head["cuda"] = cuda;
    head["sizes"] = {{"names", guess.sizes}, {"timed", guess.timed}, {"checked", guess.checked}};
    for (const Define& define : first.defines) head["defines"][define.name] = define.value;
    if (!first.include.empty()) head["include"] = first.include;
    if (first.expand) head["expand"] = true;
    OrderedJson tail = OrderedJson::object();
    std::vector<std::string> arguments, launches, notes;
    for (const GuessedArgument& one : guess.arguments) arguments.push_back(on_a_line(json_of(one)));
    if (row.steps.size() == 1) {
        head["kernel"] = row.steps.front().kernel;
        tail["items"] = formulas(row.steps.front().items);
        tail["groups"] = formulas(row.steps.front().groups);
        if (row.steps.front().is_cooperative) tail["cooperative"] = true;
    } else {
        for (const manifest::RowGuess::Step& one : row.steps) {
            OrderedJson launch{{"kernel", one.kernel},
                               {"arguments", one.arguments},
                               {"items", formulas(one.items)},
                               {"groups", formulas(one.groups)}};
            if (one.is_cooperative) launch["cooperative"] = true;
            launches.push_back(on_a_line(launch));
        }
    }
    tail["work"] = {{"bytes", guess.bytes.empty() ? "0" : guess.bytes}};
    if (!guess.operations.empty()) tail["work"]["operations"] = guess.operations;
    tail["tolerance"] = tolerance_for(guess.answer);
    if (remarks) {
        const bool asks = std::ranges::any_of(
            guess.arguments, [](const GuessedArgument& one) { return !one.ask.empty(); });
        *remarks = {refused, asks || !guess.numbers.empty()};
    }
    if (!refused.empty()) {
        std::ranges::replace(refused, '\n', ' ');
        guess.notes.push_back(
            fmt::format("Only OpenCL takes the text as it stands, since {}", refused));
    }
    if (!guess.numbers.empty()) {
        guess.notes.push_back(
            fmt::format("These numbers are guessed, since the text does not say them: {}.",
                        fmt::join(guess.numbers, ", ")));
    }
    guess.notes.push_back(
        fmt::format("{} Hold arguments, launch and tolerance against your host program, then "
                    "delete 'check': until then no answer counts as right.",
                    not_looked_over));
    for (const std::string& one : guess.notes) notes.push_back(on_a_line(one));
    std::string text = "{\n";
    for (const auto& [key, value] : head.items()) {
        text += fmt::format("  \"{}\": {},\n", key, on_a_line(value));
    }
    text += on_lines("arguments", arguments) + ",\n";
    if (!launches.empty()) text += on_lines("launches", launches) + ",\n";
    for (const auto& [key, value] : tail.items()) {
        text += fmt::format("  \"{}\": {},\n", key, on_a_line(value));
    }
    return text + on_lines("check", notes) + "\n}\n";
}

}  // namespace parallax

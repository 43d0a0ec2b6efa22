// Reads a kernel file from a path or standard input.
#include "studies/port/port_input.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/cuda_kernels.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand.hpp"
#include "mapping/preprocess/includes.hpp"
#include "mapping/preprocess/macro_growth.hpp"
#include "mapping/translate/prepared.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

std::string port_text_in(std::istream& in, const std::string& name) {
    // One byte more than there may be, so that too much is noticed; a device may have no end.
    std::string text(most_text_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) throw UsageError(fmt::format("Cannot read {}.", name));
    if (text.size() > most_text_bytes) {
        throw UsageError(fmt::format("{} has more than {}. Is it a kernel file?", name,
                                     binary_size(most_text_bytes)));
    }
    return without_mark(std::move(text));
}

std::string text_of_file(const std::string& file) {
    if (file == "-") return port_text_in(std::cin, "standard input");
    std::error_code error;
    if (fs::is_directory(file, error)) {
        throw UsageError(
            fmt::format("{} is a folder: name a file of OpenCL C that is in it.", file));
    }
    // A pipe that a shell made has a writer; one with a place of its own may never get one.
    const fs::file_status status = fs::status(file, error);
    const bool has_place = !fs::canonical(file, error).empty();
    if (fs::exists(status) && !fs::is_regular_file(status) && (has_place || !is_fifo(status))) {
        throw UsageError(fmt::format(
            "{} is no plain file: name a file of OpenCL C, or '-' for standard input.", file));
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        throw UsageError(fmt::format(
            "Cannot read the kernel file {}. Is it there? '-' is standard input.", file));
    }
    return port_text_in(in, file);
}

std::vector<Define> defines_of(const std::vector<std::string>& words) {
    std::vector<Define> defines;
    for (const std::string& word : words) {
        Define one = parse_macro(word);
        const auto known = std::ranges::find(defines, one.name, &Define::name);
        if (known == defines.end()) {
            defines.push_back(std::move(one));
        } else if (*known != one) {
            throw UsageError(fmt::format("-D {} is given twice, as '{}' and as '{}'. Which one?",
                                         one.name, known->value, one.value));
        }
    }
    return defines;
}

bool has_conditions_or_macros(std::string_view text) {
    const auto all = directives_of(text).all;
    return std::ranges::any_of(all, [](const DirectiveLine& one) {
        return one.name == "define" || one.name == "include" || one.name.starts_with("if");
    });
}

/// A text with those of its includes that are found, each once; of the host's those in quotes
/// alone.
std::string with_found_includes(const std::string& file, const std::string& source,
                                const PathSandbox& reach, const PortWords& words,
                                std::vector<fs::path>& put_in) {
    std::string made;
    unsigned line = 0;
    std::istringstream in(source);
    for (std::string text; std::getline(in, text);) {
        ++line;
        const std::size_t open = text.find_first_of("\"<"), hash = text.find_first_not_of(" \t");
        const bool is_quoted = open != text.npos && text[open] == '"';
        const std::size_t close =
            open == text.npos ? open : text.find(is_quoted ? '"' : '>', open + 1);
        const bool includes = hash != text.npos && text[hash] == '#' && close != text.npos &&
                              text.substr(hash, open - hash).find("include") != text.npos;
        const std::string name = includes ? text.substr(open + 1, close - open - 1) : "";
        const auto path = includes && (is_quoted || !is_host_header(name))
                              ? find_include({name, is_quoted}, fs::path(file).parent_path(),
                                             words.folders, reach)
                              : std::nullopt;
        // Others that are not there are the host program's.
        if (!path && is_quoted && name.starts_with('/')) reach.check(name);
        const fs::path whole = path ? fs::weakly_canonical(*path) : fs::path();
        const bool fresh = path && std::ranges::find(put_in, whole) == put_in.end();
        if (!fresh || put_in.size() >= most_include_depth) {
            made += path ? "\n" : text + "\n";
            continue;
        }
        put_in.push_back(whole);
        made += line_directive(1, path->string()) + "\n" +
                with_found_includes(path->string(), included_text(*path), reach, words, put_in) +
                line_directive(line + 1, file) + "\n";
        if (made.size() > most_text_bytes) {
            throw Refused(fmt::format("{}:{}: the text grows too large", file, line));
        }
    }
    return made;
}

/// Whether a source has CUDA kernels and cannot be OpenCL C. A macro, also of a header, may turn
/// CUDA's word into OpenCL's.
bool is_cuda_alone(const std::string& text, const std::vector<Define>& defines) {
    constexpr std::string_view word = "__global__";
    if (text.find(word) == text.npos ||
        std::ranges::find(defines, word, &Define::name) != defines.end()) {
        return false;
    }
    for (const DirectiveLine& one : directives_of(text).all) {
        if (one.name == "define" && has_word(one.rest, word)) return false;
        if (one.name != "include") continue;
        const std::string_view name = one.rest;
        if (name.size() < 2 || !is_host_header(name.substr(1, name.size() - 2))) return false;
    }
    try {
        const std::vector<Token> tokens = lex("", text);
        return std::ranges::any_of(tokens, [&](const Token& one) { return one.is(word); }) &&
               std::ranges::none_of(tokens, [](const Token& one) {
                   return one.is_one_of({"kernel", "__kernel"});
               });
    } catch (const Refused&) {
        return false;
    }
}

PathSandbox reach_of(const PortWords& words) {
    std::vector<fs::path> open{words.file == "-" ? fs::path() : fs::path(words.file).parent_path()};
    open.insert(open.end(), words.folders.begin(), words.folders.end());
    open.insert(open.end(), words.allowed.begin(), words.allowed.end());
    return PathSandbox(open);
}

}  // namespace

Define parse_macro(std::string_view word) {
    const std::size_t equals = word.find('=');
    Define define{.name = std::string(word.substr(0, equals))};
    if (equals != std::string_view::npos) define.value = word.substr(equals + 1);
    // `NAME(a, b)=VALUE` is a macro with parameters.
    const std::size_t open = std::min(define.name.find('('), define.name.size());
    const std::string name = define.name.substr(0, open);
    const bool closes = open == define.name.size() ||
                        (define.name.ends_with(')') &&
                         define.name.find_first_of("()\r\n", open + 1) == define.name.size() - 1);
    if (!is_identifier(name) || name == "defined" || !closes) {
        throw UsageError(
            fmt::format("-D '{}' names no macro: NAME or NAME=VALUE, the name of letters, digits "
                        "and underscores, the first no digit.",
                        word));
    }
    if (!is_macro_value(define.value)) {
        throw UsageError(
            fmt::format("-D {}: the value of a macro is one line, and no backslash "
                        "ends it.",
                        define.name));
    }
    return define;
}

Program PortInput::program() const {
    Program program{.name = file, .source = text, .type = std::nullopt, .files = files};
    if (!expand) program.defines = defines;
    return program;
}

Translation PortInput::translated() const {
    return to_cuda(file, text, translate_options(program()));
}

std::optional<Translation> PortInput::expanded_translation() const {
    if (expand || !can_expand() || !has_conditions_or_macros(text)) return {};
    PortInput other = *this;
    other.expand = true;
    try {
        other.text = expanded(file, text, defines, folders, PathSandbox({}));
        return to_cuda(file, other.text, translate_options(other.program()));
    } catch (const Error&) {
        return {};
    }
}

std::string PortInput::head() const {
    std::string words;
    for (const Define& define : defines) {
        words += fmt::format(" -D {}={}", define.name, define.value);
    }
    if (expand) words += " --expand";
    if (dialect == from_cuda::Dialect::nvidia) words += " --dialect nvidia";
    return fmt::format("// Translated from {} by parallax port{}{}\n", printable(file),
                       words.empty() ? "." : ";", printable(words));
}

namespace {

/// Everything except the source.
PortInput input_for(const PortWords& words) {
    if (words.file.empty()) {
        throw UsageError("Which file? 'parallax port mine.cl' translates mine.cl.");
    }
    PortInput input{.file = words.file == "-" ? "<stdin>" : words.file,
                    .defines = defines_of(words.defines),
                    .folders = words.folders,
                    .expand = words.expand,
                    .text = {}};
    for (const std::string& folder : input.folders) {
        std::error_code error;
        if (!fs::is_directory(folder, error)) {
            throw UsageError(fmt::format("-I {} is no folder.", folder));
        }
    }
    input.files = {.reach = reach_of(words), .folders = input.folders};
    input.files.folders.push_back(fs::path(input.file).parent_path().string());
    for (std::string& one : input.files.folders) {
        one = fs::absolute(one.empty() ? "." : one).string();
    }
    return input;
}

}  // namespace

PortInput port_input(const PortWords& words) {
    PortInput input = input_for(words);
    const std::string source = text_of_file(words.file);
    if (is_cuda_alone(source, input.defines)) {
        throw UsageError(fmt::format(
            "{} has __global__ functions and no kernel of OpenCL C. If it is CUDA C++, --language "
            "cuda says so.",
            input.file));
    }
    const PathSandbox& reach = input.files.reach;
    const auto expand = [&] {
        return expanded(input.file, source, input.defines, input.folders, reach);
    };
    const auto with_all = [&] {
        std::string text = with_includes(input.file, source, input.folders, reach).text;
        check_macro_growth(input.file, text, input.defines);
        return text;
    };
    if (!input.expand) {
        const Preparation made =
            prepare(input.file, with_all, translate_options(input.program()), expand);
        input.reason = made.reason;
        input.failure = made.failure;
        input.expand = !input.reason.empty();
    }
    input.text = input.expand ? expand() : with_all();
    return input;
}

bool is_cuda_file(std::string_view file) {
    return file.ends_with(".cu") || file.ends_with(".cuh");
}

PortInput cuda_input(const PortWords& words) {
    PortInput input = input_for(words);
    std::vector<fs::path> put_in{fs::weakly_canonical(input.file)};
    // CUDA's own headers are known without being read.
    PortWords own = words;
    std::erase_if(own.folders, [](const std::string& folder) {
        std::error_code error;
        return fs::exists(fs::path(folder) / "cuda_runtime_api.h", error);
    });
    input.text =
        with_found_includes(input.file, text_of_file(words.file), input.files.reach, own, put_in);
    return input;
}

PortFromCuda port_from_cuda(const PortWords& words, const std::vector<std::string>& kernels) {
    PortFromCuda made{.input = cuda_input(words)};
    PortInput& input = made.input;
    const std::string source = input.text;
    made.translation =
        to_opencl(input.file, source, {input.defines, kernels}, words.expand, words.dialect);
    input.dialect = words.dialect;
    input.reason = made.translation.reason;
    input.expand = words.expand || !input.reason.empty();
    Program original{.name = input.file,
                     .source = device_code(input.file, source, input.defines),
                     .language = Language::native,
                     .type = {},
                     .files = input.files};
    for (const Define& one : input.defines) {
        original.options.push_back(fmt::format("-D{}={}", one.name, one.value));
    }
    for (const CudaKernel& one : cuda_kernels(input.file, source, {input.defines, kernels})) {
        if (one.open.empty()) original.name_expressions.push_back(one.expression);
    }
    input.original = std::move(original);
    input.text = made.translation.text;
    return made;
}

}  // namespace parallax

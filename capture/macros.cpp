// Queries the program's compiler for its macros, so that a source's conditions are evaluated
// elsewhere as they were there.
#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "capture/snapshot.hpp"
#include "common/text/characters.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/predefined.hpp"

namespace parallax::capture {
namespace {

/// Maximum size of a compiler's answer.
constexpr std::size_t most_answer = std::size_t{1} << 16;

using Names = std::set<std::string, std::less<>>;

/// Calls `found` with each word of a text and the position after it.
template <class F>
void for_each_word(std::string_view text, F&& found) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = word_end(text, at);
        if (end > at && !is_digit(text[at])) found(text.substr(at, end - at), end);
        at = std::max(end, at + 1);
    }
}

/// `__has_builtin` and similar ones: used in conditions, without a value.
bool is_query(std::string_view name) {
    return starts_with_any(name, {"__has_", "__is_"});
}

/// Whether the answer would depend on the query's own source, or is always the same.
bool is_never_asked(std::string_view name) {
    return is_one_of(name, {"__FILE__", "__LINE__", "__COUNTER__", "__DATE__", "__TIME__",
                            "__TIMESTAMP__", "__INCLUDE_LEVEL__", "__BASE_FILE__", "__func__",
                            "__VA_ARGS__", "__STDC__", "__STDC_VERSION__", "__STDC_HOSTED__",
                            "__VA_OPT__", "defined", "_Pragma"}) ||
           is_one_of(name,
                     {"__kernel", "__global", "__local", "__constant", "__private", "__generic",
                      "__attribute__", "__read_only", "__write_only", "__read_write"});
}

bool is_condition(const DirectiveLine& line) {
    return is_one_of(line.name, {"if", "ifdef", "ifndef", "elif"});
}

/// The parentheses after a query with their content; empty: there are none.
std::string_view call_at(std::string_view text, std::size_t at) {
    const std::size_t open = std::min(text.find_first_not_of(" \t", at), text.size());
    if (!text.substr(open).starts_with('(')) return {};
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) return text.substr(at, i + 1 - at);
    }
    return {};
}

/// The queries of a source to its compiler.
struct Questions {
    Names names;       ///< macros, and queries as written, `__has_builtin(x)`
    Names conditions;  ///< macros on which conditions may depend
    Names tested;      ///< those of them that are in a condition
};

Questions questions_of(const Text& text, const BuildOptions& options) {
    Questions asked;
    const auto add = [&](std::string_view name, bool in_condition) {
        if (is_never_asked(name)) return;
        asked.names.emplace(name);
        if (in_condition) asked.conditions.emplace(name);
    };
    for (const DirectiveLine& line : directives_of(text.source).all) {
        if (!is_condition(line) && line.name != "define") continue;
        for_each_word(line.rest, [&](std::string_view name, std::size_t end) {
            add(name, true);
            if (is_condition(line)) asked.tested.emplace(name);
            if (is_condition(line) && is_query(name)) {
                if (const auto call = call_at(line.rest, end); !call.empty()) {
                    asked.names.insert(fmt::format("{}{}", name, call));
                }
            }
        });
    }
    // In code, macros that may be numbers by themselves: `__OPENCL_VERSION__`.
    for_each_word(text.source, [&](std::string_view name, std::size_t) {
        if (starts_with_any(name, {"__", "CL_", "cl_"})) add(name, false);
    });
    for (const Define& one : options.defines) {
        for_each_word(one.value, [&](std::string_view name, std::size_t) { add(name, true); });
    }
    const auto forget = [&](std::string_view name) {
        name = name.substr(0, name.find('('));
        std::erase_if(asked.names, [&](const std::string& one) { return one == name; });
    };
    for (const Define& one : options.defines) forget(one.name);
    for (const std::string& one : options.undefined) forget(one);
    return asked;
}

/// A source that contains the answers to all queries, each in a line `NUMBER VALUE`.
std::string asking(const std::vector<std::string>& names) {
    std::string text =
        "#define PARALLAX_SAYS(x) #x\n"
        "#define PARALLAX_TEXT(x) PARALLAX_SAYS((x))\n"
        "__constant char parallax_text[] = \"\"\n";
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& name = names[i];
        const std::size_t open = name.find('(');
        const std::string defined = "#ifdef " + name.substr(0, open) + "\n";
        if (open != name.npos) {
            // A compiler without the query must not parse the call.
            text +=
                defined + fmt::format("#if {}\n\"{} 1\\n\"\n#else\n\"{} 0\\n\"\n#endif\n#endif\n",
                                      name, i, i);
        } else if (is_query(name)) {
            text += defined + fmt::format("\"{} {}\\n\"\n#endif\n", i, name);
        } else {
            text += defined + fmt::format("\"{} \" PARALLAX_TEXT({}) \"\\n\"\n#endif\n", i, name);
        }
    }
    return text + fmt::format(
                      ";\n"
                      "__kernel void parallax_asks(__global char* out) {{\n"
                      "    for (uint i = 0; i < sizeof(parallax_text) && i < {}; ++i)\n"
                      "        out[i] = parallax_text[i];\n"
                      "}}\n",
                      most_answer);
}

/// An integer, or a sum of integers, which a condition can compare.
bool is_whole_number(std::string_view value) {
    bool any = false;
    for (std::size_t at = 0; at < value.size();) {
        const char c = value[at];
        if (is_digit(c)) {
            std::size_t end = at;
            while (end < value.size() && (is_word_character(value[end]) || value[end] == '.')) {
                ++end;
            }
            const std::string_view number = value.substr(at, end - at);
            const bool is_hex = starts_with_any(number, {"0x", "0X"});
            if (number.find_first_of(is_hex ? ".pP" : ".eEfF") != number.npos) return false;
            any = true;
            at = end;
        } else if (std::string_view(" ()+-*<>~|&").find(c) != std::string_view::npos) {
            ++at;
        } else {
            return false;
        }
    }
    return any;
}

/// @param said  the value of PARALLAX_TEXT, in parentheses
std::string value_in(std::string_view said) {
    said = trimmed(said);
    const bool has_both = said.size() >= 2 && said.front() == '(' && said.back() == ')';
    return std::string(trimmed(has_both ? said.substr(1, said.size() - 2) : said));
}

}  // namespace

bool Snapshot::ask_device(const std::string& source, const std::string& options,
                          const LaunchCall& range, std::span<std::byte> answer) const {
    const cl_icd_dispatch& api = state().next;
    const char* text = source.c_str();
    cl_int code = 0;
    const cl_program program =
        api.clCreateProgramWithSource(queue_.context, 1, &text, nullptr, &code);
    const cl_mem memory =
        api.clCreateBuffer(queue_.context, CL_MEM_READ_WRITE, answer.size(), nullptr, &code);
    cl_kernel kernel = nullptr;
    if (program && memory &&
        api.clBuildProgram(program, 1, &queue_.device, options.c_str(), nullptr, nullptr) ==
            CL_SUCCESS) {
        kernel = api.clCreateKernel(program, "parallax_asks", &code);
    }
    const bool said =
        kernel && api.clSetKernelArg(kernel, 0, sizeof(memory), &memory) == CL_SUCCESS &&
        api.clEnqueueNDRangeKernel(call_.queue, kernel, range.dimensions, range.offset,
                                   range.global, range.local, 0, nullptr, nullptr) == CL_SUCCESS &&
        api.clFinish(call_.queue) == CL_SUCCESS &&
        api.clEnqueueReadBuffer(call_.queue, memory, CL_TRUE, 0, answer.size(), answer.data(), 0,
                                nullptr, nullptr) == CL_SUCCESS;
    if (kernel) api.clReleaseKernel(kernel);
    if (memory) api.clReleaseMemObject(memory);
    if (program) api.clReleaseProgram(program);
    return said;
}

Snapshot::Decided Snapshot::decided_source(const BuildOptions& options) const {
    const Text& text = *kernel_.text;
    const Questions asked = questions_of(text, options);
    std::vector<std::string> without_macros;
    for (const std::string& word : options.words) {
        if (!starts_with_any(word, {"-D", "-U"})) without_macros.push_back(word);
    }
    for (const std::string& folder : options.folders) without_macros.push_back("-I" + folder);
    const std::string words = joined(without_macros);
    auto& known = state().macros[{queue_.device, words}];
    std::vector<std::string> names;
    for (const std::string& name : asked.names) {
        if (!known.contains(name)) names.push_back(name);
    }
    if (!names.empty()) {
        const size_t one = 1;
        const LaunchCall range{call_.queue, nullptr, 1, nullptr, &one, &one, 0, nullptr};
        std::string answer(most_answer, '\0');
        const bool said =
            ask_device(asking(names), words, range, std::as_writable_bytes(std::span(answer)));
        const std::size_t end = answer.find('\0');
        if (!said || end == answer.npos)
            throw std::runtime_error("its compiler does not say which macros it defines");
        answer.resize(end);
        for (const std::string& name : names) known[name] = std::nullopt;
        for (const std::string_view line : split(answer, "\n")) {
            const std::size_t blank = std::min(line.find(' '), line.size());
            std::size_t number = names.size();
            std::from_chars(line.data(), line.data() + blank, number);
            if (number < names.size()) known[names[number]] = value_in(line.substr(blank));
        }
    }
    Decided decided{{}, text.source};
    for (const std::string& name : asked.names) {
        const std::optional<std::string>& value = known[name];
        if (name.find('(') != name.npos) continue;
        if (value) {
            // All except numbers stay words of the source, which each side's compiler knows.
            const bool is_flag = name.starts_with("CLK_");  // an argument of functions
            if (!is_flag && (value->empty() || is_whole_number(*value))) {
                decided.words.push_back(fmt::format("-D{}={}", name, *value));
            } else if (asked.tested.contains(name)) {
                decided.words.push_back(fmt::format("-D{}={}", name, name));
            }
        } else if (asked.conditions.contains(name) && may_be_predefined(name)) {
            decided.words.push_back("-U" + name);
        }
    }
    // From the last one on, so that earlier positions stay valid.
    const std::vector<DirectiveLine> lines = directives_of(text.source).all;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (!is_condition(*line)) continue;
        std::string answered = line->rest;
        for (const std::string& name : asked.names) {
            const std::optional<std::string>& value = known[name];
            if (value && name.find('(') != name.npos) answered = replaced(answered, name, *value);
        }
        if (answered == line->rest) continue;
        answered = fmt::format("#{} {}{}", line->name, answered,
                               std::string(line->last_line - line->line, '\n'));
        decided.source.replace(line->begin, line->end - line->begin, answered);
    }
    return decided;
}

}  // namespace parallax::capture

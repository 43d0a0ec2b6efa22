// Finds GNU's spelling of variable arguments, #elifdef, and #defines that come again.
#include <fmt/format.h>

#include "common/text/characters.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand_parts.hpp"

namespace parallax {
namespace {

/// `__VA_ARGS__` for every word `name` from `from` on.
std::string with_variable_arguments(std::string_view text, std::size_t from,
                                    std::string_view name) {
    std::string made(text.substr(0, from));
    for (std::size_t i = from; i < text.size();) {
        const std::size_t end = word_end(text, i);
        if (end == i) {
            made += text[i++];
            continue;
        }
        const std::string_view word = text.substr(i, end - i);
        made += word == name ? "__VA_ARGS__" : word;
        i = end;
    }
    return made;
}

/// One #define, from its `#` to its end.
std::string plain_define(std::string_view line) {
    const std::size_t dots = line.find("...)");
    if (dots == line.npos || dots == 0 || !is_word_character(line[dots - 1]))
        return std::string(line);
    std::size_t start = dots;
    while (start > 0 && is_word_character(line[start - 1])) --start;
    // The dots count only among the parameters, which no bracket has closed yet.
    if (line.substr(0, dots).find(')') != line.npos) return std::string(line);
    const std::string name(line.substr(start, dots - start));
    const std::string standard =
        std::string(line.substr(0, start)) + std::string(line.substr(dots));
    return with_variable_arguments(standard, start + 4, name);
}

}  // namespace

std::string with_plain_defines(std::string_view text, const std::set<std::string>& again) {
    std::string made;
    std::size_t written = 0;
    long ahead = 0;  // of a line's number before its place in the text, as #line says
    std::size_t depth = 0;
    bool may_be_off = false;  // a #line that is put in has no effect in a branch that is left out
    for (const DirectiveLine& one : directives_of(text).all) {
        if (one.name == "line") ahead = std::atol(one.rest.c_str()) - one.last_line - 1;
        const bool is_elif = one.name == "elifdef" || one.name == "elifndef";
        depth += one.name.starts_with("if");
        depth -= one.name == "endif" && depth > 0;
        const bool resumes = may_be_off && (one.name.starts_with("el") || one.name == "endif");
        // What follows these words compilers pass over.
        const bool has_more = (one.name == "else" || one.name == "endif") && !one.rest.empty();
        if (one.name != "define" && !is_elif && !has_more && !resumes) continue;
        made += text.substr(written, one.begin - written);
        written = one.end;
        if (is_elif || has_more) {
            made += is_elif ? fmt::format("#elif {}defined({})", one.name == "elifndef" ? "!" : "",
                                          one.rest)
                            : "#" + one.name;
            made.append(one.last_line - one.line, '\n');
        } else if (resumes) {
            made += text.substr(one.begin, one.end - one.begin);
        }
        if (resumes) {
            made += fmt::format("\n#line {}", one.last_line + 1 + ahead);
            may_be_off = depth > 0;
        }
        if (one.name != "define") continue;
        const std::string name = one.rest.substr(0, word_end(one.rest));
        if (again.contains(name)) {
            made += fmt::format("#undef {}\n#line {}\n", name, one.line + ahead);
            may_be_off = depth > 0;
        }
        made += plain_define(text.substr(one.begin, one.end - one.begin));
    }
    return made + std::string(text.substr(written));
}

}  // namespace parallax

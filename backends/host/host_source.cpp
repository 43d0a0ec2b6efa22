// Rewrites a CUDA source, word by word, into C++ for the system's compiler.
#include "backends/host/host_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/translate/cuda_source.hpp"

namespace parallax::host {
namespace {

constexpr auto none = std::string_view::npos;
/// Parts of the names of instructions that take the shim long to compile.
constexpr std::string_view units[] = {"cp.async", "matrix",  ".shared", "bar.",
                                      "fence",    "membar.", "prefetch"};
constexpr std::string_view words_of_ptx[] = {"asm", "__asm", "__asm__"};

/// Skips blanks and line ends.
std::size_t over_blanks(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t\n", at), text.size());
}

/// The word that begins at `at`; may be empty.
std::string_view word_at(std::string_view text, std::size_t at) {
    return text.substr(at, word_end(text, at) - at);
}

/// Whether a string or a character begins there: `'` also separates digits.
bool starts_quoted(std::string_view text, std::size_t at) {
    return text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word_character(text[at - 1])));
}

/// The position after the string or character that begins at `at`.
std::size_t over_quoted(std::string_view text, std::size_t at) {
    for (const char quote = text[at++]; at < text.size() && text[at] != quote; ++at) {
        if (text[at] == '\\') ++at;
    }
    return std::min(at + 1, text.size());
}

/// Whether it follows `//` in its line, outside of strings.
bool is_in_comment(std::string_view text, std::size_t at) {
    std::size_t i = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // none + 1 is 0
    while (i < at) {
        if (text.substr(i, 2) == "//") return true;
        i = starts_quoted(text, i) ? over_quoted(text, i) : i + 1;
    }
    return false;
}

/// The next position of `word` as a whole word, outside of line comments.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t at) {
    for (at = text.find(word, at); at != none; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !is_word_character(text[at - 1]);
        if (begins && word_at(text, at) == word && !is_in_comment(text, at)) return at;
    }
    return none;
}

/// Whether only blanks precede it in its line.
bool starts_line(std::string_view text, std::size_t at) {
    const std::size_t before = at == 0 ? none : text.find_last_not_of(" \t", at - 1);
    return before == none || text[before] == '\n';
}

/// Whether the line of `at`, or one that it continues, is a preprocessor directive.
bool is_of_directive(std::string_view text, std::size_t at) {
    std::size_t line = at;
    do {
        line = line == 0 ? 0 : text.rfind('\n', line - 1) + 1;  // none + 1 is 0
        if (text[over_blanks(text, line)] == '#') return true;
    } while (line > 1 && text[line - 2] == '\\' && line-- > 0);
    return false;
}

/// Replaces comments by blanks: lines stay where they are.
std::string without_comments(std::string text) {
    for (std::size_t at = 0; at + 1 < text.size();) {
        const std::string_view two = std::string_view(text).substr(at, 2);
        std::size_t end = at + 1;
        if (starts_quoted(text, at)) {
            at = over_quoted(text, at);
            continue;
        }
        if (two == "//") end = text.find('\n', at);
        if (two == "/*") end = text.find("*/", at + 2);
        if (end != at + 1) {
            end = std::min(end == none || two == "//" ? end : end + 2, text.size());
            for (std::size_t i = at; i < end; ++i) {
                if (text[i] != '\n') text[i] = ' ';
            }
        }
        at = end;
    }
    return text;
}

/// The position after a directive's line, or after the whole branch where one begins whose start is
/// not in `branches`.
std::size_t over_directive(std::string_view text, std::size_t at, int& branches) {
    const std::string_view word = word_at(text, over_blanks(text, at + 1));
    if (word.starts_with("if")) ++branches;
    if (word == "endif" && branches > 0) --branches;
    if (word.starts_with("el") && branches == 0) at = text.find("endif", at);
    return std::min(text.find('\n', at), text.size());
}

/// The position of one of `ends`, skipping strings, directives and nested brackets.
std::size_t until(std::string_view text, std::size_t at, std::string_view ends) {
    int depth = 0, branches = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (depth == 0 && ends.find(c) != none) return at;
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (starts_quoted(text, at)) {
            at = over_quoted(text, at);
        } else if (c == '#' && starts_line(text, at)) {
            at = over_directive(text, at, branches);
        } else {
            ++at;
        }
    }
    return text.size();
}

/// Removes constraints such as `"=r"(a)` and `"0"(a)`: the operand's type suffices. Macros may hold
/// operands, too.
std::string without_constraints(std::string text) {
    const auto is_of_one = [](char c) {
        return c == '=' || c == '+' || c == '&' || is_word_character(c);
    };
    for (std::size_t at = 0; at < text.size();) {
        if (!starts_quoted(text, at)) {
            ++at;
            continue;
        }
        const std::size_t end = over_quoted(text, at), next = over_blanks(text, end);
        const std::string_view inside = std::string_view(text).substr(at + 1, end - at - 2);
        if (text[at] == '"' && next < text.size() && text[next] == '(' && inside.size() <= 4 &&
            std::ranges::all_of(inside, is_of_one)) {
            text.erase(at, end - at);
        } else {
            at = end;
        }
    }
    return text;
}

/// The part before an operand, which is ignored: blanks and its name, `[name]`.
std::string_view operand_in(std::string_view words) {
    words.remove_prefix(over_blanks(words, 0));
    if (words.starts_with('[')) words.remove_prefix(std::min(words.find(']') + 1, words.size()));
    words.remove_prefix(over_blanks(words, 0));
    return words;
}

/// Line ends, so that the following text stays in its line.
std::string ends_of_lines(std::string_view text, std::size_t at, std::string_view before,
                          std::string_view now) {
    const auto more = std::ranges::count(before, '\n') - std::ranges::count(now, '\n');
    std::string ends;
    for (std::ptrdiff_t i = 0; i < more; ++i) ends += is_of_directive(text, at) ? "\\\n" : "\n";
    return ends;
}

/// Rewrites `asm("ptx" : "=r"(a) : "r"(b), "f"(c))` as `parallax_ptx("ptx", (a), (b), (c))`, which
/// the shim implements for some instructions; results come first.
std::string without_ptx(std::string text) {
    for (const std::string_view word : words_of_ptx) {
        for (std::size_t from = find_word(text, word, 0); from != none;
             from = find_word(text, word, from + 1)) {
            std::size_t at = over_blanks(text, from + word.size());
            const std::string_view next = word_at(text, at);
            if (next == "volatile" || next == "__volatile__")
                at = over_blanks(text, at + next.size());
            if (at == text.size() || text[at] != '(') continue;
            const std::size_t close = until(text, ++at, ")");
            std::size_t end = until(text, at, ":)");
            std::string call = "parallax_ptx(" + text.substr(at, end - at);
            for (int part = 0; part < 2 && end < close;) {
                at = end + 1;
                end = until(text, at, ",:)");
                const std::string_view operand =
                    operand_in(std::string_view(text).substr(at, end - at));
                if (!operand.empty()) call.append(", ").append(operand);
                if (text[end] == ':') ++part;
            }
            const std::string_view before = std::string_view(text).substr(from, close + 1 - from);
            call += ends_of_lines(text, from, before, call) + ")";
            text.replace(from, before.size(), call);
        }
    }
    return text;
}

/// Removes the word that the shim defines as `static` from `extern __shared__ ... name[];`.
/// @returns the name; may be empty
std::string take_dynamic(std::string& text) {
    std::string name;
    for (std::size_t at = find_word(text, "extern", 0); at != none;
         at = find_word(text, "extern", at + 1)) {
        constexpr std::string_view shared = "__shared__";
        const std::size_t next = over_blanks(text, at + std::string_view("extern").size());
        if (word_at(text, next) != shared) continue;
        text.replace(next, shared.size(), shared.size(), ' ');
        const std::size_t open = text.find('[', next);
        std::size_t last = text.find_last_not_of(" \t\n", open == none ? open : open - 1) + 1;
        std::size_t first = last;
        while (first > 0 && is_word_character(text[first - 1])) --first;
        const std::string here = text.substr(first, last - first);
        if (!name.empty() && here != name) {
            throw Unsupported(fmt::format(
                "'{}' and '{}' are both dynamic local memory, and the host has one name for it.",
                name, here));
        }
        name = here;
    }
    return name;
}

/// The options `-DNAME=value` and `-UNAME` as directives.
std::string as_directives(const std::vector<std::string>& macros) {
    std::string made;
    for (std::string_view one : macros) {
        const bool defines = one.starts_with("-D");
        one.remove_prefix(over_blanks(one, 2));
        const std::size_t name = std::min(one.find('='), one.size());
        made += defines ? fmt::format("#define {} {}\n", one.substr(0, name),
                                      name == one.size() ? "1" : one.substr(name + 1))
                        : fmt::format("#undef {}\n", one);
    }
    return made;
}

/// Lets some functions of the prelude begin with a call of `parallax_host::check_` and their name.
std::string with_checks(std::string prelude) {
    for (const std::string_view name :
         {"clamp", "smoothstep", "async_work_group_copy", "async_work_group_strided_copy"}) {
        for (std::size_t at = find_word(prelude, name, 0); at != none;
             at = find_word(prelude, name, at + 1)) {
            const std::size_t open = at + name.size();
            if (prelude.substr(open, 1) != "(") continue;
            const std::size_t close = until(prelude, open + 1, ")");
            if (prelude.substr(close, 3) != ") {") continue;
            std::string names;
            for (std::size_t from = open + 1; from < close; ++from) {
                const std::size_t end = until(prelude, from, ",)");
                std::size_t first = end;
                while (is_word_character(prelude[first - 1])) --first;
                names += (names.empty() ? "" : ", ") + prelude.substr(first, end - first);
                from = end;
            }
            prelude.insert(close + 3, fmt::format(" parallax_host::check_{}({});", name, names));
        }
    }
    return prelude;
}

}  // namespace

std::string identifier_for(std::string_view kernel) {
    std::string name;
    for (const char c : kernel) {
        if (is_word_character(c)) {
            name += c;
        } else {
            name += fmt::format("_{:02x}", static_cast<unsigned char>(c));
        }
    }
    return name;
}

std::vector<std::string> kernels_in(std::string_view cuda) {
    std::vector<std::string> names;
    constexpr std::string_view global = "__global__", bounds = "__launch_bounds__";
    for (std::size_t at = find_word(cuda, global, 0); at != none;
         at = find_word(cuda, global, at + 1)) {
        if (is_of_directive(cuda, at)) continue;
        std::size_t open = cuda.find('(', at);
        if (const std::size_t word = cuda.find(bounds, at); word < open) {
            open = cuda.find('(', until(cuda, open + 1, ")"));
        }
        if (open == none) break;
        const std::size_t last = cuda.find_last_not_of(" \t\n", open - 1) + 1;
        std::size_t first = last;
        while (first > 0 && is_word_character(cuda[first - 1])) --first;
        std::string name(cuda.substr(first, last - first));
        // A forward declaration names it as well.
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return names;
}

CppText as_cpp(std::string_view file, std::string_view cuda,
               const std::vector<std::string>& kernels, const std::vector<std::string>& macros) {
    CppText made;
    std::string body(cuda);
    made.dynamic = take_dynamic(body);
    const bool has_ptx = std::ranges::any_of(
        words_of_ptx, [&](std::string_view word) { return find_word(body, word, 0) != none; });
    if (has_ptx) body = without_ptx(without_constraints(without_comments(std::move(body))));
    const auto names = [&](std::string_view word) { return body.find(word) != none; };
    if (has_ptx && std::ranges::any_of(units, names)) made.text += "#define PARALLAX_UNITS\n";
    // Macros must not reach the shim and the translator's prelude, which ends where the file's own
    // lines begin.
    const std::size_t own = own_lines(body, file);
    const bool has_prelude = own > 0;
    body = with_checks(body.substr(0, own)) + as_directives(macros) +
           (has_prelude || macros.empty() ? "" : line_directive(1, file) + "\n") + body.substr(own);
    const bool has_words = names("__v") || names("__dp");
    made.text += fmt::format("#include \"cuda.hpp\"\n{}{}{}\n{}",
                             has_words ? "#include \"words.hpp\"\n" : "",
                             has_ptx ? "#include \"ptx.hpp\"\n" : "",
                             line_directive(1, has_prelude ? prelude_file : file), body);
    if (!made.dynamic.empty()) {
        made.text += fmt::format("\nasm(\".comm {},{},1024\");", made.dynamic, dynamic_bytes);
    }
    for (const std::string& kernel : kernels) {
        made.text += fmt::format(
            "\nextern \"C\" void parallax_call_{1}(void** parallax_from) {{ "
            "parallax_host::call({0}, parallax_from); }}"
            "\nextern \"C\" unsigned parallax_parameters_{1}(parallax_host::Parameter* "
            "parallax_into) {{ return parallax_host::parameters({0}, parallax_into); }}",
            kernel, identifier_for(kernel));
    }
    made.text += '\n';
    return made;
}

std::string with_declarations_ahead(std::string text, std::string_view log) {
    // Each note begins with a location such as `k.cu:12:9`.
    std::set<std::string, std::less<>> places;
    bool is_case = false;
    for (const std::string_view line : lines_of(log)) {
        if (line.find(" error: ") != none) is_case = line.find("jump to case label") != none;
        if (is_case && line.find("crosses initialization") != none)
            places.emplace(line.substr(0, line.find(": ")));
    }
    std::string file, made;
    std::size_t number = 0;
    for (const std::string_view line : lines_of(text)) {
        std::string now(line);
        // From the last one on, so that the positions of the others stay valid.
        for (std::size_t column = line.size(); column > 0; --column) {
            const std::string_view name = word_at(line, column - 1);
            const std::size_t next = over_blanks(line, column - 1 + name.size());
            if (name.empty() || line.substr(next, 1) != "=" ||
                !places.contains(fmt::format("{}:{}:{}", file, number, column)))
                continue;
            now.insert(next, fmt::format("; {} ", name));
            const std::size_t start = line.find_last_of(";{}:", column - 1) + 1;  // none + 1 is 0
            const std::size_t is_const = find_word(line, "const", start);
            // The variable itself is constant, and not what it points to.
            if (is_const < column && line.substr(0, column).find('*', is_const) == none)
                now.replace(is_const, 5, 5, ' ');
        }
        made += now + '\n';
        ++number;
        constexpr std::string_view directive = "#line ";
        if (!line.starts_with(directive)) continue;
        const std::size_t quote = std::min(line.find('"'), line.size() - 1);
        number = std::strtoul(line.data() + directive.size(), nullptr, 10);
        file = line.substr(quote + 1, line.rfind('"') - quote - 1);
    }
    return made;
}

}  // namespace parallax::host

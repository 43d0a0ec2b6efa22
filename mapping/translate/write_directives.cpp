// Writes preprocessor lines and attributes.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mapping/analyze/word_lists.hpp"
#include "mapping/preprocess/compiler_macros.hpp"
#include "mapping/translate/writer.hpp"

namespace parallax {

std::size_t Writer::leave_out_directive(std::size_t i, std::string_view row) {
    const auto lines = std::ranges::count(at(i).text, '\n');
    return plain(i, std::string(static_cast<std::size_t>(lines), '\n'), by(row));
}

void Writer::note_device_name(std::size_t i) {
    std::string said = outline_.complaint(
        i,
        "some compilers of OpenCL C define it and others do not, or otherwise; the two sides may "
        "take different branches");
    notes_.push_back(said);
    device_names_.push_back(std::move(said));
}

std::size_t Writer::write_directive(std::size_t i) {
    const Directive& directive = outline_.directive(i);
    if (directive.word == "pragma") return write_pragma(directive);
    if (directive.word == "define") return write_define(directive);
    if (is_one_of(directive.word, {"include", "include_next", "import"})) refuse(i, "#include");
    if (directive.word.starts_with("if") || directive.word == "elif") note_condition(directive);
    copy(write_directive_words(directive, directive.last));
    return i + 1;
}

std::string_view Writer::write_directive_words(const Directive& directive, std::size_t past) {
    const std::string_view text = at(directive.token).text;
    write_space(directive.token);
    std::size_t written = 0;
    for (std::size_t k = directive.first; k < past; ++k) {
        const auto start = static_cast<std::size_t>(at(k).text.data() - text.data());
        copy(text.substr(written, start - written));
        spaced_ = k;
        plain(k, written_name(at(k).text), declared_.renaming(at(k).text));
        written = start + at(k).text.size();
    }
    return text.substr(written);
}

std::size_t Writer::write_define(const Directive& directive) {
    // The tokens before the body stay as they are, except reserved names.
    const std::string_view rest = write_directive_words(directive, directive.body);
    const Token& body = at(directive.body);
    if (directive.body == directive.last) {
        copy(rest);
    } else {
        const auto start = static_cast<std::size_t>(body.text.data() - rest.data());
        copy(rest.substr(0, start - body.space.size()));
    }
    in_define_ = &directive;
    auto around = std::exchange(all_words_, {});
    write(directive.body, directive.last);
    for (const std::string_view parameter : directive.parameters) {
        if (all_words_.contains(parameter)) taken_parameters_.insert(parameter);
    }
    all_words_.merge(around);
    if (directive.body != directive.last) write_space(directive.last);
    in_define_ = nullptr;
    return directive.token + 1;
}

/// Macros of OpenCL's compilers, which the translation defines before the source.
void Writer::note_condition(const Directive& directive) {
    std::set<std::string_view> macros;
    if (is_one_of(directive.word, {"if", "elif"})) check_bits(directive, directive, macros);
    for (std::size_t k = directive.first; k < directive.last; ++k) {
        if (at(k).kind != TokenKind::identifier) continue;
        if (defined_before(at(k).text, directive.token)) continue;
        if (!is_macro(at(k).text) && !declared_.constants.contains(at(k).text) &&
            differs_by_device(at(k).text) && !guards_pragmas(directive)) {
            note_device_name(k);
        }
        const auto& rows = Patterns::of_table().beginning_with(at(k).text);
        const std::string_view topic = rows.empty() ? "" : rows.front().row->topic;
        // OpenCL defines these names always: a text's own definition never counts.
        if (topic == "constants" || compiler_macros_.contains(at(k).text)) {
            predefined_.emplace(rows.front().row, at(k).text);
        }
    }
}

/// Clang gives the numbers of a condition 128 bits in OpenCL C, and CUDA's compilers 64.
void Writer::check_bits(const Directive& condition, const Directive& within,
                        std::set<std::string_view>& macros) {
    const bool is_macro_body = within.word == "define";
    for (std::size_t k = is_macro_body ? within.body : within.first; k < within.last; ++k) {
        const std::string_view text = at(k).text;
        if (at(k).is("defined")) {
            k += at(k + 1).is("(") ? 2 : 1;
        } else if (at(k).kind == TokenKind::number &&
                   !is_float_element(number_type(text).value.element)) {
            const bool shifts = at(k - 1).is_one_of({"<<", ">>"});
            const bool wraps = text.find_first_of("uU") != text.npos &&
                               (at(k - 1).is_one_of({"-", "~"}) || at(k + 1).is("-"));
            if (whole_number(text).value_or(0x1p64) < (shifts ? 32 : 0x1p62) && !wraps) continue;
            return complain(condition.first,
                            "a condition that some compilers compute in 64 bits and others in "
                            "128; run the preprocessor first (--expand), or write it with small "
                            "numbers");
        } else if (is_macro(text) && macros.insert(text).second) {
            for (const Directive* one : declared_.macros.at(text))
                check_bits(condition, *one, macros);
        }
    }
}

bool Writer::defined_before(std::string_view name, std::size_t i) const {
    const auto defines = declared_.macros.find(name);
    return defines != declared_.macros.end() && defines->second.front()->token < i;
}

bool Writer::guards_pragmas(const Directive& condition) const {
    unsigned depth = 1;
    for (const Directive* one = &condition;;) {
        const Directive* after = one + 1;
        if (after == outline_.directives.data() + outline_.directives.size() ||
            after->token != one->token + 1) {
            return false;
        }
        one = after;
        if (one->word == "endif") {
            if (--depth == 0) return true;
        } else if (one->word.starts_with("if")) {
            ++depth;
        } else if (one->word != "pragma" && !one->word.starts_with("el")) {
            return false;
        }
    }
}

std::size_t Writer::write_pragma(const Directive& directive) {
    const std::size_t i = directive.token;
    const Token& first = at(directive.first);
    // An extension is there or not; FP_CONTRACT ON allows and does not demand; what is for clang
    // says how to optimize.
    if (first.is("OPENCL")) {
        return leave_out_directive(i, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
    }
    // The last is CLBlast's, for its own preprocessor.
    if (first.is_one_of({"once", "clang", "promote_to_registers"}))
        return leave_out_directive(i, "#pragma clang");
    if (first.is_one_of({"unroll", "nounroll"})) return write_unroll(directive);
    if (refuse_pragma(i, first.text)) return plain(i, at(i).text);
    notes_.push_back(outline_.complaint(i, "no compiler of OpenCL C knows it, so it is left out"));
    return leave_out_directive(i, "#pragma clang");
}

bool Writer::refuse_pragma(std::size_t i, std::string_view words) {
    const bool packs = words.starts_with("pack");
    if (!packs && !words.starts_with("push_macro") && !words.starts_with("pop_macro")) return false;
    refuse(i, packs ? "#pragma pack" : "#pragma push_macro");
    return true;
}

std::size_t Writer::write_unroll(const Directive& directive) {
    const std::size_t i = directive.token;
    const Token& first = at(directive.first);
    write_space(i);
    const std::string_view written = first.is("unroll") ? "#pragma unroll" : "#pragma unroll 1";
    const std::string_view text = at(i).text.substr(0, end_of(directive.first) - start_of(i));
    if (text == written) {
        const bool counts = directive.first + 1 < directive.last;
        copy(text, by(counts ? "#pragma unroll $" : "#pragma unroll"));
    } else {
        put(written, start_of(i), end_of(directive.first), by("#pragma nounroll"));
    }
    // A name that the preprocessor does not know tells nothing.
    const Token& count = at(directive.first + 1);
    const bool known = count.kind != TokenKind::identifier || is_macro(count.text) ||
                       declared_.constants.contains(count.text);
    if (known) {
        write(directive.first + 1, directive.last);
    } else {
        put("", start_of(directive.first + 1), offset(at(i).text) + at(i).text.size(),
            by("#pragma unroll $"));
    }
    return i + 1;
}

std::size_t Writer::write_attribute(std::size_t i) {
    RowList rows;
    std::string text = attributes_text(i, rows);
    // Requirements for the kernel's launch are on the kernel.
    if (as_function_ && i < item_->name) text.clear();
    if (text.empty()) {
        drop(i, rows);
    } else {
        plain(i, text, rows);
    }
    const std::size_t close = std::max(i + 1, outline_.match[i + 1]);
    put("", start_of(i), end_of(close), rows);
    keep_layout(i + 1, close);
    return close + 1;
}

std::size_t Writer::pass_attributes(std::size_t i) {
    const auto& [past, rows] = attributes_.at(i);
    for (; i < past; ++i) {
        keep_layout(i);
        put("", start_of(i), end_of(i), rows);
    }
    swallow_ = false;
    return past;
}

std::string Writer::attributes_text(std::size_t i, RowList& rows) {
    const std::size_t open = i + 1;
    const std::size_t close = outline_.match[open];
    std::string text;
    if (close < open || !at(open + 1).is("(") || outline_.match[open + 1] + 1 != close) {
        refuse(i, "__attribute__");
        return text;
    }
    for (const auto [first, last] : outline_.parts(open + 2, close - 1)) {
        const std::string one = attribute_text(first, last, rows);
        if (!text.empty() && !one.empty()) text += ' ';
        text += one;
    }
    return text;
}

std::string Writer::attribute_text(std::size_t first, std::size_t last, RowList& rows) {
    std::string_view name = at(first).text;
    if (name.starts_with("__") && name.ends_with("__") && name.size() > 4) {
        name = name.substr(2, name.size() - 4);
    }
    std::vector<std::string> arguments;
    if (last > first + 2 && at(first + 1).is("(")) {
        for (const auto [from, to] : outline_.parts(first + 2, last - 1)) {
            arguments.push_back(written(from, to, rows));
        }
    }
    const auto applies = [&rows](std::string_view row) { add_rows(rows, by(row)); };
    if (name == "reqd_work_group_size" && arguments.size() == 3) {
        applies("__attribute__((reqd_work_group_size($, $, $)))");
        return fmt::format("__launch_bounds__(({}) * ({}) * ({}))", arguments[0], arguments[1],
                           arguments[2]);
    }
    if (name == "aligned" && arguments.size() == 1) {
        applies("__attribute__((aligned($)))");
        return fmt::format("__align__({})", arguments[0]);
    }
    if (name == "packed") {
        applies("__attribute__((packed))");
        return "__attribute__((packed))";
    }
    if (name == "opencl_unroll_hint") {
        applies("__attribute__((opencl_unroll_hint($)))");
        return arguments.empty() ? "_Pragma(\"unroll\")"
                                 : fmt::format("_Pragma(\"unroll {}\")", arguments[0]);
    }
    // These are hints, or C++ does it without being told.
    applies("__attribute__((hint))");
    if (name.ends_with("reqd_sub_group_size") && arguments.size() == 1) {
        if (arguments[0] == "32") return {};
        complain(first, "CUDA's warps have 32 threads; write the kernel for sub-groups of 32");
        return {};
    }
    if (!is_one_of(name,
                   {"always_inline", "const", "convergent", "flatten", "noinline", "nosvm",
                    "max_constant_size", "pure", "unused", "overloadable", "work_group_size_hint",
                    "used", "nothrow", "vec_type_hint", "warn_unused_result"})) {
        refuse(first, "__attribute__");
    }
    return {};
}

}  // namespace parallax

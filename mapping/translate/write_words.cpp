// Writes words: keywords, types, names of the file, built-in functions.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/source_names.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/preprocess/compiler_macros.hpp"
#include "mapping/translate/writer.hpp"

namespace parallax {

std::size_t Writer::write_word(std::size_t i, std::size_t to) {
    const Patterns& table = Patterns::of_table();
    const std::string_view text = resolved(i);
    if (i > 0 && at(i - 1).is_one_of({".", "->"})) {
        const bool is_own = is_cxx_keyword(text) || made_.parser.is_member(text);
        return is_own ? write_name(i) : plain(i, text);
    }
    if (const auto tag = made_.tags.find(text); tag != made_.tags.end() && is_tag(i)) {
        return plain(i, tag->second, by("struct S, S"));
    }
    if (const std::size_t next = write_keyword(i)) return next;
    if (is_macro(text)) return write_name(i);
    if (declared_.constants.contains(text)) return plain(i, text);
    if (const std::size_t next = write_extension(i)) return next;
    if (const std::size_t next = write_type_word(i)) return next;
    if (const std::size_t next = write_declared(i)) return next;
    if (const auto& found = table.beginning_with(text);
        !found.empty() && found.front().row->topic == "macros" && differs_by_device(text)) {
        note_device_name(i);
    }
    // Takes any number of arguments
    if (is_called(i) && text == "printf") return plain(i, text, by("printf($, $)"));
    if (const std::size_t next = write_row(i, to)) return next;
    if (names_function(i)) {
        complain(i,
                 "a macro that names a built-in function; run the preprocessor first (--expand)");
    }
    if (!is_called(i) && table.is_function(text)) return plain(i, text);  // a variable of that name
    if (prelude_.has(text) && (is_called(i) || !is_builtin_function(text))) {
        prelude_.key_for(call_type(i), text);
    } else if (is_called(i) || !made_.parser.is_declared(text)) {
        complain_of_word(i);
    }
    return plain(i, text);
}

std::size_t Writer::write_keyword(std::size_t i) {
    const std::string_view text = resolved(i);
    if (text == "__kernel" || text == "kernel") {
        if (as_function_) return drop(i, by("__kernel f(), called"));
        const bool is_first =
            in_define_ || !item_ || item_->kind != Item::Kind::kernel || i == item_->first;
        return plain(i, is_first ? Patterns::row("__kernel").cuda : "__global__", by(text));
    }
    if (is_address_space(text)) return write_address_space(i);
    if (qualifies_array(i)) return drop(i, by("T p[static 3]"));
    if (!is_shared_keyword(text)) return 0;
    if (text == "static" && in_body(i)) refuse(i, "static");
    if (text == "struct" || text == "union") return write_record_word(i);
    if (text == "enum") return write_enum(i);
    return plain(i, text);
}

bool Writer::is_tag(std::size_t i) const {
    if (i == 0) return false;
    std::size_t before = i - 1;
    while (at(before).is(")") && outline_.match[before] > 1) before = outline_.match[before] - 2;
    return at(before).is_one_of({"struct", "union"});
}

/// Extensions of C and its compilers that OpenCL C lacks.
std::size_t Writer::write_extension(std::size_t i) {
    const std::string_view text = resolved(i);
    if (text == "register") return drop(i, by(text));
    if (text == "_Pragma" && is_called(i) && at(i + 2).kind == TokenKind::string) {
        // Pragmas of unrolling stay; other pragmas are for other compilers.
        if (at(i + 2).text.starts_with("\"unroll")) return plain(i, text);
        refuse_pragma(i, trimmed(at(i + 2).text.substr(1)));
        put("", start_of(i), end_of(i + 3), by("_Pragma(\"clang ...\")"));
        keep_layout(i, i + 3);
        return i + 4;
    }
    if (text == "__attribute__" && is_called(i)) return write_attribute(i);
    if (is_assembly(text)) return plain(i, "asm", by(text));
    if (text == "__volatile__") return plain(i, "volatile");
    return 0;
}

std::size_t Writer::write_type_word(std::size_t i) {
    const std::string_view text = resolved(i);
    if (text == "size_t" || text == "ptrdiff_t") return plain(i, text, by(text));
    if (text == "uintptr_t") return plain(i, "size_t", by(text));
    if (text == "intptr_t") return plain(i, "ptrdiff_t", by(text));
    if (text == "signed" || text == "unsigned") {
        return plain(i, text, value_type_named(resolved(i + 1)) ? RowList{} : by(text));
    }
    if (text == "long" && at(i + 1).is_one_of({"double", "long"})) {
        refuse(i, at(i + 1).is("long") ? "long long" : "long double");
        return plain(i, text);
    }
    const auto type = value_type_named(text);
    return type ? write_type(i, *type) : 0;
}

std::size_t Writer::write_declared(std::size_t i) {
    const std::string_view text = resolved(i);
    const bool is_function = declared_.kernels.contains(text) || declared_.helpers.contains(text);
    if (is_called(i) && is_function) return write_call(i);
    const bool is_type =
        made_.parser.is_type(text) || (i > 0 && at(i - 1).is_one_of({"struct", "union", "enum"}));
    if (is_called(i) && is_type) check_type(i);
    // A member of its own name would be another meaning of it.
    if (item_ && !item_->is_function() && made_.parser.is_type(text) &&
        made_.parser.is_member(text) &&
        (at(i + 1).kind == TokenKind::identifier || at(i + 1).is("*"))) {
        return plain(i, fmt::format("::{}", declared_.own_word(text)), by("struct S, S"));
    }
    return (is_called(i) && is_type) || declared_.is_renamed(text) ? write_name(i) : 0;
}

/// Reports a word without a rule, or without one that fits.
void Writer::complain_of_word(std::size_t i) {
    const Patterns& table = Patterns::of_table();
    const std::string_view text = resolved(i);
    const MappingRule* refusal = table.refusal(text, is_called(i));
    if (refusal && !declared_.aliases.contains(text)) {
        // The access qualifier of an image without a rule does not matter: the image is rejected.
        const bool is_access =
            is_one_of(text, {"read_only", "__read_only", "write_only", "__write_only"});
        const bool is_of_refused = is_access && table.beginning_with(resolved(i + 1)).empty() &&
                                   table.refusal(resolved(i + 1), false);
        if (!is_of_refused) complain(i, refusal->rationale);
    } else if (!table.beginning_with(text).empty()) {
        complain(i, misfit(text));
    } else if (is_called(i) && is_macro_parameter(text)) {
        complain(i,
                 "a macro's parameter in front of a parenthesis: what it is, each use says; run "
                 "the preprocessor first (--expand)");
    } else if (is_called(i) && !made_by_macros_.contains(text)) {
        complain(i,
                 "neither a function of this file nor one that is translated; define it, or use "
                 "one that 'parallax map' shows");
    }
}

bool Writer::is_macro_parameter(std::string_view name) const {
    return in_define_ &&
           std::ranges::find(in_define_->parameters, name) != in_define_->parameters.end();
}

bool Writer::names_function(std::size_t i) const {
    const std::string_view text = at(i).text;
    return in_define_ && i + 1 == in_define_->last && is_builtin_function(text) &&
           !made_.parser.is_declared(text) && !is_macro_parameter(text);
}

std::size_t Writer::write_type(std::size_t i, ValueType type) {
    check_type(i);
    if (type.is_vector() || type.element == "half") prelude_.key(name_of(type));
    const bool has_sign = i > 0 && (at(i - 1).is_one_of({"unsigned", "signed"}));
    const std::string name = name_of(type);
    RowList rows;
    const auto add = [&rows](const std::string& key) {
        if (const MappingRule* row = Patterns::find(key)) add_rows(rows, {row});
    };
    if (has_sign) {
        add(fmt::format("{} {}", at(i - 1).text, name));
    } else {
        // T becomes a type of OpenCL C, which may have another spelling in CUDA.
        add(std::string(at(i).text));
        if (cuda_name(type) != name) add(name);
    }
    return plain(i, has_sign && type.element == "char" ? "char" : cuda_name(type), rows);
}

void Writer::check_type(std::size_t i) {
    if (!at(i + 1).is("(") || at(i + 2).is("*")) return;
    complain(i,
             "a type in front of a parenthesis; write a cast as (float)(x), and a declaration "
             "without it");
}

std::string Writer::misfit(std::string_view word) {
    std::string ways;
    for (const Pattern& pattern : Patterns::of_table().beginning_with(word)) {
        if (!ways.empty()) ways += ", ";
        ways += pattern.opencl;
    }
    const bool index = Patterns::of_table().beginning_with(word).front().index;
    return fmt::format("not translated with these arguments; {} {}",
                       index ? "the literal 0, 1 or 2 in" : "write it as", ways);
}

std::size_t Writer::write_call(std::size_t i) {
    const bool is_kernel = item_ && item_->name == i && !as_function_;
    if (const auto called = declared_.called_kernels.find(at(i).text);
        called != declared_.called_kernels.end() && !is_kernel) {
        return plain(i, called->second, by("__kernel f(), called"));
    }
    return plain(i, written_name(at(i).text), declared_.renaming(at(i).text));
}

ValueType Writer::call_type(std::size_t i) const {
    const auto found = made_.call_types.find(i);
    return found == made_.call_types.end() ? ValueType{} : found->second;
}

}  // namespace parallax

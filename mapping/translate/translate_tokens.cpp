// Writes tokens: words, numbers, directives, and the rows that begin with them.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "common/device/half.hpp"
#include "common/text/characters.hpp"
#include "mapping/translate/builtins.hpp"
#include "mapping/translate/compiler_macros.hpp"
#include "mapping/translate/names.hpp"
#include "mapping/translate/translator.hpp"
#include "mapping/translate/word_lists.hpp"

namespace parallax {
void Translator::write(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to;) i = write_token(i, to);
}

std::size_t Translator::write_token(std::size_t i, std::size_t to) {
    if (!dynamic_.empty()) {
        if (const std::size_t next = write_dynamic_parameter(i)) return next;
    }
    if (inner_types_.contains(i)) write_inner_types(i);
    if (const auto found = enum_declarations_.extract(i)) return write_enum(found.mapped());
    if (reordered_.contains(i)) return write_reordered(i);
    const auto write_after = [this](std::size_t last) {
        const TokenEdit* edit = edits_.find(last);
        if (!edit || edit->after.empty()) return;
        put(edit->after, end_of(last), end_of(last), edit->after_rows);
    };
    const TokenEdit* found = edits_.find(i);
    if (!found) {
        const std::size_t next = write_unedited(i, to);
        // A row may have written several tokens at once.
        if (next > i + 1) write_after(next - 1);
        return next;
    }
    const TokenEdit& edit = *found;
    const auto write_before_it = [&] {
        if (!edit.before.empty()) put(edit.before, start_of(i), start_of(i), edit.before_rows);
    };
    if (edit.instead) {
        const bool vanishes = edit.instead->empty();
        if (edit.opens || !(vanishes || edit.instead->starts_with(","))) {
            write_space(i);
        } else {
            keep_layout(i);
        }
        write_before_it();
        if (*edit.instead == at(i).text) {
            copy(at(i).text, edit.instead_rows);
        } else {
            put(*edit.instead, start_of(i), end_of(i), edit.instead_rows);
        }
        write_after(i);
        swallow_ = (edit.opens && vanishes) || edit.instead->starts_with(", ");
        return i + 1;
    }
    write_space(i);
    write_before_it();
    spaced_ = i;
    const std::size_t next = write_unedited(i, to);
    write_after(next - 1);
    return next;
}

std::size_t Translator::write_unedited(std::size_t i, std::size_t to) {
    const Token& token = at(i);
    switch (token.kind) {
        case TokenKind::word: return write_word(i, to);
        case TokenKind::number: return write_number(i);
        case TokenKind::directive: return write_directive(i);
        case TokenKind::string: return write_string(i);
        case TokenKind::mark: return write_mark(i);
        case TokenKind::character:
        case TokenKind::end: break;
    }
    return plain(i, token.text);
}

std::size_t Translator::write_number(std::size_t i) {
    const std::string_view text = at(i).text;
    if (number_type(text).value.element == "half") {
        key("half");
        const bool is_data = !in_define_ && item_ && item_->kind == Item::Kind::data;
        if (is_data) {
            // Data at file scope takes no function.
            const Half value(std::strtod(std::string(text).c_str(), nullptr));
            return plain(
                i, fmt::format("__builtin_bit_cast(half, (unsigned short)0x{:04x})", value.bits),
                by("1.0h"));
        }
        return plain(i, fmt::format("half({}f)", text.substr(0, text.size() - 1)), by("1.0h"));
    }
    const std::string written = number(text);
    return plain(i, written, written == text ? RowList{} : by("1L"));
}

std::string Translator::number(std::string_view text) {
    const auto suffix = std::min(text.find_first_of("lL"), text.size());
    std::string result(text);
    if (suffix < text.size() &&
        (suffix + 1 == text.size() || (text[suffix + 1] != 'l' && text[suffix + 1] != 'L'))) {
        result.insert(suffix, 1, text[suffix]);
    }
    // A number of 64 bits is a long without saying so.
    const std::string_view element = number_type(text).value.element;
    if (suffix == text.size() && (element == "long" || element == "ulong")) {
        const bool says_unsigned = text.find_first_of("uU") != text.npos;
        result += element == "long" || says_unsigned ? "LL" : "ULL";
    }
    return result;
}

std::size_t Translator::write_mark(std::size_t i) {
    if (at(i).is("...")) {
        complain(i,
                 "a range of values, an extension that CUDA's compiler does not take; write each "
                 "of them");
    } else if (at(i).is("(") && at(i + 1).is("{")) {
        complain(i,
                 "statements within an expression, an extension that CUDA's compiler does not "
                 "take; write a function");
    }
    const std::size_t next = plain(i, at(i).text);
    if (item_ && i == item_->body && !dynamic_.empty() && i > 0) write_dynamic_local();
    return next;
}

std::size_t Translator::write_string(std::size_t i) {
    if (!formats_.contains(i)) {
        // Strings of what could not be read are refused here.
        if (!strings_.contains(i) && !in_define_) refuse(i, "\"a\"");
        return plain(i, at(i).text);
    }
    std::string text;
    const std::string_view format = at(i).text;
    for (std::size_t k = 0; k < format.size(); ++k) {
        text += format[k];
        if (format[k] != '%') continue;
        std::size_t end = k + 1;
        while (end < format.size() &&
               std::string_view("-+ #0123456789.*").find(format[end]) != std::string_view::npos) {
            ++end;
        }
        text += format.substr(k + 1, end - k - 1);
        if (format.substr(end, 1) == "v" || format.substr(end, 2) == "hl") {
            refuse(i, "%v");
        }
        // OpenCL's long has 64 bits wherever it runs.
        if (format.substr(end, 1) == "l" && format.substr(end, 2) != "ll") text += 'l';
        k = end - 1;
        if (format.substr(end, 1) == "%") {
            text += '%';
            k = end;
        }
    }
    return plain(i, text, text == format ? RowList{} : by("printf($, $)"));
}

bool Translator::names_function(std::size_t i) const {
    const std::string_view text = at(i).text;
    return in_define_ && i + 1 == in_define_->last && is_builtin_function(text) &&
           !parser_->is_declared(text) &&
           std::ranges::find(in_define_->parameters, text) == in_define_->parameters.end();
}

std::size_t Translator::write_word(std::size_t i, std::size_t to) {
    const Patterns& table = Patterns::of_table();
    const std::string_view text = word(i);
    if (i > 0 && (at(i - 1).is_one_of({".", "->"}))) {
        const bool renamed = is_cxx_keyword(text) || parser_->is_member(text);
        return renamed ? plain(i, written_name(text), renaming(text)) : plain(i, text);
    }
    if (text == "__kernel" || text == "kernel") {
        if (as_function_) return drop(i, by("__kernel f(), called"));
        const bool first =
            in_define_ || !item_ || item_->kind != Item::Kind::kernel || i == item_->first;
        return plain(i, first ? Patterns::row("__kernel").cuda : "__global__", by(text));
    }
    if (is_address_space(text)) return write_address_space(i);
    const bool called = at(i + 1).is("(");
    if (qualifies_array(i)) return drop(i, by("T p[static 3]"));
    if (is_shared_keyword(text)) {
        if (text == "static" && in_body(i)) refuse(i, "static");
        if (text == "struct" || text == "union") return write_record_word(i);
        if (text == "enum") return write_enum(i);
        return plain(i, text);
    }
    if (macros_.contains(text)) return plain(i, written_name(text), renaming(text));
    if (constants_.contains(text)) return plain(i, text);
    if (text == "register") return drop(i, by(text));
    if (text == "_Pragma" && called && at(i + 2).kind == TokenKind::string) {
        // Pragmas of unrolling stay; other pragmas are for other compilers.
        if (at(i + 2).text.starts_with("\"unroll")) {
            strings_.insert(i + 2);
            return plain(i, text);
        }
        put("", start_of(i), end_of(i + 3), by("_Pragma(\"clang ...\")"));
        for (std::size_t k = i; k < i + 4; ++k) keep_layout(k);
        return i + 4;
    }
    if (text == "__attribute__" && called) return write_attribute(i);
    if (is_assembly(text)) return write_assembly(i);
    if (text == "__volatile__") return plain(i, "volatile");
    if (text == "size_t" || text == "ptrdiff_t") return plain(i, text, by(text));
    if (text == "uintptr_t") return plain(i, "size_t", by(text));
    if (text == "intptr_t") return plain(i, "ptrdiff_t", by(text));
    if (text == "signed" || text == "unsigned") {
        return plain(i, text, value_type_named(word(i + 1)) ? RowList{} : by(text));
    }
    if (text == "long" && (at(i + 1).is_one_of({"double", "long"}))) {
        refuse(i, at(i + 1).is("long") ? "long long" : "long double");
        return plain(i, text);
    }
    if (const auto type = value_type_named(text)) return write_type(i, *type);
    const bool is_defined = kernels_.contains(text) || helpers_.contains(text);
    if (called && is_defined) return write_call(i);
    const bool is_type =
        parser_->is_type(text) || (i > 0 && at(i - 1).is_one_of({"struct", "union", "enum"}));
    if (called && is_type) {
        check_type(i);
        return plain(i, written_name(text), renaming(text));
    }
    if (renamed_.contains(text)) return plain(i, written_name(text), renaming(text));
    if (const auto& found = table.beginning_with(text);
        !found.empty() && found.front().row->topic == "macros" && differs_by_device(text)) {
        note_device_name(i);
    }
    // Of any number of arguments
    if (called && text == "printf") return plain(i, text, by("printf($, $)"));
    if (const std::size_t next = write_row(i, to)) return next;
    if (names_function(i)) {
        complain(i,
                 "a macro that names a built-in function; run the preprocessor first (--expand)");
    }
    if (!called && table.is_function(text)) return plain(i, text);  // a variable of that name
    if (has_prelude(text) && (called || !is_builtin_function(text))) {
        const auto type = call_types_.find(i);
        key_for(type == call_types_.end() ? ValueType{} : type->second, text);
        return plain(i, text);
    }
    const auto& rows = table.beginning_with(text);
    if (!called && parser_->is_declared(text)) return plain(i, text);
    if (const MappingRule* refusal = table.refusal(text, called);
        refusal && !aliases_.contains(text)) {
        // What may be done with an image that has no row matters to nobody: the image is refused.
        const bool is_access =
            is_one_of(text, {"read_only", "__read_only", "write_only", "__write_only"});
        const bool is_of_refused = is_access && table.beginning_with(word(i + 1)).empty() &&
                                   table.refusal(word(i + 1), false);
        if (!is_of_refused) complain(i, refusal->rationale);
    } else if (!rows.empty()) {
        complain(i, misfit(text));
    } else if (called && in_define_ &&
               std::ranges::find(in_define_->parameters, text) != in_define_->parameters.end()) {
        complain(i,
                 "a macro's parameter in front of a parenthesis: what it is, each use says; run "
                 "the preprocessor first (--expand)");
    } else if (called && !made_by_macros_.contains(text)) {
        complain(
            i,
            "neither a function of this file nor one that is translated; define it, or use one "
            "that 'parallax map' shows");
    }
    return plain(i, text);
}

/// Its strings are for the assembler, and stay.
std::size_t Translator::write_assembly(std::size_t i) {
    std::size_t open = i + 1;
    while (at(open).is_one_of({"volatile", "__volatile__"})) ++open;
    for (std::size_t k = open; k < outline_.match[open]; ++k) {
        if (at(k).kind == TokenKind::string) strings_.insert(k);
    }
    return plain(i, "asm", by(at(i).text));
}

std::size_t Translator::write_type(std::size_t i, ValueType type) {
    check_type(i);
    if (type.is_vector() || type.element == "half") key(name_of(type));
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

void Translator::check_type(std::size_t i) {
    if (!at(i + 1).is("(") || at(i + 2).is("*")) return;
    complain(i,
             "a type in front of a parenthesis; write a cast as (float)(x), and a declaration "
             "without it");
}

std::string Translator::misfit(std::string_view word) {
    std::string ways;
    for (const Pattern& pattern : Patterns::of_table().beginning_with(word)) {
        if (!ways.empty()) ways += ", ";
        ways += pattern.opencl;
    }
    const bool index = Patterns::of_table().beginning_with(word).front().index;
    return fmt::format("not translated with these arguments; {} {}",
                       index ? "the literal 0, 1 or 2 in" : "write it as", ways);
}

std::size_t Translator::write_call(std::size_t i) {
    const bool is_kernel = item_ && item_->name == i && !as_function_;
    if (const auto called = called_kernels_.find(at(i).text);
        called != called_kernels_.end() && !is_kernel) {
        return plain(i, called->second, by("__kernel f(), called"));
    }
    return plain(i, written_name(at(i).text), renaming(at(i).text));
}

std::size_t Translator::write_row(std::size_t i, std::size_t to) {
    for (Pattern pattern : Patterns::of_table().beginning_with(word(i))) {
        if (pattern.call && !at(i + 1).is("(")) continue;
        if (pattern.cuda == "cudaTextureObject_t") pattern.cuda = image_word(pattern.words.back());
        std::vector<ParameterRange> arguments;
        const std::size_t past = fit(pattern, i, to, arguments);
        if (past == 0) continue;
        const auto type = call_types_.find(i);
        note_prelude(pattern.cuda, type == call_types_.end() ? ValueType{} : type->second);
        if (pattern.cuda == pattern.opencl) {
            // The words and their layout stay. A call's arguments are written later.
            if (pattern.call) return plain(i, word(i), {pattern.row});
            for (; i < past; ++i) plain(i, word(i), {pattern.row});
            return past;
        }
        write_space(i);
        write_pattern(pattern, arguments, i, past);
        // The arguments beyond those that the row writes vanish.
        const auto uses = pattern.index ? 0 : std::ranges::count(pattern.cuda, '$');
        const auto unwritten =
            arguments.begin() + std::min<std::ptrdiff_t>(uses, std::ssize(arguments));
        for (std::size_t k = i + 1; k < past; ++k) {
            const bool written = std::any_of(
                arguments.begin(), unwritten,
                [k](const ParameterRange& range) { return k >= range.first && k < range.last; });
            if (!written) keep_layout(k);
        }
        return past;
    }
    return 0;
}

std::size_t Translator::fit(const Pattern& pattern, std::size_t i, std::size_t to,
                            std::vector<ParameterRange>& arguments) const {
    for (std::size_t k = 0; k < pattern.words.size(); ++k) {
        if (i >= to) return 0;
        if (pattern.words[k] != "$") {
            if (word(i) != pattern.words[k]) return 0;
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < to && !at(i).is_one_of({",", ")", "]", "}", ";"})) {
            i = std::max(i, outline_.match[i]) + 1;
        }
        if (i == first) return 0;
        if (pattern.index && (i != first + 1 || dimension(first).empty())) return 0;
        arguments.push_back({first, i});
    }
    return i;
}

std::string_view Translator::dimension(std::size_t i) const {
    const Token& token = at(i);
    if (token.is_one_of({"0", "0u", "0U"})) return "x";
    if (token.is_one_of({"1", "1u", "1U"})) return "y";
    if (token.is_one_of({"2", "2u", "2U"})) return "z";
    return {};
}

void Translator::write_pattern(const Pattern& pattern, const std::vector<ParameterRange>& arguments,
                               std::size_t i, std::size_t past) {
    std::size_t next = 0, from = start_of(i);
    std::string text;
    const auto write_text = [&] {
        if (!text.empty()) put(text, from, end_of(past - 1), {pattern.row});
        text.clear();
    };
    for (const char c : pattern.cuda) {
        if (c != '$') {
            text += c;
        } else if (pattern.index) {
            text += dimension(arguments.front().first);
        } else {
            write_text();
            const ParameterRange range = arguments[next++];
            swallow_ = true;
            write(range.first, range.last);
            from = end_of(range.last - 1);
        }
    }
    write_text();
    // What lies behind the last argument that is kept, or all where nothing is written.
    put("", from, end_of(past - 1), {pattern.row});
}

std::string Translator::image_word(std::string_view word) const {
    if (word == "image2d_t") return samples_ ? "Image2d" : "cudaTextureObject_t";
    if (word == "image1d_buffer_t") return samples_ ? "Image1dBuffer" : "cudaTextureObject_t";
    if (!samples_ || !word.starts_with("read_")) return std::string(word);
    return "sampled_" + std::string(word.substr(5));
}

bool Translator::has_prelude(std::string_view word) {
    // A word of a pattern does not outlive it.
    auto place = in_prelude_.find(word);
    if (place == in_prelude_.end())
        place = in_prelude_.emplace(std::string(word), in_prelude(word)).first;
    return place->second;
}

void Translator::note_prelude(std::string_view cuda, ValueType type) {
    for (std::size_t i = 0; i < cuda.size(); ++i) {
        std::size_t end = i;
        while (end < cuda.size() && is_word_character(cuda[end])) ++end;
        const std::string_view name = cuda.substr(i, end - i);
        if (has_prelude(name)) key_for(type, name);
        i = end;
    }
}

}  // namespace parallax

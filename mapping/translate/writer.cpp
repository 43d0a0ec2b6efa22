// Goes through the declarations of a kernel file, and puts the translation together.
#include "mapping/translate/writer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/prelude/prelude.hpp"
#include "mapping/preprocess/compiler_macros.hpp"

namespace parallax {

Writer::Writer(Analysis& made, std::string_view source, std::string_view standard)
    : Output(made.outline, source),
      made_(made),
      declared_(made.declared),
      problems_(made.problems),
      prelude_(made.prelude),
      compiler_macros_(compiler_macros(standard)) {}

Translation Writer::run(std::size_t begin) {
    write(0, begin);
    std::string defines = std::exchange(out_, {});
    log_.clear();
    std::size_t i = begin;
    for (const Item& item : outline_.items) {
        item_ = &item;
        write(i, item.first);
        i = write_item(item);
    }
    item_ = nullptr;
    write(i, outline_.end + 1);
    problems_.throw_any();
    std::vector<Piece> pieces = log_.pieces(source_, out_);
    if (begin > 0) {
        // The line end that belongs to the last of the lines before it.
        out_.erase(0, 1);
        for (Piece& piece : pieces) {
            for (std::size_t* at : {&piece.from, &piece.from_end, &piece.to, &piece.to_end}) --*at;
        }
        defines += '\n';
        defines.erase(defines.rfind("#line"));
    }
    const std::string predefined = predefined_macros();
    return {.prelude = prelude_of(prelude_.keys()) + predefined + defines,
            .body = std::move(out_),
            .file = std::string(outline_.file),
            .pieces = std::move(pieces),
            .notes = std::move(notes_),
            .device_names = std::move(device_names_)};
}

void Writer::add_collisions(const Translation& made, Declarations::Words& written) const {
    written.insert(taken_parameters_.begin(), taken_parameters_.end());
    for (const std::string& word : all_words_) {
        const bool is_variable = words_.contains(word) && (made_.parser.is_declared(word) ||
                                                           declared_.at_file_scope.contains(word));
        if (is_variable || is_macro(word) || declared_.constants.contains(word))
            written.insert(word);
    }
    for (const std::string_view word : words_declared_in(made.prelude)) {
        if (declared_.at_file_scope.contains(word)) written.emplace(word);
    }
}

std::string Writer::predefined_macros() {
    std::string text;
    for (const auto& [row, name] : predefined_) {
        const auto of_compiler = compiler_macros_.find(name);
        const std::string_view value = of_compiler == compiler_macros_.end()
                                           ? Patterns::of_table().beginning_with(name).front().cuda
                                           : of_compiler->second;
        prelude_.key_words(value, {});
        note_words(value);
        text += fmt::format("#define {} {}\n", name, value);
    }
    return text;
}

std::size_t Writer::write_item(const Item& item) {
    dynamic_.clear();
    if (item.kind == Item::Kind::data && !outline_.has(item, {"__constant", "constant"})) {
        // Data that all launches share: OpenCL 2.0 has it in global memory.
        write_before(item.first, "__device__ ", by("T data at file scope"));
    } else if (item.kind == Item::Kind::data && outline_.has(item, {"*"})) {
        for (std::size_t i = item.first; i < item.last && !at(i).is("="); ++i) {
            if (at(i).is("*")) refuse(i, "__constant T* at file scope");
        }
    }
    if (item.is_function() && !check_function(item)) return item.last + 1;
    if (item.kind == Item::Kind::kernel && declared_.called_kernels.contains(at(item.name).text)) {
        write_called_kernel(item);
        return item.last + 1;
    }
    if (item.kind == Item::Kind::kernel) {
        find_dynamic_local(item);
        // Otherwise a macro brings the word.
        const bool is_spelled_out = outline_.has(item, {"__kernel", "kernel"});
        if (is_spelled_out && !at(item.first).is_one_of({"__kernel", "kernel"})) {
            write_before(item.first, "extern \"C\" ", by("__kernel"));
        }
    }
    if (item.kind == Item::Kind::helper) {
        write_before(item.first, "__device__ ", by("T f()"));
    }
    write(item.first, item.last + 1);
    write_volatile_copies(item);
    return item.last + 1;
}

bool Writer::check_function(const Item& item) {
    std::size_t after = item.close + 1;
    while (at(after).kind == TokenKind::directive) ++after;
    if (at(after).is_one_of({"{", ";", "__attribute__"})) return true;
    if (!is_macro(at(item.name).text)) {
        complain(after,
                 "not understood behind the parameters of a function; if a macro makes it, run "
                 "the preprocessor first (--expand)");
        return true;
    }
    complain(item.name, "a macro that makes declarations; run the preprocessor first (--expand)");
    // The meaning of these is not known, and nothing else is reported about them.
    for (std::size_t i = item.open; i < item.close; ++i) {
        if (at(i).kind == TokenKind::identifier) made_by_macros_.insert(at(i).text);
    }
    return false;
}

void Writer::write_called_kernel(const Item& item) {
    const std::size_t past = item.body != 0 ? item.body : item.last;
    RowList rows = by("__kernel f(), called");
    const std::vector<std::string_view> names = made_.parser.parameter_names(item);
    std::vector<std::string> arguments;
    for (const std::string_view name : names) arguments.push_back(declared_.own_word(name));
    bool is_read = std::ranges::find(names, "") == names.end();
    for (std::size_t i = item.first; i < past; ++i) {
        const bool by_macro = i < item.name && is_macro(at(i).text);
        is_read = is_read && !by_macro && at(i).kind != TokenKind::directive;
    }
    if (!is_read) {
        complain(item.name,
                 "a kernel that the file calls, and macros or #if decide how it is declared; run "
                 "the preprocessor first (--expand)");
    }
    as_function_ = true;
    write_before(item.first, "__device__ ", by("__kernel f(), called"));
    write(item.first, item.last + 1);
    as_function_ = false;
    if (!is_read) return;
    find_dynamic_local(item);
    // As every kernel, it begins with the word.
    std::string text = at(item.first).is_one_of({"__kernel", "kernel"}) ? " " : " extern \"C\" ";
    text += written(item.first, past, rows);
    if (item.body == 0) {
        text += ';';
    } else {
        const std::string local = dynamic_.empty() ? "" : dynamic_local_text(rows);
        text +=
            fmt::format(" {{{} {}({}); }}", local, declared_.called_kernels.at(at(item.name).text),
                        fmt::join(arguments, ", "));
    }
    put(text, end_of(item.last), end_of(item.last), rows);
}

}  // namespace parallax

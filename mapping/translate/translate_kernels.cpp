// Writes kernels that the file calls, which CUDA C++ has not: as a device function and a kernel.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/translate/translator.hpp"

namespace parallax {

void Translator::find_called_kernels(const std::set<std::string_view>& words) {
    std::set<std::size_t> declared;
    for (const Item& item : outline_.items) {
        if (item.is_function()) declared.insert(item.name);
    }
    for (std::size_t i = 0; i + 1 < outline_.tokens.size(); ++i) {
        const std::string_view name = at(i).text;
        if (!kernels_.contains(name) || !at(i + 1).is("(") || declared.contains(i)) continue;
        std::string other = fmt::format("{}_called", name);
        while (words.contains(other)) other += '_';
        called_kernels_.emplace(name, std::move(other));
    }
}

void Translator::write_called_kernel(const Item& item) {
    const std::size_t past = item.body != 0 ? item.body : item.last;
    RowList rows = by("__kernel f(), called");
    const std::vector<std::string_view> names = parser_->parameter_names(item);
    std::vector<std::string_view> arguments;
    for (const std::string_view name : names) arguments.push_back(written_name(name));
    bool is_read = std::ranges::find(names, "") == names.end();
    for (std::size_t i = item.first; i < past; ++i) {
        const bool is_macro = i < item.name && macros_.contains(at(i).text);
        is_read = is_read && !is_macro && at(i).kind != TokenKind::directive;
    }
    if (!is_read) {
        complain(item.name,
                 "a kernel that the file calls, and macros or #if decide how it is declared; run "
                 "the preprocessor first (--expand)");
    }
    as_function_ = true;
    write_before(item.first, "__device__ ", "__kernel f(), called");
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
        text += fmt::format(" {{{} {}({}); }}", local, called_kernels_.at(at(item.name).text),
                            fmt::join(arguments, ", "));
    }
    put(text, end_of(item.last), end_of(item.last), rows);
}

}  // namespace parallax

// Renames what has a name that OpenCL C allows and CUDA C++ does not.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/translate/builtins.hpp"
#include "mapping/translate/names.hpp"
#include "mapping/translate/translator.hpp"

namespace parallax {

void Translator::rename() {
    std::set<std::string_view> words;
    for (const Token& token : outline_.tokens) {
        if (token.kind == TokenKind::word) words.insert(token.text);
    }
    std::set<std::string_view> at_file_scope;
    for (const Item& item : outline_.items) {
        if (item.is_function()) {
            at_file_scope.insert(at(item.name).text);
            continue;
        }
        for (std::size_t i = item.first; i < item.last; ++i) {
            if (!at(i).is_one_of({"struct", "union", "enum"})) continue;
            std::size_t tag = i + 1;
            while (at(tag).is("__attribute__"))
                tag = std::max(tag + 1, outline_.match[tag + 1]) + 1;
            if (at(tag).kind == TokenKind::word) at_file_scope.insert(at(tag).text);
        }
        // The last word before the end, an `=` or a `[` is what the item declares.
        for (std::size_t i = item.first + 1; i <= item.last; ++i) {
            // An enum's constants are names of the file too.
            const bool lists = at(i - 1).is("enum") || (i > item.first + 1 && at(i - 2).is("enum"));
            if (at(i).is("{") && !lists) i = std::max(i, outline_.match[i]);
            if ((at(i).is_one_of({";", "=", "[", ",", "}"})) && at(i - 1).kind == TokenKind::word) {
                at_file_scope.insert(at(i - 1).text);
            }
        }
    }
    std::multimap<std::string_view, std::size_t> kernel_names;
    for (const Item& item : outline_.items) {
        if (item.kind == Item::Kind::kernel) kernel_names.emplace(at(item.name).text, item.name);
    }
    for (const std::string_view name : words) {
        const bool taken = is_cxx_keyword(name) || is_taken_everywhere(name) ||
                           (at_file_scope.contains(name) && is_taken_at_file_scope(name));
        if (!taken || is_builtin_function(name)) continue;
        const auto [first, last] = kernel_names.equal_range(name);
        for (auto kernel = first; kernel != last; ++kernel) {
            complain(kernel->second,
                     "a word of CUDA C++, and the host finds a kernel by its name; choose "
                     "another one");
        }
        if (first != last) continue;
        std::string other = fmt::format("{}_", name);
        while (words.contains(other)) other += '_';
        renamed_.emplace(name, std::move(other));
    }
    find_called_kernels(words);
}

std::string_view Translator::written_name(std::string_view name) const {
    const auto found = renamed_.find(name);
    return found == renamed_.end() ? name : std::string_view(found->second);
}

RowList Translator::renaming(std::string_view name) const {
    if (!renamed_.contains(name)) return {};
    return by(is_cxx_keyword(name)        ? "class"
              : is_taken_everywhere(name) ? "make_float4"
                                          : "erfinv()");
}

}  // namespace parallax

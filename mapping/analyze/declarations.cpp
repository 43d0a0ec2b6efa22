// Collects the names that a kernel file declares, and renames those reserved in CUDA C++.
#include "mapping/analyze/declarations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/patterns.hpp"
#include "mapping/analyze/source_names.hpp"
#include "mapping/analyze/value_type.hpp"

namespace parallax {
namespace {

/// Functions, types, enumerators and data.
std::set<std::string_view> names_at_file_scope(const Outline& outline) {
    std::set<std::string_view> names;
    for (const Item& item : outline.items) {
        if (item.is_function()) {
            names.insert(outline[item.name].text);
            continue;
        }
        for (std::size_t i = item.first; i < item.last; ++i) {
            if (!outline[i].is_one_of({"struct", "union", "enum"})) continue;
            std::size_t tag = i + 1;
            while (outline[tag].is("__attribute__"))
                tag = std::max(tag + 1, outline.match[tag + 1]) + 1;
            if (outline[tag].kind == TokenKind::identifier) names.insert(outline[tag].text);
        }
        // The last word before the end, an `=` or a `[` is the declared name.
        for (std::size_t i = item.first + 1; i <= item.last; ++i) {
            // An enum's constants are names of the file too.
            const bool lists =
                outline[i - 1].is("enum") || (i > item.first + 1 && outline[i - 2].is("enum"));
            if (outline[i].is("{") && !lists) i = std::max(i, outline.match[i]);
            if ((outline[i].is_one_of({";", "=", "[", ",", "}"})) &&
                outline[i - 1].kind == TokenKind::identifier) {
                names.insert(outline[i - 1].text);
            }
        }
    }
    return names;
}

}  // namespace

Declarations::Declarations(const Outline& outline, const TranslateOptions& options,
                           Problems& problems)
    : type(options.type), constants(options.constants.begin(), options.constants.end()) {
    const Patterns& table = Patterns::of_table();
    for (const Directive& directive : outline.directives) {
        if (directive.word == "define") macros[directive.name].push_back(&directive);
    }
    std::set<std::string_view> bodies;
    for (const Item& item : outline.items) {
        if (item.kind == Item::Kind::alias) aliases.insert(outline[item.last - 1].text);
        if (!item.is_function()) continue;
        const std::string_view name = outline[item.name].text;
        (item.kind == Item::Kind::kernel ? kernels : helpers).insert(name);
        if (item.body != 0 && !bodies.insert(name).second) overloaded.insert(name);
        if (table.is_function(name) || is_builtin_function(name)) {
            problems.complain(item.name, "a built-in function of OpenCL C; choose another name");
        }
    }
    pointer_aliases = parallax::pointer_aliases(outline);
    check_constants(outline.file);
    rename(outline, problems);
}

void Declarations::check_constants(std::string_view file) const {
    const Patterns& table = Patterns::of_table();
    for (const std::string& constant : constants) {
        if (!table.beginning_with(constant).empty() || table.refusal(constant, false) ||
            is_shared_keyword(constant) || value_type_named(parallax::resolved(constant, type)) ||
            is_cxx_keyword(constant) || is_taken_everywhere(constant)) {
            throw Refused(
                fmt::format("{}: the constant '{}' has the name of something else; "
                            "choose another one",
                            file, constant));
        }
    }
}

void Declarations::rename(const Outline& outline, Problems& problems) {
    Words words;
    for (const Token& token : outline.tokens) {
        if (token.kind == TokenKind::identifier) words.insert(token.text);
    }
    const Words at_file_scope = names_at_file_scope(outline);
    std::multimap<std::string_view, std::size_t> kernel_names;
    for (const Item& item : outline.items) {
        if (item.kind == Item::Kind::kernel)
            kernel_names.emplace(outline[item.name].text, item.name);
    }
    for (const std::string_view name : words) {
        const bool taken = is_cxx_keyword(name) || is_taken_everywhere(name) ||
                           (at_file_scope.contains(name) && is_taken_at_file_scope(name));
        if (!taken || is_builtin_function(name)) continue;
        const auto [first, last] = kernel_names.equal_range(name);
        for (auto kernel = first; kernel != last; ++kernel) {
            problems.complain(kernel->second,
                              "a word of CUDA C++, and the host finds a kernel by its name; choose "
                              "another one");
        }
        if (first != last) continue;
        std::string other = fmt::format("{}_", name);
        while (words.contains(other)) other += '_';
        renamed_.emplace(name, std::move(other));
    }
    find_called_kernels(outline, words);
}

void Declarations::find_called_kernels(const Outline& outline, const Words& words) {
    std::set<std::size_t> declared;
    for (const Item& item : outline.items) {
        if (item.is_function()) declared.insert(item.name);
    }
    for (std::size_t i = 0; i + 1 < outline.tokens.size(); ++i) {
        const std::string_view name = outline[i].text;
        if (!kernels.contains(name) || !outline[i + 1].is("(") || declared.contains(i)) continue;
        std::string other = fmt::format("{}_called", name);
        while (words.contains(other)) other += '_';
        called_kernels.emplace(name, std::move(other));
    }
}

std::string_view Declarations::written_name(std::string_view name) const {
    const auto found = renamed_.find(name);
    return found == renamed_.end() ? name : std::string_view(found->second);
}

RowList Declarations::renaming(std::string_view name) const {
    if (!renamed_.contains(name)) return {};
    return {&Patterns::row(is_cxx_keyword(name)        ? "class"
                           : is_taken_everywhere(name) ? "make_float4"
                                                       : "erfinv()")};
}

}  // namespace parallax

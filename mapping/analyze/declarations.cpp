// Collects the names that a kernel file declares, and renames those that CUDA C++ or the translation
// uses.
#include "mapping/analyze/declarations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/patterns.hpp"
#include "mapping/analyze/source_names.hpp"
#include "mapping/analyze/token_edits.hpp"
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
                           const Words& written, Problems& problems)
    : type(options.type),
      constants(options.constants.begin(), options.constants.end()),
      at_file_scope(names_at_file_scope(outline)) {
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
    check_constants(outline.file, written);
    rename(outline, written, problems);
}

void Declarations::check_constants(std::string_view file, const Words& written) const {
    const Patterns& table = Patterns::of_table();
    for (const std::string& constant : constants) {
        if (!table.beginning_with(constant).empty() || table.refusal(constant, false) ||
            is_shared_keyword(constant) || value_type_named(parallax::resolved(constant, type)) ||
            is_cxx_keyword(constant) || written.contains(constant)) {
            throw Refused(
                fmt::format("{}: the constant '{}' has the name of something else; "
                            "choose another one",
                            file, constant));
        }
    }
}

void Declarations::rename(const Outline& outline, const Words& written, Problems& problems) {
    Words words = written;
    for (const Token& token : outline.tokens) {
        if (token.kind == TokenKind::identifier) words.emplace(token.text);
    }
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < outline.tokens.size(); ++i) {
        const std::string_view name = outline[i].text;
        if (outline[i].kind != TokenKind::identifier) continue;
        const bool is_written = written.contains(name);
        const bool taken = is_cxx_keyword(name) || is_written ||
                           (at_file_scope.contains(name) && is_taken_at_file_scope(name));
        if (!taken) continue;
        const bool is_of_opencl = is_builtin_function(name) || is_shared_keyword(name) ||
                                  components_of(name, 4) ||
                                  !Patterns::of_table().beginning_with(name).empty();
        if (is_of_opencl && !is_written) continue;
        if (kernels.contains(name)) {
            const auto kernel = std::ranges::find_if(outline.items, [&](const Item& item) {
                return item.name == i && item.kind == Item::Kind::kernel;
            });
            if (kernel == outline.items.end()) continue;
            problems.complain(i,
                              "a word of CUDA C++, and the host finds a kernel by its name; choose "
                              "another one");
        }
        if (kernels.contains(name) || !seen.insert(name).second) continue;
        if (is_of_opencl) {
            problems.complain(i,
                              "a name of the file's own for a word of OpenCL C that the "
                              "translation needs; run the preprocessor first (--expand), or give "
                              "it another name");
            continue;
        }
        std::string other = fmt::format("{}_", name);
        while (!words.insert(other).second) other += '_';
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

std::string Declarations::own_word(std::string_view name) const {
    return fmt::format("{}{}", TokenEdit::own_mark, written_name(name));
}

std::string_view Declarations::written_name(std::string_view name) const {
    const auto found = renamed_.find(name);
    return found == renamed_.end() ? name : std::string_view(found->second);
}

RowList Declarations::renaming(std::string_view name) const {
    if (!renamed_.contains(name)) return {};
    const bool is_function = at_file_scope.contains(name) && is_taken_at_file_scope(name);
    return {&Patterns::row(is_cxx_keyword(name) ? "class"
                           : is_function        ? "rcbrt()"
                                                : "make_float4")};
}

}  // namespace parallax

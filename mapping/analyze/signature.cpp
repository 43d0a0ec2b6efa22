// Parses the parameter lists of a file's kernels.
#include "mapping/analyze/signature.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "common/error.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/parser.hpp"

namespace parallax {
namespace {

/// Only types are asked for.
class Nobody : public ExpressionSink {
    void expression(const Tree&, int, Place) override {}
    void not_understood(std::size_t, std::size_t) override {}
};

/// Macros and aliases that a parameter may use.
struct Names {
    std::map<std::string_view, const Directive*> macros;
    std::map<std::string_view, PointerAlias> aliases;
};

/// The words of a parameter's declaration, after expansion of its macros.
struct Words {
    bool pointer = false, is_const = false;
    unsigned stars = 0;
    bool written = false;                ///< an image that is not only read
    std::vector<std::string_view> type;  ///< as written, and the name last
};

/// Whether the word is an access qualifier of an image.
bool is_image_access(std::string_view word) {
    if (word.starts_with("__")) word.remove_prefix(2);
    return word == "read_only" || word == "write_only" || word == "read_write";
}

bool is_image_type(std::string_view word) {
    return word.starts_with("image") && word.ends_with("_t");
}

/// Whether several definitions of a macro are more than qualifiers: it is not known here which
/// branch of an #if is taken.
bool says_types(const Outline& outline, std::string_view name) {
    std::size_t definitions = 0;
    bool types = false;
    for (const Directive& one : outline.directives) {
        if (one.word != "define" || one.name != name) continue;
        ++definitions;
        for (std::size_t i = one.body; i < one.last; ++i) {
            types = types || (!is_address_space(outline[i].text) && !is_qualifier(outline[i].text));
        }
    }
    return types && definitions > 1;
}

/// @param depth  of macros and typedefs within others
void read_words(const Outline& outline, const Names& names, std::size_t first, std::size_t last,
                unsigned depth, Parameter& parameter, Words& words) {
    for (std::size_t i = first; i < last; ++i) {
        const Token& token = outline[i];
        const std::string_view word = token.text;
        if (token.kind == TokenKind::directive) continue;
        if (token.is("__attribute__") && outline[i + 1].is("(")) {
            i = std::max(i + 1, outline.match[i + 1]);
        } else if (token.is_one_of({"*", "["})) {
            // `t[]` and `t[][17]` are pointers to what the array has, as `(*t)[17]` is.
            const bool is_array = token.is("[");
            const bool goes_on = is_array && outline[i - 1].is_one_of({")", "]"});
            if (words.stars > 0 && !goes_on) {
                throw Refused(outline.complaint(i,
                                                "a pointer to a pointer as a kernel's parameter, "
                                                "which OpenCL does not allow; pass one pointer"));
            }
            words.pointer = true;
            if (is_array) i = std::max(i, outline.match[i]);
            if (!is_array) ++words.stars;
        } else if ((token.is("(") && outline[i + 1].is("*")) || token.is(")")) {
        } else if (token.kind != TokenKind::identifier) {
            throw Refused(outline.complaint(i,
                                            "not understood in a kernel's parameter; write type "
                                            "and name"));
        } else if (word == "const") {
            // Behind the star it is the pointer that is constant.
            words.is_const = words.is_const || words.stars == 0;
        } else if (is_address_space(word)) {
            if (word.ends_with("global")) parameter.kind = Parameter::Kind::global;
            if (word.ends_with("local")) parameter.kind = Parameter::Kind::local;
            if (word.ends_with("constant")) parameter.kind = Parameter::Kind::constant;
        } else if (const auto macro = names.macros.find(word);
                   macro != names.macros.end() && !macro->second->has_parameters && depth < 20 &&
                   i + 1 < last && !says_types(outline, word)) {
            read_words(outline, names, macro->second->body, macro->second->last, depth + 1,
                       parameter, words);
        } else if (const auto alias = names.aliases.find(word); alias != names.aliases.end() &&
                                                                depth < 20 && words.type.empty() &&
                                                                i + 1 < last) {
            // A const before it is that of the pointer.
            if (alias->second.has_star) words.is_const = false;
            const auto [from, to, name, has_star] = alias->second;
            read_words(outline, names, from, name, depth + 1, parameter, words);
            read_words(outline, names, name + 1, to, depth + 1, parameter, words);
        } else if (is_image_access(word)) {
            words.written = words.written || !word.ends_with("read_only");
        } else if (!is_qualifier(word)) {
            words.type.push_back(word);
        }
    }
}

Parameter parameter_from(const Outline& outline, const Names& names, Parser& parser,
                         ParameterRange range) {
    Parameter parameter;
    Words words;
    read_words(outline, names, range.first, range.last, 0, parameter, words);
    if (words.type.size() < 2) {
        throw Refused(
            outline.complaint(range.first, "a kernel's parameter needs a type and a name"));
    }
    parameter.name = words.type.back();
    std::size_t i = range.first;
    while (outline[i].kind == TokenKind::directive) ++i;
    const auto type = parser.type_at(i);
    if (type && type->record > 0) {
        parameter.members = parser.declared_members(type->record);
        parameter.obstacle = parser.obstacle_of(type->record);
        const std::string_view only = parser.only_element_of(type->record);
        if (!parameter.obstacle.empty() && !only.empty()) {
            parameter.members = {{.type = std::string(only), .name = {}, .is_array = true}};
        }
    }
    if (type && type->value.known()) {
        parameter.type = name_of(type->value);
        // size_t cannot be passed to a kernel, but some sources do so.
        words.pointer = words.pointer || type->pointers > 0;
    } else {
        words.type.pop_back();
        for (const std::string_view word : words.type) {
            if (word == "struct" || word == "union" || word == "enum") continue;
            if (!parameter.type.empty()) parameter.type += ' ';
            parameter.type += word;
        }
    }
    if (!words.pointer && is_image_type(parameter.type)) {
        parameter.kind = Parameter::Kind::image;
        parameter.read_only = !words.written;
        return parameter;
    }
    if (words.pointer != (parameter.kind != Parameter::Kind::scalar)) {
        throw Refused(outline.complaint(
            range.first, words.pointer
                             ? "a pointer that does not say where it points; write __global, "
                               "__local or __constant"
                             : "an address space without a pointer; add the *"));
    }
    parameter.read_only =
        words.pointer && (words.is_const || parameter.kind == Parameter::Kind::constant);
    return parameter;
}

std::array<unsigned, 3> required_size(const Outline& outline, const Names& names,
                                      const Item& kernel) {
    std::array<unsigned, 3> size{};
    for (std::size_t i = kernel.first; i < kernel.body; ++i) {
        if (!outline[i].text.ends_with("reqd_work_group_size") || !outline[i + 1].is("(")) continue;
        const auto parts = outline.parts(i + 2, outline.match[i + 1]);
        for (std::size_t d = 0; d < std::min<std::size_t>(parts.size(), 3); ++d) {
            std::size_t at = parts[d].first;
            if (parts[d].last != at + 1) return {};
            if (const auto macro = names.macros.find(outline[at].text);
                macro != names.macros.end() && macro->second->last == macro->second->body + 1 &&
                !says_types(outline, macro->first)) {
                at = macro->second->body;
            }
            const std::string_view text = outline[at].text;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), size.at(d));
            if (error != std::errc() || size.at(d) == 0) return {};
        }
    }
    return size;
}

}  // namespace

std::string without_bodies(std::string_view file, std::string_view source) {
    const std::vector<Token> tokens = lex(file, source);
    std::string rest;
    unsigned open = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const bool is_head =
            token.is("__kernel") || (token.is("kernel") && tokens[i + 1].is("void"));
        if (is_head && open > 0) {
            rest += '}';
            open = 0;
        }
        const bool was_inside = open > 0;
        if (was_inside || (token.is("{") && i > 0 && tokens[i - 1].is(")"))) {
            open += token.is("{") ? 1 : 0;
            open -= token.is("}") ? 1 : 0;
        }
        rest += token.space;
        if (!was_inside || open == 0 || token.kind == TokenKind::directive) rest += token.text;
    }
    return open > 0 ? rest + '}' : rest;
}

std::vector<Signature> signatures(std::string_view file, std::string_view source,
                                  const TranslateOptions& options) {
    const std::string text = with_defines(file, source, options.defines);
    const Outline outline = outline_of(file, text);
    Nobody nobody;
    Parser parser(outline, options.type, options.constants);
    parser.run(nobody);
    Names names{.macros = {}, .aliases = pointer_aliases(outline)};
    for (const Directive& directive : outline.directives) {
        if (directive.word == "define") names.macros[directive.name] = &directive;
    }
    std::vector<Signature> found;
    for (const Item& item : outline.items) {
        if (item.kind != Item::Kind::kernel || item.body == 0) continue;
        Signature signature{.kernel = std::string(outline[item.name].text),
                            .line = outline[item.first].line,
                            .last_line = outline[item.last].line};
        signature.required = required_size(outline, names, item);
        for (const ParameterRange& range : outline.parameters(item)) {
            if (range.first == range.last) {
                throw Refused(
                    outline.complaint(range.first, "an empty parameter; remove the comma"));
            }
            signature.parameters.push_back(parameter_from(outline, names, parser, range));
        }
        found.push_back(std::move(signature));
    }
    return found;
}

std::optional<Signature> signature_of(const Program& program, std::string_view kernel) {
    for (Signature& one :
         signatures(program.name, edited_source(program), translate_options(program))) {
        if (one.kernel == kernel) return std::move(one);
    }
    return {};
}

}  // namespace parallax

// Reads types, declarators, structs, functions and macros.
#include <algorithm>
#include <array>

#include "mapping/translate/parser.hpp"

namespace parallax {
namespace {

// Of bodies looked at for the type of a use, in relation to the text's length.
constexpr unsigned deepest_macro = 20;

bool is_storage(std::string_view word) {
    static constexpr std::array<std::string_view, 10> words{
        "static", "inline",   "extern", "register", "typedef",
        "kernel", "__kernel", "auto",   "__inline", "__generic"};
    return std::ranges::find(words, word) != words.end() || is_qualifier(word) ||
           is_address_space(word) || word == "__inline__" || word == "generic" ||
           (word.ends_with("_only") && word.size() < 13) || word == "__read_write" ||
           word == "read_write";
}

/// A type that the branches of an #if say otherwise.
const Type unclear{{"void", 1}, -1, 0};

/// Types that have no components, by other names.
std::optional<Type> other_type(std::string_view word) {
    if (word == "atomic_int" || word == "atomic_flag") return type_of("int");
    if (word == "atomic_uint") return type_of("uint");
    if (word == "atomic_long") return type_of("long");
    if (word == "atomic_ulong") return type_of("ulong");
    if (word == "atomic_float") return type_of("float");
    if (word == "atomic_double") return type_of("double");
    if (word == "atomic_size_t" || word == "atomic_uintptr_t") return type_of("ulong");
    if (word == "atomic_ptrdiff_t" || word == "atomic_intptr_t") return type_of("long");
    static constexpr std::array<std::string_view, 6> opaque{
        "event_t", "sampler_t", "queue_t", "memory_order", "memory_scope", "cl_mem_fence_flags"};
    if (std::ranges::find(opaque, word) != opaque.end()) return Type{};
    if (word.starts_with("image") && word.ends_with("_t")) return Type{};
    return {};
}

/// The whole numbers whose names are put together from several words.
struct Integer {
    bool is_unsigned = false, is_signed = false;
    std::string_view size = {};  ///< char, short or long
    bool any = false;

    bool take(std::string_view word) {
        if (word == "unsigned") {
            is_unsigned = true;
        } else if (word == "signed" || word == "__signed__") {
            is_signed = true;
        } else if (word == "char" || word == "short" || word == "long") {
            size = word;
        } else if (word != "int" && word != "double") {
            return false;
        } else if (word == "double" && size != "long") {
            return false;
        }
        any = true;
        return true;
    }
    Type type() const {
        const std::string_view name = size == "char"    ? is_unsigned ? "uchar" : "char"
                                      : size == "short" ? is_unsigned ? "ushort" : "short"
                                      : size == "long"  ? is_unsigned ? "ulong" : "long"
                                      : is_unsigned     ? "uint"
                                                        : "int";
        return type_of(name);
    }
};

}  // namespace

void Parser::note_macros() {
    // A definition within `#ifndef` of its own name is a default: an earlier one stands.
    std::vector<std::string_view> guards;
    const auto same = [&](const Directive& a, const Directive& b) {
        if (a.parameters != b.parameters || a.last - a.body != b.last - b.body) return false;
        for (std::size_t k = 0; k < a.last - a.body; ++k) {
            if (at(a.body + k).text != at(b.body + k).text) return false;
        }
        return true;
    };
    for (const Directive& directive : outline_.directives) {
        if (directive.word.starts_with("if")) {
            guards.push_back(directive.word == "ifndef" ? at(directive.first).text
                                                        : std::string_view());
        } else if (directive.word.starts_with("el")) {
            if (!guards.empty()) guards.back() = {};
        } else if (directive.word == "endif") {
            if (!guards.empty()) guards.pop_back();
        } else if (directive.word == "define") {
            const auto [known, fresh] = macros_.try_emplace(directive.name, &directive);
            if (fresh || same(*known->second, directive)) continue;
            const bool is_default = std::ranges::find(guards, directive.name) != guards.end();
            if (!is_default) ambiguous_.insert(directive.name);
        }
    }
}

bool Parser::is_type_name(std::string_view name) const {
    return types_.contains(name) && !variable(name);
}

std::optional<Type> Parser::type_at(std::size_t& i) {
    std::size_t k = i;
    std::optional<Type> found;
    Integer integer;
    for (;; k = next(k)) {
        const std::string_view text = word(k);
        if (text.empty()) break;
        if (is_storage(text)) continue;
        if (text == "__attribute__" && at(next(k)).is("(")) {
            k = std::max(next(k), outline_.match[next(k)]);
            continue;
        }
        if (!found && integer.take(text)) continue;
        if (found || integer.any) break;
        if (text == "struct" || text == "union" || text == "enum") {
            found = record_at(k);
            if (!found) break;
            --k;  // the loop steps over the last token
            while (at(k).kind == TokenKind::directive) --k;
        } else if (const auto value = value_type_named(text)) {
            found = Type{*value};
        } else if (is_type_name(text)) {
            found = types_[text];
        } else if (const auto other = other_type(text)) {
            found = other;
        } else if (const Directive* define = macro(text); define && !define->has_parameters) {
            const auto type = macro_type(*define);
            if (!type) break;
            // A macro of qualifiers alone is passed over.
            if (*type == unclear) {
                found = Type{};
            } else if (type->known() || type->pointers > 0) {
                found = type;
            }
        } else if (at(next(k)).kind == TokenKind::word && !variable(text) &&
                   !is_shared_keyword(text) && !is_shared_keyword(at(next(k)).text)) {
            found = Type{};  // a word and a word: a type that is not known here
        } else {
            break;
        }
    }
    if (integer.any) found = integer.type();
    if (!found) return {};
    i = k;
    return found;
}

std::optional<Type> Parser::macro_type(const Directive& define) {
    if (define.body == define.last) return Type{};
    if (ambiguous_.contains(define.name)) {
        // Types in all branches, or something else.
        std::optional<Type> common;
        for (const Directive& one : outline_.directives) {
            if (one.word != "define" || one.name != define.name) continue;
            ambiguous_.erase(define.name);
            const auto type = macro_type(one);
            ambiguous_.insert(define.name);
            if (!type) return {};
            if (common && !(*common == *type)) return unclear;
            common = type;
        }
        return common;
    }
    if (macro_depth_ >= deepest_macro || macro_steps_ > 4 * outline_.tokens.size() + 10000) {
        return {};
    }
    macro_steps_ += define.last - define.body;
    ++macro_depth_;
    std::size_t i = define.body;
    bool qualifiers = true;
    for (std::size_t k = define.body; k < define.last; ++k) {
        qualifiers = qualifiers && (is_storage(at(k).text) || at(k).is("__attribute__") ||
                                    at(k).is("(") || at(k).is(")"));
    }
    std::optional<Type> type = qualifiers ? Type{} : type_at(i);
    --macro_depth_;
    if (qualifiers) return type;
    if (!type) return {};
    while (at(i).is("*") || is_qualifier(at(i).text)) {
        type->pointers += at(i).is("*");
        ++i;
    }
    return i == define.last ? type : std::nullopt;
}

std::optional<Type> Parser::record_at(std::size_t& i) {
    const bool is_enum = at(i).is("enum");
    std::size_t k = next(i);
    while (at(k).is("__attribute__") && at(next(k)).is("(")) {
        k = next(std::max(next(k), outline_.match[next(k)]));
    }
    std::string_view name;
    if (at(k).kind == TokenKind::word) {
        name = at(k).text;
        k = next(k);
    }
    if (name.empty() && !at(k).is("{")) return {};
    if (is_enum) {
        if (at(k).is("{") && outline_.match[k] > k) {
            for (std::size_t e = next(k); e < outline_.match[k]; e = next(e)) {
                if (at(e).kind == TokenKind::word && (at(e - 1).is("{") || at(e - 1).is(",") ||
                                                      at(e - 1).kind == TokenKind::directive)) {
                    scopes_.back()[at(e).text] = type_of("int");
                }
            }
            k = next(outline_.match[k]);
        }
        i = k;
        return type_of("int");
    }
    int record = 0;
    if (!name.empty()) record = records_[name];
    if (record == 0) {
        members_.emplace_back();
        record_names_.push_back(name);
        member_order_.emplace_back();
        record = static_cast<int>(members_.size());
        if (!name.empty()) records_[name] = record;
    }
    if (at(k).is("{")) {
        if (outline_.match[k] < k) return {};
        if (++depth_ < 100) read_members(record, next(k), outline_.match[k]);
        --depth_;
        k = next(outline_.match[k]);
        while (at(k).is("__attribute__") && at(next(k)).is("(")) {
            k = next(std::max(next(k), outline_.match[next(k)]));
        }
    }
    i = k;
    return Type{{}, record, 0};
}

void Parser::read_members(int record, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last;) {
        const std::size_t from = i;
        const auto type = type_at(i);
        if (type && at(i).is(";") && type->record != 0) {
            // An anonymous struct or union: its members are those of the outer one.
            const Names inner = members_[static_cast<std::size_t>(type->record) - 1];
            members_[static_cast<std::size_t>(record) - 1].insert(inner.begin(), inner.end());
        }
        while (type && i < last && !at(i).is(";")) {
            const std::size_t before = i;
            const Declarator one = declarator(*type, i);
            if (!one.name.empty()) {
                Names& members = members_[static_cast<std::size_t>(record) - 1];
                auto& order = member_order_[static_cast<std::size_t>(record) - 1];
                if (!members.contains(one.name)) order.push_back(one.name);
                note(members, one.name, one.type);
                declared_.insert(one.name);
            }
            while (i < last && !at(i).is(",") && !at(i).is(";")) {
                i = next(std::max(i, outline_.match[i]));
            }
            if (at(i).is(",")) i = next(i);
            if (i == before) break;
        }
        while (i < last && !at(i).is(";")) i = next(std::max(i, outline_.match[i]));
        i = next(i);
        if (i <= from) break;
    }
}

Parser::Declarator Parser::declarator(Type type, std::size_t& i) {
    while (at(i).is("*") || is_qualifier(at(i).text) || is_address_space(at(i).text) ||
           at(i).is("__attribute__")) {
        if (at(i).is("*")) ++type.pointers;
        if (at(i).is("__attribute__") && at(next(i)).is("(")) {
            i = std::max(next(i), outline_.match[next(i)]);
        }
        i = next(i);
    }
    Declarator made{{}, type};
    if (at(i).is("(") && outline_.match[i] > i) {
        const std::size_t close = outline_.match[i];
        i = next(i);
        if (++depth_ < 100) made = declarator(type, i);
        --depth_;
        i = next(close);
    } else if (at(i).kind == TokenKind::word && !is_shared_keyword(at(i).text)) {
        made.name = at(i).text;
        i = next(i);
    }
    while (at(i).is("[") && outline_.match[i] > i) {
        ++made.type.pointers;
        i = next(outline_.match[i]);
    }
    while (at(i).is("__attribute__") && at(next(i)).is("(")) {
        i = next(std::max(next(i), outline_.match[next(i)]));
    }
    return made;
}

void Parser::read_function(const Item& item) {
    std::size_t i = item.first;
    Function function;
    if (const auto result = type_at(i)) {
        function.result = *result;
        for (; i < item.name; i = next(i)) {
            if (at(i).is("*")) ++function.result.pointers;
        }
    }
    for (const ParameterRange& range : outline_.parameters(item)) {
        std::size_t p = range.first;
        if (at(p).kind == TokenKind::directive) p = next(p);
        const auto type = type_at(p);
        function.parameters.push_back(type ? declarator(*type, p).type : Type{});
    }
    const std::string_view name = at(item.name).text;
    if (!read_all_) {
        functions_[name] = std::move(function);
        return;
    }
    if (read_functions_.insert(name).second) {
        functions_[name] = std::move(function);
        return;
    }
    const auto known = functions_.find(name);
    Function& other = known->second;
    if (!(other.result == function.result)) other.result = {};
    if (other.parameters.size() != function.parameters.size()) other.parameters.clear();
    for (std::size_t p = 0; p < other.parameters.size(); ++p) {
        if (!(other.parameters[p] == function.parameters[p])) other.parameters[p] = {};
    }
}

void Parser::read_item(const Item& item) {
    i_ = item.first;
    failed_ = false;
    if (!item.is_function()) {
        if (at(i_).is(";")) return;
        declaration(ExpressionSink::Place::data);
        if (failed_) sink_.not_understood(item.first, item.last);
        failed_ = false;
        return;
    }
    // Once more, as the types before it are known now.
    read_function(item);
    if (item.body == 0) return;
    scopes_.emplace_back();
    for (const ParameterRange& range : outline_.parameters(item)) {
        std::size_t p = range.first;
        if (at(p).kind == TokenKind::directive) p = next(p);
        if (const auto type = type_at(p)) {
            const Declarator one = declarator(*type, p);
            if (!one.name.empty()) declare(one);
        }
    }
    result_ = functions_[at(item.name).text].result;
    block(item.body);
    result_ = {};
    scopes_.pop_back();
}

void Parser::declaration(ExpressionSink::Place place) {
    const bool alias = here().is("typedef");
    const auto type = type_at(i_);
    if (!type) return fail();
    while (!failed_ && !here().is(";")) {
        std::size_t i = i_;
        const Declarator one = declarator(*type, i);
        if (i == i_) return fail();
        i_ = i;
        if (here().is("(") && outline_.match[i_] > i_)
            i_ = next(outline_.match[i_]);  // a prototype
        if (here().is(":")) {
            step();
            step();
        }
        if (!one.name.empty()) {
            if (alias) {
                note(types_, one.name, one.type);
                declared_.insert(one.name);
                if (one.type.record != 0 && one.type.pointers == 0) {
                    auto& name_ = record_names_[static_cast<std::size_t>(one.type.record) - 1];
                    if (name_.empty()) name_ = one.name;
                }
                scopes_.back().erase(one.name);
            } else {
                declare(one);
            }
        }
        if (take("=")) initializer(one.type, place);
        if (failed_) return;
        if (!take(",") && !here().is(";")) return fail();
    }
    step();
}

void Parser::initializer(const Type& type, ExpressionSink::Place place) {
    tree_.clear();
    const int root = here().is("{") ? braces(type) : assignment();
    if (failed_) return;
    node(root).wanted = type;
    sink_.expression(tree_, root, place);
}

std::size_t Parser::designator() {
    std::size_t named = 0;
    if (here().is(".") && at(next(i_)).kind == TokenKind::word) {
        step();
        named = i_;
        step();
        expect("=");
    } else if (here().is("[")) {
        i_ = next(std::max(i_, outline_.match[i_]));
        expect("=");
    }
    return named;
}

Type Parser::part_type(const Type& whole, std::size_t part, std::size_t named) const {
    if (whole.pointers > 0) return whole.pointee();
    if (whole.is_vector()) return type_of(whole.value.element);
    if (whole.record == 0) return {};
    const auto& order = members_of(whole.record);
    const std::string_view name = named != 0            ? at(named).text
                                  : part < order.size() ? order[part]
                                                        : std::string_view();
    const Names& members = members_[static_cast<std::size_t>(whole.record) - 1];
    const auto found = members.find(name);
    // Where an inner struct's braces are left out, the count is off.
    return found == members.end() || (named == 0 && found->second.pointers > 0) ? Type{}
                                                                                : found->second;
}

int Parser::braces(Type type) {
    const std::size_t open = i_;
    if (outline_.match[open] < open || ++depth_ > 200) {
        fail();
        return 0;
    }
    const int node = add({.kind = Node::Kind::braces, .first = open, .last = outline_.match[open]});
    this->node(node).type = type;
    step();
    while (!failed_ && !here().is("}")) {
        const std::size_t named = designator();
        if (failed_) break;
        const Type inner = part_type(type, this->node(node).parts.size(), named);
        const int part = here().is("{") ? braces(inner) : assignment();
        if (failed_) break;
        // An array of arrays may leave inner braces out.
        if (inner.pointers == 0 || type.record != 0) this->node(part).wanted = inner;
        this->node(node).parts.push_back(part);
        this->node(node).named.push_back(named);
        if (!take(",") && !here().is("}")) fail();
    }
    --depth_;
    if (!failed_) step();
    return node;
}

void Parser::read_macro_body(const Directive& define) {
    if (define.body == define.last || !define.balanced) {
        if (define.body != define.last) sink_.not_understood(define.body, define.last);
        return;
    }
    for (std::size_t i = define.body; i < define.last; ++i) {
        if (at(i).is("#") || at(i).is("##")) {
            sink_.not_understood(define.body, define.last);
            return;
        }
    }
    if (!define.has_parameters && macro_type(define)) return;
    scopes_.emplace_back();
    for (const std::string_view name : define.parameters) scopes_.back()[name] = Type{};
    in_macro_ = true;
    i_ = define.body;
    failed_ = false;
    tree_.clear();
    const int root = expression();
    if (!failed_ && i_ == define.last) {
        sink_.expression(tree_, root, ExpressionSink::Place::macro);
    } else {
        failed_ = false;
        i_ = define.body;
        while (i_ < define.last) statement();
    }
    in_macro_ = false;
    scopes_.pop_back();
}

}  // namespace parallax

// Parses types: names, structs and unions with their members, macros for types.
#include <algorithm>
#include <charconv>

#include "mapping/analyze/parser.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

bool is_storage(std::string_view word) {
    return is_qualifier(word) || is_address_space(word) ||
           (word.ends_with("_only") && word.size() < 13) ||
           is_one_of(word, {"static", "inline", "extern", "register", "typedef", "kernel",
                            "__kernel", "auto", "__inline", "__inline__", "__generic", "generic",
                            "__read_write", "read_write"});
}

/// As `Type::space`.
char space_of(std::string_view word) {
    return word[word.starts_with("__") ? 2 : 0];
}

/// A type that the branches of an #if say otherwise.
const Type unclear{{"void", 1}, -1, 0};

/// Types that have no components, by other names.
std::optional<Type> other_type(std::string_view word) {
    if (is_one_of(word, {"atomic_flag", "event_t"})) return type_of("int");
    if (word == "cl_mem_fence_flags") return type_of("uint");
    if (word.starts_with("atomic_")) {
        const auto value = value_type_named(word.substr(7));
        if (value && element_bytes(value->element) >= 4 && !value->is_vector()) {
            Type type{*value};
            type.is_size = is_size_name(word.substr(7));
            return type;
        }
    }
    if (is_one_of(word, {"sampler_t", "queue_t", "memory_order", "memory_scope"})) return Type{};
    if (word.starts_with("image") && word.ends_with("_t")) {
        Type image;
        image.image_extents = word.starts_with("image2d") ? 2 : word.starts_with("image3d") ? 4 : 0;
        return image;
    }
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
        } else if (word == "double" ? size != "long" : word != "int") {
            return false;
        }
        any = true;
        return true;
    }
    Type type() const {
        const ValueType value = value_type_named(size.empty() ? "int" : size).value();
        return {is_unsigned ? unsigned_like(value) : value};
    }
};

}  // namespace

bool Parser::is_type_name(std::string_view name) const {
    return types_.contains(name) && !variable(name);
}

std::optional<Type> Parser::type_at(std::size_t& i) {
    std::size_t k = i;
    std::optional<Type> found;
    Integer integer;
    bool is_const = false, is_volatile = false;
    char space = 'p';
    for (;; k = next(k)) {
        const std::string_view text = resolved(k);
        if (text.empty()) break;
        if (is_address_space(text)) space = space_of(text);
        is_const = is_const || text == "const";
        is_volatile = is_volatile || text == "volatile";
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
            found->is_size = is_size_name(text);
        } else if (is_type_name(text)) {
            found = types_[text];
        } else if (const auto other = other_type(text)) {
            found = other;
        } else if (const Directive* define = macro(text); define && !define->has_parameters) {
            const auto type = macro_type(*define);
            if (!type) break;
            // A macro of qualifiers alone is passed over.
            is_volatile = is_volatile || type->is_volatile;
            if (type->space != 'p') space = type->space;
            if (*type == unclear) {
                found = Type{};
            } else if (type->known() || type->pointers > 0) {
                found = type;
            }
        } else if (at(next(k)).kind == TokenKind::identifier && !variable(text) &&
                   !is_shared_keyword(text) && !is_shared_keyword(at(next(k)).text)) {
            found = Type{};  // a word and a word: a type that is not known here
        } else {
            break;
        }
    }
    if (integer.any) found = integer.type();
    if (!found) return {};
    // Before the name of a pointer it is said of the pointer.
    found->is_const = found->is_const || (is_const && found->pointers == 0);
    found->is_volatile = found->is_volatile || (is_volatile && found->pointers == 0);
    if (found->pointers == 0) found->space = space;
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
        qualifiers =
            qualifiers && (is_storage(at(k).text) || at(k).is_one_of({"__attribute__", "(", ")"}));
    }
    std::optional<Type> type = qualifiers ? Type{} : type_at(i);
    --macro_depth_;
    if (qualifiers) {
        for (std::size_t k = define.body; k < define.last; ++k) {
            type->is_volatile = type->is_volatile || at(k).is("volatile");
            if (is_address_space(at(k).text)) type->space = space_of(at(k).text);
        }
        return type;
    }
    if (!type) return {};
    while (at(i).is("*") || is_qualifier(at(i).text)) {
        type->pointers += at(i).is("*");
        ++i;
    }
    return i == define.last ? type : std::nullopt;
}

std::optional<Type> Parser::record_at(std::size_t& i) {
    if (at(i).is("enum")) return enum_from(i);
    const bool is_union = at(i).is("union");
    std::size_t k = next(i);
    k = after_attributes(k);
    std::string_view name;
    if (at(k).kind == TokenKind::identifier) {
        name = at(k).text;
        k = next(k);
    }
    if (name.empty() && !at(k).is("{")) return {};
    int record = 0;
    if (!name.empty()) record = records_[name];
    if (record == 0) {
        record_list_.push_back({.name = name});
        record = static_cast<int>(record_list_.size());
        if (!name.empty()) records_[name] = record;
    }
    if (at(k).is("{")) {
        if (outline_.match[k] < k) return {};
        if (++depth_ < 100) read_members(record, next(k), outline_.match[k]);
        --depth_;
        this->record(record).end = outline_.match[k];
        k = next(outline_.match[k]);
        k = after_attributes(k);
        Record& made = this->record(record);
        for (std::size_t t = i; t < k; ++t) {
            made.is_complete = made.is_complete && !decides(at(t));
            if (at(t).is_one_of({"packed", "__packed__"})) {
                made.obstacle = "packed";
                made.is_packed = true;
            }
            if (at(t).is_one_of({"aligned", "__aligned__"})) made.obstacle = "aligned by hand";
        }
        if (is_union) made.obstacle = "a union";
        made.is_union = is_union;
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
            const Names inner = this->record(type->record).members;
            this->record(record).members.insert(inner.begin(), inner.end());
            this->record(record).obstacle = "one with a part that has no name";
        }
        if (!type) this->record(record).is_complete = false;
        while (type && i < last && !at(i).is(";")) {
            const std::size_t before = i;
            const Declarator one = declarator(*type, i);
            if (!one.name.empty()) {
                Record& own = this->record(record);
                if (!own.members.contains(one.name)) own.order.push_back(one.name);
                note(own.members, one.name, one.type);
                if (one.elements) own.extents[one.name] = static_cast<unsigned>(*one.elements);
                if (one.is_array()) own.shapes[one.name] = one.extents;
                declared_.insert(one.name);
            }
            if (at(i).is(":")) this->record(record).obstacle = "one of bits";
            while (i < last && !at(i).is_one_of({",", ";"})) {
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

std::vector<Member> Parser::declared_members(int number) const {
    const Record& own = record(number);
    std::vector<Member> made;
    if (!own.is_complete) return made;
    for (const std::string_view name : own.order) {
        const Type& type = own.members.at(name);
        const auto extent = own.extents.find(name);
        Member& one = made.emplace_back(Member{.type = {}, .name = std::string(name)});
        one.is_array = extent != own.extents.end();
        if (one.is_array) one.elements = extent->second;
        if (!one.is_array && type.pointers > 0) continue;
        one.type = type.record != 0 ? record_name(type.record) : name_of(type.value);
        if (type.record != 0 && type.record != number) one.members = declared_members(type.record);
    }
    return made;
}

std::vector<std::pair<std::string_view, Type>> Parser::copied_members(int number) const {
    const Record& own = record(number);
    if (!own.is_complete || own.end == 0 || own.members.size() != own.order.size() ||
        own.is_union) {
        return {};
    }
    std::vector<std::pair<std::string_view, Type>> made;
    for (const std::string_view name : own.order) made.emplace_back(name, own.members.at(name));
    return made;
}

std::string Parser::obstacle_of(int number) const {
    const Record& own = record(number);
    if (!own.obstacle.empty()) return std::string(own.obstacle);
    for (const auto& [name, type] : own.members) {
        const bool is_array = own.extents.contains(name);
        if (!is_array && type.pointers > 0) return "one with pointers";
        if (type.record == 0 || type.record == number) continue;
        if (is_array) return "one with an array of structs";
        if (std::string inner = obstacle_of(type.record); !inner.empty()) return inner;
    }
    return {};
}

std::string_view Parser::only_element_of(int number) const {
    const Record& own = record(number);
    const bool is_laid_out = own.obstacle.empty() || own.obstacle == "a union" ||
                             own.obstacle == "one with a part that has no name";
    std::string_view only;
    for (const auto& [name, type] : own.members) {
        const bool is_pointer = !own.extents.contains(name) && type.pointers > 0;
        const std::string_view element = type.record == 0        ? type.value.element
                                         : type.record == number ? ""
                                                                 : only_element_of(type.record);
        if (is_pointer || type.value.width == 3 || element.empty() || element == "void" ||
            (!only.empty() && element != only)) {
            return {};
        }
        only = element;
    }
    return own.is_complete && is_laid_out ? only : "";
}

double Parser::constant(std::size_t first, std::size_t last) const {
    return constant(first, last, 0);
}

double Parser::constant(std::size_t first, std::size_t last, unsigned depth) const {
    double sum = 0, product = 1;
    char sign = '+', operation = '*';
    if (depth > 20) return 0;
    for (std::size_t i = first; i < last; i = next(i)) {
        double value = 0;
        const std::string_view text = at(i).text;
        if (at(i).is("(") && outline_.match[i] > i) {
            value = constant(i + 1, outline_.match[i], depth + 1);
            i = outline_.match[i];
        } else if (at(i).kind == TokenKind::number) {
            const bool hex = text.starts_with("0x") || text.starts_with("0X");
            std::uint64_t whole = 0;
            std::from_chars(text.data() + (hex ? 2 : 0), text.data() + text.size(), whole,
                            hex ? 16 : 10);
            value = static_cast<double>(whole);
        } else if (const Directive* define = macro(text);
                   define && !define->has_parameters && !ambiguous_.contains(text)) {
            value = constant(define->body, define->last, depth + 1);
        } else if (at(i).is_one_of({"+", "-"})) {
            sum += sign == '+' ? product : -product;
            product = 1;
            operation = '*';
            sign = text[0];
            continue;
        } else if (at(i).is_one_of({"*", "/"})) {
            operation = text[0];
            continue;
        } else {
            return 0;
        }
        product = operation == '*' ? product * value : product / value;
    }
    return sum + (sign == '+' ? product : -product);
}

}  // namespace parallax

// Analyses vector literals, casts, initializers and components, which C++ lacks or reads otherwise.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/analyze/analyzer.hpp"

namespace parallax {
namespace {

// The key of the row that gives one scalar to all components.
constexpr std::string_view spread = "(T4)x";

// More elements than that are not written one by one.
constexpr int most_elements = 4096;

}  // namespace

void Analyzer::splat(const Node& node, ValueType type, std::string_view row) {
    prelude_.mention(type);
    // A bool that is converted gives all bits to every component; in a literal it is 1.
    const bool is_bool = node.type.value.element == "bool";
    const std::string_view open = is_bool ? "-int(" : "", close = is_bool ? ")" : "";
    if (place_ != Place::data) {
        key(type, "splat");
        return enclose(node, fmt::format("splat_{}({}", cuda_name(type), open),
                       fmt::format("{})", close), row);
    }
    // Data at file scope takes no function: what is spread is written for each component.
    key(name_of(type));
    std::string others;
    for (unsigned i = 1; i < type.width; ++i) {
        others += fmt::format("{}{}{}, ", open, TokenEdit::quote_mark, close);
    }
    enclose(node, fmt::format("{}{{{}{}", cuda_name(type), others, open),
            fmt::format("{}}}", close), row);
    for (unsigned i = 1; i < type.width; ++i) edits_->quote(node.first, node.first, node.last + 1);
}

void Analyzer::make(const Tree& tree, const Node& node, ValueType type) {
    std::vector<std::string> widths;
    unsigned components = 0;
    bool scalars = true;
    for (const Node& one : parts(tree, node)) {
        const Type& component = one.type;
        if (!component.known()) {
            need_type(tree, one, "which components it gives to a vector");
            return;
        }
        widths.push_back(std::to_string(component.value.width));
        components += component.value.width;
        scalars = scalars && component.is_scalar();
    }
    if (components != type.width) {
        complain(node.first + (at(node.first).is("(") ? 1 : 0),
                 fmt::format("{} components for a {}; write one, or as many as it has", components,
                             name_of(type)));
        return;
    }
    if (!scalars || !is_cuda_type(type)) {
        key(type, fmt::format("make {}", fmt::join(widths, " ")));
    }
}

void Analyzer::make_parts(const Tree& tree, const Node& node, std::size_t open,
                          std::string_view row) {
    const ValueType type = node.type.value;
    make(tree, node, type);
    // A call's arguments are evaluated in any order, the parts of a braced list in their own.
    const bool in_order = node.parts.size() > 1 && effects_.in(open + 1, node.last);
    if (in_order) key(type, "ordered");
    const RowList rows = by(in_order ? "(T4)(n++, n++, $, $)" : row);
    const std::string name = in_order ? "ordered_" + cuda_name(type) : maker_of(type);
    const std::string_view bracket = in_order ? "{" : "(";
    if (node.first == open) {
        instead(open, fmt::format("{}{}", name, bracket), rows);
    } else {
        instead(node.first, name, rows);
        if (!at(open).is(bracket)) instead(open, bracket, rows);
    }
    if (in_order || !at(node.last).is(")")) instead(node.last, in_order ? "}.made" : ")", rows);
    if (at(node.last - 1).is(",")) instead(node.last - 1, "", rows);
}

void Analyzer::visit_cast(const Tree& tree, const Node& node) {
    const Node& what = part(tree, node, 0);
    if (!node.type.known() && node.type.pointers == 0) {
        leave_open(node.first,
                   "macros or #if decide the type of a cast; run the preprocessor first "
                   "(--expand)");
    }
    if (node.type.is_vector() && !what.type.is_vector()) {
        prelude_.mention(node.type.value);
        leave_out(node.first, node.operator_token, by(spread));
        need_type(tree, what, "whether it fills all components of a vector");
        keep_binding(tree, node, false);
        splat(what, node.type.value, spread);
    }
    visit(tree, node.parts[0]);
}

void Analyzer::visit_literal(const Tree& tree, const Node& node) {
    const ValueType type = node.type.value;
    prelude_.mention(type);
    if (!type.known()) {
        leave_open(
            node.first,
            "several values behind a type that macros or #if decide: a vector or the last of "
            "them; run the preprocessor first (--expand)");
        return;
    }
    if (node.parts.empty()) {
        complain(node.first, "a vector literal without components; write them");
        return;
    }
    // One scalar gives all components.
    const bool one = node.parts.size() == 1;
    const Type& first = part(tree, node, 0).type;
    if (one) need_type(tree, part(tree, node, 0), "whether it fills all components of a vector");
    const bool spreads = one && !first.is_vector();
    const std::string_view row = spreads           ? type.width == 2 ? "(T2)($)" : "(T4)($)"
                                 : type.width == 2 ? "(T2)($, $)"
                                                   : "(T4)($, $, $, $)";
    const RowList rows = by(row);
    leave_out(node.first, node.operator_token, rows);
    if (place_ == Place::data) {
        key(name_of(type));
        if (spreads) {
            instead(node.second, "", rows);
            instead(node.last, "", rows);
            splat(part(tree, node, 0), type, row);
        } else {
            instead(node.first, cuda_name(type), rows);
            instead(node.second, "{", rows);
            instead(node.last, "}", rows);
        }
    } else if (spreads) {
        key(type, "splat");
        instead(node.first, fmt::format("splat_{}", cuda_name(type)), rows);
    } else if (one && first.is_vector()) {
        instead(node.first, cuda_name(type), rows);
        key(name_of(type));
    } else {
        make_parts(tree, node, node.second, row);
    }
    if (one && at(node.second).is("{") && place_ != Place::data) {
        instead(node.second, "(", rows);
        instead(node.last, ")", rows);
        if (at(node.last - 1).is(",")) instead(node.last - 1, "", rows);
    }
    for (const int component : node.parts) visit(tree, component);
}

void Analyzer::visit_braces(const Tree& tree, const Node& node) {
    order_parts(tree, node);
    // `{"abc"}` for an array of characters is `"abc"`.
    if (node.parts.size() == 1 && node.type.pointers > 0 &&
        part(tree, node, 0).kind == Node::Kind::text && part(tree, node, 0).wanted == node.type) {
        leave_out(node.first, node.first, by("char s[1] = \"a\""));
        for (std::size_t i = part(tree, node, 0).last + 1; i <= node.last; ++i) {
            instead(i, "", by("char s[1] = \"a\""));
        }
    }
    const bool plain = at(node.last - 1).is("{");
    if (node.type.is_vector() && !plain) {
        const bool scalars = std::ranges::all_of(
            parts(tree, node), [](const Node& one) { return one.type.is_scalar(); });
        // Fewer numbers than components leave the rest 0, which C++ does as well.
        const bool whole = node.parts.size() == node.type.value.width;
        if (place_ != Place::data && (whole || !scalars)) {
            make_parts(tree, node, node.first, "T4 v = {$, $, $, $}");
        }
    }
    for (const int one : node.parts) visit(tree, one);
}

bool Analyzer::is_repeatable(const Tree& tree, const Node& node) const {
    if (node.kind == Node::Kind::assign || node.kind == Node::Kind::postfix) return false;
    if (node.kind == Node::Kind::call && !at(node.first).text.starts_with("get_")) return false;
    if (node.kind == Node::Kind::prefix && at(node.operator_token).text.size() == 2) return false;
    return std::ranges::all_of(parts(tree, node),
                               [&](const Node& one) { return is_repeatable(tree, one); });
}

std::optional<Analyzer::Selection> Analyzer::selection(const Tree& tree, const Node& member) const {
    Selection found;
    const Node& base = part(tree, member, 0);
    found.base = &base;
    found.arrow = at(member.operator_token - 1).is("->");
    found.of = found.arrow ? base.type.pointee() : base.type;
    if (!found.of.is_vector()) return {};
    found.name = at(member.operator_token).text;
    const auto components = components_of(found.name, found.of.value.width);
    if (!components) return {};
    found.components = *components;
    if (base.kind != Node::Kind::member || found.arrow) return found;
    const auto inner = selection(tree, base);
    if (!inner || inner->components.size() < 2) return found;
    Selection whole = *inner;
    whole.components.clear();
    whole.name = "s";
    for (const char i : found.components) {
        const std::size_t which = static_cast<unsigned char>(i);
        if (which >= inner->components.size()) return {};
        const char component = inner->components[which];
        whole.components += component;
        whole.name += "0123456789abcdef"[static_cast<unsigned char>(component)];
    }
    return whole;
}

bool Analyzer::selects_unknown(const Tree& tree, const Node& node) const {
    const Type& base = part(tree, node, 0).type;
    const std::string_view name = at(node.operator_token).text;
    if ((at(node.operator_token - 1).is("->") ? base.pointee() : base).known() ||
        parser_.is_member(name)) {
        return false;
    }
    // x, y, z and w have the same names in CUDA; for others the prelude has a function.
    if (name == "x" || name == "y" || name == "z" || name == "w") return false;
    return components_of(name, 0) || name == "lo" || name == "hi" || name == "even" ||
           name == "odd";
}

bool Analyzer::visit_member(const Tree& tree, const Node& node) {
    const Node& base = part(tree, node, 0);
    const std::size_t dot = node.operator_token - 1;
    const bool arrow = at(dot).is("->");
    const std::string_view name = at(node.operator_token).text;
    const Type of = arrow ? base.type.pointee() : base.type;
    if (of.record != 0) return false;
    if (of.is_vector()) {
        const auto selected = selection(tree, node);
        if (!selected) {
            complain(node.operator_token, fmt::format("no component of {}", name_of(of.value)));
            return false;
        }
        const Node& vector = *selected->base;
        if (selected->components.size() == 1) {
            const unsigned which = static_cast<unsigned char>(selected->components.front());
            const MappingRule* numbered = Patterns::find(fmt::format(".s{}", which));
            const RowList rows = numbered ? RowList{numbered} : by("T4.xz");
            leave_out(vector.last + 1, node.operator_token, {});
            instead(vector.last + 1, selected->arrow ? "->" : ".", {});
            const std::string component = component_name(selected->of.value, which);
            instead(node.operator_token, component, component == name ? RowList{} : rows);
            // `v.hi.xy` becomes the name of the two components in `v`.
            for (std::size_t i = vector.last + 2; i < node.operator_token; ++i)
                instead(i, "", rows);
            visit_place(tree, vector);
        } else if (!read_components(node, *selected)) {
            visit_node(tree, vector);
        }
        return true;
    }
    if (!selects_unknown(tree, node)) return false;
    key(fmt::format("swizzle {}", name));
    prelude_.key_for_all(fmt::format("swizzle {}", name));
    const RowList rows = by("T4.xz");
    before(node.first, fmt::format("swizzle_{}({}", name, arrow ? "*" : ""), rows);
    instead(dot, "", rows);
    instead(node.operator_token, ")", rows);
    return false;
}

bool Analyzer::read_components(const Node& node, const Selection& selected) {
    const ValueType of = selected.of.value;
    const ValueType type{of.element, static_cast<unsigned>(selected.components.size())};
    const Node& base = *selected.base;
    prelude_.mention(type);
    const RowList rows = by("T4.xz");
    leave_out(base.last + 1, node.operator_token, rows);
    if (base.kind != Node::Kind::name || selected.arrow || of.width > 4 || type.width > 4) {
        key(of, fmt::format("swizzle {}", selected.name));
        const bool loads = selected.arrow && is_volatile_class(selected.of) &&
                           copies_volatile(selected.of, node.first);
        before(node.first,
               fmt::format("swizzle_{}({}{}", selected.name, loads ? "volatile_load(" : "",
                           selected.arrow ? "*" : ""),
               rows);
        instead(node.operator_token, loads ? "))" : ")", rows);
        return false;
    }
    std::vector<std::string> parts;
    std::string ones = "make";
    for (const char i : selected.components) {
        // The fourth of three components has no value.
        const unsigned which = static_cast<unsigned char>(i);
        parts.push_back(which >= of.width
                            ? "0"
                            : fmt::format("{}.{}", declared_.own_word(at(base.first).text),
                                          component_name(of, which)));
        ones += " 1";
    }
    if (!is_cuda_type(type)) key(type, ones);
    instead(base.first, fmt::format("{}({})", maker_of(type), fmt::join(parts, ", ")), rows);
    return true;
}

void Analyzer::check_place(const Tree& tree, const Node& changed) {
    const Node* node = &changed;
    for (; node->kind != Node::Kind::name && !node->parts.empty(); node = &part(tree, *node, 0)) {
        if (node->kind != Node::Kind::member) continue;
        const bool arrow = at(node->operator_token - 1).is("->");
        const int record = part(tree, *node, 0).type.record;
        if (record != 0 && parser_.is_packed(record)) {
            return complain(node->operator_token,
                            "a member of a packed struct, changed where it is; copy it to a "
                            "variable, change that, and copy it back");
        }
        if (arrow) return;
    }
}

void Analyzer::assign_components(const Tree& tree, const Node& node, const Node& left) {
    const Selection selected = selection(tree, left).value();
    const Node& base = *selected.base;
    const std::string_view name = selected.name;
    const std::string_view operation = at(node.operator_token).text;
    const ValueType of = selected.of.value;
    const std::string_view star = selected.arrow ? "*" : "";
    if (node.first != left.first) {
        complain(left.operator_token,
                 "components in parentheses are assigned to; remove the parentheses");
        return;
    }
    check_place(tree, base);
    const bool is_volatile = is_volatile_class(selected.of);
    key(of, fmt::format("set {}{}", name, is_volatile ? " volatile" : ""));
    const std::string call = fmt::format("set_{}({}", name, star);
    RowList rows = by("T4.xz = T2");
    if (operation == "=") {
        before(node.first, call, rows);
        leave_out(base.last + 1, left.operator_token, rows);
        instead(node.operator_token, ",", rows);
        after(node.last, ")", rows);
        visit_place(tree, base);
        visit(tree, node.parts[1]);
        return;
    }
    if (!is_repeatable(tree, base)) {
        complain(node.operator_token,
                 "components of something that a call or assignment finds; assign it to a pointer "
                 "first");
        return;
    }
    const std::string_view plain = operation.substr(0, operation.size() - 1);
    key(of, fmt::format("swizzle {}", name));
    key(left.type.value, plain);
    // The base is written twice: once as the target, once as the value read.
    const bool loads = is_volatile && copies_volatile(selected.of, left.operator_token);
    before(node.first, call, rows);
    leave_out(base.last + 1, left.operator_token, rows);
    instead(node.operator_token,
            fmt::format(", swizzle_{}({}{}{}{}) {} (", name, loads ? "volatile_load(" : "", star,
                        TokenEdit::quote_mark, loads ? ")" : "", plain),
            rows);
    edits_->quote(node.operator_token, base.first, base.last + 1);
    after(node.last, "))", rows);
    visit_place(tree, base);
    visit(tree, node.parts[1]);
}

bool Analyzer::step_components(const Tree& tree, const Node& node) {
    const Node& what = part(tree, node, 0);
    const Node* member = &inside(tree, what);
    if (member->kind != Node::Kind::member) return false;
    if (!member->type.known() && selects_unknown(tree, *member)) {
        complain(member->operator_token,
                 "components of something whose type is not known are counted up or down; run the "
                 "preprocessor first (--expand), or do so one by one");
    }
    const auto selected = member->type.is_vector() ? selection(tree, *member) : std::nullopt;
    if (!selected) return false;
    if (member != &what) {
        complain(member->operator_token,
                 "components in parentheses are changed; remove the parentheses");
        return true;
    }
    const Node& base = *selected->base;
    check_place(tree, base);
    const bool up = at(node.operator_token).is("++"), after = node.kind == Node::Kind::postfix;
    key(selected->of.value, fmt::format("{} {}{}", at(node.operator_token).text, selected->name,
                                        is_volatile_class(selected->of) ? " volatile" : ""));
    const RowList rows = by("T4.xz++");
    const std::string call =
        fmt::format("{}{}_{}({}", up ? "increment" : "decrement", after ? "_after" : "",
                    selected->name, selected->arrow ? "*" : "");
    if (after) {
        before(node.first, call, rows);
    } else {
        instead(node.operator_token, call, rows);
    }
    leave_out(base.last + 1, node.last, rows);
    instead(node.last, ")", rows);
    visit_place(tree, base);
    return true;
}

std::string_view Analyzer::filler(const Type& whole) {
    const bool numbers = whole.pointers == 1 && whole.value.known() && !whole.value.is_vector();
    return numbers ? "0" : "{}";
}

void Analyzer::order_parts(const Tree& tree, const Node& node) {
    const auto named = std::ranges::find_if(node.named, [](std::size_t i) { return i != 0; });
    if (named == node.named.end()) return;
    const RowList rows = by("{.name = $}");
    std::map<int, ParameterRange> places;
    bool in_order = true;
    for (std::size_t p = 0; p < node.parts.size(); ++p) {
        const int place = node.places[p];
        if (place < 0 || place > most_elements) {
            return complain(*named,
                            "a place in an initializer that is not known here, or has several "
                            "steps; write the parts in order, each with its own braces");
        }
        if (node.type.record != 0 && node.type.pointers == 0 && place > 0 &&
            parser_.is_union(node.type.record)) {
            return complain(*named,
                            "a member of a union that is not its first one, which C++ does not "
                            "initialize; assign it behind the declaration");
        }
        in_order = in_order && (places.empty() || place > places.rbegin()->first);
        const Node& one = part(tree, node, p);
        places[place] = {one.first, one.last + 1};
    }
    int next = 0;
    for (std::size_t p = 0; p < node.parts.size(); ++p) {
        const Node& one = part(tree, node, p);
        if (node.named[p] != 0) leave_out(node.named[p], one.first - 1, rows);
        if (!in_order) continue;
        std::string gap;
        for (; next < node.places[p]; ++next) gap += fmt::format("{}, ", filler(node.type));
        if (!gap.empty()) before(one.first, gap, rows);
        ++next;
    }
    if (in_order || place_ == Place::use) return;
    Reordered& made = made_.reordered[node.kind == Node::Kind::compound ? node.second : node.first];
    made.filler = filler(node.type);
    for (const auto& [place, range] : places) {
        made.parts.resize(static_cast<std::size_t>(place) + 1);
        made.parts.back() = range;
    }
}

}  // namespace parallax

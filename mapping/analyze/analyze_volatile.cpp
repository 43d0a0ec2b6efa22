// Copies volatile vectors and structs member by member, since C++ cannot copy them whole.
#include "mapping/analyze/analyzer.hpp"

namespace parallax {

bool Analyzer::is_volatile_class(const Type& type) {
    return type.is_volatile && type.pointers == 0 &&
           (type.record > 0 || type.is_vector() || type.value.element == "half");
}

bool Analyzer::copies_volatile(const Type& type, std::size_t i) {
    key("volatile_load");
    if (type.record == 0) {
        key(type.value, "volatile_copy");
        return true;
    }
    if (made_.volatile_copies.contains(type.record)) return true;
    const std::size_t end = parser_.end_of(type.record);
    // Its copy functions are written after the declaration whose first braces are its own.
    bool at_file_scope = false;
    for (const Item& item : outline_.items) {
        if (item.is_function() || end < item.first || end > item.last) continue;
        std::size_t open = item.first;
        while (!at(open).is("{")) ++open;
        at_file_scope = outline_.match[open] == end;
    }
    const auto members = parser_.copied_members(type.record);
    bool known = at_file_scope && !members.empty() && !parser_.record_name(type.record).empty();
    for (const auto& [name, member] : members) {
        const bool is_pointer = member.pointers > 0 && !parser_.is_array(type.record, name);
        const Type one{member.value, member.record};
        if (!known || is_pointer || (one.is_scalar() && one.value.element != "half")) continue;
        // C++ cannot copy a member that is itself volatile.
        known = one.known() && !member.is_volatile && copies_volatile(one, i);
    }
    if (known) {
        made_.volatile_copies.insert(type.record);
    } else {
        complain(i,
                 "a copy of a volatile struct or union whose members are not known one by one; "
                 "copy those that are needed, each by itself");
    }
    return known;
}

void Analyzer::load_volatile(const Node& node) {
    if (!is_volatile_class(node.type) || node.kind == Node::Kind::group) return;
    if (!copies_volatile(node.type, node.first)) return;
    enclose(node, "volatile_load(", ")", "volatile T4");
}

void Analyzer::store_volatile(const Node& node, const Type& left) {
    if (!copies_volatile(left, node.operator_token)) return;
    enclose(node, "volatile_store(", ")", "volatile T4");
    instead(node.operator_token, ",", by("volatile T4"));
}

void Analyzer::check_volatile_arguments(const Tree& tree, const Node& call) {
    for (const Node& one : parts(tree, call)) {
        Type type = one.type;
        type.pointers = 0;
        if (!is_volatile_class(type)) continue;
        for (const Directive* define : declared_.macros.at(at(call.first).text)) {
            if (open_.read.contains(define->body)) continue;
            return complain(call.first,
                            "a macro that is no expression and gets a volatile vector or struct; "
                            "run the preprocessor first (--expand)");
        }
    }
}

}  // namespace parallax

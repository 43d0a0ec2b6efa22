// Finds which memory pointers and references of a function lead to.
#include "mapping/analyze/word_lists.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"

namespace parallax::from_cuda {

void FunctionWriter::find_spaces(const Node& body) {
    while (update_spaces(body)) {
    }
    is_settling_ = false;
    while (update_spaces(body)) {
    }
    // A function that gives back a pointer.
    const auto visit = [&](const Node& node, const auto& again) -> void {
        if (node.is("ReturnStmt") && !node.parts.empty()) {
            const auto type = whole_.type_of(node.parts[0].type);
            if (gives_reference_) {
                result_ = join(result_, place_of(node.parts[0]), node.begin);
            } else if (type && type->is_pointer()) {
                result_ = join(result_, pointed(node.parts[0]), node.begin);
            }
        }
        for (const Node& one : node.parts) again(one, again);
    };
    visit(body, visit);
}

Space FunctionWriter::join(Space a, Space b, std::size_t at) {
    if (a == Space::none || a == b) return b;
    if (b == Space::none) return a;
    whole_.complain(at, function_.name,
                    "a pointer leads to two kinds of memory (global, shared, constant, or the "
                    "thread's own), and OpenCL C has one type for each; use two pointers");
    return a;
}

bool FunctionWriter::merge(const std::string& id, Space space, std::size_t at) {
    Known& known = known_[id];
    if (space == Space::none || known.space == space) return false;
    const Space before = known.space;
    known.space = join(known.space, space, at);
    return known.space != before;
}

const Node* FunctionWriter::root_variable(const Node& expression) const {
    const Node* one = &bare(expression);
    while (one->is("ArraySubscriptExpr")) one = &bare(one->parts[0]);
    return one->is("DeclRefExpr") ? one : nullptr;
}

/// One pass over declarations and assignments. @returns whether something new was found
bool FunctionWriter::update_spaces(const Node& node) {
    bool found = false;
    const bool is_variable = node.is("VarDecl") || node.is("DecompositionDecl");
    if (is_variable && !whole_.memory(node.id)) {
        const auto type = whole_.type_of(node.type);
        const Node* value = node.initial_value();
        if (type && whole_.is_empty(*type)) {
            // Nothing is left of it.
        } else if (type && value && type->is_reference()) {
            known_[node.id].is_reference = true;
            found = merge(node.id, place_of(*value), node.begin);
        } else if (type && value && type->is_array() && type->holds_pointers()) {
            for (const Node& one : value->parts) {
                found = merge(node.id, pointed(one), node.begin) || found;
            }
        } else if (type && value && type->is_pointer()) {
            found = merge(node.id, pointed(*value), node.begin);
        }
    } else if (node.is("BinaryOperator") && node.operation == "=") {
        const auto type = whole_.type_of(node.parts[0].type);
        const Node* variable = root_variable(node.parts[0]);
        if (type && type->is_pointer() && variable && !whole_.memory(variable->refers)) {
            found = merge(variable->refers, pointed(node.parts[1]), node.begin);
        }
    }
    for (const Node& one : node.parts) found = update_spaces(one) || found;
    return found;
}

/// The address space of a pointer's target.
Space FunctionWriter::pointed(const Node& expression) {
    const Node& node = expression;
    const auto part = [&](std::size_t i) -> const Node& { return node.parts.at(i); };
    if (node.kind.ends_with("CastExpr") || node.is("CXXFunctionalCastExpr")) {
        if (node.operation == "NullToPointer") return Space::none;
        if (node.operation == "ArrayToPointerDecay") {
            return place_of(part(0));
        }
        return pointed(node.parts.back());
    }
    if (is_one_of(node.kind,
                  {"ParenExpr", "ExprWithCleanups", "ConstantExpr", "MaterializeTemporaryExpr"})) {
        return pointed(node.parts.back());
    }
    if (node.is("DeclRefExpr")) {
        const auto found = known_.find(node.refers);
        return found == known_.end() ? Space::none : found->second.space;
    }
    if (node.is("MemberExpr") && unfolded_.contains(bare(node.parts.at(0)).refers))
        return Space::global;
    if (node.is("ArraySubscriptExpr") || node.is("MemberExpr")) {
        const Node* variable = root_variable(node);
        const auto found = variable ? known_.find(variable->refers) : known_.end();
        return found == known_.end() ? Space::none : found->second.space;
    }
    if (node.is("UnaryOperator")) {
        return node.operation == "&" ? place_of(part(0)) : pointed(part(0));
    }
    if (node.is("BinaryOperator") || node.is("CompoundAssignOperator")) {
        if (is_one_of(node.operation, {",", "="})) return pointed(part(1));
        const auto left = whole_.type_of(part(0).type);
        return left && (left->is_pointer() || left->is_array()) ? pointed(part(0))
                                                                : pointed(part(1));
    }
    if (node.is("ConditionalOperator")) return join(pointed(part(1)), pointed(part(2)), node.begin);
    if (node.is("StringLiteral")) return Space::constant;
    if (is_one_of(node.kind, {"CallExpr", "CXXOperatorCallExpr", "CXXMemberCallExpr"}))
        return called(node);
    return Space::none;
}

/// The address space of the pointer or reference that a function returns.
Space FunctionWriter::called(const Node& node) {
    const Node* function = whole_.definition(bare(node.parts.at(0)).refers);
    if (!function) return Space::own;
    is_open_ = false;
    const std::vector<Passed> passed = passed_to(node, *function, 1);
    // The next pass may know more.
    if (is_open_ && is_settling_) return Space::none;
    return whole_.instance(*function, passed, node.begin).result;
}

/// The address space of an lvalue.
Space FunctionWriter::place_of(const Node& expression) {
    const Node& node = expression;
    if (is_one_of(node.kind, {"ParenExpr", "ImplicitCastExpr", "ExprWithCleanups"}) &&
        !node.parts.empty()) {
        return place_of(node.parts[0]);
    }
    if (node.is("DeclRefExpr")) {
        if (const Memory* memory = whole_.memory(node.refers))
            return memory->is_by_value ? Space::own : memory->space;
        if (whole_.is_at_file_scope(node.refers)) return Space::constant;
        if (const Node* meant = bound_to(node)) return place_of(*meant);
        const auto found = known_.find(node.refers);
        const bool is_reference = found != known_.end() && found->second.is_reference;
        return is_reference ? found->second.space : Space::own;
    }
    if (node.is("MemberExpr")) {
        return node.is_arrow ? pointed(node.parts[0]) : place_of(node.parts[0]);
    }
    if (node.is("ArraySubscriptExpr")) {
        // `2[array]`. An array's type is not told from its name alone: clang writes some otherwise.
        const auto first = whole_.type_of(node.parts[0].type);
        return pointed(node.parts[first && first->layers.empty() ? 1 : 0]);
    }
    if (node.is("UnaryOperator") && node.operation == "*") return pointed(node.parts[0]);
    if (node.is("UnaryOperator")) return place_of(node.parts[0]);
    if (node.is("ConditionalOperator")) {
        return join(place_of(node.parts[1]), place_of(node.parts[2]), node.begin);
    }
    if (node.is("BinaryOperator") && node.operation == "=") return place_of(node.parts[0]);
    if (is_one_of(node.kind, {"CallExpr", "CXXOperatorCallExpr", "CXXMemberCallExpr"}))
        return called(node);
    return Space::own;
}

}  // namespace parallax::from_cuda

// Writes statements and expressions in OpenCL C; what is not known is refused.
#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/characters.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"

namespace parallax::from_cuda {
namespace {

using Layer = CudaType::Layer;

/// An expression that is copied, with its parts translated.
bool is_copied(const Node& node) {
    static const std::set<std::string_view> kinds{"CompoundStmt",       "ForStmt",
                                                  "WhileStmt",          "DoStmt",
                                                  "ReturnStmt",         "BreakStmt",
                                                  "ContinueStmt",       "SwitchStmt",
                                                  "CaseStmt",           "DefaultStmt",
                                                  "NullStmt",           "AttributedStmt",
                                                  "ParenExpr",          "CompoundAssignOperator",
                                                  "ArraySubscriptExpr", "IfStmt",
                                                  "LabelStmt",          "GotoStmt",
                                                  "ConditionalOperator"};
    return kinds.contains(node.kind);
}

/// Implicit conversions of C++ that C does not have.
bool is_passed_over(const Node& node) {
    return is_one_of(node.kind, {"ExprWithCleanups", "MaterializeTemporaryExpr", "ConstantExpr",
                                 "CXXBindTemporaryExpr", "FullExpr"});
}

bool is_cast(const Node& node) {
    return is_one_of(node.kind, {"CStyleCastExpr", "CXXStaticCastExpr", "CXXReinterpretCastExpr",
                                 "CXXConstCastExpr", "CXXFunctionalCastExpr"});
}

/// Whether parentheses are around all of it.
bool is_enclosed(std::string_view text) {
    int depth = 0;
    std::size_t close = 0;
    do {
        if (close >= text.size()) return false;
        depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
        ++close;
    } while (depth > 0);
    return close == text.size();
}

/// The name or number at this position.
std::string word_at(const std::string& text, std::size_t at) {
    std::size_t end = std::min(at, text.size());
    while (end < text.size() &&
           (is_word_character(text[end]) || text[end] == '\'' || text[end] == ':')) {
        ++end;
    }
    return text.substr(std::min(at, end), end - std::min(at, end));
}

}  // namespace

const Node& bare(const Node& node) {
    const Node* one = &node;
    while (one->parts.size() == 1 &&
           (one->is("ParenExpr") || one->is("ExprWithCleanups") || one->is("ConstantExpr") ||
            one->is("CXXBindTemporaryExpr") ||
            (one->is("ImplicitCastExpr") &&
             is_one_of(one->operation, {"LValueToRValue", "NoOp", "ArrayToPointerDecay",
                                        "FunctionToPointerDecay", "BuiltinFnToFnPtr"})))) {
        one = &one->parts[0];
    }
    return *one;
}

/// `threadIdx` of `threadIdx.x`, where it is CUDA's; null: it is something else.
const Node* FunctionWriter::place_variable(const Node& node) const {
    if (!node.is("MemberExpr") || node.parts.empty()) return nullptr;
    const Node& base = bare(node.parts[0]);
    const auto found = whole_.by_id_.find(base.refers);
    const bool is_place =
        found != whole_.by_id_.end() && whole_.tree_.is_cudas(*found->second) &&
        is_one_of(base.refers_name, {"threadIdx", "blockIdx", "blockDim", "gridDim"});
    return is_place ? &base : nullptr;
}

std::string FunctionWriter::expression(const Node& node) {
    if (is_passed_over(node)) return node.parts.empty() ? "" : render(node.parts.back());
    if (node.is("IfStmt") && node.is_constexpr && !node.has_more) {
        changes(node);
        const Node& condition = node.parts[0];
        const bool is_true = condition.value == "true" || condition.value == "1";
        const std::size_t chosen = is_true ? 1 : 2;
        const std::string made =
            chosen < node.parts.size() ? render(node.parts[chosen]) : std::string();
        // Where the statement ends with an expression, its `;` follows.
        const std::size_t next = whole_.tree_.text.find_first_not_of(" \t\r\n", end_of(node));
        const bool ends = made.ends_with('}') || made.ends_with(';') ||
                          (next != std::string::npos && whole_.tree_.text[next] == ';');
        return made.empty() ? "{}" : ends ? made : made + ";";
    }
    if (node.is("AttributedStmt") && !node.parts[0].is("LoopHintAttr")) {
        changes(node);
        return render(node.parts.back());
    }
    if (node.has_more ||
        (node.is("ForStmt") && node.parts.size() > 1 && node.parts[1].has_place())) {
        const std::string_view word = node.is("WhileStmt")    ? "while"
                                      : node.is("SwitchStmt") ? "switch"
                                      : node.is("ForStmt")    ? "for"
                                                              : "if";
        whole_.complain(node.begin, word, "a declaration within a condition; write it before");
        return {};
    }
    if (node.is("CompoundAssignOperator")) check_place(node.parts[0]);
    if (node.is("ReturnStmt") && gives_reference_ && !node.parts.empty()) {
        changes(node);
        return "return " + address(node.parts[0]);
    }
    if (is_one_of(node.kind, {"LabelStmt", "GotoStmt"})) {
        const bool is_jump = node.is("GotoStmt");
        const std::string_view word = "goto";
        const std::string name =
            is_jump ? std::string(trimmed(text(node).substr(word.size()))) : node.name;
        if (const std::string free = whole_.free_name(name); free != name) {
            changes(node);
            return is_jump ? fmt::format("{} {}", word, free)
                           : fmt::format("{}: {}", free, render(node.parts.at(0)));
        }
    }
    if (is_copied(node)) return copy(node);
    if (node.is("DeclStmt")) return declarations(node);
    if (node.is("UnaryOperator")) {
        if (!is_one_of(node.operation, {"+", "-", "!", "~", "*", "&", "++", "--"})) {
            whole_.complain(node.begin, node.operation, "this operator is not translated");
        } else if (is_one_of(node.operation, {"&", "++", "--"})) {
            if (node.operation == "&") return address(node.parts[0]);
            check_place(node.parts[0]);
        }
        return copy(node);
    }
    if (node.is("BinaryOperator")) {
        if (is_one_of(node.operation, {".*", "->*", "<=>"})) {
            whole_.complain(node.begin, node.operation, "this operator is not translated");
        }
        if (node.operation == "=") check_place(node.parts[0]);
        const Node &left = node.parts[0], &right = node.parts[1];
        if (right.begin < left.end ||
            whole_.source(left.end, right.begin).find("...") != std::string::npos) {
            if (node.is_of_macro) return copy(node);
            changes(node);
            return fmt::format("({} {} {})", render(left), node.operation, render(right));
        }
        const std::string index = node.operation == "+" ? global_index(node) : "";
        return index.empty() ? copy(node) : index;
    }
    if (node.is("ImplicitCastExpr")) {
        const Node& inner = node.parts[0];
        if (is_one_of(node.operation, {"FloatingToBoolean", "PointerToBoolean"})) {
            changes(node);
            return bare(inner).is("StringLiteral") ? "1" : fmt::format("({} != 0)", render(inner));
        }
        static const std::set<std::string_view> silent{
            "LValueToRValue",       "NoOp",         "ArrayToPointerDecay", "IntegralCast",
            "IntegralToFloating",   "FloatingCast", "FloatingToIntegral",  "IntegralToBoolean",
            "NullToPointer",        "BitCast",      "BuiltinFnToFnPtr",    "ToVoid",
            "UserDefinedConversion"};
        if (!silent.contains(node.operation)) {
            whole_.complain(node.begin, text(node),
                            fmt::format("a conversion ({}) that OpenCL C has not; write it out",
                                        node.operation));
            return {};
        }
        return render(inner);
    }
    if (is_cast(node)) return cast(node);
    if (node.is("DeclRefExpr")) return name_of(node);
    if (node.is("MemberExpr")) return member(node);
    if (is_one_of(node.kind, {"IntegerLiteral", "FloatingLiteral", "CharacterLiteral",
                              "CXXBoolLiteralExpr"})) {
        return literal(node);
    }
    if (node.is("BuiltinBitCastExpr")) {
        changes(node);
        if (const ReverseRow* row = whole_.rows_.word(text(node))) return row->opencl;
        const std::string name = whole_.base_name(whole_.known_type(node), node.begin);
        return fmt::format("as_{}({})", name, argument(node.parts.at(0)));
    }
    if (is_one_of(node.kind, {"CXXNullPtrLiteralExpr", "GNUNullExpr"})) {
        changes(node);
        whole_.apply("NULL", node.begin);
        return "0";
    }
    if (node.is("SubstNonTypeTemplateParmExpr")) {
        changes(node);
        const Node& value = node.parts.back();
        // A scoped enum needs a cast.
        const Node* literal = &value;
        while (literal->value.empty() && !literal->is("UnaryOperator") && !literal->parts.empty()) {
            literal = &literal->parts[0];
        }
        std::string number =
            literal->is("UnaryOperator") ? "-" + literal->parts.at(0).value : literal->value;
        const auto type = whole_.type_of(value.type);
        // C has no literal of the least number.
        if (number == "-2147483648") number = "-2147483647 - 1";
        if (number == "-9223372036854775808") number = "(-9223372036854775807 - 1)";
        if (number.size() >= 19 && number[0] != '-' && number[0] != '(') number += 'u';
        if (type && !is_one_of(type->base, {"int", "bool"})) {
            return fmt::format("(({}){})", whole_.base_name(*type, node.begin), number);
        }
        return number.starts_with('-') ? "(" + number + ")" : number;
    }
    if (node.is("InitListExpr")) return braces(node, false);
    if (node.is("CXXTemporaryObjectExpr") && node.parts.empty()) {
        const Node* record = whole_.record(whole_.known_type(node));
        if (record && record->has_plain_start) return braces(node, false);
    }
    if (node.is("ImplicitValueInitExpr") || node.is("CXXScalarValueInitExpr")) {
        changes(node);
        return fmt::format("(({})0)", whole_.base_name(whole_.known_type(node), node.begin));
    }
    if (node.is("UnaryExprOrTypeTraitExpr")) return size(node);
    if (node.is("SizeOfPackExpr")) {
        // Where there is one pack, all that expand it have its size. A method's may be its class's.
        const Node* pack = nullptr;
        std::size_t packs = 0;
        for (const Node& one : function_.parts) {
            const bool is_pack =
                one.is("TemplateArgument") && one.value.empty() && one.type.empty();
            packs += is_pack ? 1 : 0;
            pack = is_pack ? &one : pack;
        }
        if (packs == 1 && !function_.is("CXXMethodDecl")) {
            changes(node);
            return fmt::format("{}ul", pack->parts.size());
        }
    }
    if (node.is("CXXConstructExpr")) {
        const CudaType type = whole_.known_type(node);
        const Node* record = whole_.record(type.element());
        const bool copies =
            node.parts.size() == 1 && whole_.record(whole_.known_type(node.parts[0])) == record;
        if (record && copies && record->is_plain) return render(node.parts[0]);
        if (record && node.parts.empty() && record->has_plain_start) return {};
        whole_.complain(node.begin, type.base,
                        "its constructor has code to run; write a struct of data, and a function "
                        "that sets it");
        return {};
    }
    if (node.is("CallExpr")) return call(node, 1);
    if (node.is("CXXMemberCallExpr")) return member_call(node);
    if (node.is("CXXOperatorCallExpr")) {
        const Node& callee = bare(node.parts[0]);
        // A struct's own assignment.
        if (callee.refers_kind == "CXXMethodDecl" && callee.refers_name == "operator=") {
            const Node* record = whole_.record(whole_.known_type(node.parts[1]));
            if (record && record->is_plain) {
                changes(node);
                check_place(node.parts[1]);
                return fmt::format("{} = {}", render(node.parts[1]), render(node.parts[2]));
            }
        }
        if (callee.refers_kind == "FunctionDecl") return call(node, 1);
    }
    if (node.is("GCCAsmStmt") && whole_.tree_.dialect == Dialect::nvidia) return assembly(node);
    if (is_one_of(node.kind,
                  {"GCCAsmStmt", "CUDAKernelCallExpr", "LambdaExpr", "CXXNewExpr", "CXXDeleteExpr",
                   "CXXThrowExpr", "CXXTryStmt", "CXXThisExpr", "CXXOperatorCallExpr"})) {
        const std::string_view word = node.is("GCCAsmStmt")           ? "asm"
                                      : node.is("CUDAKernelCallExpr") ? "<<<>>>"
                                                                      : "lambda";
        whole_.complain(node.begin, text(node).substr(0, text(node).find('\n')),
                        *whole_.rows_.refusal(word));
        return {};
    }
    if (node.is("ArrayInitLoopExpr")) {
        whole_.complain(node.begin, text(node), "a copy of an array; copy its elements one by one");
        return {};
    }
    whole_.complain(node.begin, text(node).substr(0, text(node).find('\n')),
                    fmt::format("no rule for it (clang's {}); write it in plain C", node.kind));
    return {};
}

/// Inline PTX. A pointer to __shared__ memory, or to the thread's own, is another number there.
std::string FunctionWriter::assembly(const Node& node) {
    for (const Node& one : node.parts) {
        const CudaType type = whole_.known_type(one);
        const bool is_global = type.is_pointer() && pointed(one) == Space::global;
        if ((type.is_pointer() || type.is_array()) && !is_global) {
            whole_.complain(one.begin, text(one),
                            "inline PTX gets a generic address of CUDA, and OpenCL C's is that of "
                            "its kind of memory; give it a pointer to global memory, or a number");
        }
    }
    return copy(node);
}

/// C accepts fewer lvalues than C++.
bool FunctionWriter::is_place(const Node& node) {
    const Node& place = bare(node);
    // A call gives back a reference, which is written as a pointer.
    const bool is_call = (place.is("CallExpr") || place.is("CXXOperatorCallExpr")) &&
                         bare(place.parts[0]).refers_kind == "FunctionDecl";
    return is_one_of(place.kind, {"DeclRefExpr", "MemberExpr", "ArraySubscriptExpr"}) ||
           (is_call && place.is_lvalue) || (place.is("UnaryOperator") && place.operation == "*") ||
           (place.is("CXXReinterpretCastExpr") || place.is("CStyleCastExpr"));
}

/// The variable that an assignment, `++` or `--` changes and returns; null: another expression.
const Node* FunctionWriter::changed_by(const Node& node) {
    const Node* changed = assigned_by(node);
    const bool is_step =
        node.is("UnaryOperator") && is_one_of(node.operation, {"++", "--"}) && !node.is_postfix;
    if (is_step) changed = &node.parts[0];
    return changed && bare(*changed).is("DeclRefExpr") ? changed : nullptr;
}

void FunctionWriter::check_place(const Node& node) {
    const Node& place = bare(node);
    const bool has_address =
        place.is_lvalue && (changed_by(place) || place.is("ConditionalOperator"));
    if (!is_place(node) && !has_address) {
        whole_.complain(place.begin, text(place),
                        "no place to be changed in C; write two statements");
    }
}

/// The member or element that a name of a structured binding refers to; null: it is no such name.
const Node* FunctionWriter::bound_to(const Node& node) const {
    const auto found = whole_.by_id_.find(node.refers);
    if (found == whole_.by_id_.end() || !found->second->is("BindingDecl")) return nullptr;
    for (const Node& one : found->second->parts) {
        const Node& meant = bare(one);
        if (meant.is("MemberExpr") || meant.is("ArraySubscriptExpr")) return &meant;
    }
    return nullptr;
}

/// The target of an assignment; null: it is none.
const Node* FunctionWriter::assigned_by(const Node& node) {
    if (node.is("CompoundAssignOperator") || (node.is("BinaryOperator") && node.operation == "="))
        return &node.parts[0];
    const bool is_copy =
        node.is("CXXOperatorCallExpr") && bare(node.parts[0]).refers_name == "operator=";
    return is_copy ? &node.parts[1] : nullptr;
}

bool FunctionWriter::is_component(const Node& node) const {
    const Node& place = bare(node);
    return place.is("MemberExpr") && !place.is_arrow && !place.parts.empty() &&
           OpenClWriter::is_vector(whole_.known_type(place.parts[0]));
}

/// A pointer to the place.
std::string FunctionWriter::address(const Node& node) {
    changes(node);
    const Node& place = bare(node);
    bool component = is_component(node);
    if (place.is("MemberExpr") && place.is_arrow) {
        const CudaType type = whole_.known_type(place.parts[0]);
        component = type.is_pointer() && OpenClWriter::is_vector(type.inner());
    }
    if (component) {
        // OpenCL C has no pointer to a component: one to the first element of the vector's bytes.
        const Node& vector = place.parts[0];
        CudaType type = whole_.known_type(place);
        type.layers.insert(type.layers.begin(), {.kind = Layer::Kind::pointer});
        return fmt::format("(({})({}) + {})",
                           whole_.declared(type, place_of(node), "", place.begin),
                           place.is_arrow ? render(vector) : address(vector),
                           std::string_view("xyzw").find(place.name));
    }
    if (place.is("ConditionalOperator") && place.is_lvalue) {
        return fmt::format("({} ? {} : {})", render(place.parts[0]), address(place.parts[1]),
                           address(place.parts[2]));
    }
    if (place.is("DeclRefExpr")) {
        const Memory* memory = whole_.memory(place.refers);
        const bool is_pointer =
            memory && memory->type.is_array() && !(is_kernel_ && !memory->is_parameter);
        if (is_pointer) {
            whole_.complain(place.begin, memory->name,
                            "the address of the whole; write that of its first element");
            return {};
        }
    }
    if (place.is("DeclRefExpr")) whole_.addressed_.insert(place.refers);
    const std::string made = render(node);
    // `(*p)` of a pointer: the pointer itself.
    if (made.starts_with("(*") && is_enclosed(made)) return made.substr(2, made.size() - 3);
    // The result of an assignment is its left side.
    if (const Node* changed = changed_by(place))
        return fmt::format("({}, {})", made, address(*changed));
    if (!is_place(node)) {
        whole_.complain(place.begin, text(place),
                        "no place to be changed in C; write two statements");
    }
    return "&" +
           (place.is("DeclRefExpr") || place.is("ArraySubscriptExpr") ? made : "(" + made + ")");
}

std::string FunctionWriter::name_of(const Node& node) {
    if (unfolded_.contains(node.refers)) {
        whole_.complain(node.begin, node.refers_name,
                        "a struct with pointers is no value in OpenCL C; pass its members");
        return {};
    }
    // Of a macro's expansion only the beginning is known.
    const std::string written = in_macro_ ? word_at(whole_.tree_.text, node.written) : text(node);
    if (const Node* meant = bound_to(node)) {
        changes(node);
        return meant->is("MemberExpr")
                   ? member(*meant)
                   : fmt::format("{}[{}]", render(meant->parts[0]), bare(meant->parts[1]).value);
    }
    if (const Memory* memory = whole_.memory(node.refers)) {
        if (memory->is_dynamic) {
            const std::string made = memory_argument(*memory);
            if (made != written) changes(node);
            return made;
        }
        const bool is_own = is_kernel_ && !memory->is_parameter;
        const bool is_pointer = !memory->type.is_array() && !memory->is_by_value && !is_own;
        const std::string made = is_pointer ? "(*" + memory->name + ")" : memory->name;
        if (made != written) changes(node);
        return made;
    }
    if (const auto found = known_.find(node.refers); found != known_.end()) {
        const std::string& name = found->second.name;
        const std::string made = found->second.is_reference ? "(*" + name + ")" : name;
        if (made != written) changes(node);
        return made;
    }
    if (node.refers_kind == "EnumConstantDecl") {
        const auto value = whole_.enumerators_.find(node.refers);
        const auto typed = whole_.enumerator_types_.find(node.refers);
        if (typed != whole_.enumerator_types_.end() && value != whole_.enumerators_.end()) {
            changes(node);
            const auto type = whole_.type_of(typed->second);
            const std::string name = type ? whole_.base_name(*type, node.begin) : "long";
            return name == "ulong" ? fmt::format("((ulong){}ul)",
                                                 static_cast<unsigned long long>(value->second))
                                   : fmt::format("(({})({}))", name, value->second);
        }
        const auto owner = whole_.enum_of_.find(node.refers);
        const bool is_named = owner != whole_.enum_of_.end() && owner->second->tag.empty();
        if (!is_named && value != whole_.enumerators_.end()) {
            changes(node);
            return fmt::format("({})", value->second);
        }
        if (is_named) {
            whole_.needed_.insert(owner->second);
            const std::string& name = whole_.name_of(*whole_.by_id_.at(node.refers));
            if (name != written) changes(node);
            return name;
        }
    }
    const auto found = whole_.by_id_.find(node.refers);
    if (found != whole_.by_id_.end() && node.refers_kind.starts_with("Var")) {
        const Node& variable = *found->second;
        if (variable.begin < whole_.tree_.source) {
            if (node.refers_name == "warpSize") {
                changes(node);
                return whole_.rows_.word("warpSize")->opencl;
            }
            whole_.complain(node.begin, node.refers_name, "write its members: .x, .y and .z");
            return {};
        }
        const auto type = whole_.known_type(variable);
        if (type.is_const || variable.is_constexpr || variable.part("CUDAConstantAttr")) {
            whole_.needed_.insert(&variable);
            const std::string& name = whole_.name_of(variable);
            if (name != written) changes(node);
            return name;
        }
    }
    whole_.complain(node.begin, text(node),
                    node.refers_kind == "FunctionDecl"
                        ? "OpenCL C has no pointers to functions; call it by its name"
                        : "a name that device code cannot use in OpenCL C; pass it");
    return {};
}

std::string FunctionWriter::member(const Node& node) {
    if (const Node* place = place_variable(node)) {
        changes(node);
        const ReverseRow* row = whole_.rows_.word(place->refers_name);
        const char axis = node.name.empty() ? 'x' : node.name[0];
        whole_.apply(*row->row, node.begin, row->row->cuda, row->opencl);
        return with_arguments(row->opencl, {std::to_string(axis - 'x')});
    }
    const Node& object = node.parts.empty() ? node : bare(node.parts[0]);
    if (object.is("CXXMemberCallExpr") || object.is("MaterializeTemporaryExpr")) {
        // `block.thread_index().x`
        const Node& call = object.is("CXXMemberCallExpr") ? object : bare(object.parts.at(0));
        const Node* callee = call.is("CXXMemberCallExpr") ? &bare(call.parts.at(0)) : nullptr;
        const bool is_of_group = callee && !callee->parts.empty();
        const std::string group =
            is_of_group ? whole_.group_of(whole_.known_type(callee->parts[0])) : "";
        const ReverseRow* row =
            group.empty() ? nullptr : whole_.rows_.word(group + "::" + callee->name);
        if (row && !node.name.empty()) {
            changes(node);
            return with_arguments(row->opencl, {std::to_string(node.name[0] - 'x')});
        }
    }
    const auto found = whole_.by_id_.find(node.refers);
    if (found != whole_.by_id_.end() && !found->second->is("FieldDecl")) {
        whole_.complain(node.begin, node.name, *whole_.rows_.refusal("this"));
        return {};
    }
    const std::string name = whole_.free_name(node.name);
    const Node& base = node.parts.at(0);
    if (const Node& variable = bare(base); unfolded_.contains(variable.refers)) {
        changes(node);
        return whole_.fresh_name(fmt::format("{}_{}", known_[variable.refers].name, node.name));
    }
    if (in_macro_ && name == node.name) return copy(node);
    changes(node);
    if (!base.has_place()) return name;
    if (assigned_by(bare(base)) && !node.is_arrow)
        return fmt::format("(*{}).{}", address(base), name);
    std::string made = render(base);
    if (made.starts_with('(') && made != text(base) && !made.starts_with("(*")) {
        made = "(" + made + ")";
    }
    return made + (node.is_arrow ? "->" : ".") + name;
}

/// `blockIdx.x * blockDim.x + threadIdx.x`; empty: something else.
std::string FunctionWriter::global_index(const Node& node) {
    const auto inner = [](const Node& one) -> const Node* {
        const Node* at = &one;
        while (at->parts.size() == 1 &&
               (at->is("ParenExpr") || at->is("ImplicitCastExpr") ||
                (at->is("CXXFunctionalCastExpr") && at->type == "unsigned long"))) {
            at = &at->parts[0];
        }
        return at;
    };
    const bool is_wide = node.type == "unsigned long";
    if (!is_wide && node.type != "unsigned int") return {};
    const auto is_type = [&](const Node& one) { return one.type == node.type; };
    for (const bool swapped : {false, true}) {
        const Node* product = inner(node.parts[swapped ? 1 : 0]);
        const Node* thread = inner(node.parts[swapped ? 0 : 1]);
        if (!product->is("BinaryOperator") || product->operation != "*" || !is_type(*product))
            continue;
        const Node* a = inner(product->parts[0]);
        const Node* b = inner(product->parts[1]);
        const Node *pa = place_variable(*a), *pb = place_variable(*b),
                   *pt = place_variable(*thread);
        if (!pa || !pb || !pt || a->name != b->name || a->name != thread->name) continue;
        const bool fits = pt->refers_name == "threadIdx" &&
                          ((pa->refers_name == "blockIdx" && pb->refers_name == "blockDim") ||
                           (pa->refers_name == "blockDim" && pb->refers_name == "blockIdx"));
        if (!fits) continue;
        changes(node);
        whole_.apply("blockIdx.$ * blockDim.$ + threadIdx.$", node.begin);
        return fmt::format("{}get_global_id({})", is_wide ? "" : "(uint)", a->name[0] - 'x');
    }
    return {};
}

/// Whether both nodes are from one use of a macro.
bool FunctionWriter::is_of_same_macro(const Node& one, const Node& other) const {
    return !in_macro_ && one.is_of_macro && other.is_of_macro && one.begin == other.begin;
}

std::string FunctionWriter::braces(const Node& node, bool is_initializer) {
    changes(node);
    const CudaType type = whole_.known_type(node);
    const std::string name = type.layers.empty() ? whole_.base_name(type, node.begin) : "";
    std::vector<std::string> parts;
    for (const Node& one : node.parts) {
        if (&one != &node.parts.front() && is_of_same_macro(one, *(&one - 1))) continue;
        if (one.is("ImplicitValueInitExpr")) {
            const CudaType own = whole_.known_type(one);
            parts.push_back(own.is_array() || whole_.record(own) ? "{0}" : "0");
        } else if (one.is("InitListExpr") && !OpenClWriter::is_vector(whole_.known_type(one))) {
            const CudaType own = whole_.known_type(one);
            parts.push_back(own.is_array() || whole_.record(own) ? braces(one, true)
                            : one.parts.empty()                  ? "0"
                                                                 : render(one.parts[0]));
        } else {
            parts.push_back(render(one));
        }
    }
    if (OpenClWriter::is_vector(type)) {
        if (parts.empty()) return fmt::format("({})(0)", name);
        return fmt::format("({})({})", name, fmt::join(parts, ", "));
    }
    const Node* record = whole_.record(type);
    if (record && !record->has_plain_start) {
        whole_.complain(node.begin, type.base,
                        "a struct whose members have values of their own; "
                        "give all of them where it is made");
    }
    const std::string made =
        fmt::format("{{{}}}", parts.empty() ? "0" : fmt::format("{}", fmt::join(parts, ", ")));
    return is_initializer || type.is_array() ? made : fmt::format("({}){}", name, made);
}

std::string FunctionWriter::cast(const Node& node) {
    if (node.is("CStyleCastExpr") && in_macro_) {
        // `(float)x` of types that are called the same.
        const auto type = whole_.type_of(node.type);
        const std::string name = type ? whole_.base_name(*type, node.begin) : "";
        const std::string& all = whole_.tree_.text;
        const std::size_t begin =
            node.written == Node::nowhere ? all.npos : all.find_first_not_of("( ", node.written);
        if (!type || !type->layers.empty() || name != type->base || begin == all.npos ||
            all.compare(begin, name.size() + 1, name + ")") != 0) {
            changes(node);
        }
        render(node.parts[0]);
        return {};
    }
    changes(node);
    const Node& inner = node.parts.back();
    CudaType type = whole_.known_type(node);
    if (type.base.empty()) return {};
    if (is_one_of(node.operation, {"IntegralToPointer", "UserDefinedConversion", "Dynamic"})) {
        whole_.complain(node.begin, text(node),
                        "a pointer of a number, whose memory is not known; pass a pointer");
        return {};
    }
    if (node.operation == "LValueBitCast" ||
        (node.is_lvalue && node.is("CXXReinterpretCastExpr"))) {
        type.layers.insert(type.layers.begin(), {.kind = Layer::Kind::pointer});
        return fmt::format("(*({})({}))", whole_.declared(type, place_of(inner), "", node.begin),
                           address(inner));
    }
    if (inner.is("InitListExpr") && node.is("CXXFunctionalCastExpr")) return render(inner);
    if (node.operation == "ConstructorConversion" || type.is_array() || type.is_reference()) {
        return render(inner);
    }
    // A work-item's number is a size_t already.
    if (type.layers.empty() && type.base == "unsigned long") {
        const Node* number = &bare(inner);
        if (number->is("ImplicitCastExpr") && number->operation == "IntegralCast") {
            number = &bare(number->parts[0]);
        }
        if (place_variable(*number)) {
            const std::string made = member(*number);
            return made.starts_with("(uint)") ? made.substr(6) : made;
        }
    }
    if (type.is_pointer()) {
        return fmt::format("(({})({}))", whole_.declared(type, pointed(inner), "", node.begin),
                           render(inner));
    }
    if (whole_.record(type)) return render(inner);
    const std::string what = render(inner);
    const bool is_one = std::ranges::all_of(what, is_word_character) || is_enclosed(what);
    const std::string name = whole_.base_name(type, node.begin);
    return is_one ? fmt::format("(({}){})", name, what) : fmt::format("(({})({}))", name, what);
}

std::string FunctionWriter::literal(const Node& node) {
    const std::string written = in_macro_ && !node.is("CharacterLiteral")
                                    ? word_at(whole_.tree_.text, node.written)
                                    : text(node);
    std::string made = written;
    if (node.is("FloatingLiteral") && node.type == "double") whole_.has_double_ = true;
    // A fold of no values is none that is written.
    if (node.is("CXXBoolLiteralExpr") && written != node.value && !in_macro_) return node.value;
    if (node.is("IntegerLiteral")) {
        std::erase(made, '\'');
        // `1ull` is an ulong, and `1ll` a long.
        for (const std::string_view suffix : {"ll", "LL"}) {
            const std::size_t at = made.find(suffix);
            if (at == made.npos) continue;
            made.erase(at, 1);
            whole_.apply("1L", node.begin);
        }
        // C has no binary numbers, and what clang takes has the value's type all the same.
        if (made.starts_with("0b") || made.starts_with("0B")) {
            made = fmt::format("0x{:x}{}", std::strtoull(node.value.c_str(), nullptr, 10),
                               made.substr(made.find_last_of("01") + 1));
        }
    } else if (node.is("FloatingLiteral") && !in_macro_) {
        std::erase(made, '\'');
    } else if (node.is("CharacterLiteral") && !in_macro_ && !made.starts_with('\'')) {
        whole_.complain(node.begin, made, "write the character's number");
    }
    if (made != written) changes(node);
    return made;
}

std::string FunctionWriter::size(const Node& node) {
    changes(node);
    if (node.name != "sizeof") {
        whole_.complain(node.begin, node.name, "write the number");
        return {};
    }
    auto type =
        whole_.type_of(node.argument_type.empty() ? node.parts.at(0).type : node.argument_type);
    if (!type || type->is_reference()) {
        whole_.complain(node.begin, "sizeof", "of a type that is not known; write the number");
        return {};
    }
    return fmt::format("sizeof({})", whole_.declared(*type, Space::own, "", node.begin));
}

}  // namespace parallax::from_cuda

// Writes calls: of the source's own functions, and of CUDA's by the mapping table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/analyze/word_lists.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"

namespace parallax::from_cuda {

/// The argument for a parameter; null: the parameter's own.
const Node* FunctionWriter::argument_node(const Node& node, const Node& function, std::size_t p,
                                          std::size_t first_argument) {
    const std::size_t at = first_argument + p;
    if (at < node.parts.size() && !node.parts[at].is("CXXDefaultArgExpr")) return &node.parts[at];
    // The declaration that says it may be another one than that with the body.
    for (const Node* one = &function; one;) {
        std::size_t next = 0;
        for (const Node& part : one->parts) {
            if (!part.is("ParmVarDecl") || next++ != p) continue;
            if (!part.init.empty() && !part.parts.empty()) return &part.parts[0];
        }
        const auto found = whole_.by_id_.find(one->previous);
        one = found == whole_.by_id_.end() ? nullptr : found->second;
    }
    return nullptr;
}

std::vector<Passed> FunctionWriter::passed_to(const Node& node, const Node& function,
                                              std::size_t first_argument) {
    std::vector<Passed> made;
    bool changes_places = false;
    for (const Node& one : function.parts) {
        if (!one.is("ParmVarDecl")) continue;
        const auto type = whole_.type_of(one.type);
        changes_places = changes_places || (type && !type->layers.empty() && !type->is_const);
    }
    std::size_t p = 0;
    for (const Node& one : function.parts) {
        if (!one.is("ParmVarDecl")) continue;
        const auto type = whole_.type_of(one.type);
        const Node* given = argument_node(node, function, p++, first_argument);
        Passed how;
        if (type && (whole_.is_empty(*type) || OpenClWriter::is_image(*type))) {
            how.by_value = true;
        } else if (type && given && type->is_reference()) {
            const Node& place = bare(*given);
            // A component of a variable that the function cannot change.
            how.by_value =
                type->is_const &&
                (place.is("MaterializeTemporaryExpr") ||
                 (is_component(*given) && !changes_places && place_of(*given) == Space::own));
            if (!how.by_value) how.space = place_of(*given);
        } else if (type && given && type->is_pointer()) {
            how.space = pointed(*given);
        }
        if (type && !type->layers.empty() && !how.by_value && how.space == Space::none) {
            is_open_ = true;
            how.space = Space::own;
        }
        made.push_back(how);
    }
    return made;
}

std::string FunctionWriter::own_call(const Node& node, const Node& function,
                                     std::size_t first_argument) {
    changes(node);
    const std::vector<Passed> passed = passed_to(node, function, first_argument);
    if (!passed.empty() && passed.front().space == Space::global) {
        if (const Node* own = whole_.for_global(function)) {
            return own_call(node, *own, first_argument);
        }
    }
    const Instance& made = whole_.instance(function, passed, node.begin);
    std::vector<std::string> arguments;
    std::size_t p = 0;
    for (const Node& one : function.parts) {
        if (!one.is("ParmVarDecl")) continue;
        const Node* given = argument_node(node, function, p, first_argument);
        const auto type = whole_.type_of(one.type);
        if (type && whole_.is_empty(*type)) {
            ++p;
            continue;
        }
        if (!given) {
            whole_.complain(node.begin, function.name, "an argument that is not given; give all");
        } else if (type && OpenClWriter::is_image(*type)) {
            arguments.push_back(image_argument(*given, function, one));
        } else if (type && type->is_reference() && !passed[p].by_value) {
            arguments.push_back(address(*given));
        } else {
            // The value of `x++` is not an expression of the source.
            arguments.push_back(given->has_place() ? render(*given) : given->value);
        }
        ++p;
    }
    for (const Memory* one : whole_.memory_of(function)) arguments.push_back(memory_argument(*one));
    const auto result = whole_.result_type(function);
    const bool is_place = result && result->is_reference();
    const std::string text = fmt::format("{}({})", made.name, fmt::join(arguments, ", "));
    return is_place ? fmt::format("(*{})", text) : text;
}

std::string FunctionWriter::call(const Node& node, std::size_t first_argument) {
    for (std::size_t i = first_argument; i < node.parts.size(); ++i) {
        if (!is_of_same_macro(node.parts[i], node.parts[i - 1])) continue;
        throw NeedsExpansion{whole_.tree_.place(node.begin)};
    }
    const Node& callee = bare(node.parts.at(0));
    const auto found = whole_.by_id_.find(callee.refers);
    if (!callee.is("DeclRefExpr") ||
        !is_one_of(callee.refers_kind, {"FunctionDecl", "CXXMethodDecl"})) {
        whole_.complain(node.begin, text(node.parts[0]),
                        "OpenCL C has no pointers to functions; call it by its name");
        return {};
    }
    if (found != whole_.by_id_.end() && whole_.tree_.is_cudas(*found->second)) {
        if (const Node* wide = whole_.without_scope(*found->second)) {
            if (callee.refers_name.ends_with("_system")) {
                whole_.remark(node.begin, callee.refers_name,
                              "for all work-items of the device, and for nobody else");
            }
            return wide->part("CompoundStmt") ? own_call(node, *wide, first_argument)
                                              : built_in(node, *wide, first_argument);
        }
    }
    if (const Node* function = whole_.definition(callee.refers)) {
        return own_call(node, *function, first_argument);
    }
    if (found != whole_.by_id_.end() && found->second->begin >= whole_.tree_.source) {
        whole_.complain(node.begin, callee.refers_name,
                        "the file does not have its body; put it in, or name its folder with -I");
        return {};
    }
    Node unknown;
    unknown.name = callee.refers_name;
    return built_in(node, found == whole_.by_id_.end() ? unknown : *found->second, first_argument);
}

/// A member function. One that leaves its object alone is written as a function.
std::string FunctionWriter::member_call(const Node& node) {
    const Node& callee = bare(node.parts.at(0));
    if (callee.is("MemberExpr") && !callee.parts.empty()) {
        if (const Node* method = whole_.definition(callee.refers)) {
            const Node& object = bare(callee.parts[0]);
            if (!is_one_of(object.kind,
                           {"DeclRefExpr", "MaterializeTemporaryExpr", "CXXThisExpr"})) {
                whole_.complain(node.begin, callee.name,
                                "a member function of what an expression gives; name it first");
            }
            return own_call(node, *method, 1);
        }
        const std::string group = whole_.group_of(whole_.known_type(callee.parts[0]));
        if (!group.empty()) return group_call(node, group, callee.name);
    }
    whole_.complain(node.begin, text(node).substr(0, text(node).find('\n')),
                    *whole_.rows_.refusal("this"));
    return {};
}

/// `block.sync()`, or `sync(block)`
std::string FunctionWriter::group_call(const Node& node, const std::string& group,
                                       const std::string& name) {
    changes(node);
    const ReverseRow* row = whole_.rows_.call(group + "::" + name, 0, "");
    if (row) return row->opencl;
    whole_.complain(node.begin, name, *whole_.rows_.refusal("cooperative_groups"));
    return {};
}

std::string FunctionWriter::built_in(const Node& node, const Node& function,
                                     std::size_t first_argument) {
    changes(node);
    if (function.name == "printf") return print(node);
    if (first_argument < node.parts.size()) {
        const CudaType type = whole_.known_type(node.parts[first_argument]);
        const std::string group = whole_.group_of(type);
        if (!group.empty()) return group_call(node, group, function.name);
    }
    if (starts_with_any(function.name, {"tex", "surf"})) return image_call(node, function.name);
    std::vector<std::string> arguments;
    std::string first_type;
    for (std::size_t p = 0; first_argument + p < node.parts.size(); ++p) {
        const Node* given = argument_node(node, function, p, first_argument);
        const bool is_default = node.parts[first_argument + p].is("CXXDefaultArgExpr");
        if (!given || (is_default && whole_.tree_.is_cudas(*given))) break;  // CUDA's own default
        if (p == 0) {
            if (const auto type = whole_.type_of(given->type)) {
                first_type = type->base + (type->is_pointer() ? "*" : "");
            }
        }
        arguments.push_back(function.name == "assert" ? render(*given) : argument(*given));
    }
    const std::string name = function.name;
    if (name.starts_with("make_")) {
        const auto type = whole_.type_of(node.type);
        const std::string made = type ? whole_.base_name(*type, node.begin) : "";
        if (type && OpenClWriter::is_vector(*type)) whole_.apply("(T4)($, $, $, $)", node.begin);
        return type && OpenClWriter::is_vector(*type)
                   ? fmt::format("({})({})", made, fmt::join(arguments, ", "))
                   : fmt::format("({}){{{}}}", made, fmt::join(arguments, ", "));
    }
    if (const MappingRule* refusal = whole_.rows_.refusal(name)) {
        whole_.complain(node.begin, name, *refusal);
        return {};
    }
    const ReverseRow* row = whole_.rows_.call(name, arguments.size(), first_type);
    if (!row) {
        whole_.complain(node.begin, name, "a function that has no rule; write what it computes");
        return {};
    }
    if (name == "__threadfence") whole_.remark(node.begin, name, row->row->rationale);
    whole_.has_long_atomics_ = whole_.has_long_atomics_ || row->opencl.starts_with("atom_");
    const bool is_rounded =
        starts_with_any(name, {"__fadd_", "__fsub_", "__fmul_", "__dadd_", "__dsub_", "__dmul_"});
    whole_.is_uncontracted_ = whole_.is_uncontracted_ || is_rounded;
    whole_.apply(*row->row, node.begin, name, row->opencl);
    return with_arguments(row->opencl, arguments);
}

/// OpenCL C's functions have many types: what CUDA converts is converted in writing.
std::string FunctionWriter::argument(const Node& node) {
    const std::string made = render(node);
    const Node* one = &node;
    while (one->parts.size() == 1 && one->is("ImplicitCastExpr") &&
           is_one_of(one->operation, {"LValueToRValue", "NoOp", "ArrayToPointerDecay"})) {
        one = &one->parts[0];
    }
    const auto type = whole_.type_of(node.type);
    const bool converts =
        (one->is("ImplicitCastExpr") &&
         is_one_of(one->operation, {"IntegralCast", "IntegralToFloating", "FloatingCast",
                                    "FloatingToIntegral", "IntegralToBoolean"})) ||
        one->is("CharacterLiteral") || one->is("SubstNonTypeTemplateParmExpr");
    // A comparison is an int in C.
    const bool is_int = type && type->layers.empty() && type->base == "bool";
    if (!type || (!converts && !is_int)) return made;
    return fmt::format("({})({})", whole_.base_name(*type, node.begin), made);
}

std::string FunctionWriter::print(const Node& node) {
    std::vector<std::string> parts;
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
        const Node& one = bare(node.parts[i]);
        if (i == 1) {
            if (!one.is("StringLiteral") || !text(one).starts_with('"')) {
                whole_.complain(node.begin, "printf",
                                "its format must be written where it is called, as a plain string");
                return {};
            }
            std::string format = text(one);
            for (std::size_t at = 0; (at = format.find('%', at)) != format.npos; ++at) {
                at = format.find_first_not_of("0123456789.-+ #", at + 1);
                if (at == format.npos) break;
                // OpenCL C's long has 64 bits, as size_t has.
                if (format.compare(at, 2, "ll") == 0) format.erase(at, 1);
                if (format[at] == 'z' || format[at] == 'j' || format[at] == 't') format[at] = 'l';
                if (format[at] == 's' || format[at] == 'p') {
                    whole_.complain(one.begin, "printf",
                                    "OpenCL C prints strings and pointers otherwise; "
                                    "print numbers");
                }
            }
            parts.push_back(std::move(format));
        } else {
            parts.push_back(render(node.parts[i]));
        }
    }
    const std::string made = fmt::format("printf({})", fmt::join(parts, ", "));
    // CUDA's gives the number of arguments.
    return &node == statement_ ? made : fmt::format("({}, {})", made, parts.size() - 1);
}

}  // namespace parallax::from_cuda

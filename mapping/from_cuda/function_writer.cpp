// Writes a function's head, statements and declarations in OpenCL C.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/characters.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/patterns.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"

namespace parallax::from_cuda {

using Layer = CudaType::Layer;

FunctionWriter::FunctionWriter(OpenClWriter& whole, const Node& function,
                               const std::vector<Passed>& passed)
    : whole_(whole), function_(function), passed_(passed) {
    is_kernel_ = whole.is_kernel(function);
    std::size_t p = 0;
    for (const Node& one : function.parts) {
        if (!one.is("ParmVarDecl")) continue;
        Known& known = known_[one.id];
        const CudaType type = whole_.known_type(one);
        const Passed how = p < passed.size() ? passed[p] : Passed{};
        ++p;
        known.name = whole_.free_name(one.name);
        // The parameters of a pack are called the same.
        const bool is_again = std::ranges::any_of(known_, [&](const auto& other) {
            return &other.second != &known && other.second.name == known.name;
        });
        if (one.name.empty() || is_again)
            known.name =
                whole_.fresh_name(fmt::format("{}_{}", one.name.empty() ? "unnamed" : one.name, p));
        known.space = is_kernel_ && type.is_pointer() ? Space::global : how.space;
        known.is_reference = type.is_reference() && !how.by_value;
        const Node* record = is_kernel_ ? whole_.record(type) : nullptr;
        if (record && whole_.holds_pointers(*record) && !whole.tree_.is_reading())
            unfolded_.insert(one.id);
    }
    const auto result = whole_.result_type(function);
    gives_reference_ = function.kind != "VarDecl" && result && result->is_reference();
    if (const Node* body = function.part("CompoundStmt")) find_spaces(*body);
}

void FunctionWriter::changes(const Node& node) const {
    if (in_macro_) throw NeedsExpansion{whole_.tree_.place(node.begin)};
}

std::string FunctionWriter::memory_parameter(const Memory& memory) const {
    CudaType type = memory.type;
    const std::size_t at = memory.variable->begin;
    if (memory.space != Space::local) whole_.apply("__global T* p", at);
    if (memory.is_dynamic) whole_.apply("__local T* p)", at);
    if (memory.is_by_value) return whole_.declared(type, Space::own, memory.name, at);
    if (type.is_array()) {
        type.layers.front() = {.kind = Layer::Kind::pointer};
    } else {
        type.layers.insert(type.layers.begin(), {.kind = Layer::Kind::pointer});
    }
    if (memory.space == Space::constant) type.is_const = false;
    return whole_.declared(type, memory.space, memory.name, at);
}

/// The argument for a called function's access to memory that is none of its parameters.
std::string FunctionWriter::memory_argument(const Memory& memory) const {
    if (memory.is_dynamic) {
        const auto& all = whole_.memory_of(function_);
        const Memory* own = *std::ranges::find(all, true, &Memory::is_dynamic);
        CudaType type = memory.type.inner();
        if (own->type.layers.size() == memory.type.layers.size() && own->type.base == type.base)
            return own->name;
        type.layers.insert(type.layers.begin(), {.kind = Layer::Kind::pointer});
        return fmt::format(
            "(({}){})", whole_.declared(type, Space::local, "", memory.variable->begin), own->name);
    }
    const bool takes_address = is_kernel_ && !memory.is_parameter && !memory.type.is_array();
    return (takes_address ? "&" : "") + memory.name;
}

std::string FunctionWriter::kernel_text(const std::string& name) {
    std::vector<std::string> parameters;
    std::string bools;
    const Node& content = *function_.part("CompoundStmt");
    for (const Node& one : function_.parts) {
        if (!one.is("ParmVarDecl")) continue;
        CudaType type = whole_.known_type(one);
        const std::string own = known_[one.id].name;
        if (OpenClWriter::is_image(type)) {
            parameters.push_back(image_parameter(one, own));
            continue;
        }
        const auto pointers = std::ranges::count(type.layers, Layer::Kind::pointer, &Layer::kind);
        if (type.is_reference() || pointers > 1 || (pointers == 1 && !type.is_pointer())) {
            whole_.complain(one.begin, one.name,
                            "a kernel's parameter is a value or a pointer to values in OpenCL C; "
                            "pass an index instead of a pointer to pointers");
            if (!whole_.tree_.is_reading()) continue;
            type = {.base = "unsigned long", .layers = {{Layer::Kind::pointer}}};
        }
        if (unfolded_.contains(one.id)) {
            unfold(one, *whole_.record(type), parameters);
            continue;
        }
        parameters.push_back(value_parameter(type, own, one.begin));
        if (!type.layers.empty() || type.base != "bool" || !changes_bool(content, one.id)) continue;
        Known& known = known_[one.id];
        known.name = whole_.fresh_name(known.name + "_now");
        bools += fmt::format("\n    bool {} = {};", known.name, own);
    }
    for (const Memory* one : whole_.memory_of(function_)) {
        if (one->is_parameter) parameters.push_back(memory_parameter(*one));
    }
    note_return(content);
    return fmt::format("__kernel void {}({}) {}", name, fmt::join(parameters, ", "),
                       body(content, hoisted(true) + bools));
}

/// A bool has no size of its own in a kernel's parameter.
std::string FunctionWriter::value_parameter(CudaType type, const std::string& name,
                                            std::size_t at) {
    if (type.layers.empty() && type.base == "bool") type.base = "unsigned char";
    type.is_const = type.is_const && type.is_pointer();
    return whole_.declared(type, Space::global, name, at);
}

/// Whether more is done with a variable, or with a member of it that is a bool, than to read it.
bool FunctionWriter::changes_bool(const Node& node, const std::string& id) const {
    const bool is_read = node.is("ImplicitCastExpr") && node.operation == "LValueToRValue";
    return std::ranges::any_of(node.parts, [&](const Node& one) {
        const Node& place = one.is("MemberExpr") && !one.parts.empty() ? bare(one.parts[0]) : one;
        if (!place.is("DeclRefExpr") || place.refers != id) return changes_bool(one, id);
        return !is_read && one.type == "bool";
    });
}

/// A work-item that has ended is missed by a barrier.
void FunctionWriter::note_return(const Node& body) const {
    std::size_t first = Node::nowhere, last = 0;
    const auto visit = [&](const Node& node, const auto& again) -> void {
        if (node.is("ReturnStmt")) first = std::min(first, node.begin);
        if (node.refers_name.starts_with("__syncthreads")) last = std::max(last, node.begin);
        for (const Node& one : node.parts) again(one, again);
    };
    visit(body, visit);
    if (first > last) return;
    whole_.remark(first, "return",
                  "a barrier follows: CUDA's does not wait for threads that have ended, OpenCL C's "
                  "is for all of the group; go around the work instead");
}

/// OpenCL C gives a kernel no pointers within a struct: each member is a parameter of its own.
void FunctionWriter::unfold(const Node& parameter, const Node& record,
                            std::vector<std::string>& parameters) {
    std::vector<std::string> names;
    for (const Node& one : record.parts) {
        if (!one.is("FieldDecl")) continue;
        CudaType type = whole_.known_type(one);
        const std::string name =
            whole_.fresh_name(fmt::format("{}_{}", known_[parameter.id].name, one.name));
        const auto pointers = std::ranges::count(type.layers, Layer::Kind::pointer, &Layer::kind);
        const Node* inner = whole_.record(type);
        if (type.base.empty() || record.has_more || one.has_more || pointers > 1 ||
            type.layers.size() > (type.is_pointer() ? 1 : 0) || one.name.empty() ||
            (inner && whole_.holds_pointers(*inner))) {
            whole_.complain(one.begin, one.name,
                            "a member of a kernel's parameter that is no value and no pointer to "
                            "values; pass it as a parameter of its own");
            continue;
        }
        parameters.push_back(value_parameter(type, name, one.begin));
        if (type.base == "bool" && changes_bool(*function_.part("CompoundStmt"), parameter.id)) {
            whole_.complain(one.begin, one.name,
                            "a bool of a kernel's parameter that it changes; copy it to a "
                            "variable, and change that");
        }
        names.push_back(name);
    }
    whole_.remark(parameter.begin, parameter.name,
                  fmt::format("a struct with pointers: its members are parameters of their own, {}",
                              fmt::join(names, ", ")));
}

std::string FunctionWriter::helper_text(const std::string& name) {
    std::vector<std::string> parameters;
    std::size_t p = 0;
    for (const Node& one : function_.parts) {
        if (!one.is("ParmVarDecl")) continue;
        CudaType type = whole_.known_type(one);
        const Passed how = p < passed_.size() ? passed_[p] : Passed{};
        ++p;
        if (whole_.is_empty(type)) continue;
        if (OpenClWriter::is_image(type)) {
            parameters.push_back(image_parameter(one, known_[one.id].name));
            continue;
        }
        if (type.is_reference()) {
            type = type.inner();
            whole_.apply("T f(T& a)", one.begin);
            if (!how.by_value) type.layers.insert(type.layers.begin(), {Layer::Kind::pointer});
        }
        parameters.push_back(whole_.declared(type, how.space, known_[one.id].name, one.begin));
    }
    for (const Memory* one : whole_.memory_of(function_)) {
        parameters.push_back(memory_parameter(*one));
    }
    const auto result = whole_.result_type(function_);
    if (!result) {
        whole_.complain(function_.begin, function_.name,
                        "what it gives back is not understood; give back a value");
        return {};
    }
    const Node* content = function_.part("CompoundStmt");
    const std::string text = body(*content, hoisted(false));
    return fmt::format("{}({}) {}", whole_.declared(*result, result_, name, function_.begin),
                       parameters.empty() ? "void" : fmt::format("{}", fmt::join(parameters, ", ")),
                       text);
}

/// Arrays of `__shared__` that a kernel declares for all of its blocks and functions.
std::string FunctionWriter::hoisted(bool is_kernel) {
    if (!is_kernel) return {};
    std::string made;
    std::set<const Node*> in_place;
    for (const Node& one : function_.part("CompoundStmt")->parts) {
        if (!one.is("DeclStmt")) continue;
        for (const Node& variable : one.parts) in_place.insert(&variable);
    }
    for (const Memory* one : whole_.memory_of(function_)) {
        if (one->is_parameter || in_place.contains(one->variable)) continue;
        made += fmt::format("\n    {}{};",
                            whole_.declared(one->type, one->space, one->name, one->variable->begin,
                                            whole_.extents_text(*one->variable, one->type)),
                            whole_.attributes_of(*one->variable));
    }
    return made;
}

std::string FunctionWriter::body(const Node& body, const std::string& first) {
    std::string text = render(body);
    if (!first.empty() && text.starts_with('{')) text.insert(1, first);
    return text;
}

namespace {

/// Whether there is a name between a statement's parts, where C has only words of its own.
bool has_name(std::string_view text, const std::set<std::string>& macros) {
    static const std::set<std::string_view> own{"if",       "else",   "for",     "while",
                                                "do",       "case",   "default", "break",
                                                "continue", "switch", "goto",    "return"};
    bool found = false;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        if (rest.starts_with("//") || rest[0] == '#') {
            i += std::min(rest.find('\n'), rest.size());
        } else if (rest.starts_with("/*") || rest.starts_with("[[")) {
            i += std::min(rest.find(rest[0] == '[' ? "]]" : "*/"), rest.size() - 2) + 2;
        } else if (is_word_character(rest[0])) {
            const std::string word(rest.substr(0, word_end(rest)));
            if (macros.contains(word)) return false;  // a macro may expand to anything
            found = found || (is_letter(word[0]) && !own.contains(word));
            i += word.size();
        } else {
            ++i;
        }
    }
    return found;
}

}  // namespace

std::string FunctionWriter::gap(const Node& node, std::size_t begin, std::size_t end) {
    std::string text = whole_.source(begin, end);
    const bool has_label = is_one_of(node.kind, {"LabelStmt", "GotoStmt"});
    // Clang leaves out a statement in which it does not know a thing.
    if (!has_label && !whole_.tree_.errors.empty() && has_name(text, whole_.macros_)) {
        whole_.is_incomplete_ = true;
    }
    constexpr std::string_view word = "#pragma unroll";
    const std::size_t at = text.find(word);
    if (at == text.npos) return text;
    // Drops the mention of a template's argument: the loop's bounds are numbers then.
    const std::size_t stop = std::min(text.find('\n', at), text.size());
    const std::string said(trimmed(text.substr(at + word.size(), stop - at - word.size())));
    std::string name = said;
    std::erase_if(name, [](char c) { return !is_word_character(c); });
    if (!name.empty() && is_letter(name[0]) && !whole_.macros_.contains(name)) {
        text.replace(at + word.size(), stop - at - word.size(), "");
    }
    return text;
}

std::string FunctionWriter::copy(const Node& node) {
    std::string made;
    std::size_t at = node.begin;
    for (const Node& part : node.parts) {
        if (!part.has_place() || part.kind.ends_with("Attr")) continue;
        const auto [fold, end_of_fold] = fold_around(part, node);
        if (&part == &node.parts.front() && end_of_fold > 0) at = std::min(at, fold);
        // In C `c ? a : b = 1` is `(c ? a : b) = 1`.
        const bool is_last = node.is("ConditionalOperator") && &part == &node.parts.back();
        const bool is_assigned = is_last && assigned_by(part);
        if (in_macro_) {
            if (is_assigned) changes(node);
            render(part);
            continue;
        }
        if (part.begin < at || (part.end > node.end && end_of_fold == 0)) {
            whole_.complain(node.begin, node.kind, "not understood; write it otherwise");
            return {};
        }
        if (node.kind.ends_with("Stmt") && !is_one_of(node.kind, {"ReturnStmt", "SwitchStmt"}))
            statement_ = &part;
        std::string before = gap(node, at, end_of_fold > 0 ? fold : part.begin);
        // `a and b`
        const bool is_word = node.kind.ends_with("Operator") && !before.empty() &&
                             before.find(node.operation) == before.npos;
        made += is_word ? fmt::format(" {} ", node.operation) : before;
        const bool is_in_fold = part.end <= end_of_fold;
        const bool is_changed = &part == &node.parts[0] &&
                                (assigned_by(node) || is_one_of(node.operation, {"++", "--"})) &&
                                !is_place(part);
        if (is_changed) {
            changes(node);
            made += "(*" + address(part) + ")";
            at = end_of(part);
            continue;
        }
        made += is_in_fold || is_assigned ? "(" + render(part) + ")" : render(part);
        at = is_in_fold ? end_of_fold : end_of(part);
    }
    return in_macro_ ? made : made + gap(node, at, std::max(at, node.end));
}

/// Clang gives the values of a fold expression alone, at the place of the pattern.
std::pair<std::size_t, std::size_t> FunctionWriter::fold_around(const Node& part,
                                                                const Node& whole) const {
    for (const auto& [begin, end] : whole_.ends_of_folds_) {
        const bool is_within = begin <= whole.begin && whole.end <= end;
        if (begin <= part.begin && part.begin < end && !is_within) return {begin, end};
    }
    return {};
}

/// Clang leaves out the branch of an `if constexpr` that is not taken: the template has it.
std::size_t FunctionWriter::end_of(const Node& node) const {
    const bool ends_in_statement =
        node.kind.ends_with("Stmt") && !node.parts.empty() && node.parts.back().has_place();
    std::size_t end = ends_in_statement ? std::max(node.end, end_of(node.parts.back())) : node.end;
    for (const auto& [begin, end_of_fold] : whole_.ends_of_folds_) {
        if (node.begin <= begin && begin < node.end) end = std::max(end, end_of_fold);
    }
    const auto found = whole_.ends_of_ifs_.find(node.begin);
    const bool is_it = node.is("IfStmt") && node.is_constexpr && found != whole_.ends_of_ifs_.end();
    return is_it ? std::max(end, found->second) : end;
}

std::string FunctionWriter::render(const Node& node) {
    if (node.kind.empty() || !node.has_place()) return {};
    if (node.is_of_macro && !in_macro_) {
        const std::size_t end = word_end(whole_.tree_.text, node.begin);
        const std::string name = whole_.source(node.begin, end);
        if (!whole_.macros_.contains(name)) {
            if (const ReverseRow* row = whole_.rows_.word(name)) {
                whole_.apply(*row->row, node.begin, name, row->opencl);
                return row->opencl;
            }
            if (!Patterns::find(name)) throw NeedsExpansion{whole_.tree_.place(node.begin)};
            return name;
        }
        in_macro_ = true;
        expression(node);
        in_macro_ = false;
        return text(node);
    }
    std::string made = expression(node);
    const bool is_left_out =
        made.empty() && !node.kind.ends_with("Stmt") && !node.is("CXXConstructExpr");
    return is_left_out && whole_.tree_.is_reading() ? text(node) : made;
}

std::string FunctionWriter::declarations(const Node& statement) {
    changes(statement);
    std::string made, base;
    for (const Node& one : statement.parts) {
        if (one.is("VarDecl") || one.is("DecompositionDecl")) {
            // A macro that declares the variable is none of its value alone.
            const Node* value = one.initial_value();
            if (value && value->is_of_macro && value->begin == one.begin)
                throw NeedsExpansion{whole_.tree_.place(one.begin)};
            std::string own_base;
            const std::string text = declarator(one, own_base);
            if (text.empty()) continue;
            if (made.empty() || own_base != base) {
                made += (made.empty() ? "" : "; ") + own_base + " " + text;
            } else {
                made += ", " + text;
            }
            base = own_base;
        } else if (one.is("CXXRecordDecl")) {
            whole_.complain(one.begin, one.name.empty() ? one.tag : one.name,
                            "a type within a function is not translated; declare it outside");
        }
    }
    return made.empty() ? made : made + ";";
}

std::string FunctionWriter::declarator(const Node& variable, std::string& base) {
    CudaType type = whole_.known_type(variable);
    if (type.base.empty()) {
        whole_.complain(variable.begin, variable.name,
                        "a variable of a type that OpenCL C has not; write a type of data");
        return {};
    }
    if (whole_.is_empty(type)) {
        const Node* value = variable.initial_value();
        const bool is_call = value && value->is("CallExpr") &&
                             whole_.definition(bare(value->parts[0]).refers) != nullptr;
        if (type.is_array() || is_call) {
            whole_.complain(
                variable.begin, variable.name,
                "nothing is left of its value in C, and a call makes it; call it alone");
        }
        return {};
    }
    if (const Memory* memory = whole_.memory(variable.id)) {
        // A variable that is not at the top of a kernel is declared there.
        const bool at_top = is_kernel_ && whole_.is_at_top(function_, variable);
        if (memory->is_parameter || !at_top) return {};
        const auto made = whole_.parts_of(memory->type, memory->space, memory->name, variable.begin,
                                          whole_.extents_text(variable, memory->type));
        base = made.base;
        return made.name + whole_.attributes_of(variable);
    }
    Known& known = known_[variable.id];
    if (!variable.name.empty()) known.name = whole_.free_name(variable.name);
    // What a structured binding takes apart.
    const auto is_taken = [&](const std::string& name) {
        return std::ranges::any_of(known_,
                                   [&](const auto& one) { return one.second.name == name; });
    };
    for (unsigned i = 1; known.name.empty(); ++i) {
        const std::string name = whole_.fresh_name(fmt::format("bound_{}", i));
        if (!is_taken(name)) known.name = name;
    }
    const Node* value = nullptr;
    for (const Node& one : variable.parts) {
        if (!one.kind.ends_with("Attr") && !one.is("BindingDecl")) value = &one;
    }
    if (variable.storage == "static" && !type.is_const && !variable.is_constexpr) {
        whole_.complain(variable.begin, variable.name,
                        "a variable that lasts beyond its function has no counterpart; pass it");
    }
    std::string init;
    if (type.is_reference()) {
        type = type.inner();
        const bool by_value = value && bare(*value).is("MaterializeTemporaryExpr");
        if (by_value) {
            known.is_reference = false;
            init = " = " + render(*value);
        } else if (value) {
            known.is_reference = true;
            type.layers.insert(type.layers.begin(), {Layer::Kind::pointer});
            init = " = " + address(*value);
        }
    } else if (value) {
        init = initializer(*value, type);
    }
    if (variable.is_constexpr) type.is_const = type.is_const || type.layers.empty();
    const auto made = whole_.parts_of(type, known.space, known.name, variable.begin,
                                      whole_.extents_text(variable, type));
    base = made.base;
    return made.name + whole_.attributes_of(variable) + init;
}

std::string FunctionWriter::initializer(const Node& value, const CudaType& type) {
    const Node* node = &value;
    while (node->parts.size() == 1 && (node->is("ExprWithCleanups") || node->is("ConstantExpr"))) {
        node = &node->parts[0];
    }
    if (node->is("InitListExpr")) {
        if (!type.is_array() &&
            (type.is_float() || type.is_integer() || type.is_pointer() || type.base == "bool")) {
            return " = " + (node->parts.empty() ? std::string("0") : render(node->parts[0]));
        }
        return " = " + braces(*node, true);
    }
    if (node->is("CXXConstructExpr") && node->parts.empty()) {
        expression(*node);  // complains where there is code to run
        return {};
    }
    return " = " + render(*node);
}

}  // namespace parallax::from_cuda

// Goes through a CUDA C++ file's declarations, and puts the OpenCL C text together.
#include "mapping/from_cuda/opencl_writer.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/patterns.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax::from_cuda {

using Layer = CudaType::Layer;

OpenClWriter::OpenClWriter(const ClangTree& tree, std::set<std::string> kernels,
                           const std::vector<Define>& defines)
    : tree_(tree), wanted_(std::move(kernels)) {
    for (const Define& one : defines) macros_.insert(one.name.substr(0, one.name.find('(')));
    for (const std::string_view line :
         lines_of(std::string_view(tree_.text).substr(tree_.source))) {
        const auto defined = after_directive(line, "define");
        if (!defined && !after_directive(line, "undef")) continue;
        // A macro may have another definition at its new position.
        if (!defined || !macros_.emplace(defined->substr(0, word_end(*defined))).second)
            throw NeedsExpansion{tree_.place(tree_.source)};
    }
    // A macro must not take hold of what is written.
    for (const std::string& one : macros_) {
        if (free_name(one) != one) throw NeedsExpansion{tree_.place(tree_.source)};
    }
    find(tree_.root, "");
}

// ----- What the file declares.

namespace {

/// `Type` of `ns::Four<a::P>::Type`
std::string last_name(const std::string& name) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
        if (name[i] == ':' && depth == 0) begin = i + 1;
    }
    return name.substr(begin);
}

}  // namespace

void OpenClWriter::find(const Node& node, const std::string& scope) {
    for (const Node& one : node.parts) {
        if (one.is("NamespaceDecl") || one.is("LinkageSpecDecl")) {
            if (one.name == "cooperative_groups" && tree_.is_cudas(one)) {
                note(one, "?", nullptr);
                for (const Node& part : one.parts) {
                    if (part.name == "this_thread_block")
                        has_scopes_ = part.type.starts_with(one.name);
                    if (part.is("CXXRecordDecl") || part.is("ClassTemplateDecl"))
                        groups_.insert(part.name);
                }
            } else if (one.name != "parallax_asked") {
                find(one, one.name.empty() ? scope : scope + one.name + "::");
            }
            continue;
        }
        note(one, scope, nullptr);
        const bool is_own = one.has_place() && !tree_.is_cudas(one);
        const bool is_alias = one.is("TypedefDecl") || one.is("TypeAliasDecl");
        if (is_own && !is_alias) top_.push_back(&one);
        if (is_alias) {
            // `typedef struct { ... } T;`
            const Node* record = top_.empty() ? nullptr : top_.back();
            if (is_own && record && record->is("CXXRecordDecl") && record->name.empty() &&
                record->begin >= one.begin && record->end <= one.end) {
                record_names_[record] = one.name;
                note_type(*record, scope + one.name);
            }
        } else if (one.is("EnumDecl")) {
            for (const Node& part : one.parts) enum_of_.emplace(part.id, &one);
        } else if (one.is("FunctionDecl") || one.is("FunctionTemplateDecl")) {
            std::vector<const Node*> all;
            if (one.is("FunctionDecl")) all.push_back(&one);
            bool is_pattern = true;
            for (const Node& part : one.parts) {
                if (!one.is("FunctionTemplateDecl") || !part.is("FunctionDecl")) continue;
                if (!is_pattern) all.push_back(&part);
                is_pattern = false;
            }
            for (const Node* function : all) {
                if (!function->part("CompoundStmt")) continue;
                definitions_.emplace(first_id(function->id), function);
                const bool is_wanted = wanted_.empty() || wanted_.contains(function->id);
                if (is_kernel(*function) && is_own && is_wanted) kernels_.push_back(function);
            }
            if (is_own && one.is("FunctionTemplateDecl") && all.empty()) {
                const Node* pattern = one.part("FunctionDecl");
                const bool is_wanted =
                    wanted_.empty() || (pattern && wanted_.contains(pattern->id));
                if (pattern && is_kernel(*pattern) && is_wanted) {
                    // An error that prevents instantiation is reported separately.
                    if (!wanted_.empty()) written_.emplace_back(one.begin, one.end);
                    remark(one.begin, one.name,
                           fmt::format("a template that no launch in the file gives arguments; "
                                       "--kernel '{}<float>' asks for one, with its own arguments",
                                       one.name));
                }
            }
        } else if (one.is("VarDecl") && is_own) {
            note_memory(one, false);
        }
    }
    if (&node != &tree_.root) return;
    for (const auto& [id, function] : definitions_) {
        const std::function<void(const Node&)> visit = [&](const Node& at) {
            if (at.is("VarDecl")) note_memory(at, true);
            for (const Node& part : at.parts) visit(part);
        };
        visit(*function);
    }
}

void OpenClWriter::note(const Node& node, const std::string& scope, const Node* function) {
    if (!node.id.empty() && node.kind.ends_with("Decl")) {
        const Node*& known = by_id_[node.id];
        // A template mentions a specialisation that is declared behind it.
        if (!known || !known->has_place()) known = &node;
    }
    std::string inner = scope;
    if (node.kind.ends_with("RecordDecl") || node.is("ClassTemplateSpecializationDecl")) {
        std::string name = node.name;
        if (node.is("ClassTemplateSpecializationDecl")) {
            std::vector<std::string> arguments;
            for (const Node& one : node.parts) {
                if (one.is("TemplateArgument"))
                    arguments.push_back(one.value.empty() ? one.type : one.value);
            }
            name = fmt::format("{}<{}>", node.name, fmt::join(arguments, ", "));
            std::string& word = record_names_[&node];
            for (const char c : name) {
                if (is_word_character(c) || !word.ends_with('_'))
                    word += is_word_character(c) ? c : '_';
            }
            word.resize(word.find_last_not_of('_') + 1);
        }
        if (node.is_complete && !name.empty()) note_type(node, scope + name);
        inner += name + "::";
    } else if (node.is("EnumDecl")) {
        enums_.push_back(&node);
        if (!node.name.empty()) note_type(node, scope + node.name);
        find_constants(node);
    } else if (node.is("TypedefDecl") || node.is("TypeAliasDecl")) {
        // One with an alignment of its own is not known.
        if (!node.part("AlignedAttr")) note_type(node, scope + node.name);
    } else if (is_one_of(node.kind, {"FunctionDecl", "CXXMethodDecl", "CXXConversionDecl",
                                     "CXXConstructorDecl"})) {
        // clang names a type within a function without its scope.
        function = &node;
        if (!scope.starts_with('?')) inner.clear();
        if (node.part("CompoundStmt")) definitions_.emplace(first_id(node.id), &node);
    } else if (is_one_of(node.kind, {"VarDecl", "VarTemplateSpecializationDecl", "ParmVarDecl",
                                     "BindingDecl"})) {
        const bool is_hoisted = node.part("CUDASharedAttr") && function &&
                                !(is_kernel(*function) && is_at_top(*function, node));
        if (!function) file_variables_.insert(node.id);
        if (function && !is_hoisted && !tree_.is_cudas(node))
            locals_[free_name(node.name)].insert(function);
    } else if (node.is("IfStmt") && node.is_constexpr) {
        std::size_t& end = ends_of_ifs_[node.begin];
        end = std::max(end, node.end);
    } else if (node.is("CXXFoldExpr")) {
        ends_of_folds_[node.begin] = node.end;
    }
    // A template itself has no types.
    const bool is_template = node.is("ClassTemplateDecl") || node.is("FunctionTemplateDecl");
    if (node.is("ClassTemplatePartialSpecializationDecl")) inner = "?";
    bool is_pattern = is_template;
    for (const Node& part : node.parts) {
        const bool has_pattern = part.is("CXXRecordDecl") || part.is("FunctionDecl") ||
                                 part.is("CXXMethodDecl") || part.is("CXXConversionDecl");
        note(part, is_pattern && has_pattern ? "?" : inner, function);
        is_pattern = is_pattern && !has_pattern;
    }
}

void OpenClWriter::note_type(const Node& node, const std::string& name) {
    if (name.starts_with('?')) return;
    const std::string last = last_name(name);
    const bool is_alias = node.is("TypedefDecl") || node.is("TypeAliasDecl");
    if (is_alias) {  // `typedef struct T { ... } T;`
        const auto own = type_of_text(node.type, [](const auto&) { return std::nullopt; });
        if (own && own->layers.empty() && last_name(own->base) == last) return;
    }
    auto& all = types_[last];
    const bool is_again = std::ranges::any_of(all, [&](const auto& one) {
        return one.first == name && is_alias && one.second->type == node.type;
    });
    if (!is_again) all.emplace_back(name, &node);
}

const Node* OpenClWriter::type_named(const std::string& name) const {
    const auto found = types_.find(last_name(name));
    if (found == types_.end()) return nullptr;
    const auto& all = found->second;
    if (all.size() == 1) return all[0].second;
    if (!has_scopes_ && name.find("::") == name.npos) return nullptr;
    const auto is_it = [&](const auto& one) { return one.first == name; };
    const auto one = std::ranges::find_if(all, is_it);
    const bool is_alone = one != all.end() && std::none_of(one + 1, all.end(), is_it);
    return is_alone ? one->second : nullptr;
}

void OpenClWriter::find_constants(const Node& enumeration) {
    long long next = 0, least = 0, most = 0;
    bool is_beyond_long = false;
    for (const Node& one : enumeration.parts) {
        if (!one.is("EnumConstantDecl")) continue;
        const Node* value = one.valued();
        if (value) next = std::strtoll(value->value.c_str(), nullptr, 10);
        if (value && next == std::numeric_limits<long long>::max()) {
            next = static_cast<long long>(std::strtoull(value->value.c_str(), nullptr, 10));
            is_beyond_long = true;
        }
        least = std::min(least, next);
        most = std::max(most, next);
        enumerators_[one.id] = next++;
    }
    // C++ computes with a type that holds all of them.
    constexpr long long ints = std::numeric_limits<int>::max();
    std::string& type = enum_types_[&enumeration] = enumeration.argument_type;
    if (type.empty()) {
        type = is_beyond_long                       ? "unsigned long"
               : least >= -ints - 1 && most <= ints ? "int"
               : least == 0 && most <= 2 * ints + 1 ? "unsigned int"
                                                    : "long";
    }
    static const std::set<std::string_view> become_int{
        "int", "short", "unsigned short", "char", "signed char", "unsigned char", "bool"};
    if (become_int.contains(type)) return;
    for (const Node& one : enumeration.parts) enumerator_types_.emplace(one.id, type);
}

bool OpenClWriter::is_kernel(const Node& function) const {
    return function.part("CUDAGlobalAttr") != nullptr;
}

std::string OpenClWriter::first_id(const std::string& id) const {
    std::string made = id;
    for (auto found = by_id_.find(made); found != by_id_.end() && !found->second->previous.empty();
         found = by_id_.find(made)) {
        made = found->second->previous;
    }
    return made;
}

const Node* OpenClWriter::definition(const std::string& id) const {
    const auto found = definitions_.find(first_id(id));
    return found == definitions_.end() ? nullptr : found->second;
}

const Memory* OpenClWriter::memory(const std::string& id) const {
    const auto found = memory_.find(id);
    return found == memory_.end() ? nullptr : &found->second;
}

void OpenClWriter::note_memory(const Node& variable, bool in_function) {
    const auto type = type_of(variable.type);
    if (!type || memory_.contains(variable.id)) return;
    const Node* value = variable.initial_value();
    Memory made{.variable = &variable, .type = *type};
    if (variable.part("CUDASharedAttr")) {
        made.space = Space::local;
        made.is_dynamic = variable.storage == "extern";
        made.is_parameter = made.is_dynamic;
    } else if (variable.part("CUDAConstantAttr")) {
        // The host may set one with a value, too.
        const bool is_set = !tree_.is_reading() &&
                            tree_.host.find("ToSymbol") != std::string::npos &&
                            has_word(tree_.host, variable.name);
        if (value && !is_set) return;
        made.space = Space::constant;
        made.is_parameter = true;
        made.is_by_value = !type->is_array();
    } else if (variable.part("CUDADeviceAttr") && !in_function) {
        if (value && (type->is_const || variable.is_constexpr || tree_.is_reading())) return;
        made.space = Space::global;
        made.is_parameter = true;
        if (value) {
            remark(variable.begin, variable.name,
                   "its value is for the host to set: OpenCL C has no variables in global memory");
        }
    } else {
        return;
    }
    memory_.emplace(variable.id, std::move(made));
}

void OpenClWriter::find_uses(const Node& node, std::set<const Node*>& variables,
                             std::set<const Node*>& functions) const {
    const Node* one = nullptr;
    if (node.is("VarDecl") && memory_.contains(node.id)) one = &node;
    if (node.is("DeclRefExpr")) {
        if (const Memory* used = memory(node.refers)) one = used->variable;
        const Node* function = is_one_of(node.refers_kind, {"FunctionDecl", "CXXMethodDecl"})
                                   ? definition(node.refers)
                                   : nullptr;
        if (function && functions.insert(function).second) {
            find_uses(*function, variables, functions);
        }
    }
    if (const Node* method = node.is("MemberExpr") ? definition(node.refers) : nullptr;
        method && functions.insert(method).second) {
        find_uses(*method, variables, functions);
    }
    if (one) variables.insert(one);
    for (const Node& part : node.parts) find_uses(part, variables, functions);
}

std::vector<const Memory*> OpenClWriter::memory_of(const Node& function) {
    const auto [found, fresh] = uses_.try_emplace(&function);
    if (!fresh) return found->second;
    std::set<const Node*> variables, functions{&function};
    find_uses(function, variables, functions);
    std::vector<const Memory*> made;
    for (const Node* one : variables) made.push_back(memory(one->id));
    // Symbols first, then what is shared.
    std::ranges::sort(made, {}, [](const Memory* one) {
        return std::tuple(one->space == Space::local, one->is_dynamic, one->variable->begin);
    });
    // All arrays of `extern __shared__` have the same address: the first represents them.
    const auto dynamic = std::ranges::find(made, true, &Memory::is_dynamic);
    if (dynamic != made.end()) made.erase(dynamic + 1, made.end());
    for (const Memory* one : made) {
        if (!one->name.empty()) continue;
        const std::string& name = one->variable->name;
        const bool is_own = is_kernel(function) && is_at_top(function, *one->variable);
        memory_.at(one->variable->id).name = is_own ? free_name(name) : unique_name(name, one);
    }
    return uses_[&function] = made;
}

/// Whether a function declares a variable at the top of its body.
bool OpenClWriter::is_at_top(const Node& function, const Node& variable) const {
    const Node* body = function.part("CompoundStmt");
    return body && std::ranges::any_of(body->parts, [&](const Node& one) {
               return one.is("DeclStmt") && std::ranges::any_of(one.parts, [&](const Node& other) {
                          return &other == &variable;
                      });
           });
}

// ----- Types.

/// With the type of an enum in place of `(unnamed enum at x.cu:4:1)`.
std::string OpenClWriter::with_named_enums(std::string text) const {
    text = replaced(text, "(anonymous namespace)::", "");
    for (std::size_t at; (at = text.find(" enum at ")) != text.npos;) {
        const std::size_t open = text.rfind('(', at), close = text.find(')', at);
        const std::size_t colon = text.rfind(':', close), before = text.rfind(':', colon - 1);
        if (open == text.npos || before == text.npos || before < at) return text;
        unsigned long line = std::strtoul(text.c_str() + before + 1, nullptr, 10);
        std::size_t begin = 0;
        while (line-- > 1 && begin != text.npos) begin = tree_.text.find('\n', begin) + 1;
        begin += std::strtoul(text.c_str() + colon + 1, nullptr, 10) - 1;
        const auto found = std::ranges::find(enums_, begin, &Node::begin);
        text.replace(open, close + 1 - open, found == enums_.end() ? "" : enum_types_.at(*found));
    }
    return text;
}

std::optional<CudaType> OpenClWriter::type_of(const std::string& written) const {
    const std::string text = with_named_enums(written);
    return type_of_text(text, [&](const std::string& name) -> std::optional<std::string> {
        const Node* found = type_named(name);
        const bool is_alias = found && (found->is("TypedefDecl") || found->is("TypeAliasDecl"));
        return is_alias && found->type != name ? std::optional(found->type) : std::nullopt;
    });
}

std::optional<CudaType> OpenClWriter::result_type(const Node& function) const {
    const std::string text = with_named_enums(function.type);
    const std::size_t arrow = text.rfind(") -> ");
    return type_of(text.starts_with("auto ") && arrow != text.npos
                       ? text.substr(arrow + 5)
                       : text.substr(0, text.find('(')));
}

CudaType OpenClWriter::known_type(const Node& node) const {
    const CudaType made = type_of(node.type).value_or(CudaType{});
    // clang writes `int *[2]` where `auto*` points to an array.
    const Node* value = node.is("VarDecl") && made.is_array() ? node.initial_value() : nullptr;
    return value && value->is("UnaryOperator") ? known_type(*value) : made;
}

bool OpenClWriter::is_vector(const CudaType& type) {
    if (!type.layers.empty()) return false;
    for (const std::string_view element :
         {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong",
          "ulonglong", "half", "float", "double"}) {
        for (const char width : {'2', '4'}) {
            if (type.base != std::string(element) + width) continue;
            // OpenCL's of 8 bytes are aligned otherwise.
            return width == '2' ||
                   !is_one_of(element, {"long", "ulong", "longlong", "ulonglong", "double"});
        }
    }
    return false;
}

namespace {

/// `float` and 3 of `float3`; 0: no vector of CUDA's.
std::pair<std::string, unsigned> vector_of(std::string_view name) {
    if (name.size() < 2 || name.back() < '1' || name.back() > '4') return {};
    std::string element(name.substr(0, name.size() - 1));
    if (element == "longlong") element = "long";
    if (element == "ulonglong") element = "ulong";
    const auto type = value_type_named(element);
    return type && type->width == 1 ? std::pair(element, static_cast<unsigned>(name.back() - '0'))
                                    : std::pair<std::string, unsigned>{};
}

}  // namespace

bool OpenClWriter::is_image(const CudaType& type) {
    const bool is_value = type.layers.empty() || (type.layers.size() == 1 && type.is_reference());
    return is_value && is_one_of(type.base, {"cudaTextureObject_t", "cudaSurfaceObject_t"});
}

std::string OpenClWriter::group_of(const CudaType& type) const {
    const bool is_value = type.layers.empty() || (type.layers.size() == 1 && !type.is_array());
    // clang names a type in a reference as it is written: `const cg::thread_block &`.
    const std::string plain = type.base.substr(0, type.base.find('<'));
    std::string name = plain.substr(plain.rfind(':') + 1);
    return is_value && groups_.contains(name) && !type_named(name) ? name : std::string();
}

bool OpenClWriter::holds_pointers(const Node& record) const {
    return std::ranges::any_of(record.parts, [&](const Node& one) {
        if (!one.is("FieldDecl")) return false;
        const CudaType type = known_type(one);
        const Node* inner = this->record(type.element());
        return type.holds_pointers() || (inner && inner != &record && holds_pointers(*inner));
    });
}

const Node* OpenClWriter::without_scope(const Node& function) const {
    std::string name = function.name;
    if (!name.starts_with("atomic")) return nullptr;
    for (const std::string_view scope : {"_block", "_system"}) {
        if (name.ends_with(scope)) name.resize(name.size() - scope.size());
    }
    return name == function.name ? nullptr : namesake(function, name);
}

const Node* OpenClWriter::for_global(const Node& function) const {
    if (tree_.dialect != Dialect::nvidia || !tree_.is_cudas(function)) return nullptr;
    return namesake(function, function.name + "_global");
}

const Node* OpenClWriter::namesake(const Node& function, const std::string& name) const {
    for (const auto& [id, one] : by_id_) {
        if (one->is("FunctionDecl") && one->name == name && one->type == function.type) return one;
    }
    return nullptr;
}

bool OpenClWriter::is_empty(const CudaType& type) const {
    if (!group_of(type).empty()) return true;
    const Node* found = record(type.is_reference() ? type.inner() : type);
    return found && !tree_.is_cudas(*found) && !found->has_more && found->is_plain &&
           !found->part("FieldDecl");
}

const Node* OpenClWriter::record(const CudaType& type) const {
    const Node* found = type.layers.empty() ? type_named(type.base) : nullptr;
    return found && found->is_complete ? found : nullptr;
}

std::string OpenClWriter::base_name(const CudaType& type, std::size_t at) {
    if (type.base.empty()) complain(at, source(at, at + 1), "a type that is not known; name it");
    if (type.base == "void" || type.base == "bool" || type.base.empty()) return type.base;
    if (type.base == "double") has_double_ = true;
    const std::string name = last_name(type.base);
    const Node* found = type_named(type.base);
    if (found && found->is("EnumDecl")) {
        const auto own = type_of(enum_types_.at(found));
        return own ? base_name(*own, at) : "int";
    }
    if (found && found->is_complete) {
        if (!tree_.is_cudas(*found) || name == "cudaExtent") {
            if (needed_.insert(found).second) {
                for (const Node& one : found->parts) {
                    if (one.is("FieldDecl")) base_name(known_type(one).element(), one.begin);
                }
            }
            return name_of(*found);
        }
        if (is_image(type)) {
            complain(at, name, *rows_.refusal("texture"));
            return name;
        }
        const auto [element, width] = vector_of(name);
        if (width == 0) {
            complain(at, name, "this type is not translated; write three numbers");
            return name;
        }
        if (is_vector({.base = type.base})) {
            has_double_ = has_double_ || element == "double";
            return fmt::format("{}{}", element, width);
        }
        has_double_ = has_double_ || element == "double";
        apply("float3", at);
        const std::string key = fmt::format("packed_{}{}", element, width);
        std::string& made = packed_[key];
        if (made.empty()) made = unique_name(key);
        return made;
    }
    if (!found && types_.contains(name)) {
        complain(at, type.base, "several types are called so; give each a name of its own");
        return type.base;
    }
    if (const ReverseRow* row = rows_.word(type.base)) {
        apply(*row->row, at, type.base, row->opencl);
        return row->opencl;
    }
    if (const auto known = value_type_named(type.base); known && known->width == 1)
        return type.base;
    const bool is_unnamed = type.base.empty() || type.base.ends_with("::");
    complain(at, is_unnamed ? "struct" : type.base,
             is_unnamed ? "a struct or union without a name; give it one"
                        : "a type that OpenCL C has not, and that the file does not declare as a "
                          "struct of data; write one of its own");
    return type.base;
}

std::string OpenClWriter::Declared::text() const {
    std::size_t stars = 0;
    while (stars < name.size() && name[stars] == '*') ++stars;
    const std::string rest = name.substr(stars);
    return base + name.substr(0, stars) + (rest.empty() || rest[0] == '[' ? "" : " ") + rest;
}

OpenClWriter::Declared OpenClWriter::parts_of(const CudaType& type, Space space,
                                              const std::string& name, std::size_t at,
                                              const std::string& extents) {
    Declared made;
    bool points = false;
    std::string declarator = name;
    const Layer* before = nullptr;
    unsigned pointers = 0;
    bool used_extents = false;
    for (const Layer& one : type.layers) {
        if (one.kind == Layer::Kind::pointer || one.kind == Layer::Kind::reference) {
            std::string words;
            if (one.is_const) words += "const";
            if (one.is_volatile) words += words.empty() ? "volatile" : " volatile";
            if (one.is_restrict) apply("restrict", at);
            if (one.is_restrict) words += words.empty() ? "restrict" : " restrict";
            if (!words.empty() && !declarator.empty()) words += ' ';
            declarator = "*" + words + declarator;
            points = true;
            ++pointers;
        } else if (one.kind == Layer::Kind::array) {
            if (before && before->kind != Layer::Kind::array) declarator = "(" + declarator + ")";
            if (!extents.empty() && !before) {
                declarator += extents;
                used_extents = true;
            } else if (!used_extents) {
                declarator += one.extent == 0 ? "[]" : fmt::format("[{}]", one.extent);
            }
        } else {
            complain(at, name, "OpenCL C has no pointers to functions; call them by their names");
        }
        before = &one;
    }
    if (pointers > 1) {
        complain(at, name, "a pointer to pointers, whose memory is not told apart; pass an index");
    }
    const bool in_memory = space == Space::local || space == Space::constant;
    if (type.is_volatile && space == Space::local) {
        complain(at, name,
                 "volatile __shared__ memory, by which warps did without __syncthreads(): that is "
                 "undefined since Volta, and has no counterpart; write the barriers");
    }
    made.base = std::string(points || in_memory ? word_of(space) : "");
    if (!made.base.empty()) apply(trimmed(made.base), at);
    if (type.is_const && !(space == Space::constant)) made.base += "const ";
    if (type.is_volatile) made.base += "volatile ";
    made.base += base_name({.base = type.base}, at);
    made.name = std::move(declarator);
    return made;
}

std::string OpenClWriter::declared(const CudaType& type, Space space, const std::string& name,
                                   std::size_t at, const std::string& extents) {
    return parts_of(type, space, name, at, extents).text();
}

/// The extents of an array as they are written, where OpenCL C knows all names in them.
std::string OpenClWriter::extents_text(const Node& variable, const CudaType& type) {
    std::size_t arrays = 0;
    while (arrays < type.layers.size() && type.layers[arrays].kind == Layer::Kind::array) ++arrays;
    const std::string text = source(variable.begin, variable.end);
    std::size_t at = text.find(variable.name + "[");
    if (arrays == 0 || at == text.npos || (at > 0 && is_word_character(text[at - 1]))) return {};
    at += variable.name.size();
    std::string made;
    for (std::size_t count = 0; count < arrays; ++count) {
        at = text.find_first_not_of(" \t\n", at);
        const std::size_t close = at == text.npos ? at : text.find(']', at);
        if (close == text.npos || text[at] != '[') return {};
        const std::string inside = text.substr(at, close + 1 - at);
        for (std::size_t i = 0, end = 0; i < inside.size(); i = std::max(end, i + 1)) {
            for (end = i; is_word_character(inside[end]);) ++end;
            const std::string word = inside.substr(i, end - i);
            if (word.empty() &&
                std::string_view("[]()+-*/%<> \t").find(inside[i]) == std::string_view::npos)
                return {};
            if (word.empty() || !is_letter(word[0]) || macros_.contains(word)) continue;
            // A whole number at file scope, which becomes an enumerator.
            const auto is_it = [&](const Node* one) {
                return one->is("VarDecl") && one->name == word && one->type == "const int" &&
                       !memory_.contains(one->id);
            };
            const auto found = std::ranges::find_if(top_, is_it);
            const auto same = std::ranges::count_if(by_id_, [&](const auto& one) {
                return one.second->name == word && !tree_.is_cudas(*one.second);
            });
            if (found == top_.end() || same != 1 || name_of(**found) != word) return {};
            needed_.insert(*found);
        }
        made += inside;
        at = close + 1;
    }
    return made;
}

// ----- Writing.

std::string OpenClWriter::fresh_name(std::string name) const {
    while (has_word(tree_.text, name)) name += '_';
    return name;
}

std::string OpenClWriter::free_name(std::string_view name) const {
    const bool taken =
        is_address_space(name) || value_type_named(name) || is_builtin_function(name) ||
        Patterns::find(name) || starts_with_any(name, {"CLK_", "__attribute", "cl_", "ATOMIC_"}) ||
        (name.starts_with("image") && name.ends_with("_t")) ||
        is_one_of(
            name,
            {"kernel",   "__kernel",    "read_only",    "write_only",   "read_write",   "sampler_t",
             "event_t",  "pipe",        "restrict",     "generic",      "complex",      "imaginary",
             "quad",     "half",        "const",        "struct",       "union",        "enum",
             "typedef",  "return",      "sizeof",       "void",         "volatile",     "if",
             "else",     "aligned",     "packed",       "NULL",         "printf",       "vec_step",
             "queue_t",  "clk_event_t", "reserve_id_t", "ndrange_t",    "kernel_exec",  "ptrdiff_t",
             "intptr_t", "uintptr_t",   "typeof",       "memory_order", "memory_scope", "main"});
    return taken ? fresh_name(std::string(name) + "_") : std::string(name);
}

bool OpenClWriter::is_hidden(const std::string& name, const Memory* memory) const {
    const auto found = locals_.find(name);
    if (!memory) return found != locals_.end();
    const auto uses = [&](const Node* function, const Node* variable) {
        std::set<const Node*> variables, functions{function};
        find_uses(*function, variables, functions);
        return variables.contains(variable);
    };
    const auto uses_it = [&](const Node* one) { return uses(one, memory->variable); };
    if (found != locals_.end() && std::ranges::any_of(found->second, uses_it)) return true;
    // All arrays of `extern __shared__` are one.
    return std::ranges::any_of(memory_, [&](const auto& one) {
        const Memory& other = one.second;
        return other.name == name && !(other.is_dynamic && memory->is_dynamic) &&
               std::ranges::any_of(kernels_, [&](const Node* kernel) {
                   return uses_it(kernel) && uses(kernel, other.variable);
               });
    });
}

std::string OpenClWriter::unique_name(const std::string& wish, const Memory* memory) {
    const std::string name = free_name(wish);
    std::string made = name;
    const auto is_taken = [&] {
        return names_.contains(made) || is_hidden(made, memory) ||
               (made != name && has_word(tree_.text, made));
    };
    for (unsigned i = 2; is_taken(); ++i) made = fmt::format("{}_{}", name, i);
    if (macros_.contains(made)) throw NeedsExpansion{tree_.place(tree_.source)};
    if (memory) locals_[made];
    if (!memory) names_.insert(made);
    return made;
}

const std::string& OpenClWriter::name_of(const Node& declaration) {
    std::string& made = written_names_[first_id(declaration.id)];
    const auto record = record_names_.find(&declaration);
    if (made.empty())
        made = unique_name(record == record_names_.end() ? declaration.name : record->second);
    return made;
}

void OpenClWriter::remark(std::size_t at, std::string_view word, std::string_view what) {
    if (!(at < tree_.source))
        notes_.push_back(fmt::format("{}: '{}': {}", tree_.place(at), word, what));
}

void OpenClWriter::complain(std::size_t at, std::string_view word, std::string_view what) {
    if (problems_.size() < 500) problems_.emplace(at, fmt::format("'{}': {}", word, what));
}

void OpenClWriter::complain(std::size_t at, std::string_view word, const MappingRule& row) {
    complain(at, word, row.rationale);
}

void OpenClWriter::apply(const MappingRule& row, std::size_t at, std::string_view cuda,
                         std::string_view opencl) {
    if (at < tree_.source || cuda == opencl) return;
    applied_.insert({tree_.line(at), &row, std::string(cuda), std::string(opencl)});
}

void OpenClWriter::apply(std::string_view text, std::size_t at) {
    for (const std::span<const MappingRule> rows : {reverse_table(), mapping_table()}) {
        const auto found = std::ranges::find_if(
            rows, [&](const MappingRule& row) { return row.opencl == text || row.cuda == text; });
        if (found == rows.end()) continue;
        return apply(*found, at, found->cuda, found->opencl);
    }
}

namespace {

std::string operator_name(const std::string& name) {
    static const std::map<std::string, std::string> names{
        {"+", "add"},     {"-", "subtract"},       {"*", "multiply"},     {"/", "divide"},
        {"+=", "add_to"}, {"-=", "subtract_from"}, {"*=", "multiply_by"}, {"/=", "divide_by"},
        {"==", "equal"},  {"!=", "differ"},        {"<", "less"},         {">", "greater"}};
    if (!name.starts_with("operator")) return name;
    if (name[8] == ' ') return "converted";
    const auto found = names.find(name.substr(8));
    return found == names.end() ? "operation" : found->second;
}

}  // namespace

const Instance& OpenClWriter::instance(const Node& function, const std::vector<Passed>& passed,
                                       std::size_t asked_at) {
    const auto [found, fresh] = instances_.try_emplace({&function, passed});
    Instance& made = found->second;
    if (!fresh) {
        if (!made.is_done) {
            complain(asked_at, function.name, "it calls itself, which OpenCL C does not allow");
        }
        return made;
    }
    made.function = &function;
    made.name = unique_name(operator_name(function.name));
    FunctionWriter writer(*this, function, passed);
    made.result = writer.result();
    made.text = writer.helper_text(made.name);
    made.is_done = true;
    order_.emplace_back(&function, &made);
    written_.emplace_back(function.begin, function.end);
    apply("__device__ T f()", function.begin);
    if (made.name != function.name) apply("overload f(T)", function.begin);
    return made;
}

/// Kernels keep their names where they can: they come first.
void OpenClWriter::name_kernels() {
    for (const Node* const function : kernels_) {
        std::string name = function->name;
        const bool is_alone = std::ranges::count(kernels_, name, &Node::name) == 1;
        for (const Node& one : function->parts) {
            if (!one.is("TemplateArgument") || is_alone) continue;
            std::string word = one.value.empty() ? one.type : one.value;
            for (char& c : word) c = is_word_character(c) ? c : '_';
            name += "_" + word;
        }
        const std::string made = names_.contains(free_name(name)) || macros_.contains(name)
                                     ? unique_name(name)
                                     : *names_.insert(free_name(name)).first;
        instances_[{function, {}}] = {.function = function, .name = made};
        kernel_names_[function->id] = made;
        if (made == function->name) continue;
        notes_.push_back(fmt::format("{}: the kernel '{}' is called '{}' in OpenCL C",
                                     tree_.place(function->begin), function->name, made));
    }
}

void OpenClWriter::kernel(const Node& function) {
    Instance& made = instances_.at({&function, {}});
    FunctionWriter writer(*this, function, {});
    made.text = writer.kernel_text(made.name);
    apply("__kernel", function.begin);
    made.is_done = true;
    order_.emplace_back(&function, &made);
    written_.emplace_back(function.begin, function.end);
}

/// Alignment and packing, with a blank before each.
std::string OpenClWriter::attributes_of(const Node& node) {
    std::string made;
    for (const Node& one : node.parts) {
        if (!one.kind.ends_with("Attr") || one.kind.starts_with("CUDA")) continue;
        if (one.is("AlignedAttr")) {
            const Node* number = one.valued();
            if (!number)
                complain(one.begin, node.name, "its alignment is no number; write it as one");
            made += fmt::format(" __attribute__((aligned({})))", number ? number->value : "");
        } else if (one.is("PackedAttr") || one.is("MaxFieldAlignmentAttr")) {
            if (!one.is("PackedAttr"))
                complain(node.begin, node.name, "#pragma pack has no counterpart");
            made += " __attribute__((packed))";
        } else if (!one.is("UnusedAttr") && !one.is("UsedAttr")) {
            complain(one.begin, node.name,
                     fmt::format("an attribute ({}) without a counterpart", one.kind));
        }
    }
    if (const auto alias = by_id_.find(node.alias); alias != by_id_.end())
        made += attributes_of(*alias->second);
    return made;
}

std::string OpenClWriter::record_text(const Node& node) {
    written_.emplace_back(node.begin, node.end);
    std::string members;
    if (node.has_more) complain(node.begin, node.name, *rows_.refusal("virtual"));
    for (const Node& one : node.parts) {
        if (one.is("FieldDecl")) {
            const CudaType type = known_type(one);
            const bool is_odd =
                type.base.empty() || type.holds_pointers() || one.has_more || one.name.empty();
            if (is_odd && tree_.is_reading()) {
                members += fmt::format("    {};\n", source(one.begin, one.end));
            } else if (is_odd) {
                complain(one.begin, one.name.empty() ? node.name : one.name,
                         "a member that is a pointer, a reference, a part of a byte or without a "
                         "name; pass a pointer as a parameter of its own");
            } else {
                members += fmt::format("    {}{};\n",
                                       declared(type, Space::own, free_name(one.name), one.begin,
                                                extents_text(one, type)),
                                       attributes_of(one));
            }
        } else if (one.kind.ends_with("RecordDecl") && !one.is_implicit && one.name.empty()) {
            complain(one.begin, node.name, "a type without a name; give it one");
        }
    }
    const std::string name = name_of(node);
    const auto is_field = [](const Node& one) { return one.is("FieldDecl"); };
    if (members.empty() && std::ranges::none_of(node.parts, is_field))
        complain(node.begin, name, "an empty struct, which has a byte in C++");
    return fmt::format("typedef {}{} {} {{\n{}}} {};", node.tag == "union" ? "union" : "struct",
                       attributes_of(node), name, members, name);
}

std::string OpenClWriter::enum_text(const Node& node) {
    if (tree_.is_reading()) {
        std::string made = "\n";
        for (const Node& one : node.parts) {
            if (!one.is("EnumConstantDecl")) continue;
            made += fmt::format("#define {} ({})\n", name_of(one), enumerators_.at(one.id));
        }
        return made;
    }
    std::vector<std::string> parts;
    long long next = 0;
    for (const Node& one : node.parts) {
        if (!one.is("EnumConstantDecl")) continue;
        const long long value = enumerators_.at(one.id);
        parts.push_back(name_of(one) + (value == next ? "" : fmt::format(" = {}", value)));
        next = value + 1;
    }
    return fmt::format("enum {{ {} }};", fmt::join(parts, ", "));
}

std::string OpenClWriter::constant_text(const Node& node) {
    written_.emplace_back(node.begin, node.end);
    const CudaType type = known_type(node);
    FunctionWriter writer(*this, node, {});
    const Node* value = node.initial_value();
    if (!value) return {};
    std::set<const Node*> variables, functions;
    find_uses(*value, variables, functions);
    if (!functions.empty())
        complain(node.begin, node.name, "a constant that a function computes; write its value");
    const std::string& name = name_of(node);
    if (tree_.is_reading() && type.is_integer())
        return fmt::format("\n#define {} ({})\n", name, writer.constant(*value));
    if (type.layers.empty() && type.base == "int" && !addressed_.contains(node.id)) {
        return fmt::format("enum {{ {} = {} }};", name, writer.constant(*value));
    }
    const bool is_braces = bare(*value).is("InitListExpr");
    return fmt::format(
        "{}{} = {};", declared(type, Space::constant, name, node.begin, extents_text(node, type)),
        attributes_of(node), is_braces ? writer.braces_of(bare(*value)) : writer.constant(*value));
}

std::string OpenClWriter::between(std::size_t begin, std::size_t end) const {
    std::string made;
    for (std::size_t i = begin; i < end;) {
        const std::string_view rest = std::string_view(tree_.text).substr(i, end - i);
        std::size_t size = 1;
        bool stays = rest[0] == '\n';
        if (rest.starts_with("//")) {
            size = std::min(rest.find('\n'), rest.size());
            stays = !rest.starts_with("//#line");
        } else if (rest.starts_with("/*")) {
            size = std::min(rest.find("*/"), rest.size() - 2) + 2;
            stays = true;
        } else if (rest[0] == '#') {
            do {
                size = std::min(rest.find('\n', size), rest.size());
            } while (size < rest.size() && rest[size - 1] == '\\' && ++size);
            const std::string_view word = trimmed(rest.substr(1, size - 1));
            stays = word.starts_with("define") || word.starts_with("undef");
        } else if (rest[0] == '"' || rest[0] == '\'') {
            while (size < rest.size() && rest[size] != rest[0] && rest[size] != '\n') {
                size += rest[size] == '\\' ? 2 : 1;
            }
            ++size;
        }
        if (stays) made += rest.substr(0, size);
        i += size;
    }
    return made;
}

/// Whether a node is, has or names what clang could not read. Each clang marks that in its own way.
bool OpenClWriter::has_invalid(const Node& node) const {
    const auto named = by_id_.find(node.refers);
    return node.is_invalid || node.is("RecoveryExpr") ||
           node.type.find("<recovery-expr>") != std::string::npos ||
           (named != by_id_.end() && named->second->is_invalid) ||
           std::ranges::any_of(node.parts, [&](const Node& one) { return has_invalid(one); });
}

/// clang's output for a statement that it could not parse differs between versions: only its errors
/// are reported.
void OpenClWriter::forget_damaged(const Node& node) {
    for (const Node& one : node.parts) {
        if (node.is("CompoundStmt") && has_invalid(one)) {
            problems_.erase(problems_.lower_bound(one.begin), problems_.lower_bound(one.end));
        } else {
            forget_damaged(one);
        }
    }
}

void OpenClWriter::check_errors() {
    if (tree_.errors.empty()) return;
    const auto is_written = [&](std::size_t at) {
        return std::ranges::any_of(
            written_, [&](const auto& range) { return at >= range.first && at < range.second; });
    };
    const bool all_count = is_incomplete_ || std::ranges::any_of(by_id_, [&](const auto& one) {
                               return is_written(one.second->begin) && has_invalid(*one.second);
                           });
    for (const auto& [id, node] : by_id_) {
        if (is_written(node->begin)) forget_damaged(*node);
    }
    for (const ClangError& error : tree_.errors) {
        const bool counts = all_count || is_written(error.at);
        if (!counts) continue;
        std::string advice;
        const std::size_t open = error.what.find('\''), close = error.what.find('\'', open + 1);
        if (close != std::string::npos) {
            const std::string word = error.what.substr(open + 1, close - open - 1);
            // About a kernel that launches a kernel.
            const bool is_launch = error.what.starts_with("reference to __global__");
            if (const MappingRule* row = rows_.refusal(is_launch ? "<<<>>>" : word))
                advice = fmt::format(". {}", row->rationale);
        }
        problems_[error.at] = fmt::format("clang: {}{}", error.what, advice);
    }
}

/// `float f(float x)`
std::string OpenClWriter::head_of(const Instance& function) {
    return function.text.substr(0, function.text.find(") {") + 1);
}

/// Whether a text has the name of a type or a constant.
bool OpenClWriter::is_used_in(std::string_view text, const Node& declaration) {
    if (!declaration.is("EnumDecl")) return has_word(text, name_of(declaration));
    return std::ranges::any_of(declaration.parts, [&](const Node& one) {
        return one.is("EnumConstantDecl") && has_word(text, name_of(one));
    });
}

std::string OpenClWriter::run() {
    name_kernels();
    for (const Node* function : kernels_) kernel(*function);
    /// A type, a constant or a function.
    struct Piece {
        const Node* node = nullptr;
        std::string text;
        const Instance* function = nullptr;
        bool is_written = false, is_declared = false;
    };
    std::vector<Piece> pieces;
    // A type or a constant may need others.
    while (pieces.size() != needed_.size()) {
        for (const Node* one : std::set(needed_)) {
            if (std::ranges::count(pieces, one, &Piece::node) != 0) continue;
            pieces.push_back({one, one->is("EnumDecl")            ? enum_text(*one)
                                   : one->kind.starts_with("Var") ? constant_text(*one)
                                                                  : record_text(*one)});
        }
    }
    check_errors();
    if (!problems_.empty() && !tree_.is_reading()) {
        std::string all;
        for (const auto& [at, what] : problems_) {
            all += fmt::format("{}{}: {}", all.empty() ? "" : "\n", tree_.place(at), what);
        }
        throw Refused(all);
    }
    std::ranges::stable_sort(pieces, {}, [](const Piece& one) { return one.node->begin; });
    for (const auto& [function, instance] : order_)
        pieces.push_back({function, instance->text, instance});
    // A definition precedes its use; a template waits for the types that it is used with.
    const auto waits = [&](const Piece& piece) {
        std::string words = piece.text;
        for (const Piece& other : pieces) {
            if (other.function && has_word(piece.text, other.function->name))
                words += head_of(*other.function);
        }
        return std::ranges::any_of(pieces, [&](const Piece& other) {
            return !other.is_written && !other.function && &other != &piece &&
                   is_used_in(words, *other.node);
        });
    };
    const auto write_up_to = [&](std::size_t end) {
        std::string made;
        for (bool more = true; more;) {
            more = false;
            for (Piece& one : pieces) {
                if (one.is_written || one.node->end > end || waits(one)) continue;
                one.is_written = one.is_declared = more = true;
                if (!made.empty()) made += "\n\n";
                // C wants a function declared before its use.
                for (Piece& other : pieces) {
                    if (!other.function || other.is_declared ||
                        !has_word(one.text, other.function->name))
                        continue;
                    other.is_declared = true;
                    made += head_of(*other.function) + ";\n";
                }
                made += one.text;
            }
        }
        return made;
    };
    std::ranges::stable_sort(top_, {}, &Node::begin);
    std::size_t at = tree_.source;
    std::string text = write_up_to(at);
    if (!text.empty()) text += "\n\n";
    for (const Node* one : top_) {
        // `const int a = 1, b = 2;`: the second begins where the first does.
        const bool goes_on = one->begin < at;
        if (!goes_on) text += between(at, one->begin);
        at = std::max(at, one->end);
        const std::string made = write_up_to(at);
        text += (goes_on && !made.empty() ? "\n" : "") + made;
    }
    text += between(at, tree_.text.size());
    for (Piece& one : pieces) {
        if (!one.is_written) text += "\n" + one.text + "\n";
    }
    text = tidy(std::move(text));
    add_types(text);
    return text;
}

/// Leaves out macros that nothing uses, and blank lines where nothing is left.
std::string OpenClWriter::tidy(std::string text) const {
    std::vector<std::pair<std::string, bool>> lines;  // a #define with its continuations is one
    bool goes_on = false;
    for (const std::string_view line : lines_of(text)) {
        if (goes_on) {
            lines.back().first += "\n" + std::string(line);
        } else {
            lines.emplace_back(line, !trimmed(line).starts_with('#'));
        }
        goes_on = lines.back().first.ends_with('\\');
    }
    for (bool more = true; more;) {
        more = false;
        for (auto& [line, stays] : lines) {
            if (stays) continue;
            const auto defined = after_directive(line, "define");
            stays = !defined || std::ranges::any_of(lines, [&](const auto& other) {
                return other.second &&
                       has_word(other.first, defined->substr(0, word_end(*defined)));
            });
            more = more || stays;
        }
    }
    std::string made;
    bool was_blank = true;
    for (const auto& [line, stays] : lines) {
        if (!stays) continue;
        const bool is_blank = trimmed(line).empty();
        if (!is_blank || !was_blank) made += (is_blank ? "" : line) + "\n";
        was_blank = is_blank;
    }
    while (made.ends_with("\n\n")) made.pop_back();
    return made;
}

/// The beginning of the output: extensions, and CUDA's vectors that OpenCL C lays out differently.
void OpenClWriter::add_types(std::string& text) const {
    std::string head;
    if (has_double_) head += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    if (has_long_atomics_) {
        head +=
            "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
            "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n";
    }
    if (writes_3d_) head += "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n";
    if (is_uncontracted_) head += "#pragma OPENCL FP_CONTRACT OFF\n";
    for (const auto& [one, name] : packed_) {
        const unsigned width = static_cast<unsigned>(one.back() - '0');
        const std::string element = one.substr(7, one.size() - 8);
        head += fmt::format("typedef struct {}{{ {} {}; }} {};\n",
                            width == 4 ? "__attribute__((aligned(16))) " : "", element,
                            std::string_view("x, y, z, w").substr(0, 3 * width - 2), name);
    }
    text = head + (head.empty() ? "" : "\n") + text;
}

}  // namespace parallax::from_cuda

// Finds kernels, the instances of templates and launches in clang's tree.
#include "mapping/from_cuda/kernel_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax::from_cuda {
namespace {

constexpr std::string_view asked_scope = "parallax_asked";

bool is_kernel(const Node* function) {
    return function && function->part("CUDAGlobalAttr") != nullptr;
}

std::vector<const Node*> declared_parameters(const Node* pattern) {
    std::vector<const Node*> made;
    for (std::size_t i = 0; pattern && i < pattern->parts.size(); ++i) {
        const Node& one = pattern->parts[i];
        if (is_one_of(one.kind, {"TemplateTypeParmDecl", "NonTypeTemplateParmDecl",
                                 "TemplateTemplateParmDecl"}))
            made.push_back(&one);
    }
    return made;
}

/// `float`, `256`, `true`, `(Color)1`, as C++ spells them.
void spell_argument(const Node& argument, const Node* parameter, std::vector<std::string>& made) {
    if (argument.value.empty() && argument.type.empty()) {  // those of a pack
        for (const Node& one : argument.parts) spell_argument(one, parameter, made);
        return;
    }
    std::string text = argument.value.empty() ? argument.type : argument.value;
    if (!argument.value.empty() && parameter) {
        static const std::set<std::string_view> plain{
            "int",       "unsigned int",       "long",          "unsigned long",
            "long long", "unsigned long long", "short",         "unsigned short",
            "char",      "signed char",        "unsigned char", "auto",
            ""};
        const bool is_plain = plain.contains(parameter->type);
        if (parameter->type == "bool") {
            text = text == "0" || text == "false" ? "false" : "true";
        } else if (!is_plain && parameter->type.find(' ') == std::string::npos) {
            text = fmt::format("({}){}", parameter->type, text);
        }
    }
    made.push_back(std::move(text));
}

/// `blas::axpy` and `<float, 8>`
std::pair<std::string, std::string> parted(const std::string& word) {
    const std::size_t angle = word.find('<');
    std::string name = word.substr(0, angle);
    std::erase(name, ' ');
    return {name, angle == word.npos ? std::string() : word.substr(angle)};
}

}  // namespace

std::string KernelNode::expression() const {
    std::vector<std::string> shown;
    const std::vector<const Node*> declared = declared_parameters(pattern);
    if (is_open) {
        shown = parameters();
    } else {
        std::size_t p = 0;
        for (const Node& one : function->parts) {
            if (!one.is("TemplateArgument")) continue;
            spell_argument(one, p < declared.size() ? declared[p] : nullptr, shown);
            ++p;
        }
    }
    return shown.empty() ? name() : fmt::format("{}<{}>", name(), fmt::join(shown, ", "));
}

std::vector<std::string> KernelNode::parameters() const {
    std::vector<std::string> made;
    for (const Node* one : declared_parameters(pattern)) {
        if (!one->part("TemplateArgument")) made.push_back(one->name);
    }
    return made;
}

KernelIndex::KernelIndex(const ClangTree& tree) : tree_(tree) {
    find_ids(tree.root);
    find(tree.root, "");
    std::ranges::stable_sort(kernels_, {}, [](const KernelNode& one) {
        return one.pattern ? one.pattern->begin : one.function->begin;
    });
    find_launches(tree.root);
}

void KernelIndex::find_ids(const Node& node) {
    if (!node.id.empty() && node.kind.ends_with("Decl")) by_id_.emplace(node.id, &node);
    if (node.is("EnumDecl")) {
        long long next = 0;
        for (const Node& one : node.parts) {
            if (!one.is("EnumConstantDecl")) continue;
            if (!one.parts.empty()) next = value(one.parts[0]).value_or(next);
            enumerators_[one.id] = next++;
        }
    }
    for (const Node& one : node.parts) find_ids(one);
}

void KernelIndex::find(const Node& node, const std::string& around) {
    for (const Node& one : node.parts) {
        // `void gpu::f() {}` outside of the namespace repeats a declaration within.
        const auto before = scopes_.find(one.previous);
        const std::string scope = before == scopes_.end() ? around : before->second;
        if (!one.id.empty()) scopes_.emplace(one.id, scope);
        if (one.is("NamespaceDecl") && one.name == asked_scope) {
            if (const Node* variable = one.part("VarDecl")) asked_.push_back(variable);
        } else if (one.is("NamespaceDecl")) {
            find(one, scope + (one.name.empty() ? "" : one.name + "::"));
        } else if (one.is("LinkageSpecDecl")) {
            find(one, scope);
        } else if (one.is("FunctionDecl") && is_kernel(&one) && one.part("CompoundStmt")) {
            kernels_.push_back({&one, nullptr, scope});
        } else if (const Node* pattern = one.part("FunctionDecl");
                   one.is("FunctionTemplateDecl") && is_kernel(pattern)) {
            bool has_instance = false;
            for (const Node& other : one.parts) {
                // One without a body is written down elsewhere, or could not be made.
                if (!other.is("FunctionDecl") || &other == pattern) continue;
                if (!other.part("CompoundStmt") && !other.is_invalid) continue;
                has_instance = true;
                kernels_.push_back({&other, &one, scope});
            }
            if (!has_instance && pattern->part("CompoundStmt")) {
                kernels_.push_back({pattern, &one, scope, true});
            }
        }
    }
}

const Node* KernelIndex::declaration(const std::string& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
}

std::string KernelIndex::first_id(const std::string& id) const {
    std::string made = id;
    for (const Node* one = declaration(made); one && !one->previous.empty();
         one = declaration(made)) {
        made = one->previous;
    }
    return made;
}

const KernelNode* KernelIndex::asked(std::size_t instance) const {
    if (instance >= asked_.size()) return nullptr;
    const Node* one = asked_[instance];
    while (one && !one->is("DeclRefExpr")) one = one->parts.empty() ? nullptr : &one->parts[0];
    if (!one) return nullptr;
    const std::string id = first_id(one->refers);
    const auto found = std::ranges::find_if(
        kernels_, [&](const KernelNode& other) { return first_id(other.function->id) == id; });
    return found == kernels_.end() ? nullptr : &*found;
}

std::string KernelIndex::qualified(const std::string& word) const {
    const auto [name, arguments] = parted(word);
    std::set<std::string> fitting, all;
    for (const KernelNode& one : kernels_) {
        all.insert(one.name());
        if (one.name() == name) return name + arguments;
        if (one.name().ends_with("::" + name)) fitting.insert(one.name());
    }
    if (fitting.size() == 1) return *fitting.begin() + arguments;
    if (!fitting.empty()) {
        throw UsageError(fmt::format("{}:1: '{}': {} fit: write the namespace, too", tree_.file,
                                     word, fmt::join(fitting, " and ")));
    }
    throw UsageError(fmt::format("{}:1: '{}': the file has no such kernel; it has {}", tree_.file,
                                 word,
                                 all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "))));
}

std::vector<KernelNode> KernelIndex::wanted(
    const std::vector<std::string>& words,
    const std::vector<std::optional<std::size_t>>& instances) const {
    if (words.empty()) return kernels_;
    std::vector<KernelNode> made;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto found = named(words[i], instances[i]);
        made.insert(made.end(), found.begin(), found.end());
    }
    return made;
}

std::vector<KernelNode> KernelIndex::named(const std::string& word,
                                           std::optional<std::size_t> instance) const {
    if (instance) {
        if (const KernelNode* one = asked(*instance)) return {*one};
    }
    std::vector<KernelNode> made;
    for (const KernelNode& one : kernels_) {
        if (one.function->mangled == word) return {one};  // of an overload, too
    }
    const auto [name, arguments] = parted(qualified(word));
    for (const KernelNode& one : kernels_) {
        if (one.name() == name) made.push_back(one);
    }
    if (!instance) return made;
    const KernelNode& one = made.front();
    const std::string head =
        one.pattern
            ? tree_.text.substr(one.pattern->begin,
                                tree_.text.find('>', one.pattern->begin) + 1 - one.pattern->begin)
            : "no template";
    throw UsageError(fmt::format("{}: '{}': the arguments do not fit the kernel, which is {}",
                                 tree_.place(one.function->begin), word,
                                 one.pattern ? "a " + head : head));
}

// ----- Numbers.

std::optional<long long> KernelIndex::value(const Node& expression) const {
    return value(expression, 0);
}

std::optional<long long> KernelIndex::value(const Node& node, unsigned depth) const {
    if (depth > 60) return {};
    if (is_one_of(node.kind, {"IntegerLiteral", "ConstantExpr", "CharacterLiteral"}) &&
        !node.value.empty()) {
        return std::strtoll(node.value.c_str(), nullptr, 10);
    }
    if (node.is("CXXBoolLiteralExpr")) return node.value == "true" ? 1 : 0;
    if (node.is("DeclRefExpr")) {
        if (const auto found = enumerators_.find(node.refers); found != enumerators_.end())
            return found->second;
        const Node* variable = declaration(node.refers);
        const Node* initial =
            variable && variable->is("VarDecl") ? variable->initial_value() : nullptr;
        return initial ? value(*initial, depth + 1) : std::nullopt;
    }
    if (is_one_of(node.kind, {"BinaryOperator", "UnaryOperator", "ConditionalOperator"}))
        return operation(node, depth);
    const bool is_passed_over = is_one_of(
        node.kind, {"ParenExpr", "ImplicitCastExpr", "CStyleCastExpr", "CXXStaticCastExpr",
                    "CXXFunctionalCastExpr", "ConstantExpr", "ExprWithCleanups",
                    "MaterializeTemporaryExpr", "InitListExpr", "SubstNonTypeTemplateParmExpr"});
    if (!is_passed_over || node.parts.empty() ||
        (node.is("InitListExpr") && node.parts.size() != 1)) {
        return {};
    }
    return value(node.parts.back(), depth + 1);
}

std::optional<long long> KernelIndex::operation(const Node& node, unsigned depth) const {
    const auto a = node.parts.empty() ? std::nullopt : value(node.parts[0], depth + 1);
    if (!a) return {};
    const std::string& sign = node.operation;
    if (node.is("UnaryOperator")) {
        return sign == "-"   ? std::optional(-*a)
               : sign == "+" ? a
               : sign == "~" ? std::optional(~*a)
                             : std::nullopt;
    }
    if (node.is("ConditionalOperator")) return value(node.parts.at(*a != 0 ? 1 : 2), depth + 1);
    const auto b = value(node.parts.at(1), depth + 1);
    constexpr long long most = std::numeric_limits<int>::max();
    const bool is_small = b && *a >= -most && *a <= most && *b >= -most && *b <= most;
    if (!is_small) return {};
    if (sign == "+") return *a + *b;
    if (sign == "-") return *a - *b;
    if (sign == "*") return *a * *b;
    if (sign == "/" && *b != 0) return *a / *b;
    if (sign == "%" && *b != 0) return *a % *b;
    if (sign == "<<" && *b >= 0 && *b < 31 && *a >= 0) return *a << *b;
    if (sign == ">>" && *b >= 0 && *b < 63 && *a >= 0) return *a >> *b;
    if (sign == "==") return *a == *b ? 1 : 0;
    if (sign == "<") return *a < *b ? 1 : 0;
    if (sign == ">") return *a > *b ? 1 : 0;
    return {};
}

// ----- Launches.

/// The extents of a `dim3`: `256`, `dim3(16, 16)`, or a variable of one.
std::array<unsigned, 3> KernelIndex::extents(const Node& node, unsigned depth) const {
    if (depth > 60) return {};
    if (node.is("DeclRefExpr")) {
        const Node* variable = declaration(node.refers);
        const Node* initial =
            variable && variable->is("VarDecl") ? variable->initial_value() : nullptr;
        return initial ? extents(*initial, depth + 1) : std::array<unsigned, 3>{};
    }
    const bool is_dim3 = node.type.find("dim3") != std::string::npos;
    if (node.parts.empty() || !is_dim3) return {};
    // A copy, a cast, a temporary.
    if (node.parts[0].type.find("dim3") != std::string::npos)
        return extents(node.parts[0], depth + 1);
    std::array<unsigned, 3> made{1, 1, 1};
    for (std::size_t d = 0; d < std::min<std::size_t>(node.parts.size(), 3); ++d) {
        if (node.parts[d].is("CXXDefaultArgExpr")) continue;
        const auto one = value(node.parts[d]);
        if (!one || *one < 1 || *one > 1024) return {};
        made.at(d) = static_cast<unsigned>(*one);
    }
    return made;
}

void KernelIndex::find_launches(const Node& node) {
    if (node.is("CUDAKernelCallExpr") && node.parts.size() > 1) {
        const Node& callee = bare(node.parts[0]);
        const Node& configured = bare(node.parts[1]);
        if (callee.is("DeclRefExpr") && configured.parts.size() > 2) {
            blocks_[first_id(callee.refers)].push_back(extents(configured.parts[2], 0));
        }
    }
    for (const Node& one : node.parts) find_launches(one);
}

std::array<unsigned, 3> KernelIndex::block_of(const KernelNode& kernel) const {
    const auto found = blocks_.find(first_id(kernel.function->id));
    if (found == blocks_.end()) return {};
    const auto said =
        std::ranges::find_if(found->second, [](const auto& one) { return one[0] != 0; });
    return said == found->second.end() ? std::array<unsigned, 3>{} : *said;
}

// ----- Trees.

namespace {

/// Removes includes: the included text is there already.
std::string without_includes(std::string_view source) {
    std::string made;
    for (const std::string_view line : lines_of(source)) {
        if (!after_directive(line, "include")) made += line;
        made += '\n';
    }
    return made;
}

}  // namespace

std::string preprocessed_cuda(std::string_view file, std::string_view source,
                              std::vector<Define> defines) {
    for (const auto& [name, value] : {std::pair("__CUDACC__", "1"),
                                      {"__NVCC__", "1"},
                                      {"__linux__", "1"},
                                      {"__CUDA_ARCH__", "900"},
                                      {"__cplusplus", "201703L"}}) {
        if (std::ranges::find(defines, name, &Define::name) == defines.end())
            defines.push_back({name, value});
    }
    const std::string text = without_includes(source);
    const auto run = [&](const std::string& whole) {
        return expanded(file, whole, defines, {}, PathSandbox({}),
                        {"__OPENCL_VERSION__", "__OPENCL_C_VERSION__"});
    };
    try {
        return run(text);
    } catch (const Refused&) {
        return run(device_code(file, text, defines));  // it may be the host's part
    }
}

KernelTree kernel_tree(std::string_view file, std::string_view text,
                       const std::vector<Define>& defines, const std::vector<std::string>& words,
                       Dialect dialect) {
    KernelTree made;
    std::vector<std::string> instances;
    for (const std::string& word : words) {
        const bool is_instance = word.find('<') != word.npos;
        made.instances.push_back(is_instance ? std::optional(instances.size()) : std::nullopt);
        if (is_instance) instances.push_back(word);
    }
    made.tree = clang_tree(file, text, defines, instances, dialect);
    // Namespaces may be left out.
    bool differs = false;
    const KernelIndex index(made.tree);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (made.tree.complaint(i).empty()) continue;
        const std::string whole = index.qualified(instances[i]);
        differs = differs || whole != instances[i];
        instances[i] = whole;
    }
    if (differs) made.tree = clang_tree(file, text, defines, instances, dialect);
    return made;
}

std::vector<std::string> instances_of(std::string_view file, std::string_view source,
                                      const std::vector<Define>& defines) {
    const ClangTree tree = clang_tree(file, source, defines, {}, Dialect::reading);
    const KernelIndex index(tree);
    std::vector<std::string> made;
    for (const KernelNode& one : index.kernels()) {
        if (one.pattern && !one.is_open) made.push_back(one.expression());
    }
    return made;
}

}  // namespace parallax::from_cuda

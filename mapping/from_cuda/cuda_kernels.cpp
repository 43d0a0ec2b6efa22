// Says of each kernel in clang's tree what a launch of it takes, and writes it to be read.
#include "mapping/from_cuda/cuda_kernels.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/kernel_tree.hpp"
#include "mapping/from_cuda/needed_source.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax {
namespace from_cuda {

/// One kernel of a tree.
class KernelReader {
public:
    KernelReader(const ClangTree& tree, const KernelIndex& index, const KernelNode& kernel)
        : tree_(tree),
          index_(index),
          kernel_(kernel),
          function_(*kernel.function),
          writer_(tree, {kernel.function->id}, {}) {}

    CudaKernel read() {
        made_.signature.kernel = function_.name;
        made_.signature.line = tree_.line(function_.begin);
        made_.signature.last_line = tree_.line(function_.end);
        made_.expression = kernel_.expression();
        made_.mangled = function_.mangled;
        made_.needed = needed_source(tree_, kernel_.pattern ? *kernel_.pattern : function_);
        if (kernel_.is_open) made_.open = kernel_.parameters();
        const std::vector<Signature> read = write();
        for (const Node& one : function_.parts) {
            if (one.is("ParmVarDecl")) add_parameter(one, read);
        }
        add_memory();
        std::set<const Node*> seen;
        find_waits(function_, seen);
        find_block();
        if (read.empty()) made_.reading = head();
        return std::move(made_);
    }

private:
    /// The reading, and its signature; none where it cannot be read.
    std::vector<Signature> write() {
        std::vector<Signature> read;
        if (kernel_.is_open || !function_.part("CompoundStmt")) return read;
        try {
            std::string text = writer_.run();
            if (has_word(text, "__nv_bfloat16")) text = "typedef ushort __nv_bfloat16;\n" + text;
            read = signatures(tree_.file, text, TranslateOptions{});
            made_.reading = std::move(text);
        } catch (const NeedsExpansion&) {  // there is no preprocessor
        } catch (const Refused&) {
        } catch (const std::out_of_range&) {  // a node without the parts that its kind has
        }
        return read;
    }

    /// A kernel without its body, by what is known of its parameters and its memory.
    std::string head() const {
        std::vector<std::string> list;
        const auto add = [&](std::string_view before, const std::string& type,
                             const std::string& name) {
            std::string word = type;
            for (char& c : word) c = is_word_character(c) ? c : '_';
            list.push_back(fmt::format("{} {} {}", before, word, writer_.free_name(name)));
        };
        for (const Parameter& one : made_.signature.parameters) {
            const bool is_image = one.kind == Parameter::Kind::image;
            const bool points = one.kind == Parameter::Kind::global;
            add(is_image ? one.read_only ? "__read_only" : "__write_only"
                : points ? one.read_only ? "__global const" : "__global"
                         : "",
                one.type == "bool" ? "uchar" : one.type, (points ? "*" : "") + one.name);
        }
        for (const CudaVariable& one : made_.symbols) {
            if (one.value.empty())
                add(one.kind == CudaVariable::Kind::constant ? "__constant" : "__global", one.type,
                    "*" + one.name);
        }
        for (const CudaVariable& one : made_.shared) add("__local", one.type, "*" + one.name);
        return fmt::format("__kernel void {}({}) {{ }}\n",
                           writer_.free_name(made_.signature.kernel), fmt::join(list, ", "));
    }

    /// OpenCL C's name of a type without pointers; as it is written where there is none.
    std::string name_of_type(const CudaType& type, const Node& declared) {
        if (declared.is_invalid || type.base.empty()) return written_type(declared);
        if (type.base == "bool") return "bool";
        const std::string name = writer_.base_name({.base = type.base}, declared.begin);
        const auto known = value_type_named(name);
        return known ? name_of(*known) : name;
    }

    /// `Wrapper<3>` of `const Wrapper<3>* w`
    std::string written_type(const Node& declared) const {
        std::string text = tree_.text.substr(declared.begin, declared.end - declared.begin);
        if (!declared.name.empty() && text.ends_with(declared.name))
            text.resize(text.size() - declared.name.size());
        std::string_view rest = trimmed(text);
        if (rest.starts_with("const ")) rest = trimmed(rest.substr(6));
        while (rest.ends_with('*') || rest.ends_with('&'))
            rest = trimmed(rest.substr(0, rest.size() - 1));
        return std::string(rest);
    }

    void add_parameter(const Node& declared, const std::vector<Signature>& read) {
        Parameter made;
        const std::size_t number = made_.signature.parameters.size() + 1;
        const std::string own =
            declared.name.empty() ? fmt::format("unnamed_{}", number) : declared.name;
        const std::string name = writer_.free_name(own);
        if (!read.empty()) {
            const auto found = std::ranges::find(read[0].parameters, name, &Parameter::name);
            if (found != read[0].parameters.end()) made = *found;
        }
        made.name = own;
        const CudaType type = writer_.known_type(declared);
        if (OpenClWriter::is_image(type)) {
            const ImageUse use = writer_.image_use(function_, declared.id);
            made.kind = Parameter::Kind::image;
            made.type = use.type.empty() ? "image2d_t" : use.type;
            made.read_only = type.base == "cudaTextureObject_t";
            add_image(own, use, declared);
        } else {
            const auto pointers = std::ranges::count_if(type.layers, [](const auto& one) {
                return one.kind == CudaType::Layer::Kind::pointer;
            });
            const bool points = type.is_pointer() || type.is_array();
            made.kind = points ? Parameter::Kind::global : Parameter::Kind::scalar;
            made.read_only = points && type.is_const;
            made.type = name_of_type(type, declared);
            if (pointers > 1)
                made.type += " " + std::string(static_cast<std::size_t>(pointers) - 1, '*');
        }
        made_.signature.parameters.push_back(std::move(made));
    }

    void add_image(const std::string& name, const ImageUse& use, const Node& declared) {
        const auto texel = writer_.type_of(use.texel);
        if (!texel) return;
        const auto type =
            value_type_named(writer_.base_name({.base = texel->base}, declared.begin));
        if (type) made_.images.push_back({name, std::string(type->element), type->width});
    }

    void add_memory() {
        const std::vector<const Memory*> all = writer_.memory_of(function_);
        for (const bool is_shared : {false, true}) {
            for (const Memory* one : all) {
                if (!one->is_parameter || (one->space == Space::local) != is_shared) continue;
                CudaVariable variable = variable_of(*one->variable, one->type);
                if (is_shared) variable.count.clear();
                (is_shared ? made_.shared : made_.symbols).push_back(std::move(variable));
            }
        }
        // Adds the variables with an initial value, which the reading declares.
        std::set<const Node*> used, functions{&function_};
        find_values(function_, used, functions);
        std::vector<const Node*> sorted(used.begin(), used.end());
        std::ranges::sort(sorted, {}, &Node::begin);
        for (const Node* one : sorted)
            made_.symbols.push_back(variable_of(*one, writer_.known_type(*one)));
    }

    void find_values(const Node& node, std::set<const Node*>& used,
                     std::set<const Node*>& functions) {
        const Node* one = node.refers.empty() ? nullptr : index_.declaration(node.refers);
        const bool is_symbol =
            one && one->is("VarDecl") && !writer_.memory(one->id) && !tree_.is_cudas(*one) &&
            one->initial_value() &&
            (is_said(*one, "CUDAConstantAttr") || is_said(*one, "CUDADeviceAttr"));
        if (is_symbol && !one->is_constexpr) used.insert(one);
        const Node* called = one ? writer_.definition(one->id) : nullptr;
        if (called && functions.insert(called).second) find_values(*called, used, functions);
        for (const Node& part : node.parts) find_values(part, used, functions);
    }

    /// Whether the source has the attribute: clang gives one to each constant that a kernel uses.
    static bool is_said(const Node& declared, std::string_view attribute) {
        const Node* found = declared.part(attribute);
        return found && !found->is_implicit;
    }

    CudaVariable variable_of(const Node& declared, const CudaType& type) {
        CudaVariable made;
        made.kind = declared.part("CUDASharedAttr")     ? CudaVariable::Kind::shared
                    : declared.part("CUDAConstantAttr") ? CudaVariable::Kind::constant
                                                        : CudaVariable::Kind::device;
        made.name = declared.name;
        made.type = name_of_type(type, declared);
        std::uint64_t count = 1;
        for (const auto& one : type.layers) {
            if (one.kind == CudaType::Layer::Kind::array)
                count *= std::max<std::uint64_t>(one.extent, 1);
        }
        if (type.is_array()) made.count = std::to_string(count);
        if (const Node* value = declared.initial_value(); value && value->has_place())
            made.value = tree_.text.substr(value->begin, value->end - value->begin);
        return made;
    }

    /// `grid.sync()`, `cg::sync(grid)`
    void find_waits(const Node& node, std::set<const Node*>& seen) {
        const bool is_call = is_one_of(node.kind, {"CXXMemberCallExpr", "CallExpr"});
        if (is_call && !node.parts.empty()) {
            const Node& callee = bare(node.parts[0]);
            const bool is_sync = callee.name == "sync" || callee.refers_name == "sync";
            const Node* group = callee.is("MemberExpr") && !callee.parts.empty() ? &callee.parts[0]
                                : node.parts.size() > 1                          ? &node.parts[1]
                                                                                 : nullptr;
            made_.waits_for_grid |=
                is_sync && group && group->type.find("grid_group") != std::string::npos;
            const Node* called = writer_.definition(callee.refers);
            if (called && seen.insert(called).second) find_waits(*called, seen);
        }
        for (const Node& part : node.parts) find_waits(part, seen);
    }

    /// Whether the kernel asks for its place in a second direction.
    bool has_rows(const Node& node) const {
        if (node.is("MemberExpr") && !node.parts.empty() && is_one_of(node.name, {"y", "z"})) {
            const Node& object = bare(node.parts[0]);
            if (is_one_of(object.refers_name, {"threadIdx", "blockDim"})) return true;
        }
        return std::ranges::any_of(node.parts, [&](const Node& one) { return has_rows(one); });
    }

    void find_block() {
        if (const Node* bounds = function_.part("CUDALaunchBoundsAttr");
            bounds && !bounds->parts.empty()) {
            const auto most = index_.value(bounds->parts[0]);
            if (most && *most > 0 && *most <= 1024) made_.bound = static_cast<unsigned>(*most);
        }
        made_.items = index_.block_of(kernel_);
        if (made_.items[0] == 0 && made_.bound != 0 && !has_rows(function_))
            made_.items = {made_.bound, 1, 1};
    }

    const ClangTree& tree_;
    const KernelIndex& index_;
    const KernelNode& kernel_;
    const Node& function_;
    OpenClWriter writer_;
    CudaKernel made_;
};

namespace {

/// The text after the preprocessor, where there is one that takes it, and the macros that are left.
std::pair<std::string, std::vector<Define>> prepared(std::string_view file, std::string_view source,
                                                     const CudaOptions& options) {
    const bool is_plain = directives_of(source).all.empty() && options.defines.empty();
    if (!is_plain && can_expand()) {
        try {
            return {preprocessed_cuda(file, source, options.defines), {}};
        } catch (const Error&) {  // clang may accept the source unchanged
        }
    }
    return {std::string(source), options.defines};
}

/// The lines that include CUDA's headers for the device, `cuda_fp16.h`: the tree has none.
std::string device_includes(std::string_view source) {
    std::string lines;
    int depth = 0;  // of conditions, which may be false
    for (const DirectiveLine& one : directives_of(source).all) {
        depth += one.name.starts_with("if") ? 1 : one.name == "endif" ? -1 : 0;
        if (depth > 0) continue;
        const std::string_view name = trimmed(one.rest);
        if (one.name != "include" || name.size() < 3 || name.front() != '<') continue;
        if (!is_host_header(name.substr(1, name.find('>') - 1)))
            lines += fmt::format("#include {}\n", name);
    }
    return lines;
}

}  // namespace
}  // namespace from_cuda

std::vector<CudaKernel> cuda_kernels(std::string_view file, std::string_view source,
                                     const CudaOptions& options) {
    using namespace from_cuda;
    const auto [text, defines] = prepared(file, source, options);
    const KernelTree read = kernel_tree(file, text, defines, options.kernels, Dialect::reading);
    const KernelIndex index(read.tree);
    std::vector<CudaKernel> made;
    const std::string includes = device_includes(source);
    try {
        for (const KernelNode& one : index.wanted(options.kernels, read.instances)) {
            made.push_back(KernelReader(read.tree, index, one).read());
            if (includes.empty()) continue;
            made.back().needed =
                fmt::format("{}{}\n{}", includes, line_directive(1, file), made.back().needed);
        }
    } catch (const NeedsExpansion& need) {
        throw Refused(
            fmt::format("{}: the preprocessor would have to run first, and does not take "
                        "this source: 'parallax port {}' says why",
                        need.place, file));
    }
    return made;
}

}  // namespace parallax

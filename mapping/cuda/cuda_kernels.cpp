// Finds the kernels of a CUDA source, and reads their signatures.
#include "mapping/cuda/cuda_kernels.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/cuda/reading_form.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax {
namespace cuda_reading {
namespace {

/// The text after the preprocessor, where there is one that takes it.
std::string prepared(std::string_view file, std::string_view source, const CudaOptions& options) {
    std::string text = lexable(source);
    const bool plain = text.find('#') == text.npos && options.defines.empty();
    if (!plain && can_expand()) {
        std::vector<Define> defines = options.defines;
        for (const char* name : {"__CUDACC__", "__NVCC__", "__CUDA_ARCH__"}) {
            if (std::ranges::find(defines, name, &Define::name) == defines.end()) {
                defines.push_back({name, std::string_view(name) == "__CUDA_ARCH__" ? "900" : "1"});
            }
        }
        try {
            return expanded(file, text, defines, {}, PathSandbox({}),
                            {"__OPENCL_VERSION__", "__OPENCL_C_VERSION__"});
        } catch (const Error&) {  // it may be readable as it stands
        }
    }
    return with_defines(file, text, options.defines);
}

/// `blas::saxpy<float, 256>` in its parts.
struct Expression {
    std::string name, scope;
    std::vector<std::string> arguments;
};

Expression expression_of(const CudaFile& file, const std::string& text) {
    const Tokens tokens = file.lexed(text);
    Expression made;
    std::size_t i = 0;
    for (; i < tokens.size(); ++i) {
        if (tokens.is_scope(i)) {
            if (!made.name.empty()) made.scope += made.name + "::";
            made.name.clear();
            ++i;
        } else if (tokens[i].kind == TokenKind::identifier && made.name.empty()) {
            made.name = tokens[i].text;
        } else {
            break;
        }
    }
    const auto close = tokens.angle(i);
    if (close && *close + 1 == tokens.size()) {
        for (const Range& part : tokens.parts({i + 1, *close}))
            made.arguments.push_back(tokens.text(part));
    } else if (i < tokens.size()) {
        made.name.clear();
    }
    return made;
}

/// What a kernel is with these template arguments.
CudaKernel kernel_of(const CudaFile& file, const Function& function,
                     const std::vector<std::string>& given) {
    const Tokens& tokens = file.tokens();
    CudaKernel made;
    const std::string name(tokens[function.name].text);
    made.signature.kernel = name;
    made.signature.line = tokens[function.first].line;
    made.signature.last_line = tokens[std::min(function.last, tokens.size() - 1)].line;
    TemplateArguments arguments;
    std::vector<std::string> shown;
    const auto& wanted = function.parameters;
    const bool has_pack = std::ranges::any_of(wanted, &TemplateParameter::is_pack);
    if (!has_pack && given.size() > wanted.size() && function.arguments.empty()) {
        throw Refused(file.complaint(
            function.name,
            fmt::format(
                "the kernel has {} template parameters, and {} arguments are given; leave {} out",
                wanted.size(), given.size(), given.size() - wanted.size())));
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::string text;
        if (i < given.size() && !wanted[i].is_pack) {
            text = given[i];
        } else if (!wanted[i].value.empty()) {
            text = tokens.text(wanted[i].value);
            for (const auto& [one, other] : arguments) {
                if (text == one) text = other;
            }
        }
        if (text.empty() || text == wanted[i].name) {
            made.open.emplace_back(wanted[i].name);
            shown.emplace_back(wanted[i].name);
            continue;
        }
        shown.push_back(text);
        arguments[wanted[i].name] = text;
    }
    if (!function.arguments.empty()) shown.push_back(tokens.text(function.arguments));
    made.expression =
        function.scope + name + (shown.empty() ? "" : fmt::format("<{}>", fmt::join(shown, ", ")));
    for (const CudaLaunch& one : file.launches()) {
        const Expression launched = expression_of(file, one.expression);
        if (launched.name != name) continue;
        made.launches.push_back(one);
        const bool same =
            launched.arguments.empty() || std::ranges::equal(launched.arguments, shown);
        if (same && made.items[0] == 0) made.items = one.items;
    }
    if (!function.bounds.empty()) {
        const auto bounds = tokens.parts(function.bounds);
        const auto most = constant_value(
            tokens, bounds[0], [&](std::string_view word) -> std::optional<std::int64_t> {
                const auto found = arguments.find(word);
                if (found == arguments.end()) return file.constant(word);
                const Tokens value = file.lexed(found->second);
                return constant_value(value, {0, value.size()},
                                      [&](std::string_view other) { return file.constant(other); });
            });
        if (most && *most > 0 && *most <= 1024) made.bound = static_cast<unsigned>(*most);
    }
    bool is_row = true;
    for (std::size_t i = function.body; i < function.last; ++i) {
        const bool place = tokens[i].is_one_of({"threadIdx", "blockDim"}) && tokens[i + 1].is(".");
        is_row = is_row && !(place && tokens[i + 2].is_one_of({"y", "z"}));
    }
    if (made.items[0] == 0 && made.bound != 0 && is_row) made.items = {made.bound, 1, 1};

    ReadingForm form(file);
    form.write(function, arguments);
    made.shared = form.shared();
    made.symbols = form.symbols();
    made.images = form.images();
    made.waits_for_grid = form.waits_for_grid;
    std::vector<Signature> read;
    for (const bool with_body : {true, false}) {
        made.reading = form.text(with_body);
        try {
            read = signatures(name, made.reading, TranslateOptions{});
        } catch (const Refused&) {
            read.clear();
        }
        if (!read.empty()) break;
    }
    const auto& declared = form.parameters();
    for (std::size_t p = 0; p < declared.size(); ++p) {
        const DeclaredParameter& one = declared[p];
        Parameter& parameter = made.signature.parameters.emplace_back();
        if (!read.empty() && p < read[0].parameters.size()) parameter = read[0].parameters[p];
        parameter.name = one.name;
        if (one.is_image) {
            parameter.kind = Parameter::Kind::image;
            parameter.type = "image2d_t";
            parameter.read_only = !one.is_surface;
            continue;
        }
        parameter.kind = one.pointers > 0 ? Parameter::Kind::global : Parameter::Kind::scalar;
        parameter.read_only = one.pointers > 0 && one.type.is_const;
        const bool known =
            one.pointers < 2 && (value_type_named(parameter.type) || !parameter.members.empty() ||
                                 !parameter.obstacle.empty());
        if (!known || one.type.text.ends_with("nv_bfloat16")) parameter.type = one.type_text();
    }
    return made;
}

}  // namespace
}  // namespace cuda_reading

std::vector<CudaKernel> cuda_kernels(std::string_view file, std::string_view source,
                                     const CudaOptions& options) {
    using namespace cuda_reading;
    const CudaFile read(file, prepared(file, source, options));
    std::vector<CudaKernel> made;
    std::vector<std::string> names;
    for (const Function& one : read.functions()) {
        if (!one.is_kernel) continue;
        names.push_back(one.scope + std::string(read.tokens()[one.name].text));
        if (options.kernels.empty()) made.push_back(kernel_of(read, one, {}));
    }
    for (const std::string& wanted : options.kernels) {
        const Expression expression = expression_of(read, wanted);
        const Function* found = nullptr;
        for (const Function& one : read.functions()) {
            if (!one.is_kernel || read.tokens()[one.name].text != expression.name) continue;
            if (!one.scope.ends_with(expression.scope)) continue;
            const std::string special = read.tokens().text(one.arguments);
            const bool same = special == fmt::format("{}", fmt::join(expression.arguments, ", "));
            if (one.arguments.empty() ? !found : same) found = &one;
        }
        if (!found) {
            throw UsageError(
                fmt::format("{}:1: '{}': the file has no such kernel; it has {}", file, wanted,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
        }
        made.push_back(kernel_of(read, *found, expression.arguments));
    }
    return made;
}

std::vector<Signature> cuda_signatures(std::string_view file, std::string_view source,
                                       const CudaOptions& options) {
    std::vector<Signature> made;
    for (CudaKernel& one : cuda_kernels(file, source, options))
        made.push_back(std::move(one.signature));
    return made;
}

}  // namespace parallax

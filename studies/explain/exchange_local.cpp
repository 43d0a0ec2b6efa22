// Rewrites how a kernel's PTX gets the addresses of its local parameters.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "common/device/ptx_text.hpp"
#include "common/error.hpp"
#include "studies/explain/exchange.hpp"

namespace parallax {
namespace {

// Registers that are added: where CUDA's dynamic array is, and OpenCL's first local parameter.
constexpr std::string_view array_start = "%parallax_array", local_start = "%parallax_local";

std::vector<std::size_t> local_places(const Signature& kernel) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        if (kernel.parameters[i].kind == Parameter::Kind::local) places.push_back(i);
    }
    return places;
}

bool has_kernel(const std::string& text, const Signature& kernel) {
    const PtxText parsed(text);
    return !parsed.with_callees(kernel.kernel).empty();
}

/// A kernel's PTX in parts, of which two are changed.
struct KernelText {
    std::string before, body, after;
    std::vector<std::string> parameters;
    std::string between;  ///< from the closing parenthesis to the body
};

KernelText kernel_text_of(const std::string& text, const Signature& kernel) {
    const PtxText parsed(text);
    const PtxFunction* const function = parsed.function(kernel.kernel);
    const std::string_view whole = parsed.text();
    const auto body = static_cast<std::size_t>(function->braces.data() - whole.data());
    const auto name = static_cast<std::size_t>(function->name.data() - whole.data());
    const std::size_t open = whole.find('(', name), close = whole.find(')', open);
    if (open > body || close > body) {
        throw Unsupported(fmt::format("'{}' has no parameters in its PTX.", kernel.kernel));
    }
    KernelText parts{std::string(whole.substr(0, open + 1)),
                     std::string(function->braces),
                     std::string(whole.substr(body + function->braces.size())),
                     {},
                     std::string(whole.substr(close, body - close))};
    std::string_view list = whole.substr(open + 1, close - open - 1);
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        parts.parameters.emplace_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return parts;
}

std::string joined_text(const KernelText& parts) {
    std::string text = parts.before;
    for (std::size_t i = 0; i < parts.parameters.size(); ++i) {
        text += (i > 0 ? "," : "") + parts.parameters[i];
    }
    return text + parts.between + parts.body + parts.after;
}

std::string declared_name(const std::string& declaration) {
    return std::string(declared_word(declaration));
}

/// Statements of the body that load the parameter are replaced by `what(target, bits)`.
/// @throws Unsupported where the parameter is read otherwise
template <class What>
void replace_loads(std::string& body, const std::string& parameter, What what) {
    constexpr std::string_view load = "ld.param.";
    std::string made;
    std::size_t done = 0;
    for (std::size_t at = body.find(load); at != body.npos; at = body.find(load, at + 1)) {
        const std::string statement = body.substr(at, body.find(';', at) + 1 - at);
        const std::size_t open = statement.find('['), close = statement.find(']');
        const std::size_t space = statement.find_first_of(" \t"), comma = statement.find(',');
        if (close == statement.npos || statement.substr(open + 1, close - open - 1) != parameter) {
            continue;
        }
        std::string target = statement.substr(space, comma - space);
        target.erase(0, target.find_first_not_of(" \t"));
        made.append(body, done, at - done);
        made += what(target, statement.substr(0, space).ends_with("64") ? 64u : 32u);
        done = at + statement.size();
    }
    const std::string rest = body.substr(done);
    bool is_left = false;
    for_each_word(done == 0 ? body : rest, [&](std::string_view word, std::size_t) {
        is_left = is_left || word == parameter;
    });
    if (is_left) {
        throw Unsupported(
            fmt::format("The PTX reads {}, which is local, in an unusual way.", parameter));
    }
    body = made + rest;
}

void replace_words(std::string& text, std::string_view word, std::string_view by) {
    std::string made;
    std::size_t done = 0;
    for_each_word(text, [&](std::string_view one, std::size_t begin) {
        if (one != word) return;
        made.append(text, done, begin - done);
        made += by;
        done = begin + one.size();
    });
    made.append(text, done);
    text = std::move(made);
}

}  // namespace

std::size_t cuda_place(const Signature& kernel, std::size_t parameter) {
    const auto locals = local_places(kernel);
    return parameter - (!locals.empty() && locals.front() < parameter ? 1 : 0);
}

std::string local_for_cuda(std::string opencl_ptx, const Signature& kernel) {
    const auto locals = local_places(kernel);
    if (locals.empty() || !has_kernel(opencl_ptx, kernel)) return opencl_ptx;
    KernelText parts = kernel_text_of(opencl_ptx, kernel);
    if (parts.parameters.size() != kernel.parameters.size()) {
        throw Unsupported(
            fmt::format("The PTX of '{}' has other parameters than its source.", kernel.kernel));
    }
    for (const std::size_t place : locals) {
        std::string& declaration = parts.parameters[place];
        if (declaration.find(".shared") == declaration.npos) {
            throw Unsupported(fmt::format("The PTX of '{}' does not say that {} is local.",
                                          kernel.kernel, declared_name(declaration)));
        }
        const std::string name = declared_name(declaration);
        const bool first = place == locals.front();
        replace_loads(parts.body, name, [&](const std::string& target, unsigned bits) {
            if (first) return fmt::format("cvt.u{}.u64 {}, {};", bits, target, array_start);
            return fmt::format(
                "ld.param.u32 {0}_offset, [{1}]; cvt.u64.u32 {0}_address, {0}_offset; "
                "add.s64 {0}_address, {0}_address, {0}; cvt.u{2}.u64 {3}, {0}_address;",
                array_start, name, bits, target);
        });
        declaration = "\n\t.param .u32 " + name;
    }
    parts.parameters.erase(parts.parameters.begin() + static_cast<std::ptrdiff_t>(locals.front()));
    parts.body.insert(1, fmt::format("\n\t.reg .b64 {0};\n\t.reg .b64 {0}_address;\n\t.reg .b32 "
                                     "{0}_offset;\n\tmov.u64 {0}, parallax_local;\n",
                                     array_start));
    // Behind the lines that a text begins with; a text of several kernels has it once.
    constexpr std::string_view array = "\n.extern .shared .align 128 .b8 parallax_local[];\n";
    std::string text = joined_text(parts);
    if (text.find(array) == text.npos) {
        const std::size_t size = text.find(".address_size");
        text.insert(size == text.npos ? 0 : text.find('\n', size), array);
    }
    return text;
}

std::string local_for_opencl(std::string cuda_ptx, const Signature& kernel) {
    const auto locals = local_places(kernel);
    if (locals.empty() || !has_kernel(cuda_ptx, kernel)) return cuda_ptx;
    KernelText parts = kernel_text_of(cuda_ptx, kernel);
    constexpr std::string_view external = ".extern .shared";
    const std::size_t begin = parts.before.find(external);
    const std::size_t end = parts.before.find(';', begin);
    if (begin == parts.before.npos || end == parts.before.npos ||
        parts.parameters.size() + 1 != kernel.parameters.size()) {
        throw Unsupported(
            fmt::format("The PTX of '{}' has no dynamic local array.", kernel.kernel));
    }
    const std::string array = declared_name(parts.before.substr(begin, end - begin));
    const std::string own = kernel.kernel + "_local";
    for (const std::size_t place : locals) {
        if (place == locals.front()) continue;
        std::string& declaration = parts.parameters[cuda_place(kernel, place)];
        const std::string name = declared_name(declaration);
        replace_loads(parts.body, name, [&](const std::string& target, unsigned bits) {
            return fmt::format(
                "ld.param.u64 {0}_address, [{1}]; sub.s64 {0}_address, {0}_address, {0}; "
                "cvt.u{2}.u64 {3}, {0}_address;",
                local_start, name, bits, target);
        });
        declaration = "\n\t.param .u64 .ptr .shared .align 128 " + name;
    }
    // The register is as wide as an address; a narrow one is cut.
    for (const std::string type : {"u32", "b32", "s32"}) {
        const std::string narrow = "mov." + type;
        for (std::size_t at = parts.body.find(narrow); at != parts.body.npos;
             at = parts.body.find(narrow, at + 1)) {
            const std::size_t last = parts.body.find(';', at);
            if (parts.body.substr(at, last - at).ends_with(array)) {
                parts.body.replace(at, narrow.size(), "cvt.u32.u64");
            }
        }
    }
    replace_words(parts.body, array, local_start);
    parts.parameters.insert(parts.parameters.begin() + static_cast<std::ptrdiff_t>(locals.front()),
                            "\n\t.param .u64 .ptr .shared .align 128 " + own);
    parts.body.insert(1, fmt::format("\n\t.reg .b64 {0};\n\t.reg .b64 {0}_address;\n\tld.param.u64 "
                                     "{0}, [{1}];\n",
                                     local_start, own));
    const auto is_used = [&](const std::string& text) {
        bool used = false;
        for_each_word(text,
                      [&](std::string_view word, std::size_t) { used = used || word == array; });
        return used;
    };
    const std::string declaration = parts.before.substr(begin, end + 1 - begin);
    parts.before.erase(begin, end + 1 - begin);
    if (is_used(parts.before) || is_used(parts.after)) parts.before.insert(begin, declaration);
    return joined_text(parts);
}

}  // namespace parallax

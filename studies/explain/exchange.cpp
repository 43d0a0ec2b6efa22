// Changes what OpenCL's and CUDA's drivers expect differently of PTX.
#include "studies/explain/exchange.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "common/device/ptx_text.hpp"
#include "common/error.hpp"

namespace parallax {
namespace {

/// Whether `text` has `word` as a whole word at `at`.
bool has_word(std::string_view text, std::string_view word, std::size_t at) {
    const std::size_t end = at + word.size();
    return text.substr(at).starts_with(word) && (at == 0 || !is_word(text[at - 1])) &&
           (end == text.size() || !is_word(text[end]));
}

/// Position of the first whole word `word` in `text` from `from` on, or npos.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
    std::size_t at = text.find(word, from);
    while (at != std::string_view::npos && !has_word(text, word, at)) at = text.find(word, at + 1);
    return at;
}

}  // namespace

std::string ptx_for_cuda(std::string_view opencl_ptx, const std::vector<Signature>& kernels) {
    // A program's binary may end with the zero byte of a C string.
    opencl_ptx = opencl_ptx.substr(0, opencl_ptx.find('\0'));
    // Offsets of work-groups and work-items, and the number of work-groups. %envreg9, the number of
    // dimensions, has no counterpart; the meaning of the others is not known.
    constexpr std::array<std::string_view, 9> meanings{
        "0", "0", "0", "0", "0", "0", "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    constexpr std::string_view start = "%envreg";
    std::string text;
    text.reserve(opencl_ptx.size());
    while (true) {
        const std::size_t at = opencl_ptx.find(start);
        text += opencl_ptx.substr(0, at);
        if (at == std::string_view::npos) break;
        opencl_ptx.remove_prefix(at + start.size());
        std::size_t number = meanings.size();
        const char* const begin = opencl_ptx.data();
        const auto [end, error] = std::from_chars(begin, begin + opencl_ptx.size(), number);
        if (error != std::errc{} || number >= meanings.size()) {
            throw Unsupported(fmt::format("The PTX reads {}{}, for which CUDA has nothing.", start,
                                          std::string_view(begin, end)));
        }
        opencl_ptx.remove_prefix(static_cast<std::size_t>(end - begin));
        text += meanings[number];
    }
    for (const Signature& kernel : kernels) text = local_for_cuda(std::move(text), kernel);
    return text;
}

std::string ptx_for_opencl(std::string_view cuda_ptx, const std::vector<Signature>& kernels,
                           const std::map<std::string, Size>& groups) {
    std::string text(cuda_ptx.substr(0, cuda_ptx.find('\0')));
    for (const Signature& kernel : kernels) {
        std::size_t at = 0;
        // Declared and perhaps called elsewhere; the parameters follow `.entry NAME(`.
        while ((at = text.find(".entry", at)) != std::string::npos) {
            const std::size_t name = text.find_first_not_of(" \t", at + 6);
            at += 6;
            if (name != std::string::npos && has_word(text, kernel.kernel, name)) break;
        }
        if (at == std::string::npos) continue;
        const std::size_t open = text.find('(', at);
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
            const Parameter& parameter = kernel.parameters[i];
            if (parameter.kind == Parameter::Kind::scalar ||
                parameter.kind == Parameter::Kind::local) {
                continue;
            }
            if (parameter.kind != Parameter::Kind::global) {
                throw Unsupported(fmt::format(
                    "'{}' has a parameter in {} memory, which the two drivers pass in different "
                    "ways.",
                    kernel.kernel,
                    parameter.kind == Parameter::Kind::image ? "image" : "constant"));
            }
            const std::string own_name =
                fmt::format("{}_param_{}", kernel.kernel, cuda_place(kernel, i));
            const std::size_t word = find_word(text, own_name, open);
            const std::size_t from = text.rfind(".param", word);
            const std::size_t close = text.find(')', open);
            if (open == std::string::npos || word == std::string::npos || word > close ||
                from == std::string::npos || from < open) {
                throw Unsupported(
                    fmt::format("The PTX of '{}' has no parameter {}.", kernel.kernel, own_name));
            }
            text.replace(from, word - from, ".param .u64 .ptr .global .align 4 ");
        }
        // Directives are between the parameters and the body.
        const auto group = groups.find(kernel.kernel);
        const std::size_t close = text.find(')', open), body = text.find('{', close);
        const std::size_t most = text.find(".maxntid", close);
        if (group == groups.end() || body == std::string::npos || most > body) continue;
        const std::size_t end = std::min(text.find('\n', most), body);
        const Size& items = group->second;
        text.replace(most, end - most,
                     fmt::format(".reqntid {}, {}, {}", items.x, items.y, items.z));
    }
    for (const Signature& kernel : kernels) text = local_for_opencl(std::move(text), kernel);
    return text;
}

}  // namespace parallax

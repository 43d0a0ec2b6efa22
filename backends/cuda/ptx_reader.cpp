// Finds kernels and their parameters in PTX.
#include "backends/cuda/ptx_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "common/device/ptx_text.hpp"
#include "common/text/text_lines.hpp"

namespace parallax::cuda {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// The next word of `text`, up to a blank; `text` is advanced.
std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

std::optional<std::uint32_t> number(std::string_view digits) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) return {};
    return value;
}

/// `.f32` is 4 bytes of floating point.
std::optional<PtxParameter> scalar_type(std::string_view word) {
    if (word.size() < 3 || word[0] != '.') return {};
    const std::optional<std::uint32_t> bits = number(word.substr(2));
    if (!bits || *bits % 8 != 0) return {};
    switch (word[1]) {
        case 'b': return PtxParameter{PtxParameter::Kind::bits, *bits / 8};
        case 'u':
        case 's': return PtxParameter{PtxParameter::Kind::integer, *bits / 8};
        case 'f': return PtxParameter{PtxParameter::Kind::floating, *bits / 8};
        default: return {};
    }
}

/// `.param .u64 .ptr .global .align 4 name`, `.param .align 16 .b8 name[48]`
std::optional<PtxParameter> parameter(std::string_view text) {
    std::optional<PtxParameter> found;
    bool is_parameter = false;
    while (true) {
        const std::string_view word = take_word(text);
        if (word.empty()) break;
        if (word == ".param") is_parameter = true;
        if (!found) {
            found = scalar_type(word);
            continue;
        }
        const std::size_t open = word.find('[');
        if (open == std::string_view::npos || word.back() != ']') continue;
        const auto count = number(word.substr(open + 1, word.size() - open - 2));
        if (count) *found = {PtxParameter::Kind::bits, found->bytes * *count};
    }
    return is_parameter ? found : std::nullopt;
}

}  // namespace

std::vector<PtxKernel> ptx_kernels(std::string_view ptx) {
    const PtxText text(ptx);
    std::vector<PtxKernel> kernels;
    for (const PtxFunction& function : text.functions()) {
        if (!function.is_entry) continue;
        PtxKernel& kernel = kernels.emplace_back(PtxKernel{std::string(function.name), {}});
        for (const std::string_view declaration : function.parameters) {
            if (const auto one = parameter(declaration)) kernel.parameters.push_back(*one);
        }
    }
    return kernels;
}

const PtxKernel* find_kernel(const std::vector<PtxKernel>& kernels, std::string_view name) {
    const auto found = std::ranges::find(kernels, name, &PtxKernel::name);
    return found == kernels.end() ? nullptr : &*found;
}

std::string without_report(std::string_view log) {
    std::string rest;
    for (const std::string_view line : lines_of(log)) {
        const bool report = line.starts_with("ptxas info") || line.starts_with("ptxas         .");
        if (report || line.find_first_not_of(blanks) == std::string_view::npos) continue;
        rest += line;
        rest += '\n';
    }
    return rest;
}

}  // namespace parallax::cuda

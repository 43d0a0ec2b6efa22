// Parses kernels and their parameters from PTX.
#include "backends/cuda/ptx_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace parallax::cuda {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string without_comments(std::string_view text) {
    std::string kept;
    kept.reserve(text.size());
    while (!text.empty()) {
        const std::size_t at = text.find('/');
        kept += text.substr(0, at);
        if (at == std::string_view::npos) break;
        text.remove_prefix(at);
        if (text.starts_with("//")) {
            text.remove_prefix(std::min(text.find('\n'), text.size()));
        } else if (text.starts_with("/*")) {
            const std::size_t end = text.find("*/", 2);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
            kept += ' ';
        } else {
            kept += '/';
            text.remove_prefix(1);
        }
    }
    return kept;
}

/// The next word of `text`, up to a blank or one of `stops`; `text` is advanced.
std::string_view take_word(std::string_view& text, std::string_view stops = "") {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::size_t end =
        std::min({text.find_first_of(blanks), text.find_first_of(stops), text.size()});
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
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

template <class F>
void each_line(std::string_view text, F&& f) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        f(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

}  // namespace

std::vector<PtxKernel> ptx_kernels(std::string_view ptx) {
    const std::string text = without_comments(ptx);
    std::vector<PtxKernel> kernels;
    std::string_view rest = text;
    constexpr std::string_view word = ".entry";
    for (std::size_t at = rest.find(word); at != std::string_view::npos; at = rest.find(word)) {
        rest.remove_prefix(at + word.size());
        PtxKernel kernel;
        kernel.name = take_word(rest, "(){};,");
        if (kernel.name.empty()) continue;
        std::string_view list = rest;
        list.remove_prefix(std::min(list.find_first_not_of(blanks), list.size()));
        if (list.starts_with("(")) {
            list = list.substr(1, std::min(list.find(')'), list.size()) - 1);
            while (!list.empty()) {
                const std::size_t end = list.find(',');
                if (const auto one = parameter(list.substr(0, end))) {
                    kernel.parameters.push_back(*one);
                }
                list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
            }
        }
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

const PtxKernel* find_kernel(const std::vector<PtxKernel>& kernels, std::string_view name) {
    const auto found = std::ranges::find(kernels, name, &PtxKernel::name);
    return found == kernels.end() ? nullptr : &*found;
}

std::string without_report(std::string_view log) {
    std::string rest;
    each_line(log, [&](std::string_view line) {
        const bool report = line.starts_with("ptxas info") || line.starts_with("ptxas         .");
        if (report || line.find_first_not_of(blanks) == std::string_view::npos) return;
        rest += line;
        rest += '\n';
    });
    return rest;
}

}  // namespace parallax::cuda

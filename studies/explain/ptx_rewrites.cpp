// Moves constant arrays to global memory, and makes fetches use whole coordinates, line by line.
#include "studies/explain/ptx_rewrites.hpp"

#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace parallax {
namespace {

constexpr std::string_view of_constants = ".const";
constexpr std::string_view constant_load_name = "ld.const.";

/// Operations on constant memory, and what they are of global memory.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> operations{
    {{constant_load_name, "ld.global.nc."},
     {"cvta.const.", "cvta.global."},
     {"cvta.to.const.", "cvta.to.global."}}};

/// `.visible .const .align 4 .b8 table[64] = {...`: outside functions, up to its values.
bool is_declaration(std::string_view line) {
    const auto start = line.find_first_not_of(" \t");
    if (start == line.npos || line[start] != '.' || line.find(".entry") != line.npos) return false;
    const auto at = line.substr(0, line.find('=')).find(of_constants);
    return at != line.npos && at + of_constants.size() < line.size() &&
           line[at + of_constants.size()] == ' ' && line.find(".param") == line.npos;
}

constexpr std::string_view texel_conversion = "cvt.rn.f32.s32", fetch = "tex.2d.v4.",
                           by_fraction = ".f32";

/// Operation and the rest of a line: `\tadd.s32 \t%r1, %r2, 1;`
std::pair<std::string_view, std::string_view> parted(std::string_view line) {
    const auto start = line.find_first_not_of(" \t");
    if (start == line.npos) return {};
    line.remove_prefix(start);
    const auto end = line.find_first_of(" \t");
    if (end == line.npos) return {line, {}};
    const auto rest = line.find_first_not_of(" \t", end);
    return {line.substr(0, end), rest == line.npos ? std::string_view{} : line.substr(rest)};
}

/// `%f1` of `%f1, %r12;`
std::string first_operand(std::string_view operands) {
    return std::string(operands.substr(0, operands.find_first_of(",;")));
}

/// The destination of an instruction: `%f1`, or all of `{%f3, %f4}`.
std::vector<std::string> targets_of(std::string_view operands) {
    if (operands.starts_with('%')) return {first_operand(operands)};
    std::vector<std::string> all;
    if (!operands.starts_with('{')) return all;
    operands = operands.substr(0, operands.find('}'));
    for (auto at = operands.find('%'); at != operands.npos; at = operands.find('%', at + 1)) {
        all.push_back(first_operand(operands.substr(at)));
    }
    return all;
}

/// A register with a coordinate, written once, from a whole number.
struct Converted {
    std::size_t line = 0;
    std::string whole;  ///< `%r12`
    unsigned definitions = 0;
    std::optional<unsigned> texel;  ///< the register that keeps it
};

/// The lines between the braces of one function.
class Body {
public:
    explicit Body(std::vector<std::string>& lines) : lines_(lines) {
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            auto [operation, operands] = parted(lines_[i]);
            const bool is_conditional = operation.starts_with('@');
            if (is_conditional) std::tie(operation, operands) = parted(operands);
            for (const std::string& name : targets_of(operands)) ++registers_[name].definitions;
            if (operation != texel_conversion || is_conditional) continue;
            Converted& one = registers_[first_operand(operands)];
            const auto from = operands.find('%', 1);
            one.line = i;
            one.whole = from == operands.npos ? "" : first_operand(operands.substr(from));
        }
    }

    void rewrite() {
        unsigned texels = 0;
        for (std::string& line : lines_) rewrite(line, texels);
        if (texels == 0) return;
        for (const auto& [name, one] : registers_) {
            if (one.texel) {
                lines_[one.line] +=
                    fmt::format("\n\tmov.b32 \t%texel{}, {};", *one.texel, one.whole);
            }
        }
        lines_.insert(lines_.begin(), fmt::format("\t.reg .b32 \t%texel<{}>;", texels));
    }

private:
    void rewrite(std::string& line, unsigned& texels) {
        const auto [operation, operands] = parted(line);
        if (!operation.starts_with(fetch) || !operation.ends_with(by_fraction)) return;
        const auto open = line.rfind('{'), comma = line.find(", ", open), close = line.rfind('}');
        if (comma == line.npos || close < comma) return;
        Converted* const x = converted(line.substr(open + 1, comma - open - 1));
        Converted* const y = converted(line.substr(comma + 2, close - comma - 2));
        if (!x || !y) return;
        for (Converted* one : {x, y}) {
            if (!one->texel) one->texel = texels++;
        }
        line.replace(open, close - open, fmt::format("{{%texel{}, %texel{}", *x->texel, *y->texel));
        const auto type = line.find(by_fraction, line.find(fetch) + fetch.size() + 3);
        line.replace(type, by_fraction.size(), ".s32");
    }

    Converted* converted(const std::string& name) {
        const auto found = registers_.find(name);
        const bool fits = found != registers_.end() && !found->second.whole.empty() &&
                          found->second.definitions == 1;
        return fits ? &found->second : nullptr;
    }

    std::vector<std::string>& lines_;
    std::map<std::string, Converted> registers_;
};

}  // namespace

std::string with_constants_in_global(const std::string& ptx) {
    if (ptx.find(constant_load_name) == ptx.npos) return ptx;
    std::string made;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        if (is_declaration(line))
            line.replace(line.find(of_constants), of_constants.size(), ".global");
        for (const auto& [before, after] : operations) {
            if (const auto at = line.find(before); at != line.npos) {
                line.replace(at, before.size(), after);
            }
        }
        made += line + '\n';
    }
    return made;
}

std::string with_whole_texels(const std::string& ptx) {
    std::string made;
    std::vector<std::string> body;
    bool is_inside = false;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        if (is_inside && line.starts_with('}')) {
            Body(body).rewrite();
            for (const std::string& one : body) made += one + '\n';
            body.clear();
            is_inside = false;
        }
        if (is_inside) {
            body.push_back(line);
        } else {
            made += line + '\n';
        }
        is_inside = is_inside || line.starts_with('{');
    }
    return made;
}

}  // namespace parallax

// Moves constant arrays to global memory, line by line.
#include "studies/explain/constant_space.hpp"

#include <array>
#include <sstream>
#include <string_view>
#include <utility>

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

}  // namespace parallax

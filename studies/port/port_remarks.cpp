// Inspects the output of mapping rules.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/preprocess/includes.hpp"
#include "studies/port/port_check.hpp"

namespace parallax {
namespace {

/// What CUDA guarantees and OpenCL does not.
struct Repaired {
    std::string_view call;      ///< as it begins
    std::string_view argument;  ///< the only one that is meant; empty: any
    std::string_view what;
};
constexpr std::string_view no_order =
    "it orders no memory in OpenCL: what other work-items wrote before it need not be seen after "
    "it. CUDA's __syncthreads() orders all, so the translation hides the fault. Give it "
    "CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both";
constexpr std::string_view narrow =
    "OpenCL defines it only while the factors fit in 24 bits. CUDA's text multiplies them whole, "
    "so it is right for larger ones, which the OpenCL source need not be";
constexpr std::array repaired{Repaired{"barrier(", "0", no_order},
                              Repaired{"work_group_barrier(", "0", no_order},
                              Repaired{"mul24(", "", narrow}, Repaired{"mad24(", "", narrow}};

/// `mine.cl:7`, of an included file its own.
std::string place_of(const PortInput& input, std::size_t offset) {
    const auto lines = std::count(input.text.begin(),
                                  input.text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    return with_own_places(fmt::format("<kernel>:{}", lines + 2),
                           line_directive(1, input.file) + "\n" + input.text);
}

}  // namespace

std::vector<std::string> port_remarks(const PortInput& input, const Translation& translation) {
    std::vector<std::string> remarks;
    for (const Repaired& one : repaired) {
        std::size_t count = 0;
        std::string first;
        for (const Piece& piece : translation.pieces) {
            if (std::ranges::none_of(piece.rows, [&](const MappingRule* row) {
                    return std::string_view(row->opencl).starts_with(one.call);
                })) {
                continue;
            }
            std::string call = input.text.substr(piece.from, piece.from_end - piece.from);
            std::erase_if(call, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
            const std::string wanted = fmt::format("{}{}", one.call, one.argument);
            if (!call.starts_with(wanted)) continue;
            const bool ends = call.size() > wanted.size() && call[wanted.size()] == ')';
            if (!one.argument.empty() && !ends) continue;
            if (count++ == 0) {
                first = fmt::format("{}: '{}': {}.", place_of(input, piece.from),
                                    printable(call, 60), one.what);
            }
        }
        if (count > 1) first += fmt::format(" {} more like it.", count - 1);
        if (count > 0) remarks.push_back(std::move(first));
    }
    return remarks;
}

}  // namespace parallax

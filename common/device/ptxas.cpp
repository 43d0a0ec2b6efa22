// Parses registers, spills and shared memory from ptxas' report.
#include "common/device/ptxas.hpp"

#include <charconv>
#include <string>

#include "common/text/text_lines.hpp"

namespace parallax {
namespace {

/// The number before `unit` in `line`, or after `word`.
std::optional<std::uint32_t> number_before(std::string_view line, std::string_view unit) {
    const std::size_t at = line.find(unit);
    if (at == std::string_view::npos) return {};
    std::size_t end = at;
    while (end > 0 && line[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
    std::uint32_t value = 0;
    if (std::from_chars(line.data() + begin, line.data() + end, value).ptr != line.data() + end ||
        begin == end) {
        return {};
    }
    return value;
}

/// Sum of `8 bytes cmem[0], 4 bytes cmem[2]`; newer assemblers report none.
std::optional<std::uint32_t> constant_bytes(std::string_view line) {
    std::optional<std::uint32_t> sum;
    while (const auto bytes = number_before(line, "bytes cmem[")) {
        sum = sum.value_or(0) + *bytes;
        line.remove_prefix(line.find("bytes cmem[") + 1);
    }
    return sum;
}

/// Both parts of `68+16 bytes smem`, the form of assemblers for compute capability 1.x.
std::uint32_t local_bytes(std::string_view line) {
    const std::string_view unit = "bytes smem";
    const std::string_view before = line.substr(0, line.find(unit));
    const std::size_t plus = before.rfind('+');
    const bool two = plus != std::string_view::npos && before.find(',', plus) == before.npos;
    const auto first = two ? number_before(line, line.substr(plus)) : std::nullopt;
    return number_before(line, unit).value_or(0) + first.value_or(0);
}

}  // namespace

Resources ptxas_resources(std::string_view report, std::string_view kernel) {
    Resources resources;
    const std::string quoted = "'" + std::string(kernel) + "'";
    const std::string properties = "Function properties for " + std::string(kernel);
    bool ours = false;
    for (const std::string_view line : lines_of(report)) {
        if (line.find("Compiling entry function") != std::string_view::npos) {
            ours = line.find(quoted) != std::string_view::npos;
        }
        if (line.find("Function properties for") != std::string_view::npos) {
            const std::size_t at = line.find(properties);
            ours = at != std::string_view::npos &&
                   line.find_first_not_of(' ', at + properties.size()) == std::string_view::npos;
        }
        if (!ours) continue;
        if (const auto stores = number_before(line, "bytes spill stores")) {
            resources.private_bytes = number_before(line, "bytes stack frame");
            resources.spill_bytes = *stores + number_before(line, "bytes spill loads").value_or(0);
        }
        if (const auto registers = number_before(line, "registers")) {
            resources.registers = registers;
            resources.barriers = number_before(line, "barriers").value_or(0);
            resources.local_bytes = local_bytes(line);
            resources.constant_bytes = constant_bytes(line);
        }
    }
    return resources;
}

}  // namespace parallax

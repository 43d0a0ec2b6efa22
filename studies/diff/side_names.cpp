// Names the sides of a diff.
#include "studies/diff/side_names.hpp"

#include <algorithm>
#include <array>

#include "common/text/text.hpp"

namespace parallax {
namespace {

constexpr std::size_t longest_name = 40;

/// Facts of several devices are one text, which equals that of the same devices.
bool is_one_device(const Diff& diff) {
    return std::ranges::any_of(std::array{"uuid", "pci"}, [&](const char* name) {
        const std::string a = fact_of(diff.a, name);
        return !a.empty() && a != "unknown" && a == fact_of(diff.b, name);
    });
}

}  // namespace

std::string api_of(std::string_view device) {
    const std::string_view backend = device.substr(0, device.find(':'));
    return backend == "opencl" ? "OpenCL" : backend == "cuda" ? "CUDA" : std::string(backend);
}

std::string fact_of(const Environment& side, std::string_view name) {
    const auto found =
        std::ranges::find(side.facts, name, [](const auto& one) { return one.first; });
    return found == side.facts.end() ? std::string() : found->second;
}

bool are_apis(const Both<std::string>& names) {
    return (names.a == "OpenCL" && names.b == "CUDA") || (names.a == "CUDA" && names.b == "OpenCL");
}

Both<std::string> side_names(const Diff& diff) {
    const Both<std::string> apis{api_of(fact_of(diff.a, "entry")),
                                 api_of(fact_of(diff.b, "entry"))};
    if (is_one_device(diff) && are_apis(apis)) return apis;
    const auto last = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    Both<std::string> names{last(diff.a.name), last(diff.b.name)};
    if (names.a == names.b || names.a.empty() || names.b.empty())
        names = {diff.a.name, diff.b.name};
    names = {printable(names.a, longest_name), printable(names.b, longest_name)};
    return names.a == names.b ? Both<std::string>{"A", "B"} : names;
}

}  // namespace parallax

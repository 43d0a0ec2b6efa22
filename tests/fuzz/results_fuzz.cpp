// Fuzzes the reading of result files: any bytes as one line, parsed and validated.
//
// Needs clang 16 or newer (older ones cannot read ranges of GCC 12), and a build folder of its own:
//
//     CXX=clang++-16 meson setup build-fuzz -Dfuzzers=true -Dtests=disabled -Doptimization=1
//     ninja -C build-fuzz tests/fuzz/fuzzers
//     tests/fuzz/run build-fuzz 600 results
//
// A crash leaves a file build-fuzz/found/results-..., which build-fuzz/tests/fuzz/results_fuzz
// takes as its argument to show it again; the fault it shows becomes a test.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "records/json.hpp"
#include "records/line.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using parallax::fuzz::demand;

/// A message is always one printable line.
void look_at(const std::string& problem) {
    demand(!problem.empty() && problem.size() < 2000);
    demand(std::ranges::none_of(
        problem, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }));
    parallax::Json(problem).dump();  // throws where it is not UTF-8
}

}  // namespace

int parallax::fuzz::results(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const parallax::ParsedLine line = parallax::parse_line(text);
    if (!line.problem.empty()) {
        demand(line.json.is_null());
        look_at(line.problem);
        return 0;
    }
    demand(!line.cut);
    const parallax::ReadLine read = parallax::read_line(line.json);
    for (const std::string& problem : read.problems) look_at(problem);
    // A valid line is unchanged after writing and reading.
    if (read.problems.empty()) {
        const std::string written = parallax::text_of(read.line);
        const parallax::ParsedLine again = parallax::parse_line(written);
        demand(again.problem.empty());
        const parallax::ReadLine twice = parallax::read_line(again.json);
        demand(twice.problems.empty() && parallax::text_of(twice.line) == written);
    }
    return 0;
}

// All fuzzers in one program, selected by its name: `run` makes links such as `results_fuzz`.
#include <cstdio>
#include <string_view>
#include <utility>

#include "tests/fuzz/fuzz.hpp"

namespace {

namespace fuzz = parallax::fuzz;

constexpr std::pair<std::string_view, fuzz::Target*> targets[]{
    {"capture_fuzz", fuzz::capture},   {"commandline_fuzz", fuzz::commandline},
    {"exchange_fuzz", fuzz::exchange}, {"from_cuda_fuzz", fuzz::from_cuda},
    {"lesson_fuzz", fuzz::lesson},     {"manifest_fuzz", fuzz::manifest},
    {"map_fuzz", fuzz::map},           {"results_fuzz", fuzz::results},
    {"texts_fuzz", fuzz::texts},       {"translator_fuzz", fuzz::translator},
};

fuzz::Target* chosen = nullptr;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): libFuzzer calls them so
extern "C" int LLVMFuzzerInitialize(int*, char*** words) {
    const std::string_view path = **words;
    for (const auto& [name, target] : targets) {
        if (path.substr(path.rfind('/') + 1) == name) chosen = target;
    }
    if (chosen) return 0;
    std::fputs(
        "Start it by tests/fuzz/run, or by a link that is named as a fuzzer: results_fuzz.\n",
        stderr);
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return chosen(data, size);
}
// NOLINTEND(readability-identifier-naming)

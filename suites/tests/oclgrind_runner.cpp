// Runs every variant of every suite once on a small case; started under Oclgrind.
//
// `oclgrind_runner` runs the original kernels; `oclgrind_runner NAME` the one with that planted
// error. It ends with 0 when all outputs were right, 1 when one was wrong, 2 when it cannot run:
// unknown error, or no Oclgrind.
#include <exception>

#include <fmt/format.h>

#include "common/error.hpp"
#include "suites/planted.hpp"
#include "suites/simulator.hpp"

namespace parallax {
namespace {

/// @return whether it was right
bool run(Device& device, const Case& c, const Program& program) {
    const bool right = run_bare(device, c, program);
    fmt::print("{} {}\n", right ? "right" : "wrong", c.title());
    return right;
}

bool can_run(const DeviceInfo& info, const Variant& variant) {
    if (!variant.natives.empty()) return false;
    return variant.feature.empty() || info.has(variant.feature);
}

int run_all(Device& device) {
    bool right = true;
    for (const Suite& suite : suites()) {
        for (const Variant& variant : suite.variants) {
            if (!can_run(device.info(), variant)) continue;
            const Case c = small_case(suite, variant);
            try {
                right = run(device, c, program_of(c)) && right;
            } catch (const Unsupported& error) {
                fmt::print("unsupported {}: {}\n", c.title(), error.what());
            }
        }
    }
    return right ? 0 : 1;
}

int run_planted(Device& device, const Planted& planted) {
    const Case c = small_case(planted);
    return run(device, c, program_with(planted, c)) ? 0 : 1;
}

int run(int count, char** words) {
    const Planted* planted = count > 1 ? &planted_named(words[1]) : nullptr;
    const auto device = open_simulator();
    return planted ? run_planted(*device, *planted) : run_all(*device);
}

}  // namespace
}  // namespace parallax

int main(int count, char** words) {
    try {
        return parallax::run(count, words);
    } catch (const parallax::BuildFailed& error) {
        fmt::print(stderr, "{}\n{}\n", error.what(), error.log);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
    }
    return 2;
}

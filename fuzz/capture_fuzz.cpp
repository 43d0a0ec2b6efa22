// Fuzzes the reading of what a capture's layer wrote: capture.json, and build options.
//
//     ninja -C build-fuzz fuzz/capture_fuzz
//     build-fuzz/fuzz/capture_fuzz -max_total_time=600 -max_len=4096 -timeout=10 \
//         -dict=fuzz/capture.dict build-fuzz/capture-corpus
//
// results_fuzz.cpp says how the build folder is made and what to do with a find. manifest_fuzz.cpp
// has the manifests of a captured folder.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "common/build_options.hpp"
#include "common/error.hpp"
#include "records/capture.hpp"
#include "report/capture/capture_text.hpp"
#include "studies/capture/program_verdict.hpp"
#include "studies/diff/diff.hpp"

namespace {

using namespace parallax;

/// What holds for any input; an abort is a find.
void demand(bool holds) {
    if (!holds) std::abort();
}

void read(std::string_view text) {
    try {
        const Capture capture = capture_from("x/capture.json", text);
        demand(capture.program_seconds() >= 0);
        demand(!capture_text(capture, "x").empty());
        demand(together(capture, capture).program_seconds() >= 0);
        Diff diff;
        for (const CapturedKernel& kernel : capture.kernels) {
            CaseDiff& c = diff.cases.emplace_back();
            c.key.suite = "x";
            c.key.variant = kernel.kernel;
            c.ratio.emplace();
        }
        const ProgramVerdict verdict = program_verdict(capture, diff, "x", {});
        demand(verdict.kernels.size() == capture.kernels.size());
        demand(sentence_of(verdict, "b").ends_with('.'));
    } catch (const UsageError& error) {
        demand(std::string_view(error.what()).starts_with("x/capture.json"));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    read(text);
    const BuildOptions options = parse_build_options(text);
    demand(options.defines.size() + options.folders.size() <= size + 1);
    return 0;
}

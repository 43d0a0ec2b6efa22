// Fuzzes the reading of what a capture's layer wrote: capture.json, build options, a launch's
// manifest with the files that it names, and packed contents.
//
//     meson test -C build capture
//     build/parallax capture -o build-fuzz/captured -- build/capture/tests/captured_program \
//         launches memory images
//     tests/fuzz/run build-fuzz 600 capture
//
// results_fuzz.cpp says how the build folder is made and what to do with a find. manifest_fuzz.cpp
// has the manifests that people write.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "common/device/build_options.hpp"
#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"
#include "measure/verification.hpp"
#include "records/capture.hpp"
#include "report/capture/capture_text.hpp"
#include "studies/capture/program_verdict.hpp"
#include "studies/diff/diff.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/unpack.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace parallax;
using fuzz::demand;

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

/// The manifest of a launch in a captured folder.
void load(std::string_view text) {
    static const char* const folder = std::getenv("PARALLAX_CAPTURED");
    if (!folder) return;
    try {
        const Suite suite = suite_from(std::string(folder) + "/fuzzed.json", text);
        const Variant& variant = suite.variants.at(0);
        const Case c =
            make_case(suite, variant, shapes_of(suite, variant).at(0), suite.types.at(0));
        const Plan plan = plan_of(c);
        std::uint64_t bytes = 0, loaded = 0;
        for (const BufferSpec& buffer : plan.buffers) {
            demand(buffer.bytes() <= UINT64_MAX - bytes);
            bytes += buffer.bytes();
            loaded += is_loaded(buffer.role);
        }
        if (bytes > std::uint64_t{1} << 20) return;
        const std::vector<HostArray> inputs = suite.inputs(c, {}, 0);
        demand(inputs.size() == loaded);
        if (suite.reference) suite.reference(c, inputs);
        suite.tolerance(c);
    } catch (const Error&) {
    }
}

/// A content with several assumed sizes.
void unpack(std::string_view packed) {
    static const TemporaryFolder folder("parallax-fuzz-");
    const std::string file = folder.put("packed", packed);
    for (const std::size_t size : {0U, 64U, 1000U}) {
        std::vector<std::byte> bytes(size);
        try {
            manifest::unpack(file, bytes);
        } catch (const Error& error) {
            demand(*error.what() != '\0');
        }
    }
}

}  // namespace

int parallax::fuzz::capture(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    read(text);
    load(text);
    unpack(text);
    const BuildOptions options = parse_build_options(text);
    demand(options.defines.size() + options.folders.size() <= size + 1);
    return 0;
}

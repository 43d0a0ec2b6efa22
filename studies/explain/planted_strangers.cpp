// Gaps planted in external kernels: each has a manifest next to its source, in `strangers/`.
#include <list>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/embedded_file.hpp"
#include "common/text/temporary_folder.hpp"
#include "studies/explain/planted_gaps.hpp"
#include "studies/explain/rewrite.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {

/// The kernels and their manifests.
std::span<const EmbeddedFile> stranger_files();

namespace {

Suite read_stranger(const std::string& name) {
    const TemporaryFolder folder("parallax-planted-");  // manifests are read from one
    std::string manifest;
    for (const EmbeddedFile& file : stranger_files()) {
        if (file.name == name + ".json") manifest = file.text;
        if (file.name == name + ".cl") folder.put(file.name, file.text);
    }
    if (manifest.empty()) throw Error(fmt::format("No manifest {} is in this program.", name));
    Suite suite = suite_from(folder.file(name + ".json"), manifest);
    suite.manifest = name + ".json";
    // A side with a planted gap is compared with the unchanged source.
    suite.reference_kernel = std::make_shared<Variant>(suite.variants.front());
    return suite;
}

/// A gap by one change of the source.
PlantedGap edited(const char* name, const char* what, const char* suite, const char* backend,
                  const char* find, const char* replace, std::vector<std::string> knobs) {
    return {.name = name,
            .what = what,
            .suite = suite,
            .backend = backend,
            .plant = planted_edit(find, replace),
            .is_stranger = true,
            .knobs = std::move(knobs)};
}

}  // namespace

const Suite& stranger(const std::string& name) {
    static std::list<std::pair<std::string, Suite>> read;
    for (const auto& [known, suite] : read) {
        if (known == name) return suite;
    }
    return read.emplace_back(name, read_stranger(name)).second;
}

std::vector<PlantedGap> gaps_of_strangers() {
    std::vector<PlantedGap> gaps{
        edited("bodies, CUDA", "a loop that is not unrolled", "nbody", "cuda", "#pragma unroll 8",
               "#pragma unroll 1", {"unrolling"}),
        edited("paths, OpenCL", "a logarithm to the last digits", "paths", "opencl",
               "native_log(u)", "log(u)", {"mathematics"}),
        edited("waves, CUDA", "a sine to the last digits", "waves", "cuda",
               "native_sin(one.y * x + one.z)", "sin(one.y * x + one.z)", {"mathematics"}),
        edited("bilateral, CUDA", "pow for a square", "bilateral", "cuda", "(d * d)",
               "pow(d, 2.0f)", {"mathematics"}),
        edited("spring, OpenCL", "a literal without its f", "spring", "opencl", "0.05f * v",
               "0.05 * v", {"doubles"}),
        edited("atoms, CUDA", "a division for a reciprocal", "atoms", "cuda",
               "native_recip(dx * dx + dy * dy + dz * dz + 0.5f)",
               "1.0f / (dx * dx + dy * dy + dz * dz + 0.5f)",
               {"division", "exact division", "relaxed mathematics"}),
        edited("hash, OpenCL", "an index of 64 bits", "hash", "opencl", "uint at = i",
               "ulong at = i", {"index width"}),
        edited("blur, CUDA", "an image that is volatile", "blur", "cuda",
               "__global const float* restrict in", "__global const volatile float* restrict in",
               {"volatile"}),
        edited("row scan, OpenCL", "a tile without its spare column", "row_scan", "opencl",
               "tile[32][33]", "tile[32][32]", {"padding"}),
        edited("palette, CUDA", "four loads for one", "palette", "cuda",
               "((__global const float4*)palette)[k]", "vload4(k, palette)", {"vector loads"}),
    };
    gaps.push_back({.name = "rows, CUDA",
                    .what = "pointers without restrict",
                    .suite = "rows",
                    .backend = "cuda",
                    .plant = planted_rewrite(without_restrict),
                    .is_stranger = true,
                    .knobs = {"restrict", "read-only loads"}});
    gaps.push_back({.name = "polynomial, OpenCL",
                    .what = "products and sums are not fused",
                    .suite = "horner",
                    .base = [](Configuration& s) { s.program.floats.contract = true; },
                    .backend = "opencl",
                    .plant = [](Configuration& s) { s.program.floats.contract = false; },
                    .is_stranger = true,
                    .knobs = {"contraction"}});
    return gaps;
}

}  // namespace parallax

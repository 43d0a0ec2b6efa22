// Fuzzes what reads a CUDA source: clang's tree of it, and the writer of OpenCL C. Each run starts
// clang, so there are few of them a second.
//
//     tests/fuzz/run build-fuzz 600 from_cuda
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <cstdint>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "tests/fuzz/fuzz.hpp"

int parallax::fuzz::from_cuda(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const OpenClTranslation made = to_opencl("x.cu", text, {}, false);
        demand(!made.has_kernel || made.text.find("__kernel") != std::string::npos);
    } catch (const Refused& refused) {
        // Each refusal names a line; a `#line` may give the file another name.
        const std::string_view said = refused.what();
        const bool is_renamed = text.find("line") != text.npos || text.find("# ") != text.npos;
        demand(is_renamed || said.starts_with("x.cu"));
    } catch (const Unsupported&) {
    }
    return 0;
}

// Are the committed CUDA texts what the table makes of the kernels today?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/embedded.hpp"
#include "kernels/tests/support.hpp"

namespace parallax {
namespace {

TEST(Committed, CudaTextsAreFresh) {
    for (const EmbeddedFile& file : embedded_kernels()) {
        const std::string stem(file.name.substr(0, file.name.size() - 3));
        // `x.opencl.cl` is a native text of one backend.
        if (stem.find('.') != stem.npos) continue;
        const std::string committed = testing::file_text(KERNELS_FOLDER "/cuda/" + stem + ".cu");
        const std::size_t opening = committed.find('\n') + 1;
        EXPECT_THAT(committed.substr(0, opening),
                    ::testing::StartsWith("// Generated from kernels/"));
        EXPECT_EQ(committed.substr(opening),
                  to_cuda(file.name, file.text, ElementType::f32, testing::constants()).text())
            << stem << ".cu is stale: run `meson compile cuda-texts`";
    }
}

TEST(Committed, NativeTextsAreRefused) {
    for (const EmbeddedFile& file : embedded_kernels()) {
        if (file.name != "reduction.opencl.cl") continue;
        EXPECT_THROW(to_cuda(file.name, file.text, ElementType::f32, testing::constants()),
                     Refused);
    }
}

}  // namespace
}  // namespace parallax

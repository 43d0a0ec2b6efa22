// Tests that the CUDA source of every corpus file compiles for old and new devices.
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/error.hpp"
#include "mapping/tests/corpus.hpp"

namespace parallax::cuda::corpus_compile_test {
namespace {

class CorpusCompiles : public testing::TestWithParam<std::size_t> {};

TEST_P(CorpusCompiles, ToMachineCode) {
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    const corpus::File& file = corpus::files()[GetParam()];
    for (const int arch : {75, 90}) {
        std::set<std::vector<std::pair<std::string, std::string>>> done;
        for (const corpus::Kernel& kernel : file.kernels) {
            std::vector<std::pair<std::string, std::string>> key;
            for (const Define& define : kernel.defines) key.emplace_back(define.name, define.value);
            if (!done.insert(key).second) continue;
            const Program program{
                .name = file.name, .source = file.source, .type = {}, .defines = kernel.defines};
            SCOPED_TRACE(fmt::format("{} for sm_{}", file.name, arch));
            try {
                const CompileResult result = compile_for(program, arch);
                EXPECT_EQ(result.target, (Target{arch, true}));
                EXPECT_EQ(result.cubin.substr(1, 3), "ELF");
                for (const corpus::Kernel& one : file.kernels) {
                    EXPECT_TRUE(find_kernel(result.kernels, one.name)) << one.name;
                }
            } catch (const BuildFailed& error) {
                ADD_FAILURE() << error.what() << "\n" << error.log;
            } catch (const Error& error) {
                ADD_FAILURE() << error.what();
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Files, CorpusCompiles,
                         testing::Range(std::size_t{0}, corpus::files().size()),
                         [](const auto& one) {
                             const std::string& name = corpus::files()[one.param].name;
                             return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace parallax::cuda::corpus_compile_test

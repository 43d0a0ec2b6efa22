// Tests the mapping table against the headers: each word exists, each error has the stated meaning,
// NVRTC knows each option.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/nvrtc.hpp"
#include "common/text/characters.hpp"
#include "common/text/read_file.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/search/search_words.hpp"
#include "mapping/table/table.hpp"

namespace parallax::cuda::map_words_test {
namespace {

using ::testing::HasSubstr;

/// Both APIs' preprocessed headers, with macros and comments.
const std::string& headers() {
    static const std::string text = [] {
        const char* const file = std::getenv("PARALLAX_API_HEADERS");
        return file ? read_file(file, std::uint64_t{1} << 28) : std::string();
    }();
    return text;
}

const std::set<std::string_view>& header_words() {
    static const std::set<std::string_view> words = [] {
        std::set<std::string_view> found;
        const std::string_view text = headers();
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = at;
            while (end < text.size() && is_word_character(text[end])) ++end;
            if (end > at && !is_digit(text[at])) found.insert(text.substr(at, end - at));
            at = end + 1;
        }
        return found;
    }();
    return words;
}

/// Names of either API in a column: functions, types, codes, members; a star for any rest.
std::set<std::string> api_names(std::string_view text) {
    std::set<std::string> names;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() &&
               (is_word_character(text[end]) || text[end] == ':' || text[end] == '*')) {
            ++end;
        }
        const std::string_view word = text.substr(at, end - at);
        if (looks_like_api(word)) {
            for (const std::string_view part : split(word, "::")) {
                if (part != "cl") names.emplace(part);
            }
        }
        at = std::max(end, at + 1);
    }
    return names;
}

/// Whether the headers that declare it are available: only the runtime's and NVRTC's always are.
bool is_looked_for(std::string_view name) {
    const auto has = [](std::string_view word) { return header_words().contains(word); };
    if (name.starts_with("nvJitLink")) return has("nvJitLinkCreate");
    if (name.starts_with("cudaGraphicsGL")) return has("cudaGraphicsGLRegisterBuffer");
    if (name.starts_with("cl") || name.starts_with("CL_")) return has("clGetPlatformIDs");
    const bool is_driver = name.starts_with("cu") && name.size() > 2 && is_upper(name[2]);
    return !is_driver || has("cuInit");
}

/// Valid words that are in no current header.
bool is_elsewhere(std::string_view name) {
    if (name.starts_with("__")) return true;  // known to the compilers of kernels
    return is_one_of(name, {"CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_ORDER", "CUDA_VISIBLE_DEVICES",
                            "CUDA_CACHE_DISABLE", "CUDA_CACHE_PATH", "CUDA_MODULE_LOADING",
                            // only NVIDIA's page of cl_nv_device_attribute_query has them
                            "CL_DEVICE_PCI_BUS_ID_NV", "CL_DEVICE_PCI_SLOT_ID_NV",
                            // gone, and still asked for
                            "cudaSetupArgument", "cudaBindTexture",
                            // names of libraries
                            "cuSPARSE", "cuSOLVER", "cuDNN", "cuFFT", "cuRAND", "cuBLAS", "clBLAS", "clFFT",
                            // declared where the bindings throw
                            "BuildError"});
}

bool is_in_headers(std::string_view name) {
    const std::size_t star = name.find('*');
    if (star == name.npos) return header_words().contains(name);
    const auto first = header_words().lower_bound(name.substr(0, star));
    return first != header_words().end() && first->starts_with(name.substr(0, star));
}

TEST(MapWords, OfBothApisAreInTheirHeaders) {
    if (headers().empty()) GTEST_SKIP() << "PARALLAX_API_HEADERS names no file";
    ASSERT_GT(header_words().size(), 5000u);
    std::size_t count = 0;
    for (const MappingRule& row : whole_map()) {
        if (row.kernel_language) continue;
        for (const std::string_view list : {row.opencl, row.cuda, row.words}) {
            for (const std::string& name : api_names(list)) {
                if (is_elsewhere(name) || !is_looked_for(name)) continue;
                ++count;
                EXPECT_TRUE(is_in_headers(name))
                    << name << " of " << row.opencl << " / " << row.cuda;
            }
        }
    }
    EXPECT_GT(count, 700u);
}

/// The meaning of an error in CUDA's header that the table maps to one of OpenCL's.
struct Meaning {
    std::string_view opencl, cuda;
    std::string_view says;  ///< of CUDA's code, in its header
};
constexpr Meaning meanings[] = {
    {"CL_SUCCESS", "cudaSuccess", "The API call returned with no errors."},
    {"CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES", "cudaErrorMemoryAllocation",
     "unable to allocate enough memory"},
    {"access outside a buffer", "cudaErrorIllegalAddress", "invalid memory address"},
    {"access outside a buffer", "cudaErrorLaunchFailure", "An exception occurred on the device"},
    {"CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE", "cudaErrorInvalidConfiguration",
     "requesting resources that can never be satisfied by the current device"},
    {"CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE", "cudaErrorLaunchOutOfResources",
     "did not have appropriate resources"},
    {"CL_INVALID_BINARY", "cudaErrorNoKernelImageForDevice",
     "no kernel image available that is suitable for the device"},
    {"CL_INVALID_BINARY", "cudaErrorInvalidPtx", "A PTX compilation failed"},
    {"CL_PLATFORM_NOT_FOUND_KHR", "cudaErrorInsufficientDriver",
     "driver is older than the CUDA runtime library"},
    {"CL_DEVICE_NOT_FOUND", "cudaErrorNoDevice", "no CUDA-capable devices were detected"},
    {"CL_DEVICE_NOT_AVAILABLE", "cudaErrorDevicesUnavailable",
     "all CUDA devices are busy or unavailable"},
};

/// The comment before an enumerator, in one line.
std::string comment_of(std::string_view name) {
    const std::string_view text = headers();
    std::string comment;
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        const std::size_t start = text.rfind("/**", at);
        const std::size_t end = text.rfind("*/", at);
        const bool is_before =
            end != text.npos && start < end &&
            text.substr(end + 2, at - end - 2).find_first_not_of(" \n") == text.npos;
        if (!is_before) continue;
        const std::string lines = replaced(text.substr(start, end - start), "\n", " ");
        for (const std::string_view word : split(lines, " ")) {
            if (word != "*") comment += std::string(word) + " ";
        }
    }
    return comment;
}

TEST(MapWords, OfErrorsMeanTheSame) {
    for (const MappingRule& row : whole_map()) {
        if (row.topic != "errors" || row.equivalence == Equivalence::none) continue;
        if (headers().empty()) GTEST_SKIP() << "PARALLAX_API_HEADERS names no file";
        for (const std::string& name : api_names(row.cuda)) {
            if (!name.starts_with("cudaError") && name != "cudaSuccess") continue;
            const auto* const found = std::ranges::find_if(meanings, [&](const Meaning& one) {
                return one.opencl == row.opencl && one.cuda == name;
            });
            ASSERT_NE(found, std::end(meanings))
                << name << " stands beside " << row.opencl << " without a source";
            EXPECT_THAT(comment_of(name), HasSubstr(std::string(found->says))) << name;
        }
    }
}

TEST(MapWords, OfOptionsAreKnownToTheCompiler) {
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    std::size_t count = 0;
    for (const MappingRule& row : whole_map()) {
        if (row.topic != "build options") continue;
        for (const std::string_view part : split(row.cuda, ", ")) {
            if (!part.starts_with("-")) continue;
            std::string option = replaced(part, "NAME=value", "NAME=1");
            if (option.ends_with('N')) option.back() = '3';
            if (option == "--maxrregcount=3") option += '2';
            if (option == "--gpu-architecture") option += "=compute_90";
            ++count;
            const std::vector<std::string> given{option};
            EXPECT_EQ(nvrtc().compile("__global__ void k() {}", "k.cu", given).log, "") << option;
        }
    }
    EXPECT_GT(count, 12u);
}

}  // namespace
}  // namespace parallax::cuda::map_words_test

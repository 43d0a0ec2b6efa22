// Translates a CUDA C++ source to OpenCL C, by the table that the other direction goes by.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/from_cuda/clang_tree.hpp"
#include "mapping/from_cuda/cuda_kernels.hpp"
#include "mapping/table/mapping_rule.hpp"

namespace parallax {

/// A row of the mapping table that a line of a CUDA source was translated by.
struct AppliedRow {
    unsigned line = 0;
    const MappingRule* row = nullptr;
    std::string cuda, opencl;  ///< the word, and what became of it
    auto operator<=>(const AppliedRow&) const = default;
};

/// The OpenCL C text of a CUDA source's kernels.
struct OpenClTranslation {
    std::string text;
    std::vector<std::string> notes = {};  ///< `file:line: ...` of what a reader has to know
    std::string reason =
        {};  ///< why the preprocessor ran first, without being asked; empty: it did not
    /// Each kernel's name in CUDA, `blas::saxpy<float>`, and in OpenCL C, in the requested order,
    /// or that of the file.
    std::vector<std::pair<std::string, std::string>> kernels = {};
    std::vector<AppliedRow> applied = {};  ///< by lines, each once
    bool has_kernel = false;
};

/// Translates the kernels of a CUDA C++ source, with the functions and types that they use; host
/// code is left aside. It needs the program clang.
/// @param file     its name, for messages
/// @param options  kernels as CudaOptions says; of templates those that the file launches
/// @param expand   whether the preprocessor runs first; it does by itself where it has to
/// @throws Refused listing every place that has no rule; UsageError for a name that no kernel has;
/// Unsupported without clang
OpenClTranslation to_opencl(std::string_view file, std::string_view source,
                            const CudaOptions& options, bool expand,
                            from_cuda::Dialect dialect = from_cuda::Dialect::portable);

}  // namespace parallax

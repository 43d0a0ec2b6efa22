// The mapping table, read from CUDA to OpenCL C.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/table/table.hpp"

namespace parallax::from_cuda {

/// One spelling of a row.
struct ReverseRow {
    const MappingRule* row = nullptr;
    std::string opencl;  ///< `$` where the arguments go
    std::size_t arguments = 0;
    std::string first_type;  ///< that CUDA's first argument must have; empty: any
};

/// All rows by CUDA's words.
class ReverseRows {
public:
    static const ReverseRows& of_table();

    /// The row of a call; null: there is none.
    const ReverseRow* call(std::string_view name, std::size_t arguments,
                           std::string_view first_type) const;
    /// The rule for one or more words that are no call; null: there is none.
    const ReverseRow* word(std::string_view words) const;
    /// The row that refuses it; null: there is none.
    const MappingRule* refusal(std::string_view name) const;

private:
    ReverseRows();
    void add(const MappingRule& row, const std::string& opencl, const std::string& cuda);

    std::map<std::string, std::vector<ReverseRow>, std::less<>> calls_;
    std::map<std::string, ReverseRow, std::less<>> words_;
    std::vector<std::pair<std::string, const MappingRule*>> refusals_;
};

/// `opencl` with the arguments in place of each `$`.
std::string with_arguments(std::string_view opencl, const std::vector<std::string>& arguments);

}  // namespace parallax::from_cuda

// Types of CUDA C++ and how OpenCL C spells them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mapping/cuda/tokens.hpp"

namespace parallax::cuda_reading {

/// A type without its stars.
struct TypeName {
    std::string text;  ///< OpenCL's where it is known, else as written
    bool is_known = false;
    bool is_const = false;
    bool is_auto = false;
    std::size_t end = 0;  ///< behind it
};

/// OpenCL C's name for a type of CUDA; empty: another type. A vector of three is a struct there.
std::string opencl_type(std::string_view cuda);

/// What stands for a text's types that OpenCL C has not: structs for vectors of three, which take
/// no more than their parts.
std::string packed_vectors(std::string_view text);

/// The type that begins at `i`; nothing: none does.
std::optional<TypeName> type_at(const Tokens& tokens, std::size_t i);

/// Whether OpenCL C has the word for something else.
bool is_opencl_word(std::string_view word);

/// A text as one word.
std::string as_word(std::string_view text);

}  // namespace parallax::cuda_reading

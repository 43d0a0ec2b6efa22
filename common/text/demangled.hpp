// Names of functions as C++ compilers mangle them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// A function's name and its parameters, as the C++ runtime's demangler gives them.
struct FunctionName {
    std::string name;                     ///< without namespace and template arguments
    std::vector<std::string> parameters;  ///< types; empty: unknown, or none
    std::string expression = {};          ///< with namespaces and template arguments
};

/// A function's whole name, such as `void blas::scale<float, 4>(float*, int)`, in which the types
/// of half precision have one spelling; a name that is not mangled stays as it is.
std::string readable_name(const std::string& mangled);

/// @param mangled  a name that is not mangled stays as it is
FunctionName demangled(const std::string& mangled);

/// A scalar by its name in OpenCL C (`float`, `uint`, `half`), and its bytes.
struct ScalarName {
    std::string_view name;
    std::size_t bytes = 0;
};

/// The scalar that a pointer parameter leads to, of a vector its component; without a name where
/// the parameter is no pointer, or one to something else.
ScalarName pointee_of(std::string_view parameter);

}  // namespace parallax

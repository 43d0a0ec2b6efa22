// The kernels of a CUDA C++ source, and each as OpenCL C that can be read.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "mapping/analyze/signature.hpp"

namespace parallax {

/// Memory that a kernel uses and that is no parameter: a `__constant__` or `__device__` variable,
/// or an array of `extern __shared__`.
struct CudaVariable {
    enum class Kind { constant, device, shared } kind = Kind::constant;
    std::string name;
    std::string type;   ///< as OpenCL C spells it, or as written where it is not known
    std::string count;  ///< elements of an array; empty: no array
    std::string value;  ///< as written; empty: the source does not say it
};

/// A kernel's access to a texture or surface object.
struct CudaImage {
    std::string name, element;  ///< `float`, `int`, `uint`, ...
    unsigned channels = 4;
};

/// A kernel of a CUDA source.
struct CudaKernel {
    /// Its own name and its parameters, texture and surface objects as images. A type that is not
    /// known is as written. A pointer says `global`.
    Signature signature;
    /// NVRTC's name expression: `saxpy`, `blas::saxpy<float, 256>`; with the names of its
    /// template's parameters where the arguments are not known.
    std::string expression;
    std::string mangled = {};            ///< its name in machine code, as clang makes it
    std::vector<std::string> open = {};  ///< template parameters without an argument
    std::vector<CudaVariable> shared = {}, symbols = {};
    std::vector<CudaImage> images = {};  ///< of the parameters that are images, as far as is said
    bool waits_for_grid = false;         ///< it needs a cooperative launch
    unsigned bound = 0;  ///< threads of a block at most, of `__launch_bounds__`; 0: not said
    /// Size of a block, from a launch or a bound in the file; 0: not known.
    std::array<unsigned, 3> items{};
    /// OpenCL C with this kernel alone, to be read and never compiled: parameters first, then
    /// symbols without a value, then arrays of `extern __shared__`, by their names. A name that
    /// OpenCL C takes has a `_` behind it.
    std::string reading = {};
    /// CUDA C++ with what the kernel needs of the source, and nothing of the host's.
    std::string needed = {};
};

/// Options for reading a CUDA source.
struct CudaOptions {
    std::vector<Define> defines = {};
    /// Kernels by name, or by a name expression, with or without its namespaces, or as
    /// CudaKernel::mangled; of a template without arguments all of its instances. Empty: all.
    std::vector<std::string> kernels = {};
};

/// The kernels of a source, as clang reads it, in the order of `kernels` or of the file: instances
/// of templates that the file makes or launches, and templates without one. Includes, and what
/// clang does not know, are left aside; a body that cannot be read leaves its kernel without one.
/// @throws Refused, `file:line: ...`, when clang makes nothing of the text, or the preprocessor
/// would have to run and cannot; UsageError when the
/// file has no such kernel, or the template arguments do not fit it; Unsupported without clang
std::vector<CudaKernel> cuda_kernels(std::string_view file, std::string_view source,
                                     const CudaOptions& options = {});

}  // namespace parallax

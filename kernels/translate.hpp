// From one kernel text in OpenCL C to the CUDA text of the same kernel, by a table of rows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/types.hpp"

namespace parallax {

/// The CUDA text of a kernel file.
struct Translation {
    std::string prelude;  ///< device functions and types that the body uses; may be empty
    std::string body;     ///< line n is line n of the OpenCL text
    /// Exactly what NVRTC is given: the prelude, a `#line` that gives the body its own line
    /// numbers, the body.
    std::string text() const;
    std::string file;  ///< its name in `#line`
};

/// Translates `source`.
/// @param file       its name, for messages
/// @param type       what `T`, `T2`, `T4` become
/// @param constants  names that come from `-DNAME=value`; they stay as they are
/// @throws Refused listing every place that has no row, up to 500 of them; a text that does not lex
/// or whose brackets do not match is refused for the first such place alone.
Translation to_cuda(std::string_view file, std::string_view source, ElementType type,
                    std::span<const std::string> constants);

/// One parameter of a kernel, as written.
struct Parameter {
    enum class Kind { scalar, global, constant, local } kind = Kind::scalar;
    std::string
        type;  ///< element type with `T` resolved, no qualifiers: `float`, `ulong`, `float4`
    std::string name;
    bool read_only = false;  ///< points to const
};

/// One kernel of a file.
struct Signature {
    std::string kernel;
    std::vector<Parameter> parameters;
    unsigned line = 0;       ///< where `__kernel` stands; 1 is the first
    unsigned last_line = 0;  ///< of its closing brace
};

/// The kernels of a file, in order.
/// @throws Refused when the text does not lex or a parameter list cannot be read.
std::vector<Signature> signatures(std::string_view file, std::string_view source, ElementType type);

}  // namespace parallax

// Translates a kernel source from OpenCL C to CUDA C++, by a table of rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/options.hpp"
#include "mapping/analyze/signature.hpp"
#include "mapping/translate/pieces.hpp"

namespace parallax {

/// The CUDA source of a kernel file.
struct Translation {
    std::string prelude;  ///< device functions and types that the body uses; may be empty
    std::string body;     ///< line n is line n of the OpenCL source
    /// Exactly what NVRTC is given: the prelude, a `#line` that gives the body its own line
    /// numbers, the body.
    std::string text() const;
    std::string file;  ///< its name in `#line`
    /// The effects of mapping rules, from the OpenCL source to `body`, in order. The text between
    /// two of them is equal in both.
    std::vector<Piece> pieces;
    /// `file:line: ...` of what was left out unknown, and of conditions that may differ
    std::vector<std::string> notes = {};
    /// The notes that name macros of one device's compiler, which another's may lack.
    std::vector<std::string> device_names = {};
};

/// Translates `source`.
/// @param file  its name, for messages
/// @throws Refused listing every place that has no row, up to 500 of them; a text that does not lex
/// or whose brackets do not match is refused for the first such place alone.
Translation to_cuda(std::string_view file, std::string_view source,
                    const TranslateOptions& options);

}  // namespace parallax

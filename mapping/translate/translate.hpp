// Translates a kernel source from OpenCL C to CUDA C++, by a table of rows.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/device/types.hpp"
#include "mapping/translate/pieces.hpp"

namespace parallax {

/// The CUDA text of a kernel file.
struct Translation {
    std::string prelude;  ///< device functions and types that the body uses; may be empty
    std::string body;     ///< line n is line n of the OpenCL text
    /// Exactly what NVRTC is given: the prelude, a `#line` that gives the body its own line
    /// numbers, the body.
    std::string text() const;
    std::string file;  ///< its name in `#line`
    /// What rows of the mapping table did, from the OpenCL text to `body`, in order. Between two of
    /// them both texts are the same.
    std::vector<Piece> pieces;
    /// `file:line: ...` of what was left out unknown, and of conditions that may differ
    std::vector<std::string> notes = {};
    /// Those of the notes that name what one device's compiler defines and another's may not.
    std::vector<std::string> device_names = {};
};

/// What a translation is told beside the text.
struct TranslateOptions {
    /// What `T`, `T2`, `T4` become; nothing: they are names like others.
    std::optional<ElementType> type = {};
    /// Names that come from `-DNAME=value`, an integer, for both compilers; they stay as they are.
    std::vector<std::string> constants = {};
    /// `-DNAME=VALUE` of OpenCL C text; each becomes a `#define` of the prelude, translated.
    std::vector<Define> defines = {};
    /// OpenCL's `-cl-std=`: `CL3.0`; empty: CL1.2
    std::string standard = {};
};

/// What a program gives its compiler.
TranslateOptions translate_options(const Program& program);

/// Translates `source`.
/// @param file  its name, for messages
/// @throws Refused listing every place that has no row, up to 500 of them; a text that does not lex
/// or whose brackets do not match is refused for the first such place alone.
Translation to_cuda(std::string_view file, std::string_view source,
                    const TranslateOptions& options);

/// A member of a struct, as it is declared.
struct Member {
    std::string type;  ///< its own, or an array's elements'; empty: none that is known
    std::string name;
    unsigned elements = 1;  ///< of an array, in all of its dimensions; 0: not known
    bool is_array = false;
    std::vector<Member> members = {};  ///< of one that is a struct
};

/// One parameter of a kernel, as written.
struct Parameter {
    enum class Kind { scalar, global, constant, local, image } kind = Kind::scalar;
    /// Element type with `T` resolved, no qualifiers: `float`, `ulong`, `float4`; of an image
    /// `image2d_t`, `image1d_buffer_t`, ...
    std::string type;
    std::string name;
    bool read_only = false;  ///< points to const, or is an image that is not written
    /// Of a struct or a pointer to one; empty where branches of an `#if` decide, or nothing is
    /// known. With an obstacle, and numbers of one type alone: an array of it without a name.
    std::vector<Member> members = {};
    /// Why the struct's layout does not follow from its members, as "a union"; empty: it does.
    std::string obstacle = {};
};

/// One kernel of a file.
struct Signature {
    std::string kernel;
    std::vector<Parameter> parameters;
    unsigned line = 0;       ///< where `__kernel` stands; 1 is the first
    unsigned last_line = 0;  ///< of its closing brace
    /// `reqd_work_group_size`, where it is numbers or macros of numbers; 0: not said
    std::array<unsigned, 3> required{};
};

/// The kernels of a file, in order. Types behind macros and typedefs are looked up.
/// @throws Refused when the text does not lex or a parameter list cannot be read.
std::vector<Signature> signatures(std::string_view file, std::string_view source,
                                  const TranslateOptions& options);
inline std::vector<Signature> signatures(std::string_view file, std::string_view source,
                                         std::optional<ElementType> type) {
    return signatures(file, source, TranslateOptions{type});
}

/// The macros given beside a text as lines before it, and a `#line` that numbers it from 1; the
/// text itself when there are none.
/// @throws Refused for one that is no single line.
std::string with_defines(std::string_view file, std::string_view source,
                         const std::vector<Define>& defines);

}  // namespace parallax

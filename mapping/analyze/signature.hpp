// The kernels of a source and their parameters.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/types.hpp"
#include "mapping/analyze/options.hpp"

namespace parallax {

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
    /// Members of a struct or of the target of a pointer; empty where branches of an `#if` decide,
    /// or nothing is known. With an obstacle, and numbers of one type only: an array of that type
    /// without a name.
    std::vector<Member> members = {};
    /// Why the struct's layout does not follow from its members, as "a union"; empty: it does.
    std::string obstacle = {};
};

/// One kernel of a file.
struct Signature {
    std::string kernel;
    std::vector<Parameter> parameters;
    unsigned line = 0;       ///< line of `__kernel`; 1 is the first
    unsigned last_line = 0;  ///< of its closing brace
    /// `reqd_work_group_size`, where it is numbers or macros of numbers; 0: not said
    std::array<unsigned, 3> required{};
};

/// The source with empty bodies of functions, line by line. A bracket that does not match ends with
/// its function at the latest, where a kernel follows.
/// @throws Refused when it does not lex
std::string without_bodies(std::string_view file, std::string_view source);

/// The kernels of a file, in order. Types behind macros and typedefs are looked up.
/// @throws Refused when the source does not lex or a parameter list cannot be read.
std::vector<Signature> signatures(std::string_view file, std::string_view source,
                                  const TranslateOptions& options);
inline std::vector<Signature> signatures(std::string_view file, std::string_view source,
                                         std::optional<ElementType> type) {
    return signatures(file, source, TranslateOptions{type});
}
/// That of a kernel of an OpenCL C program, with its edits; nothing: there is no such kernel.
std::optional<Signature> signature_of(const Program&, std::string_view kernel);

}  // namespace parallax

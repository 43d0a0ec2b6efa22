// The corpus of small OpenCL kernels: what their directives say about running them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/device/device.hpp"
#include "mapping/analyze/value_type.hpp"

namespace parallax::corpus {

/// A buffer that a kernel takes, from `//! in: float4 64 unit`.
struct Buffer {
    enum class Way { in, out, inout } way = Way::in;
    enum class InputPattern {
        poison,
        zero,
        small,
        unit,
        bits,
        iota,
        special
    } filling = InputPattern::poison;
    ValueType type;            ///< of one element
    std::size_t elements = 0;  ///< at least 1

    bool is_output() const { return way != Way::in; }
    std::size_t bytes() const;
};

/// `//! local: 256` gives the bytes of a dynamic local parameter.
using Parameter = std::variant<Buffer, Scalar, LocalBytes>;

/// One kernel with its directives.
struct Kernel {
    std::string name;
    std::vector<Parameter> parameters;
    Size items, group;
    double ulp = 0;  ///< how far floats and doubles may be apart; 0: equal bits, a NaN for a NaN
    std::set<std::string, std::less<>> needs;  ///< what a device must have
    std::string like;                          ///< the kernel that gives the same; empty: none
    /// Part of the name of a platform that gets it wrong, and how; empty: none is known.
    std::string wrong_on, wrong_because;
    std::vector<Define> defines;

    Geometry geometry() const;
};

struct File {
    std::string name, source;
    std::vector<Kernel> kernels;
};

/// Reads the directives above each kernel of a source; read_directive() says what they are. Whether
/// they fit the kernel the tests say.
/// @throws Error `file:line: ...`
File read_kernels(std::string_view name, std::string_view source);

/// All files of the corpus, by name. @throws the errors of `read_kernels`; Error when there are
/// none.
const std::vector<File>& files();
/// The kernel of that name and its file. @throws Error when there is none.
struct Found {
    const File* file;
    const Kernel* kernel;
};
Found find(std::string_view kernel);

/// A source that must be rejected, and its `//! refused: LINE WORD`.
struct RefusedText {
    std::string name, source;
    unsigned line = 0;
    std::string word;
};
const std::vector<RefusedText>& refused_files();

using Bytes = std::vector<std::byte>;

/// The contents of the kernel's buffers before the launch, the same every time: those of outputs
/// are poison. Kernels with equal directives get equal contents.
std::vector<Bytes> inputs_of(const Kernel& kernel);

/// The differences of `got` from `expected`, by buffer and element: the first one with both values
/// in decimal and in hexadecimal, and the number of wrong elements. Empty: none. Inputs must be
/// unaltered; the fourth component of a vector of three is ignored.
std::string difference(const Kernel& kernel, const std::vector<Bytes>& expected,
                       const std::vector<Bytes>& got);

}  // namespace parallax::corpus

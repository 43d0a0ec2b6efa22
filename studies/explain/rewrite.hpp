// Small changes of a kernel's source that keep its meaning: one for each property that a compiler
// may or may not use. They work on tokens, and keep line numbers wherever they can.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/program.hpp"
#include "common/device/types.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {

/// The changed source of a kernel file, or nothing where there was nothing to change.
/// All of them @throw Refused for a source that does not lex or whose brackets do not match.
using Rewritten = std::optional<std::string>;

/// A source and its language; OpenCL C unless it is said.
struct SourceToChange {
    std::string_view source;
    SourceLanguage language = SourceLanguage::opencl;

    SourceToChange(std::string_view text, SourceLanguage of = SourceLanguage::opencl)
        : source(text), language(of) {}
    SourceToChange(const std::string& text) : source(text) {}
    SourceToChange(const char* text) : source(text) {}
};

/// Every `__local` array is declared as aligned to `bytes`, also where the source has another
/// alignment.
Rewritten align_local_arrays(const SourceToChange& text, unsigned bytes);

/// `restrict` for every pointer to global memory among the kernels' parameters.
/// @param read_only  only for those that point to const
/// @param only       only for the pointer of this name; empty: all
Rewritten restrict_pointers(const SourceToChange& text, bool read_only, std::string_view only = {});
/// The pointers that the first would change in these kernels, in order, each name once.
std::vector<std::string> pointers_without_restrict(const SourceToChange& text,
                                                   const std::vector<std::string>& kernels);
/// No `restrict` anywhere.
Rewritten without_restrict(const SourceToChange& text);

/// No `volatile` anywhere.
/// @param temporaries  only where it is said of a function's own scalars and vectors
Rewritten without_volatile(const SourceToChange& text, bool temporaries = false);

/// Adds the work-group size to the kernel's declaration; in CUDA the number of threads.
Rewritten require_group_size(const SourceToChange& text, std::string_view kernel,
                             const Size& items);
/// Removes the work-group size from all kernels' declarations.
Rewritten without_group_size(const SourceToChange& text);

/// 32 bits for indices: `size_t`, `ulong` and `long` become `uint` and `int`. An index occurs in a
/// subscript, is added to a pointer, counts a loop, is compared with an index or is part of one.
/// Data keep their types. Kernel parameters, which the host passes, keep theirs too, and are
/// narrowed on entry.
Rewritten narrow_indices(const SourceToChange& text);
/// 64 bits for indices: `uint` and `int` become `ulong` and `long`, but for the kernels'
/// parameters.
Rewritten widen_indices(const SourceToChange& text);

/// Hints for loops.
enum class Unroll {
    silent,    ///< nothing: no loop has a `#pragma unroll`
    asked,     ///< on innermost loops, in addition to existing ones
    forbidden  ///< all loops have `#pragma unroll 1`
};
/// @param factor  with `asked`: all innermost loops have `#pragma unroll FACTOR`; 0: no factor
Rewritten unroll_loops(const SourceToChange& text, Unroll, unsigned factor = 0);
/// The lines of the loops that it tells something.
std::vector<unsigned> lines_of_unrolled(const SourceToChange& text, Unroll, unsigned factor = 0);

/// Adds one column to every local array of two or more dimensions, so that its columns are in
/// different banks.
Rewritten pad_local_arrays(const SourceToChange& text);

/// Literals without a suffix become those of `float`, and so does the type `double`, but for
/// pointers, members and the kernels' parameters: the host gives their layout.
Rewritten without_doubles(const SourceToChange& text);

/// The functions of `float` that a CUDA source calls and that have a fast form, `sinf`, by their
/// names, those with the most calls first.
std::vector<std::string> cuda_float_functions(std::string_view source);
/// Calls of this function become those of its fast form: `__sinf` for `sinf`.
Rewritten cuda_fast_function(std::string_view source, std::string_view function);

/// The math functions that the source calls for `float` and that have a native form, by their
/// names, those with the most calls first.
std::vector<std::string> float_functions(std::string_view source, const TranslateOptions&);
/// `native_sin` of `sin`; empty: it has no native form.
std::string native_name(std::string_view function);
/// Calls of this function for `float` become those of its native form: `native_sin` for `sin`.
Rewritten native_function(std::string_view source, const TranslateOptions&,
                          std::string_view function);
/// `pow(x, 2.0f)` and `pow(x, 3.0f)` become products, where `x` may be calculated again.
Rewritten powers_as_products(std::string_view source, const TranslateOptions&);
/// `a / b` of `float` becomes `a * native_recip(b)`; divisions of integers stay.
Rewritten divide_by_reciprocals(std::string_view source, const TranslateOptions&);
/// `if (c) x = a; else x = b;` becomes `x = select(b, a, c)`, with or without `else`, where `x` is
/// a scalar of 32 bits and what is assigned reads no memory, changes nothing and cannot trap.
Rewritten select_for_branches(std::string_view source, const TranslateOptions&);
/// Loads of four elements at once, `vload4(i, p)` or `p[i]` of a kernel's `float4*`, become four.
Rewritten split_vector_loads(std::string_view source, const TranslateOptions&);
/// `vload4(i, p)` and `(float4)(p[4 * i], ..., p[4 * i + 3])` become one load, where `p` is a
/// kernel's parameter, which points to the beginning of a buffer.
Rewritten join_vector_loads(std::string_view source, const TranslateOptions&);

/// Loops that add a float to global memory by compare-and-exchange become NVIDIA's atomic addition
/// in inline PTX, `red.global.add.f32`, where nothing reads the old value behind the loop.
Rewritten sums_at_once(std::string_view source, const TranslateOptions&);

/// A text whose only local array of one kernel is a parameter instead, the last one.
struct DynamicLocal {
    std::string source;
    std::uint32_t bytes = 0;  ///< of the array
};
/// Nothing where the kernel has no, several, or not just one-dimensional local arrays, has a local
/// parameter already, or where the array's extent is more than sums and products of constants.
std::optional<DynamicLocal> make_local_dynamic(std::string_view source, std::string_view kernel,
                                               ElementType type,
                                               const std::vector<Constant>& constants);

/// The value of an expression of whole numbers, names of constants, `+ - * / %` and parentheses;
/// nothing for any other.
std::optional<std::int64_t> value_of_expression(std::string_view expression,
                                                const std::vector<Constant>& constants);

}  // namespace parallax

// Scalar types, structs and literals, and conversions.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_types[] = {
    {"T", "=",
     "The element type of a run, float, double or int. The translator writes it out, and OpenCL "
     "gets it as -DT=float."},
    {"T2", "=", "The vector of 2 of the element type, written out: float2."},
    {"T4", "=", "The vector of 4 of the element type, written out: float4."},
    {"bool", "=", "Not for parameters of kernels: OpenCL does not say how large it is."},
    {"char", "signed char",
     "Signed in OpenCL; in C++ the compiler's choice, so the sign is written out."},
    {"signed char", "=", "The same as char, spelled out."},
    {"unsigned <char|short|int>", "=", "The same as uchar and so on, spelled out."},
    {"<signed|unsigned>", "=", "For short: signed int or unsigned int."},
    {"uchar", "unsigned char", "CUDA has no short names for unsigned types."},
    {"short", "=", "16 bits in both."},
    {"ushort", "unsigned short", "16 bits in both."},
    {"int", "=", "32 bits in both."},
    {"uint", "unsigned int", "32 bits in both; NVRTC does not know the short name."},
    {"long", "long long",
     "Always 64 bits in OpenCL. CUDA's long follows the host compiler, 32 bits on Windows; long "
     "long is always 64."},
    {"ulong", "unsigned long long", "Always 64 bits in OpenCL, as unsigned long long in CUDA."},
    {"unsigned long", "unsigned long long", "The same, spelled out."},
    {"1L", "1LL", "A literal of type long is 64 bits wide in OpenCL, as LL is in CUDA."},
    {"float", "=", "IEEE 754 binary32 in both."},
    {"double", "=", "IEEE 754 binary64. Optional in OpenCL, always there in CUDA."},
    {"half", "=",
     "16 bits. CUDA's own half is in a header that run-time compilation does not find; the "
     "prelude's adds, multiplies and fuses as the hardware does, and divides in float."},
    {"size_t", "=",
     "As wide as a pointer of the device: 64 bits here. In CUDA it is another type than "
     "unsigned long long; the prelude's functions take both."},
    {"ptrdiff_t", "=", "The signed companion of size_t."},
    {"intptr_t", "ptrdiff_t", "A pointer's bits; NVRTC does not define the name."},
    {"uintptr_t", "size_t", "A pointer's bits; NVRTC does not define the name."},
    {"1.0h", "half(1.0f)", "A literal of type half; CUDA has none, so it is made of a float."},
    {"<__const|__const__>", "const", "The spelling of compilers for C."},
    {"(struct S){$}", "S{$}",
     "A struct without a name. C++ has no such literal, but its own braces behind the type do "
     "the same."},
    {"{.name = $}", "{$}",
     "The name of a member or an element ([2] = $) in an initializer, which C++17 does not know: "
     "the parts are written in order, with zeros for those that are left out."},
    {"enum E e", "unsigned int e",
     "OpenCL's compiler gives an enum without negative values the type unsigned int, another one "
     "int, long or ulong: e > -1 is false for the first. C++ would compute with int, and takes no "
     "number for an enum, so the type itself is written."},
    {"enum { A }", "enum : int { A }",
     "An enumerator is an int in OpenCL C. One that no int holds has the type of the enum's "
     "variables, and is written in an enum of its own."},
    {"struct S { struct R { T a; } b; }", "struct R { T a; }; struct S { struct R b; }",
     "A type that is defined within another one and used outside of it: in C++ its name, and an "
     "enum's constants, would be known inside alone. It is written in front."},
    {"char s[1] = \"a\"", "char s[1] = {'a'}",
     "A string that fills its array. C++ wants a place for the NUL as well."},
    {"bool b; b++", "bool b; (b || !(b = true))",
     "C++17 has no ++ and -- of bool. In C the first sets it, and the second negates it."},
    {"for (T i = $;;) { T i; }", "for (T i = $;;) {{ T i; }}",
     "A body that declares the loop's variable once more. C gives the body a scope of its own; C++ "
     "does not, so it gets braces of its own."},
    {"const T a;", "const T a = {};",
     "A constant without a value. C++ wants one; nobody can read it in OpenCL C."},
    {"case $:", "case (T)($):",
     "A label that the type of the switch does not hold is converted to it. C++ wants the cast."},
    {"sizeof(T < T)", "sizeof(int)",
     "A comparison, a character, isnan() and a choice of two narrow values (n ? c : c) are int in "
     "OpenCL C, and bool or the narrow type in C++: the type that they have in OpenCL C is written. "
     "An array behind a comma or chosen by ?: is a pointer in C, which a + makes it in C++."},
    {"T = pow(T, int)", "T = pow(T, (T)(int))",
     "With a whole number beside a float C++ chooses the function of double; a cast keeps it "
     "the function of T. So for fmod, atan2, fmax, fmin, copysign, hypot and their like."},
    {"__attribute__((packed))", "=",
     "No gaps between the members. Behind a struct's members CUDA's compiler ignores "
     "attributes: they move in front of its name."},
    {"'a'", "=",
     "An int in OpenCL C and a char in C++: the value is the same, and sizeof of it is "
     "written as that of int."},
    {"typedef T4 name", "=",
     "The new name is known as the vector's: literals and components of it are translated."},
    {"typedef __global T* name", "typedef T* name",
     "The address space vanishes as it does elsewhere."},
    {"atomic_<int|uint|long|ulong|float|double>", "<type in CUDA>",
     "An atomic object is a plain one that only atomic functions touch."},
    {"atomic_size_t", "size_t",
     "An atomic object is a plain one that only atomic functions touch."},
    {"atomic_flag", "=", "An int, by the prelude."},
    {"<memory_order|memory_scope>", "=", "An enum of the prelude."},
    {"cl_mem_fence_flags", "=", "An unsigned int, by the prelude."},
    {"event_t", "=", "What a copy by a group gives back; an int of the prelude."},
    {"long long", "",
     "long long is reserved for 128 bits in OpenCL. Write long, which has 64.", none},
    {"long double, quad, complex, imaginary", "",
     "Reserved in OpenCL, no type of it. Write double.", none},
    {"__typeof__(), __typeof(), typeof()", "",
     "OpenCL C has no such operator, though some of its compilers do. Write the type.", none},
    {"\"a\"", "", "Only printf and arrays of char take a string. Remove it.", none},
    {"sizeof", "",
     "A comparison is int in C and bool in C++, and what is compared here is not known. Write "
     "sizeof(type), or run the preprocessor first (--expand).", none},
};

/// Conversions between types.
inline constexpr MappingRule kernel_conversions[] = {
    {"as_<type>($)", "=",
     "The prelude takes the same bits for another type; no value is converted.", same,
     "@__float_as_int, @__int_as_float, reinterpret, bit cast"},
    {"convert_<integer>($)", "((<type in CUDA>)($))",
     "Towards zero, as the cast rounds. For values that do not fit OpenCL lets the "
     "implementation choose the result.", nearly},
    {"convert_<half|float|double>($)", "((<type in CUDA>)($))",
     "Rounds to nearest even, as the cast does."},
    {"convert_<type>_<rte|rtz|rtp|rtn>($)", "=",
     "_rte rounds to nearest even, _rtz towards zero, _rtp up and _rtn down; by the prelude.",
     same, "@__float2int_rn, rounding mode of a conversion"},
    {"convert_<integer>_sat<|_rte|_rtz|_rtp|_rtn>($)", "=",
     "A value beyond the type becomes its largest or smallest one, and NaN becomes 0; _rte, "
     "_rtz, _rtp and _rtn round as without _sat. By the prelude.", same, "@"},
    {"as_*(), convert_*()", "",
     "No type of OpenCL C stands behind it. Write as_ or convert_ with one that does.", none},
    {"vload*(), vstore*()", "",
     "No width of OpenCL C stands behind it. Write 2, 3, 4, 8 or 16.", none},
};

}  // namespace parallax::row_lists

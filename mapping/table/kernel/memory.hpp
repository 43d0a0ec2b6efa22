// Address spaces, pointers, loads, stores and copies.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_memory[] = {
    {"__global", "",
     "A CUDA pointer is generic: the hardware finds out which memory it points to, so the word "
     "vanishes.", same, "global address space, generic pointer"},
    {"global", "", "The same word without underscores."},
    {"__local", "__shared__",
     "One array for the work-group (block). A pointer to it is an ordinary pointer in CUDA and "
     "loses the word.", same, "__shared__, static shared memory"},
    {"local", "__shared__", "The same word without underscores."},
    {"__local T* p)", "extern __shared__ unsigned char dynamic_local[]; T* p",
     "Local memory whose size the launch decides is a parameter in OpenCL and an extern array "
     "in CUDA. There is one such array a launch: the first such parameter vanishes, each "
     "further one becomes a number, unsigned int p_at, where its part begins.", same,
     "dynamic_local, extern __shared__, dynamic shared memory in a kernel"},
    {"__constant", "__constant__",
     "At file scope, data that no launch changes. A parameter or pointer to it becomes a "
     "pointer to const, which CUDA may read through another cache.", nearly,
     "__constant__, constant address space"},
    {"constant", "__constant__", "The same word without underscores.", nearly},
    {"T data at file scope", "__device__ T",
     "Data that all work-items of all launches share lies in global memory in both. OpenCL C "
     "1.2 knows only __constant there."},
    {"<__private|private>", "",
     "A work-item's own memory: the default in both languages. In C++ private would be a keyword "
     "of classes."},
    {"restrict", "__restrict__",
     "A promise that nothing else points there. With const, CUDA may use read-only loads for it.",
     nearly, "__restrict__, __ldg, aliasing, read-only cache"},
    {"__attribute__((aligned($)))", "__align__($)",
     "NVIDIA's OpenCL puts 4 bytes in front of local memory: an array that does not ask for 16 "
     "bytes cannot be read 128 bits at a time.", same,
     "__align__, alignas, alignment of local arrays"},
    {"T* p = q", "T* p = (T*)(q)",
     "C turns a pointer into one to another type, or drops its const, without more than a "
     "warning; C++ only by a cast, which the translator writes."},
    {"T p[static 3]", "T p[3]",
     "In an array's brackets C lets a parameter say how many elements there are at least, and "
     "qualify the pointer that it is; C++ has no words for either."},
    {"char* s = \"a\"", "char* s = (const signed char*)\"a\"",
     "A string is an array of char in both, but OpenCL's char is signed char in CUDA."},
    {"<__restrict|__restrict__>", "__restrict__", "The spelling of compilers for C."},
    {"register", "",
     "A hint that compilers have long ignored: clang's for OpenCL C refuse it, and C++17 no longer "
     "has the word."},
    {"volatile T4", "=",
     "Of a vector or struct C++ has volatile access to the members alone. Where the whole is read "
     "or written, the prelude's volatile_load or volatile_store goes over them, one by one, each "
     "of them volatile.", nearly, "volatile_load, volatile_store, volatile_copy"},
    {"NULL", "nullptr", "The pointer to nothing, by C++'s own word: it needs no header."},
    {"async_work_group_copy($, $, $, $)", "=",
     "The group copies in a loop, done for each work-item when it returns; wait_group_events is "
     "the barrier.", nearly,
     "@cooperative_groups::memcpy_async, asynchronous copy to local memory"},
    {"async_work_group_strided_copy($, $, $, $, $)", "=",
     "The group copies in a loop. The stride belongs to the side in global memory.", nearly, "@"},
    {"wait_group_events($, $)", "=", "__syncthreads(): all work-items have copied their share.",
     same, "@cooperative_groups::wait"},
    {"prefetch($, $)", "((void)0)", "A hint without effect on results."},
    {"vload<2|3|4|8|16>($, $)", "=",
     "vloadN reads N elements from p + N * i on, aligned as one element is; the prelude reads "
     "them one by one.", same, "@"},
    {"vstore<2|3|4|8|16>($, $, $)", "=",
     "vstoreN writes N elements from p + N * i on, aligned as one element is; the prelude "
     "writes them one by one.", same, "@"},
    {"vload_half($, $)", "=", "One half, read as a float.", same, "@__half2float"},
    {"vload_half<2|3|4|8|16>($, $)", "=", "vload_halfN reads N halfs from p + N * i on as floats.",
     same, "@"},
    {"vloada_half<2|3|4|8|16>($, $)", "=",
     "vloada_halfN reads N halfs, aligned as a vector, as floats. vloada_half3 goes on by 4 "
     "halfs.", same, "@"},
    {"vstore_half<|2|3|4|8|16><|_rte|_rtz|_rtp|_rtn>($, $, $)", "=",
     "Rounds floats to halfs, by the prelude: to nearest even, unless the name ends in _rtz "
     "(towards zero), _rtp (up) or _rtn (down).", same,
     "@__float2half_rn, @__float2half_rz, @__float2half_ru, @__float2half_rd"},
    {"vstorea_half<2|3|4|8|16><|_rte|_rtz|_rtp|_rtn>($, $, $)", "=",
     "The same as vstore_half for halfs that are aligned as a vector; those of 3 stand 4 halfs "
     "apart.", same, "@"},
    {"__generic, generic", "",
     "Of OpenCL C 2.0, and of 3.0 where a device has the feature; every pointer of CUDA is "
     "generic. Name the address space.", none},
    {"to_global(), to_local(), to_private(), get_fence()", "",
     "They ask generic pointers, which are not translated. Name the address space; CUDA's own are "
     "__isGlobal(), __isShared() and __isLocal().", none, "__isGlobal, __isShared, __isLocal"},
    {"CLK_*", "", "Only the flags of fences and samplers are translated. Pass the number.", none},
    {"__constant T* at file scope", "",
     "In CUDA a pointer in constant memory could not be told from one to constant memory. Write "
     "an array, or pass the pointer.", none},
};

}  // namespace parallax::row_lists

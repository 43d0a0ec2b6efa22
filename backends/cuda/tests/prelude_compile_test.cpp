// Compiles calls of every function of the prelude, for every type.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/nvrtc.hpp"
#include "common/tests/thorough.hpp"
#include "mapping/prelude/prelude.hpp"
#include "mapping/prelude/prelude_functions.hpp"

namespace parallax::cuda::prelude_compile_test {
namespace {

using testing::HasSubstr;

/// The compiler's errors with the source, or nothing.
std::string problems(const std::string& text) {
    const std::vector<std::string> given{"--std=c++17", "--gpu-architecture=compute_90",
                                         "--fmad=false"};
    const NvrtcOutput output = nvrtc().compile(text, "prelude.cu", given);
    if (output.ok && output.log.find_first_not_of(" \n\0") == output.log.npos) return {};
    return output.log + "\n" + text;
}

class Prelude : public testing::Test {
protected:
    void SetUp() override {
        if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    }
};

/// A kernel that calls `name` with a pointer's target for each parameter, and stores the result.
std::string call(std::string_view name, const Prototype& prototype, ValueType type, int number) {
    std::string parameters, arguments;
    int count = 0;
    for (const WrittenType& one : prototype.parameters) {
        parameters += fmt::format(", {}* p{}", cuda_name(type_meant(one, type)), count);
        arguments += fmt::format("{}{}p{}", count > 0 ? ", " : "", one.pointer ? "" : "*", count);
        ++count;
    }
    return fmt::format("extern \"C\" __global__ void k{}({}* r{}) {{ *r = {}({}); }}\n", number,
                       cuda_name(type_meant(prototype.result, type)), parameters, name, arguments);
}

/// The sections whose functions work on scalars and on vectors by component.
std::vector<const Section*> families() {
    std::vector<const Section*> found;
    for (const Section& section : prelude_sections()) {
        if (section.elements.empty() || section.scalars_only || !section.widths.empty()) continue;
        found.push_back(&section);
    }
    return found;
}

TEST_F(Prelude, EveryFamilyOfFunctionsCompilesForEveryType) {
    const auto widths = test::is_thorough() ? std::vector{1u, 3u, 4u, 16u} : std::vector{1u, 3u};
    for (const std::string_view element : vector_elements) {
        PreludeKeys keys;
        std::string kernels;
        int number = 0;
        for (const Section* family : families()) {
            if (std::ranges::count(family->elements, element) == 0) continue;
            const std::vector<Prototype> prototypes = prototypes_of(*family);
            for (const auto& [name, base] : family->names) {
                for (const unsigned width : widths) {
                    const ValueType type{element, width};
                    for (std::size_t i = 0; i < prototypes.size(); ++i) {
                        if (width == 1 && (name == "abs" || i > 0)) continue;
                        kernels += call(name, prototypes[i], type, number++);
                    }
                    keys.insert(key_of(type, name));
                    for (const Prototype& prototype : prototypes) {
                        keys.insert(name_of(type_meant(prototype.result, type)));
                        for (const WrittenType& one : prototype.parameters) {
                            keys.insert(name_of(type_meant(one, type)));
                        }
                    }
                }
            }
        }
        EXPECT_GT(number, test::is_thorough() ? 70 : 35) << element;
        EXPECT_EQ(problems(prelude_of(keys) + kernels), "") << element;
    }
}

/// A kernel of these statements, after the prelude with these `keys`.
std::string kernel(const PreludeKeys& keys, std::string_view body) {
    return prelude_of(keys) + fmt::format(
                                  "extern \"C\" __global__ void k(int* pi, unsigned int* pu, long "
                                  "long* pl, unsigned long "
                                  "long* pL, float* pf, double* pd, size_t n) {{\n{}\n}}\n",
                                  body);
}

TEST_F(Prelude, GeometricFunctionsCompileForEveryType) {
    PreludeKeys keys;
    std::string kernels;
    int number = 0;
    for (const Section& section : prelude_sections()) {
        if (section.widths.empty()) continue;
        Prototype prototype = prototypes_of(section).front();
        // In overloads with vectors, `T` is their element type.
        prototype.result.one = prototype.result.type == "T";
        for (const std::string_view element : section.elements) {
            for (const unsigned width : section.widths) {
                const ValueType type{element, width};
                const std::string_view name = section.names.front().name;
                keys.insert(key_of(type, name));
                kernels += call(name, prototype, type, number++);
            }
        }
    }
    EXPECT_GT(number, 50);
    EXPECT_EQ(problems(prelude_of(keys) + kernels), "");
}

TEST_F(Prelude, PlainKeysDefineWhatCanBeMeant) {
    PreludeKeys keys;
    for (const Section* family : families()) {
        for (const auto& [name, base] : family->names) keys.emplace(name);
    }
    for (const char* name : {"dot", "cross", "length", "distance", "normalize", "fast_length",
                             "atomic_add", "atom_cmpxchg", "atomicExch", "half"}) {
        keys.insert(name);
    }
    EXPECT_EQ(problems(kernel(keys, R"(
        const float4 a = make_float4(*pf, 1, 2, 3);
        *pf = exp(a).y + exp(*pf) + fmax(a, 0).x + dot(a, a) + length(*pf) + mix(a, a, *pf).w +
              clamp(*pf, 0.0f, 1.0f) + native_exp(a).x + nan(*pu);
        *pd = mad(*pd, *pd, *pd);
        *pi = clamp(*pi, 0, 7) + rotate(*pi, 3) + ilogb(a).x + mul24(*pi, *pi);
        *pu = abs_diff(*pu, 3u) + popcount(make_uint4(1, 2, 3, *pu)).w + clz(*pu) + add_sat(*pu, 1u);
        atomic_add(pi, 1);
        atomic_add(pu, 1);
        atomic_add((volatile float*)pf, 1);
        atom_cmpxchg(pL, 1, 2);)")),
              "");
}

TEST_F(Prelude, SizesMixWith64BitIntegers) {
    const PreludeKeys keys{"ulong min",    "ulong max",     "ulong clamp", "ulong abs_diff",
                           "ulong rotate", "ulong mad_sat", "ulong mul_hi"};
    EXPECT_EQ(problems(kernel(keys, R"(
        *pL = min(n, *pL) + max(*pL, n) + min(n, n) + clamp(n, *pL, *pL) + clamp(*pL, n, n) +
              abs_diff(n, *pL) + rotate(n, n) + mad_sat(n, *pL, n) + mul_hi(*pL, n);)")),
              "");
}

TEST_F(Prelude, ShiftsAndIndicesCompile) {
    const PreludeKeys keys{"shift_left",           "shift_right",        "shift_left_assign",
                           "shift_right_assign",   "get_global_id",      "get_local_id",
                           "get_group_id",         "get_local_size",     "get_num_groups",
                           "get_global_size",      "get_global_offset",  "get_enqueued_local_size",
                           "get_global_linear_id", "get_local_linear_id"};
    EXPECT_EQ(problems(kernel(keys, R"(
        unsigned char c = 1;
        shift_left_assign(c, n);
        shift_right_assign(pl[1], *pi);
        static_assert(sizeof(shift_left(c, 1)) == 4 && sizeof(shift_left(1ll, c)) == 8, "");
        pl[get_global_id(*pi)] = shift_left(1u, *pl) + shift_right(*pL, *pi) + get_local_id(*pi) +
            get_group_id(n) + get_local_size(c) + get_num_groups(c) + get_global_size(c) + c +
            get_global_offset(c) + get_enqueued_local_size(c) + get_global_linear_id() +
            get_local_linear_id();)")),
              "");
}

TEST_F(Prelude, GroupsCompileForEveryType) {
    PreludeKeys keys{"work_group_broadcast", "async_work_group_copy", "wait_group_events",
                     "async_work_group_strided_copy", "float3"};
    std::string body = R"(
        __shared__ float tile[64];
        __shared__ float3_16a other[64];
        event_t e = async_work_group_copy(tile, pf, 64, 0);
        e = async_work_group_copy(other, (const float3_16a*)pf, n, e);
        e = async_work_group_strided_copy(pf, tile, 64, 2, e);
        wait_group_events(1, &e);
        *pf = work_group_broadcast(*pf, 3) + work_group_broadcast(*pi, 3, n) +
              work_group_broadcast(*pl, 0, 1, 2);
        int i = 0;)";
    const auto use = [&](const std::string& name) {
        keys.insert(name);
        for (const char* value : {"*pi", "*pu", "*pl", "*pL", "*pf", "*pd", "n"}) {
            body += fmt::format("pd[i++] = {}({});\n", name, value);
        }
    };
    for (const char* group : {"work_group", "sub_group"}) {
        for (const char* operation : {"add", "min", "max"}) {
            for (const char* kind : {"reduce", "scan_inclusive", "scan_exclusive"}) {
                use(fmt::format("{}_{}_{}", group, kind, operation));
            }
        }
    }
    use("sub_group_broadcast_first");
    EXPECT_EQ(problems(kernel(keys, body)), "");
}

TEST_F(Prelude, SubGroupsCompile) {
    PreludeKeys keys{"half", "float3"};
    std::string body = "int i = 0;\nconst half h = 1;\nconst char c = 3;\nfloat3_16a v = {};\n";
    for (const char* name :
         {"sub_group_broadcast", "sub_group_non_uniform_broadcast", "sub_group_shuffle",
          "sub_group_shuffle_xor", "sub_group_shuffle_up", "sub_group_shuffle_down",
          "intel_sub_group_shuffle", "intel_sub_group_shuffle_xor"}) {
        keys.insert(name);
        for (const char* value : {"*pi", "*pd", "h", "c", "n", "*pL"}) {
            body += fmt::format("pd[i++] = {}({}, pu[1]);\n", name, value);
        }
        body += fmt::format("pd[i++] = {}(v, 3).z;\n", name);
    }
    for (const char* name : {"intel_sub_group_shuffle_up", "intel_sub_group_shuffle_down"}) {
        keys.insert(name);
        body += fmt::format("pd[i++] = {}(*pd, pd[1], 3);\n", name);
    }
    for (const char* name : {"get_sub_group_size()",
                             "get_max_sub_group_size()",
                             "get_num_sub_groups()",
                             "get_enqueued_num_sub_groups()",
                             "get_sub_group_id()",
                             "get_sub_group_local_id()",
                             "sub_group_all(*pi)",
                             "sub_group_any(*pi)",
                             "sub_group_ballot(*pi).x",
                             "sub_group_inverse_ballot(make_uint4(*pu, 0, 0, 0))",
                             "sub_group_ballot_bit_extract(make_uint4(*pu, 0, 0, 0), 40)",
                             "sub_group_ballot_bit_count(make_uint4(*pu, 0, 0, 0))",
                             "sub_group_ballot_inclusive_scan(make_uint4(*pu, 0, 0, 0))",
                             "sub_group_ballot_exclusive_scan(make_uint4(*pu, 0, 0, 0))",
                             "sub_group_ballot_find_lsb(make_uint4(*pu, 0, 0, 0))",
                             "sub_group_ballot_find_msb(make_uint4(*pu, 0, 0, 0))",
                             "get_sub_group_eq_mask().x",
                             "get_sub_group_ge_mask().x",
                             "get_sub_group_gt_mask().x",
                             "get_sub_group_le_mask().x",
                             "get_sub_group_lt_mask().x"}) {
        const std::string_view text = name;
        keys.emplace(text.substr(0, text.find('(')));
        body += fmt::format("pd[i++] = {};\n", name);
    }
    keys.insert("sub_group_barrier");
    body += "sub_group_barrier(1);\nsub_group_barrier(1, memory_scope_device);\n";
    EXPECT_EQ(problems(kernel(keys, body)), "");
}

TEST_F(Prelude, AtomicsCompileForEveryType) {
    PreludeKeys keys{"atomic_work_item_fence", "atomic_flag", "atomic_flag_test_and_set_explicit",
                     "atomic_flag_clear", "atomic_init"};
    std::string body = "atomic_flag* flag = pi;\n";
    const auto pointer = [](std::string_view element) {
        return element == "int"     ? "pi"
               : element == "uint"  ? "pu"
               : element == "long"  ? "pl"
               : element == "ulong" ? "pL"
               : element == "float" ? "pf"
                                    : "pd";
    };
    for (const std::string_view element : {"int", "uint", "long", "ulong", "float", "double"}) {
        const std::string p = pointer(element);
        const std::string type = cuda_name({element, 1});
        const bool whole = !is_float_element(element);
        for (const std::string_view name :
             {"Add", "Sub", "Exch", "Min", "Max", "And", "Or", "Xor"}) {
            if (!whole && name != "Add" && name != "Exch") continue;
            keys.insert(fmt::format("{} atomic{}", element, name));
            body += fmt::format("*{0} = atomic{1}({0}, 1) + atomic{1}((volatile {2}*){0}, 2);\n", p,
                                name, type);
        }
        for (const std::string_view name : {"add", "sub", "min", "max", "and", "or", "xor"}) {
            if (!whole && name != "add") continue;
            keys.insert(fmt::format("{} atomic_fetch_{}", element, name));
            keys.insert(fmt::format("{} atomic_{}", element, name));
            body += fmt::format(
                "atomic_fetch_{1}({0}, 1); atomic_{1}((volatile {2}*){0}, 1);\n"
                "atomic_fetch_{1}_explicit((volatile {2}*){0}, 1, memory_order_relaxed);\n"
                "atomic_fetch_{1}_explicit({0}, 1, memory_order_acquire, memory_scope_device);\n",
                p, name, type);
        }
        if (whole) {
            keys.insert(fmt::format("{} atomicCAS", element));
            keys.insert(fmt::format("{} atom_cmpxchg", element));
            body += fmt::format("atomicCAS((volatile {1}*){0}, 1, 2); atom_cmpxchg({0}, 1, 2);\n",
                                p, type);
            for (const std::string_view name : {"atomic_inc", "atom_dec"}) {
                keys.insert(fmt::format("{} {}", element, name));
                body += fmt::format("{}({});\n", name, p);
            }
        }
        for (const std::string_view name : {"load", "store", "exchange", "compare_exchange_strong",
                                            "compare_exchange_weak_explicit"}) {
            keys.insert(fmt::format("{} atomic_{}", element, name));
        }
        body += fmt::format(
            "{{ {1} seen = 1; atomic_init({0}, 1); atomic_store({0}, atomic_load({0}) + 1);\n"
            "atomic_store_explicit((volatile {1}*){0}, 1, memory_order_release);\n"
            "atomic_load_explicit({0}, memory_order_seq_cst, memory_scope_all_svm_devices);\n"
            "seen = atomic_exchange({0}, seen);\n"
            "*pi = atomic_compare_exchange_strong({0}, &seen, 3);\n"
            "*pi = atomic_compare_exchange_weak_explicit((volatile {1}*){0}, &seen, 3,\n"
            "    memory_order_acq_rel, memory_order_relaxed, memory_scope_work_group); }}\n",
            p, type);
    }
    body +=
        "atomic_work_item_fence(3u, memory_order_seq_cst, memory_scope_device);\n"
        "while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire)) {}\n"
        "atomic_flag_clear(flag);\n";
    EXPECT_EQ(problems(kernel(keys, body)), "");
}

TEST_F(Prelude, HalfIsANumberOfTwoBytes) {
    const std::string_view same =
        "template <class A, class B> constexpr bool same = false;\n"
        "template <class A> constexpr bool same<A, A> = true;\n";
    EXPECT_EQ(problems(std::string(same) + kernel({"half"}, R"(
        static_assert(sizeof(half) == 2 && alignof(half) == 2 && __is_trivially_copyable(half), "");
        __shared__ half tile[32];
        half* h = (half*)pi;
        half a = h[0], b = 1.0f, c = 2.0, d = 3, e = n;
        static_assert(same<decltype(a + b), half> && same<decltype(a * 2), half>, "");
        static_assert(same<decltype(a - 1.0f), float> && same<decltype(1.0 / a), double>, "");
        static_assert(same<decltype(-a), half>, "");
        a += b; a -= 1; a *= 2.0f; a /= c; ++a; b--;
        tile[threadIdx.x] = a * b + c / d - -e;
        if (a < b || a == 1.0f || 0 != b || !c) h[1] = tile[n % 32];
        *pf = h[1];
        *pi = (int)h[1];
        const unsigned short bits = h->bits;
        *pi = bits;)")),
              "");
    EXPECT_THAT(problems(kernel({"half"}, "half a = pi;")), HasSubstr("error"));
}

}  // namespace
}  // namespace parallax::cuda::prelude_compile_test

// The prelude's atomics: CUDA's own names for the types that these have not, and C11's functions.
#include <fmt/format.h>

#include "mapping/prelude/prelude_functions.hpp"

namespace parallax {
namespace {

constexpr std::string_view cuda_names =
    "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicAnd atomicOr atomicXor atomicCAS";
constexpr std::string_view operations[] = {"add", "sub", "xchg", "min", "max", "and", "or", "xor"};

std::string_view cuda_name_of(std::string_view operation) {
    if (operation == "add" || operation == "inc") return "atomicAdd";
    if (operation == "sub" || operation == "dec") return "atomicSub";
    if (operation == "xchg") return "atomicExch";
    if (operation == "min") return "atomicMin";
    if (operation == "max") return "atomicMax";
    if (operation == "and") return "atomicAnd";
    if (operation == "or") return "atomicOr";
    if (operation == "xor") return "atomicXor";
    return operation == "cmpxchg" ? "atomicCAS" : "";
}

/// `add` of `atomic_add` and `atom_add`.
std::string_view operation_of(std::string_view word) {
    for (const std::string_view begin : {"atomic_", "atom_"}) {
        if (!word.starts_with(begin)) continue;
        word.remove_prefix(begin.size());
        return cuda_name_of(word).empty() ? std::string_view() : word;
    }
    return {};
}

/// CUDA's function for a type that it has not, and for volatile pointers.
std::optional<Definition> overload(std::string_view name, std::string_view element) {
    const bool wide = element == "long" || element == "ulong" || element == "double";
    const bool is_float = is_float_element(element);
    if (element_bytes(element) < 4 || element == "void") return {};
    if (is_float && name != "atomicAdd" && name != "atomicExch") return {};
    const std::string type = cuda_name({element, 1});
    // CUDA's functions that this one goes by, for their type.
    std::string with = type;
    std::string_view by = name;
    const bool converted = element == "long" || (element == "double" && name == "atomicExch");
    if (converted && name != "atomicMin" && name != "atomicMax") with = "unsigned long long";
    const auto passed = [&](std::string_view value) {
        if (with == type) return std::string(value);
        if (is_float) return fmt::format("(unsigned long long)__double_as_longlong({})", value);
        return fmt::format("({}){}", with, value);
    };
    const bool swap = name == "atomicCAS";
    std::string value = passed("value");
    if (name == "atomicSub" && wide) {
        by = "atomicAdd";
        with = "unsigned long long";
        value = "0ull - (unsigned long long)value";
    }
    const std::string call = fmt::format("{}(({}*)p, {}{})", by, with,
                                         swap ? passed("expected") + ", " : std::string(), value);
    std::string result = call;
    if (with != type) {
        result = is_float ? fmt::format("__longlong_as_double((long long){})", call)
                          : fmt::format("({}){}", type, call);
    }
    return Definition{fmt::format("__device__ inline {0} {1}(volatile {0}* p, {2}{0} value) {{\n"
                                  "    return {3};\n}}\n",
                                  type, name, swap ? type + " expected, " : std::string(), result),
                      {}};
}

/// OpenCL's own name, for pointers whose type is not known.
Definition by_name(const PreludeKey& key) {
    const std::string_view operation = operation_of(key.word);
    const std::string_view name = cuda_name_of(operation);
    Definition made{"", {std::string(name)}};
    if (operation == "inc" || operation == "dec") {
        made.text = fmt::format(
            "template <class T> __device__ inline T {}(volatile T* p) {{\n"
            "    return {}(p, T(1));\n}}\n",
            key.word, name);
    } else if (operation == "cmpxchg") {
        made.text = fmt::format(
            "template <class T, class A, class B>\n"
            "__device__ inline T {}(volatile T* p, A expected, B value) {{\n"
            "    return {}(p, T(expected), T(value));\n}}\n",
            key.word, name);
    } else {
        made.text = fmt::format(
            "template <class T, class V>\n"
            "__device__ inline T {}(volatile T* p, V value) {{\n"
            "    return {}(p, T(value));\n}}\n",
            key.word, name);
    }
    return made;
}

constexpr PlainFunction functions[] = {
    {"memory_order memory_order_relaxed memory_order_acquire memory_order_release "
     "memory_order_acq_rel memory_order_seq_cst",
     R"(enum memory_order {
    memory_order_relaxed,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
)"},
    {"memory_scope memory_scope_work_item memory_scope_sub_group memory_scope_work_group "
     "memory_scope_device memory_scope_all_svm_devices memory_scope_all_devices",
     R"(enum memory_scope {
    memory_scope_work_item,
    memory_scope_sub_group,
    memory_scope_work_group,
    memory_scope_device,
    memory_scope_all_svm_devices,
    memory_scope_all_devices = memory_scope_all_svm_devices
};
)"},
    {"cl_mem_fence_flags", "using cl_mem_fence_flags = unsigned int;\n"},
    {"atomic_fences",
     R"(__device__ inline void fence_of(memory_scope scope) {
    if (scope <= memory_scope_work_group) {
        __threadfence_block();
    } else if (scope == memory_scope_device) {
        __threadfence();
    } else {
        __threadfence_system();
    }
}
__device__ inline void fence_before(memory_order order, memory_scope scope) {
    if (order != memory_order_relaxed && order != memory_order_acquire) fence_of(scope);
}
__device__ inline void fence_after(memory_order order, memory_scope scope) {
    if (order != memory_order_relaxed && order != memory_order_release) fence_of(scope);
}
)",
     "memory_order memory_scope"},
    {"atomic_work_item_fence",
     R"(template <class Flags>
__device__ inline void atomic_work_item_fence(Flags, memory_order order, memory_scope scope) {
    if (order != memory_order_relaxed) fence_of(scope);
}
)",
     "atomic_fences"},
    {"atomic_init",
     R"(template <class T, class V> __device__ inline void atomic_init(volatile T* p, V value) {
    *p = T(value);
}
)"},
    {"atomic_load atomic_load_explicit",
     R"(template <class T>
__device__ inline T atomic_load_explicit(const volatile T* p, memory_order order,
                                         memory_scope scope = memory_scope_device) {
    if (order == memory_order_seq_cst) fence_of(scope);
    const T value = *p;
    fence_after(order, scope);
    return value;
}
template <class T> __device__ inline T atomic_load(const volatile T* p) {
    return atomic_load_explicit(p, memory_order_seq_cst);
}
)",
     "atomic_fences"},
    {"atomic_store atomic_store_explicit",
     R"(template <class T, class V>
__device__ inline void atomic_store_explicit(volatile T* p, V value, memory_order order,
                                             memory_scope scope = memory_scope_device) {
    fence_before(order, scope);
    *p = T(value);
    if (order == memory_order_seq_cst) fence_of(scope);
}
template <class T, class V> __device__ inline void atomic_store(volatile T* p, V value) {
    atomic_store_explicit(p, value, memory_order_seq_cst);
}
)",
     "atomic_fences"},
    // By bits: a float's zeros differ and a NaN equals itself.
    {"atomic_compare_exchange",
     R"(template <class T, class V>
__device__ inline bool atomic_compare_exchange(volatile T* p, T* expected, V value,
                                               memory_order success, memory_order failure,
                                               memory_scope scope) {
    union Word {
        __device__ Word() {}
        T value;
        unsigned int bits;
        unsigned long long wide_bits;
    } before, wanted, next;
    before.wide_bits = wanted.wide_bits = next.wide_bits = 0;
    wanted.value = *expected;
    next.value = T(value);
    fence_before(success, scope);
    if (sizeof(T) == 4) {
        before.bits = atomicCAS((unsigned int*)p, wanted.bits, next.bits);
    } else {
        before.wide_bits = atomicCAS((unsigned long long*)p, wanted.wide_bits, next.wide_bits);
    }
    const bool same = before.wide_bits == wanted.wide_bits;
    if (!same) *expected = before.value;
    fence_after(same ? success : failure, scope);
    return same;
}
)",
     "atomic_fences"},
    {"atomic_flag", "using atomic_flag = int;\n"},
    {"atomic_flag_test_and_set atomic_flag_test_and_set_explicit",
     R"(__device__ inline bool atomic_flag_test_and_set_explicit(
        volatile int* p, memory_order order, memory_scope scope = memory_scope_device) {
    fence_before(order, scope);
    const bool was_set = atomicExch((int*)p, 1) != 0;
    fence_after(order, scope);
    return was_set;
}
__device__ inline bool atomic_flag_test_and_set(volatile int* p) {
    return atomic_flag_test_and_set_explicit(p, memory_order_seq_cst);
}
)",
     "atomic_fences"},
    {"atomic_flag_clear atomic_flag_clear_explicit",
     R"(__device__ inline void atomic_flag_clear_explicit(
        volatile int* p, memory_order order, memory_scope scope = memory_scope_device) {
    fence_before(order, scope);
    atomicExch((int*)p, 0);
    fence_after(order, scope);
}
__device__ inline void atomic_flag_clear(volatile int* p) {
    atomic_flag_clear_explicit(p, memory_order_seq_cst);
}
)",
     "atomic_fences"},
};

/// `atomic_fetch_add` -> `add`, `atomic_exchange` -> `xchg`; empty for others.
std::string_view fetch_of(std::string_view word) {
    if (word == "atomic_exchange") return "xchg";
    for (const std::string_view operation : operations) {
        if (operation != "xchg" && word == fmt::format("atomic_fetch_{}", operation)) {
            return operation;
        }
    }
    return {};
}

std::string_view without_explicit(std::string_view word) {
    if (word.ends_with("_explicit")) word.remove_suffix(9);
    return word;
}

bool is_compare_exchange(std::string_view word) {
    return word == "atomic_compare_exchange_strong" || word == "atomic_compare_exchange_weak";
}

Definition fetch(std::string_view name, std::string_view operation) {
    const std::string_view cuda = cuda_name_of(operation);
    return {fmt::format(
                "template <class T, class V>\n"
                "__device__ inline T {0}_explicit(volatile T* p, V value, memory_order order,\n"
                "        memory_scope scope = memory_scope_device) {{\n"
                "    fence_before(order, scope);\n"
                "    const T before = {1}(p, T(value));\n"
                "    fence_after(order, scope);\n"
                "    return before;\n}}\n"
                "template <class T, class V> __device__ inline T {0}(volatile T* p, V value) {{\n"
                "    return {0}_explicit(p, value, memory_order_seq_cst);\n}}\n",
                name, cuda),
            {"atomic_fences", std::string(cuda)}};
}

Definition compare_exchange(std::string_view name) {
    return {fmt::format("template <class T, class V>\n"
                        "__device__ inline bool {0}_explicit(volatile T* p, T* expected, V value,\n"
                        "        memory_order success, memory_order failure,\n"
                        "        memory_scope scope = memory_scope_device) {{\n"
                        "    return atomic_compare_exchange(p, expected, value, success, failure, "
                        "scope);\n}}\n"
                        "template <class T, class V>\n"
                        "__device__ inline bool {0}(volatile T* p, T* expected, V value) {{\n"
                        "    return {0}_explicit(p, expected, value, memory_order_seq_cst,\n"
                        "        memory_order_seq_cst);\n}}\n",
                        name),
            {"atomic_compare_exchange"}};
}

}  // namespace

std::span<const PlainFunction> memory_model_functions() {
    return functions;
}

bool is_atomic_word(std::string_view word) {
    const std::string_view base = without_explicit(word);
    return lists(cuda_names, word) || !operation_of(word).empty() || !fetch_of(base).empty() ||
           is_compare_exchange(base);
}

std::optional<Definition> atomic_definition(const PreludeKey& key) {
    if (!is_atomic_word(key.word) || !key.rest.empty()) return {};
    if (lists(cuda_names, key.word)) {
        if (key.type.is_vector()) return {};
        if (key.type.known()) return overload(key.word, key.type.element);
        Definition made;
        for (const std::string_view element : {"int", "uint", "long", "ulong", "float", "double"}) {
            made.needs.push_back(key_of({element, 1}, key.word));
        }
        return made;
    }
    if (key.type.known()) return Definition{"", {key.word}};
    if (!operation_of(key.word).empty()) return by_name(key);
    const std::string_view base = without_explicit(key.word);
    if (base != key.word) return Definition{"", {std::string(base)}};
    return is_compare_exchange(base) ? compare_exchange(base) : fetch(base, fetch_of(base));
}

}  // namespace parallax

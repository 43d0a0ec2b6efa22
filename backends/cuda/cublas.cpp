// Loads and calls cuBLAS.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "backends/cuda/find_library.hpp"
#include "backends/cuda/library_code.hpp"
#include "common/device/loaded_library.hpp"
#include "common/error.hpp"
#include "common/host_clock.hpp"

namespace parallax::cuda {
namespace {

/// cublasStatus_t: 0 is success.
using Status = int;
/// cublasOperation_t
enum Operation : int { keep = 0, turn = 1 };
/// cublasMath_t: CUBLAS_DEFAULT_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH
enum Math : int { by_default = 0, pedantic = 2, tf32 = 3 };
/// cudaDataType, cublasComputeType_t and cublasGemmAlgo_t: CUDA_R_16F, CUDA_R_32F,
/// CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT
constexpr int floats = 0, halves = 2, in_floats = 68, default_way = -1;

/// The functions as cublas_v2.h declares them (since CUDA 6), for numbers of one type.
template <class T>
struct Cublas {
    void* handle = nullptr;
    Status (*gemm)(void*, Operation, Operation, int m, int n, int k, const T* alpha, const T* a,
                   int lda, const T* b, int ldb, const T* beta, T* c, int ldc) = nullptr;
    Status (*gemm_of)(void*, Operation, Operation, int m, int n, int k, const void* alpha,
                      const void* a, int type_of_a, int lda, const void* b, int type_of_b, int ldb,
                      const void* beta, void* c, int type_of_c, int ldc, int compute,
                      int way) = nullptr;
    Status (*geam)(void*, Operation, Operation, int m, int n, const T* alpha, const T* a, int lda,
                   const T* beta, const T* b, int ldb, T* c, int ldc) = nullptr;
    Status (*gemv)(void*, Operation, int m, int n, const T* alpha, const T* a, int lda, const T* x,
                   int incx, const T* beta, T* y, int incy) = nullptr;
};

#include "kernels/cublas.inc"

/// cuBLAS, with the state that all calls share.
struct Library {
    LoadedLibrary library{{.name = "cuBLAS",
                           .variable = "PARALLAX_CUBLAS",
                           .files = library_files("libcublas"),
                           .advice =
                               "Install it (NVIDIA's package libcublas, or nvidia-cublas from "
                               "PyPI), or set PARALLAX_CUBLAS to the file libcublas.so."}};
    Status (*create)(void**) = nullptr;
    Status (*destroy)(void*) = nullptr;
    Status (*set_stream)(void*, cudaStream_t) = nullptr;
    Status (*set_math)(void*, int) = nullptr;
    Status (*version)(void*, int*) = nullptr;

    /// @throws Unsupported
    void need() {
        library.resolve("cublasCreate_v2", create);
        library.resolve("cublasDestroy_v2", destroy);
        library.resolve("cublasSetStream_v2", set_stream);
        library.resolve("cublasSetMathMode", set_math);
        library.resolve("cublasGetVersion_v2", version);
    }
    template <class T>
    Cublas<T> functions(void* handle) const {
        const std::string kind = std::is_same_v<T, float> ? "S" : "D";
        Cublas<T> found{.handle = handle};
        library.resolve(("cublas" + kind + "gemm_v2").c_str(), found.gemm);
        library.resolve("cublasGemmEx", found.gemm_of);
        library.resolve(("cublas" + kind + "geam").c_str(), found.geam);
        library.resolve(("cublas" + kind + "gemv_v2").c_str(), found.gemv);
        return found;
    }
};

Library& cublas() {
    static Library one;
    return one;
}

template <class T>
Status call(const Cublas<T>& with, std::string_view name, std::span<void* const> p,
            std::span<const int> n) {
    const auto in = [&](std::size_t i) { return static_cast<const T*>(p[i]); };
    T* const out = static_cast<T*>(p.back());
    if (name == "multiply") return multiply(with, in(0), in(1), out, n[0], n[1], n[2]);
    if (name == "multiply_rows") {
        return multiply_rows(with, in(0), in(1), out, n[0], n[1], n[2]);
    }
    if constexpr (std::is_same_v<T, float>) {
        if (name == "multiply_halves") {
            return multiply_halves(with, in(0), in(1), out, n[0], n[1], n[2]);
        }
    }
    if (name == "transpose") return transpose(with, in(0), out, n[0], n[1]);
    return matvec(with, in(0), in(1), out, n[0], n[1]);
}

}  // namespace

struct CublasCode::Call {
    void* handle = nullptr;
    std::function<int(std::span<void* const>, std::span<const int>)> run;

    ~Call() {
        if (handle) cublas().destroy(handle);  // NOLINT(clang-analyzer-core.CallAndMessage): loaded
    }
};

CublasCode::CublasCode(std::shared_ptr<Context> context, const Program& program,
                       std::string_view name)
    : LibraryCode(std::move(context), "cuBLAS", std::numeric_limits<int>::max()),
      call_(std::make_unique<Call>()) {
    constexpr Form forms[] = {{"multiply", 3, 3},
                              {"multiply_rows", 3, 3, true},
                              {"multiply_halves", 3, 3, true},
                              {"transpose", 2, 2},
                              {"matvec", 3, 2}};
    const HostClock::time_point start = HostClock::now();
    const Form& form = choose(forms, name);
    cublas().need();
    context_->use();
    if (const Status status = cublas().create(&call_->handle); status != 0) {
        call_->handle = nullptr;
        throw DeviceError(
            fmt::format("cublasCreate: status {}. Is the device's memory full?", status));
    }
    const auto run_with = [&](const auto& functions) {
        call_->run = [functions, which = std::string(name)](std::span<void* const> pointers,
                                                            std::span<const int> extents) {
            return call(functions, which, pointers, extents);
        };
    };
    const ElementType type = program.type.value_or(ElementType::f32);
    if (type == ElementType::f32) {
        run_with(cublas().functions<float>(call_->handle));
    } else if (type == ElementType::f64) {
        run_with(cublas().functions<double>(call_->handle));
    } else {
        throw Unsupported(fmt::format("cuBLAS has no {} of {}.", name, name_of(type)));
    }
    const Math math = !form.takes_units                                       ? pedantic
                      : type == ElementType::f32 && name != "multiply_halves" ? tf32
                                                                              : by_default;
    constexpr const char* words[] = {"CUBLAS_DEFAULT_MATH", "", "CUBLAS_PEDANTIC_MATH",
                                     "CUBLAS_TF32_TENSOR_OP_MATH"};
    if (cublas().set_math(call_->handle, math) != 0) {
        throw Unsupported(
            fmt::format("This cuBLAS takes no {}: it is older than CUDA 11.", words[math]));
    }
    int version = 0;
    cublas().version(call_->handle, &version);
    source = program.source;
    options = {fmt::format("cuBLAS {}", version), words[math]};
    build_seconds = seconds_since(start);
}

CublasCode::~CublasCode() {
    if (context_->use_quietly()) {
        call_.reset();
    } else if (call_) {
        call_->handle = nullptr;  // it was freed with the device
    }
}

void CublasCode::enqueue(cudaStream_t stream, std::span<void* const> pointers,
                         std::span<const std::uint64_t> extents) const {
    std::array<int, 3> counts{};
    std::ranges::transform(extents, counts.begin(),
                           [](std::uint64_t extent) { return static_cast<int>(extent); });
    // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a handle has its library
    Status status = cublas().set_stream(call_->handle, stream);
    if (status == 0) status = call_->run(pointers, counts);
    if (status != 0) throw DeviceError(fmt::format("cuBLAS, {}: status {}.", kernel, status));
}

}  // namespace parallax::cuda

// Loads and calls CLBlast.
#include "backends/opencl/clblast.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "backends/opencl/opencl_device.hpp"
#include "common/device/loaded_library.hpp"
#include "common/host_clock.hpp"
#include "mapping/library_text.hpp"

namespace parallax::opencl {
namespace {

/// CLBlastStatusCode: 0 is success.
using Status = int;
/// CLBlastLayout and CLBlastTranspose
enum Layout : int { rows = 101 };
enum Transpose : int { keep = 111, turn = 112 };

/// The functions as clblast_c.h declares them (since version 1.0), for numbers of one type.
template <class T>
struct Clblast {
    Status (*gemm)(Layout, Transpose, Transpose, size_t m, size_t n, size_t k, T alpha, cl_mem a,
                   size_t a_offset, size_t a_ld, cl_mem b, size_t b_offset, size_t b_ld, T beta,
                   cl_mem c, size_t c_offset, size_t c_ld, cl_command_queue*, cl_event*) = nullptr;
    Status (*omatcopy)(Layout, Transpose, size_t m, size_t n, T alpha, cl_mem a, size_t a_offset,
                       size_t a_ld, cl_mem b, size_t b_offset, size_t b_ld, cl_command_queue*,
                       cl_event*) = nullptr;
};

#include "kernels/clblast.inc"

const LoadedLibrary& clblast() {
    static const LoadedLibrary one({.name = "CLBlast",
                                    .variable = "PARALLAX_CLBLAST",
                                    .files = {"libclblast.so.1", "libclblast.so"},
                                    .advice = "Install it (Debian: apt-get install libclblast1), or set "
                                              "PARALLAX_CLBLAST to the file libclblast.so."});
    return one;
}

template <class T>
Clblast<T> functions() {
    const std::string kind = std::is_same_v<T, float> ? "CLBlastS" : "CLBlastD";
    Clblast<T> found;
    clblast().resolve((kind + "gemm").c_str(), found.gemm);
    clblast().resolve((kind + "omatcopy").c_str(), found.omatcopy);
    return found;
}

/// A call, and the arguments of its launch.
struct Form {
    std::string_view name;
    std::size_t buffers = 0, extents = 0;
};
constexpr Form forms[] = {{"multiply", 3, 3}, {"transpose", 2, 2}};

template <class T>
Status call(const Clblast<T>& with, std::string_view name, const std::vector<cl_mem>& p,
            const std::vector<size_t>& n, cl_command_queue* queue) {
    if (name == "multiply") return multiply(with, p[0], p[1], p[2], n[0], n[1], n[2], queue);
    return transpose(with, p[0], p[1], n[0], n[1], queue);
}

}  // namespace

struct ClblastCode::Call {
    std::size_t buffers = 0, extents = 0;  ///< arguments of a launch
    std::function<int(const std::vector<cl_mem>&, const std::vector<size_t>&, cl_command_queue*)>
        run;
    int (*forget)() = nullptr;
};

ClblastCode::ClblastCode(std::shared_ptr<Shared> shared, const Program& program,
                         std::string_view name)
    : shared_(std::move(shared)), call_(std::make_unique<Call>()) {
    check_library_text(program);
    const HostClock::time_point start = HostClock::now();
    const auto form = std::ranges::find(forms, name, &Form::name);
    if (form == std::end(forms)) {
        throw Unsupported(fmt::format("CLBlast is not asked for '{}'.", name));
    }
    call_->buffers = form->buffers;
    call_->extents = form->extents;
    clblast().resolve("CLBlastClearCache", call_->forget);
    const auto run_with = [&](const auto& with) {
        call_->run = [with, which = std::string(name)](const std::vector<cl_mem>& buffers,
                                                       const std::vector<size_t>& extents,
                                                       cl_command_queue* queue) {
            return call(with, which, buffers, extents, queue);
        };
    };
    const ElementType type = program.type.value_or(ElementType::f32);
    if (type == ElementType::f32) {
        run_with(functions<float>());
    } else if (type == ElementType::f64) {
        run_with(functions<double>());
    } else {
        throw Unsupported(fmt::format("CLBlast has no {} of {}.", name, name_of(type)));
    }
    kernel = name;
    source = program.source;
    options = {"CLBlast"};
    build_seconds = seconds_since(start);
}

ClblastCode::~ClblastCode() {
    if (call_->forget) call_->forget();
}

void ClblastCode::enqueue(cl::CommandQueue& queue, const Dispatch& dispatch) const {
    std::vector<cl_mem> buffers;
    std::vector<size_t> extents;
    for (const Argument& argument : dispatch.arguments) {
        if (const auto* const memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
            buffers.push_back(buffer_of(**memory).payload()());
        } else if (const auto* const scalar = std::get_if<Scalar>(&argument)) {
            std::visit(
                [&](const auto& value) {
                    using Value = std::decay_t<decltype(value)>;
                    if constexpr (std::is_integral_v<Value>) {
                        extents.push_back(static_cast<size_t>(value));
                    }
                },
                *scalar);
        }
    }
    if (buffers.size() != call_->buffers || extents.size() != call_->extents) {
        throw UsageError(fmt::format("'{}' of CLBlast takes {} buffers and {} numbers.", kernel,
                                     call_->buffers, call_->extents));
    }
    cl_command_queue handle = queue();
    const int status = call_->run(buffers, extents, &handle);
    if (status != 0) throw DeviceError(fmt::format("CLBlast, {}: status {}.", kernel, status));
}

}  // namespace parallax::opencl

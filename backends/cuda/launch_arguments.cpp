// Compares a launch with the parameters that the kernel's OpenCL C source and PTX declare.
#include "backends/cuda/launch_arguments.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "backends/cuda/cuda_device.hpp"
#include "common/error.hpp"
#include "mapping/analyze/call_arguments.hpp"

namespace parallax::cuda {
namespace {

std::string words_for(const Argument& argument) {
    if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
        return *memory && (*memory)->image() ? "an image" : "a buffer";
    }
    if (std::holds_alternative<LocalBytes>(argument)) return "local memory beside other";
    const Scalar& scalar = std::get<Scalar>(argument);
    return fmt::format("the {} {}", type_name(scalar), to_string(scalar));
}

std::size_t size_of_argument(const Argument& argument) {
    if (std::holds_alternative<LocalBytes>(argument)) return sizeof(std::uint32_t);
    const auto* scalar = std::get_if<Scalar>(&argument);
    return scalar ? bytes_of(*scalar).size() : sizeof(void*);
}

bool fits(const PtxParameter& parameter, const Argument& argument) {
    const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument);
    if (memory && *memory && (*memory)->image() && parameter.bytes == sizeof(ImageArgument)) {
        return true;
    }
    if (parameter.bytes != size_of_argument(argument)) return false;
    const auto* scalar = std::get_if<Scalar>(&argument);
    // In PTX a half and a vector are untyped bits.
    const bool floating = scalar && (std::holds_alternative<float>(*scalar) ||
                                     std::holds_alternative<double>(*scalar));
    switch (parameter.kind) {
        case PtxParameter::Kind::integer: return !floating;
        case PtxParameter::Kind::floating: return floating;
        case PtxParameter::Kind::bits: break;
    }
    return true;
}

void check_count(std::string_view kernel, std::size_t have, std::size_t want) {
    if (have == want) return;
    throw UsageError(fmt::format(
        "Kernel '{}' takes {} argument(s), and the launch has {}. Pass one for each parameter.",
        kernel, want, have));
}

}  // namespace

void check_arguments(const Signature* declared, const PtxKernel& compiled,
                     std::span<const Argument> arguments) {
    if (declared) parallax::check_arguments(*declared, arguments);
    const auto first_local = std::ranges::find_if(
        arguments, [](const Argument& a) { return std::holds_alternative<LocalBytes>(a); });
    const bool local = first_local != arguments.end();
    check_count(compiled.name, arguments.size(), compiled.parameters.size() + local);
    std::size_t next = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (&arguments[i] == (local ? &*first_local : nullptr)) continue;
        const PtxParameter& parameter = compiled.parameters[next++];
        if (fits(parameter, arguments[i])) continue;
        throw UsageError(fmt::format(
            "Argument {} of kernel '{}' is {}: the kernel expects {} {}.", i + 1, compiled.name,
            words_for(arguments[i]), parameter.bytes,
            parameter.kind == PtxParameter::Kind::floating  ? "bytes of floating point"
            : parameter.kind == PtxParameter::Kind::integer ? "bytes of integer or pointer"
                                                            : "bytes"));
    }
}

}  // namespace parallax::cuda

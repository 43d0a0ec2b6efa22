// Compares a launch with what the kernel's OpenCL C text and its PTX declare.
#include "backends/cuda/arguments.hpp"

#include <string>

#include <fmt/format.h>

#include "common/error.hpp"
#include "kernels/arguments.hpp"

namespace parallax::cuda {
namespace {

std::string words_for(const Argument& argument) {
    if (std::holds_alternative<std::shared_ptr<Memory>>(argument)) return "a buffer";
    const Scalar& scalar = std::get<Scalar>(argument);
    return fmt::format("the {} {}", type_name(scalar), to_string(scalar));
}

std::size_t bytes_of(const Argument& argument) {
    const auto* scalar = std::get_if<Scalar>(&argument);
    return scalar ? std::visit([](auto value) { return sizeof(value); }, *scalar) : sizeof(void*);
}

bool fits(const PtxParameter& parameter, const Argument& argument) {
    if (parameter.bytes != bytes_of(argument)) return false;
    const auto* scalar = std::get_if<Scalar>(&argument);
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
        "Kernel '{}' takes {} argument(s), and the launch has {}. Pass one for each parameter; the "
        "dynamic local one is not listed.",
        kernel, want, have));
}

}  // namespace

void check_arguments(const Signature* declared, const PtxKernel& compiled,
                     std::span<const Argument> arguments, std::uint32_t local_bytes) {
    if (declared) parallax::check_arguments(*declared, arguments, local_bytes);
    check_count(compiled.name, arguments.size(), compiled.parameters.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (fits(compiled.parameters[i], arguments[i])) continue;
        throw UsageError(fmt::format(
            "Argument {} of kernel '{}' is {}: the kernel expects {} {}.", i + 1, compiled.name,
            words_for(arguments[i]), compiled.parameters[i].bytes,
            compiled.parameters[i].kind == PtxParameter::Kind::floating ? "bytes of floating point"
            : compiled.parameters[i].kind == PtxParameter::Kind::integer
                ? "bytes of integer or pointer"
                : "bytes"));
    }
}

}  // namespace parallax::cuda

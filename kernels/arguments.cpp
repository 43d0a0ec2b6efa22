// Holds a launch's arguments against the kernel's declared parameters.
#include "kernels/arguments.hpp"

#include <string>

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {
namespace {

std::string words_for(const Argument& argument) {
    if (std::holds_alternative<std::shared_ptr<Memory>>(argument)) return "a buffer";
    const Scalar& scalar = std::get<Scalar>(argument);
    return fmt::format("the {} {}", type_name(scalar), to_string(scalar));
}

std::string words_for(const Parameter& parameter) {
    return parameter.kind == Parameter::Kind::scalar
               ? fmt::format("'{}', of type {}", parameter.name, parameter.type)
               : fmt::format("'{}', a buffer of {}", parameter.name, parameter.type);
}

/// One name for types that are the same bits: the signed one.
std::string_view canonical(std::string_view type) {
    if (type == "uint" || type == "unsigned" || type == "unsigned int") return "int";
    if (type == "ulong" || type == "unsigned long") return "long";
    return type;
}

bool fits(const Parameter& parameter, const Argument& argument) {
    const auto* scalar = std::get_if<Scalar>(&argument);
    if (parameter.kind != Parameter::Kind::scalar) return scalar == nullptr;
    return scalar && canonical(parameter.type) == canonical(type_name(*scalar));
}

}  // namespace

void check_arguments(const Signature& kernel, std::span<const Argument> arguments,
                     std::uint32_t local_bytes) {
    std::span<const Parameter> parameters = kernel.parameters;
    const bool local = !parameters.empty() && parameters.back().kind == Parameter::Kind::local;
    if (local) parameters = parameters.first(parameters.size() - 1);
    if (local && local_bytes == 0) {
        throw UsageError(
            fmt::format("Kernel '{}' has the dynamic local parameter '{}', and the launch "
                        "says nothing of its size. Set Geometry::local_bytes.",
                        kernel.kernel, kernel.parameters.back().name));
    }
    if (!local && local_bytes != 0) {
        throw UsageError(
            fmt::format("Kernel '{}' has no dynamic local parameter, and the launch gives "
                        "it {} bytes. Leave Geometry::local_bytes at 0.",
                        kernel.kernel, local_bytes));
    }
    if (arguments.size() != parameters.size()) {
        throw UsageError(
            fmt::format("Kernel '{}' takes {} argument(s), and the launch has {}. Pass one "
                        "for each parameter; the dynamic local one is not listed.",
                        kernel.kernel, parameters.size(), arguments.size()));
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (fits(parameters[i], arguments[i])) continue;
        throw UsageError(fmt::format("Argument {} of kernel '{}' is {}: it must fit {}.", i + 1,
                                     kernel.kernel, words_for(arguments[i]),
                                     words_for(parameters[i])));
    }
}

}  // namespace parallax

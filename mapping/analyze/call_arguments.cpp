// Compares a launch's arguments with the kernel's declared parameters.
#include "mapping/analyze/call_arguments.hpp"

#include <string>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/analyze/value_type.hpp"

namespace parallax {
namespace {

/// The extents of an argument that is an image; null for others.
const ImageExtents* image_in(const Argument& argument) {
    const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument);
    return memory && *memory && (*memory)->image() ? &*(*memory)->image() : nullptr;
}

std::string words_for(const Argument& argument) {
    if (const ImageExtents* image = image_in(argument)) {
        return image->depth > 0    ? fmt::format("an image ({})", image->type_name())
               : image->height > 0 ? "an image of two dimensions"
                                   : "an image of one dimension";
    }
    if (std::holds_alternative<std::shared_ptr<Memory>>(argument)) return "a buffer";
    if (const auto* local = std::get_if<LocalBytes>(&argument)) {
        return fmt::format("{} bytes of local memory", local->bytes);
    }
    const Scalar& scalar = std::get<Scalar>(argument);
    return fmt::format("the {} {}", type_name(scalar), to_string(scalar));
}

std::string words_for(const Parameter& parameter) {
    switch (parameter.kind) {
        case Parameter::Kind::scalar:
            return fmt::format("'{}', of type {}", parameter.name, parameter.type);
        case Parameter::Kind::local:
            return fmt::format("'{}', local memory of {}", parameter.name, parameter.type);
        case Parameter::Kind::image:
            return fmt::format("'{}', an image ({})", parameter.name, parameter.type);
        case Parameter::Kind::global:
        case Parameter::Kind::constant: break;
    }
    return fmt::format("'{}', a buffer of {}", parameter.name, parameter.type);
}

/// Types with the same bits share one name: that of the signed type.
std::string canonical(std::string_view type) {
    if (type == "unsigned" || type == "unsigned int") return "int";
    if (type == "size_t" || type == "unsigned long" || type == "ptrdiff_t") return "long";
    if (type == "unsigned char" || type == "signed char") return "char";
    if (type == "unsigned short") return "short";
    for (const std::string_view integer : {"char", "short", "int", "long"}) {
        if (type.starts_with('u') && type.substr(1).starts_with(integer)) {
            return std::string(type.substr(1));
        }
    }
    return std::string(type);
}

/// A pointer to nothing, which a kernel may look for.
bool is_null(const Argument& argument) {
    const auto* scalar = std::get_if<Scalar>(&argument);
    return scalar && *scalar == Scalar(std::uint64_t{0});
}

bool fits(const Parameter& parameter, const Argument& argument) {
    switch (parameter.kind) {
        case Parameter::Kind::local: return std::holds_alternative<LocalBytes>(argument);
        case Parameter::Kind::image: {
            const ImageExtents* image = image_in(argument);
            return image && parameter.type == image->type_name() &&
                   (parameter.read_only || image->is_written);
        }
        case Parameter::Kind::global:
        case Parameter::Kind::constant:
            return is_null(argument) ||
                   (std::holds_alternative<std::shared_ptr<Memory>>(argument) &&
                    !image_in(argument));
        case Parameter::Kind::scalar: break;
    }
    const auto* scalar = std::get_if<Scalar>(&argument);
    // Only the compiler knows the size of a type that the source defines.
    const bool known = value_type_named(parameter.type).has_value();
    return scalar && (!known || fits_type(parameter.type, type_name(*scalar)));
}

}  // namespace

bool fits_type(std::string_view declared, std::string_view given) {
    const bool is_byte = declared == "bool" && canonical(given) == "char";  // CUDA's has a byte
    return is_byte || canonical(declared) == canonical(given);
}

void check_arguments(const Signature& kernel, std::span<const Argument> arguments) {
    const std::vector<Parameter>& parameters = kernel.parameters;
    if (arguments.size() != parameters.size()) {
        throw UsageError(
            fmt::format("Kernel '{}' takes {} argument(s), and the launch has {}. Pass one "
                        "for each parameter, LocalBytes for a local one.",
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

// What a manifest leaves to the kernel's own text: names, types and uses of arguments.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "suites/manifest/model.hpp"

namespace parallax::manifest {
namespace {

void complete_type(const Model& model, ArgumentText& argument, const Parameter& parameter) {
    if (argument.said || !argument.struct_name.empty()) return;
    const std::string declared = model.resolved(parameter.type);
    const auto known = value_type_named(declared);
    argument.type = *value_type_named("uchar");
    if (!known || !element_type_named(known->element)) {
        if (argument.kind == ArgumentText::Kind::value) argument.opaque = declared;
        return;
    }
    // A buffer that ends within an element is compared byte by byte.
    const bool fits =
        argument.kind != ArgumentText::Kind::buffer || !argument.counts_bytes ||
        std::fmod(std::strtod(argument.count.c_str(), nullptr),
                  static_cast<double>(size_of(*element_type_named(known->element)))) == 0;
    if (fits) argument.type = *known;
}

template <class T>
double largest_in(std::span<const T> values) {
    double largest = 0;
    for (const T& value : values) {
        const auto number = static_cast<double>(static_cast<float>(value));
        if (std::isfinite(number)) largest = std::max(largest, std::fabs(number));
    }
    return largest;
}

/// A buffer that the launch left as it was is an input, where another one tells what it did: the
/// gate sees to it that it stays so, and there is one answer less to read and to hold.
void read_what_stays(std::vector<ArgumentText>& arguments) {
    const auto is_answer = [](const ArgumentText& one) {
        return !one.after.empty() && is_compared(one.role);
    };
    const auto stays = [](const ArgumentText& one) { return one.after == one.fill.file; };
    if (std::ranges::none_of(
            arguments, [&](const ArgumentText& one) { return is_answer(one) && !stays(one); })) {
        return;
    }
    for (ArgumentText& one : arguments) {
        if (is_answer(one) && stays(one) && !one.is_role_said && !one.image) {
            one.role = Role::input;
        }
    }
}

}  // namespace

void complete(Model& model, KernelSource& text, const LaunchText& launch, const Signature& kernel) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        ArgumentText& argument = text.arguments.at(launch.arguments.at(i));
        const Parameter& parameter = kernel.parameters[i];
        if (argument.name.empty()) argument.name = parameter.name;
        complete_type(model, argument, parameter);
        const bool points = parameter.kind == Parameter::Kind::global ||
                            parameter.kind == Parameter::Kind::constant;
        if (points && argument.kind == ArgumentText::Kind::local && argument.count == "8" &&
            argument.counts_bytes) {
            // No place was given for the bytes of a pointer: of what is no local memory, a null.
            argument.kind = ArgumentText::Kind::value;
            argument.bytes.assign(8, std::byte{0});
        }
        if (points && argument.kind == ArgumentText::Kind::value && argument.bytes.size() == 8) {
            argument.is_null =
                std::ranges::all_of(argument.bytes, [](std::byte b) { return b == std::byte{0}; });
            if (!argument.is_null) {
                model.fail(argument.path,
                           fmt::format("'{}' is a buffer that the capture did not see being made",
                                       parameter.name));
            }
        }
        const bool is_image = parameter.kind == Parameter::Kind::image;
        const bool written = (points || is_image) && !parameter.read_only;
        if (argument.image) argument.image->is_written = argument.image->is_written || written;
        if (argument.kind == ArgumentText::Kind::same && written) {
            ArgumentText& first = text.arguments.at(argument.same_as);
            if (first.image) first.image->is_written = true;
            if (!first.after.empty()) first.role = Role::in_out;
        }
        if (argument.after.empty()) continue;
        model.is_captured = true;
        if (!argument.is_role_said) argument.role = written ? Role::in_out : Role::input;
    }
    read_what_stays(text.arguments);
    for (const ArgumentText& argument : text.arguments) {
        if (!argument.after.empty() && is_compared(argument.role)) {
            model.data[argument.name] = argument.after;
        }
    }
}

Tolerance tolerance_unless_told(const Model& model, const Plan& plan) {
    // Numbers that were rounded to some bits are one step apart, or two: OpenCL leaves open how 0.5
    // is rounded to 8 bits, and NVIDIA's makes it 127 where CUDA's text makes it 128.
    if (std::ranges::all_of(plan.buffers, [](const BufferSpec& buffer) {
            return !is_compared(buffer.role) || (buffer.image && buffer.image->is_normalized);
        })) {
        return Tolerance::difference(0, model.is_mixed ? 2 : 1);
    }
    if (!model.is_captured) return Tolerance::exact();
    double relative = 0, largest = 0;
    for (const BufferSpec& buffer : plan.buffers) {
        const auto file = model.data.find(buffer.name);
        if (!is_compared(buffer.role)) continue;
        if (!is_floating(buffer.type) || file == model.data.end()) continue;
        // Some ten to a hundred roundings of the type.
        relative = std::max(relative, buffer.type == ElementType::f16   ? 1e-2
                                      : buffer.type == ElementType::f32 ? 1e-5
                                                                        : 1e-12);
        HostArray values =
            read_elements(model, "$.after", file->second, buffer.type, buffer.elements);
        if (!buffer.parts.empty()) values = only_parts(values.bytes(), buffer);
        visit_any_type(buffer.type, [&](auto zero) {
            largest = std::max(largest, largest_in(std::as_const(values).as<decltype(zero)>()));
        });
    }
    // How finely a device weighs neighbouring texels is its own affair: 1/256 is usual.
    if (model.is_mixed && relative != 0) relative = std::max(relative, 1.0 / 256);
    if (relative == 0) return Tolerance::exact();
    Tolerance tolerance = Tolerance::difference(relative, relative * largest);
    tolerance.integers_equal = true;
    return tolerance;
}

}  // namespace parallax::manifest

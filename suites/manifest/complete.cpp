// Completes a manifest from the kernel's source: names, types and uses of arguments.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "measure/element_scale.hpp"
#include "suites/manifest/model.hpp"

namespace parallax::manifest {
namespace {

void complete_type(const Model& model, ArgumentSpec& argument, const Parameter& parameter) {
    if (argument.said || !argument.struct_name.empty() || argument.is_address()) return;
    const std::string declared = model.resolved(parameter.type);
    const auto known = value_type_named(declared);
    argument.type = *value_type_named("uchar");
    if (!known || !element_type_named(known->element)) {
        if (argument.kind == ArgumentSpec::Kind::value) argument.opaque = declared;
        return;
    }
    // A buffer that ends within an element is compared byte by byte.
    const bool fits =
        argument.kind != ArgumentSpec::Kind::buffer || !argument.counts_bytes ||
        std::fmod(std::strtod(argument.count.c_str(), nullptr),
                  static_cast<double>(size_of(*element_type_named(known->element)))) == 0;
    if (fits) argument.type = *known;
}

/// A captured buffer of structs is compared member by member.
void complete_struct(ArgumentSpec& argument, const Parameter& parameter) {
    if (argument.kind != ArgumentSpec::Kind::buffer || argument.after.empty() || argument.said ||
        parameter.members.empty()) {
        return;
    }
    const auto fits = [&](std::uint64_t bytes) {
        return std::fmod(std::strtod(argument.count.c_str(), nullptr),
                         static_cast<double>(bytes)) == 0;
    };
    if (const Member& only = parameter.members.front(); only.name.empty()) {
        const auto type = value_type_named(only.type);
        if (type && fits(size_of(scalar_type(*type)))) argument.type = *type;
        return;
    }
    if (!parameter.obstacle.empty() && parameter.obstacle != "one with an array of structs") return;
    auto members = struct_members(parameter.members);
    if (!members) return;
    ArgumentSpec whole;
    whole.members = *std::move(members);
    if (!fits(layout_of(whole).bytes)) return;
    argument.members = std::move(whole.members);
    argument.struct_name = parameter.type;
}

/// A buffer that the launch did not change is an input, if another one is an output: verification
/// checks that it stays unchanged, and one result less is read and compared.
void read_what_stays(std::vector<ArgumentSpec>& arguments) {
    const auto is_answer = [](const ArgumentSpec& one) {
        return !one.after.empty() && is_compared(one.role);
    };
    const auto stays = [](const ArgumentSpec& one) { return one.after == one.fill.file; };
    if (std::ranges::none_of(
            arguments, [&](const ArgumentSpec& one) { return is_answer(one) && !stays(one); })) {
        return;
    }
    for (ArgumentSpec& one : arguments) {
        if (is_answer(one) && stays(one) && !one.is_role_said && !one.image) {
            one.role = Role::input;
        }
    }
}

}  // namespace

std::optional<std::vector<ArgumentSpec>> struct_members(const std::vector<Member>& declared) {
    std::vector<ArgumentSpec> made;
    for (const Member& one : declared) {
        ArgumentSpec member;
        member.name = one.name;
        if (one.elements == 0) return {};
        if (!one.members.empty()) {
            auto inner = struct_members(one.members);
            if (!inner) return {};
            member.struct_name = one.type;
            member.members = *std::move(inner);
            made.insert(made.end(), one.elements, member);
            continue;
        }
        const auto type = value_type_named(one.type);
        if (!type || type->element == "void") return {};
        member.type = *type;
        member.elements = one.elements;
        member.is_array = one.is_array;
        made.push_back(std::move(member));
    }
    return made;
}

void complete(Model& model, KernelSource& text, const LaunchSpec& launch, const Signature& kernel) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        ArgumentSpec& argument = text.arguments.at(launch.arguments.at(i));
        const Parameter& parameter = kernel.parameters[i];
        if (argument.name.empty()) argument.name = parameter.name;
        complete_type(model, argument, parameter);
        const bool points = parameter.kind == Parameter::Kind::global ||
                            parameter.kind == Parameter::Kind::constant;
        if (points && argument.kind == ArgumentSpec::Kind::local && argument.count == "8" &&
            argument.counts_bytes) {
            // A pointer without an address: null unless it is local memory.
            argument.kind = ArgumentSpec::Kind::value;
            argument.bytes.assign(8, std::byte{0});
        }
        if (points && argument.kind == ArgumentSpec::Kind::value && argument.bytes.size() == 8 &&
            !argument.is_address()) {
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
        if (argument.kind == ArgumentSpec::Kind::same && written) {
            ArgumentSpec& first = text.arguments.at(argument.same_as);
            if (first.image) first.image->is_written = true;
            if (!first.after.empty()) first.role = Role::in_out;
        }
        if (argument.after.empty()) continue;
        complete_struct(argument, parameter);
        if (!argument.is_role_said) argument.role = written ? Role::in_out : Role::input;
    }
    read_what_stays(text.arguments);
    take_captured(model, text);
}

void take_captured(Model& model, const KernelSource& text) {
    for (const ArgumentSpec& argument : text.arguments) {
        model.is_captured = model.is_captured || !argument.after.empty();
        if (!argument.after.empty() && is_compared(argument.role)) {
            model.data[argument.name] = argument.after;
        }
    }
}

Tolerance tolerance_unless_told(const Model& model, const Plan& plan) {
    // Normalized numbers may differ by one step: OpenCL does not define how 0.5 is rounded to 8
    // bits, and NVIDIA's makes it 127 where the CUDA source makes it 128.
    if (std::ranges::all_of(plan.buffers, [](const BufferSpec& buffer) {
            return !is_compared(buffer.role) || (buffer.image && buffer.image->is_normalized);
        })) {
        return Tolerance::difference(0, model.is_mixed ? 2 : 1);
    }
    return model.is_captured || model.is_mixed ? captured_tolerance(model.is_mixed)
                                               : Tolerance::exact();
}

}  // namespace parallax::manifest

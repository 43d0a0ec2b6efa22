// Checks a manifest against the kernels' source, and tries all of its sizes.
#include "suites/manifest/check.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "mapping/analyze/call_arguments.hpp"
#include "mapping/analyze/patterns.hpp"
#include "mapping/from_cuda/clang_tree.hpp"
#include "mapping/from_cuda/cuda_kernels.hpp"

namespace parallax::manifest {
namespace {

std::string words_for(const Parameter& parameter) {
    switch (parameter.kind) {
        case Parameter::Kind::scalar: return fmt::format("a {} by value", parameter.type);
        case Parameter::Kind::local: return fmt::format("local memory of {}", parameter.type);
        case Parameter::Kind::image: return fmt::format("an image ({})", parameter.type);
        case Parameter::Kind::global:
        case Parameter::Kind::constant: break;
    }
    return fmt::format("a buffer of {}", parameter.type);
}

std::string key_for(const Parameter& parameter) {
    switch (parameter.kind) {
        case Parameter::Kind::scalar: return "value";
        case Parameter::Kind::local: return "local";
        case Parameter::Kind::image:
        case Parameter::Kind::global:
        case Parameter::Kind::constant: break;
    }
    return "elements";
}

std::string key_for(const ArgumentSpec& argument) {
    switch (argument.kind) {
        case ArgumentSpec::Kind::value: return argument.is_address() ? "elements" : "value";
        case ArgumentSpec::Kind::local: return "local";
        case ArgumentSpec::Kind::buffer:
        case ArgumentSpec::Kind::same: break;
    }
    return "elements";
}

/// Whether integers of a buffer may be the bits of floating-point numbers, as where these are added
/// up by compare-and-exchange.
bool may_hold_bits(std::string_view declared, std::string_view given) {
    const auto whole = value_type_named(declared), floating = value_type_named(given);
    return whole && floating && whole->width == floating->width && whole->element != "void" &&
           !is_float_element(whole->element) && is_float_element(floating->element) &&
           element_bytes(whole->element) == element_bytes(floating->element);
}

/// @param by_name  the argument has the parameter's name
void check_argument(const Model& model, const KernelSource& text, const LaunchSpec& launch,
                    const ArgumentSpec& argument, const Parameter& parameter, bool by_name) {
    if (by_name && argument.name != parameter.name) {
        model.fail(argument.path,
                   fmt::format("found '{}', and the parameter of '{}' in this place is '{}'; write "
                               "the arguments in the order of the parameters",
                               argument.name, launch.kernel, parameter.name));
    }
    const bool is_same = argument.kind == ArgumentSpec::Kind::same;
    const auto& form = is_same ? text.arguments[argument.same_as].image : argument.image;
    const std::string_view image = form ? form->type_name() : "";
    if ((parameter.kind == Parameter::Kind::image ? parameter.type : "") != image ||
        (parameter.type == "sampler_t") != argument.is_sampler) {
        const Patterns& table = Patterns::of_table();
        const MappingRule* refused = table.beginning_with(parameter.type).empty()
                                         ? table.refusal(parameter.type, false)
                                         : nullptr;
        model.fail(
            argument.path,
            fmt::format("'{}' is {} in the kernel: {}", parameter.name, words_for(parameter),
                        parameter.type == "sampler_t"              ? "write 'sampler'"
                        : parameter.kind != Parameter::Kind::image ? "write neither "
                                                                     "'image' nor 'sampler'"
                        : refused ? refused->rationale.substr(0, refused->rationale.size() - 1)
                                  : "write such an 'image'"));
    }
    if (is_same && form && form->is_written) {
        model.fail(
            argument.path,
            fmt::format("'{}' is an image that the kernel reads and writes, or writes twice: "
                        "CUDA's textures do not see what surfaces write",
                        parameter.name));
    }
    if (form || argument.is_sampler) return;
    if (argument.is_null) return;
    if (key_for(argument) != key_for(parameter)) {
        model.fail(
            argument.path,
            fmt::format("'{}' is {} in the kernel: write '{}', and not '{}'{}", parameter.name,
                        words_for(parameter), key_for(parameter), key_for(argument),
                        argument.name == parameter.name
                            ? std::string()
                            : fmt::format("; the argument in its place is '{}'", argument.name)));
    }
    if (!argument.opaque.empty()) check_bytes(model, argument, parameter);
    // It uses the parameter's type.
    if (!argument.said && (argument.members.empty() || !argument.after.empty())) return;
    const std::string declared = model.resolved(parameter.type);
    // Types that the source defines are not known here.
    const bool known = value_type_named(declared).has_value();
    const std::string given =
        argument.members.empty() ? name_of(argument.type) : argument.struct_name;
    // The source may reinterpret bytes.
    const bool bytes = key_for(parameter) == "elements" && argument.members.empty() &&
                       (declared == "char" || declared == "uchar");
    const bool bits = key_for(parameter) == "elements" && argument.members.empty() &&
                      may_hold_bits(declared, given);
    // Each source has names of its own for structs: the members decide.
    const bool is_struct = text.language == Language::native && !argument.members.empty() &&
                           !parameter.members.empty();
    // A byte is a bool by value; a buffer's bytes may be others than 0 and 1.
    const bool fits = fits_type(declared, given) &&
                      (declared != "bool" || given == "bool" || key_for(parameter) != "elements");
    if (declared != "void" && !bytes && !bits && (known || !argument.members.empty()) && !fits &&
        !is_struct) {
        model.fail(argument.path, fmt::format("'{}' is {} in the kernel, and not of {}",
                                              parameter.name, words_for(parameter), given));
    }
    if (!argument.members.empty()) {
        check_members(model, argument, declared, parameter.members, parameter.obstacle);
    }
}

/// Checks a launch's arguments against its kernel's parameters.
/// @param written  by index: whether some kernel may write it
Signature check_launch(Model& model, KernelSource& text, const LaunchSpec& launch,
                       const std::vector<Signature>& kernels, std::vector<bool>& written) {
    const auto found = std::ranges::find(kernels, launch.kernel, &Signature::kernel);
    if (found == kernels.end()) {
        std::vector<std::string> there;
        for (const Signature& one : kernels) there.push_back(one.kernel);
        model.fail(launch.path + ".kernel",
                   fmt::format("{} has no kernel '{}'; it has {}", text.source, launch.kernel,
                               there.empty() ? "none" : fmt::format("{}", fmt::join(there, ", "))));
    }
    const std::vector<Parameter>& parameters = found->parameters;
    if (parameters.size() != launch.arguments.size()) {
        model.fail(
            launch.path + ".arguments",
            fmt::format("{} argument(s), and '{}' has {} parameter(s): {}", launch.arguments.size(),
                        launch.kernel, parameters.size(), fmt::join(names(parameters), ", ")));
    }
    complete(model, text, launch, *found);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::size_t place = launch.arguments[i];
        const ArgumentSpec& argument = text.arguments[place];
        check_argument(model, text, launch, argument, parameters[i], !text.is_list);
        const bool is_same = argument.kind == ArgumentSpec::Kind::same;
        const std::size_t buffer = is_same ? argument.same_as : place;
        const bool is_constant = parameters[i].kind == Parameter::Kind::constant;
        text.arguments[buffer].is_constant |= is_constant;
        const bool is_written = !(parameters[i].read_only || is_constant);
        written[buffer] = written[buffer] || is_written;
        for (const auto& pointer : argument.pointers)
            written[pointer.place] = written[pointer.place] || is_written;
    }
    return *found;
}

/// The kernels of the launches in a CUDA source; nothing where one cannot be read, as of a macro or
/// PTX, or without clang: its compiler and the launch say then what is wrong.
std::vector<std::optional<CudaKernel>> cuda_launches(const Model& model, const KernelSource& text,
                                                     const std::string& source) {
    std::map<std::string, std::optional<CudaKernel>> known;
    std::vector<std::optional<CudaKernel>> made;
    for (const LaunchSpec& launch : text.launches) {
        const auto [at, fresh] = known.try_emplace(launch.kernel);
        try {
            if (fresh && text.language == Language::native) {
                at->second = cuda_kernels(text.source, source,
                                          {.defines = model.defines, .kernels = {launch.kernel}})
                                 .at(0);
            }
        } catch (const Error&) {
        }
        made.push_back(at->second);
    }
    return made;
}

/// Checks a launch of a CUDA kernel: its arguments without shared memory and variables, in the
/// order of the parameters. The names may differ.
/// @param is_alone  no OpenCL C says types and names
void check_cuda_launch(Model& model, KernelSource& text, const LaunchSpec& launch,
                       const Signature& kernel, bool is_alone) {
    LaunchSpec passed = launch;
    std::erase_if(passed.arguments, [&](std::size_t place) {
        return text.arguments[place].kind == ArgumentSpec::Kind::local;
    });
    const std::vector<Parameter>& parameters = kernel.parameters;
    if (passed.arguments.size() != parameters.size()) {
        model.fail(
            launch.path + ".arguments",
            fmt::format("{} argument(s), and '{}' of {} has {} parameter(s): {}; 'arguments' "
                        "under 'cuda' names those that it takes",
                        passed.arguments.size(), launch.kernel, text.source, parameters.size(),
                        fmt::join(names(parameters), ", ")));
    }
    if (is_alone) complete(model, text, passed, kernel);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        ArgumentSpec& argument = text.arguments[passed.arguments[i]];
        const Parameter& parameter = parameters[i];
        if (parameter.kind == Parameter::Kind::image || argument.image) continue;
        check_argument(model, text, launch, argument, parameter, false);
        const bool is_met_elsewhere = std::ranges::any_of(text.arguments, [&](const auto& one) {
            return std::ranges::any_of(one.pointers, [&](const auto& pointer) {
                return pointer.place == passed.arguments[i];
            });
        });
        if (parameter.read_only && is_compared(argument.role) && !is_met_elsewhere &&
            argument.kind == ArgumentSpec::Kind::buffer) {
            model.fail(argument.path,
                       fmt::format("'{}' points to const in {}, which cannot write it; its use is "
                                   "\"input\"",
                                   parameter.name, text.source));
        }
    }
}

/// Sets how textures are read: as the image's own sampler says, or else as OpenCL's kernel does
/// with the only one, or with that of the image's name.
void take_samplers(Model& model, KernelSource& text) {
    for (ArgumentSpec& one : text.arguments) {
        if (!one.image || one.image->height == 0 || one.only == "opencl") continue;
        std::optional<Sampler> found = one.sampler;
        bool is_clear = true;
        for (const ArgumentSpec& other : text.arguments) {
            if (!other.is_sampler || one.sampler) continue;
            std::uint32_t bits = 0;
            std::memcpy(&bits, other.bytes.data(), sizeof(bits));
            is_clear = is_clear && (!found || found == Sampler::of(bits));
            found = Sampler::of(bits);
            if (other.name != one.name + "_sampler") continue;
            is_clear = true;
            break;
        }
        if (!is_clear) {
            model.fail(one.path, fmt::format("which of the samplers is that of the texture '{0}'? "
                                             "Write 'sampler' in its 'image', or call one "
                                             "'{0}_sampler'",
                                             one.name));
        }
        const bool is_mixed = is_float_element(one.type.element) || one.image->is_normalized;
        if (found && found->is_linear && !is_mixed) {
            model.fail(one.path,
                       fmt::format("CUDA does not filter a texture of whole numbers: read "
                                   "'{}' as \"nearest\", or with a normalized 'format'",
                                   one.name));
        }
        one.image->texture = found.value_or(Sampler{});
        model.is_mixed = model.is_mixed || (found && found->is_linear);
    }
}

/// Fills scratch that is a variable of the CUDA source, under `symbols`, or by the name of what
/// OpenCL's side has instead: it begins as the source says.
void take_contents(Model& model, KernelSource& text,
                   const std::vector<std::optional<CudaKernel>>& kernels) {
    const auto is_open = [&](const ArgumentSpec& one) {
        return (one.only == "opencl" || text.symbols.contains(one.name)) &&
               one.role == Role::scratch && one.members.empty() &&
               one.kind == ArgumentSpec::Kind::buffer;
    };
    const auto open = std::ranges::find_if(text.arguments, is_open);
    if (text.language != Language::native || open == text.arguments.end()) return;
    if (text.symbols.contains(open->name) && from_cuda::clang_found().empty()) {
        model.fail(open->path,
                   fmt::format("what '{}' begins with is in {}, and the program clang, which reads "
                               "it, is not found: write 'fill'. {}",
                               open->name, text.source, from_cuda::clang_advice));
    }
    std::vector<KernelSource*> sides{&text};
    for (KernelSource& one : model.variants) {
        if (one.cuda.get() == &text) sides.push_back(&one);
    }
    std::vector<CudaVariable> variables;
    for (const auto& kernel : kernels) {
        if (kernel) std::ranges::copy(kernel->symbols, std::back_inserter(variables));
    }
    for (std::size_t i = 0; i < text.arguments.size(); ++i) {
        const ArgumentSpec& one = text.arguments[i];
        const auto symbol = text.symbols.find(one.name);
        const auto variable =
            std::ranges::find(variables, symbol == text.symbols.end() ? one.name : symbol->second,
                              &CudaVariable::name);
        if (!is_open(one) || variable == variables.end()) continue;
        const bool is_zero = variable->value.find_first_not_of("{}=0.fuUL ") == std::string::npos;
        if (!is_zero) {
            model.fail(one.path, fmt::format("'{}' begins as {} in {}: write that as 'fill'",
                                             one.name, variable->value, text.source));
        }
        for (KernelSource* side : sides) {
            side->arguments[i].role = Role::state;
            side->arguments[i].fill.kind = InputPattern::Kind::zeros;
        }
    }
}

/// The OpenCL source may define samplers itself, of which the manifest knows nothing.
void check_own_sampler(const Model& model, const KernelSource& text, const ArgumentSpec& one,
                       const std::string& source) {
    if (!one.image) return;
    if (one.sampler && !text.cuda) {
        model.fail(one.path + ".image.sampler",
                   "it is for textures of a CUDA source of yours, and this one is a translation, "
                   "which reads as the OpenCL C says");
    }
    const bool is_said = one.sampler || !text.cuda || !one.only.empty() || one.image->height == 0 ||
                         one.image->is_written ||
                         std::ranges::any_of(text.arguments, &ArgumentSpec::is_sampler);
    for (const char* word : {"CLK_FILTER_LINEAR", "CLK_NORMALIZED_COORDS_TRUE",
                             "CLK_ADDRESS_REPEAT", "CLK_ADDRESS_MIRRORED_REPEAT"}) {
        if (is_said || source.find(word) == std::string::npos) continue;
        model.fail(one.path + ".image",
                   fmt::format("{} defines a sampler with {}: write under 'sampler' how CUDA's "
                               "texture is read, such as {{\"normalized\": \"yes\", \"address\": "
                               "\"repeat\", \"filter\": \"linear\"}}",
                               text.source, word));
    }
}

std::vector<Signature> check_cuda(Model& model, KernelSource& text, const std::string& source) {
    take_samplers(model, text);
    const std::vector<std::optional<CudaKernel>> kernels = cuda_launches(model, text, source);
    take_contents(model, text, kernels);
    const bool is_alone =
        std::ranges::any_of(model.variants, [&](const KernelSource& one) { return &one == &text; });
    std::vector<Signature> launched;
    for (std::size_t k = 0; k < text.launches.size(); ++k) {
        const Signature kernel = kernels[k] ? kernels[k]->signature : Signature{};
        if (kernels[k]) check_cuda_launch(model, text, text.launches[k], kernel, is_alone);
        launched.push_back(kernel);
    }
    if (is_alone) take_captured(model, text);
    for (const ArgumentSpec& one : text.arguments) {
        const bool has_type = one.said || !one.members.empty() || !one.bytes.empty() || one.image ||
                              one.is_sampler || one.kind == ArgumentSpec::Kind::same ||
                              !one.type.element.empty();
        if ((!is_alone && one.only != "cuda") || one.only == "opencl" ||
            (has_type && !one.name.empty()))
            continue;
        model.fail(one.path, "write 'name' and 'type': the source does not say them here");
    }
    return launched;
}

}  // namespace

/// The macros for the compilers, without those that the preprocessor has expanded.
std::vector<Define> compiled_defines(const Model& model) {
    return model.expand ? std::vector<Define>{} : model.defines;
}

/// Checks the arguments against the parameters in the kernel's source.
std::vector<Signature> check_signatures(Model& model, KernelSource& text,
                                        const std::string& source) {
    if (text.language != Language::portable) return check_cuda(model, text, source);
    const TranslateOptions options{.defines = compiled_defines(model)};
    std::vector<Signature> kernels;
    try {
        kernels = signatures(text.source, source, options);
    } catch (const Refused& error) {
        try {
            // What is wrong in a body is for the compiler to say.
            kernels = signatures(text.source, without_bodies(text.source, source), options);
        } catch (const Refused&) {
            model.fail(text.path + ".source", error.what());
        }
    }
    std::vector<Signature> launched;
    std::vector<bool> written(text.arguments.size());
    for (const LaunchSpec& launch : text.launches) {
        launched.push_back(check_launch(model, text, launch, kernels, written));
    }
    for (std::size_t i = 0; i < written.size(); ++i) {
        const ArgumentSpec& one = text.arguments[i];
        check_own_sampler(model, text, one, source);
        if (one.image &&
            (one.image->is_written ? !is_changed(one.role) : one.role != Role::input)) {
            model.fail(one.path, fmt::format("the use of '{}' is \"{}\": the kernel {} the image",
                                             one.name, one.image->is_written ? "in_out" : "input",
                                             one.image->is_written ? "writes" : "reads"));
        }
        if (written[i] || one.kind != ArgumentSpec::Kind::buffer || one.role == Role::input) {
            continue;
        }
        model.fail(one.path, fmt::format("'{}' points to const in the kernel, which cannot write "
                                         "it; its use is \"input\"",
                                         one.name));
    }
    return launched;
}

void check_data(const Model& model) {
    for (const KernelSource& text : model.variants) {
        for (const ArgumentSpec& one : text.arguments) {
            if (one.kind != ArgumentSpec::Kind::buffer) continue;
            const bool varies = one.fill.varies() ||
                                std::ranges::any_of(layout_of(one).parts, [](const auto& part) {
                                    return part.member->fill.varies();
                                });
            if (varies) {
                model.fail(one.path,
                           "expected data are of one set of inputs, and this filling is drawn "
                           "anew; write {\"file\": ...}, \"iota\", \"zeros\" or {\"value\": ...}");
            }
            if (is_compared(one.role) && !model.data.contains(one.name)) {
                model.fail("$.reference.data",
                           fmt::format("no file for the output '{}'", one.name));
            }
        }
    }
    for (const auto& [name, file] : model.data) {
        const ArgumentSpec* known = nullptr;
        for (const ArgumentSpec& one : model.variants.front().arguments) {
            if (one.name == name && is_compared(one.role)) known = &one;
        }
        if (!known) {
            model.fail("$.reference.data." + name, "there is no output of this name");
        }
    }
}

namespace {

/// A device would only report an invalid work-group size.
void check_required(const Model& model, const KernelSource& text,
                    const std::vector<Signature>& kernels, const Plan& plan) {
    const std::vector<const Launch*> launches = launches_of(plan);
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const auto [x, y, z] = kernels.at(i).required;
        const Size items = launches[i]->geometry.items;
        if (x == 0 || items == Size{x, std::max(y, 1U), std::max(z, 1U)}) continue;
        model.fail(text.launches.at(i).path + ".items",
                   fmt::format("'{}' asks for groups of {} x {} x {} (reqd_work_group_size), and "
                               "these are {} x {} x {}; write [{}, {}, {}]",
                               launches[i]->kernel, x, y, z, items.x, items.y, items.z, x, y, z));
    }
}

/// The reference kernel must use the same inputs and outputs as the variant.
void check_reference(const Model& model, const KernelSource& variant, const Plan& own,
                     const Plan& reference) {
    const auto has = [](const Plan& plan, const BufferSpec& wanted, bool (*counts)(Role)) {
        return std::ranges::any_of(plan.buffers, [&](const BufferSpec& one) {
            return counts(one.role) && one.name == wanted.name && one.type == wanted.type &&
                   one.elements == wanted.elements;
        });
    };
    for (const BufferSpec& buffer : reference.buffers) {
        if (is_loaded(buffer.role) && !has(own, buffer, is_loaded)) {
            model.fail("$.reference.arguments",
                       fmt::format("the reference reads '{}', and variant '{}' has no input of "
                                   "that name, type and size",
                                   buffer.name, variant.name));
        }
    }
    for (const BufferSpec& buffer : own.buffers) {
        if (is_compared(buffer.role) && !has(reference, buffer, is_compared)) {
            model.fail("$.reference.arguments",
                       fmt::format("variant '{}' leaves '{}', and the reference has no output of "
                                   "that name, type and size",
                                   variant.name, buffer.name));
        }
    }
}

/// Checked sizes are run before anything is timed, for each variant: no budget limits that.
class CheckedWork {
public:
    void add(const Model& model, const Plan& plan) {
        for (const BufferSpec& buffer : plan.buffers) {
            bytes_ += static_cast<double>(buffer.elements * size_of(buffer.type));
        }
        for (const Launch* launch : launches_of(plan)) items_ += work_items(launch->geometry);
        constexpr double most = 0x1p30;
        if (bytes_ <= most && items_ <= most) return;
        model.fail("$.sizes.checked",
                   fmt::format("for all variants they take more than {:.3g} bytes of buffers and "
                               "{:.3g} work-items, and 2^30 of each are the most; write fewer or "
                               "smaller ones",
                               bytes_, items_));
    }

private:
    double bytes_ = 0, items_ = 0;
};

}  // namespace

/// Tries every size of the manifest with its own constants.
void check_sizes(const Model& model, const Suite& suite, const KernelsOf& kernels) {
    CheckedWork checked;
    for (const Variant& variant : suite.variants) {
        const KernelSource& text = source_of(model, variant);
        for (const auto* shapes : {&suite.shapes, &suite.check_shapes}) {
            for (const Shape& shape : *shapes) {
                const Case c = with_shape(
                    {&suite, &variant, {}, suite.types.front(), constants_of(suite, variant, {})},
                    shape);
                const Plan plan = variant.plan(c);
                check_required(model, text, kernels.at(&text), plan);
                if (shapes == &suite.check_shapes) checked.add(model, plan);
                make_case(suite, variant, shape, c.type);
                suite.work(c);
                if (model.reference) {
                    check_reference(model, text, plan, suite.reference_kernel->plan(c));
                }
                // Captured contents may be gigabytes: they are read when they are used.
                if (model.is_captured) continue;
                if (!model.data.empty()) suite.reference(c, {});
                for (const ArgumentSpec& one : text.arguments) {
                    if (one.fill.kind != manifest::InputPattern::Kind::file) continue;
                    inputs_of(model, text, c, {}, 0);
                    break;
                }
            }
        }
    }
}

}  // namespace parallax::manifest

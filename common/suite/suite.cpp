// Cases of suites: their constants, restrictions and requirements.
#include "common/suite/suite.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "common/text/demangled.hpp"
#include "common/text/text.hpp"

namespace parallax {
std::string to_string(const Shape& shape) {
    return fmt::format("{}", fmt::join(shape.extents, "x"));
}

std::int64_t Case::operator[](std::string_view name) const {
    for (const Constant& constant : constants) {
        if (constant.name == name) return constant.value;
    }
    throw UsageError(fmt::format("{} has no constant '{}'.", suite->name, name));
}

std::string Case::title() const {
    std::string text =
        fmt::format("{}/{} {} {}", suite->name, variant->name, name_of(type), to_string(shape));
    for (const ConstantSpec& spec : suite->constants) {
        if (spec.choices.empty()) continue;
        text += " " + spec.choices.at(static_cast<std::size_t>((*this)[spec.name]));
    }
    const std::string& swept = variant->sweep.constant;
    const auto spec = std::ranges::find(suite->constants, swept, &ConstantSpec::name);
    // Named choices are in it already.
    if (spec != suite->constants.end() && spec->choices.empty()) {
        text += fmt::format(" {}={}", swept, (*this)[swept]);
    }
    return text;
}

namespace {

/// Recorded launches of CUDA have mangled names: the first one of the kernel of that name, where
/// one kernel has it; else null.
const Variant* variant_of_kernel(const Suite& suite, std::string_view name) {
    const Variant* found = nullptr;
    std::string kernel;
    for (const Variant& variant : suite.variants) {
        if (!variant.name.starts_with("_Z")) continue;
        const std::string mangled = variant.name.substr(0, variant.name.find('-'));
        const FunctionName function = demangled(mangled);
        if (function.name != name && function.expression != name) continue;
        if (found && mangled != kernel) return nullptr;
        if (!found) found = &variant;
        kernel = mangled;
    }
    return found;
}

}  // namespace

const Variant& variant_named(const Suite& suite, std::string_view name) {
    for (const Variant& variant : suite.variants) {
        if (variant.name == name) return variant;
    }
    if (const Variant* const kernel = variant_of_kernel(suite, name)) return *kernel;
    throw UsageError(fmt::format("Suite '{}' has no variant '{}'.{} It has: {}.", suite.name, name,
                                 did_you_mean(name, names(suite.variants)),
                                 fmt::join(names(suite.variants), ", ")));
}

std::vector<Constant> constants_of(const Suite& suite, const Variant& variant,
                                   const std::vector<Constant>& defines) {
    std::vector<Constant> constants;
    for (const ConstantSpec& spec : suite.constants) {
        std::int64_t value = spec.value;
        for (const auto* over : {&variant.constants, &defines}) {
            for (const Constant& constant : *over) {
                if (constant.name == spec.name) value = constant.value;
            }
        }
        constants.push_back({spec.name, value});
    }
    return constants;
}

Case with_shape(Case c, Shape shape) {
    c.shape = std::move(shape);
    const std::vector<ConstantSpec>& specs = c.suite->constants;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].follows) c.constants.at(i).value = specs[i].follows(c);
    }
    return c;
}

Case make_case(const Suite& suite, const Variant& variant, Shape shape, ElementType type,
               const std::vector<Constant>& defines) {
    if (std::ranges::find(suite.types, type) == suite.types.end()) {
        std::vector<std::string_view> types;
        for (const ElementType known : suite.types) types.push_back(name_of(known));
        throw UsageError(fmt::format("Suite '{}' has no type '{}'. It has: {}.", suite.name,
                                     name_of(type), fmt::join(types, ", ")));
    }
    if (shape.extents.size() != suite.dimensions.size()) {
        throw UsageError(fmt::format("'{}' has {} extent(s); suite '{}' needs {}: {}.",
                                     to_string(shape), shape.extents.size(), suite.name,
                                     suite.dimensions.size(), fmt::join(suite.dimensions, " x ")));
    }
    std::uint64_t elements = 1;
    for (const std::uint64_t extent : shape.extents) {
        if (extent == 0) throw UsageError("A size of 0. Sizes count elements, from 1 on.");
        // Element counts times the size of an element stay far from wrapping.
        if (extent > (std::numeric_limits<std::int64_t>::max() >> 8) / elements) {
            throw UsageError(
                fmt::format("{} elements are more than any device holds. Choose a "
                            "smaller size.",
                            to_string(shape)));
        }
        elements *= extent;
    }
    for (const Constant& define : defines) {
        if (std::ranges::find(suite.constants, define.name, &ConstantSpec::name) ==
            suite.constants.end()) {
            throw UsageError(fmt::format("Suite '{}' has no constant '{}'. It has: {}.", suite.name,
                                         define.name, fmt::join(names(suite.constants), ", ")));
        }
    }
    Case made = with_shape({&suite, &variant, {}, type, constants_of(suite, variant, defines)},
                           std::move(shape));
    for (const Constant& define : defines) {
        const auto spec = std::ranges::find(suite.constants, define.name, &ConstantSpec::name);
        if (!spec->follows || made[define.name] == define.value) continue;
        throw UsageError(fmt::format("{} follows from the size, and is {} for {}. Leave it out.",
                                     define.name, made[define.name], to_string(made.shape)));
    }
    for (const ConstantSpec& spec : suite.constants) {
        const std::int64_t value = made[spec.name];
        if (value < spec.least || value > spec.most) {
            throw UsageError(fmt::format("{}={} is out of range: {} to {} ({}).", spec.name, value,
                                         spec.least, spec.most, spec.meaning));
        }
    }
    if (suite.refuse) {
        if (const std::string reason = suite.refuse(made); !reason.empty()) {
            throw UsageError(fmt::format("{}/{}: {}", suite.name, variant.name, reason));
        }
    }
    return made;
}

Case with_constants(const Case& c, const std::vector<Constant>& values) {
    std::vector<Constant> all;
    for (const ConstantSpec& spec : c.suite->constants) {
        if (spec.follows) continue;
        Constant one{spec.name, c[spec.name]};
        for (const Constant& value : values) {
            if (value.name == spec.name) one = value;
        }
        all.push_back(std::move(one));
    }
    return make_case(*c.suite, *c.variant, c.shape, c.type, all);
}

const std::string& portable_source(const Suite& suite, const Variant& variant) {
    return variant.source.empty() ? suite.source : variant.source;
}

const NativeSource* native_source(const Variant& variant, std::string_view backend) {
    // The host runs CUDA C++.
    const std::string_view language = backend == "host" ? "cuda" : backend;
    const auto found = std::ranges::find(variant.natives, language, &NativeSource::backend);
    if (found == variant.natives.end()) return nullptr;
    return backend == "host" && !found->library.empty() ? nullptr : &*found;
}

Case with_kernel(const Case& c, const Variant& variant, const std::vector<Constant>& defines) {
    Case other{c.suite, &variant, {}, c.type, constants_of(*c.suite, variant, defines)};
    return c.shape.extents.empty() ? other : with_shape(std::move(other), c.shape);
}

Case on_backend(Case c, std::string_view backend) {
    const auto stands_in = [&](const Variant& one) { return one.for_cuda.get() == c.variant; };
    const auto& variants = c.suite->variants;
    if (const auto own = std::ranges::find_if(variants, stands_in); own != variants.end()) {
        c.variant = &*own;
    } else if (const Variant* reference = c.suite->reference_kernel.get();
               reference && stands_in(*reference)) {
        c.variant = reference;
    }
    const bool runs_cuda = backend == "cuda" || backend == "host";
    if (runs_cuda && c.variant->for_cuda) c.variant = c.variant->for_cuda.get();
    return c;
}

bool is_written_separately(const Case& c) {
    return on_backend(c, {}).variant != c.variant;
}

std::string_view feature_for(const Variant& variant, std::string_view backend) {
    const NativeSource* native = native_source(variant, backend);
    return native && !native->feature.empty() ? native->feature : variant.feature;
}

std::string native_backends(const Variant& variant) {
    std::vector<std::string_view> list;
    for (const NativeSource& native : variant.natives) list.push_back(native.backend);
    return fmt::format("{}", fmt::join(list, ", "));
}

bool shows_error(const Case& c) {
    const Tolerance::Kind kind = c.suite->tolerance(c).kind;
    return kind == Tolerance::Kind::ulp || kind == Tolerance::Kind::difference;
}

const std::vector<Shape>& shapes_of(const Suite& suite, const Variant& variant) {
    return variant.shapes.empty() ? suite.shapes : variant.shapes;
}

std::string refuse_alignment(const Case& c) {
    const std::int64_t align = c["ALIGN"];
    if (align <= 0 || (align & (align - 1)) != 0) return "ALIGN must be a power of two.";
    if (static_cast<std::size_t>(align) < size_of(c.type)) {
        return "ALIGN must not be less than the size of an element.";
    }
    return {};
}

bool Plan::is_plain() const {
    return std::ranges::all_of(
               buffers,
               [](const BufferSpec& buffer) { return buffer.placement == Placement::device; }) &&
           std::ranges::all_of(
               steps, [](const Step& step) { return step.queue == 0 && step.after.empty(); });
}

std::vector<const Launch*> launches_of(const Plan& plan) {
    std::vector<const Launch*> launches;
    for (const auto& step : plan.steps) {
        if (const Launch* launch = step.launch()) launches.push_back(launch);
    }
    return launches;
}

std::vector<std::string> kernels_of(const Plan& plan) {
    std::vector<std::string> kernels;
    for (const Launch* launch : launches_of(plan)) kernels.push_back(launch->kernel);
    return kernels;
}

std::uint64_t Launch::local_bytes() const {
    std::uint64_t sum = 0;
    for (const auto& argument : arguments) {
        if (const auto* local = std::get_if<LocalBytes>(&argument)) sum += local->bytes;
    }
    return sum;
}

Footprint footprint(const Plan& plan) {
    Footprint sum;
    for (const BufferSpec& buffer : plan.buffers) {
        const std::uint64_t bytes = buffer.bytes() + (buffer.image ? 0 : 2 * guard_bytes);
        if (buffer.placement == Placement::device) sum.total += bytes;
        sum.largest = std::max(sum.largest, bytes);
    }
    return sum;
}

HostArray only_parts(std::span<const std::byte> bytes, const BufferSpec& spec,
                     std::uint64_t first) {
    std::vector<bool> is_part(spec.struct_bytes, false);
    for (const StructPart& part : spec.parts) {
        for (std::uint64_t i = 0; i < part.count * size_of(part.type); ++i) {
            is_part.at(part.offset + i) = true;
        }
    }
    HostArray values(spec.type, bytes.size() / size_of(spec.type));
    const std::span<std::byte> to = values.bytes();
    const std::uint64_t begin = first * size_of(spec.type);
    for_chunks(to.size(), [&](std::uint64_t from, std::uint64_t end, std::size_t) {
        for (std::uint64_t i = from; i < end; ++i) {
            to[i] = is_part[(begin + i) % spec.struct_bytes] ? bytes[i] : std::byte{0};
        }
    });
    return values;
}

}  // namespace parallax

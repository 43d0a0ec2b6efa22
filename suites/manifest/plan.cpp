// Computes a manifest's buffers, arguments and launch configuration for one shape.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/body/body.hpp"
#include "measure/sizing.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/model.hpp"

namespace parallax::manifest {
namespace {

/// A terabyte: more than a device of today can hold, and sums of it do not overflow.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
/// Some seconds of a GPU's time, if each work-item does next to nothing.
constexpr std::uint64_t most_launch_items = std::uint64_t{1} << 40;
constexpr std::array axes{'x', 'y', 'z'};

/// @param at  returns the position of a formula by its index, for errors
Size extents(const std::vector<std::string>& formulas, FormulaNames& names, std::string_view word,
             std::int64_t most, const auto& at) {
    std::array<std::uint64_t, 3> values{1, 1, 1};
    for (std::size_t i = 0; i < formulas.size(); ++i) {
        values.at(i) = at(i, [&] {
            return static_cast<std::uint64_t>(formula_count(formulas[i], names, 1, most));
        });
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        names[fmt::format("{}_{}", word, axes[i])] = static_cast<double>(values[i]);
    }
    return {values[0], values[1], values[2]};
}

Geometry geometry_of(const Model& model, const Case& c, const LaunchSpec& text,
                     FormulaNames& names) {
    constexpr std::int64_t most_items = 1 << 16, most_groups = std::int64_t{1} << 40;
    Geometry geometry;
    const auto at = [&](const char* key) {
        return [&, key](std::size_t i, const auto& what) {
            return told_at(model, fmt::format("{}.{}[{}]", text.path, key, i), c, what);
        };
    };
    geometry.items = extents(text.items, names, "items", most_items, at("items"));
    FormulaNames global = names;
    const char* key = text.is_global ? "global" : "groups";
    Size groups =
        extents(text.groups, text.is_global ? global : names, "groups", most_groups, at(key));
    if (text.is_global) {
        const auto divided = [&](std::uint64_t all, std::uint64_t items, char axis) {
            if (all % items == 0) return all / items;
            model.fail(text.path + ".global",
                       fmt::format("{} in dimension {}, which groups of {} do not divide; write "
                                   "'groups' with ceil, and a bounds check in the kernel (with {} "
                                   "= {})",
                                   all, axis, items, fmt::join(model.dimensions, " x "),
                                   to_string(c.shape)));
        };
        groups = {divided(groups.x, geometry.items.x, 'x'),
                  divided(groups.y, geometry.items.y, 'y'),
                  divided(groups.z, geometry.items.z, 'z')};
        names["groups_x"] = static_cast<double>(groups.x);
        names["groups_y"] = static_cast<double>(groups.y);
        names["groups_z"] = static_cast<double>(groups.z);
    }
    geometry.groups = groups;
    const double all = work_items(geometry);
    if (all > static_cast<double>(most_launch_items)) {
        model.fail(fmt::format("{}.{}", text.path, key),
                   fmt::format("a launch of {:.6g} work-items in all, and {} (2^40) are the most; "
                               "write a smaller size, or let each work-item do more",
                               all, most_launch_items));
    }
    return geometry;
}

Scalar number_of(ElementType type, const std::string& formula, const FormulaNames& names) {
    return visit_any_type(type, [&](auto zero) -> Scalar {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) {
            constexpr double limit = 0x1p53;
            const double least =
                             std::max(-limit, static_cast<double>(std::numeric_limits<T>::min())),
                         most = std::min(limit, static_cast<double>(std::numeric_limits<T>::max()));
            return static_cast<T>(formula_count(formula, names, static_cast<std::int64_t>(least),
                                                static_cast<std::int64_t>(most)));
        } else {
            return static_cast<T>(formula_value(formula, names));
        }
    });
}

/// The value from the bytes in the manifest.
Scalar raw_value(const ArgumentSpec& argument) {
    if (argument.is_null) return std::uint64_t{0};
    if (!argument.opaque.empty()) return VectorValue{argument.opaque, argument.bytes};
    if (!argument.type.known()) return VectorValue{"bytes", argument.bytes};  // of machine code
    const ElementType type = scalar_type(argument.type);
    if (argument.bytes.size() != slots(argument.type) * size_of(type)) {
        throw UsageError(fmt::format("'hex' has {} bytes, and a {} has {}", argument.bytes.size(),
                                     parallax::name_of(argument.type),
                                     slots(argument.type) * size_of(type)));
    }
    if (argument.type.is_vector()) {
        return VectorValue{parallax::name_of(argument.type), argument.bytes};
    }
    return visit_any_type(type, [&](auto value) -> Scalar {
        std::memcpy(&value, argument.bytes.data(), sizeof(value));
        return value;
    });
}

Scalar value_of(const ArgumentSpec& argument, const FormulaNames& names) {
    if (!argument.bytes.empty()) return raw_value(argument);
    const ElementType type = scalar_type(argument.type);
    if (!argument.type.is_vector() && !argument.is_array) {
        return number_of(type, argument.values.front(), names);
    }
    const std::uint64_t each = slots(argument.type) * size_of(type);
    VectorValue made{parallax::name_of(argument.type), {}};
    for (unsigned i = 0; i < argument.elements; ++i) {
        for (unsigned k = 0; k < argument.type.width; ++k) {
            const std::size_t place = std::size_t{i} * argument.type.width + k;
            const auto& formula = argument.values.at(argument.values.size() == 1 ? 0 : place);
            const Scalar number = number_of(type, formula, names);
            const auto bytes = bytes_of(number);
            made.bytes.insert(made.bytes.end(), bytes.begin(), bytes.end());
        }
        made.bytes.resize((i + 1) * each);
    }
    return made;
}

/// A struct's bytes, with zeros between its members.
Scalar struct_of(const ArgumentSpec& argument, const FormulaNames& names) {
    const Layout layout = layout_of(argument);
    VectorValue made{argument.struct_name, std::vector<std::byte>(layout.bytes)};
    for (const auto& [member, offset] : layout.parts) {
        const Scalar value = value_of(*member, names);
        std::ranges::copy(bytes_of(value),
                          made.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    return made;
}

/// Size of a buffer or of local memory in bytes.
std::uint64_t bytes_in(const ArgumentSpec& argument, const FormulaNames& names) {
    const Layout layout = layout_of(argument);
    const std::uint64_t unit = argument.counts_bytes ? 1 : layout.bytes;
    const auto most = static_cast<std::int64_t>(most_bytes / unit);
    const std::uint64_t bytes =
        unit * static_cast<std::uint64_t>(formula_count(argument.count, names, 1, most));
    return bytes - bytes % size_of(layout.scalar);
}

/// The image with the evaluated extents.
std::optional<ImageExtents> image_of(const ArgumentSpec& argument, const FormulaNames& names) {
    std::optional<ImageExtents> image = argument.image;
    if (!image) return image;
    const std::array extents{&image->width, &image->height, &image->depth};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        if (argument.texels.at(axis).empty()) continue;
        const auto most = static_cast<std::int64_t>(most_texels(axis, *argument.image));
        *extents.at(axis) =
            static_cast<std::uint64_t>(formula_count(argument.texels.at(axis), names, 1, most));
    }
    return image;
}

FormulaNames sizes_and_constants(const Model& model, const Case& c) {
    FormulaNames names;
    for (std::size_t i = 0; i < model.dimensions.size(); ++i) {
        names[model.dimensions[i]] = static_cast<double>(c.shape[i]);
    }
    for (const Constant& constant : c.constants) {
        names[constant.name] = static_cast<double>(constant.value);
    }
    return names;
}

}  // namespace

std::int64_t following_value(const Model& model, const std::string& constant, const Case& c) {
    FormulaNames known = sizes_and_constants(model, c);
    for (const auto& [name, formula] : model.following) known.erase(name);
    return told_at(model, "$.constants." + constant, c, [&] {
        return formula_count(model.following.at(constant), known, -largest_exact, largest_exact);
    });
}

FormulaNames names_of(const Model& model, const KernelSource& text, const Case& c) {
    FormulaNames names = sizes_and_constants(model, c);
    for (const Constant& one : text.own_constants) {
        names[one.name] = static_cast<double>(one.value);
    }
    const FormulaNames known = names;
    const auto note = [&](const std::string& name, const std::string& formula) {
        if (known.contains(name)) return;
        try {
            names.emplace(name, formula_value(formula, known));
        } catch (const UsageError&) {  // it needs the launch, or is wrong, which is reported later
        }
    };
    // Components have names like a struct's members.
    const auto note_all = [&](const ArgumentSpec& one, const std::string& name) {
        const bool alone = !one.is_array && !one.type.is_vector();
        if (alone && one.values.size() == 1) note(name, one.values.front());
        for (unsigned i = 0; !one.is_array && one.type.is_vector() && i < one.values.size(); ++i) {
            note(component_of(name, i), one.values[i]);
        }
        if (alone && one.fill.kind == InputPattern::Kind::value) {
            note(name, fmt::format("{}", one.fill.value));
        }
        if (alone && one.fill.kind == InputPattern::Kind::formula) note(name, one.fill.formula);
    };
    for (const ArgumentSpec& one : text.arguments) {
        if (one.kind == ArgumentSpec::Kind::value && one.members.empty()) note_all(one, one.name);
        for (const auto& [member, offset] : layout_of(one).parts) note_all(*member, member->name);
    }
    return names;
}

Layout layout_of(const ArgumentSpec& argument) {
    Layout layout;
    if (argument.members.empty() && !argument.type.known()) {
        layout.bytes = argument.bytes.size();  // of machine code, whose types nothing says
        return layout;
    }
    if (argument.members.empty()) {
        layout.scalar = scalar_type(argument.type);
        layout.alignment = slots(argument.type) * size_of(layout.scalar);
        layout.bytes = layout.alignment * argument.elements;
        return layout;
    }
    const auto round_up = [&](std::uint64_t to) {
        layout.bytes = (layout.bytes + to - 1) / to * to;
    };
    std::uint64_t used = 0, unit = 4;
    bool alike = true;
    std::optional<ElementType> scalar;
    for (const ArgumentSpec& member : argument.members) {
        const Layout own = layout_of(member);
        round_up(own.alignment);
        if (member.members.empty()) layout.parts.push_back({&member, layout.bytes});
        for (const auto& [part, offset] : own.parts) {
            layout.parts.push_back({part, layout.bytes + offset});
        }
        layout.bytes += own.bytes;
        used += own.bytes;
        layout.alignment = std::max(layout.alignment, own.alignment);
        if (own.bytes % 4 != 0) unit = 1;
        alike = alike && own.scalar == scalar.value_or(own.scalar);
        scalar = own.scalar;
    }
    round_up(layout.alignment);
    layout.scalar = alike && used == layout.bytes ? *scalar
                    : unit == 4                   ? ElementType::u32
                                                  : ElementType::u8;
    return layout;
}

ElementType scalar_type(ValueType type) {
    return type.element == "bool" ? ElementType::u8 : *element_type_named(type.element);
}

std::uint64_t slots(ValueType type) {
    return type.width == 3 ? 4 : type.width;
}

namespace {

/// Whether the type is a vector of three, with a fourth number as padding.
bool is_of_three(const ArgumentSpec& one) {
    return slots(one.type) > one.type.width;
}

/// Sets the compared parts of a buffer: the numbers of structs with mixed types or padding, and
/// three of four numbers of three-component vectors.
void note_parts(const ArgumentSpec& argument, const Layout& layout, BufferSpec& buffer) {
    if (argument.members.empty()) {
        if (!is_of_three(argument)) return;
        buffer.struct_bytes = layout.alignment;
        buffer.parts = {{0, layout.scalar, argument.type.width}};
        return;
    }
    std::uint64_t used = 0;
    const bool is_alike = std::ranges::none_of(layout.parts, [&](const Layout::Part& part) {
        used += layout_of(*part.member).bytes;
        return is_of_three(*part.member) || layout_of(*part.member).scalar != layout.scalar;
    });
    if (is_alike && used == layout.bytes) return;
    buffer.struct_bytes = layout.bytes;
    for (const auto& [member, offset] : layout.parts) {
        const Layout own = layout_of(*member);
        if (!is_of_three(*member)) {
            buffer.parts.push_back({offset, own.scalar, own.bytes / size_of(own.scalar)});
            continue;
        }
        for (std::uint64_t i = 0; i < member->elements; ++i) {
            buffer.parts.push_back({offset + i * own.alignment, own.scalar, member->type.width});
        }
    }
}

/// Creates the arguments of launches, and each buffer once.
class PlanMaker {
public:
    PlanMaker(const Model& model, const KernelSource& text, const Case& c)
        : model_(model), text_(text), case_(c), names_(names_of(model, text, c)) {}

    Plan plan() {
        for (const LaunchSpec& launch : text_.launches) add(launch);
        add_inputs_of_other_side();
        // A recorded launch has the order of its arguments, unless it is launched in two ways.
        if (!model_.is_captured || model_.variants.front().cuda) order_buffers();
        return std::move(plan_);
    }

private:
    /// Both sides get the same inputs, also those that only one of them takes.
    void add_inputs_of_other_side() {
        const auto is_its_input = [&](const ArgumentSpec& one) {
            return text_.leaves_out(one) && one.kind == ArgumentSpec::Kind::buffer &&
                   is_loaded(one.role);
        };
        const KernelSource* other = text_.cuda.get();
        for (const KernelSource& one : model_.variants) {
            if (one.cuda.get() == &text_) other = &one;
        }
        if (!other || std::ranges::none_of(text_.arguments, is_its_input)) return;
        PlanMaker maker(model_, *other, case_);
        for (const LaunchSpec& launch : other->launches) maker.add(launch);
        for (const BufferSpec& one : maker.plan_.buffers) {
            const auto here = std::ranges::find(plan_.buffers, one.name, &BufferSpec::name);
            if (!is_loaded(one.role) || here != plan_.buffers.end()) continue;
            plan_.buffers.push_back({one.name, Role::input, one.type, one.elements});
        }
    }

    void add(const LaunchSpec& text) {
        Launch launch{text.kernel, {}, {}};
        launch.is_cooperative = text.is_cooperative;
        FormulaNames names = names_;
        launch.geometry = geometry_of(model_, case_, text, names);
        const bool is_cuda = text_.language != Language::portable;
        LocalBytes dynamic;
        for (const std::size_t place : text.arguments) {
            const ArgumentSpec& argument = text_.arguments[place];
            const LaunchArgument made = told_at(
                model_, argument.path, case_, [&] { return argument_of(argument, place, names); });
            const auto* const local = std::get_if<LocalBytes>(&made);
            if (is_cuda && local) {
                // One block of shared memory for all, and no parameter.
                constexpr std::uint32_t step = 16;
                dynamic.bytes = (dynamic.bytes + step - 1) / step * step + local->bytes;
            } else {
                launch.arguments.push_back(made);
            }
        }
        if (dynamic.bytes > 0) launch.arguments.emplace_back(dynamic);
        for (std::size_t place = 0; place < text_.arguments.size(); ++place) {
            const ArgumentSpec& argument = text_.arguments[place];
            const auto symbol = text_.symbols.find(argument.name);
            if (symbol == text_.symbols.end()) continue;
            const LaunchArgument made = told_at(
                model_, argument.path, case_, [&] { return argument_of(argument, place, names); });
            launch.symbols.push_back({symbol->second, std::get<BufferIndex>(made)});
        }
        add_pointers(text, names, launch);
        plan_.steps.emplace_back(std::move(launch));
    }

    /// The buffers whose addresses are within arguments. Only machine code has them, in which the
    /// places of arguments stay.
    void add_pointers(const LaunchSpec& text, const FormulaNames& names, Launch& launch) {
        for (std::size_t i = 0; i < text.arguments.size(); ++i) {
            for (const auto& one : text_.arguments[text.arguments[i]].pointers) {
                const ArgumentSpec& target = text_.arguments[one.place];
                const LaunchArgument made = told_at(model_, target.path, case_, [&] {
                    return argument_of(target, one.place, names);
                });
                const auto buffer = std::get<BufferIndex>(made);
                if (one.offset > plan_.buffers[buffer.index].bytes())
                    model_.fail(target.path, "an address in 'pointers' that is behind its end");
                launch.pointers.push_back({i, one.at, buffer, one.offset});
            }
        }
    }

    /// Buffers have the order of the first variant's arguments, whatever kernel takes them: kernels
    /// of one problem have the same inputs and outputs.
    void order_buffers() {
        const auto place_of = [&](const BufferSpec& buffer) {
            const auto& first = model_.variants.front().arguments;
            return std::ranges::find(first, buffer.name, &ArgumentSpec::name) - first.begin();
        };
        std::vector<std::size_t> order(plan_.buffers.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {},
                                 [&](std::size_t i) { return place_of(plan_.buffers[i]); });
        std::vector<BufferSpec> buffers;
        std::vector<std::size_t> moved(order.size());
        for (const std::size_t old : order) {
            moved[old] = buffers.size();
            buffers.push_back(std::move(plan_.buffers[old]));
        }
        plan_.buffers = std::move(buffers);
        for (Step& step : plan_.steps) {
            auto& launch = std::get<Launch>(step.what);
            for (LaunchArgument& argument : launch.arguments) {
                if (auto* buffer = std::get_if<BufferIndex>(&argument))
                    buffer->index = moved[buffer->index];
            }
            for (SymbolBuffer& one : launch.symbols) one.buffer.index = moved[one.buffer.index];
            for (PointerBuffer& one : launch.pointers) one.buffer.index = moved[one.buffer.index];
        }
    }

    LaunchArgument argument_of(const ArgumentSpec& argument, std::size_t place,
                               const FormulaNames& names) {
        if (argument.kind == ArgumentSpec::Kind::value) {
            return argument.members.empty() ? value_of(argument, names)
                                            : struct_of(argument, names);
        }
        if (argument.kind == ArgumentSpec::Kind::same) return *places_.at(argument.same_as);
        if (places_.at(place)) return *places_[place];
        const std::uint64_t bytes = bytes_in(argument, names);
        if (argument.kind == ArgumentSpec::Kind::local) {
            constexpr std::uint64_t most_local = std::uint64_t{1} << 30;
            if (bytes > most_local) {
                throw UsageError(
                    fmt::format("{} bytes of local memory for a group; devices "
                                "have some ten thousand",
                                bytes));
            }
            return LocalBytes{static_cast<std::uint32_t>(bytes)};
        }
        total_ += bytes;
        if (total_ > host_memory_bytes()) {
            throw UsageError(
                fmt::format("with this buffer the kernel's are {} bytes, more "
                            "than this computer's memory; write a smaller size",
                            total_));
        }
        const Layout layout = layout_of(argument);
        const ElementType type = layout.scalar;
        places_[place] = BufferIndex{plan_.buffers.size()};
        plan_.buffers.push_back({argument.name, argument.role, type, bytes / size_of(type),
                                 Placement::device, image_of(argument, names)});
        note_parts(argument, layout, plan_.buffers.back());
        note_order(argument, layout, names, plan_.buffers.back());
        return *places_[place];
    }

    static void note_order(const ArgumentSpec& argument, const Layout& layout,
                           const FormulaNames& names, BufferSpec& buffer) {
        buffer.order = argument.order;
        if (buffer.order != Order::any) return;
        const auto row =
            static_cast<std::uint64_t>(formula_count(argument.row, names, 1, largest_exact));
        buffer.row = row * layout.bytes / size_of(buffer.type);
        if (buffer.elements % buffer.row != 0) {
            throw UsageError(fmt::format("rows of {} elements do not divide the buffer's {}", row,
                                         buffer.bytes() / layout.bytes));
        }
    }

    const Model& model_;
    const KernelSource& text_;
    const Case& case_;
    const FormulaNames names_;
    Plan plan_;
    std::uint64_t total_ = 0;
    std::vector<std::optional<BufferIndex>> places_ =
        std::vector<std::optional<BufferIndex>>(text_.arguments.size());
};

}  // namespace

Plan plan_of(const Model& model, const KernelSource& text, const Case& c) {
    return PlanMaker(model, text, c).plan();
}

}  // namespace parallax::manifest

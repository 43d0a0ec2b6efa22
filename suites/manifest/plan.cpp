// What the kernels of a manifest do on a problem of one shape: buffers, arguments, geometry.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/inputs.hpp"
#include "measure/sizing.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/model.hpp"

namespace parallax::manifest {
namespace {

/// A terabyte: what no device of today holds in one piece, and what no sum of such wraps.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
/// What a GPU is busy with for some seconds, if each does next to nothing.
constexpr std::uint64_t most_launch_items = std::uint64_t{1} << 40;
constexpr std::array axes{'x', 'y', 'z'};

/// Does `what`; its complaint gets file and place, and the sizes that it is true for.
template <class F>
auto at(const Model& model, const std::string& path, const Case& c, F&& what) {
    try {
        return what();
    } catch (const UsageError& error) {
        model.fail(path, fmt::format("{} (with {} = {})", error.what(),
                                     fmt::join(model.dimensions, " x "), to_string(c.shape)));
    }
}

Size extents(const std::vector<std::string>& formulas, FormulaNames& names, std::string_view word,
             std::int64_t most) {
    std::array<std::uint64_t, 3> values{1, 1, 1};
    for (std::size_t i = 0; i < formulas.size(); ++i) {
        values.at(i) = static_cast<std::uint64_t>(formula_count(formulas[i], names, 1, most));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        names[fmt::format("{}_{}", word, axes[i])] = static_cast<double>(values[i]);
    }
    return {values[0], values[1], values[2]};
}

Geometry geometry_of(const KernelText& text, FormulaNames& names) {
    constexpr std::int64_t most_items = 1 << 16, most_groups = std::int64_t{1} << 40;
    Geometry geometry;
    geometry.items = extents(text.items, names, "items", most_items);
    FormulaNames global = names;
    Size groups = extents(text.groups, text.is_global ? global : names, "groups", most_groups);
    if (text.is_global) {
        const auto divided = [&](std::uint64_t all, std::uint64_t items, char axis) {
            if (all % items == 0) return all / items;
            throw UsageError(fmt::format(
                "'global' is {} in dimension {}, which groups of {} do not divide; write 'groups' "
                "with ceil, and a bounds check in the kernel",
                all, axis, items));
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
        throw UsageError(fmt::format(
            "a launch of {:.6g} work-items in all, and {} (2^40) are the most; write a smaller "
            "size, or let each work-item do more",
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

/// The value whose bytes the manifest gives.
Scalar raw_value(const ArgumentText& argument) {
    if (argument.is_null) return std::uint64_t{0};
    if (!argument.opaque.empty()) return VectorValue{argument.opaque, argument.bytes};
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

Scalar value_of(const ArgumentText& argument, const FormulaNames& names) {
    if (!argument.bytes.empty()) return raw_value(argument);
    const ElementType type = scalar_type(argument.type);
    if (!argument.type.is_vector()) return number_of(type, argument.values.front(), names);
    VectorValue vector{parallax::name_of(argument.type), {}};
    for (const std::string& formula : argument.values) {
        const Scalar component = number_of(type, formula, names);
        const auto bytes = bytes_of(component);
        vector.bytes.insert(vector.bytes.end(), bytes.begin(), bytes.end());
    }
    vector.bytes.resize(slots(argument.type) * size_of(type));
    return vector;
}

/// A struct's bytes, with zeros between its members.
Scalar struct_of(const ArgumentText& argument, const FormulaNames& names) {
    const Layout layout = layout_of(argument);
    VectorValue made{argument.struct_name, std::vector<std::byte>(layout.bytes)};
    for (std::size_t m = 0; m < argument.members.size(); ++m) {
        const Scalar member = value_of(argument.members[m], names);
        std::ranges::copy(bytes_of(member),
                          made.bytes.begin() + static_cast<std::ptrdiff_t>(layout.offsets[m]));
    }
    return made;
}

/// Bytes of a buffer or of local memory.
std::uint64_t bytes_in(const ArgumentText& argument, const FormulaNames& names) {
    const Layout layout = layout_of(argument);
    const std::uint64_t unit = argument.counts_bytes ? 1 : layout.bytes;
    const auto most = static_cast<std::int64_t>(most_bytes / unit);
    const std::uint64_t bytes =
        unit * static_cast<std::uint64_t>(formula_count(argument.count, names, 1, most));
    return bytes - bytes % size_of(layout.scalar);
}

std::uint64_t seed_for(std::uint64_t seed, std::string_view name) {
    // By name, so that variants whose buffers stand in another order have the same inputs.
    for (const char c : name) seed = mix(seed, static_cast<unsigned char>(c));
    return seed;
}

/// A number of the filling for one element.
double drawn(const Filling& fill, ElementType type, bool exact, std::uint64_t seed,
             std::uint64_t i) {
    const bool is_signed = type != ElementType::u8 && type != ElementType::u16 &&
                           type != ElementType::u32 && type != ElementType::u64;
    if (fill.kind == Filling::Kind::integers) {
        const std::int32_t value = small_integer(seed, i);
        return is_signed ? value : std::abs(value);
    }
    const double unit = (uniform(seed, i) + 1) / 2;
    if (!fill.range) return exact ? 1 + static_cast<double>(mix(seed, i) % 3) : unit;
    const auto [low, high] = *fill.range;
    if (!is_floating(type)) return std::min(low + std::floor((high - low) * unit), high - 1);
    const double first = std::ceil(low), last = std::min(std::ceil(high) - 1, first + 6);
    // Whole numbers, where the range has enough of them to tell elements apart.
    if (exact && last > first) {
        return first +
               static_cast<double>(mix(seed, i) % static_cast<std::uint64_t>(last - first + 1));
    }
    return low + (high - low) * unit;
}

template <class T>
void fill_with(std::span<T> data, const Filling& fill, ElementType type, bool exact,
               std::uint64_t seed) {
    fill_by_index(data, [&](std::uint64_t i) -> T {
        switch (fill.kind) {
            case Filling::Kind::none:
            case Filling::Kind::zeros:
            case Filling::Kind::file:
            case Filling::Kind::formula: break;
            case Filling::Kind::value: return static_cast<T>(fill.value);
            case Filling::Kind::iota:
                if constexpr (std::is_integral_v<T>) {
                    return static_cast<T>(i);
                } else {
                    return static_cast<T>(static_cast<double>(i));
                }
            case Filling::Kind::integers:
            case Filling::Kind::random: return static_cast<T>(drawn(fill, type, exact, seed, i));
        }
        return T{};
    });
}

/// Fills an array of scalars as the argument, or the member, says.
void fill_array(HostArray& array, const ArgumentText& argument, const FormulaNames& names,
                bool exact, std::uint64_t seed) {
    Filling fill = argument.fill;
    const ElementType type = array.type();
    if (!fill.bounds[0].empty()) {
        fill.range = {formula_value(fill.bounds[0], names), formula_value(fill.bounds[1], names)};
        if (!(fill.range->first < fill.range->second)) {
            throw UsageError(fmt::format("'{}' holds numbers from {} up to {}, and there are none",
                                         argument.name, fill.range->first, fill.range->second));
        }
    }
    visit_any_type(type, [&](auto zero) {
        using T = decltype(zero);
        const std::span<T> data = array.as<T>();
        if (fill.kind != Filling::Kind::formula) {
            return fill_with(data, fill, type, exact, seed);
        }
        formula_each(fill.formula, names, data.size(), [&](std::uint64_t i, double value) {
            if constexpr (std::is_integral_v<T>) {
                constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
                if (value != std::floor(value) || value < least ||
                    value >= std::ldexp(1.0, std::numeric_limits<T>::digits)) {
                    throw UsageError(fmt::format("'{}' is {} for i = {}, which {} does not hold",
                                                 fill.formula, value, i, parallax::name_of(type)));
                }
            }
            data[i] = static_cast<T>(value);
        });
    });
}

/// The elements of a struct, each member filled on its own.
void fill_structs(HostArray& array, const ArgumentText& argument, const FormulaNames& names,
                  bool exact, std::uint64_t seed) {
    const Layout layout = layout_of(argument);
    std::ranges::fill(array.bytes(), std::byte{0});
    const std::uint64_t count = array.bytes().size() / layout.bytes;
    for (std::size_t m = 0; m < argument.members.size(); ++m) {
        const ArgumentText& member = argument.members[m];
        const std::uint64_t size = layout_of(member).bytes;
        HostArray part(scalar_type(member.type), count * slots(member.type));
        fill_array(part, member, names, exact, seed_for(seed, member.name));
        for (std::uint64_t i = 0; i < count; ++i) {
            std::ranges::copy(part.bytes().subspan(i * size, size),
                              array.bytes().begin() + static_cast<std::ptrdiff_t>(
                                                          i * layout.bytes + layout.offsets[m]));
        }
    }
}

}  // namespace

FormulaNames names_of(const Model& model, const KernelText& text, const Case& c) {
    FormulaNames names;
    for (std::size_t i = 0; i < model.dimensions.size(); ++i) {
        names[model.dimensions[i]] = static_cast<double>(c.shape[i]);
    }
    for (const Constant& constant : c.constants) {
        names[constant.name] = static_cast<double>(constant.value);
    }
    const FormulaNames known = names;
    const auto note = [&](const ArgumentText& one) {
        if (one.values.size() != 1 || known.contains(one.name)) return;
        try {
            names.emplace(one.name, formula_value(one.values.front(), known));
        } catch (const UsageError&) {  // it needs the launch, or is wrong, which is said later
        }
    };
    for (const ArgumentText& one : text.arguments) {
        note(one);
        for (const ArgumentText& member : one.members) note(member);
    }
    return names;
}

Layout layout_of(const ArgumentText& argument) {
    Layout layout;
    if (argument.members.empty()) {
        layout.scalar = scalar_type(argument.type);
        layout.bytes = slots(argument.type) * size_of(layout.scalar);
        return layout;
    }
    std::uint64_t widest = 1, used = 0, unit = 4;
    bool alike = true;
    for (const ArgumentText& member : argument.members) {
        const Layout own = layout_of(member);
        layout.bytes = (layout.bytes + own.bytes - 1) / own.bytes * own.bytes;
        layout.offsets.push_back(layout.bytes);
        layout.bytes += own.bytes;
        used += own.bytes;
        widest = std::max(widest, own.bytes);
        if (own.bytes % 4 != 0) unit = 1;
        alike = alike && own.scalar == layout_of(argument.members.front()).scalar;
    }
    layout.bytes = (layout.bytes + widest - 1) / widest * widest;
    layout.scalar = alike && used == layout.bytes ? layout_of(argument.members.front()).scalar
                    : unit == 4                   ? ElementType::u32
                                                  : ElementType::u8;
    return layout;
}

ElementType scalar_type(ValueType type) {
    return *element_type_named(type.element);
}

std::uint64_t slots(ValueType type) {
    return type.width == 3 ? 4 : type.width;
}

Plan plan_of(const Model& model, const KernelText& text, const Case& c) {
    FormulaNames names = names_of(model, text, c);
    Plan plan;
    Launch launch{text.kernel, {}, {}};
    launch.geometry = at(model, text.path, c, [&] { return geometry_of(text, names); });
    std::uint64_t total = 0;
    std::vector<BufferIndex> places(text.arguments.size());
    for (const ArgumentText& argument : text.arguments) {
        const auto place = static_cast<std::size_t>(&argument - text.arguments.data());
        at(model, argument.path, c, [&] {
            if (argument.kind == ArgumentText::Kind::value) {
                launch.arguments.emplace_back(argument.members.empty()
                                                  ? value_of(argument, names)
                                                  : struct_of(argument, names));
                return;
            }
            if (argument.kind == ArgumentText::Kind::same) {
                launch.arguments.emplace_back(places.at(argument.same_as));
                return;
            }
            const ElementType type = layout_of(argument).scalar;
            const std::uint64_t bytes = bytes_in(argument, names);
            const std::uint64_t elements = bytes / size_of(type);
            if (argument.kind == ArgumentText::Kind::local) {
                constexpr std::uint64_t most_local = std::uint64_t{1} << 30;
                if (bytes > most_local) {
                    throw UsageError(
                        fmt::format("{} bytes of local memory for a group; devices "
                                    "have some ten thousand",
                                    bytes));
                }
                launch.arguments.emplace_back(LocalBytes{static_cast<std::uint32_t>(bytes)});
                return;
            }
            total += bytes;
            if (total > host_memory_bytes()) {
                throw UsageError(
                    fmt::format("with this buffer the kernel's are {} bytes, more "
                                "than this computer's memory; write a smaller size",
                                total));
            }
            places.at(place) = BufferIndex{plan.buffers.size()};
            launch.arguments.emplace_back(places.at(place));
            plan.buffers.push_back({argument.name, argument.role, type, elements});
        });
    }
    plan.steps.emplace_back(std::move(launch));
    return plan;
}

std::vector<HostArray> inputs_of(const Model& model, const KernelText& text, const Case& c,
                                 const parallax::Filling& filling, std::uint64_t seed) {
    const Plan plan = plan_of(model, text, c);
    const FormulaNames names = names_of(model, text, c);
    std::vector<HostArray> arrays;
    std::size_t next = 0;
    for (const ArgumentText& argument : text.arguments) {
        if (argument.kind != ArgumentText::Kind::buffer) continue;
        const BufferSpec& buffer = plan.buffers.at(next++);
        if (!is_loaded(buffer.role)) continue;
        if (argument.fill.kind == Filling::Kind::file) {
            arrays.push_back(read_elements(model, argument.path, argument.fill.file, buffer.type,
                                           buffer.elements));
            continue;
        }
        HostArray& array = arrays.emplace_back(buffer.type, buffer.elements);
        at(model, argument.path, c, [&] {
            const auto fill = argument.members.empty() ? fill_array : fill_structs;
            fill(array, argument, names, filling.exact, seed_for(seed, argument.name));
        });
    }
    return arrays;
}

}  // namespace parallax::manifest

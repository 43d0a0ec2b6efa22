// Parses an argument of a manifest: a number, a buffer with its content, a struct with members.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/node.hpp"

namespace parallax::manifest {
namespace {

InputPattern read_fill(const Node& node) {
    using Kind = InputPattern::Kind;
    const char* what =
        "\"zeros\", \"iota\", \"integers\", \"random\", \"permutation\", {\"random\": [low, "
        "high]}, {\"sorted\": [low, high]}, {\"value\": 3}, {\"formula\": \"8 * i\"}, "
        "{\"csr_offsets\": [elements, columns]}, {\"csr_columns\": [\"offsets\", columns]} or "
        "{\"file\": \"x.bin\"}";
    InputPattern fill;
    if (node.json().is_string()) {
        const std::array<std::pair<std::string_view, Kind>, 5> words{
            std::pair{std::string_view("zeros"), Kind::zeros},
            {"iota", Kind::iota},
            {"integers", Kind::integers},
            {"permutation", Kind::permutation},
            {"random", Kind::random}};
        for (const auto& [word, kind] : words) {
            if (node.json() == word) fill.kind = kind;
        }
        if (fill.kind == Kind::none) node.expect(what);
        return fill;
    }
    if (!node.json().is_object()) node.expect(what);
    node.object(fill_keys);
    const auto special = node.find("special");
    if (node.json().size() != (special ? 2 : 1)) node.expect(what);
    if (special) {
        if (!node.find("random")) node.expect("\"special\" together with \"random\"");
        if (special->json() != true) special->expect("true, or nothing");
        fill.special = true;
    }
    const auto sorted = node.find("sorted");
    if (const auto range = sorted ? sorted : node.find("random")) {
        fill.kind = sorted ? Kind::sorted : Kind::random;
        const auto ends = range->list("[low, high]", 2, 2);
        if (ends[0].json().is_number() && ends[1].json().is_number()) {
            fill.range = {ends[0].number("a number"), ends[1].number("a number")};
            if (!(fill.range->first < fill.range->second)) range->expect("[low, high], low < high");
        } else {
            fill.bounds = {ends[0].formula(), ends[1].formula()};
        }
    } else if (const auto matrix = node.find("csr_offsets")) {
        fill.kind = Kind::csr_offsets;
        const auto sizes = matrix->list("[elements, columns]", 2, 2);
        fill.bounds = {sizes[0].formula(), sizes[1].formula()};
    } else if (const auto indices = node.find("csr_columns")) {
        fill.kind = Kind::csr_columns;
        const auto words = indices->list("[\"offsets\", columns]", 2, 2);
        fill.offsets = words[0].text("the name of the buffer where the rows begin");
        fill.bounds[1] = words[1].formula();
    } else if (const auto value = node.find("value")) {
        fill.kind = Kind::value;
        fill.value = value->number("a number");
    } else if (const auto formula = node.find("formula")) {
        fill.kind = Kind::formula;
        fill.formula = formula->formula();
    } else {
        fill.kind = Kind::file;
        fill.file = node.need("file", what).file("a file's name");
    }
    return fill;
}

/// Whether an integer type can hold the number.
bool holds(ElementType type, double value) {
    if (is_floating(type)) return true;
    return visit_any_type(type, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) {
            return value == std::floor(value) &&
                   value >= static_cast<double>(std::numeric_limits<T>::min()) &&
                   value < std::ldexp(1.0, std::numeric_limits<T>::digits);
        } else {
            return true;
        }
    });
}

void check_fill(const Node& node, ArgumentSpec& argument) {
    using Kind = InputPattern::Kind;
    const ElementType type = scalar_type(argument.type);
    InputPattern& fill = argument.fill;
    if (argument.type.element == "bool") {
        const bool plain = (fill.kind == Kind::random && !fill.range && fill.bounds[0].empty()) ||
                           fill.kind == Kind::integers;
        if (plain) fill = {.kind = Kind::random, .range = {{0, 2}}};
        const bool drawn = fill.kind == Kind::random && fill.range && fill.range->first >= 0 &&
                           fill.range->second <= 2;
        if (!plain && !drawn && fill.kind != Kind::zeros && fill.kind != Kind::formula &&
            fill.kind != Kind::file &&
            !(fill.kind == Kind::value && (fill.value == 0 || fill.value == 1))) {
            node.expect(
                "what bool holds, 0 or 1: \"random\", \"zeros\", {\"value\": 1}, "
                "{\"formula\": \"i % 2\"} or {\"file\": \"x.bin\"}");
        }
    }
    if ((fill.kind == Kind::csr_offsets || fill.kind == Kind::csr_columns) &&
        (is_floating(type) || argument.type.is_vector())) {
        node.expect(fmt::format("what {} can hold; rows and columns are whole numbers",
                                name_of(argument.type)));
    }
    if (fill.special && !is_floating(type)) {
        node.expect(fmt::format("no \"special\": {} has no NaN and no infinities", name_of(type)));
    }
    if ((fill.kind == Kind::random || fill.kind == Kind::sorted) && !is_floating(type) &&
        fill.bounds[0].empty()) {
        if (!fill.range) {
            node.expect(
                fmt::format("{{\"random\": [low, high]}}: numbers in [0, 1) are all 0 as "
                            "{}",
                            name_of(type)));
        }
        if (!holds(type, fill.range->first) || !holds(type, fill.range->second - 1)) {
            const auto [least, end] = ends_of(type);
            node.expect(fmt::format("a range of whole numbers that {} holds: from {} up to {}",
                                    name_of(type), least, end));
        }
    }
    if (fill.kind == InputPattern::Kind::value && !holds(type, fill.value)) {
        node.expect(fmt::format("a number that {} holds", name_of(type)));
    }
}

ValueType read_type(const Node& type) {
    const auto known = value_type_named(type.text("a type of OpenCL C such as \"float4\""));
    if (!known || known->element == "void") {
        type.expect(
            "a number type of OpenCL C: char, uchar, short, ushort, int, uint, long, "
            "ulong, half, float, double, or a vector of them such as float4; of buffers bool too");
    }
    return *known;
}

/// OpenCL C 1.2, 6.9 k: the size of a bool on the host is not defined.
void refuse_bool(const Node& type, const ArgumentSpec& argument) {
    if (argument.type.element == "bool") {
        type.expect("int or uchar, in the kernel too: OpenCL takes no bool by value");
    }
}

/// Parses a member's type: `float`, `uint4`, or an array `float[3]`.
void read_member_type(const Node& node, ArgumentSpec& member) {
    const std::string word = node.text("a type such as \"float\", \"uint4\" or \"float[3]\"");
    const std::size_t open = word.find('[');
    const Json element = word.substr(0, open);
    member.type = read_type(Node(node.model(), element, node.path()));
    if (open == word.npos) return;
    const char* first = word.data() + open + 1;
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(first, last, member.elements);
    member.is_array = true;
    if (error != std::errc() || end + 1 != last || *end != ']' || member.elements < 1 ||
        member.elements > 65536) {
        node.expect("an array as \"float[3]\": of several dimensions all elements together");
    }
}

/// Parses the values of a number, of a vector's components or of an array's elements.
void read_values(const Node& value, ArgumentSpec& argument) {
    const std::size_t count = std::size_t{argument.elements} * argument.type.width;
    if (!argument.is_array && count == 1) {
        argument.values.push_back(value.formula());
        return;
    }
    if (argument.is_array && !value.json().is_array()) {
        argument.values.push_back(value.formula());  // each has the same value
        return;
    }
    const auto what = fmt::format("a list of {} numbers", count);
    for (const Node& one : value.list(what, count, count)) argument.values.push_back(one.formula());
}

/// Parses the members of a struct: values if it is passed by value, else the elements' contents.
std::vector<ArgumentSpec> read_members(const Node& list, bool by_value, bool filled,
                                       unsigned depth = 0) {
    std::vector<ArgumentSpec> members;
    if (depth > 8) list.fail("structs within structs, and 8 deep is the most");
    for (const Node& node : list.list("a list of one member or more", 1, 200)) {
        node.object({"name", "type", "value", "fill", "ask", "members"});
        ArgumentSpec& one = members.emplace_back();
        one.path = node.path();
        one.name = node.need("name", "the member's name").text("the member's name");
        const Node type = node.need("type", "its type, such as \"float\", \"uint4\", \"int[3]\"");
        if (const auto inner = node.find("members")) {
            if (node.find("value") || node.find("fill")) {
                node.fail("each of the 'members' has a 'value' or a 'fill' of its own");
            }
            one.struct_name = type.name("the struct's name");
            one.members = read_members(*inner, by_value, filled, depth + 1);
            continue;
        }
        read_member_type(type, one);
        if (by_value) {
            refuse_bool(type, one);
            read_values(node.need("value", "a number, a formula, or a list of them"), one);
        } else if (filled) {
            const Node fill = node.need("fill", "what it holds at first");
            one.fill = read_fill(fill);
            if (one.fill.kind == InputPattern::Kind::file ||
                one.fill.kind == InputPattern::Kind::csr_columns) {
                fill.fail("that is for a whole buffer");
            }
            check_fill(fill, one);
        }
    }
    return members;
}

/// Parses how the elements of an output are compared.
void read_order(const Node& node, ArgumentSpec& argument) {
    const char* what = "\"any\", {\"rows\": 3} or \"race\"";
    if (node.json().is_object()) {
        argument.row = node.object(order_keys).need("rows", what).formula();
    } else if (node.json() != "any" && node.json() != "race") {
        node.expect(what);
    }
    argument.order = node.json() == "race" ? Order::race : Order::any;
    if (!is_compared(argument.role) || argument.image) {
        node.fail("'order' is of a buffer with the use \"output\" or \"in_out\"");
    }
}

/// Two hexadecimal digits per byte.
std::vector<std::byte> read_hex(const Node& node) {
    const char* what = "two hexadecimal digits for each byte of the value, such as \"0000803f\"";
    const std::string text = node.text(what);
    if (text.empty() || text.size() % 2 != 0 || text.size() > 8192) node.expect(what);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        unsigned value = 0;
        const auto read = std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
        if (read.ec != std::errc() || read.ptr != text.data() + i + 2) node.expect(what);
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

/// The addresses within the bytes.
void read_pointers(const Node& list, ArgumentSpec& argument) {
    constexpr std::int64_t address_bytes = 8;
    for (const Node& node : list.list("a list of {\"at\": 0, \"to\": \"ARGUMENT\"}", 1, 512)) {
        node.object(pointer_keys);
        const auto most = static_cast<std::int64_t>(argument.bytes.size()) - address_bytes;
        const char* where = "where the eight bytes of the address begin within 'hex'";
        if (most < 0) node.fail("an address has eight bytes, and 'hex' has fewer");
        auto& one = argument.pointers.emplace_back();
        one.at = static_cast<std::size_t>(node.need("at", where).whole(where, 0, most));
        one.to = node.need("to", "the buffer's name").text("the buffer's name");
        if (const auto offset = node.find("offset"))
            one.offset =
                static_cast<std::uint64_t>(offset->whole("a number of bytes", 0, largest_exact));
    }
}

/// A struct by value.
void read_struct(const Node& node, const Node& members, ArgumentSpec& argument) {
    for (const char* key : {"value", "local", "fill", "use", "hex", "bytes", "same_as"}) {
        if (!node.find(key)) continue;
        node.fail("a struct by value has 'members' with values, and a buffer has 'elements'");
    }
    node.need("name", "the parameter's name");
    argument.members = read_members(members, true, false);
}

/// The one key that says what the argument is.
std::string read_kind(const Node& node) {
    std::string kind;
    for (const char* key : {"value", "hex", "elements", "bytes", "local", "local_bytes", "same_as",
                            "image", "sampler"}) {
        if (!node.find(key)) continue;
        if (!kind.empty()) node.fail(fmt::format("'{}' is next to '{}'; write one", key, kind));
        kind = key;
    }
    if (kind.empty()) {
        node.fail(
            "an argument has one of 'value' (a number), 'elements' (a buffer) and 'local' (local "
            "memory)");
    }
    return kind;
}

/// Refuses what this kind of argument lacks, or has and cannot have.
void check_keys(const Node& node, std::string_view kind, const ArgumentSpec& argument) {
    const bool is_typed = argument.said || node.find("members");
    if ((kind == "image" || kind == "sampler") && argument.said) {
        node.fail("an image has a 'format', and a sampler has no type");
    }
    if (kind == "value" || kind == "elements" || kind == "local") {
        if (argument.name.empty()) node.need("name", "the parameter's name");
        if (!is_typed) node.need("type", "its type, such as \"float\" or \"uint4\"");
    }
    if (kind != "hex" && node.find("pointers")) node.fail("'pointers' are of bytes: of 'hex'");
    const bool is_buffer = kind == "elements" || kind == "bytes" || kind == "image";
    if (!is_buffer && (node.find("fill") || node.find("use") || node.find("after"))) {
        node.fail("'fill', 'use' and 'after' are for buffers, which have 'elements' or 'bytes'");
    }
}

Role read_role(const Node& word) {
    const char* what = "\"input\", \"output\", \"in_out\" or \"scratch\"";
    const std::string use = word.text(what);
    if (use == "input") return Role::input;
    if (use == "output") return Role::output;
    if (use == "in_out") return Role::in_out;
    if (use != "scratch") word.expect(what);
    return Role::scratch;
}

/// Reads a buffer's initial contents.
void read_contents(const Node& node, ArgumentSpec& argument) {
    const auto fill = node.find("fill"), members = node.find("members");
    const auto has_fill = [](const Json& member) { return member.contains("fill"); };
    // Scratch with a content at first gets it before launches.
    if (argument.role == Role::scratch &&
        (fill || (members && std::ranges::any_of(members->json(), has_fill)))) {
        argument.role = Role::state;
    }
    const bool is_loaded = parallax::is_loaded(argument.role);
    if (members) {
        if (fill) node.fail("each of the 'members' has a 'fill' of its own");
        argument.members = read_members(*members, false, is_loaded);
    } else if (fill) {
        argument.fill = read_fill(*fill);
        if (argument.said) {
            check_fill(*fill, argument);
        } else if (argument.fill.kind != InputPattern::Kind::file) {
            fill->fail("what is no file needs to know the argument's 'type'");
        }
        // An output's initial contents can matter only if it is read.
        if (argument.role == Role::output) argument.role = Role::in_out;
    } else if (is_loaded) {
        node.fail(fmt::format("the key 'fill' is missing: what does '{}' hold at first?",
                              printable(argument.name, 60)));
    }
}

void read_buffer(const Node& node, const Node& given, ArgumentSpec& argument) {
    argument.kind = ArgumentSpec::Kind::buffer;
    if (node.find("image")) {
        read_image(given, argument);
    } else {
        argument.count = given.formula();
        argument.counts_bytes = node.find("bytes").has_value();
    }
    if (const auto after = node.find("after")) argument.after = after->file("a file's name");
    const auto use = node.find("use");
    argument.is_role_said = use.has_value();
    argument.role = use ? read_role(*use) : Role::input;
    read_contents(node, argument);
}

void read_given(const Node& node, std::string_view kind, const Node& given,
                ArgumentSpec& argument) {
    if (kind == "local" || kind == "local_bytes") {
        argument.kind = ArgumentSpec::Kind::local;
        argument.count = given.formula();
        argument.counts_bytes = kind == "local_bytes";
    } else if (kind == "same_as") {
        argument.kind = ArgumentSpec::Kind::same;
        argument.same_as = static_cast<std::size_t>(
            given.whole("the place of an argument before, from 0", 0, 199));
    } else if (kind == "hex") {
        argument.bytes = read_hex(given);
        if (const auto pointers = node.find("pointers")) read_pointers(*pointers, argument);
    } else if (kind == "sampler") {
        argument.is_sampler = true;
        const std::uint32_t bits = read_sampler(given).bits();
        argument.bytes.resize(sizeof(bits));
        std::memcpy(argument.bytes.data(), &bits, sizeof(bits));
    } else if (kind == "value") {
        if (argument.said) refuse_bool(node.need("type", "its type"), argument);
        read_values(given, argument);
    } else {
        read_buffer(node, given, argument);
    }
}

}  // namespace

ArgumentSpec read_argument(const Node& node) {
    node.object(argument_keys);
    ArgumentSpec argument;
    argument.path = node.path();
    if (const auto name = node.find("name")) argument.name = name->text("the parameter's name");
    const auto members = node.find("members");
    if (members) {
        argument.struct_name = node.need("type", "the struct's name").name("the struct's name");
    } else if (const auto type = node.find("type")) {
        argument.said = read_type(*type);
        argument.type = *argument.said;
    }
    if (members && !node.find("elements")) {
        read_struct(node, *members, argument);
        return argument;
    }
    const std::string kind = read_kind(node);
    check_keys(node, kind, argument);
    read_given(node, kind, node.need(kind, "it"), argument);
    if (const auto order = node.find("order")) read_order(*order, argument);
    if (const auto only = node.find("only")) {
        argument.only = only->text("\"opencl\" or \"cuda\"");
        if (argument.only != "opencl" && argument.only != "cuda") {
            only->expect("\"opencl\" or \"cuda\"");
        }
        // There is nothing to compare it with.
        if (argument.role == Role::in_out) argument.role = Role::state;
        if (argument.role == Role::output) {
            only->fail(
                "an output of one side alone cannot be compared; give it the use \"scratch\", and "
                "a 'fill' if the kernel expects something in it");
        }
    }
    return argument;
}

}  // namespace parallax::manifest

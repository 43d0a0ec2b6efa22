// Reads the JSON of a manifest, and says where it is not as docs/reference/manifest.md has it.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "records/line.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/model.hpp"
#include "suites/manifest/node.hpp"

namespace parallax::manifest {
namespace {

const Keys variant_keys{"name", "teaches", "source", "cuda", "constants"};
const Keys top_keys{"parallax", "version",   "name",      "question",  "source",
                    "sizes",    "constants", "defines",   "include",   "expand",
                    "variants", "work",      "tolerance", "reference", "check",
                    "teaches",  "options",   "worth",     "cuda"};
const Keys sizes_keys{"names", "timed", "checked"};
const Keys work_keys{"bytes", "operations"};
const Keys tolerance_keys{"ulp", "relative", "absolute"};
const Keys command_keys{"command", "seconds"};
const Keys reference_keys = both(command_keys, {"data", "source", "cuda"});

std::vector<Shape> read_shapes(const Node& node, std::size_t dimensions) {
    constexpr std::size_t most = 32;
    std::vector<Shape> shapes;
    if (node.json().is_array() && node.json().size() > most) {
        node.fail(fmt::format("{} sizes, and {} are the most", node.json().size(), most));
    }
    for (const Node& one : node.list("a list of sizes such as [[1024], [4096]]", 0, most)) {
        Shape& shape = shapes.emplace_back();
        const auto what = fmt::format("a list of {} whole number(s) from 1 on", dimensions);
        for (const Node& extent : one.list(what, dimensions, dimensions)) {
            shape.extents.push_back(
                static_cast<std::uint64_t>(extent.whole(what, 1, largest_exact)));
        }
    }
    return shapes;
}

void read_sizes(const Node& node, Model& model) {
    node.object(sizes_keys);
    const char* example = "one to six names of sizes, such as [\"n\"] or [\"width\", \"height\"]";
    for (const Node& name : node.need("names", example).list(example, 1, 6)) {
        model.dimensions.push_back(name.name("a name of a size"));
    }
    model.timed = read_shapes(node.need("timed", "sizes to be timed, such as [[1048576]]"),
                              model.dimensions.size());
    if (model.timed.empty()) node.fail("'timed' is empty; write one size at least");
    std::ranges::stable_sort(model.timed, {}, [](const Shape& shape) {
        double product = 1;
        for (const std::uint64_t extent : shape.extents) product *= static_cast<double>(extent);
        return product;
    });
    if (const auto checked = node.find("checked")) {
        model.checked = read_shapes(*checked, model.dimensions.size());
    }
}

/// Finds null values, which --init could not infer, with their questions.
void find_nulls(const Json& json, const std::string& path, std::vector<std::string>& found) {
    std::string name;
    if (json.is_object() && json.contains("name") && json["name"].is_string()) {
        name = fmt::format(" of '{}'", printable(json["name"].get<std::string>(), 60));
    }
    for (const auto& [key, value] : json.items()) {
        const std::string place =
            json.is_array() ? fmt::format("{}[{}]", path, key) : fmt::format("{}.{}", path, key);
        if (value.is_structured()) {
            find_nulls(value, place, found);
        } else if (value.is_null() && json.is_array()) {
            found.push_back(fmt::format("{} is null, since it is not known yet", place));
        } else if (value.is_null()) {
            std::string question;
            if (json.is_object() && json.contains("ask") && json["ask"].is_string()) {
                question = ": " + printable(json["ask"].get<std::string>(), 300);
                while (question.ends_with('.')) question.pop_back();
            }
            found.push_back(fmt::format("{}: '{}'{} is null, since it is not known yet{}", path,
                                        printable(key, 60), name, question));
        }
    }
}

/// Parses values of constants for `parallax tune`.
void read_worth(const Node& node, Model& model) {
    constexpr std::size_t most = 100;
    for (const auto& [name, list] : node.members("an object such as {\"ITEMS\": [1, 2, 4]}")) {
        if (std::ranges::find(model.constants, name, &Constant::name) == model.constants.end()) {
            list.fail(fmt::format("'{}' is none of the manifest's constants", printable(name, 60)));
        }
        if (model.following.contains(name)) {
            list.fail(fmt::format("'{}' follows from the size", name));
        }
        const char* what = "a list of whole numbers such as [1, 2, 4]";
        for (const Node& one : list.list(what, 1, most)) {
            model.tuning_values[name].push_back(one.whole(what, -largest_exact, largest_exact));
        }
    }
}

Tolerance read_tolerance(const Node& node) {
    const char* what =
        "\"bits\", \"equal\", {\"ulp\": 2} or {\"relative\": 1e-5, \"absolute\": 1e-7}";
    if (node.json() == "bits") return Tolerance::bits();
    if (node.json() == "equal") return Tolerance::exact();
    if (!node.json().is_object() || node.json().empty()) node.expect(what);
    node.object(tolerance_keys);
    const auto share = [&](const char* key) {
        const auto value = node.find(key);
        if (!value) return 0.0;
        const double number = value->number("a number from 0 on");
        if (number < 0) value->expect("a number from 0 on");
        return number;
    };
    if (node.find("ulp")) {
        if (node.json().size() > 1) node.expect(what);
        return Tolerance::within_ulp(share("ulp"));
    }
    Tolerance made = Tolerance::difference(share("relative"), share("absolute"));
    // Integers are not rounded, so a relative error does not apply to them.
    made.integers_equal = made.absolute < 1;
    return made;
}

void read_reference(const Node& node, Model& model, const SourceNames& sources) {
    if (const auto data = node.find("data")) {
        node.object({"data"});
        for (const auto& [name, file] : data->members("files by buffer: {\"y\": \"y.bin\"}")) {
            model.data[name] = file.file("a file's name");
        }
        if (model.data.empty()) data->expect("files by buffer: {\"y\": \"y.bin\"}");
        return;
    }
    if (const auto command = node.find("command")) {
        node.object(command_keys);
        const char* what = "a list of words such as [\"python3\", \"reference.py\"]";
        for (const Node& word : command->list(what, 1, 100)) {
            model.command.push_back(word.file(what));
        }
        if (const auto seconds = node.find("seconds")) {
            model.command_seconds = seconds->whole("a whole number from 1 to 3600", 1, 3600);
        }
        return;
    }
    node.object(both({"source", "cuda"}, kernel_keys));
    model.reference = read_kernel(node, sources_of(node, sources));
    const auto offset_of = [](const KernelSource& text) {
        std::vector<std::uint64_t> offset = text.launches.front().offset;
        offset.resize(3);
        return offset;
    };
    if (offset_of(*model.reference) != offset_of(model.variants.front())) {
        node.fail(
            "its 'offset' is not the kernel's, and the texts of both say one; write the same");
    }
}

void read_variants(const Node& top, Model& model, const SourceNames& sources) {
    const auto variants = top.find("variants");
    if (!variants) {
        KernelSource& only = model.variants.emplace_back(read_kernel(top, sources));
        if (const auto description = top.find("teaches"))
            only.description = description->sentence();
        return;
    }
    if (top.find("teaches")) top.fail("'teaches' is next to 'variants'; write it in each of them");
    for (const Node& own : variants->list("a list of one object or more", 1, 100)) {
        own.object(both(variant_keys, kernel_keys));
        const Node node = own.with_shared(top);
        KernelSource text = read_kernel(node, sources_of(node, sources));
        if (const auto name = node.find("name")) text.name = name->name("the variant's name");
        if (const auto description = node.find("teaches"))
            text.description = description->sentence();
        if (const auto constants = node.find("constants")) {
            text.constants = read_constants(*constants, nullptr);
            if (text.cuda) text.cuda->constants = text.constants;
            for (const Constant& constant : text.constants) {
                if (std::ranges::find(model.constants, constant.name, &Constant::name) ==
                    model.constants.end()) {
                    constants->fail(
                        fmt::format("'{}' is none of the manifest's constants", constant.name));
                }
                if (model.following.contains(constant.name)) {
                    constants->fail(fmt::format("'{}' follows from the size", constant.name));
                }
            }
        }
        if (std::ranges::find(model.variants, text.name, &KernelSource::name) !=
            model.variants.end()) {
            node.fail(fmt::format("a second variant '{}'; give each a name of its own", text.name));
        }
        model.variants.push_back(std::move(text));
    }
}

/// Constants that a CUDA source has other values of are the manifest's.
void check_own_constants(const Node& top, const Model& model) {
    for (const KernelSource& text : model.variants) {
        const KernelSource& side = text.cuda ? *text.cuda : text;
        for (const Constant& one : side.own_constants) {
            if (std::ranges::find(model.constants, one.name, &Constant::name) !=
                model.constants.end()) {
                continue;
            }
            top.fail(
                fmt::format("'{}' under 'cuda' is none of the manifest's constants", one.name));
        }
    }
}

void check_names(const Node& top, const Model& model) {
    std::set<std::string> names;
    for (const char* word : {"items", "groups"}) {
        for (const char axis : {'x', 'y', 'z'}) names.insert(fmt::format("{}_{}", word, axis));
    }
    const auto add = [&](const std::string& name) {
        if (!names.insert(name).second) {
            top.fail(fmt::format("the name '{}' has two meanings in formulas", name));
        }
    };
    for (const std::string& name : model.dimensions) add(name);
    for (const Constant& constant : model.constants) add(constant.name);
}

}  // namespace

std::vector<Constant> read_constants(const Node& node,
                                     std::map<std::string, std::string>* following) {
    std::vector<Constant> constants;
    for (const auto& [name, value] : node.members("an object such as {\"ITEMS\": 4}")) {
        if (!is_formula_name(name)) value.fail("that is no name; write letters, digits and _");
        if (following && value.json().is_string()) {
            (*following)[name] = value.formula();
            constants.push_back({name, 0});
            continue;
        }
        constants.push_back(
            {name, value.whole("a whole number, from -2^53 to 2^53, or a formula of "
                               "the size; other texts belong under 'defines'",
                               -largest_exact, largest_exact)});
    }
    return constants;
}

std::string Model::complaint(std::string_view path, std::string_view what) const {
    // A value of the file may contain line ends, and could imitate the program's messages.
    return fmt::format("{}: {}: {}{}", printable(file), printable(path), printable(what),
                       what.ends_with('?') ? "" : ".");
}

void Model::fail(std::string_view path, std::string_view what) const {
    throw UsageError(complaint(path, what));
}

std::string Model::resolved(const std::string& type) const {
    const auto found = std::ranges::find(defines, type, &Define::name);
    return found == defines.end() ? type : found->value;
}

std::filesystem::path Model::place_of(std::string_view path, const std::string& file_name) const {
    std::filesystem::path place = folder / file_name;
    try {
        reach.check(place);
    } catch (const Error& error) {
        fail(path, error.what());
    }
    return place;
}

std::vector<std::string> Model::include_folders() const {
    std::vector<std::string> folders;
    for (const std::string& one : include) {
        folders.push_back(place_of("$.include", one).string());
    }
    return folders;
}

const std::vector<std::string>& all_keys() {
    static const Keys keys = [] {
        std::set<std::string> set;
        for (const Keys* some : {&kernel_keys, &variant_keys, &top_keys, &sizes_keys, &work_keys,
                                 &argument_keys, &image_keys, &sampler_keys, &fill_keys,
                                 &order_keys, &tolerance_keys, &reference_keys}) {
            set.insert(some->begin(), some->end());
        }
        return Keys(set.begin(), set.end());
    }();
    return keys;
}

Model read_model(const std::string& file, std::string_view text,
                 const std::vector<std::filesystem::path>& allowed) {
    Model model;
    model.file = file;
    model.folder = std::filesystem::path(file).parent_path();
    std::vector<std::filesystem::path> open = allowed;
    open.push_back(model.folder);
    model.reach = PathSandbox(open);
    const ParsedLine parsed = parse_line(without_mark(std::string(text)));
    if (!parsed.problem.empty()) {
        throw UsageError(fmt::format(
            "{}: no JSON that can be read: {}.",
            parsed.line > 0 ? fmt::format("{}:{}", file, parsed.line) : file, parsed.problem));
    }
    const Node top(model, parsed.json, "$");
    if (!parsed.json.is_object() || !parsed.json.contains("parallax") ||
        parsed.json["parallax"] != "manifest") {
        throw UsageError(fmt::format(
            "{} is no manifest: it does not begin with {{\"parallax\": \"manifest\", \"version\": "
            "1, ... 'parallax port FILE.cl --init' writes a first one. (Files of results end with "
            ".jsonl.)",
            file));
    }
    std::vector<std::string> nulls;
    find_nulls(parsed.json, "$", nulls);
    if (!nulls.empty()) {
        throw UsageError(fmt::format("{}: {}; write {} there.", file, fmt::join(nulls, ";\n  "),
                                     nulls.size() == 1 ? "it" : "them"));
    }
    top.object(both(top_keys, kernel_keys));
    top.need("version", "1").whole("1: this program knows no other version", 1, 1);
    model.name = top.need("name", "a name for it").text("a name");
    const bool plain = std::ranges::all_of(model.name, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
    });
    if (model.name.empty() || model.name.size() > 220 || !plain) {
        top.need("name", "").expect("a name of at most 220 letters, digits, _, - and .");
    }
    if (const auto question = top.find("question")) model.question = question->sentence();
    const SourceNames sources = sources_of(top, {});
    read_sizes(top.need("sizes", "an object with names, timed, checked"), model);
    if (const auto constants = top.find("constants")) {
        model.constants = read_constants(*constants, &model.following);
    }
    if (const auto tuning_values = top.find("worth")) read_worth(*tuning_values, model);
    if (const auto defines = top.find("defines")) {
        model.defines = read_defines(*defines);
    }
    if (const auto include = top.find("include")) {
        for (const Node& one : include->list("a list of folders", 0, 20)) {
            model.include.push_back(one.file("a folder"));
        }
    }
    if (const auto expand = top.find("expand")) {
        if (!expand->json().is_boolean()) expand->expect("true or false");
        model.expand = expand->json().get<bool>();
    }
    if (const auto options = top.find("options")) read_options(*options, model);
    if (const auto check = top.find("check")) {
        for (const Node& one : check->list("a list of sentences, or no 'check' at all", 0, 200)) {
            model.check.push_back(one.sentence());
        }
    }
    check_names(top, model);
    read_variants(top, model, sources);
    check_own_constants(top, model);
    add_index_macros(top, model);
    if (const auto work = top.find("work")) {
        work->object(work_keys);
        if (const auto bytes = work->find("bytes")) model.bytes = bytes->formula();
        if (const auto operations = work->find("operations")) {
            model.operations = operations->formula();
        }
    }
    if (const auto tolerance = top.find("tolerance")) model.tolerance = read_tolerance(*tolerance);
    if (const auto reference = top.find("reference")) read_reference(*reference, model, sources);
    return model;
}

}  // namespace parallax::manifest

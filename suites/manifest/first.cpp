// A first manifest for a kernel file, guessed from the parameters of its kernels.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "mapping/translate/translate.hpp"
#include "records/line.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/model.hpp"

namespace parallax {
namespace {

std::string lower(std::string_view word) {
    std::string text(word);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& words) {
    return std::ranges::find(words, lower(name)) != words.end();
}

/// What counts all elements, or those of a row.
constexpr std::array<std::string_view, 22> size_words{
    "n",     "nn",    "len",     "length",       "size",        "sz",         "count", "num",
    "total", "width", "w",       "cols",         "nx",          "ncols",      "items", "elements",
    "limit", "end",   "n_items", "num_elements", "numelements", "vector_size"};
/// What counts rows, where there is something that counts columns.
constexpr std::array<std::string_view, 8> row_words{"height", "h",  "rows",  "ny",
                                                    "nrows",  "nz", "depth", "slices"};

class Guess {
public:
    Guess(std::string_view file, std::string_view source, std::span<const Define> defines)
        : file_(file),
          defines_(defines),
          kernels_(signatures(file, source,
                              TranslateOptions{.defines = {defines.begin(), defines.end()}})) {}

    std::string json() {
        Json variants = Json::array();
        for (const Signature& kernel : kernels_) {
            if (Json one = variant(kernel); !one.is_null()) variants.push_back(std::move(one));
        }
        if (variants.empty()) {
            throw UsageError(fmt::format(
                "{} has no kernel that a manifest can launch. A manifest launches a __kernel whose "
                "parameters are numbers, vectors, and pointers to them. {}",
                file_, fmt::join(notes_, " ")));
        }
        for (Json& one : variants) {
            if (bounded_) {
                one["groups"] = {"ceil(n / 256)"};
            } else {
                one["global"] = {"n"};
            }
        }
        Json sizes{{"names", {"n"}}, {"timed", {{1048576}}}};
        sizes["checked"] = bounded_ ? Json{{64}, {1000}, {4099}} : Json{{256}, {4096}};
        Json json{{"parallax", "manifest"}, {"version", 1},
                  {"name", name()},         {"question", "Is it the same through OpenCL and CUDA?"},
                  {"source", file_},        {"sizes", sizes}};
        for (const Define& define : defines_) json["defines"][define.name] = define.value;
        json["variants"] = std::move(variants);
        json["work"] = {{"bytes", fmt::format("{} * n", most_bytes_)}, {"operations", 0}};
        json["tolerance"] =
            floating_ ? Json{{"relative", 1e-5}, {"absolute", 1e-6}} : Json("equal");
        note(
            "The size n stands for the elements of every buffer: give other sizes names of their "
            "own under 'sizes', and write formulas over them.");
        note(bounded_ ? "Groups have 256 work-items in one dimension, and their number is rounded "
                        "up: the kernel has to check its bounds."
                      : "A kernel takes no size, so it cannot check bounds: all sizes are whole "
                        "groups of 256 work-items.");
        note(
            "The tolerance, and 'bytes' and 'operations' of the work, follow from nothing: write "
            "what is right for the kernel.");
        note(
            "There is no reference: devices are compared with each other, which proves "
            "agreement, not truth. 'reference' takes a simple kernel or a file.");
        json["check"] = notes_;
        return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    }

private:
    void note(std::string sentence) {
        if (std::ranges::find(notes_, sentence) == notes_.end()) {
            notes_.push_back(std::move(sentence));
        }
    }

    std::string name() const {
        std::string stem = std::filesystem::path(file_).stem().string();
        for (char& c : stem) {
            if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
        }
        stem.resize(std::min<std::size_t>(stem.size(), 50));
        if (stem.empty()) stem = "kernel";
        const bool taken =
            std::ranges::any_of(suites(), [&](const Suite& own) { return own.name == stem; });
        return taken ? stem + "_own" : stem;
    }

    std::optional<ValueType> type_of(const Parameter& parameter) const {
        std::string type = parameter.type;
        for (const Define& define : defines_) {
            if (define.name == type) type = define.value;
        }
        const auto known = value_type_named(type);
        if (!known || !element_type_named(known->element)) return {};
        return known;
    }

    Json variant(const Signature& kernel) {
        for (const Parameter& parameter : kernel.parameters) {
            if (type_of(parameter)) continue;
            note(
                fmt::format("The kernel '{}' is left out: a manifest cannot make its parameter "
                            "'{}', of type {}.",
                            kernel.kernel, parameter.name, parameter.type));
            return nullptr;
        }
        const bool compared = std::ranges::any_of(kernel.parameters, [](const Parameter& p) {
            return p.kind == Parameter::Kind::global && !p.read_only;
        });
        if (!compared) {
            note(fmt::format("The kernel '{}' is left out: it has no buffer that it could write.",
                             kernel.kernel));
            return nullptr;
        }
        const bool has_width = std::ranges::any_of(kernel.parameters, is_size);
        bool bounded = false;
        std::uint64_t bytes = 0;
        Json arguments = Json::array();
        for (const Parameter& parameter : kernel.parameters) {
            arguments.push_back(argument(kernel, parameter, has_width, bounded, bytes));
        }
        bounded_ = bounded_ && bounded;
        most_bytes_ = std::max(most_bytes_, bytes);
        return {{"name", kernel.kernel},
                {"teaches", ""},
                {"kernel", kernel.kernel},
                {"arguments", std::move(arguments)},
                {"items", {256}}};
    }

    static bool is_size(const Parameter& parameter) {
        return parameter.kind == Parameter::Kind::scalar && is_one_of(parameter.name, size_words);
    }

    Json argument(const Signature& kernel, const Parameter& parameter, bool has_width,
                  bool& bounded, std::uint64_t& bytes) {
        const ValueType type = *type_of(parameter);
        const ElementType element = manifest::scalar_type(type);
        const std::string of = fmt::format("'{}' of '{}'", parameter.name, kernel.kernel);
        Json json{{"name", parameter.name}, {"type", name_of(type)}};
        if (parameter.kind == Parameter::Kind::local) {
            json["local"] = "items_x";
            note(fmt::format("{} has one element for each work-item of a group.", of));
            return json;
        }
        if (parameter.kind == Parameter::Kind::scalar) {
            json["value"] = value(parameter, type, element, has_width, bounded, of);
            return json;
        }
        const bool input = parameter.read_only || parameter.kind == Parameter::Kind::constant;
        bytes += manifest::slots(type) * size_of(element) * (input ? 1 : 2);
        json["elements"] = "n";
        if (!input) {
            floating_ = floating_ || is_floating(element);
            json["fill"] = "zeros";
            json["use"] = "in_out";
            note(
                fmt::format("{} is in_out and holds zeros at first, since it does not point to "
                            "const: \"output\" without 'fill' is right for what is only written.",
                            of));
            return json;
        }
        json["fill"] = is_floating(element) ? Json("random") : Json{{"random", {0, 16}}};
        note(fmt::format("{} holds random numbers{}.", of,
                         is_floating(element) ? " from 0 up to 1" : " from 0 to 15"));
        return json;
    }

    Json value(const Parameter& parameter, ValueType type, ElementType element, bool has_width,
               bool& bounded, const std::string& of) {
        if (type.is_vector()) {
            note(fmt::format("{} is a vector of ones.", of));
            return std::vector<int>(type.width, 1);
        }
        const bool rows = is_one_of(parameter.name, row_words);
        if (!is_floating(element) && size_of(element) >= 4 && (is_size(parameter) || rows)) {
            if (rows && has_width) {
                note(fmt::format("{} is 1: with one row, n elements are enough.", of));
                return 1;
            }
            bounded = true;
            note(fmt::format("{} is the size n, by its name.", of));
            return "n";
        }
        note(fmt::format("{} is 2, which stands for nothing.", of));
        return 2;
    }

    std::string file_;
    std::span<const Define> defines_;
    std::vector<Signature> kernels_;
    std::vector<std::string> notes_;
    bool bounded_ = true, floating_ = false;
    std::uint64_t most_bytes_ = 0;
};

}  // namespace

std::string first_manifest(std::string_view file, std::string_view source,
                           std::span<const Define> defines) {
    return Guess(file, source, defines).json();
}

}  // namespace parallax

// A position in the JSON of a manifest, with validated access.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "records/line.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/model.hpp"

namespace parallax::manifest {

using Keys = std::vector<std::string>;

inline const Keys argument_keys{"name",    "type",  "value", "elements", "local", "fill",
                                "members", "use",   "ask",   "hex",      "bytes", "local_bytes",
                                "same_as", "after", "image", "sampler",  "order", "only",
                                "pointers"};
inline const Keys pointer_keys{"at", "to", "offset"};
inline const Keys order_keys{"rows"};
inline const Keys image_keys{"width", "height", "depth", "layers", "channels", "format", "sampler"};
inline const Keys sampler_keys{"normalized", "address", "filter"};
inline const Keys fill_keys{"random",  "sorted",      "value",       "file",
                            "formula", "csr_offsets", "csr_columns", "special"};

inline Keys both(Keys a, const Keys& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline const Keys launch_keys{"kernel", "arguments", "items", "groups", "global", "cooperative"};
inline const Keys kernel_keys = both(launch_keys, {"offset", "launches"});

/// A value of the JSON and its position.
class Node {
public:
    Node(const Model& model, const Json& json, std::string path)
        : model_(&model), json_(&json), path_(std::move(path)) {}

    const std::string& path() const { return path_; }
    const Json& json() const { return *json_; }
    const Model& model() const { return *model_; }
    bool is(Json::value_t type) const { return json_->type() == type; }

    [[noreturn]] void fail(std::string_view what) const { model_->fail(path_, what); }
    [[noreturn]] void expect(std::string_view what) const {
        fail(fmt::format("found {}; write {}",
                         printable(json_->dump(-1, ' ', false, Json::error_handler_t::replace), 60),
                         what));
    }

    /// @throws UsageError when it is no object, or has an unknown key
    const Node& object(const Keys& keys) const {
        if (!json_->is_object()) expect(fmt::format("an object with {}", fmt::join(keys, ", ")));
        for (const auto& [key, value] : json_->items()) {
            if (std::ranges::find(keys, key) != keys.end()) continue;
            fail(fmt::format("the key '{}' is not known.{} There are {}", printable(key, 60),
                             did_you_mean(key, keys), fmt::join(keys, ", ")));
        }
        return *this;
    }
    std::optional<Node> find(const std::string& key) const {
        const auto found = json_->find(key);
        if (found != json_->end()) return Node(*model_, *found, path_ + "." + key);
        return shared_ && is_shared(key) ? Node(*model_, *shared_, shared_path_).find(key)
                                         : std::nullopt;
    }
    /// The same, a kernel that shares the keys that it lacks with other ones.
    Node with_shared(const Node& all) const {
        Node made = *this;
        made.shared_ = all.json_;
        made.shared_path_ = all.path_;
        return made;
    }
    Node need(const std::string& key, std::string_view what) const {
        if (auto node = find(key)) return *node;
        fail(fmt::format("the key '{}' is missing; write {}", key, what));
    }
    std::vector<Node> list(std::string_view what, std::size_t least, std::size_t most) const {
        if (!json_->is_array() || json_->size() < least || json_->size() > most) expect(what);
        std::vector<Node> nodes;
        for (std::size_t i = 0; i < json_->size(); ++i) {
            nodes.emplace_back(*model_, (*json_)[i], fmt::format("{}[{}]", path_, i));
        }
        return nodes;
    }
    std::vector<std::pair<std::string, Node>> members(std::string_view what) const {
        if (!json_->is_object()) expect(what);
        std::vector<std::pair<std::string, Node>> nodes;
        for (const auto& [key, value] : json_->items()) {
            nodes.emplace_back(key, Node(*model_, value, path_ + "." + printable(key, 60)));
        }
        return nodes;
    }
    std::string text(std::string_view what) const {
        if (!json_->is_string()) expect(what);
        return json_->get<std::string>();
    }
    /// A text for display: always one line.
    std::string sentence() const { return printable(text("a sentence")); }
    std::string name(std::string_view what) const {
        std::string word = text(what);
        if (!is_formula_name(word)) expect(fmt::format("{}: letters, digits and _", what));
        return word;
    }
    /// A kernel's name, which in C++ may be an expression such as `ns::scale<float, 4>`.
    std::string name_expression() const {
        std::string word = text("the kernel's name");
        const auto fits = [](char c) {
            constexpr std::string_view marks = "_:<>(), *&+-.[]$";
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || marks.find(c) != marks.npos;
        };
        if (word.empty() || word.size() > 4096 || !std::ranges::all_of(word, fits)) {
            expect("a kernel's name, or a name expression such as \"scale<float, 4>\"");
        }
        return word;
    }
    std::string file(std::string_view what) const {
        std::string word = text(what);
        if (word.empty() || word.find('\0') != std::string::npos) expect(what);
        return word;
    }
    double number(std::string_view what) const {
        if (!json_->is_number() || !std::isfinite(json_->get<double>())) expect(what);
        return json_->get<double>();
    }
    /// A formula: a string, or a number.
    std::string formula() const {
        if (json_->is_number()) return fmt::format("{:.17g}", number("a number"));
        return text("a formula such as \"ceil(n / 256)\", or a number");
    }
    std::int64_t whole(std::string_view what, std::int64_t least, std::int64_t most) const {
        if (!json_->is_number_integer() ||
            (json_->is_number_unsigned() &&
             json_->get<std::uint64_t>() > static_cast<std::uint64_t>(most))) {
            expect(what);
        }
        const auto value = json_->get<std::int64_t>();
        if (value < least || value > most) expect(what);
        return value;
    }

private:
    bool is_shared(const std::string& key) const {
        if (std::ranges::find(kernel_keys, key) == kernel_keys.end()) return false;
        if (json_->contains("launches")) return key == "arguments";
        if (key == "launches") return !json_->contains("kernel");
        return !(key == "groups" && json_->contains("global")) &&
               !(key == "global" && json_->contains("groups"));
    }

    const Model* model_;
    const Json* json_;
    std::string path_;
    const Json* shared_ = nullptr;
    std::string shared_path_ = {};
};

/// Parses an argument with all its parts. @throws UsageError with the position
ArgumentSpec read_argument(const Node&);

/// The files of a kernel.
struct SourceNames {
    std::string opencl;             ///< file name; empty: none
    std::optional<Node> cuda = {};  ///< the value of the key `cuda`
};
/// A kernel's own keys `source` and `cuda`, or else the manifest's.
/// @throws UsageError with the position
SourceNames sources_of(const Node&, const SourceNames& of_manifest);

/// Parses a kernel, or successive ones, with their arguments and sources; one with `cuda` alone is
/// a kernel in CUDA. @throws UsageError with the position
KernelSource read_kernel(const Node&, const SourceNames&);

/// Parses NVRTC's options, as nvcc takes them. @throws UsageError with the position
void read_cuda_options(const Node&, KernelSource&);
/// Parses constants and their values. @throws UsageError with the position
/// @param following  receives the formulas that depend on the size; null: not allowed
std::vector<Constant> read_constants(const Node&, std::map<std::string, std::string>* following);

/// Parses an image. @throws UsageError with the position, also for one that no device supports
void read_image(const Node&, ArgumentSpec&);
/// @throws UsageError with the position
Sampler read_sampler(const Node&);

/// Parses the host program's compiler options: macros, folders, float rules.
/// @throws UsageError with the position
void read_options(const Node&, Model&);
/// An object of macros.
std::vector<Define> read_defines(const Node&);

/// CUDA's launches begin at 0 and do not know their dimensions: the source defines them for both
/// APIs.
void add_index_macros(const Node& top, Model&);

}  // namespace parallax::manifest

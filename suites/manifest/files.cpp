// Reads the files of a manifest: kernel sources with includes, and raw data.
#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/profile.hpp"
#include "common/text/characters.hpp"
#include "common/text/comments.hpp"
#include "common/text/hash.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand.hpp"
#include "mapping/preprocess/includes.hpp"
#include "mapping/preprocess/macro_growth.hpp"
#include "suites/manifest/model.hpp"
#include "suites/manifest/unpack.hpp"

namespace parallax::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_text = std::uint64_t{4} << 20;
/// Libraries have modules of many megabytes.
constexpr std::uint64_t most_machine_code = std::uint64_t{256} << 20;

constexpr std::string_view relaxed_macro = "__FAST_RELAXED_MATH__";

/// Whether the manifest defines or undefines the macro.
bool is_said(const Model& model, std::string_view macro) {
    const auto& gone = model.options->undefined;
    return std::ranges::find(model.defines, macro, &Define::name) != model.defines.end() ||
           std::ranges::find(gone, macro) != gone.end();
}

/// Rejects a condition on a constant, whose value is not known during preprocessing.
void check_conditions(const Model& model, std::string_view text) {
    for (const DirectiveLine& one : directives_of(text).all) {
        if (one.name != "if" && one.name != "elif") continue;
        for (const Constant& constant : model.constants) {
            for (std::size_t at = 0; (at = one.rest.find(constant.name, at)) != one.rest.npos;
                 at += constant.name.size()) {
                const auto is_word = [&](std::size_t i) {
                    return i < one.rest.size() && is_word_character(one.rest[i]);
                };
                if ((at > 0 && is_word(at - 1)) || is_word(at + constant.name.size())) continue;
                std::string_view before = trimmed(std::string_view(one.rest).substr(0, at));
                if (before.ends_with('(')) before = trimmed(before.substr(0, before.size() - 1));
                if (before.ends_with("defined")) continue;
                throw Refused(
                    fmt::format("line {}: '#{} {}' asks for the constant '{}', and with 'expand' "
                                "conditions are "
                                "decided before constants are; write it under 'defines'",
                                one.line, one.name, printable(one.rest, 60), constant.name));
            }
        }
    }
}

/// Replaces control characters in comments by blanks, as the program's compiler ignored them.
void clean_comments(std::string& text) {
    for_comments(text, [](std::span<char> comment) {
        std::ranges::replace_if(
            comment,
            [](char c) {
                const auto byte = static_cast<unsigned char>(c);
                return (byte < 0x20 && c != '\n' && c != '\r') || byte == 0x7f;
            },
            ' ');
    });
}

/// The files' location is not part of the source: it is the same on every machine.
std::string without_folder(const Model& model, std::string text) {
    const std::string here = (model.folder / "").string();
    for (std::size_t at = 0; !here.empty() && (at = text.find('"' + here, at)) != text.npos;) {
        text.erase(at + 1, here.size());
    }
    return text;
}

/// With what the text includes by name; as it is where a macro names a file, which a compiler
/// finds.
std::string included_where_named(const Model& model, const std::string& file,
                                 const std::string& text) {
    try {
        return with_includes(file, text, model.include_folders(), model.reach).text;
    } catch (const Refused&) {
        return text;
    }
}

/// @param whole  the path of the file that the manifest names
std::string text_of(const Model& model, const std::string& file, const std::string& whole) {
    const auto own = model.texts.find(file);
    return own == model.texts.end() ? read_file(whole, most_text) : own->second;
}

}  // namespace

bool mentions(const Model& model, const KernelSource& side, std::string_view word) {
    try {
        const std::string whole = model.place_of(side.path + ".source", side.source).string();
        const std::string text = text_of(model, side.source, whole);
        return has_word(with_includes(whole, text, model.include_folders(), model.reach).text,
                        word);
    } catch (const Refused&) {
        return true;
    } catch (const Error&) {
        return false;
    }
}

WrittenSource read_written(const Model& model, const KernelSource& side) {
    const std::string whole = model.place_of(side.path + ".source", side.source).string();
    std::string text = without_mark(text_of(model, side.source, whole));
    clean_comments(text);
    return {.source = without_folder(model, included_where_named(model, whole, text)),
            .defines = model.defines,
            .undefined = model.options.value_or(BuildOptions{}).undefined};
}

std::string read_source(const Model& model, std::string_view path, const std::string& file) {
    const std::string whole = model.place_of(path, file).string();
    const std::vector<std::string> folders = model.include_folders();
    if (whole.ends_with(".cu") || whole.ends_with(".cuh")) {
        model.fail(path,
                   fmt::format("{} is CUDA by its name, and 'source' is OpenCL C; write it as "
                               "'cuda'",
                               whole));
    }
    std::string text;
    try {
        text = without_mark(text_of(model, file, whole));
        clean_comments(text);
        // The preprocessor evaluates conditions itself. A constant remains a word of the source,
        // and counts as defined: its value is passed to the compilers.
        std::vector<Define> known = model.defines;
        if (model.expand) {
            for (const Constant& one : model.constants) known.push_back({one.name, one.name});
            if (model.options && model.options->floats.relaxed && !is_said(model, relaxed_macro)) {
                known.push_back({std::string(relaxed_macro), "1"});
            }
            check_conditions(model, included_where_named(model, whole, text));
        }
        const BuildOptions options = model.options.value_or(BuildOptions{});
        text = model.expand ? expanded(whole, text, known, folders, model.reach, options.undefined)
                            : with_includes(whole, text, folders, model.reach).text;
        if (!model.expand) check_macro_growth(whole, text, model.defines);
    } catch (const Error& error) {
        // The manifest's own keys replace command-line options in the message.
        std::string said = error.what();
        for (const auto& [option, key] :
             {std::pair{"with -I FOLDER", "under 'include'"}, {"with --expand", "with 'expand'"}}) {
            for (std::size_t at = 0; (at = said.find(option, at)) != said.npos;) {
                said.replace(at, std::string_view(option).size(), key);
            }
        }
        model.fail(path, said);
    }
    return without_folder(model, std::move(text));
}

std::string read_cuda(const Model& model, const KernelSource& side) {
    const std::string& path = side.path;
    const std::string whole = model.place_of(path, side.source).string();
    if (whole.ends_with(".cl")) {
        model.fail(path, fmt::format("{} is OpenCL C by its name; write it as 'source'", whole));
    }
    try {
        constexpr std::uint64_t most_code = std::uint64_t{256} << 20;
        if (side.language == Language::cubin) return read_file(whole, most_code);
        std::string text = without_mark(text_of(model, side.source, whole));
        if (side.language == Language::ptx) return text;
        text = with_includes(whole, text, model.include_folders(), model.reach, true).text;
        return without_folder(model, device_code(whole, text, model.defines));
    } catch (const Error& error) {
        model.fail(path, error.what());
    }
}

namespace {

/// Caches unpacked contents while they are used: many launches of a captured program share the same
/// gigabytes, read-only.
class Unpacked {
public:
    std::shared_ptr<std::byte[]> get(const fs::path& file, std::uint64_t bytes) {
        const std::shared_ptr<Content> content = content_of(file, bytes);
        const std::scoped_lock lock(content->reading);
        std::shared_ptr<std::byte[]> known = content->bytes.lock();
        if (known) return known;
        const InPhase phase(Phase::inputs, "unpacking");
        known = std::make_unique_for_overwrite<std::byte[]>(bytes);
        unpack(file, {known.get(), bytes});
        check_content(file, {known.get(), bytes});
        content->bytes = known;
        return known;
    }

private:
    /// A capture's files are named by their hash.
    static void check_content(const fs::path& file, std::span<const std::byte> bytes) {
        const std::string name = file.stem().string();
        if (!is_hash(name)) return;
        Hasher hasher;
        hasher.add(bytes);
        if (hasher.digits() == name) return;
        throw Error("is damaged: what it holds is not what it is named by");
    }
    struct Content {
        std::mutex reading;
        std::weak_ptr<std::byte[]> bytes;
    };
    std::shared_ptr<Content> content_of(const fs::path& file, std::uint64_t bytes) {
        const std::scoped_lock lock(mutex_);
        std::shared_ptr<Content>& content = contents_[{file, bytes}];
        if (!content) content = std::make_shared<Content>();
        return content;
    }

    std::mutex mutex_;
    std::map<std::pair<fs::path, std::uint64_t>, std::shared_ptr<Content>> contents_;
};

HostArray elements_of(const fs::path& file, ElementType type, std::uint64_t elements) {
    if (file.extension() == ".zst") {
        static Unpacked unpacked;
        try {
            return {type, elements, unpacked.get(file, elements * size_of(type))};
        } catch (const Error& error) {
            throw BadContent(fmt::format("{} {}", file.string(), error.what()));
        }
    }
    HostArray array(type, elements);
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(file, error);
    if (error) throw BadContent(fmt::format("the file {} cannot be read", file.string()));
    if (bytes != array.bytes().size()) {
        throw BadContent(fmt::format(
            "{} has {} bytes, and {} elements of {} are {}; leave out sizes that it is not for",
            file.string(), bytes, elements, name_of(type), array.bytes().size()));
    }
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(array.bytes().data()), static_cast<std::streamsize>(bytes));
    if (!in) throw BadContent(fmt::format("the file {} cannot be read", file.string()));
    return array;
}

}  // namespace

HostArray read_elements(const Model& model, std::string_view path, const std::string& file,
                        ElementType type, std::uint64_t elements) {
    try {
        return elements_of(model.place_of(path, file), type, elements);
    } catch (const BadContent& error) {
        if (!model.is_captured) model.fail(path, error.what());
        throw BadContent(model.complaint(path, error.what()));
    } catch (const UsageError& error) {
        if (!model.is_captured) throw;
        throw BadContent(error.what());
    }
}

}  // namespace parallax::manifest

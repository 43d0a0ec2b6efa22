// The files that a manifest names: kernel texts with what they include, and raw data.
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/read_file.hpp"
#include "common/text.hpp"
#include "mapping/translate/directives.hpp"
#include "mapping/translate/expand.hpp"
#include "mapping/translate/includes.hpp"
#include "mapping/translate/macro_growth.hpp"
#include "suites/manifest/model.hpp"

namespace parallax::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_text = std::uint64_t{4} << 20;

}  // namespace

std::string read_source(const Model& model, std::string_view path, const std::string& file) {
    const std::string whole = model.place_of(path, file).string();
    std::vector<std::string> folders;
    for (const std::string& folder : model.include) {
        folders.push_back(model.place_of("$.include", folder).string());
    }
    std::string text;
    try {
        text = read_file(whole, most_text);
        // The preprocessor counts by itself.
        text = model.expand ? expanded(whole, text, model.defines, folders, model.reach)
                            : with_includes(whole, text, folders, model.reach).text;
        if (!model.expand) check_macro_growth(whole, text, model.defines);
        check_asks_for_no_file(whole, text, model.defines);
    } catch (const Error& error) {
        // What a command line says, the manifest's own keys say.
        std::string said = error.what();
        for (const auto& [option, key] :
             {std::pair{"with -I FOLDER", "under 'include'"}, {"with --expand", "with 'expand'"}}) {
            for (std::size_t at = 0; (at = said.find(option, at)) != said.npos;) {
                said.replace(at, std::string_view(option).size(), key);
            }
        }
        model.fail(path, said);
    }
    // A compiler would look for what is left wherever it likes.
    for (const DirectiveLine& one : directives_of(text).all) {
        if (one.name != "include" && one.name != "include_next" && one.name != "import" &&
            one.name != "embed") {
            continue;
        }
        model.fail(path, fmt::format("{}: '#{} {}' names no file that is there; write the name, or "
                                     "let 'expand' work out macros and conditions",
                                     whole, one.name, printable(one.rest, 60)));
    }
    // Where the files lie is not part of the text: it is the same on every machine.
    const std::string here = (model.folder / "").string();
    for (std::size_t at = 0; !here.empty() && (at = text.find('"' + here, at)) != text.npos;) {
        text.erase(at + 1, here.size());
    }
    return text;
}

HostArray read_elements(const Model& model, std::string_view path, const std::string& file,
                        ElementType type, std::uint64_t elements) {
    const fs::path whole = model.place_of(path, file);
    HostArray array(type, elements);
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(whole, error);
    if (error) model.fail(path, fmt::format("the file {} cannot be read", whole.string()));
    if (bytes != array.bytes().size()) {
        model.fail(path, fmt::format("{} has {} bytes, and {} elements of {} are {}; leave out "
                                     "sizes that it is not for",
                                     whole.string(), bytes, elements, name_of(type),
                                     array.bytes().size()));
    }
    std::ifstream in(whole, std::ios::binary);
    in.read(reinterpret_cast<char*>(array.bytes().data()), static_cast<std::streamsize>(bytes));
    if (!in) model.fail(path, fmt::format("the file {} cannot be read", whole.string()));
    return array;
}

}  // namespace parallax::manifest

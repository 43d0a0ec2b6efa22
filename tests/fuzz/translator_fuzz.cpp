// Fuzzes what reads a kernel source: the translator, the list of kernels, the includes.
//
//     tests/fuzz/run build-fuzz 600 translator
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "mapping/preprocess/includes.hpp"
#include "mapping/translate/translate.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace parallax;
using fuzz::demand;

/// Empty for a rejected source; the rejection must have a reason.
std::optional<Translation> translated(std::string_view text, const TranslateOptions& options) {
    try {
        return to_cuda("x.cl", text, options);
    } catch (const Refused& refused) {
        demand(!std::string_view(refused.what()).empty());
        return {};
    }
}

void translate(std::string_view text, const TranslateOptions& options) {
    const std::optional<Translation> once = translated(text, options);
    const std::optional<Translation> again = translated(text, options);
    demand(once.has_value() == again.has_value());
    if (!once) return;
    demand(once->text() == again->text());
    // Line n corresponds to line n of the OpenCL source.
    demand(std::ranges::count(once->body, '\n') == std::ranges::count(text, '\n'));
}

void list(std::string_view text, const TranslateOptions& options) {
    const bool numbered = text.find('#') != std::string_view::npos;
    try {
        unsigned before = 0;
        for (const Signature& one : signatures("x.cl", text, options)) {
            // A #line may count backwards.
            demand(numbered || (one.line >= before && one.last_line >= one.line));
            before = one.line;
        }
    } catch (const Refused&) {
    }
}

void include(std::string_view text) {
    // No such folder exists: files next to the source are not found.
    try {
        const Included whole = with_includes("no folder/x.cl", text, {}, PathSandbox({}));
        if (!whole.files.empty()) return;
        demand(std::ranges::count(whole.text, '\n') == std::ranges::count(text, '\n'));
    } catch (const Refused&) {
    }
}

}  // namespace

int parallax::fuzz::translator(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const TranslateOptions plain;
    const TranslateOptions full{.type = ElementType::f32,
                                .constants = {"TILE", "PAD"},
                                .defines = {{"WIDTH", "(TILE + 1)"}}};
    translate(text, plain);
    translate(text, full);
    list(text, plain);
    list(text, full);
    include(text);
    return 0;
}

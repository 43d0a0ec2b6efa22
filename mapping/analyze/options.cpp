// Writes macros as lines before a source, and collects the options of a program.
#include "mapping/analyze/options.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/lexer.hpp"

namespace parallax {

std::string with_defines(std::string_view file, std::string_view source,
                         const std::vector<Define>& defines) {
    if (defines.empty()) return std::string(source);
    std::string text;
    for (const Define& define : defines) {
        if (define.value.find_first_of("\r\n") != std::string::npos ||
            define.name.find_first_of("\r\n") != std::string::npos) {
            throw Refused(
                fmt::format("{}: the macro '{}' goes over the end of a line; give it "
                            "in one line",
                            file, define.name));
        }
        text += fmt::format("#define {} {}\n", define.name, define.value);
    }
    return fmt::format("{}{}\n{}", text, line_directive(1, file), source);
}

TranslateOptions translate_options(const Program& program) {
    TranslateOptions options{
        .type = program.type, .defines = program.defines, .standard = program.standard};
    for (const Constant& constant : program.constants) options.constants.push_back(constant.name);
    // OpenCL's compiler defines it where the program is built with -cl-fast-relaxed-math.
    constexpr std::string_view relaxed = "__FAST_RELAXED_MATH__";
    if (program.floats.relaxed && has_word(program.source, relaxed)) {
        options.defines.push_back({std::string(relaxed), "1"});
    }
    return options;
}

}  // namespace parallax

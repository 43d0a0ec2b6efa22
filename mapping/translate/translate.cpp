// Analyses a kernel file and writes it in CUDA C++.
#include "mapping/translate/translate.hpp"

#include <fmt/format.h>

#include "mapping/analyze/analysis.hpp"
#include "mapping/translate/writer.hpp"

namespace parallax {

std::string Translation::text() const {
    std::string name;
    for (const char c : file) {
        if (c == '"' || c == '\\') name += '\\';
        if (c != '\n' && c != '\r') name += c;
    }
    return fmt::format("{}#line 1 \"{}\"\n{}", prelude, name, body);
}

Translation to_cuda(std::string_view file, std::string_view source,
                    const TranslateOptions& options) {
    const std::string whole = with_defines(file, source, options.defines);
    // With macros before it the text begins with the line end behind them. Their tokens are as many
    // directives, and a #line.
    const bool has_own = !options.defines.empty();
    const std::string_view text =
        std::string_view(whole).substr(whole.size() - source.size() - (has_own ? 1 : 0));
    // Which words the translation has of its own, the first one shows.
    for (Declarations::Words written;;) {
        Analysis analysis(file, whole, options, written);
        analyze(analysis);
        Writer writer(analysis, text, options.standard);
        Translation made = writer.run(has_own ? options.defines.size() + 1 : 0);
        const std::size_t before = written.size();
        writer.add_collisions(made, written);
        if (written.size() == before) return made;
    }
}

}  // namespace parallax

// Applies the named edits to a kernel source.
#include "common/device/program.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/hash.hpp"

namespace parallax {

std::string edited_source(std::string source, const std::vector<SourceEdit>& edits,
                          std::string_view file) {
    for (const SourceEdit& edit : edits) {
        const std::size_t at = edit.find.empty() ? std::string::npos : source.find(edit.find);
        if (at == std::string::npos) {
            throw UsageError(fmt::format("{}: the edit '{}' looks for text that is not there: {}",
                                         file, edit.name, edit.find));
        }
        if (source.find(edit.find, at + 1) != std::string::npos) {
            throw UsageError(
                fmt::format("{}: the edit '{}' looks for text that is there more than "
                            "once: {}; say more of what stands around it",
                            file, edit.name, edit.find));
        }
        source.replace(at, edit.find.size(), edit.replace);
    }
    return source;
}

bool is_macro_value(std::string_view value) {
    using namespace std::string_view_literals;
    return value.find_first_of("\n\r\0"sv) == value.npos && !value.ends_with('\\');
}

std::optional<PathSandbox> Program::reach() const {
    return files ? std::optional(files->reach) : std::nullopt;
}

std::vector<std::string> Program::include_folders() const {
    const auto asks = [](const std::string& text) {
        return text.find("include") != text.npos || text.find("embed") != text.npos;
    };
    const bool any = asks(source) || (as_written() && asks(written->source));
    return files && any ? files->folders : std::vector<std::string>{};
}

std::string digest_of(const Program& program) {
    const FloatRules& floats = program.floats;
    std::string all =
        fmt::format("{}\n{} {} {}{}{}{}", program.name, static_cast<int>(program.language),
                    program.type ? name_of(*program.type) : "", floats.contract,
                    floats.exact_division, floats.flush_denormals, floats.relaxed);
    for (const auto& [name, value] : program.constants) all += fmt::format(" {}={}", name, value);
    for (const auto& [name, value] : program.defines) all += fmt::format(" {}={}", name, value);
    for (const std::string& option : program.options) all += " " + option;
    for (const std::string& name : program.name_expressions) all += "\n" + name;
    all += fmt::format("\n{} {}", program.standard, program.foreign);
    for (const auto& [find, replace, name] : program.edits)
        all += fmt::format("\n{}\n{}", find, replace);
    if (program.written) {
        for (const auto& [name, value] : program.written->defines)
            all += fmt::format(" {}={}", name, value);
        for (const std::string& name : program.written->undefined) all += " -U" + name;
        all += "\n" + program.written->source;
    }
    return hash_of(all + "\n" + program.source);
}

}  // namespace parallax

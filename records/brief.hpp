// Reads short summaries of very many records, without samples, launches and checks. No content of a
// file ends the reading.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// The kind of a line.
struct BriefLine {
    enum class Kind {
        record,
        other,   ///< another kind of line, or a blank one
        cut,     ///< truncated
        newer,   ///< of an unsupported newer version
        refused  ///< anything else
    } kind = Kind::other;
    /// Without launches, checks, samples and what the compiler said.
    std::optional<Record> record;
    std::string problem;  ///< for `newer` and `refused`: the rest of a sentence
};

/// Accepts any text.
BriefLine read_brief(std::string_view line);

/// Calls `take` for each line of a file. @returns why the file cannot be read to its end; empty: it
/// was
std::string read_brief_file(const std::filesystem::path&,
                            const std::function<void(BriefLine&&, unsigned number)>& take);

}  // namespace parallax

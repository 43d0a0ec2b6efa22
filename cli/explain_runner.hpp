// What commands that explain have in common: processes of their own, progress, what is kept.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/progress_line.hpp"
#include "records/record.hpp"
#include "studies/explain/explain.hpp"

namespace parallax::cli {

/// The case that `SUITE/VARIANT` and the options --size, --type and --define stand for; without a
/// size its shape is open. @throws UsageError
Case open_case(const Values&, const CommandContext&, const std::string& word);

/// Of --seed; without it one is drawn. @throws UsageError
std::uint64_t seed_of(const Values&);

/// Explains cases, one after the other.
class ExplainRunner {
public:
    ExplainRunner(CommandContext&, std::uint64_t seed, std::optional<std::string> folder,
                  bool quiet, FloatRules floats = {});

    /// @param keep  takes the lines that are to be kept, as they are made
    Explanation explain(const ExplainRequest&, const std::function<void(const ResultEntry&)>& keep);

private:
    std::string try_elsewhere(const ExplainRequest&, const Case&, bool is_b) const;

    CommandContext& context_;
    std::uint64_t seed_;
    std::optional<std::string> folder_;
    RunInfo info_;
    RunConfig config_;
    std::unique_ptr<ReferenceCache> references_;
    ProgressLine line_;
};

}  // namespace parallax::cli

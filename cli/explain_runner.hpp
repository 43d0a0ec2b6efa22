// Shared by commands that explain: child processes, progress, stored results.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/progress_line.hpp"
#include "records/record.hpp"
#include "studies/explain/explain.hpp"

namespace parallax::cli {

/// The case given by `SUITE/VARIANT` and the options --size, --type and --define; without a size
/// its shape is open. @throws UsageError
Case open_case(const Values&, const CommandContext&, const std::string& word);

/// The explanations that come with this program.
std::vector<Explanation> stored_explanations();

/// The value of --seed; otherwise a random one. @throws UsageError
std::uint64_t seed_of(const Values&);

/// Explains cases, one after the other.
class ExplainRunner {
public:
    ExplainRunner(CommandContext&, std::uint64_t seed, std::optional<std::string> folder,
                  bool quiet, FloatChoice floats = {});

    /// @param keep  receives each line that is to be stored
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
    std::optional<std::vector<Explanation>> stored_;  ///< read when it is first needed
};

}  // namespace parallax::cli

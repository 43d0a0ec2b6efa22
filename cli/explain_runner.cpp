// Collects what an explanation needs: devices, processes, result files.
#include "cli/explain_runner.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/build_times.hpp"
#include "cli/one_case.hpp"
#include "cli/option_values.hpp"
#include "cli/request.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "common/text/install_paths.hpp"
#include "common/text/text.hpp"
#include "measure/sizing.hpp"
#include "records/result_set.hpp"
#include "studies/explain/diff_explain.hpp"
#include "studies/explain/stages.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// Another compiler's code may hang, and there are further experiments.
double most_exchange_seconds(double budget_seconds) {
    return std::min(30.0, budget_seconds / 4);
}

}  // namespace

Case open_case(const Values& values, const CommandContext& context, const std::string& word) {
    Case c = case_of(parse_variant(word, context.permissions), values);
    if (values.count("size") == 0) c.shape = {};
    return c;
}

std::vector<Explanation> stored_explanations() {
    std::vector<Explanation> all;
    std::error_code error;
    for (const auto& folder : fs::directory_iterator(here_or_installed("results"), error)) {
        const fs::path file = folder.path() / "explain.jsonl";
        if (!fs::is_regular_file(file, error)) continue;
        for (Explanation& one : read_result_set(file.string()).explanations) {
            all.push_back(std::move(one));
        }
    }
    return all;
}

std::uint64_t seed_of(const Values& values) {
    const auto seed = value_of<std::string>(values, "seed");
    return seed ? parse_number("--seed", *seed, 0, std::numeric_limits<std::uint64_t>::max())
                : std::random_device{}();
}

ExplainRunner::ExplainRunner(CommandContext& context, std::uint64_t seed,
                             std::optional<std::string> folder, bool quiet, FloatChoice floats)
    : context_(context),
      seed_(seed),
      folder_(std::move(folder)),
      info_(run_info(context, seed)),
      config_(run_config(context, seed, folder_)),
      references_(std::make_unique<ReferenceCache>(host_memory_bytes() / 4)),
      line_(context.err, quiet) {
    config_.references = references_.get();
    config_.floats = floats;
}

std::string ExplainRunner::try_elsewhere(const ExplainRequest& request, const Case& c,
                                         bool is_b) const {
    if (context_.program.empty()) return "This program cannot start itself again.";
    // A small problem with the same kernels shows whether it runs correctly.
    Shape small = c.shape;
    for (const Shape& shape : c.suite->check_shapes) {
        const Case tried = with_shape(c, shape);
        if (c.suite->refuse && !c.suite->refuse(tried).empty()) continue;
        if (kernels_of(plan_of(tried)) == kernels_of(plan_of(c))) small = shape;
    }
    std::vector<std::string> words{"explain",
                                   fmt::format("{}/{}", word_for(*c.suite), c.variant->name),
                                   request.a.info.id(),
                                   request.b.info.id(),
                                   "-n",
                                   to_string(small),
                                   "--try-exchange",
                                   is_b ? "b" : "a"};
    std::ranges::move(options_for(c, context_.permissions, folder_), std::back_inserter(words));
    if (context_.permissions.commands == CommandUse::allowed) {
        words.emplace_back("--allow-command");
    }
    const double most_seconds = most_exchange_seconds(request.budget_seconds);
    const SignalForwarder forwarding;
    const MemoryFile out, err;
    const ExitStatus ending = spawn({.program = context_.program,
                                     .words = words,
                                     .most_seconds = most_seconds,
                                     .out = out.file(),
                                     .err = err.file()});
    SignalForwarder::check();
    if (ending.code == exit_interrupted) throw Interrupted();
    if (ending.signal == SIGKILL) {
        return fmt::format("The process that tried it did not end within {:.3g} s.", most_seconds);
    }
    if (ending.signal != 0) {
        return fmt::format("The process that tried it was killed by signal {}.", ending.signal);
    }
    if (ending.code == exit_ok) return {};
    const std::string said = out.text().empty() ? err.text() : out.text();
    return "In a process of its own it failed: " + printable(said, 500);
}

Explanation ExplainRunner::explain(const ExplainRequest& request,
                                   const std::function<void(const ResultEntry&)>& keep) {
    print_notices({{request.the_case.suite, request.the_case.variant}}, context_);
    ExplainHelp help;
    Progress progress;
    help.tell = [&](const std::string& what) {
        progress.what = what;
        line_.show(progress);
    };
    help.keep = keep;
    help.build_times = [&](const Entry& entry, const Case& c) {
        return build_times(context_.program, entry, c, folder_, context_.permissions);
    };
    help.try_exchange = [&](const Case& c, bool is_b) { return try_elsewhere(request, c, is_b); };
    ExplainRequest with_candidates = request;
    if (!request.planted) {
        if (!stored_) stored_ = stored_explanations();
        with_candidates.candidates = known_changes(request.the_case, *stored_);
    }
    try {
        Explanation found = parallax::explain(with_candidates, config_, info_, help);
        line_.clear();
        return found;
    } catch (...) {
        line_.clear();
        throw;
    }
}

}  // namespace parallax::cli

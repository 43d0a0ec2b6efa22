// Reads stored constants, and reports which cases use them.
#include "cli/tuned_options.hpp"

#include <ostream>

#include <fmt/format.h>

#include "cli/option_values.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli {

fs::path tuned_file(const CommandContext& context) {
    if (context.ceilings_file.empty()) return {};
    return context.ceilings_file.parent_path() / "tuned.jsonl";
}

void add_tuned_options(po::options_description_easy_init& add) {
    add("tuned", settable_flag(),
        "cases get the constants that 'parallax tune' kept for their device and size");
    add("tuned-from", settable<std::string>(Setting::file), "the same, from this file");
}

Tuning::Tuning(const Values& values, CommandContext& context)
    : context_(context), quiet_(values.count("quiet") > 0) {
    const auto named = value_of<std::string>(values, "tuned-from");
    if (!named && values.count("tuned") == 0) return;
    const fs::path file = named ? *named : tuned_file(context).string();
    if (file.empty()) {
        throw UsageError(
            "There is no folder where constants are kept. Name a file with --tuned-from.");
    }
    std::error_code error;
    if (named && !fs::exists(file, error)) {
        throw UsageError(
            fmt::format("{} is not there. 'parallax tune SUITE/VARIANT --keep FILE' "
                        "makes it.",
                        printable(*named, 200)));
    }
    TunedFile kept = read_tuned(file);
    for (const std::string& problem : kept.problems) context.err << "parallax: " << problem << "\n";
    if (kept.entries.empty() && !quiet_) {
        context.err << fmt::format("parallax: {} holds no constants: 'parallax tune' finds some.\n",
                                   printable(file.string(), 200));
    }
    const auto folder = value_of<std::string>(values, "kernels");
    cases_ = std::make_unique<TunedCases>(std::move(kept.entries), [folder](std::string_view name) {
        return kernel_source(name, folder);
    });
}

std::function<Case(const Case&, const DeviceInfo&)> Tuning::hook() {
    if (!cases_) return {};
    return [cases = cases_.get()](const Case& c, const DeviceInfo& info) {
        return cases->of(c, info);
    };
}

void Tuning::say() const {
    if (!cases_ || quiet_) return;
    for (const std::string& sentence : cases_->said()) {
        context_.err << fmt::format("parallax: tuned: {}\n", printable(sentence, 500));
    }
    if (cases_->said().empty()) {
        context_.err << "parallax: tuned: no case has constants that were kept for it.\n";
    }
}

}  // namespace parallax::cli

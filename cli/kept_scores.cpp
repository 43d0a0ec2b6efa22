// Finds the kept scores of a user's kernels.
#include "cli/kept_scores.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "common/version.hpp"
#include "report/selftest/score_report.hpp"

namespace parallax::cli {

std::filesystem::path scores_file_beside(const std::filesystem::path& ceilings_file) {
    return ceilings_file.empty() ? std::filesystem::path()
                                 : ceilings_file.parent_path() / "scores.jsonl";
}

std::function<std::string(const Case&)> kept_scores(const std::filesystem::path& ceilings_file) {
    const std::filesystem::path file = scores_file_beside(ceilings_file);
    std::error_code error;
    if (file.empty() || !std::filesystem::exists(file, error)) return {};
    return [file](const Case& c) -> std::string {
        if (c.suite->manifest.empty()) return {};
        try {
            // In a run of two kernels or sources the score is each one's own.
            const Variant& variant = variant_named(*c.suite, c.variant->name);
            const Suite& suite = *c.suite;
            // A size of the command line's is another check, and other constants make another
            // kernel.
            if (c.type != suite.types.front() ||
                std::ranges::find(shapes_of(suite, variant), c.shape) ==
                    shapes_of(suite, variant).end() ||
                c.constants != make_case(suite, variant, c.shape, c.type).constants)
                return {};
            std::vector<std::string> sizes{to_string(c.shape)};
            for (const Shape& shape : suite.check_shapes) sizes.push_back(to_string(shape));
            return score_sentence(file, checks_digest(suite, variant, {}, program_version), sizes,
                                  suite.manifest);
        } catch (const Error&) {  // a file is gone
            return {};
        }
    };
}

}  // namespace parallax::cli

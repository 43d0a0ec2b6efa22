// Makes a case of the words of a command line, and words of a case.
#include "cli/one_case.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "common/error.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {

Case case_of(const Values& values) {
    const auto word = value_of<std::string>(values, "case");
    const CasePick pick = word ? with_variant(parse_pick(*word)) : CasePick{};
    if (!pick.variant) {
        throw UsageError(
            "Which kernel? Name it as SUITE/VARIANT; 'parallax list' shows what there is.");
    }
    return case_of(pick, values);
}

Case case_of(const CasePick& pick, const Values& values) {
    std::vector<Constant> defines;
    for (const std::string& define : words_of(values, "define")) {
        defines.push_back(parse_define(define, {pick}));
    }
    const auto size = value_of<std::string>(values, "size");
    return make_case(*pick.suite, *pick.variant,
                     size ? parse_shape(*size) : shapes_of(*pick.suite, *pick.variant).front(),
                     type_for(*pick.suite, value_of<std::string>(values, "type")), defines);
}

std::optional<BuiltCase> built_without_device(const Values& values,
                                              const std::vector<Entry>& entries, const Case& c,
                                              const RunContext& context, const World& world) {
    const auto is_cuda = [](const Entry& entry) { return entry.info.backend == "cuda"; };
    if (!words_of(values, "device").empty() || std::ranges::any_of(entries, is_cuda)) return {};
    const auto cuda = std::ranges::find_if(
        world.backends, [](const auto& backend) { return backend->name() == "cuda"; });
    if (cuda == world.backends.end()) return {};
    try {
        return build_for(**cuda, 90, c, context);
    } catch (const Unsupported&) {  // 'devices' says what is missing
        return {};
    }
}

std::vector<std::string> options_for(const Case& c, const std::optional<std::string>& kernels) {
    std::vector<std::string> words;
    if (c.suite->manifest.empty()) {
        words.insert(words.end(), {"--type", std::string(name_of(c.type))});
    }
    for (const Constant& constant : c.constants) {
        const auto spec = std::ranges::find(c.suite->constants, constant.name, &ConstantSpec::name);
        if (spec->follows) continue;  // from the size
        words.insert(words.end(),
                     {"--define", fmt::format("{}={}", constant.name, constant.value)});
    }
    if (!c.suite->manifest.empty()) {
        for (const std::filesystem::path& folder : allowed_folders()) {
            words.insert(words.end(), {"--allow", folder.string()});
        }
    }
    if (kernels) words.insert(words.end(), {"--kernels", *kernels});
    return words;
}

}  // namespace parallax::cli

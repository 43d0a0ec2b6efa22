// Converts command-line words into a case, and a case into words.
#include "cli/one_case.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/chosen_devices.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_values.hpp"
#include "common/error.hpp"
#include "common/process/watchdog.hpp"

namespace parallax::cli {

Case case_of(const Values& values, const CommandContext& context) {
    return case_of(parse_variant(value_of<std::string>(values, "case"), context.permissions),
                   values);
}

Case case_of(const CasePick& pick, const Values& values) {
    std::vector<Constant> defines;
    for (const std::string& define : constants_of(values)) {
        defines.push_back(parse_define(define, {pick}));
    }
    const auto size = value_of<std::string>(values, "size");
    return make_case(*pick.suite, *pick.variant,
                     size ? parse_shape(*size) : shapes_of(*pick.suite, *pick.variant).front(),
                     type_for(pick, value_of<std::string>(values, "type")), defines);
}

void add_one_case_options(po::options_description_easy_init& add) {
    add("case", po::value<std::string>(),
        "SUITE/VARIANT; a word with .json is a manifest of your own kernel");
    add("device,d", settable<Words>(), "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all");
    add("size,n", settable<std::string>(),
        "size of the problem: 2^20, 64M, 1024x777; none: the suite's smallest");
    add("type", settable<std::string>(),
        "float, double or int; none: the first that the suite or the variant is written for");
    add("define,D", settable<Words>(),
        "NAME=VALUE: another constant of the kernels; with --source a macro of the files");
    add_source_options(add);
    add_allow_option(add);
    add("kernels", po::value<std::string>(),
        "folder of kernel files to use instead, named as the program's own");
}

bool build_everywhere(
    const Values& values, const Case& c, const RunConfig& config, unsigned times,
    CommandContext& context,
    const std::function<void(const BuiltCase&, const std::vector<Entry>&)>& tell) {
    program_of(c, config);  // reports a missing kernel file before a device is opened
    const std::vector<Entry> entries =
        entries_for(words_of(values, "device"),
                    values.count("quiet") > 0 || supervision().continues_run, context);
    const InterruptGuard interrupt;
    for (const Entry& entry : entries) tell(build_on(entry, c, config, times), entries);
    const auto cuda = std::ranges::find_if(
        context.backends, [](const auto& backend) { return backend->name() == "cuda"; });
    const bool is_built_by_cuda = std::ranges::any_of(
        entries, [](const Entry& entry) { return entry.info.backend == "cuda"; });
    if (!words_of(values, "device").empty() || is_built_by_cuda || cuda == context.backends.end()) {
        return !entries.empty();
    }
    try {
        tell(build_for(**cuda, 90, c, config), entries);
    } catch (const Unsupported&) {  // 'devices' reports what is missing
        return !entries.empty();
    }
    return true;
}

std::vector<std::string> options_for(const Case& c, const ManifestPermissions& permissions,
                                     const std::optional<std::string>& kernels) {
    std::vector<std::string> words;
    if (c.suite->manifest.empty()) {
        words.insert(words.end(), {"--type", std::string(name_of(c.type))});
    }
    for (const Constant& constant : c.constants) {
        const auto spec = std::ranges::find(c.suite->constants, constant.name, &ConstantSpec::name);
        if (spec->follows) continue;  // derived from the size
        words.insert(words.end(),
                     {"--define", fmt::format("{}={}", constant.name, constant.value)});
    }
    if (!c.suite->manifest.empty()) {
        for (const fs::path& folder : permissions.folders) {
            words.insert(words.end(), {"--allow", folder.string()});
        }
        for (const fs::path& file : permissions.sources.files)
            words.insert(words.end(), {"--source", file.string()});
        for (const fs::path& folder : permissions.sources.folders)
            words.insert(words.end(), {"--include", folder.string()});
        for (const Define& one : permissions.sources.defines)
            words.insert(words.end(), {"--define", fmt::format("{}={}", one.name, one.value)});
    }
    if (kernels) words.insert(words.end(), {"--kernels", *kernels});
    return words;
}

}  // namespace parallax::cli

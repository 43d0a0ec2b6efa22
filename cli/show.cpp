// `parallax show`: a variant's kernel in both languages, line against line.
#include <ostream>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "common/error.hpp"
#include "common/run_case.hpp"
#include "kernels/sidebyside.hpp"
#include "kernels/translate.hpp"
#include "manifest/manifest.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

std::string constants_line(const Case& c) {
    std::string line;
    for (const Constant& constant : c.constants) {
        line += fmt::format(" -D{}={}", constant.name, constant.value);
    }
    for (const Define& define : c.suite->defines) {
        line += fmt::format(" -D{}={}", define.name, define.value);
    }
    return line;
}

int show(const Values& values, World& world) {
    const std::string language =
        parse_choice("--language", value_of<std::string>(values, "language").value_or("both"),
                     {"both", "opencl", "cuda"});
    const auto word = value_of<std::string>(values, "case");
    // One whole text is the same for all variants of a suite.
    if (!word ||
        (language == "both" && !names_manifest(*word) && word->find('/') == std::string::npos)) {
        throw UsageError(
            "Say which kernel: parallax show SUITE/VARIANT. 'parallax list' shows what "
            "there is.");
    }
    Request::Pick pick = parse_pick(*word);
    if (!pick.variant) pick.variant = &pick.suite->variants.front();
    const ElementType type = type_for(*pick.suite, value_of<std::string>(values, "type"));
    const auto columns = value_of<std::string>(values, "width");
    const auto width = columns ? static_cast<unsigned>(parse_number("--width", *columns, 40, 1000))
                               : terminal_width();
    RunContext context;
    const auto folder = value_of<std::string>(values, "kernels");
    context.kernel_text = [&](std::string_view file) { return kernel_text(file, folder); };
    const Case c =
        make_case(*pick.suite, *pick.variant, shapes_of(*pick.suite, *pick.variant).front(), type);
    const Program program = program_of(c, context, language);
    if (program.language == Language::native) {
        const std::vector<NativeText>& natives = pick.variant->natives;
        if (language != "both" && !native_text(*pick.variant, language)) {
            throw UsageError(fmt::format("{} is a native variant: it has a text for {} only.",
                                         *word, native_backends(*pick.variant)));
        }
        if (language == "both" && natives.size() == 2) {
            world.out << side_by_side(natives[0].source, program.source, natives[1].source,
                                      program_of(c, context, natives[1].backend).source, width, 1,
                                      0);
            return exit_ok;
        }
        world.out << program.source;
        return exit_ok;
    }
    if (language == "opencl") {
        world.out << program.source;
        return exit_ok;
    }
    const Translation cuda = to_cuda(program.name, program.source, translate_options(program));
    if (language == "cuda") {
        world.out << cuda.text();
        return exit_ok;
    }
    const Plan plan = plan_of(c);
    const Launch* launch = plan.steps.front().launch();
    const std::string built =
        constants_line(c) + (program.type ? fmt::format(", T = {}", name_of(type)) : "");
    world.out << fmt::format("{}: {}\n{}: {}\n", *word, pick.variant->teaches, program.name,
                             pick.suite->question);
    if (!built.empty()) world.out << "built with" << built << "\n";
    if (!launch) {
        world.out << "It launches no kernel: the runtime itself copies.\n";
        return exit_ok;
    }
    if (!cuda.prelude.empty()) {
        world.out << "\nPrelude of the CUDA text:\n" << cuda.prelude << "\n";
    }
    unsigned first = 1, last = 0;
    for (const Signature& signature : signatures(program.name, program.source, program.type)) {
        if (values.count("all") > 0 || signature.kernel != launch->kernel) continue;
        first = signature.line;
        last = signature.last_line;
    }
    world.out << "\n"
              << side_by_side("OpenCL C: " + program.name, program.source, "CUDA C++", cuda.body,
                              width, first, last);
    if (last != 0) world.out << "\nThe rest of the file: --all.\n";
    return exit_ok;
}

}  // namespace

Command show_command() {
    return {
        .name = "show",
        .arguments = "SUITE/VARIANT",
        .summary = "both texts of a kernel, line against line",
        .about =
            "Shows the OpenCL text of a kernel beside the CUDA text that the mapping table "
            "makes of it: exactly what the two compilers get. Lines have the same numbers on "
            "both sides.",
        .examples = {"parallax show transpose/padded",
                     "parallax show reduction/vector --type double",
                     "parallax show reduction --language cuda > reduction.cu"},
        .positional = {"case"},
        .options =
            [](auto add) {
                add("case", po::value<std::string>(), "SUITE/VARIANT; with --language, SUITE");
                add("type", po::value<std::string>(), "what T stands for: float, double or int");
                add("language", po::value<std::string>(),
                    "both (default), or the whole text of one: opencl, cuda");
                add("all", "the whole file, not the one kernel");
                add("width", po::value<std::string>(),
                    "columns, 40 to 1000; the terminal's when not given");
                add("kernels", po::value<std::string>(), "folder of kernel files to use instead");
            },
        .run = show};
}

}  // namespace parallax::cli

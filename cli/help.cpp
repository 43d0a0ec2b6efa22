// The help pages.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "common/text.hpp"
#include "common/version.hpp"

namespace parallax::cli {

std::string help_page() {
    std::string page = fmt::format(
        "parallax {}: one kernel, seen from OpenCL and from CUDA on the same device.\n\n"
        "usage: parallax COMMAND [OPTIONS]\n\n",
        program_version);
    using enum Table::Align;
    Table table({left, left, left});
    std::string group;
    for (const Command& command : commands()) {
        table.add({group == command.group ? "" : command.group, command.name, command.summary});
        group = command.group;
    }
    page += table.text(2);
    page +=
        "\n'parallax COMMAND --help' tells more, with examples. Reports go to standard output,\n"
        "messages to standard error.\n\n"
        "exit codes:\n"
        "    0  at least one case ran, and all that ran is right (unsupported is allowed)\n"
        "    1  an answer is wrong, or a case failed\n"
        "    2  the command line names nothing or cannot be, or a file cannot be read or written\n"
        "    3  slower than --max-slowdown allows\n"
        "    4  undecided or not comparable where --max-slowdown asked for a decision\n"
        "    5  nothing could run\n"
        "  130  interrupted; what was measured has been kept\n";
    return page;
}

std::string help_page(const Command& command) {
    std::string page = fmt::format("usage: parallax {} {}\n\n{}\n\n", command.name,
                                   command.arguments, wrapped(command.about, 96, 0));
    boost::program_options::options_description description("options", 96);
    auto add = description.add_options();
    if (command.options) command.options(add);
    add("help,h", "show this page");
    // What stands without a dash is no option to whoever reads.
    boost::program_options::options_description shown("options", 96);
    std::string arguments;
    for (const auto& one : description.options()) {
        if (std::ranges::find(command.positional, one->long_name()) == command.positional.end()) {
            shown.add(one);
        } else {
            arguments += "  " + wrapped(one->description(), 94, 2) + "\n";
        }
    }
    if (!arguments.empty()) page += "arguments:\n" + arguments + "\n";
    std::ostringstream options;
    options << shown;
    page += options.str() + "\nexamples:\n";
    for (const std::string& example : command.examples) page += "  " + example + "\n";
    return page;
}

}  // namespace parallax::cli

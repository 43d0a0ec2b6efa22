// `parallax map`: the table from OpenCL C to CUDA C++ that the translator goes by.
#include <ostream>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "common/error.hpp"
#include "common/text.hpp"
#include "kernels/table.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

std::string_view word_for(Equivalence equivalence) {
    switch (equivalence) {
        case Equivalence::same: return "same";
        case Equivalence::nearly: return "nearly";
        case Equivalence::none: break;
    }
    return "none";
}

bool speaks_of(const Row& row, const std::string& word) {
    for (const std::string_view text : {row.opencl, row.cuda, row.topic}) {
        if (lower_case(text).find(word) != std::string::npos) return true;
    }
    return false;
}

int map(const Values& values, World& world) {
    const std::string word = lower_case(value_of<std::string>(values, "word").value_or(""));
    const std::size_t width = terminal_width();
    std::string_view topic;
    bool any = false;
    for (const Row& row : mapping_table()) {
        if (!speaks_of(row, word)) continue;
        any = true;
        if (row.topic != topic) {
            topic = row.topic;
            world.out << fmt::format("\n{}\n", topic);
        }
        const std::string_view cuda = row.equivalence == Equivalence::none ? "(refused)"
                                      : row.cuda.empty()                   ? "(nothing)"
                                                                           : row.cuda;
        world.out << fmt::format("  {:<36} {:<7} {}\n", row.opencl, word_for(row.equivalence),
                                 cuda);
        world.out << "      " << wrapped(row.because, width - 6, 6) << "\n";
    }
    if (!any) {
        throw UsageError(
            fmt::format("No row speaks of '{}'. 'parallax map' shows them all.", word));
    }
    return exit_ok;
}

}  // namespace

Command map_command() {
    return {
        .name = "map",
        .arguments = "[WORD]",
        .summary = "what a word of OpenCL C is in CUDA C++, and why",
        .about =
            "Shows the rows of the mapping table that the translator goes by: the OpenCL word, "
            "how far the CUDA one means the same, the CUDA word, and the trap. $ stands for an "
            "argument. WORD picks the rows that speak of it, from either language.",
        .examples = {"parallax map", "parallax map barrier", "parallax map threadIdx"},
        .positional = {"word"},
        .options =
            [](auto add) { add("word", po::value<std::string>(), "a word of either language"); },
        .run = map};
}

}  // namespace parallax::cli

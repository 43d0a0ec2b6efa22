// Puts the host programs of docs/examples/host against each other.
#include "report/texts/show_host.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/text/grouping.hpp"
#include "mapping/search/find.hpp"
#include "mapping/search/sources.hpp"

namespace parallax::cli {
namespace {

std::string file_of(const std::string& backend) {
    return fmt::format("docs/examples/host/saxpy_{}.cpp", backend);
}

}  // namespace

std::string host_text(const std::string& backend) {
    return std::string(source_text(file_of(backend)).value());
}

ShownPage host_page() {
    ShownPage page{.title = "host"};
    page.paragraphs = {
        "host: a whole program through each API, station by station, with nothing of Parallax",
        "docs/examples/host has both files. The tests build them, and run them where a device is."};
    page.view =
        side_by_side(file_of("opencl"), host_text("opencl"), file_of("cuda"), host_text("cuda"));
    for (const LinePair& line : page.view->lines) {
        const std::string left = line.left_text(), right = line.right_text();
        for (const auto& [code, beside] : {std::pair(left, right), std::pair(right, left)}) {
            for (const MappingRule* row : rows_for_code(code, beside, true))
                add_once(page.rows, row);
        }
    }
    // A topic has one heading, where its first row comes.
    std::vector<std::string> topics;
    for (const MappingRule* row : page.rows) add_once(topics, topic_of(*row));
    std::ranges::stable_sort(page.rows, {}, [&](const MappingRule* row) {
        return std::ranges::find(topics, topic_of(*row)) - topics.begin();
    });
    return page;
}

}  // namespace parallax::cli

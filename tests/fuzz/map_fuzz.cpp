// Fuzzes the queries of `parallax map`: any bytes as a word, a line of code or the name of a line.
//
//     tests/fuzz/run build-fuzz 600 map
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "mapping/search/search_answer.hpp"
#include "mapping/search/search_words.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace parallax;
using fuzz::demand;

void ask(std::string_view question) {
    try {
        const Answer answer = answer_to(question);
        demand(!answer.found.empty());
        std::set<const MappingRule*> rows;
        for (const Found& found : answer.found) demand(found.row && rows.insert(found.row).second);
        for (const UnknownWord& one : answer.unknown) demand(one.nearest.size() <= 3);
    } catch (const UsageError& error) {
        const std::string_view said = error.what();
        demand(!said.empty() && said.size() < 2000);
        // A message is always one printable line.
        demand(std::ranges::none_of(
            said, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }));
    }
}

void cut_up(std::string_view code) {
    const std::vector<std::string> words = words_in_code(code);
    const std::set<std::string> each(words.begin(), words.end());
    demand(each.size() == words.size() && !each.contains(""));
    demand(!forms_of(code).empty());
    rows_for_code(code.substr(0, code.size() / 2), code.substr(code.size() / 2), true);
}

}  // namespace

int parallax::fuzz::map(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    ask(text);
    cut_up(text);
    return 0;
}

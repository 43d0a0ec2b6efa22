// Prints one report of one of the diffs made by hand: for eyes, and for parsers of its format.
#include <cstdlib>
#include <iostream>
#include <map>

#include "report/report.hpp"
#include "report/tests/diffs.hpp"

int main(int count, char** words) {
    using namespace parallax;
    if (count < 3) {
        std::cerr << "sample text|md|junit empty|small|hostile|large|stored [WIDTH [colour]]\n";
        return 2;
    }
    const std::map<std::string, Diff> diffs{{"empty", test::empty_diff()},
                                            {"small", test::small_diff()},
                                            {"hostile", test::hostile_diff()},
                                            {"large", test::large_diff(2000)},
                                            {"stored", test::stored_diff()}};
    const auto found = diffs.find(words[2]);
    if (found == diffs.end()) return 2;
    const std::string format = words[1];
    const auto width = static_cast<unsigned>(count > 3 ? std::atoi(words[3]) : 100);
    std::cout << (format == "text" ? text_report(found->second, width, count > 4)
                  : format == "md" ? markdown_report(found->second)
                                   : report::junit_text(tests_of(found->second)));
}

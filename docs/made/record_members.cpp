// Prints the tables of docs/reference/record-members.md, or with --json the same for programs.
#include <iostream>
#include <string_view>

#include "records/result_lines.hpp"

int main(int count, char** words) {
    const bool json = count > 1 && std::string_view(words[1]) == "--json";
    std::cout << (json ? parallax::members_json() : parallax::members_page());
}

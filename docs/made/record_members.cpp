// Prints the tables of docs/reference/record-members.md.
#include <iostream>

#include "records/lines.hpp"

int main() {
    std::cout << parallax::members_page();
}

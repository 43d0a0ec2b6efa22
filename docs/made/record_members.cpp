// Prints what docs/record.md says of the members of lines.
#include <iostream>

#include "records/lines.hpp"

int main() {
    std::cout << parallax::members_page();
}

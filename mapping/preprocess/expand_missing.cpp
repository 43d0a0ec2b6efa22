// In place of expand.cpp where Boost.Wave was not there when the program was built.
#include "common/error.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax {

bool can_expand() {
    return false;
}

std::string expanded(std::string_view, std::string_view, const std::vector<Define>&,
                     const std::vector<std::string>&, const PathSandbox&,
                     const std::vector<std::string>&) {
    throw Unsupported(
        "This program was built without Boost.Wave, which --expand needs. Install "
        "libboost-wave-dev, libboost-thread-dev and libboost-filesystem-dev and build it again "
        "with -Dexpand=enabled, or preprocess the text with another tool.");
}

}  // namespace parallax

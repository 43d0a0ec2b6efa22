// Fuzzes what makes one API's PTX ready for the other's driver.
//
//     tests/fuzz/run build-fuzz 600 exchange
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <cstdint>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "studies/explain/exchange.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace parallax;
using fuzz::demand;

void for_cuda(std::string_view ptx) {
    try {
        const std::string made = ptx_for_cuda(ptx);
        demand(made.find('\0') == made.npos && ptx_for_cuda(made) == made);
    } catch (const Unsupported& error) {
        demand(!std::string_view(error.what()).empty());
    }
}

void for_opencl(std::string_view ptx) {
    Signature k{.kernel = "k"};
    k.parameters = {{.kind = Parameter::Kind::global, .type = "float", .name = "a"},
                    {.kind = Parameter::Kind::scalar, .type = "int", .name = "n"}};
    Signature other = k;
    other.kernel = "kernel_of_two";
    other.parameters.push_back(k.parameters.front());
    try {
        const std::string made = ptx_for_opencl(ptx, {k, other}, {{"k", {64, 1, 1}}});
        demand(made.find('\0') == made.npos);
    } catch (const Unsupported& error) {
        demand(!std::string_view(error.what()).empty());
    }
}

}  // namespace

int parallax::fuzz::exchange(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for_cuda(text);
    for_opencl(text);
    return 0;
}

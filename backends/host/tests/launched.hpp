// Launches of small kernels by the host backend, for its tests.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "common/devices.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"

namespace parallax::host::test {

/// The devices that are here: the plain one, and the sanitized one if there are sanitizers.
inline const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = parallax::test::devices_of("host");
    return all;
}

/// A kernel `k` of 64 items in two groups, from 64 ints, 0 to 63, to 64 ints.
inline std::string text(const std::string& body) {
    return "extern \"C\" __global__ void k(const int* a, int* b) {\n"
           "  const int l = threadIdx.x, i = blockIdx.x * blockDim.x + l;\n" +
           body + "}\n";
}

/// What several launches of it leave, one after the other, each with another order of items.
/// @param geometry  of 64 items in all
inline std::vector<std::vector<int>> launched(const std::string& body, unsigned launches = 1,
                                              unsigned local_bytes = 0, unsigned index = 0,
                                              const Geometry& geometry = {{2, 1, 1}, {32, 1, 1}}) {
    const auto device = entries().at(index).open();
    HostArray in(ElementType::i32, 64);
    std::iota(in.as<std::int32_t>().begin(), in.as<std::int32_t>().end(), 0);
    const auto a = device->upload(in), b = device->upload(in);
    Dispatch dispatch{
        device->compile({.name = "k.cu", .source = text(body), .language = Language::native}, "k"),
        geometry,
        {a, b}};
    if (local_bytes > 0) dispatch.arguments.emplace_back(LocalBytes{local_bytes});
    const Command command{dispatch};
    std::vector<std::vector<int>> all;
    for (unsigned i = 0; i < launches; ++i) {
        device->run(std::span(&command, 1));
        const HostArray out = device->download(*b, ElementType::i32);
        const auto values = out.as<std::int32_t>();
        all.emplace_back(values.begin(), values.end());
    }
    return all;
}

inline std::vector<int> ran(const std::string& body, unsigned local_bytes = 0) {
    return launched(body, 1, local_bytes).at(0);
}

/// What is said of a launch that fails.
inline std::string complaint(const std::string& body, unsigned local_bytes = 0,
                             unsigned index = 0) {
    try {
        launched(body, 1, local_bytes, index);
    } catch (const BuildFailed& error) {
        return error.what() + error.log;
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace parallax::host::test

// Launches small kernels on the host backend, for its tests.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "common/device/devices.hpp"
#include "common/device/race_checked_memory.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"

namespace parallax::host::test {

/// The available devices: the plain one, and the sanitized one if there are sanitizers.
inline const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = parallax::test::devices_of("host");
    return all;
}

/// Kernels of one source, which is compiled once: `k`, `k1`, `k2`, ..., one for each body. Each has
/// 64 work-items in two work-groups, with 64 ints from 0 to 63 as input and 64 ints as output.
/// Where all bodies have one line, body `n` is line 3 + 3 * n.
class Kernels {
public:
    explicit Kernels(const std::vector<std::string>& bodies) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            text_ += "extern \"C\" __global__ void " + name_of(i) +
                     "(const int* a, int* b) {\n"
                     "  const int l = threadIdx.x, i = blockIdx.x * blockDim.x + l;\n" +
                     bodies[i] + "}\n";
        }
    }

    /// The outputs of several launches, each with another order of work-items.
    /// @param index  of the entry, @param geometry  with 64 work-items in total
    /// @param takes_any_store  of the output
    std::vector<std::vector<int>> launched(std::size_t which, unsigned launches = 1,
                                           unsigned local_bytes = 0, unsigned index = 0,
                                           const Geometry& geometry = {{2, 1, 1}, {32, 1, 1}},
                                           bool takes_any_store = false) const {
        const auto device = entries().at(index).open();
        HostArray in(ElementType::i32, 64);
        std::iota(in.as<std::int32_t>().begin(), in.as<std::int32_t>().end(), 0);
        const auto a = device->upload(in), b = device->upload(in);
        auto* const watched = dynamic_cast<WatchedMemory*>(b.get());
        if (takes_any_store && watched) watched->take_any_store();
        Dispatch dispatch{
            device->compile({.name = "k.cu", .source = text_, .language = Language::native},
                            name_of(which)),
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
    std::vector<int> ran(std::size_t which) const { return launched(which).at(0); }

    /// The error of a failed launch.
    std::string complaint(std::size_t which, unsigned local_bytes = 0, unsigned index = 0,
                          const Geometry& geometry = {{2, 1, 1}, {32, 1, 1}},
                          bool takes_any_store = false) const {
        try {
            launched(which, 1, local_bytes, index, geometry, takes_any_store);
        } catch (const BuildFailed& error) {
            return error.what() + error.log;
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private:
    static std::string name_of(std::size_t which) {
        return which == 0 ? "k" : "k" + std::to_string(which);
    }

    std::string text_;
};

/// The outputs of several launches of a kernel with this body.
inline std::vector<std::vector<int>> launched(const std::string& body, unsigned launches = 1,
                                              unsigned local_bytes = 0, unsigned index = 0,
                                              const Geometry& geometry = {{2, 1, 1}, {32, 1, 1}}) {
    return Kernels({body}).launched(0, launches, local_bytes, index, geometry);
}

inline std::vector<int> ran(const std::string& body, unsigned local_bytes = 0) {
    return launched(body, 1, local_bytes).at(0);
}

/// The error of a failed launch.
inline std::string complaint(const std::string& body, unsigned local_bytes = 0,
                             unsigned index = 0) {
    return Kernels({body}).complaint(0, local_bytes, index);
}

/// The results of `of` for all work-items.
template <class Of>
std::vector<int> each(Of&& of) {
    std::vector<int> all(64);
    for (int i = 0; i < 64; ++i) all[static_cast<std::size_t>(i)] = of(i);
    return all;
}

}  // namespace parallax::host::test

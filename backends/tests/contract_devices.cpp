// The devices under the contract: the available ones, and a fake one with host functions as
// kernels.
#include <fmt/format.h>

#include "backends/tests/contract.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"

namespace parallax {

using namespace fake;

std::shared_ptr<Script> contract_script() {
    auto script = std::make_shared<Script>();
    script->kernels["places"] = [](const HostLaunch& launch) {
        each_item(launch, [&](std::uint64_t group, std::uint64_t item, std::uint64_t at) {
            launch.buffer<std::int32_t>(0)[at] = static_cast<std::int32_t>(group * 1000 + item);
        });
    };
    script->kernels["turn"] = [](const HostLaunch& launch) {
        const std::uint64_t size = launch.geometry.items.x;
        if (std::get<LocalBytes>(launch.arguments.at(2)).bytes != size * sizeof(float)) {
            throw DeviceError("local memory");
        }
        each_item(launch, [&](std::uint64_t group, std::uint64_t item, std::uint64_t at) {
            launch.buffer<float>(1)[at] = launch.buffer<float>(0)[group * size + size - 1 - item];
        });
    };
    script->kernels["scalars"] = [](const HostLaunch& launch) {
        const auto out = launch.buffer<std::int64_t>(0);
        out[0] = launch.scalar<std::int32_t>(1);
        out[1] = launch.scalar<std::uint32_t>(2);
        out[2] = launch.scalar<std::int64_t>(3);
        out[3] = static_cast<std::int64_t>(launch.scalar<std::uint64_t>(4));
        out[4] = static_cast<std::int64_t>(launch.scalar<float>(5));
    };
    script->kernels["small_scalars"] = [](const HostLaunch& launch) {
        const auto out = launch.buffer<std::int64_t>(0);
        out[0] = launch.scalar<std::int8_t>(1);
        out[1] = launch.scalar<std::uint8_t>(2);
        out[2] = launch.scalar<std::int16_t>(3);
        out[3] = launch.scalar<std::uint16_t>(4);
        out[4] = static_cast<std::int64_t>(launch.scalar<double>(5));
    };
    script->kernels["advance_one"] = [](const HostLaunch& launch) {
        launch.buffer<std::int32_t>(0)[0] = 2 * launch.buffer<std::int32_t>(0)[0] + 1;
    };
    script->kernels["product_sum"] = [](const HostLaunch& launch) {
        const auto in = launch.buffer<float>(0);
        const volatile float product = in[0] * in[1];
        launch.buffer<float>(1)[0] = product + in[2];
    };
    script->kernels["with_local"] = [](const HostLaunch& launch) {
        const std::uint64_t size = launch.geometry.items.x;
        each_item(launch, [&](std::uint64_t, std::uint64_t item, std::uint64_t at) {
            launch.buffer<std::int32_t>(0)[at] = static_cast<std::int32_t>(size - 1 - item);
        });
    };
    return script;
}

std::vector<Entry> all_devices() {
    static const std::vector<std::unique_ptr<Backend>> fakes = [] {
        std::vector<std::unique_ptr<Backend>> list;
        list.push_back(std::make_unique<FakeBackend>(contract_script()));
        return list;
    }();
    std::vector<Entry> entries = find_devices(fakes).entries;
    for (const Entry& entry : test::devices_together()) entries.push_back(entry);
    return entries;
}

void PrintTo(const Entry& entry, std::ostream* out) {
    *out << entry.info.id() << " " << entry.info.name;
}

std::string name_of_device(const testing::TestParamInfo<Entry>& one) {
    return fmt::format("{}_{}", one.param.info.backend, one.param.info.index);
}

Program contract_program(std::vector<Constant> constants) {
    const EmbeddedFile& file = contract_kernels().front();
    return {.name = std::string(file.name),
            .source = std::string(file.text),
            .constants = std::move(constants)};
}

Program contract_program_of(std::string_view kernel, std::vector<Constant> constants) {
    Program program = contract_program(std::move(constants));
    const std::size_t begin = program.source.find(fmt::format("__kernel void {}(", kernel));
    if (begin == program.source.npos) throw Error(fmt::format("no kernel {}", kernel));
    const std::size_t end = program.source.find("\n}\n", begin);
    program.source = program.source.substr(begin, end + 3 - begin);
    return program;
}

}  // namespace parallax

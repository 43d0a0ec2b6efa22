// The fake device: host memory, host functions, a scripted timer and faults.
#include "common/tests/fake_device.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace parallax::fake {
namespace {

class FakeMemory final : public Memory {
public:
    FakeMemory(std::shared_ptr<Script> script, std::size_t bytes, std::size_t guard, bool mapped)
        : Memory(bytes, guard, mapped ? Placement::mapped : Placement::device),
          script_(std::move(script)),
          data_(bytes + 2 * guard) {
        script_->live_bytes += data_.size();
    }
    FakeMemory(std::shared_ptr<Script> script, const ImageExtents& image, ElementType type)
        : Memory(image, type), script_(std::move(script)), data_(bytes()) {
        script_->live_bytes += data_.size();
    }
    ~FakeMemory() override { script_->live_bytes -= data_.size(); }

    std::byte* at(std::ptrdiff_t offset) const {
        return data_.data() + static_cast<std::ptrdiff_t>(guard()) + offset;
    }

private:
    std::shared_ptr<Script> script_;
    mutable std::vector<std::byte> data_;
};

/// Plain memory that the script treats as page-locked.
class FakeHostMemory final : public HostMemory {
public:
    FakeHostMemory(std::shared_ptr<Script> script, std::size_t bytes)
        : script_(std::move(script)), data_(bytes) {
        script_->page_locked[data_.data()] = bytes;
    }
    ~FakeHostMemory() override { script_->page_locked.erase(data_.data()); }

    std::span<std::byte> bytes() override { return data_; }

private:
    std::shared_ptr<Script> script_;
    std::vector<std::byte> data_;
};

const FakeMemory& host(const Memory& memory) {
    return dynamic_cast<const FakeMemory&>(memory);
}

class HostCode final : public Code {
public:
    HostKernel function;
    Program program;
};

class FakeDevice final : public Device {
public:
    FakeDevice(DeviceInfo info, std::shared_ptr<Script> script, OpenOptions how)
        : Device(std::move(info)), script_(std::move(script)), how_(how) {}

private:
    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard,
                                        bool mapped) override {
        script_->before("allocate");
        return std::make_shared<FakeMemory>(script_, bytes, guard, mapped);
    }

    std::shared_ptr<Memory> do_allocate_image(const ImageExtents& image,
                                              ElementType type) override {
        script_->before("allocate");
        return std::make_shared<FakeMemory>(script_, image, type);
    }

    std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes, bool) override {
        script_->before("page_locked");
        return std::make_unique<FakeHostMemory>(script_, bytes);
    }

    void do_write(std::span<const HostWrite> parts) override {
        for (const auto& [memory, data, offset] : parts) {
            script_->before(script_->locks(data) ? "write page-locked" : "write");
            std::memcpy(host(*memory).at(offset), data.data(), data.size());
        }
    }

    void do_read(std::span<const HostRead> parts) override {
        for (const auto& [memory, data, offset] : parts) {
            script_->before(script_->locks(data) ? "read page-locked" : "read");
            std::memcpy(data.data(), host(*memory).at(offset), data.size());
        }
    }

    std::shared_ptr<const Code> do_compile(const Program& program,
                                           std::string_view kernel) override {
        script_->before("compile");
        ++script_->compiles;
        const std::string text = edited_source(program);
        if (std::ranges::count(text, '{') != std::ranges::count(text, '}')) {
            throw BuildFailed(fmt::format("{} did not compile: braces do not match.", program.name),
                              program.name + ": error: unmatched brace", text);
        }
        const auto found = script_->kernels.find(kernel);
        if (found == script_->kernels.end() || text.find(kernel) == std::string::npos) {
            throw BuildFailed(fmt::format("{} has no kernel '{}'.", program.name, kernel), "",
                              text);
        }
        auto code = std::make_shared<HostCode>();
        code->kernel = kernel;
        code->source = text;
        code->function = found->second;
        code->program = program;
        code->options = program.options;
        for (const Constant& constant : program.constants) {
            code->options.push_back("-D" + constant.name + "=" + std::to_string(constant.value));
        }
        const FloatRules& floats = program.floats;
        for (const bool rule :
             {floats.contract, floats.exact_division, floats.flush_denormals, floats.relaxed}) {
            code->options.emplace_back(rule ? "--on" : "--off");
        }
        code->build_seconds = 1e-3;
        if (script_->ptx_of) code->ptx = script_->ptx_of(program);
        if (script_->registers_of) code->resources.registers = script_->registers_of(program);
        return code;
    }

    unsigned do_expect_builds(std::size_t count) override {
        script_->expected_builds = count;
        return static_cast<unsigned>(std::clamp<std::size_t>(count, 1, script_->builds_at_once));
    }

    void do_renew_queue() override { script_->before("renew queue"); }

    std::shared_ptr<const Code> do_load_again(const Code& code) override {
        script_->before("load again");
        ++script_->loads;
        const auto& first = dynamic_cast<const HostCode&>(code);
        auto again = std::make_shared<HostCode>(first);
        again->function = first.function;
        again->program = first.program;
        return again;
    }

    Elapsed do_run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) override {
        script_->before("run");
        ++script_->runs;
        for (unsigned i = 0; i < lead_in + repeats; ++i) {
            for (const Command& command : commands) {
                std::visit([&](const auto& what) { execute(what); }, command.what);
            }
        }
        double seconds = seconds_of(commands) * repeats;
        if (!script_->clock.empty()) {
            seconds = script_->clock.front();
            script_->clock.pop_front();
        }
        return {seconds, seconds + 1e-6};
    }

    double seconds_of(std::span<const Command> commands) const {
        if (script_->seconds_of_commands) return script_->seconds_of_commands(commands, how_);
        for (const Command& command : commands) {
            const auto* dispatch = std::get_if<Dispatch>(&command.what);
            if (!dispatch || !script_->seconds_of) continue;
            return script_->seconds_of(dynamic_cast<const HostCode&>(*dispatch->code).program);
        }
        return script_->seconds_per_run;
    }

    void execute(const Dispatch& dispatch) {
        const auto& code = dynamic_cast<const HostCode&>(*dispatch.code);
        code.function({dispatch.geometry, dispatch.arguments, &code.program});
    }
    void execute(const Copy& copy) {
        const auto start = [](const Memory& memory) {
            return memory.host() ? memory.host() : host(memory).at(0);
        };
        std::memcpy(start(*copy.target) + copy.target_offset,
                    start(*copy.source) + copy.source_offset, copy.bytes);
    }
    void execute(const Fill& fill) {
        std::memset(host(*fill.target).at(static_cast<std::ptrdiff_t>(fill.offset)), fill.value,
                    fill.bytes);
    }

    std::shared_ptr<Script> script_;
    OpenOptions how_;
};

}  // namespace

std::int64_t HostLaunch::constant(std::string_view name) const {
    for (const Constant& one : program->constants) {
        if (one.name == name) return one.value;
    }
    throw Error(fmt::format("no constant {}", name));
}

std::span<std::byte> HostLaunch::payload(std::size_t index) const {
    const Memory& memory = *std::get<std::shared_ptr<Memory>>(arguments.at(index));
    return {host(memory).at(0), memory.bytes()};
}

bool Script::locks(std::span<const std::byte> data) const {
    auto next = page_locked.upper_bound(data.data());
    if (next == page_locked.begin()) return false;
    --next;
    return data.data() + data.size() <= next->first + next->second;
}

FakeBackend::FakeBackend(std::shared_ptr<Script> script, std::string name)
    : script_(std::move(script)), name_(std::move(name)) {
    inventory.devices.push_back(fake_info(name_));
}

std::unique_ptr<Device> FakeBackend::do_open(const DeviceInfo& info, OpenOptions options) {
    script_->before(options.profiling ? "open" : "open without profiling");
    ++script_->opened;
    return std::make_unique<FakeDevice>(info, script_, options);
}

DeviceInfo fake_info(std::string backend) {
    DeviceInfo info;
    info.backend = std::move(backend);
    info.name = "Fake Device 1";
    info.vendor = "none";
    info.api_version = "1";
    info.driver_version = "1";
    info.compute_units = 1;
    info.memory_bytes = std::uint64_t{1} << 30;
    info.max_allocation_bytes = std::uint64_t{1} << 28;
    info.cache_bytes = 1 << 16;
    info.local_bytes = 32768;
    info.max_group_items = 1024;
    info.max_items = {1024, 1024, 64};
    info.timer_tick_seconds = 1e-9;
    info.features = {"double"};
    return info;
}

std::function<void(std::string_view)> fail_nth(std::string call, unsigned nth) {
    return [call = std::move(call), left = nth](std::string_view now) mutable {
        if (now == call && left > 0 && --left == 0) {
            throw DeviceError(fmt::format("The scripted call '{}' failed.", call));
        }
    };
}

}  // namespace parallax::fake

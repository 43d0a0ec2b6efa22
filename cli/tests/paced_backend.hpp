// Real devices with a scripted timer.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/device/backend.hpp"
#include "common/tests/small_backend.hpp"

namespace parallax {

/// A real device that compiles, launches and copies. Each command of a batch's runs is reported as
/// `seconds_per_run`, so that the first batch is long enough and all are equal; only one run of a
/// batch is executed.
class PacedDevice final : public Device {
public:
    static constexpr double seconds_per_run = 2e-3;

    explicit PacedDevice(std::unique_ptr<Device> real)
        : Device(real->info()), real_(std::move(real)) {}

private:
    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard,
                                        bool mapped) override {
        return real_->allocate(bytes, guard, mapped ? Placement::mapped : Placement::device);
    }
    std::shared_ptr<Memory> do_allocate_image(const ImageExtents& image,
                                              ElementType type) override {
        return real_->allocate_image(image, type);
    }
    std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes, bool write_combined) override {
        return real_->page_locked(bytes, write_combined);
    }
    void do_write(std::span<const HostWrite> parts) override { real_->write(parts); }
    void do_read(std::span<const HostRead> parts) override { real_->read(parts); }
    std::shared_ptr<const Code> do_compile(const Program& program,
                                           std::string_view kernel) override {
        return real_->compile(program, kernel);
    }
    std::shared_ptr<const Code> do_load_again(const Code& code) override {
        return real_->load_again(code);
    }
    unsigned do_expect_builds(std::size_t count) override { return real_->expect_builds(count); }
    void do_renew_queue() override { real_->renew_queue(); }
    Elapsed do_run(std::span<const Command> commands, unsigned repeats, unsigned) override {
        real_->run(commands);
        const double seconds = repeats * seconds_per_run * static_cast<double>(commands.size());
        return {seconds, seconds};
    }

    std::unique_ptr<Device> real_;
};

/// A backend of small devices (small_backends()) with that timer.
class PacedBackend final : public Backend {
public:
    explicit PacedBackend(Backend& small) : small_(small) {}

    std::string_view name() const override { return small_.name(); }
    Inventory find() override { return small_.find(); }
    std::vector<int> architectures() const override { return small_.architectures(); }
    CompiledProgram compile(const Program& program, int architecture) const override {
        return small_.compile(program, architecture);
    }

private:
    std::unique_ptr<Device> do_open(const DeviceInfo& info, OpenOptions how) override {
        return std::make_unique<PacedDevice>(small_.open(info, how));
    }

    Backend& small_;
};

/// One for each of the program's backends.
inline std::span<const std::unique_ptr<Backend>> paced_backends() {
    static const std::vector<std::unique_ptr<Backend>> all = [] {
        std::vector<std::unique_ptr<Backend>> list;
        for (const auto& small : small_backends()) {
            list.push_back(std::make_unique<PacedBackend>(*small));
        }
        return list;
    }();
    return all;
}

}  // namespace parallax

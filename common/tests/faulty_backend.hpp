// Wraps a backend's devices: a chosen call fails, and leaked objects are counted.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/backend.hpp"

namespace parallax::fake {

/// Errors of a call, as common/device/device.hpp and common/device/backend.hpp document them.
enum class Fault { device_error, usage_error, unsupported, build_failed, refused, no_memory, null };

/// The ways in which that call may fail, the worst first.
inline std::vector<Fault> faults_of(std::string_view call) {
    using enum Fault;
    if (call == "compile") return {device_error, build_failed, refused, unsupported, no_memory};
    if (call == "allocate" || call == "allocate image" || call == "page-locked")
        return {device_error, usage_error, unsupported, no_memory};
    if (call == "load again") return {device_error, null};
    return {device_error};
}

/// The state of a faulty backend, shared by its devices. Thread-safe.
class Ledger {
public:
    /// The `nth` call (from 1) fails; 0: none.
    void begin(std::size_t nth, Fault fault) {
        const std::scoped_lock lock(mutex_);
        calls_.clear();
        nth_ = nth;
        fault_ = fault;
        failed_.clear();
    }
    std::vector<std::string> calls() const {
        const std::scoped_lock lock(mutex_);
        return calls_;
    }
    /// The name of the call that failed; empty: none was reached.
    std::string failed() const {
        const std::scoped_lock lock(mutex_);
        return failed_;
    }
    /// The message of the error.
    static std::string message(std::string_view call) {
        return "The call '" + std::string(call) + "' failed: OUT_OF_ORDER (-77).";
    }

    /// Live devices, memory and code.
    std::atomic<std::size_t> alive = 0;

    /// @return whether the call shall return null
    bool pass(std::string_view call) {
        Fault fault{};
        {
            const std::scoped_lock lock(mutex_);
            calls_.emplace_back(call);
            if (calls_.size() != nth_) return false;
            failed_ = call;
            fault = fault_;
        }
        const std::string what = message(call);
        switch (fault) {
            case Fault::device_error: throw DeviceError(what);
            case Fault::usage_error: throw UsageError(what);
            case Fault::unsupported: throw Unsupported(what);
            case Fault::build_failed: throw BuildFailed(what, "the compiler's log", "the text");
            case Fault::refused: throw Refused(what);
            case Fault::no_memory: throw std::bad_alloc();
            case Fault::null: return true;
        }
        return false;
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> calls_;
    std::size_t nth_ = 0;
    Fault fault_ = Fault::device_error;
    std::string failed_;
};

/// Counts as alive while it lives.
class Alive {
public:
    explicit Alive(std::shared_ptr<Ledger> ledger) : ledger_(std::move(ledger)) {
        ++ledger_->alive;
    }
    Alive(const Alive&) = delete;
    Alive& operator=(const Alive&) = delete;
    ~Alive() { --ledger_->alive; }

private:
    std::shared_ptr<Ledger> ledger_;
};

class FaultyDevice final : public Device {
public:
    FaultyDevice(std::unique_ptr<Device> real, std::shared_ptr<Ledger> ledger)
        : Device(real->info()),
          ledger_(std::move(ledger)),
          alive_(ledger_),
          real_(std::move(real)) {}

private:
    /// The same object, counted while it is referenced.
    template <class T>
    std::shared_ptr<T> counted(std::shared_ptr<T> object) const {
        if (!object) return nullptr;
        struct Held {
            std::shared_ptr<T> object;
            Alive alive;
        };
        T* const same = object.get();
        return {std::shared_ptr<Held>(new Held{std::move(object), Alive(ledger_)}), same};
    }

    class CountedHostMemory final : public HostMemory {
    public:
        CountedHostMemory(std::unique_ptr<HostMemory> real, const std::shared_ptr<Ledger>& ledger)
            : real_(std::move(real)), alive_(ledger) {}
        std::span<std::byte> bytes() override { return real_->bytes(); }

    private:
        std::unique_ptr<HostMemory> real_;
        Alive alive_;
    };

    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard,
                                        bool mapped) override {
        ledger_->pass("allocate");
        return counted(
            real_->allocate(bytes, guard, mapped ? Placement::mapped : Placement::device));
    }
    std::shared_ptr<Memory> do_allocate_image(const ImageExtents& image,
                                              ElementType type) override {
        ledger_->pass("allocate image");
        return counted(real_->allocate_image(image, type));
    }
    std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes, bool write_combined) override {
        ledger_->pass("page-locked");
        return std::make_unique<CountedHostMemory>(real_->page_locked(bytes, write_combined),
                                                   ledger_);
    }
    void do_write(std::span<const HostWrite> parts) override {
        for (std::size_t i = 0; i < parts.size(); ++i) ledger_->pass("write");
        real_->write(parts);
    }
    void do_read(std::span<const HostRead> parts) override {
        for (std::size_t i = 0; i < parts.size(); ++i) ledger_->pass("read");
        real_->read(parts);
    }
    std::shared_ptr<const Code> do_compile(const Program& program,
                                           std::string_view kernel) override {
        ledger_->pass("compile");
        return counted(real_->compile(program, kernel));
    }
    std::shared_ptr<const Code> do_load_again(const Code& code) override {
        if (ledger_->pass("load again")) return nullptr;
        return counted(real_->load_again(code));
    }
    unsigned do_expect_builds(std::size_t count) override { return real_->expect_builds(count); }
    void do_renew_queue() override {
        ledger_->pass("renew queue");
        real_->renew_queue();
    }
    Elapsed do_run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) override {
        ledger_->pass("run");
        return real_->run(commands, repeats, lead_in);
    }

    std::shared_ptr<Ledger> ledger_;
    Alive alive_;
    std::unique_ptr<Device> real_;
};

class FaultyBackend final : public Backend {
public:
    FaultyBackend(Backend& real, std::shared_ptr<Ledger> ledger)
        : real_(real), ledger_(std::move(ledger)) {}

    std::string_view name() const override { return real_.name(); }
    Inventory find() override { return real_.find(); }

private:
    std::unique_ptr<Device> do_open(const DeviceInfo& info, OpenOptions how) override {
        ledger_->pass("open");
        return std::make_unique<FaultyDevice>(real_.open(info, how), ledger_);
    }

    Backend& real_;
    std::shared_ptr<Ledger> ledger_;
};

}  // namespace parallax::fake

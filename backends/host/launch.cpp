// Runs one launch: its work-groups in a shuffled order, on several threads if there are many.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "backends/host/host_device.hpp"
#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/process/parallel.hpp"
#include "common/process/watchdog.hpp"

namespace parallax::host {
namespace {

/// The value of one parameter, maximally aligned.
struct alignas(128) Value {
    std::array<std::byte, 256> bytes{};
};

/// The arguments of a kernel.
class Values {
public:
    Values(const HostCode& code, const Dispatch& dispatch) {
        const LocalLayout local = local_layout(dispatch.arguments);
        std::size_t locals = 0;
        for (std::size_t i = 0; i < dispatch.arguments.size(); ++i) {
            const Argument& argument = dispatch.arguments[i];
            if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
                put(**memory, code.parameter_bytes(values_.size()));
            } else if (std::holds_alternative<LocalBytes>(argument)) {
                // The first is at the start of the block, which the kernel knows.
                const std::uint32_t offset = local.offsets.at(locals);
                if (locals++ > 0) put(std::as_bytes(std::span(&offset, 1)));
            } else {
                put(bytes_of(std::get<Scalar>(argument)));
            }
            for (const PointerMemory& one : dispatch.pointers) {
                if (one.argument != i) continue;
                const std::byte* const address =
                    buffer_of(*one.memory).at(static_cast<std::ptrdiff_t>(one.offset));
                std::memcpy(values_.back().bytes.data() + one.at, &address, sizeof(address));
            }
        }
        for (Value& value : values_) pointers_.push_back(value.bytes.data());
    }
    void** pointers() { return pointers_.data(); }

private:
    void put(const Memory& memory, std::size_t bytes) {
        if (const auto* const image = dynamic_cast<const HostImage*>(&memory)) {
            const ImageArgument& all = image->argument();
            // A kernel without samplers in its source gets one texture object.
            const std::uint64_t& own = all.textures.at(memory.image()->texture.bits());
            put(bytes == sizeof(own) ? std::as_bytes(std::span(&own, 1))
                                     : std::as_bytes(std::span(&all, 1)));
            return;
        }
        const std::byte* const address = buffer_of(memory).at(0);
        put(std::as_bytes(std::span(&address, 1)));
    }
    void put(std::span<const std::byte> bytes) {
        if (bytes.size() > sizeof(Value)) {
            throw Unsupported(fmt::format("An argument of {} bytes.", bytes.size()));
        }
        std::ranges::copy(bytes, values_.emplace_back().bytes.begin());
    }
    std::vector<Value> values_;
    std::vector<void*> pointers_;
};

unsigned narrow(std::uint64_t value) {
    return static_cast<unsigned>(value);
}

/// All work-groups of a launch, each once, in an order derived from the seed.
class Groups {
public:
    Groups(std::uint64_t count, std::uint64_t seed) : count_(count) {
        // Any stride that is coprime to the count visits all of them.
        const std::uint64_t start = (seed * 0x9e3779b97f4a7c15U) >> 20U;
        for (std::uint64_t one = start % count; one < start % count + 64; ++one) {
            if (std::gcd(one, count) == 1) {
                stride_ = one % std::max<std::uint64_t>(count, 2);
                break;
            }
        }
        first_ = start / 3 % count;
    }
    std::uint64_t at(std::uint64_t i) const { return (first_ + i * stride_) % count_; }

private:
    std::uint64_t count_, stride_ = 1, first_ = 0;
};

/// @param is_only_copy  whether all work-groups of the launch use this copy of the library: in
/// other copies the earlier access has another address
std::string described(const Race& race, const KernelModule& loaded, const Library& library,
                      Unset unset, bool is_only_copy) {
    const Access& other = race.earlier;
    std::string who = race.is_of_group ? "another one" : "one of another group";
    if (race.is_known) who = fmt::format("work-item {}", static_cast<unsigned>(other.item));
    if (race.is_known && !race.is_of_group)
        who += fmt::format(" of group {}", other.group - race.first_group);
    std::string line;
    if (race.is_of_group || is_only_copy)
        line = library.line_of({loaded.offset_of(other.code)}, unset);
    if (!line.empty()) line = " at " + line;
    return fmt::format(
        "a race: work-item {} {} {} byte(s) of {} memory that {} has {}{}, and nothing orders the "
        "two. {}",
        race.item, race.is_store ? "stores to" : "loads", race.bytes,
        race.is_local ? "local" : "global", who, race.was_store ? "stored to" : "loaded", line,
        race.is_of_group
            ? "Put a barrier between them, or use an atomic function."
            : "Groups of one launch wait for no others: use an atomic function, or two "
              "launches.");
}

/// For one launch, of which half its watchdog's limit is left for a second one.
double most_seconds() {
    const WatchdogState* const state = supervision().state;
    constexpr double share = 0.1, least = 4, most = 25;
    return state ? std::clamp(share * state->budget_seconds, least, most) : most;
}

/// A launch with fewer work-items needs no second thread.
constexpr std::uint64_t items_for_thread = 8192;

/// The work-groups of one launch, shared among threads.
class GroupLaunch {
public:
    /// @param shared  the buffers whose accesses are watched
    GroupLaunch(const Dispatch& dispatch, const Way& way, bool is_sanitized,
                std::vector<Shared> shared)
        : code_(static_cast<const HostCode&>(*dispatch.code)),
          all_(dispatch.geometry.groups),
          one_(dispatch.geometry.items),
          values_(code_, dispatch),
          symbols_(dispatch.symbols),
          local_(local_layout(dispatch.arguments).bytes),
          seed_(way.seed),
          unset_(way.unset),
          is_sanitized_(is_sanitized),
          shared_(std::move(shared)),
          order_(next_group.fetch_add(all_.product())),
          groups_(all_.product(), seed_),
          threads_(std::min({way.most_threads, std::uint64_t{usable_cores()},
                             std::uint64_t{code_.library().most_copies()}, all_.product(),
                             all_.product() * one_.product() / items_for_thread + 1})) {
        for (std::uint64_t i = 0; i < one_.product(); ++i) places_.push_back(place_in(one_, i));
    }

    std::uint64_t threads() const { return threads_; }

    /// Runs work-groups until there are no more. @throws DeviceError, Unsupported
    void work_through(WorkGroupExecutor& items) {
        const std::shared_ptr<KernelModule> loaded = code_.library().lease(unset_);
        const KernelModule::Call call = loaded->call_of(code_.kernel);
        const auto variable = [&](const SymbolMemory& one) {
            return loaded->variable(one.name, one.memory->bytes());
        };
        for (const SymbolMemory& one : symbols_) {
            std::memcpy(variable(one).data(), buffer_of(*one.memory).at(0), one.memory->bytes());
        }
        GroupWatch watch;
        const WorkGroupExecutor::Work work{
            .items = narrow(one_.product()),
            .goes_on = [&](unsigned item) { loaded->set_item(places_[item].data()); },
            .call = [&] { call(values_.pointers()); },
            .watch = is_sanitized_ ? &watch : nullptr};
        for (std::uint64_t i = next_++; i < all_.product(); i = next_++) {
            if (std::has_single_bit(i)) give_up_where_slow(i);
            const std::uint64_t group = groups_.at(i);
            if (is_sanitized_) {
                std::vector<Shared> here = loaded->shared(local_);
                here.insert(here.end(), shared_.begin(), shared_.end());
                watch.begin(order_, group, work.items, std::move(here));
            }
            run_group(group, items, work, *loaded);
        }
        for (const SymbolMemory& one : symbols_) {
            if (!one.is_written) continue;
            std::memcpy(buffer_of(*one.memory).at(0), variable(one).data(), one.memory->bytes());
        }
    }

    /// Stops the threads from taking more work-groups.
    void stop() { next_ = all_.product(); }

private:
    /// Estimates from the time of the first work-groups, which are a random sample.
    void give_up_where_slow(std::uint64_t done) const {
        constexpr double long_enough = 0.5;  // to extrapolate from
        const double seconds = seconds_since(begun_);
        const double all =
            seconds * static_cast<double>(all_.product()) / static_cast<double>(done);
        if (seconds < long_enough || all < most_seconds()) return;
        throw TooSlow(
            fmt::format("One launch of '{}' with {} work-items would take about {:.2g} s on the "
                        "host, and {:.2g} s are "
                        "allowed. Choose a smaller size, or give more time with --budget.",
                        code_.kernel, all_.product() * one_.product(), all, most_seconds()));
    }

    static std::array<unsigned, 3> place_in(const Size& size, std::uint64_t i) {
        return {narrow(i % size.x), narrow(i / size.x % size.y), narrow(i / size.x / size.y)};
    }

    void run_group(std::uint64_t group, WorkGroupExecutor& items,
                   const WorkGroupExecutor::Work& work, KernelModule& loaded) {
        const auto [x, y, z] = place_in(all_, group);
        const std::array<unsigned, 10> place{x,
                                             y,
                                             z,
                                             narrow(one_.x),
                                             narrow(one_.y),
                                             narrow(one_.z),
                                             narrow(all_.x),
                                             narrow(all_.y),
                                             narrow(all_.z),
                                             narrow(seed_ + group * 0x9e3779b9U)};
        loaded.set_group(place.data());
        loaded.poison_local(local_, seed_);
        std::string wrong;
        try {
            items.run(work, seed_ + (group << 16U));
            if (!loaded.is_whole_behind(local_, seed_)) {
                wrong = fmt::format(
                    "it writes past the end of its {} bytes of dynamic local memory.", local_);
            }
        } catch (const DeviceError& failed) {
            wrong = described(failed, items, loaded);
        } catch (const Unsupported& lack) {
            throw Unsupported(fmt::format("Kernel '{}': {}", code_.kernel, lack.what()));
        }
        if (wrong.empty()) return;
        throw DeviceError(
            fmt::format("Kernel '{}', group {}, {}, {}: {}", code_.kernel, x, y, z, wrong));
    }

    /// With the line where it happened, and a race in full.
    std::string described(const DeviceError& failed, const WorkGroupExecutor& items,
                          const KernelModule& loaded) const {
        const std::string wrong =
            items.race()
                ? host::described(*items.race(), loaded, code_.library(), unset_, threads_ == 1)
                : failed.what();
        std::vector<std::uintptr_t> offsets;
        for (const void* const in_code : items.trace())
            offsets.push_back(loaded.offset_of(in_code));
        const std::string line = code_.library().line_of(offsets, unset_);
        return line.empty() ? wrong : line + ": " + wrong;
    }

    // Devices use the same libraries one after the other.
    static inline std::atomic<std::uint64_t> next_group = 1;

    const HostCode& code_;
    const Size all_, one_;
    Values values_;
    const std::vector<SymbolMemory>& symbols_;
    const std::uint64_t local_, seed_;  // bytes of dynamic local memory
    const Unset unset_;
    const bool is_sanitized_;
    const std::vector<Shared> shared_;
    LaunchOrder order_;
    const Groups groups_;
    const std::uint64_t threads_;
    std::vector<std::array<unsigned, 3>> places_;  // of the work-items in their work-group
    std::atomic<std::uint64_t> next_ = 0;
    const HostClock::time_point begun_ = HostClock::now();
};

/// The bytes of all memory that a launch can change.
class Contents {
public:
    explicit Contents(const Dispatch& dispatch) {
        for (const Argument& argument : dispatch.arguments) {
            const auto* const memory = std::get_if<std::shared_ptr<Memory>>(&argument);
            if (memory) keep(**memory);
        }
        for (const SymbolMemory& one : dispatch.symbols) keep(*one.memory);
        for (const PointerMemory& one : dispatch.pointers) keep(*one.memory);
    }
    void put_back() const {
        for (const Kept& one : all_) std::ranges::copy(one.bytes, one.place.begin());
    }
    bool operator==(const Contents& other) const {
        return std::ranges::equal(all_, other.all_, {}, &Kept::bytes, &Kept::bytes);
    }
    /// Whether all bytes that differ are those that `Unset` sets: copied, and never computed with.
    bool differs_in_copies(const Contents& zeros) const {
        const auto is_copy = [](std::byte a, std::byte b) {
            return a == b || (a == std::byte{0xfe} && b == std::byte{0});
        };
        return std::ranges::equal(all_, zeros.all_, [&](const Kept& a, const Kept& b) {
            return std::ranges::equal(a.bytes, b.bytes, is_copy);
        });
    }

private:
    struct Kept {
        std::span<std::byte> place;
        std::vector<std::byte> bytes;
    };
    void keep(const Memory& memory) {
        const auto* const image = dynamic_cast<const HostImage*>(&memory);
        std::byte* const start = image ? image->texels() : buffer_of(memory).at(0);
        const std::span<std::byte> place(start, memory.bytes());
        all_.push_back({place, {place.begin(), place.end()}});
    }
    std::vector<Kept> all_;
};

}  // namespace

void HostDevice::launch(const Dispatch& dispatch) {
    const auto& code = static_cast<const HostCode&>(*dispatch.code);
    Library& library = code.library();
    const std::uint64_t seed = library.next_seed();
    if (!library.has_unset()) return launch_once(dispatch, {seed});
    const Contents before(dispatch);
    const auto after = [&](const Way& way) {
        before.put_back();
        launch_once(dispatch, way);
        return Contents(dispatch);
    };
    if (after({seed}) == after({seed, Unset::zeros})) return;
    // On one thread everything happens in the same order each time; remaining differences, for
    // example from a timer, are not caused by variables.
    const Contents patterns = after({seed, Unset::pattern, 1});
    const Contents zeros = after({seed, Unset::zeros, 1});
    if (patterns == zeros || !(patterns == after({seed, Unset::pattern, 1}))) return;
    if (library.has_structs() && patterns.differs_in_copies(zeros)) return;
    throw DeviceError(fmt::format(
        "Kernel '{}' reads a private variable before it sets it: with other bytes there, its "
        "results are others. It is one of these: {}. Give it a value where it is declared.",
        code.kernel, library.unset_of(code.kernel)));
}

void HostDevice::launch_once(const Dispatch& dispatch, const Way& way) {
    std::vector<Shared> shared;
    const auto watch = [&](const Memory& memory) {
        if (!is_sanitized_ || memory.image()) return;
        buffer_of(memory).forbid_around();
        shared.push_back(buffer_of(memory).shared());
    };
    for (const Argument& argument : dispatch.arguments) {
        if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) watch(**memory);
    }
    for (const PointerMemory& one : dispatch.pointers) watch(*one.memory);
    GroupLaunch all(dispatch, way, is_sanitized_, std::move(shared));
    while (items_.size() < all.threads()) items_.push_back(std::make_unique<WorkGroupExecutor>());
    if (all.threads() == 1) return all.work_through(*items_.front());
    std::mutex mutex;
    std::exception_ptr error;
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t i = 0; i < all.threads(); ++i) {
            threads.emplace_back([&, i] {
                try {
                    all.work_through(*items_[i]);
                } catch (...) {
                    all.stop();
                    const std::scoped_lock lock(mutex);
                    if (!error) error = std::current_exception();
                }
            });
        }
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace parallax::host

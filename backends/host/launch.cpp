// Runs one launch: its groups in a shuffled order, on several threads if there are many.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "backends/host/device.hpp"
#include "common/error.hpp"
#include "common/process/parallel.hpp"

namespace parallax::host {
namespace {

/// The value of one parameter, maximally aligned.
struct alignas(128) Value {
    std::array<std::byte, 256> bytes{};
};

/// The arguments of a kernel.
class Values {
public:
    Values(const HostCode& code, std::span<const Argument> arguments) {
        const LocalLayout local = local_layout(arguments);
        std::size_t locals = 0;
        for (const Argument& argument : arguments) {
            if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
                put(**memory, code.parameter_bytes(values_.size()));
            } else if (std::holds_alternative<LocalBytes>(argument)) {
                // The first is at the start of the block, which the kernel knows.
                const std::uint32_t offset = local.offsets.at(locals);
                if (locals++ > 0) put(std::as_bytes(std::span(&offset, 1)));
            } else {
                put(bytes_of(std::get<Scalar>(argument)));
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
            put(std::as_bytes(std::span(&all, 1)).first(std::min(bytes, sizeof(all))));
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

/// All groups of a launch, each once, in an order derived from the seed.
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

/// @param is_only_copy  whether all groups of the launch use this copy of the library: in other
/// copies the earlier access has another address
std::string described(const Race& race, const KernelModule& loaded, const Library& library,
                      bool is_only_copy) {
    const Access& other = race.earlier;
    std::string who = race.is_of_group ? "another one" : "one of another group";
    if (race.is_known) who = fmt::format("work-item {}", static_cast<unsigned>(other.item));
    if (race.is_known && !race.is_of_group)
        who += fmt::format(" of group {}", other.group - race.first_group);
    std::string line;
    if (race.is_of_group || is_only_copy) line = library.line_of({loaded.offset_of(other.code)});
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

/// A launch with fewer work-items needs no second thread.
constexpr std::uint64_t items_for_thread = 8192;

}  // namespace

void HostDevice::launch(const Dispatch& dispatch) {
    const auto& code = static_cast<const HostCode&>(*dispatch.code);
    const Geometry& geometry = dispatch.geometry;
    const Size all = geometry.groups, one = geometry.items;
    Values values(code, dispatch.arguments);
    const std::uint64_t local = local_layout(dispatch.arguments).bytes;
    const std::uint64_t seed = code.library().next_seed();
    std::vector<Shared> shared;
    for (const Argument& argument : dispatch.arguments) {
        const auto* const memory = std::get_if<std::shared_ptr<Memory>>(&argument);
        if (!is_sanitized_ || !memory || (*memory)->image()) continue;
        buffer_of(**memory).forbid_around();
        shared.push_back(buffer_of(**memory).shared());
    }
    // Devices use the same libraries one after the other.
    static std::atomic<std::uint64_t> next_group = 1;
    LaunchOrder order(next_group.fetch_add(all.product()), is_sanitized_ ? all.product() : 0);
    const Groups groups(all.product(), seed);

    std::vector<std::array<unsigned, 3>> places;
    for (std::uint64_t i = 0; i < one.product(); ++i) {
        places.push_back({narrow(i % one.x), narrow(i / one.x % one.y), narrow(i / one.x / one.y)});
    }

    const std::uint64_t cores = usable_cores();
    const std::uint64_t threads =
        std::min({cores, std::uint64_t{code.library().most_copies()}, all.product(),
                  all.product() * one.product() / items_for_thread + 1});
    std::atomic<std::uint64_t> next = 0;
    std::mutex mutex;
    std::exception_ptr error;
    const auto work_through = [&](WorkGroupExecutor& items) {
        const std::shared_ptr<KernelModule> loaded = code.library().lease();
        const KernelModule::Call call = loaded->call_of(code.kernel);
        GroupWatch watch;
        const WorkGroupExecutor::Work work{
            .items = narrow(one.product()),
            .goes_on = [&](unsigned item) { loaded->set_item(places[item].data()); },
            .call = [&] { call(values.pointers()); },
            .watch = is_sanitized_ ? &watch : nullptr};
        for (std::uint64_t i = next++; i < all.product(); i = next++) {
            const std::uint64_t group = groups.at(i);
            const std::array<unsigned, 10> place{narrow(group % all.x),
                                                 narrow(group / all.x % all.y),
                                                 narrow(group / all.x / all.y),
                                                 narrow(one.x),
                                                 narrow(one.y),
                                                 narrow(one.z),
                                                 narrow(all.x),
                                                 narrow(all.y),
                                                 narrow(all.z),
                                                 narrow(seed + group * 0x9e3779b9U)};
            if (is_sanitized_) {
                std::vector<Shared> here = loaded->shared(local);
                here.insert(here.end(), shared.begin(), shared.end());
                watch.begin(order, group, work.items, std::move(here));
            }
            loaded->set_group(place.data());
            loaded->poison_local(local, seed);
            std::string wrong;
            try {
                items.run(work, seed + (group << 16U));
                if (!loaded->is_whole_behind(local, seed)) {
                    wrong = fmt::format(
                        "it writes past the end of its {} bytes of dynamic local "
                        "memory.",
                        local);
                }
            } catch (const DeviceError& failed) {
                wrong = failed.what();
                if (items.race())
                    wrong = described(*items.race(), *loaded, code.library(), threads == 1);
                std::vector<std::uintptr_t> offsets;
                for (const void* const place_in_code : items.trace())
                    offsets.push_back(loaded->offset_of(place_in_code));
                const std::string line = code.library().line_of(offsets);
                if (!line.empty()) wrong = line + ": " + wrong;
            } catch (const Unsupported& lack) {
                throw Unsupported(fmt::format("Kernel '{}': {}", code.kernel, lack.what()));
            }
            if (!wrong.empty()) {
                throw DeviceError(fmt::format("Kernel '{}', group {}, {}, {}: {}", code.kernel,
                                              place[0], place[1], place[2], wrong));
            }
        }
    };
    while (items_.size() < threads) items_.push_back(std::make_unique<WorkGroupExecutor>());
    if (threads == 1) return work_through(*items_.front());
    {
        std::vector<std::jthread> crew;
        for (std::uint64_t i = 0; i < threads; ++i) {
            crew.emplace_back([&, i] {
                try {
                    work_through(*items_[i]);
                } catch (...) {
                    next = all.product();
                    const std::scoped_lock lock(mutex);
                    if (!error) error = std::current_exception();
                }
            });
        }
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace parallax::host

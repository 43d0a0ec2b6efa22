// Keeps one launch of CUDA: parameters, the memory that they point to, and the module's variables.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capture/cuda/cuda_state.hpp"
#include "common/text/demangled.hpp"

namespace parallax::capture::cuda {
namespace {

using Json = nlohmann::ordered_json;

/// Limits of a manifest.
constexpr std::size_t most_arguments = 200, most_value_bytes = 4096, most_variables = 256;
/// Limits for waiting for the commands before a launch, and for its own end: a longer wait may
/// depend on what the program does next.
constexpr double most_once = 10, most_in_all = 20;
constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr const char* waits = "a launch that did not end within 10 s, or the work before it";

/// An address within an argument's bytes.
struct Pointer {
    std::size_t at = 0, memory = 0;
    std::uint64_t offset = 0;  ///< within the memory
};

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t at) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    return word;
}

/// A parameter of the kernel.
struct Value {
    std::vector<std::byte> bytes;
    std::vector<Pointer> pointers;
    bool is_buffer = false;  ///< it is the address of its memory, which is named by it
};

/// An allocation that the launch can reach, or a variable of its module.
struct Memory {
    std::uint64_t address = 0, bytes = 0;
    bool is_named = false;                ///< a parameter is its address
    const Variable* variable = nullptr;   ///< it is one
    std::vector<std::byte> content = {};  ///< of a variable, before the launch
    std::string before = {}, after = {};  ///< files; none of a variable that stays as it was loaded
};

/// Waits for all work of the context, with older drivers of the stream alone.
/// @returns whether it ended in time
bool wait_for_work(const LaunchCall& call) {
    const Api& api = cuda().api;
    CUevent made = nullptr;
    api.cuEventCreate(&made, CU_EVENT_DISABLE_TIMING);
    const std::unique_ptr<CUevent_st, decltype(api.cuEventDestroy)> event(made, api.cuEventDestroy);
    if (!made ||
        !((api.cuCtxRecordEvent && api.cuCtxRecordEvent(call.context, made) == CUDA_SUCCESS) ||
          api.cuEventRecord(made, call.stream) == CUDA_SUCCESS)) {
        throw std::runtime_error("the end of the device's work cannot be seen");
    }
    const auto begin = std::chrono::steady_clock::now();
    while (api.cuEventQuery(made) == CUDA_ERROR_NOT_READY) {
        if (seconds_since(begin) > most_once || cuda().wait_seconds >= most_in_all) {
            cuda().wait_seconds = cuda().wait_seconds + seconds_since(begin);
            return false;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return true;
}

/// A stream of the layer's own, in which it reads.
class OwnStream {
public:
    explicit OwnStream(CUcontext context) {
        CudaState& s = cuda();
        StreamId id;
        if (s.api.cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS) return;
        // CUPTI makes no callback of calls within a callback: the stream alone names its commands.
        if (s.api.cuptiGetContextId(context, &id.first) != CUPTI_SUCCESS ||
            s.api.cuptiGetStreamIdEx(context, stream_, 0, &id.second) != CUPTI_SUCCESS) {
            return;
        }
        const std::scoped_lock lock(s.times_mutex);
        s.own_streams.insert(id);
    }
    OwnStream(const OwnStream&) = delete;
    OwnStream& operator=(const OwnStream&) = delete;
    ~OwnStream() {
        if (stream_) cuda().api.cuStreamDestroy(stream_);
    }
    bool read(std::uint64_t address, std::span<std::byte> to) const {
        const Api& api = cuda().api;
        return stream_ &&
               api.cuMemcpyAsync(reinterpret_cast<std::uintptr_t>(to.data()), address, to.size(),
                                 stream_) == CUDA_SUCCESS &&
               api.cuStreamSynchronize(stream_) == CUDA_SUCCESS;
    }

private:
    CUstream stream_ = nullptr;
};

/// Searches what is read for addresses: their targets would be elsewhere in another run. A target
/// may be memory that no launch had as an argument, and is in a block of addresses, 1 TiB each,
/// with what is read, or with known memory or between.
class AddressSearch {
public:
    /// @param near the address of what is read
    explicit AddressSearch(std::uint64_t near) : first_(near), last_(near) {
        constexpr std::uint64_t block = std::uint64_t{1} << 40;
        const std::scoped_lock lock(cuda().mutex);
        const auto& ranges = cuda().ranges;
        if (!ranges.empty()) {
            first_ = std::min(first_, ranges.begin()->first);
            last_ = std::max(last_, std::prev(ranges.end())->first);
        }
        first_ -= first_ % block;
        last_ += block - last_ % block;
    }
    void look(std::span<const std::byte> bytes) {
        for (std::size_t at = 0; at + word_bytes <= bytes.size(); at += word_bytes) {
            const std::uint64_t word = word_at(bytes, at);
            if (word < first_ || word >= last_ || tries_ == 0) continue;
            --tries_;
            if (range_of(word))
                throw std::runtime_error("addresses within the contents of a buffer");
        }
    }

private:
    std::uint64_t first_, last_;
    unsigned tries_ = 4096;
};

/// Stores an allocation.
std::string keep(const OwnStream& stream, std::uint64_t address, std::uint64_t bytes,
                 LastContent last) {
    const auto reader = [&](AddressSearch& search) {
        return [&stream, &search, at = address](std::span<std::byte> piece) mutable {
            if (!stream.read(at, piece)) return false;
            search.look(piece);
            at += piece.size();
            return true;
        };
    };
    AddressSearch search(address), again(address);
    std::string name = last.kept_again(*state().store, bytes, reader(search));
    if (name.empty()) name = state().store->keep(bytes, reader(again));
    last.name = name;
    const std::scoped_lock lock(cuda().mutex);
    cuda().last[{address, bytes}] = last;
    return name;
}

/// What was last read of an allocation.
LastContent last_of(std::uint64_t address, std::uint64_t bytes) {
    const std::scoped_lock lock(cuda().mutex);
    const auto found = cuda().last.find({address, bytes});
    return found == cuda().last.end() ? LastContent() : found->second;
}

/// Stores what has been read at an address.
std::string keep(std::uint64_t address, std::span<const std::byte> content) {
    AddressSearch(address).look(content);
    return state().store->keep(content.size(), [content](std::span<std::byte> piece) mutable {
        std::ranges::copy(content.first(piece.size()), piece.begin());
        content = content.subspan(piece.size());
        return true;
    });
}

class CudaContents final : public LaunchContents {
public:
    CudaContents(const LaunchCall&, std::shared_ptr<const Function>);
    std::string wait() override;
    void before() override;
    void wait_for_end() override;
    std::string after() override;
    std::vector<std::string> files(bool with_after) const override;
    std::uint64_t bytes() const override;

private:
    void check_launch();
    void add_value(std::span<const std::byte> bytes);
    std::size_t memory_at(std::pair<std::uint64_t, std::uint64_t> range);
    void find_variables(const OwnStream&);
    std::string type_of(std::size_t memory) const;
    Json json_of(Json& arguments) const;

    const LaunchCall call_;
    const std::shared_ptr<const Function> function_;
    std::vector<Value> values_;
    std::vector<Memory> memory_;  ///< allocations, then variables
};

/// The bytes of a parameter; nothing: the launch does not say them.
std::span<const std::byte> value_at(const LaunchCall& call, std::size_t index, std::size_t offset,
                                    std::size_t bytes) {
    if (call.parameters) return {static_cast<const std::byte*>(call.parameters[index]), bytes};
    const std::byte* packed = nullptr;
    std::size_t all = 0;
    for (void** at = call.packed; at && at[0] != CU_LAUNCH_PARAM_END; at += 2) {
        if (at[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) packed = static_cast<const std::byte*>(at[1]);
        if (at[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) all = *static_cast<const std::size_t*>(at[1]);
    }
    if (!packed || offset + bytes > all) return {};
    return {packed + offset, bytes};
}

CudaContents::CudaContents(const LaunchCall& call, std::shared_ptr<const Function> function)
    : call_(call), function_(std::move(function)) {
    for (std::size_t d = 0; d < 3; ++d) {
        local_.push_back(call.block.at(d));
        global_.push_back(std::uint64_t{call.grid.at(d)} * call.block.at(d));
    }
    form_ = fmt::format("{} {} {}{}", fmt::join(call.grid, ","), fmt::join(call.block, ","),
                        call.shared_bytes, call.is_cooperative ? " cooperative" : "");
    check_launch();
    std::string numbers;
    for (std::size_t i = 0; i < function_->parameters.size(); ++i) {
        const auto [offset, bytes] = function_->parameters[i];
        const std::span<const std::byte> value = value_at(call, i, offset, bytes);
        if (value.size() != bytes) {
            cannot("a launch that does not say its parameters");
            break;
        }
        add_value(value);
        // An address is not the same in each run: its allocation counts.
        std::vector<std::byte> masked = values_.back().bytes;
        for (const Pointer& one : values_.back().pointers) {
            std::memset(masked.data() + one.at, 0, word_bytes);
            form_ += fmt::format(" B{}:{}", one.memory, memory_[one.memory].bytes);
        }
        form_ += fmt::format(" V{}", bytes);
        numbers.append(reinterpret_cast<const char*>(masked.data()), masked.size());
    }
    key_ = form_ + '|' + numbers;
}

void CudaContents::check_launch() {
    cannot(function_->why_not);
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuda().api.cuStreamIsCapturing(call_.stream, &status);
    if (status != CU_STREAM_CAPTURE_STATUS_NONE) cannot("launches that are recorded into a graph");
    const std::scoped_lock lock(cuda().mutex);
    if (cuda().graphs > 0) cannot("launches while the program records a graph");
    if (call_.has_clusters) cannot("a launch with clusters of blocks");
    if (function_->parameters.size() + function_->variables.size() > most_variables)
        cannot("more than 256 parameters and variables of the module");
}

/// An address is eight bytes at a multiple of eight, alone or within a struct.
void CudaContents::add_value(std::span<const std::byte> bytes) {
    Value& value = values_.emplace_back();
    value.bytes.assign(bytes.begin(), bytes.end());
    if (bytes.size() > most_value_bytes) cannot("a parameter of more than 4096 bytes");
    for (std::size_t at = 0; at + word_bytes <= bytes.size(); at += word_bytes) {
        const std::uint64_t word = word_at(bytes, at);
        if (const auto range = range_of(word)) {
            value.pointers.push_back({at, memory_at(*range), word - range->first});
            continue;
        }
        const std::scoped_lock lock(cuda().mutex);
        if (cuda().textures.contains(word)) cannot("a texture or surface object as an argument");
    }
    if (value.pointers.empty() || bytes.size() != word_bytes) return;
    const Pointer& only = value.pointers.front();
    if (only.offset != 0 || memory_[only.memory].is_named) return;
    memory_[only.memory].is_named = value.is_buffer = true;
}

std::size_t CudaContents::memory_at(std::pair<std::uint64_t, std::uint64_t> range) {
    const auto known = std::ranges::find(memory_, range.first, &Memory::address);
    if (known != memory_.end()) return static_cast<std::size_t>(known - memory_.begin());
    memory_.push_back({.address = range.first, .bytes = range.second});
    if (range.second > state().settings.max_bytes)
        cannot("an allocation of more bytes than --max-bytes");
    const std::scoped_lock lock(cuda().mutex);
    if (cuda().foreign.contains(range.first)) cannot("memory of another process (IPC)");
    return memory_.size() - 1;
}

std::string CudaContents::wait() {
    return wait_for_work(call_) ? "" : waits;
}

void CudaContents::wait_for_end() {
    if (!wait_for_work(call_)) throw std::runtime_error(waits);
}

std::uint64_t CudaContents::bytes() const {
    std::uint64_t all = 0;
    for (const Memory& one : memory_) all += one.bytes;
    return all;
}

std::vector<std::string> CudaContents::files(bool with_after) const {
    std::vector<std::string> all;
    for (const Memory& one : memory_) {
        if (!one.before.empty()) all.push_back(one.before);
        if (!one.after.empty() && with_after) all.push_back(one.after);
    }
    return all;
}

void CudaContents::before() {
    const OwnStream stream(call_.context);
    for (Memory& one : memory_)
        one.before = keep(stream, one.address, one.bytes, last_of(one.address, one.bytes));
    find_variables(stream);
}

/// The module's variables are inputs, too. What the loader fills in is the same in a replay.
void CudaContents::find_variables(const OwnStream& stream) {
    const std::size_t buffers = memory_.size();
    for (const Variable& variable : function_->variables) {
        CUdeviceptr address = 0;
        std::size_t bytes = 0;
        if (variable.is_address ||
            cuda().api.cuModuleGetGlobal(&address, &bytes, function_->module,
                                         variable.name.c_str()) != CUDA_SUCCESS ||
            bytes != variable.bytes) {
            continue;
        }
        for (const Memory& one : std::span(memory_).first(buffers)) {
            if (address - one.address < one.bytes)
                throw std::runtime_error("the address of a variable as an argument");
        }
        Memory one{.address = address, .bytes = bytes, .variable = &variable};
        one.content.resize(bytes);
        if (!stream.read(address, one.content))
            throw std::runtime_error("a variable that cannot be read");
        const bool is_initial =
            variable.initial.empty()
                ? std::ranges::all_of(one.content, [](std::byte b) { return b == std::byte{}; })
                : std::ranges::equal(one.content, variable.initial);
        if (!is_initial) one.before = keep(address, one.content);
        memory_.push_back(std::move(one));
    }
}

/// The type of a memory's elements, where the kernel's mangled name says it of the only parameter
/// that leads there; else bytes.
std::string CudaContents::type_of(std::size_t memory) const {
    const std::vector<std::string> parameters = demangled(function_->name).parameters;
    ScalarName type;
    std::size_t pointers = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        for (const Pointer& one : values_[i].pointers) {
            if (one.memory != memory) continue;
            ++pointers;
            if (values_[i].is_buffer && i < parameters.size()) type = pointee_of(parameters[i]);
        }
    }
    const bool fits = type.bytes > 0 && memory_[memory].bytes % type.bytes == 0;
    return std::string(pointers == 1 && fits ? type.name : "uchar");
}

/// The arguments of a manifest, and its key `cuda`.
Json CudaContents::json_of(Json& arguments) const {
    Json cuda_side{{"cubin", state().store->keep_text(function_->image->bytes(), ".cubin")},
                   {"arguments", Json::array()}};
    const auto name_of = [](std::size_t place) { return fmt::format("memory_{}", place); };
    for (std::size_t i = 0; i < memory_.size(); ++i) {
        const Memory& memory = memory_[i];
        if (memory.before.empty()) continue;
        Json one{{"name", name_of(i)},
                 {"type", type_of(i)},
                 {"bytes", memory.bytes},
                 {"fill", {{"file", memory.before}}}};
        if (memory.after != memory.before) one["after"] = memory.after;
        one["use"] = memory.after != memory.before ? "in_out" : "input";
        arguments.push_back(std::move(one));
        if (memory.variable) cuda_side["symbols"][name_of(i)] = memory.variable->name;
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const Value& value = values_[i];
        if (value.is_buffer) {
            cuda_side["arguments"].push_back(name_of(value.pointers.front().memory));
            continue;
        }
        Json one{{"name", fmt::format("value_{}", i)}, {"hex", hex(value.bytes)}};
        for (const Pointer& pointer : value.pointers) {
            one["pointers"].push_back(
                {{"at", pointer.at}, {"to", name_of(pointer.memory)}, {"offset", pointer.offset}});
        }
        cuda_side["arguments"].push_back(one["name"]);
        arguments.push_back(std::move(one));
    }
    if (call_.shared_bytes > 0) {
        arguments.push_back(
            {{"name", "shared"}, {"type", "uchar"}, {"local_bytes", call_.shared_bytes}});
        cuda_side["arguments"].push_back("shared");
    }
    return cuda_side;
}

std::string CudaContents::after() {
    const OwnStream stream(call_.context);
    for (Memory& one : memory_) {
        if (!one.variable) {
            one.after = keep(stream, one.address, one.bytes, last_of(one.address, one.bytes));
            continue;
        }
        std::vector<std::byte> now(one.bytes);
        if (!stream.read(one.address, now))
            throw std::runtime_error("a variable that cannot be read");
        if (one.before.empty() && now == one.content) continue;
        one.before = keep(one.address, one.content);
        one.after = keep(one.address, now);
    }
    Json arguments = Json::array();
    Json cuda_side = json_of(arguments);
    if (arguments.size() > most_arguments)
        throw std::runtime_error("more than 200 arguments and variables");
    Json json{
        {"parallax", "manifest"},
        {"version", 1},
        {"name", ""},
        {"cuda", std::move(cuda_side)},
        {"sizes", {{"names", {"items"}}, {"timed", {{global_[0] * global_[1] * global_[2]}}}}},
        {"kernel", function_->name},
        {"arguments", std::move(arguments)},
        {"items", local_},
        {"groups", call_.grid}};
    if (call_.is_cooperative) json["cooperative"] = true;
    // The compiler's names may have characters that names of files and cases have not.
    std::string name = function_->name;
    for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    }
    return write_case(name, json);
}

}  // namespace

std::unique_ptr<LaunchContents> contents_of(const LaunchCall& call,
                                            std::shared_ptr<const Function> function) {
    return std::make_unique<CudaContents>(call, std::move(function));
}

}  // namespace parallax::capture::cuda

// Keeps one launch: its arguments, and the contents of its buffers before and after.
#include "capture/snapshot.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/device/build_options.hpp"

namespace parallax::capture {
namespace {

using Json = nlohmann::ordered_json;

template <class Handle>
Handle handle_in(const KernelArgument& argument) {
    Handle handle = nullptr;
    if (argument.value.size() == sizeof(handle)) {
        std::memcpy(&handle, argument.value.data(), sizeof(handle));
    }
    return handle;
}

}  // namespace

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += ' ';
        for (const char c : word) {
            if (c == ' ' || c == '\t' || c == '"' || c == '\'' || c == '\\') text += '\\';
            text += c;
        }
    }
    return text;
}

Snapshot::Snapshot(const LaunchCall& call, const KernelObject& kernel, const QueueObject& queue)
    : call_(call), kernel_(kernel), queue_(queue) {
    const State& s = state();
    for (cl_uint i = 0; i < std::min<cl_uint>(call.dimensions, 3); ++i) {
        offset_.push_back(call.offset ? call.offset[i] : 0);
        global_.push_back(call.global ? call.global[i] : 0);
        if (call.local) local_.push_back(call.local[i]);
    }
    form_ = fmt::format("{} {} {}", fmt::join(offset_, ","), fmt::join(global_, ","),
                        fmt::join(local_, ","));
    std::string values;
    cannot(kernel.text->why_not);
    cannot(kernel.why_not);
    struct Range {
        const void* base;
        std::uint64_t begin, end;
        std::size_t argument;
    };
    std::vector<Range> ranges;
    /// Adds the range of a new argument, and finds earlier ones that it overlaps.
    const auto add_range = [&](const Range& own, Buffer& buffer) {
        for (const Range& other : ranges) {
            if (other.base != own.base || other.begin >= own.end || own.begin >= other.end) {
                continue;
            }
            const std::optional<ImageForm>& form = items_[other.argument].buffer->image;
            const bool other_kind = form.has_value() != buffer.image.has_value() ||
                                    (form && (form->format != buffer.image->format ||
                                              form->region != buffer.image->region));
            if (other.begin != own.begin || other.end != own.end || other_kind) {
                cannot("buffers that overlap");
            } else if (!buffer.same_as) {
                buffer.same_as = other.argument;
            }
        }
        ranges.push_back(own);
    };
    for (const KernelArgument& argument : kernel_.arguments) {
        Item item{argument, {}, {}};
        const auto memory = s.memories.find(handle_in<cl_mem>(argument));
        const auto sampler = s.samplers.find(handle_in<cl_sampler>(argument));
        if (!argument.is_set) {
            cannot("an argument that was set by a function the layer does not see");
        } else if (!argument.why_not.empty()) {
            cannot(argument.why_not);
        } else if (argument.is_shared) {
            auto* const begin = handle_in<std::byte*>(argument);
            auto block = s.shared.upper_bound(begin);
            if (block != s.shared.begin()) --block;
            if (block == s.shared.end() || begin < block->first ||
                begin >= block->first + block->second) {
                cannot("an SVM pointer to memory that is not of clSVMAlloc");
                continue;
            }
            const auto origin = static_cast<std::uint64_t>(begin - block->first);
            Buffer buffer{nullptr, begin, block->second - origin, {}, {}, false, {}, {}};
            add_range({block->first, origin, block->second, items_.size()}, buffer);
            form_ += fmt::format(" B{}", buffer.bytes);
            item.buffer = buffer;
        } else if (argument.is_local) {
            form_ += fmt::format(" L{}", argument.local_bytes);
        } else if (memory != s.memories.end()) {
            const MemoryObject& object = memory->second;
            cannot(object.why_not);
            Buffer buffer{memory->first, nullptr, object.bytes, {}, {}, false, {}, object.image};
            cl_mem_flags flags = 0;
            s.next.clGetMemObjectInfo(buffer.memory, CL_MEM_FLAGS, sizeof(flags), &flags, nullptr);
            buffer.is_read_only = (flags & CL_MEM_READ_ONLY) != 0 && !object.image;
            add_range({object.parent ? object.parent : memory->first, object.origin,
                       object.origin + object.bytes, items_.size()},
                      buffer);
            item.buffer = buffer;
            form_ += fmt::format(" B{}", object.bytes);
            if (object.image) {
                form_ += fmt::format("{}{} {}", object.why_not, object.image->format,
                                     fmt::join(object.image->region, ","));
            }
        } else if (sampler != s.samplers.end()) {
            item.sampler = sampler->second;
            if (sampler->second.address.empty()) cannot("a sampler of an unknown kind");
            form_ += fmt::format(" S{} {} {}", sampler->second.normalized, sampler->second.address,
                                 sampler->second.filter);
        } else if (s.queues.contains(handle_in<cl_command_queue>(argument))) {
            cannot("a queue of the device as an argument");
        } else {
            form_ += fmt::format(" V{}", argument.value.size());
            values.append(reinterpret_cast<const char*>(argument.value.data()),
                          argument.value.size());
        }
        items_.push_back(std::move(item));
    }
    key_ = form_ + '|' + values;
    for (std::size_t i = 0; i < local_.size(); ++i) {
        if (local_[i] == 0 || global_[i] % local_[i] != 0) cannot("groups of unequal size");
    }
    if (std::ranges::find(global_, std::uint64_t{0}) != global_.end()) {
        cannot("a launch of no work-items");
    }
}

Store::Reader Snapshot::reader_of(const Buffer& buffer) {
    return [this, &buffer, at = std::uint64_t{0}](std::span<std::byte> piece) mutable {
        const cl_icd_dispatch& api = state().next;
        if (buffer.shared) {
            const std::byte* const from = buffer.shared + at;
            at += piece.size();
            return api.clEnqueueSVMMemcpy(call_.queue, CL_TRUE, piece.data(), from, piece.size(), 0,
                                          nullptr, nullptr) == CL_SUCCESS;
        }
        cl_int code = api.clEnqueueReadBuffer(call_.queue, buffer.memory, CL_TRUE, at, piece.size(),
                                              piece.data(), 0, nullptr, nullptr);
        if (code == CL_INVALID_OPERATION) {
            // The host has no read access to this buffer: it is copied to another one.
            const cl_mem copy =
                api.clCreateBuffer(queue_.context, CL_MEM_READ_WRITE, piece.size(), nullptr, &code);
            if (!copy) return false;
            code = api.clEnqueueCopyBuffer(call_.queue, buffer.memory, copy, at, 0, piece.size(), 0,
                                           nullptr, nullptr);
            if (code == CL_SUCCESS) {
                api.clFinish(call_.queue);
                code = api.clEnqueueReadBuffer(call_.queue, copy, CL_TRUE, 0, piece.size(),
                                               piece.data(), 0, nullptr, nullptr);
            }
            api.clReleaseMemObject(copy);
        }
        at += piece.size();
        return code == CL_SUCCESS;
    };
}

std::string Snapshot::read(const Buffer& buffer) {
    if (buffer.image) return keep_image(call_.queue, buffer.memory, *buffer.image, buffer.bytes);
    return state().store->keep(buffer.bytes, reader_of(buffer));
}

/// The content of a buffer before a launch. What stays is compressed once, but read each time: not
/// every change is visible to the layer.
std::string Snapshot::read_before(const Buffer& buffer) {
    if (buffer.shared || buffer.image) return read(buffer);
    const auto known = [&]() -> LastContent* {
        MemoryObject& object = state().memories[buffer.memory];
        return object.parent ? nullptr : &object.last;
    };
    LastContent last;
    {
        const std::scoped_lock lock(state().mutex);
        if (const LastContent* const one = known()) last = *one;
    }
    std::string before = last.kept_again(*state().store, buffer.bytes, reader_of(buffer));
    if (before.empty()) before = read(buffer);
    last.name = before;
    const std::scoped_lock lock(state().mutex);
    if (LastContent* const one = known()) *one = last;
    return before;
}

/// The content after the launch. To see that an input stayed takes less time than to compress it.
std::string Snapshot::read_after(const Buffer& buffer) {
    if (buffer.shared || buffer.image) return read(buffer);
    LastContent last{buffer.before};
    {
        const std::scoped_lock lock(state().mutex);
        last.changes = state().memories[buffer.memory].last.changes;
    }
    std::string after = last.kept_again(*state().store, buffer.bytes, reader_of(buffer));
    if (!after.empty()) return after;
    {
        const std::scoped_lock lock(state().mutex);
        state().memories[buffer.memory].last.changes = true;
    }
    return read(buffer);
}

Snapshot::~Snapshot() {
    if (event_) state().next.clReleaseEvent(event_);
}

std::string Snapshot::wait() {
    const cl_icd_dispatch& api = state().next;
    if (may_wait_for_program()) return "an event of the program's own was still to be set";
    if (call_.waits > 0) api.clWaitForEvents(call_.waits, call_.wait_list);
    api.clFinish(call_.queue);
    return {};
}

/// Whether the launch may depend on an event that the program has not yet set: if its dependencies
/// do not end soon.
bool Snapshot::may_wait_for_program() const {
    constexpr double most_once = 0.1, most_in_all = 0.5;
    State& s = state();
    {
        const std::scoped_lock lock(s.mutex);
        if (s.user_events.empty()) return false;
        for (cl_uint i = 0; i < call_.waits; ++i) {
            if (s.user_events.contains(call_.wait_list[i])) return true;
        }
        if (s.event_seconds > most_in_all) return true;
    }
    std::vector<cl_event> all(call_.wait_list, call_.wait_list + call_.waits);
    cl_event end = nullptr;
    // For all earlier commands, whatever the order of the queue.
    if (s.next.clEnqueueMarkerWithWaitList(call_.queue, 0, nullptr, &end) != CL_SUCCESS)
        return true;
    all.push_back(end);
    s.next.clFlush(call_.queue);
    const auto is_done = [&](cl_event event) {
        cl_int status = CL_COMPLETE;
        s.next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                              nullptr);
        return status <= CL_COMPLETE;
    };
    const auto begin = std::chrono::steady_clock::now();
    bool done = false;
    while (!(done = std::ranges::all_of(all, is_done)) && seconds_since(begin) < most_once) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    s.next.clReleaseEvent(end);
    const std::scoped_lock lock(s.mutex);
    if (!done) s.event_seconds += seconds_since(begin);
    return !done;
}

std::uint64_t Snapshot::bytes() const {
    std::uint64_t all = 0;
    for (const Item& item : items_) {
        if (item.buffer && !item.buffer->same_as) all += item.buffer->bytes;
    }
    return all;
}

std::vector<std::string> Snapshot::files(bool with_after) const {
    std::vector<std::string> all;
    for (const Item& item : items_) {
        if (!item.buffer || item.buffer->same_as) continue;
        all.push_back(item.buffer->before);
        if (with_after) all.push_back(item.buffer->after);
    }
    return all;
}

void Snapshot::before() {
    if (local_.empty()) choose_local();
    for (Item& item : items_) {
        if (item.buffer && !item.buffer->same_as) item.buffer->before = read_before(*item.buffer);
    }
}

Json Snapshot::json_of(Item& item) {
    Json json = Json::object();
    if (item.buffer && item.buffer->same_as) {
        json["same_as"] = *item.buffer->same_as;
    } else if (item.buffer) {
        item.buffer->after = read_after(*item.buffer);
        if (item.buffer->image) {
            for (const auto& [key, count] : item.buffer->image->extents) json["image"][key] = count;
            json["image"]["format"] = item.buffer->image->format;
        } else {
            json["bytes"] = item.buffer->bytes;
        }
        json["fill"]["file"] = item.buffer->before;
        json["after"] = item.buffer->after;
    } else if (item.sampler) {
        json["sampler"] = {{"normalized", item.sampler->normalized},
                           {"address", item.sampler->address},
                           {"filter", item.sampler->filter}};
    } else if (item.argument.is_local) {
        json["local_bytes"] = item.argument.local_bytes;
    } else {
        json["hex"] = hex(item.argument.value);
    }
    return json;
}

void Snapshot::wait_for_end() {
    state().next.clWaitForEvents(1, &event_);
}

std::string Snapshot::after() {
    const cl_icd_dispatch& api = state().next;
    cl_int status = CL_COMPLETE;
    api.clGetEventInfo(event_, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    if (status < 0) throw std::runtime_error("a launch that failed");
    Json arguments = Json::array();
    for (Item& item : items_) arguments.push_back(json_of(item));
    Store& store = *state().store;
    const BuildOptions options = parse_build_options(kernel_.text->options);
    Decided decided = decided_source(options);
    const std::string source = store.keep_text(decided.source, ".cl");
    std::vector<std::string> words = std::move(decided.words);
    words.insert(words.end(), options.words.begin(), options.words.end());
    if (!kernel_.text->is_whole) {
        for (const std::string& folder : options.folders) words.push_back("-I" + folder);
    }
    Json json{
        {"parallax", "manifest"},
        {"version", 1},
        {"name", ""},
        {"source", source},
        {"options", joined(words)},
        {"expand", true},
        {"sizes",
         {{"names", {"items"}},
          {"timed",
           {{global_[0] * (global_.size() > 1 ? global_[1] : 1) *
             (global_.size() > 2 ? global_[2] : 1)}}}}},
        {"kernel", kernel_.name},
        {"arguments", std::move(arguments)},
        {"items", local_},
        {"global", global_},
        {"offset", offset_},
    };
    if (!local_from_.empty())
        json["check"] = {"The size of a group was left open by the program; it is from " +
                         local_from_ + "."};
    return write_case(kernel_.name, json);
}

}  // namespace parallax::capture

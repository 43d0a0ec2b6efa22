// Tracks queues, times their commands transparently, and tracks data transfers.
#include <array>
#include <cstring>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "capture/state.hpp"

namespace parallax::capture {
namespace {

void put_queue(cl_command_queue queue, cl_context context, cl_device_id device, bool added,
               const cl_queue_properties* asked) {
    const auto text_of = [&](cl_device_info what) {
        std::array<char, 256> text{};
        state().next.clGetDeviceInfo(device, what, text.size() - 1, text.data(), nullptr);
        return std::string(text.data());
    };
    QueueObject object{context, device, added, {}};
    while (asked && *asked != 0) {
        object.asked.insert(object.asked.end(), {asked[0], asked[1]});
        asked += 2;
    }
    if (asked) object.asked.push_back(0);
    const std::string name = text_of(CL_DEVICE_NAME), driver = text_of(CL_DRIVER_VERSION);
    const std::scoped_lock lock(state().mutex);
    state().devices[name] = driver;
    state().queues[queue] = std::move(object);
}

cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties, cl_int* code) {
    const auto with = properties | CL_QUEUE_PROFILING_ENABLE;
    cl_command_queue queue = state().next.clCreateCommandQueue(context, device, with, code);
    const bool profiles = queue != nullptr;
    if (!queue) queue = state().next.clCreateCommandQueue(context, device, properties, code);
    quietly([&] {
        if (queue) {
            put_queue(queue, context, device, profiles && with != properties, nullptr);
        }
    });
    return queue;
}

cl_command_queue CL_API_CALL create_queue_with(cl_context context, cl_device_id device,
                                               const cl_queue_properties* properties,
                                               cl_int* code) {
    cl_command_queue_properties asked = 0;
    std::vector<cl_queue_properties> list;
    for (const cl_queue_properties* at = properties; at && *at != 0; at += 2) {
        if (at[0] == CL_QUEUE_PROPERTIES) {
            asked = at[1];
        } else {
            list.insert(list.end(), {at[0], at[1]});
        }
    }
    list.insert(list.end(), {CL_QUEUE_PROPERTIES, asked | CL_QUEUE_PROFILING_ENABLE, 0});
    const bool add = (asked & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE)) == 0;
    cl_command_queue queue = nullptr;
    if (add) {
        queue = state().next.clCreateCommandQueueWithProperties(context, device, list.data(), code);
    }
    const bool added = queue != nullptr;
    if (!queue) {
        queue = state().next.clCreateCommandQueueWithProperties(context, device, properties, code);
    }
    quietly([&] {
        if (queue) put_queue(queue, context, device, added, properties);
    });
    return queue;
}

cl_int CL_API_CALL queue_info(cl_command_queue queue, cl_command_queue_info name, size_t size,
                              void* value, size_t* size_ret) {
    std::vector<cl_queue_properties> asked;
    bool added = false;
    quietly([&] {
        const std::scoped_lock lock(state().mutex);
        const auto found = state().queues.find(queue);
        if (found == state().queues.end()) return;
        added = found->second.profiling_added;
        asked = found->second.asked;
    });
    if (added && name == CL_QUEUE_PROPERTIES_ARRAY) {
        const size_t bytes = asked.size() * sizeof(asked[0]);
        if (value && size < bytes) return CL_INVALID_VALUE;
        if (value && bytes > 0) std::memcpy(value, asked.data(), bytes);
        if (size_ret) *size_ret = bytes;
        return CL_SUCCESS;
    }
    const cl_int code = state().next.clGetCommandQueueInfo(queue, name, size, value, size_ret);
    if (added && code == CL_SUCCESS && name == CL_QUEUE_PROPERTIES && value) {
        cl_command_queue_properties properties;
        std::memcpy(&properties, value, sizeof(properties));
        properties &= ~static_cast<cl_command_queue_properties>(CL_QUEUE_PROFILING_ENABLE);
        std::memcpy(value, &properties, sizeof(properties));
    }
    return code;
}

cl_int CL_API_CALL profiling_info(cl_event event, cl_profiling_info name, size_t size, void* value,
                                  size_t* size_ret) {
    bool hidden = false;
    quietly([&] {
        cl_command_queue queue = nullptr;
        state().next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, nullptr);
        const std::scoped_lock lock(state().mutex);
        const auto found = state().queues.find(queue);
        hidden = found != state().queues.end() && found->second.profiling_added;
    });
    if (hidden) return CL_PROFILING_INFO_NOT_AVAILABLE;
    return state().next.clGetEventProfilingInfo(event, name, size, value, size_ret);
}

void after_waiting() {
    quietly([] {
        {
            const std::scoped_lock lock(state().mutex);
            harvest();
        }
        write_capture(When::rarely);
    });
}

cl_int CL_API_CALL release_queue(cl_command_queue queue) {
    quietly([&] {
        cl_uint references = 0;
        state().next.clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(references),
                                           &references, nullptr);
        const std::scoped_lock lock(state().mutex);
        harvest();
        if (references == 1) state().queues.erase(queue);
    });
    return state().next.clReleaseCommandQueue(queue);
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
    const cl_int code = state().next.clFinish(queue);
    after_waiting();
    return code;
}

cl_int CL_API_CALL wait(cl_uint count, const cl_event* events) {
    const cl_int code = state().next.clWaitForEvents(count, events);
    after_waiting();
    return code;
}

cl_event CL_API_CALL create_user_event(cl_context context, cl_int* code) {
    const cl_event event = state().next.clCreateUserEvent(context, code);
    quietly([&] {
        if (!event) return;
        const std::scoped_lock lock(state().mutex);
        state().user_events.insert(event);
    });
    return event;
}

cl_int CL_API_CALL release_event(cl_event event) {
    quietly([&] {
        {
            const std::scoped_lock lock(state().mutex);
            if (!state().user_events.contains(event)) return;
        }
        cl_uint references = 0;
        state().next.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(references),
                                    &references, nullptr);
        const std::scoped_lock lock(state().mutex);
        if (references == 1) state().user_events.erase(event);  // no command waits for it
    });
    return state().next.clReleaseEvent(event);
}

cl_int CL_API_CALL set_user_event(cl_event event, cl_int status) {
    const cl_int code = state().next.clSetUserEventStatus(event, status);
    quietly([&] {
        const std::scoped_lock lock(state().mutex);
        state().user_events.erase(event);
    });
    return code;
}

/// Enqueues a command with an event, the program's or the layer's, and remembers it.
/// @param blocking  it has ended when the call returns
template <class Call>
cl_int timed(Sum State::*where, std::uint64_t bytes, cl_command_queue queue, cl_event* event,
             cl_bool blocking, Call&& call) {
    cl_event own = nullptr;
    cl_event* const used = event ? event : &own;
    const cl_int code = call(used);
    quietly([&] {
        ++state().commands;
        if (code != CL_SUCCESS) return;
        const std::scoped_lock lock(state().mutex);
        Sum& sum = state().*where;
        ++sum.count;
        sum.bytes += bytes;
        if (event) state().next.clRetainEvent(*event);
        remember(queue, *used, sum, nullptr);
    });
    // Many programs only wait in their last transfer.
    if (blocking && code == CL_SUCCESS) after_waiting();
    return code;
}

std::uint64_t product(const size_t* region) {
    return std::uint64_t{region[0]} * region[1] * region[2];
}

std::uint64_t image_bytes(cl_mem image, const size_t* region) {
    size_t element = 0;
    state().next.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(element), &element, nullptr);
    return product(region) * element;
}

/// A command whose last arguments are its wait list and its event. The second one of a command that
/// can block says whether it does.
/// @param bytes_of  of the arguments after the queue
template <auto command, Sum State::*where, auto bytes_of, class... Arguments>
cl_int CL_API_CALL timed_command(cl_command_queue queue, Arguments... arguments) {
    std::tuple all(arguments...);
    cl_event*& event = std::get<sizeof...(Arguments) - 1>(all);
    cl_bool blocking = CL_FALSE;
    if constexpr (std::is_same_v<std::tuple_element_t<1, decltype(all)>, cl_bool>)
        blocking = std::get<1>(all);
    return timed(where, bytes_of(arguments...), queue, event, blocking, [&](cl_event* one) {
        event = one;
        return std::apply([&](auto... a) { return (state().next.*command)(queue, a...); }, all);
    });
}

template <auto command, Sum State::*where, auto bytes_of>
void time_command(cl_icd_dispatch& own) {
    own.*command = timed_command<command, where, bytes_of>;
}

void* CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
                             const cl_event* list, cl_event* event, cl_int* code) {
    void* mapped = nullptr;
    timed(&State::mapped, size, queue, event, blocking, [&](cl_event* one) {
        cl_int own = CL_SUCCESS;
        mapped = state().next.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
                                                 waits, list, one, &own);
        if (code) *code = own;
        return own;
    });
    return mapped;
}

void* CL_API_CALL map_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                            cl_map_flags flags, const size_t* origin, const size_t* region,
                            size_t* row, size_t* slice, cl_uint waits, const cl_event* list,
                            cl_event* event, cl_int* code) {
    void* mapped = nullptr;
    timed(&State::mapped, image_bytes(image, region), queue, event, blocking, [&](cl_event* one) {
        cl_int own = CL_SUCCESS;
        mapped = state().next.clEnqueueMapImage(queue, image, blocking, flags, origin, region, row,
                                                slice, waits, list, one, &own);
        if (code) *code = own;
        return own;
    });
    return mapped;
}

void leave_out(const std::string& reason) {
    quietly([&] {
        const std::scoped_lock lock(state().mutex);
        ++state().left_out[reason];
    });
}

cl_int CL_API_CALL native_kernel(cl_command_queue queue, void(CL_CALLBACK* function)(void*),
                                 void* arguments, size_t size, cl_uint count, const cl_mem* memory,
                                 const void** places, cl_uint waits, const cl_event* list,
                                 cl_event* event) {
    leave_out("a native kernel (a function of the host)");
    return state().next.clEnqueueNativeKernel(queue, function, arguments, size, count, memory,
                                              places, waits, list, event);
}

void* CL_API_CALL extension_for(cl_platform_id platform, const char* name) {
    void* function = state().next.clGetExtensionFunctionAddressForPlatform(platform, name);
    if (function) leave_out(fmt::format("calls of the extension function {}", name));
    return function;
}

void* CL_API_CALL extension(const char* name) {
    void* function = state().next.clGetExtensionFunctionAddress(name);
    if (function) leave_out(fmt::format("calls of the extension function {}", name));
    return function;
}

void time_transfers(cl_icd_dispatch& own) {
    using Api = cl_icd_dispatch;
    constexpr auto part = [](cl_mem, cl_bool, size_t, size_t size, auto...) { return size; };
    constexpr auto box = [](cl_mem, cl_bool, const size_t*, const size_t*, const size_t* region,
                            auto...) { return product(region); };
    constexpr auto texels = [](cl_mem image, cl_bool, const size_t*, const size_t* region,
                               auto...) { return image_bytes(image, region); };
    time_command<&Api::clEnqueueReadBuffer, &State::from_device, part>(own);
    time_command<&Api::clEnqueueWriteBuffer, &State::to_device, part>(own);
    time_command<&Api::clEnqueueReadBufferRect, &State::from_device, box>(own);
    time_command<&Api::clEnqueueWriteBufferRect, &State::to_device, box>(own);
    time_command<&Api::clEnqueueReadImage, &State::from_device, texels>(own);
    time_command<&Api::clEnqueueWriteImage, &State::to_device, texels>(own);
}

void time_copies(cl_icd_dispatch& own) {
    using Api = cl_icd_dispatch;
    constexpr auto none = [](auto...) { return std::uint64_t{0}; };
    constexpr auto size = [](cl_mem, auto, size_t, size_t, size_t bytes, auto...) { return bytes; };
    constexpr auto box = [](cl_mem, cl_mem, const size_t*, const size_t*, const size_t* region,
                            auto...) { return product(region); };
    constexpr auto image = [](cl_mem source, cl_mem, const size_t*, const size_t*,
                              const size_t* region,
                              auto...) { return image_bytes(source, region); };
    constexpr auto from_image = [](cl_mem source, auto, const size_t*, const size_t* region,
                                   auto...) { return image_bytes(source, region); };
    constexpr auto to_image = [](cl_mem, cl_mem target, size_t, const size_t*, const size_t* region,
                                 auto...) { return image_bytes(target, region); };
    time_command<&Api::clEnqueueCopyBuffer, &State::on_device, size>(own);
    time_command<&Api::clEnqueueFillBuffer, &State::on_device, size>(own);
    time_command<&Api::clEnqueueCopyBufferRect, &State::on_device, box>(own);
    time_command<&Api::clEnqueueCopyImage, &State::on_device, image>(own);
    time_command<&Api::clEnqueueCopyImageToBuffer, &State::on_device, from_image>(own);
    time_command<&Api::clEnqueueCopyBufferToImage, &State::on_device, to_image>(own);
    time_command<&Api::clEnqueueFillImage, &State::on_device, from_image>(own);
    time_command<&Api::clEnqueueMigrateMemObjects, &State::on_device, none>(own);
    time_command<&Api::clEnqueueUnmapMemObject, &State::mapped, none>(own);
}

}  // namespace

void hook_queues(cl_icd_dispatch& own) {
    own.clCreateCommandQueue = create_queue;
    own.clCreateCommandQueueWithProperties = create_queue_with;
    own.clGetCommandQueueInfo = queue_info;
    own.clGetEventProfilingInfo = profiling_info;
    own.clReleaseCommandQueue = release_queue;
    own.clFinish = finish;
    own.clWaitForEvents = wait;
    own.clCreateUserEvent = create_user_event;
    own.clSetUserEventStatus = set_user_event;
    own.clReleaseEvent = release_event;
    own.clEnqueueMapBuffer = map_buffer;
    own.clEnqueueMapImage = map_image;
    time_transfers(own);
    time_copies(own);
    own.clEnqueueNativeKernel = native_kernel;
    own.clGetExtensionFunctionAddress = extension;
    own.clGetExtensionFunctionAddressForPlatform = extension_for;
}

}  // namespace parallax::capture

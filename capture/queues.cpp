// Tracks queues, times their commands transparently, and tracks data transfers.
#include <array>
#include <cstring>

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

cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               size_t offset, size_t size, void* data, cl_uint waits,
                               const cl_event* list, cl_event* event) {
    return timed(&State::from_device, size, queue, event, blocking, [&](cl_event* one) {
        return state().next.clEnqueueReadBuffer(queue, buffer, blocking, offset, size, data, waits,
                                                list, one);
    });
}

cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                size_t offset, size_t size, const void* data, cl_uint waits,
                                const cl_event* list, cl_event* event) {
    return timed(&State::to_device, size, queue, event, blocking, [&](cl_event* one) {
        return state().next.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, data, waits,
                                                 list, one);
    });
}

cl_int CL_API_CALL read_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             const size_t* origin, const size_t* host_origin, const size_t* region,
                             size_t row, size_t slice, size_t host_row, size_t host_slice,
                             void* data, cl_uint waits, const cl_event* list, cl_event* event) {
    return timed(&State::from_device, product(region), queue, event, blocking, [&](cl_event* one) {
        return state().next.clEnqueueReadBufferRect(queue, buffer, blocking, origin, host_origin,
                                                    region, row, slice, host_row, host_slice, data,
                                                    waits, list, one);
    });
}

cl_int CL_API_CALL write_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                              const size_t* origin, const size_t* host_origin, const size_t* region,
                              size_t row, size_t slice, size_t host_row, size_t host_slice,
                              const void* data, cl_uint waits, const cl_event* list,
                              cl_event* event) {
    return timed(&State::to_device, product(region), queue, event, blocking, [&](cl_event* one) {
        return state().next.clEnqueueWriteBufferRect(queue, buffer, blocking, origin, host_origin,
                                                     region, row, slice, host_row, host_slice, data,
                                                     waits, list, one);
    });
}

cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem source, cl_mem target, size_t from,
                               size_t to, size_t size, cl_uint waits, const cl_event* list,
                               cl_event* event) {
    return timed(&State::on_device, size, queue, event, CL_FALSE, [&](cl_event* one) {
        return state().next.clEnqueueCopyBuffer(queue, source, target, from, to, size, waits, list,
                                                one);
    });
}

cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                               size_t pattern_size, size_t offset, size_t size, cl_uint waits,
                               const cl_event* list, cl_event* event) {
    return timed(&State::on_device, size, queue, event, CL_FALSE, [&](cl_event* one) {
        return state().next.clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size,
                                                waits, list, one);
    });
}

cl_int CL_API_CALL read_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                              const size_t* origin, const size_t* region, size_t row, size_t slice,
                              void* data, cl_uint waits, const cl_event* list, cl_event* event) {
    return timed(&State::from_device, image_bytes(image, region), queue, event, blocking,
                 [&](cl_event* one) {
                     return state().next.clEnqueueReadImage(queue, image, blocking, origin, region,
                                                            row, slice, data, waits, list, one);
                 });
}

cl_int CL_API_CALL write_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                               const size_t* origin, const size_t* region, size_t row, size_t slice,
                               const void* data, cl_uint waits, const cl_event* list,
                               cl_event* event) {
    return timed(&State::to_device, image_bytes(image, region), queue, event, blocking,
                 [&](cl_event* one) {
                     return state().next.clEnqueueWriteImage(queue, image, blocking, origin, region,
                                                             row, slice, data, waits, list, one);
                 });
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

cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem memory, void* mapped, cl_uint waits,
                         const cl_event* list, cl_event* event) {
    return timed(&State::mapped, 0, queue, event, CL_FALSE, [&](cl_event* one) {
        return state().next.clEnqueueUnmapMemObject(queue, memory, mapped, waits, list, one);
    });
}

// Variants of these commands for rectangles and images.

cl_int CL_API_CALL copy_rect(cl_command_queue queue, cl_mem source, cl_mem target,
                             const size_t* from, const size_t* to, const size_t* region, size_t row,
                             size_t slice, size_t to_row, size_t to_slice, cl_uint waits,
                             const cl_event* list, cl_event* event) {
    return timed(&State::on_device, product(region), queue, event, CL_FALSE, [&](cl_event* one) {
        return state().next.clEnqueueCopyBufferRect(queue, source, target, from, to, region, row,
                                                    slice, to_row, to_slice, waits, list, one);
    });
}

cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem source, cl_mem target,
                              const size_t* from, const size_t* to, const size_t* region,
                              cl_uint waits, const cl_event* list, cl_event* event) {
    return timed(&State::on_device, image_bytes(source, region), queue, event, CL_FALSE,
                 [&](cl_event* one) {
                     return state().next.clEnqueueCopyImage(queue, source, target, from, to, region,
                                                            waits, list, one);
                 });
}

cl_int CL_API_CALL copy_image_to_buffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                        const size_t* from, const size_t* region, size_t to,
                                        cl_uint waits, const cl_event* list, cl_event* event) {
    return timed(&State::on_device, image_bytes(image, region), queue, event, CL_FALSE,
                 [&](cl_event* one) {
                     return state().next.clEnqueueCopyImageToBuffer(queue, image, buffer, from,
                                                                    region, to, waits, list, one);
                 });
}

cl_int CL_API_CALL copy_buffer_to_image(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                        size_t from, const size_t* to, const size_t* region,
                                        cl_uint waits, const cl_event* list, cl_event* event) {
    return timed(&State::on_device, image_bytes(image, region), queue, event, CL_FALSE,
                 [&](cl_event* one) {
                     return state().next.clEnqueueCopyBufferToImage(queue, buffer, image, from, to,
                                                                    region, waits, list, one);
                 });
}

cl_int CL_API_CALL fill_image(cl_command_queue queue, cl_mem image, const void* colour,
                              const size_t* origin, const size_t* region, cl_uint waits,
                              const cl_event* list, cl_event* event) {
    return timed(&State::on_device, image_bytes(image, region), queue, event, CL_FALSE,
                 [&](cl_event* one) {
                     return state().next.clEnqueueFillImage(queue, image, colour, origin, region,
                                                            waits, list, one);
                 });
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

cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint count, const cl_mem* memory,
                           cl_mem_migration_flags flags, cl_uint waits, const cl_event* list,
                           cl_event* event) {
    return timed(&State::on_device, 0, queue, event, CL_FALSE, [&](cl_event* one) {
        return state().next.clEnqueueMigrateMemObjects(queue, count, memory, flags, waits, list,
                                                       one);
    });
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
    own.clEnqueueReadBuffer = read_buffer;
    own.clEnqueueWriteBuffer = write_buffer;
    own.clEnqueueReadBufferRect = read_rect;
    own.clEnqueueWriteBufferRect = write_rect;
    own.clEnqueueCopyBuffer = copy_buffer;
    own.clEnqueueFillBuffer = fill_buffer;
    own.clEnqueueReadImage = read_image;
    own.clEnqueueWriteImage = write_image;
    own.clEnqueueMapBuffer = map_buffer;
    own.clEnqueueUnmapMemObject = unmap;
    own.clEnqueueCopyBufferRect = copy_rect;
    own.clEnqueueCopyImage = copy_image;
    own.clEnqueueCopyImageToBuffer = copy_image_to_buffer;
    own.clEnqueueCopyBufferToImage = copy_buffer_to_image;
    own.clEnqueueFillImage = fill_image;
    own.clEnqueueMapImage = map_image;
    own.clEnqueueMigrateMemObjects = migrate;
    own.clEnqueueNativeKernel = native_kernel;
    own.clGetExtensionFunctionAddress = extension;
    own.clGetExtensionFunctionAddressForPlatform = extension_for;
}

}  // namespace parallax::capture

// Tracks buffers and other arguments of kernels: images, pipes, samplers.
#include "capture/state.hpp"

namespace parallax::capture {
namespace {

cl_mem put(cl_mem memory, MemoryObject object) {
    quietly([&] {
        if (!memory) return;
        const std::scoped_lock lock(state().mutex);
        state().memories[memory] = std::move(object);
    });
    return memory;
}

MemoryObject buffer_of(std::uint64_t bytes) {
    return {bytes, nullptr, 0, {}, {}};
}

MemoryObject not_kept(const char* why_not) {
    return {0, nullptr, 0, why_not, {}};
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                                 cl_int* code) {
    return put(state().next.clCreateBuffer(context, flags, size, host, code), buffer_of(size));
}

cl_mem CL_API_CALL create_buffer_with(cl_context context, const cl_mem_properties* properties,
                                      cl_mem_flags flags, size_t size, void* host, cl_int* code) {
    return put(
        state().next.clCreateBufferWithProperties(context, properties, flags, size, host, code),
        buffer_of(size));
}

cl_mem CL_API_CALL create_sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* info, cl_int* code) {
    const cl_mem memory = state().next.clCreateSubBuffer(parent, flags, type, info, code);
    if (!memory || type != CL_BUFFER_CREATE_TYPE_REGION) return memory;
    const auto& region = *static_cast<const cl_buffer_region*>(info);
    return put(memory, {region.size, parent, region.origin, {}, {}});
}

cl_mem put_image(cl_mem image, const cl_image_format* format, cl_mem of_buffer = nullptr) {
    quietly([&] {
        if (!image) return;
        MemoryObject object = image_object(image, *format, of_buffer);
        {
            const std::scoped_lock lock(state().mutex);
            const auto part = state().memories.find(of_buffer);
            // Texels of a sub-buffer are in the whole buffer.
            if (part != state().memories.end() && part->second.parent) {
                object.parent = part->second.parent;
                object.origin = part->second.origin;
            }
        }
        put(image, std::move(object));
    });
    return image;
}

cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags,
                                const cl_image_format* format, const cl_image_desc* shape,
                                void* host, cl_int* code) {
    const cl_mem image = state().next.clCreateImage(context, flags, format, shape, host, code);
    return put_image(image, format, image ? shape->mem_object : nullptr);
}

cl_mem CL_API_CALL create_image_with(cl_context context, const cl_mem_properties* properties,
                                     cl_mem_flags flags, const cl_image_format* format,
                                     const cl_image_desc* shape, void* host, cl_int* code) {
    const cl_mem image = state().next.clCreateImageWithProperties(context, properties, flags,
                                                                  format, shape, host, code);
    return put_image(image, format, image ? shape->mem_object : nullptr);
}

cl_mem CL_API_CALL create_image_2d(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* format, size_t width, size_t height,
                                   size_t pitch, void* host, cl_int* code) {
    return put_image(
        state().next.clCreateImage2D(context, flags, format, width, height, pitch, host, code),
        format);
}

cl_mem CL_API_CALL create_image_3d(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* format, size_t width, size_t height,
                                   size_t depth, size_t row_pitch, size_t slice_pitch, void* host,
                                   cl_int* code) {
    return put_image(state().next.clCreateImage3D(context, flags, format, width, height, depth,
                                                  row_pitch, slice_pitch, host, code),
                     format);
}

cl_mem CL_API_CALL create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet, cl_uint most,
                               const cl_pipe_properties* properties, cl_int* code) {
    return put(state().next.clCreatePipe(context, flags, packet, most, properties, code),
               not_kept("a pipe as an argument"));
}

void* CL_API_CALL allocate(cl_context context, cl_svm_mem_flags flags, size_t size,
                           cl_uint alignment) {
    void* const memory = state().next.clSVMAlloc(context, flags, size, alignment);
    quietly([&] {
        if (!memory) return;
        const std::scoped_lock lock(state().mutex);
        state().shared[static_cast<std::byte*>(memory)] = size;
    });
    return memory;
}

void CL_API_CALL free_shared(cl_context context, void* memory) {
    quietly([&] {
        const std::scoped_lock lock(state().mutex);
        state().shared.erase(static_cast<std::byte*>(memory));
    });
    state().next.clSVMFree(context, memory);
}

cl_sampler put(cl_sampler sampler) {
    quietly([&] {
        if (!sampler) return;
        SamplerForm form = sampler_form(sampler);
        const std::scoped_lock lock(state().mutex);
        state().samplers[sampler] = std::move(form);
    });
    return sampler;
}

cl_sampler CL_API_CALL create_sampler(cl_context context, cl_bool normalized,
                                      cl_addressing_mode addressing, cl_filter_mode filter,
                                      cl_int* code) {
    return put(state().next.clCreateSampler(context, normalized, addressing, filter, code));
}

cl_sampler CL_API_CALL create_sampler_with(cl_context context,
                                           const cl_sampler_properties* properties, cl_int* code) {
    return put(state().next.clCreateSamplerWithProperties(context, properties, code));
}

}  // namespace

void hook_memory(cl_icd_dispatch& own) {
    own.clCreateBuffer = create_buffer;
    own.clCreateBufferWithProperties = create_buffer_with;
    own.clCreateSubBuffer = create_sub_buffer;
    own.clCreateImage = create_image;
    own.clCreateImageWithProperties = create_image_with;
    own.clCreateImage2D = create_image_2d;
    own.clCreateImage3D = create_image_3d;
    own.clCreatePipe = create_pipe;
    own.clReleaseMemObject =
        release_known<&cl_icd_dispatch::clReleaseMemObject, &cl_icd_dispatch::clGetMemObjectInfo,
                      CL_MEM_REFERENCE_COUNT, &State::memories>;
    own.clSVMAlloc = allocate;
    own.clSVMFree = free_shared;
    own.clCreateSampler = create_sampler;
    own.clCreateSamplerWithProperties = create_sampler_with;
    own.clReleaseSampler =
        release_known<&cl_icd_dispatch::clReleaseSampler, &cl_icd_dispatch::clGetSamplerInfo,
                      CL_SAMPLER_REFERENCE_COUNT, &State::samplers>;
}

}  // namespace parallax::capture

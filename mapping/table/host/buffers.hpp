// Buffers and images on the host: making, copying, filling, mapping, giving back.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule host_buffers[] = {
    {"clCreateBuffer", "cudaMalloc",
     "An OpenCL driver may put the allocation off until a command uses the buffer, and fail "
     "only then; cudaMalloc says at once that there is not enough.", nearly,
     "buffer, allocate, allocation, cl::Buffer, cl::Memory, clCreateBufferWithProperties, "
     "cuMemAlloc, CL_INVALID_BUFFER_SIZE, CL_INVALID_MEM_OBJECT",
     {{"backends/opencl/opencl_device.cpp",
       "CL_MEM_READ_WRITE | (mapped ? CL_MEM_ALLOC_HOST_PTR"},
      {"backends/cuda/cuda_device.cpp", "const cudaError_t code = cudaMalloc(&base_, whole);"}}},
    {"CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE", "",
     "These flags say what kernels do with the buffer and not what the host does; CUDA has only "
     "const __restrict__ on the kernel's parameter.", none,
     "memory flags, cl_mem_flags, CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_*, read-only buffer",
     {{"backends/opencl/opencl_device.cpp",
       "texels_ = cl::Buffer(shared_->context, CL_MEM_READ_ONLY, bytes());"}}},
    {"CL_MEM_COPY_HOST_PTR", "cudaMalloc and cudaMemcpy",
     "OpenCL can fill a buffer as it is made and is done with the host's memory when the call "
     "returns; in CUDA these are two steps.", nearly, "initial data, cl::copy"},
    {"clEnqueueWriteBuffer", "cudaMemcpyAsync with cudaMemcpyHostToDevice",
     "OpenCL's call names the direction and a byte offset; CUDA's takes two addresses, target "
     "first, and a direction that must fit them.", nearly,
     "write, upload, host to device, cudaMemcpyHostToDevice, cudaMemcpyAsync, cudaMemcpyKind, "
     "cudaMemcpyDefault, cuMemcpyHtoD, cuMemcpyHtoDAsync",
     {{"backends/opencl/run.cpp",
       "queue.enqueueWriteBuffer(buffer_of(*copy.target).whole(), CL_FALSE"},
      {"backends/cuda/cuda_device.cpp", "cudaMemcpyAsync(ours, data.data(), data.size(), cudaMemcpyHostToDevice,"}}},
    {"clEnqueueReadBuffer", "cudaMemcpyAsync with cudaMemcpyDeviceToHost",
     "The host may look at the bytes only after waiting, although a small or pageable copy "
     "often seems to be there already.", nearly,
     "read, download, device to host, cudaMemcpyDeviceToHost, cuMemcpyDtoH, cuMemcpyDtoHAsync",
     {{"backends/opencl/run.cpp",
       "queue.enqueueReadBuffer(buffer_of(*copy.source).whole(), CL_FALSE"},
      {"backends/cuda/cuda_device.cpp", "cudaMemcpyAsync(data.data(), ours, data.size(), cudaMemcpyDeviceToHost,"}}},
    {"clEnqueueCopyBuffer", "cudaMemcpyAsync with cudaMemcpyDeviceToDevice",
     "Ranges that overlap are an error in OpenCL (CL_MEM_COPY_OVERLAP) and undefined without a "
     "word in CUDA.", nearly,
     "copy, device to device, cudaMemcpyDeviceToDevice, cuMemcpyDtoD, cuMemcpyDtoDAsync, "
     "CL_MEM_COPY_OVERLAP",
     {{"backends/opencl/run.cpp", "queue.enqueueCopyBuffer("},
      {"backends/cuda/run.cpp", "cudaMemcpyDeviceToDevice"}}},
    {"", "cudaMemcpyBatchAsync",
     "Many copies go with one call; in OpenCL each is a command of its own, or one of a command "
     "buffer.", none, "batched copies, cudaMemcpy3DBatchAsync, cuMemcpyBatchAsync"},
    {"", "cuMemAddressReserve, cuMemCreate, cuMemMap",
     "A range of addresses is reserved first and gets memory piece by piece, so that a buffer can "
     "grow; OpenCL's buffers keep their size: make a larger one and copy.", none,
     "virtual memory, virtual memory management, cuMemSetAccess, cuMemUnmap, cuMemAddressFree, "
     "cuMemRelease"},
    {"", "cudaMallocAsync",
     "Memory of CUDA's pools is there for work that comes later in the same stream, and other "
     "streams need an event between; OpenCL has no allocation in a queue's order.", none,
     "memory pool, cudaMemPool*, cudaMallocFromPoolAsync, cuMemAllocAsync, stream-ordered "
     "allocation, suballocation"},
    {"clEnqueueWriteBufferRect, clEnqueueReadBufferRect, clEnqueueCopyBufferRect",
     "cudaMemcpy2DAsync, cudaMemcpy3DAsync",
     "OpenCL's rectangles have three dimensions; widths are in bytes on both sides, and so are "
     "OpenCL's origins in x; a pitch of 0 means rows without gaps in OpenCL and is an error in "
     "CUDA.", nearly,
     "cudaMemcpy3D*, cudaMemcpy2D*, rectangle, 2D copy, cudaMemcpy2D, cuMemcpy2D, cudaMemcpy3D, "
     "cudaExtent, cl::array, cl::size_type, cl::size_t, origin, region, make_cudaExtent"},
    {"clEnqueueFillBuffer", "cudaMemsetAsync",
     "OpenCL repeats a pattern of 1 to 128 bytes, cudaMemset the lowest byte of an int, so that "
     "1 gives 0x01010101; the driver API has 16 and 32 bits.", nearly,
     "cudaMemset2D*, cudaMemset3D*, fill, memset, clear, zero, cudaMemset, cuMemsetD8, "
     "cuMemsetD32, cuMemsetD32Async, cuMemsetD16, clEnqueueSVMMemFill, pattern",
     {{"backends/opencl/run.cpp", "queue.enqueueFillBuffer("},
      {"backends/cuda/run.cpp", "cudaMemsetAsync(fill.target, fill.value"}}},
    {"clEnqueueMapBuffer, clEnqueueUnmapMemObject", "",
     "While a buffer is mapped for writing no kernel may use it, and what the host wrote counts "
     "only after the unmapping; CUDA's mapped memory has one pointer all the time.", none,
     "map, unmap, mapping, CL_MAP_*, clEnqueueMapImage, unmapMemObject",
     {{"backends/opencl/opencl_device.cpp", "shared_->queue.enqueueMapBuffer(buffer_, CL_TRUE"},
      {"backends/opencl/opencl_device.cpp", "if (clEnqueueUnmapMemObject(shared_->queue(), buffer_()"}}},
    {"clCreateImage", "cudaMallocArray",
     "A cudaArray has a layout of its own and no address; kernels read it through a texture "
     "object that is made besides, while an OpenCL image is one object.", nearly,
     "clCreateImageWithProperties, clCreateImage3D, clGetImageInfo, cudaArrayGetInfo, make "
     "image, cl::Image2D, cl::Image3D, cl::Image2DArray, clCreateImage2D, cudaArray_t, cudaArray, CUarray, "
     "cuArrayCreate, cl_image_desc, cudaFreeArray, cudaMipmappedArray_t, CL_MEM_OBJECT_*",
     {{"backends/opencl/opencl_device.cpp", "flat_ = cl::Image2D(shared_->context, flags, format"},
      {"backends/cuda/image.cpp", "cudaMallocArray(&array_, &format"}}},
    {"CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D",
     "cudaMalloc3DArray with cudaArrayLayered or without",
     "OpenCL's descriptor counts layers by themselves (image_array_size); CUDA's extent has them "
     "as its depth, and a flag tells layers from a third dimension.", nearly,
     "cudaMalloc3DArray, cudaArrayLayered, layered texture, image array, image_array_size, "
     "cuArray3DCreate"},
    {"cl_image_format", "cudaChannelFormatDesc",
     "OpenCL names an order and a type of channels and drivers support some pairs only "
     "(clGetSupportedImageFormats); CUDA gives bits a channel, one, two or four of them.", nearly,
     "image format, channel, channels, cl::ImageFormat, cl_channel_type, CL_RGBA, CL_R, CL_RG, CL_BGRA, "
     "CL_FLOAT, CL_HALF_FLOAT, CL_SIGNED_INT*, CL_UNSIGNED_INT*, CL_UNORM_INT*, CL_SNORM_INT*, "
     "cudaChannelFormatKind, cudaChannelFormatKind*, cudaCreateChannelDesc, "
     "clGetSupportedImageFormats, CL_IMAGE_FORMAT_NOT_SUPPORTED",
     {{"backends/opencl/opencl_device.cpp", "const cl::ImageFormat format("},
      {"backends/cuda/image.cpp", "cudaChannelFormatDesc format_of("}}},
    {"CL_MEM_OBJECT_IMAGE1D_BUFFER", "cudaResourceTypeLinear",
     "Both look at a buffer as texels without filtering, and both end far below the buffer's "
     "own largest size; OpenCL's can be written as well.", nearly,
     "buffer image, image1d_buffer_t, cl::Image1DBuffer, linear texture, tex1Dfetch",
     {{"backends/opencl/opencl_device.cpp", "line_ = cl::Image1DBuffer(shared_->context"},
      {"backends/cuda/image.cpp", "resource.resType = cudaResourceTypeLinear;"}}},
    {"clCreateSampler", "cudaTextureDesc",
     "One image can be read through several samplers in OpenCL; a texture object has its one, "
     "and without normalised coordinates neither side wraps or mirrors.", nearly,
     "clGetSamplerInfo, sampler, cl_sampler, cl::Sampler, cl_addressing_mode, clCreateSamplerWithProperties, "
     "cudaTextureAddressMode, cudaAddressMode*, cudaFilterMode*, cudaReadMode*, CL_ADDRESS_*, "
     "CL_FILTER_*, filtering, interpolation, normalized coordinates, address mode, filter mode, "
     "CU_TR_*",
     {{"backends/opencl/run.cpp", "known = cl::Sampler(shared_->context"},
      {"backends/cuda/image.cpp", "how.filterMode = sampler.is_linear"}}},
    {"image as a kernel's argument", "cudaCreateTextureObject",
     "An OpenCL kernel is given the image itself; in CUDA a texture object is made of a "
     "resource and a description, passed by value, and must not outlive the memory behind it.",
     nearly,
     "cudaResourceDesc, cudaResourceType*, cudaDestroyTextureObject, cuTexObjectCreate, "
     "cudaBindTexture, texture reference",
     {{"backends/opencl/opencl_device.cpp", "if (image) return image->handle();"},
      {"backends/cuda/image.cpp", "cudaCreateTextureObject(&texture, &resource, &how, nullptr)"}}},
    {"clEnqueueWriteImage", "cudaMemcpy2DToArrayAsync",
     "OpenCL's region counts texels; CUDA's width and offset in x count bytes.", nearly,
     "cudaMemcpyToArray*, upload image, cudaMemcpy2DToArray, cudaMemcpyToArray, "
     "clEnqueueCopyBufferToImage, cuMemcpy2D",
     {{"backends/opencl/opencl_device.cpp", "enqueueWriteImage("},
      {"backends/cuda/image.cpp", "cudaMemcpy2DToArrayAsync("}}},
    {"clEnqueueReadImage", "cudaMemcpy2DFromArrayAsync",
     "The row pitch is the host's on both sides: 0 means rows without gaps in OpenCL, and CUDA "
     "wants the number of bytes.", nearly,
     "cudaMemcpyFromArray*, download image, cudaMemcpy2DFromArray, cudaMemcpyFromArray, "
     "clEnqueueCopyImageToBuffer",
     {{"backends/opencl/opencl_device.cpp", "enqueueReadImage("},
      {"backends/cuda/image.cpp", "cudaMemcpy2DFromArrayAsync("}}},
    {"clEnqueueCopyImage", "cudaMemcpy2DArrayToArray",
     "OpenCL's origins and region count texels, CUDA's offset in x and width count bytes; this "
     "call knows no stream, cudaMemcpy3DAsync does.", nearly, "copy an image"},
    {"clEnqueueFillImage", "",
     "CUDA has no call that fills an array: copy from a filled buffer, or let a kernel write its "
     "surface.", none, "fill an image, clear an image"},
    {"clGetMemObjectInfo", "cudaPointerGetAttributes, cuMemGetAddressRange",
     "OpenCL answers for a handle and knows its size and flags; CUDA answers for any address, "
     "the runtime where it lies and the driver API how large the allocation is.", nearly,
     "memory object query, CL_MEM_SIZE, CL_MEM_FLAGS, CL_MEM_TYPE, cuPointerGetAttribute, "
     "cudaMemoryType*"},
    {"clCreatePipe", "",
     "Pipes are optional since OpenCL 3.0, and CUDA has none: a ring in global memory with "
     "atomics does the same.", none, "pipe, clGetPipeInfo, CL_MEM_OBJECT_PIPE, FIFO between kernels"},
    {"clCreateFromGLBuffer", "cudaGraphicsGLRegisterBuffer",
     "Both must be told when computing begins and ends; CUDA's mapping waits for OpenGL's "
     "earlier commands, and OpenCL's acquiring needs a glFinish before it unless "
     "cl_khr_gl_event is there.", nearly,
     "OpenGL, interoperability, cl_khr_gl_sharing, clEnqueueAcquireGLObjects, "
     "clEnqueueReleaseGLObjects, clCreateFromGLTexture, cudaGraphics*"},
    {"CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR", "cudaImportExternalMemory",
     "OpenCL imports by a property of clCreateBufferWithProperties (cl_khr_external_memory) and "
     "acquires before each use; CUDA maps a pointer into what it imported "
     "(cudaExternalMemoryGetMappedBuffer).", nearly,
     "Vulkan, external memory, cl_khr_external_memory, clEnqueueAcquireExternalMemObjectsKHR, "
     "cudaExternalMemory*, CL_EXTERNAL_MEMORY_HANDLE_*, cuImportExternalMemory"},
    {"clEnqueueWaitSemaphoresKHR, clEnqueueSignalSemaphoresKHR",
     "cudaWaitExternalSemaphoresAsync, cudaSignalExternalSemaphoresAsync",
     "They order work with another API on the same device; OpenCL's come with "
     "cl_khr_external_semaphore, which few drivers have.", nearly,
     "external semaphore, cl_khr_external_semaphore, cl_khr_semaphore, "
     "cudaImportExternalSemaphore, cudaExternalSemaphore*"},
    {"", "cudaIpcGetMemHandle",
     "A CUDA allocation can be opened by another process; OpenCL's core has no word for it.",
     none, "IPC, inter-process, cudaIpc*, cuIpcGetMemHandle, shared between processes"},
    {"clReleaseMemObject", "cudaFree",
     "OpenCL counts references, and commands under way hold their own; CUDA memory has one "
     "owner, and cudaFree may wait for the whole device (cudaFreeAsync does not).", nearly,
     "release, retain, reference count, free, clRetainMemObject, clRetain*, clRelease*, "
     "cuMemFree, cudaFreeAsync, clSetMemObjectDestructorCallback, lifetime, cudaStreamDestroy, "
     "cuStreamDestroy, clReleaseCommandQueue",
     {{"backends/cuda/cuda_device.cpp", "cudaFree(base_);"}}},
};

}  // namespace parallax::row_lists

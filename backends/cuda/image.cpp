// Images on a CUDA device: an array or linear memory, and the texture object that kernels read.
#include <fmt/format.h>

#include "backends/cuda/device.hpp"
#include "common/error.hpp"

namespace parallax::cuda {
namespace {

cudaChannelFormatDesc format_of(unsigned channels, ElementType type) {
    const cudaChannelFormatKind kind = type == ElementType::f32   ? cudaChannelFormatKindFloat
                                       : type == ElementType::i32 ? cudaChannelFormatKindSigned
                                                                  : cudaChannelFormatKindUnsigned;
    const int others = channels == 4 ? 32 : 0;
    return {32, others, others, others, kind};
}

/// Throws what a failed allocation becomes.
void check_allocation(Context& context, cudaError_t code, const char* call, std::size_t bytes) {
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        std::size_t free = 0, total = 0;
        CHECK(context, cudaMemGetInfo(&free, &total));
        throw UsageError(fmt::format(
            "An image of {} bytes: the device has {} of {} left. Choose a smaller size, or end "
            "what else uses the device.",
            bytes, free, total));
    }
    context.check(code, call);
}

}  // namespace

const CudaImage& image_of(const Memory& memory, const Context& context) {
    const auto* ours = dynamic_cast<const CudaImage*>(&memory);
    if (!ours || ours->context().ordinal() != context.ordinal()) {
        throw UsageError("The image belongs to another device. Allocate it on this one.");
    }
    return *ours;
}

CudaImage::CudaImage(std::shared_ptr<Context> context, const ImageExtents& extents,
                     ElementType type)
    : Memory(extents, type), context_(std::move(context)) {
    context_->use();
    if (extents.height > 0) {
        const cudaChannelFormatDesc format = format_of(extents.channels, type);
        check_allocation(*context_,
                         cudaMallocArray(&array_, &format, extents.width, extents.height, 0),
                         "cudaMallocArray", bytes());
    } else {
        check_allocation(*context_, cudaMalloc(&linear_, bytes()), "cudaMalloc", bytes());
    }
    try {
        make_texture(type);
    } catch (...) {
        release();
        throw;
    }
}

CudaImage::~CudaImage() {
    if (context_->use_quietly()) release();
}

void CudaImage::make_texture(ElementType type) {
    cudaResourceDesc resource{};
    if (array_) {
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array_;
    } else {
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = linear_;
        resource.res.linear.desc = format_of(image()->channels, type);
        resource.res.linear.sizeInBytes = bytes();
    }
    cudaTextureDesc how{};
    for (cudaTextureAddressMode& mode : how.addressMode) mode = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = 0;
    CHECK(*context_, cudaCreateTextureObject(&texture_, &resource, &how, nullptr));
}

void CudaImage::release() noexcept {
    if (texture_) cudaDestroyTextureObject(texture_);
    if (array_) cudaFreeArray(array_);
    if (linear_) cudaFree(linear_);
    cudaGetLastError();
}

void CudaImage::write(const std::byte* from) {
    context_->use();
    if (array_) {
        CHECK(*context_, cudaMemcpy2DToArrayAsync(array_, 0, 0, from, row_bytes(), row_bytes(),
                                                  image()->height, cudaMemcpyHostToDevice,
                                                  context_->stream()));
    } else {
        CHECK(*context_,
              cudaMemcpyAsync(linear_, from, bytes(), cudaMemcpyHostToDevice, context_->stream()));
    }
    CHECK(*context_, cudaStreamSynchronize(context_->stream()));
}

void CudaImage::read(std::byte* to) const {
    context_->use();
    if (array_) {
        CHECK(*context_, cudaMemcpy2DFromArrayAsync(to, row_bytes(), array_, 0, 0, row_bytes(),
                                                    image()->height, cudaMemcpyDeviceToHost,
                                                    context_->stream()));
    } else {
        CHECK(*context_,
              cudaMemcpyAsync(to, linear_, bytes(), cudaMemcpyDeviceToHost, context_->stream()));
    }
    CHECK(*context_, cudaStreamSynchronize(context_->stream()));
}

std::shared_ptr<Memory> CudaDevice::do_allocate_image(const ImageExtents& extents,
                                                      ElementType type) {
    return std::make_shared<CudaImage>(context_, extents, type);
}

}  // namespace parallax::cuda

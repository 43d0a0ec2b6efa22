// Images on a CUDA device: an array or linear memory, with texture objects for kernels.
#include <fmt/format.h>

#include "backends/cuda/cuda_device.hpp"
#include "common/error.hpp"

namespace parallax::cuda {
namespace {

cudaChannelFormatDesc format_of(unsigned channels, ElementType type) {
    const cudaChannelFormatKind kind = is_floating(type) ? cudaChannelFormatKindFloat
                                       : is_signed(type) ? cudaChannelFormatKindSigned
                                                         : cudaChannelFormatKindUnsigned;
    const int bits = static_cast<int>(8 * size_of(type));
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

/// Throws the exception for a failed allocation.
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
    : Memory(extents, type), context_(std::move(context)), type_(type), argument_(extents, type) {
    context_->use();
    const cudaChannelFormatDesc format = format_of(extents.channels, type);
    const unsigned how = (extents.is_written ? cudaArraySurfaceLoadStore : 0U) |
                         (extents.is_array ? cudaArrayLayered : 0U);
    if (extents.depth > 0) {
        const cudaExtent extent{extents.width, extents.height, extents.depth};
        check_allocation(*context_, cudaMalloc3DArray(&array_, &format, extent, how),
                         "cudaMalloc3DArray", bytes());
    } else if (extents.height > 0) {
        check_allocation(*context_,
                         cudaMallocArray(&array_, &format, extents.width, extents.height, how),
                         "cudaMallocArray", bytes());
    } else {
        check_allocation(*context_, cudaMalloc(&linear_, bytes()), "cudaMalloc", bytes());
    }
    try {
        const Sampler own = array_ ? image()->texture : Sampler{};
        argument_.textures.at(own.bits()) = made_texture(own);
    } catch (...) {
        release();
        throw;
    }
}

CudaImage::~CudaImage() {
    if (context_->use_quietly()) release();
}

cudaResourceDesc CudaImage::resource() const {
    cudaResourceDesc resource{};
    if (array_) {
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array_;
    } else {
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = linear_;
        resource.res.linear.desc = format_of(image()->channels, type_);
        resource.res.linear.sizeInBytes = bytes();
    }
    return resource;
}

cudaTextureObject_t CudaImage::made_texture(const Sampler& sampler) const {
    constexpr std::array addresses{cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap,
                                   cudaAddressModeMirror};
    const cudaResourceDesc resource = this->resource();
    cudaTextureDesc how{};
    for (cudaTextureAddressMode& mode : how.addressMode) {
        mode = addresses.at(static_cast<std::size_t>(sampler.address));
    }
    how.filterMode = sampler.is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = image()->is_normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = sampler.is_normalized ? 1 : 0;
    cudaTextureObject_t texture = 0;
    CHECK(*context_, cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

const ImageArgument& CudaImage::argument() const {
    if (is_whole_) return argument_;
    context_->use();
    const ImageExtents& extents = *image();
    const bool is_mixed = is_floating(type_) || extents.is_normalized;
    for (std::uint32_t bits = 0; array_ && bits < Sampler::count; ++bits) {
        const Sampler sampler = Sampler::of(bits);
        // Integers are not interpolated.
        if (!sampler.is_possible() || (sampler.is_linear && !is_mixed)) continue;
        if (argument_.textures.at(bits) == 0) argument_.textures.at(bits) = made_texture(sampler);
    }
    if (extents.is_written && argument_.surface == 0) {
        const cudaResourceDesc resource = this->resource();
        cudaSurfaceObject_t made = 0;
        CHECK(*context_, cudaCreateSurfaceObject(&made, &resource));
        argument_.surface = made;
    }
    is_whole_ = true;
    return argument_;
}

void CudaImage::release() noexcept {
    for (const cudaTextureObject_t texture : argument_.textures) {
        if (texture) cudaDestroyTextureObject(texture);
    }
    if (argument_.surface) cudaDestroySurfaceObject(argument_.surface);
    if (array_) cudaFreeArray(array_);
    if (linear_) cudaFree(linear_);
    cudaGetLastError();
}

/// A copy of all slices: with arrays its extent counts texels.
cudaMemcpy3DParms CudaImage::copy() const {
    cudaMemcpy3DParms copy{};
    copy.extent = {image()->width, image()->height, image()->depth};
    return copy;
}

void CudaImage::write(const std::byte* from) {
    context_->use();
    if (image()->depth > 0) {
        cudaMemcpy3DParms all = copy();
        // A source pointer, which is only read.
        all.srcPtr = {const_cast<std::byte*>(from), row_bytes(), image()->width, image()->height};
        all.dstArray = array_;
        all.kind = cudaMemcpyHostToDevice;
        CHECK(*context_, cudaMemcpy3DAsync(&all, context_->stream()));
    } else if (array_) {
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
    if (image()->depth > 0) {
        cudaMemcpy3DParms all = copy();
        all.srcArray = array_;
        all.dstPtr = {to, row_bytes(), image()->width, image()->height};
        all.kind = cudaMemcpyDeviceToHost;
        CHECK(*context_, cudaMemcpy3DAsync(&all, context_->stream()));
    } else if (array_) {
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

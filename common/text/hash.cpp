// Hashes with the XXH3 library.
#include "common/text/hash.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace parallax {
namespace {

std::string digits_of(const XXH128_hash_t& hash) {
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

struct Hasher::State {
    XXH3_state_t xxh;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
    XXH3_128bits_reset(&state_->xxh);
}
Hasher::~Hasher() = default;

void Hasher::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::string Hasher::digits() const {
    return digits_of(XXH3_128bits_digest(&state_->xxh));
}

std::string hash_of(std::string_view text) {
    return digits_of(XXH3_128bits(text.data(), text.size()));
}

}  // namespace parallax

// Hashes of sources and of kernel results.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace parallax {

/// 128-bit hash (XXH3) of bytes that are added in parts.
class Hasher {
public:
    Hasher();
    ~Hasher();
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    void add(std::span<const std::byte>);
    /// 32 hex digits.
    std::string digits() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The hash of a text: 32 hex digits.
std::string hash_of(std::string_view text);

}  // namespace parallax

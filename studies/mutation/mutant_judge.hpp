// Verifies one mutant in this process.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "common/device/backend.hpp"
#include "measure/reference_data.hpp"
#include "studies/mutation/mutate.hpp"

namespace parallax {

/// The result of one mutant.
enum class End : std::uint8_t {
    not_tried,
    not_built,  ///< the compiler of the first suitable device rejects it
    same_code,  ///< NVRTC generates the same code: it is no different kernel
    lived,
    wrong,    ///< verification reports a wrong result or damaged memory
    refused,  ///< the launch is rejected
    died      ///< its process crashed, lost the device, or exceeded the time limit
};
inline constexpr std::array<std::string_view, 7> names_of_ends{
    "not tried", "not built", "same code", "lived", "wrong", "refused", "died"};

constexpr std::string_view name_of(End end) {
    return names_of_ends[static_cast<std::size_t>(end)];
}

/// The end that a result of deal() names; not_tried: none.
constexpr End end_of(std::string_view result) {
    for (std::size_t i = 1; i < names_of_ends.size(); ++i)
        if (result.starts_with(names_of_ends[i])) return static_cast<End>(i);
    return End::not_tried;
}

/// Whether it was detected.
constexpr bool is_noticed(End end) {
    return end >= End::wrong;
}

/// A case that can detect a mutant, and its unmodified program.
struct JudgedCase {
    Case the_case;
    Program program;
};

/// Compiles without a device; null: there is none, and no two codes are known to be the same.
const Backend* device_free_compiler(std::span<const std::unique_ptr<Backend>>);

/// Tries the mutant with all cases that can detect it (at least one, otherwise those whose code
/// differs according to `compiler`), until one does: on the suite's check shapes and on the case's
/// own, as `parallax run --check` does.
/// @param check_interrupt  called before each build and each launch
/// @param is_glance  only one case, with small shapes
/// @return not_tried where the device supports none of the cases; never died
/// @throws DeviceError: device and process are unusable from here on
End judge(Device&, std::span<const JudgedCase>, const Mutant&, ReferenceCache&,
          const std::function<void()>& check_interrupt, const Backend* compiler,
          bool is_glance = false);

}  // namespace parallax

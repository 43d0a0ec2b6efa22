// Common code of all library calls.
#include "backends/cuda/library_code.hpp"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/library_text.hpp"

namespace parallax::cuda {

std::uint64_t extent_of(const Scalar& scalar) {
    return std::visit(
        [](const auto& value) -> std::uint64_t {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_integral_v<Value>) {
                if (std::in_range<std::uint64_t>(value)) return static_cast<std::uint64_t>(value);
            }
            throw UsageError("A call of a library takes numbers that say how many.");
        },
        scalar);
}

const LibraryCode::Form& LibraryCode::choose(std::span<const Form> forms, std::string_view name) {
    const auto found = std::ranges::find(forms, name, &Form::name);
    if (found == forms.end()) {
        throw Unsupported(fmt::format("{} is not asked for '{}'.", library_, name));
    }
    kernel = name;
    form_ = *found;
    return form_;
}

void LibraryCode::check(const Dispatch& dispatch) const {
    std::size_t pointers = 0;
    for (const Argument& argument : dispatch.arguments) {
        pointers += std::holds_alternative<std::shared_ptr<Memory>>(argument);
        const auto* const scalar = std::get_if<Scalar>(&argument);
        if (scalar && extent_of(*scalar) > most_) {
            throw UsageError(
                fmt::format("{} counts in 32 bits: an extent is too large for it.", library_));
        }
    }
    if (pointers != form_.pointers || dispatch.arguments.size() != pointers + form_.extents) {
        throw UsageError(fmt::format("'{}' of {} takes {} buffers and {} numbers.", form_.name,
                                     library_, form_.pointers, form_.extents));
    }
}

std::shared_ptr<const LibraryCode> library_code(std::shared_ptr<Context> context,
                                                const Program& program, std::string_view name) {
    check_library_text(program);
    if (program.name == "cub.inc") {
        return std::make_shared<CubCode>(std::move(context), program, name);
    }
    return std::make_shared<CublasCode>(std::move(context), program, name);
}

}  // namespace parallax::cuda

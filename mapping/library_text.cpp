// Compares a source with the embedded one.
#include "mapping/library_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "kernels/kernel_texts.hpp"

namespace parallax {

void check_library_text(const Program& program) {
    const auto own = std::ranges::find(embedded_kernels(), program.name, &EmbeddedFile::name);
    if (own == embedded_kernels().end() || edited_source(program) != own->text) {
        throw UsageError(fmt::format(
            "{}: the calls of a library are part of this program, and their text cannot "
            "be changed. Choose another variant.",
            program.name));
    }
}

}  // namespace parallax

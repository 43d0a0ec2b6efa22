// The program's own kernels as what cases are run with.
#pragma once

#include <string>
#include <string_view>

#include "common/error.hpp"
#include "common/run_case.hpp"
#include "kernels/embedded.hpp"

namespace parallax::test {

inline RunContext context() {
    RunContext context;
    context.kernel_text = [](std::string_view name) {
        for (const EmbeddedFile& file : embedded_kernels()) {
            if (file.name == name) return std::string(file.text);
        }
        throw UsageError("No such file.");
    };
    return context;
}

}  // namespace parallax::test

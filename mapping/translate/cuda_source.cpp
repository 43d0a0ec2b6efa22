// Translates a portable source, and completes a native one.
#include "mapping/translate/cuda_source.hpp"

#include <fmt/format.h>

#include "common/profile.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {
namespace {

/// T, T2 and T4 for a native text, which has no translator to resolve them. Not macros: as such
/// they would break NVRTC's own headers.
std::string element_types(const Program& program) {
    const std::string_view type = name_of(program.type.value_or(ElementType::f32));
    // Before CUDA 13, which renamed it, double4 had the alignment of double4_16a.
    const std::string four =
        program.type == ElementType::f64
            ? "\n#if __CUDACC_VER_MAJOR__ >= 13\nusing T4 = double4_16a;\n#else\nusing T4 = "
              "double4;\n#endif\n"
            : fmt::format(" using T4 = {}4;\n", type);
    return fmt::format("using T = {0}; using T2 = {0}2;{1}#line 1 \"{2}\"\n", type, four,
                       program.name);
}

/// Whether a CUDA source of the user's own uses integers of a named width, which nvcc declares
/// without an include and NVRTC does not.
bool needs_integers(std::string_view source) {
    bool uses = false;
    for (const std::string_view line : lines_of(source)) {
        for (const std::string_view word : {"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t",
                                            "uint16_t", "uint32_t", "uint64_t", "uintptr_t"}) {
            if (!has_word(line, word)) continue;
            if (has_word(line, "typedef") || has_word(line, "using")) return false;
            uses = true;
        }
    }
    return uses;
}

std::string with_constants(std::string cuda, const Program& program) {
    std::string macros;
    for (const Constant& one : program.constants) {
        if (is_name_of_nvrtc(one.name))
            macros += fmt::format("#define {} {}\n", one.name, one.value);
    }
    if (!macros.empty()) cuda.insert(own_lines(cuda, program.name), macros);
    return cuda;
}

}  // namespace

bool is_name_of_nvrtc(std::string_view constant) {
    return constant == "T" || constant == "_T";
}

std::size_t own_lines(std::string_view cuda, std::string_view file) {
    const std::size_t at = cuda.find(fmt::format("\n#line 1 \"{}\"\n", file));
    return at == cuda.npos ? 0 : at + 1;
}

std::string cuda_source(const Program& program) {
    std::string source = edited_source(program);
    switch (program.language) {
        case Language::ptx:
        case Language::cubin:
        case Language::library: return source;
        case Language::native:
            if (program.type) return element_types(program) + source;
            return with_constants(fmt::format("{}#line 1 \"{}\"\n{}",
                                              needs_integers(source) ? "#include <cstdint>\n" : "",
                                              program.name, source),
                                  program);
        case Language::portable: break;
    }
    const InPhase phase(Phase::translating);
    return with_constants(to_cuda(program.name, source, translate_options(program)).text(),
                          program);
}

}  // namespace parallax

// Prints the vectors of the prelude as a header that a host compiler can read, for the tests that
// run them, with replacements for the vectors that CUDA itself has.
#include <cstdio>
#include <fstream>

#include "mapping/prelude/prelude.hpp"
#include "mapping/tests/prelude_keys.hpp"

namespace {

using parallax::ValueType;

/// Without half: its conversions are instructions of the device.
constexpr std::array<std::string_view, 10> elements{"char", "uchar", "short", "ushort", "int",
                                                    "uint", "long",  "ulong", "float",  "double"};

void print_vector_of_cuda(std::ostream& out, ValueType type) {
    const std::string element = parallax::cuda_name({type.element});
    std::string members, parameters;
    for (unsigned i = 0; i < type.width; ++i) {
        const std::string name = parallax::component_name(type, i);
        members += (i > 0 ? ", " : "") + name;
        parameters += fmt::format("{}{} {}", i > 0 ? ", " : "", element, name);
    }
    const std::string name = parallax::cuda_name(type);
    out << fmt::format("struct alignas({}) {} {{ {} {}; }};\n",
                       parallax::element_bytes(type.element) * type.width, name, element, members)
        << fmt::format("inline {} {}({}) {{ return {{{}}}; }}\n", name, parallax::maker_of(type),
                       parameters, members);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: prelude_text FILE\n", stderr);
        return 2;
    }
    std::vector<std::string> words = parallax::prelude_tests::vector_words();
    for (std::string& word : parallax::prelude_tests::conversion_words(elements)) {
        words.push_back(std::move(word));
    }
    constexpr std::array widths{1u, 2u, 3u, 4u, 8u, 16u};
    const auto keys = parallax::prelude_tests::keys_of(words, elements, widths);
    std::ofstream out(arguments[1]);
    // A host compiler, like CUDA's, should not warn about the prelude.
    out << "#pragma once\n#pragma GCC system_header\n#include \"prelude_host.hpp\"\n"
        << "namespace cuda_source {\n";
    for (const std::string_view element : elements) {
        for (const unsigned width : parallax::vector_widths) {
            const ValueType type{element, width};
            if (parallax::is_cuda_type(type)) print_vector_of_cuda(out, type);
        }
    }
    out << parallax::prelude_of({keys.begin(), keys.end()}) << "}  // namespace cuda_source\n";
    return out.good() ? 0 : 1;
}

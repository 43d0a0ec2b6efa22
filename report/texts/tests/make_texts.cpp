// Writes the pages that texts_page_test.py checks: make_texts FOLDER.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "report/markup.hpp"
#include "report/report.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace {

using namespace parallax;

const std::string before =
    "// Sums </script><b>of</b> groups & \"more\".\n"
    "__kernel void sum(__global const T* in, __global T* out, const ulong n) {\n"
    "    const size_t i = get_global_id(0); /* a comment\n"
    "       of two lines */ const uint lane = get_local_id(0);\n"
    "    out[i] = i < n ? rsqrt(in[i]) : 0;\n"
    "}\n";
const std::string after =
    "// Sums </script><b>of</b> groups & \"more\".\n"
    "__kernel void sum(__global const T* in, __global T* out, const ulong n) {\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    out[i] = rsqrt(in[i]);\n"
    "}\n";

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) return 2;
    const SideBySide view = side_by_side(before, to_cuda("sum.cl", before, {ElementType::f32}));
    std::ofstream file(std::filesystem::path(argv[1]) / "texts.html", std::ios::binary);
    file << html_text_page("<sum>", html_of(view) + html_of(changes(before, after)) +
                                        "<pre class=\"texts\"><code>" + html_text(after) +
                                        "</code></pre>");
    file.close();
    return file ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}

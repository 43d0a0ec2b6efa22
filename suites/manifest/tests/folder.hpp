// A temporary folder for a test's files, and a valid manifest.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "common/text/temporary_folder.hpp"
#include "records/line.hpp"

namespace parallax::testing_manifest {

struct Folder {
    std::string write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
        return (path / name).string();
    }

    TemporaryFolder folder{"parallax-manifest-"};
    std::filesystem::path path = folder.path();
};

inline constexpr const char* scale_text =
    "__kernel void scale(const uint n, const float a, __global const float* x, __global float* y) "
    "{\n"
    "    if (get_global_id(0) < n) y[get_global_id(0)] = a * x[get_global_id(0)];\n"
    "}\n";

inline Json scale_manifest() {
    return Json::parse(R"json({
        "parallax": "manifest", "version": 1, "name": "scale", "question": "q",
        "source": "scale.cl",
        "sizes": {"names": ["n"], "timed": [[4096], [1024]], "checked": [[1], [33]]},
        "constants": {"ITEMS": 4},
        "kernel": "scale",
        "arguments": [
            {"name": "n", "type": "uint", "value": "n"},
            {"name": "a", "type": "float", "value": 2.5},
            {"name": "x", "type": "float", "elements": "n", "fill": "random"},
            {"name": "y", "type": "float", "elements": "n", "use": "output"}],
        "items": [64], "groups": ["ceil(n / items_x)"],
        "work": {"bytes": "8 * n", "operations": "n"},
        "tolerance": {"ulp": 1}})json");
}

}  // namespace parallax::testing_manifest

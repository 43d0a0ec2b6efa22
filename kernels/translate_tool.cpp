// Prints the CUDA text of a kernel file: translate_tool FILE.cl TYPE [CONSTANT...]
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "kernels/translate.hpp"

int main(int count, char** arguments) {
    using namespace parallax;
    const std::vector<std::string> words(arguments + 1, arguments + std::max(count, 1));
    const auto type = words.size() < 2 ? std::nullopt : element_type_named(words[1]);
    if (!type) {
        fmt::print(stderr, "usage: translate_tool FILE.cl float|double|int [CONSTANT...]\n");
        return 2;
    }
    std::ifstream stream(words[0], std::ios::binary);
    if (!stream) {
        fmt::print(stderr, "{}: cannot be read\n", words[0]);
        return 2;
    }
    const std::string source{std::istreambuf_iterator<char>(stream), {}};
    const std::string name = std::filesystem::path(words[0]).filename().string();
    try {
        fmt::print("{}", to_cuda(name, source, *type, std::span(words).subspan(2)).text());
    } catch (const Refused& refused) {
        fmt::print(stderr, "{}\n", refused.what());
        return 1;
    }
    return 0;
}

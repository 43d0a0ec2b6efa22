// Writes the pages that page_test.py looks at: make_pages FOLDER.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "common/error.hpp"
#include "report/page/tests/synthetic.hpp"

namespace {

void write(const std::filesystem::path& path, const parallax::Diff& diff,
           const std::vector<parallax::KernelTexts>& kernels) {
    const auto start = std::chrono::steady_clock::now();
    const std::string page = parallax::html_report(diff, kernels);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << path.filename().string() << ": " << page.size() << " bytes in " << took.count()
              << " s\n";
    std::ofstream file(path, std::ios::binary);
    file << page;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

int main(int argc, char** argv) try {
    using namespace parallax;
    if (argc != 2) return 2;
    const std::filesystem::path folder = argv[1];
    write(folder / "none.html", {}, {});
    write(folder / "one.html", synthetic_diff(1), {});
    write(folder / "forty.html", synthetic_diff(40), synthetic_kernels());
    write(folder / "many.html", synthetic_diff(2000), {});
    write(folder / "hostile.html", hostile_diff(), hostile_kernels());
    std::ofstream course(folder / "course.html", std::ios::binary);
    course << html_course(synthetic_course());
    course.close();
    if (!course) throw std::runtime_error("cannot write the course");
} catch (const parallax::UsageError& error) {
    std::cerr << error.what() << '\n';
    return 77;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}

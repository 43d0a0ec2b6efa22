// Searches the folders that may contain a library of NVIDIA's.
#include "backends/cuda/find_library.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "common/text/install_paths.hpp"

namespace parallax::cuda {

namespace fs = std::filesystem;

namespace {

/// Folders of the tree that contains this program, which may have been moved: downloads of setup.sh
/// in a build folder, and packages that pip installed next to the program.
std::vector<fs::path> folders_of_own_tree() {
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::path at = program_folder(); at.has_relative_path(); at = at.parent_path()) {
        const std::string wheel = fmt::format("nvidia/cu{}/lib", built_major);
        folders.push_back(at / "cuda" / wheel);
        folders.push_back(at / wheel);
        for (const char* lib : {"lib", "local/lib"}) {
            for (fs::directory_iterator one(at / lib, error), end; !error && one != end;
                 one.increment(error)) {
                if (!one->path().filename().string().starts_with("python3")) continue;
                folders.push_back(one->path() / "site-packages" / wheel);
                folders.push_back(one->path() / "dist-packages" / wheel);
            }
        }
    }
    return folders;
}

}  // namespace

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::vector<std::string> library_names(std::string_view stem) {
    std::vector<std::string> names{fmt::format("{}.so.{}", stem, built_major),
                                   fmt::format("{}.so", stem)};
    for (const int major : {built_major + 1, built_major + 2, built_major - 1}) {
        names.push_back(fmt::format("{}.so.{}", stem, major));
    }
    return names;
}

namespace {

/// The folders that may hold NVIDIA's libraries, in order.
std::vector<fs::path> library_folders() {
    std::vector<fs::path> folders = folders_of_own_tree();
    if (const std::string root = environment("CUDA_PATH"); !root.empty()) {
        folders.push_back(fs::path(root) / "lib64");
        folders.push_back(fs::path(root) / "lib");
        folders.push_back(fs::path(root) / "extras/CUPTI/lib64");
    }
    for (std::string_view rest = toolkit_folders(); !rest.empty();) {
        const std::size_t end = rest.find(':');
        folders.emplace_back(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
    folders.emplace_back("/usr/local/cuda/lib64");
    folders.emplace_back("/usr/local/cuda/extras/CUPTI/lib64");
    return folders;
}

}  // namespace

std::vector<std::string> library_files(std::string_view stem) {
    const std::vector<std::string> names = library_names(stem);
    std::vector<std::string> list = names;
    for (const fs::path& folder : library_folders()) {
        for (const std::string& name : names) {
            std::error_code ignored;
            if (fs::exists(folder / name, ignored)) list.push_back((folder / name).string());
        }
    }
    return list;
}

std::vector<std::string> header_folders(const std::string& library) {
    std::vector<fs::path> folders = library_folders();
    std::error_code ignored;
    if (library.find('/') != std::string::npos) {
        folders.insert(folders.begin(), fs::canonical(library, ignored).parent_path());
    }
    for (const fs::path& folder : folders) {
        // lib64 may be a link into targets/x86_64-linux/lib.
        for (const fs::path& at : {folder / "../include", folder / "../../../include"}) {
            if (!fs::exists(at / "cuda_fp16.h", ignored)) continue;
            const fs::path headers = fs::canonical(at, ignored);
            std::vector<std::string> found{headers.string()};
            if (fs::is_directory(headers / "cccl", ignored)) {
                found.push_back((headers / "cccl").string());
            }
            return found;
        }
    }
    return {};
}

}  // namespace parallax::cuda

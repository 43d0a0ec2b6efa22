// Loads optional shared libraries with dlopen.
#include "common/device/loaded_library.hpp"

#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {

bool is_no_plain_file(const std::filesystem::path& file) {
    std::error_code none;
    return std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none);
}

void* load_library(const std::string& file, std::string& why) {
    // A name without a folder is searched for by the loader.
    if (file.find('/') != std::string::npos && is_no_plain_file(file)) {
        why = file + " is no plain file";
        return nullptr;
    }
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* const said = handle ? nullptr : dlerror();
    if (!handle) why = said ? said : file;
    return handle;
}

LibraryFunctions::Function LibraryFunctions::operator[](const char* name) {
    void* const found = library_ ? dlsym(library_, name) : nullptr;
    if (!found && !missing_) missing_ = name;
    return {found};
}

LibraryFunctions nvml_functions() {
    return LibraryFunctions(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
}

LoadedLibrary::LoadedLibrary(const LibraryWords& words) : name_(words.name) {
    const char* const named = std::getenv(words.variable.c_str());
    const bool is_named = named && *named != '\0';
    std::string why;
    for (const std::string& file : is_named ? std::vector<std::string>{named} : words.files) {
        std::string said;
        handle_ = load_library(file, said);
        if (handle_) return;
        // Among several candidates only an existing file gives a useful error.
        if (is_named || file.find('/') != std::string::npos) why = said;
    }
    problem_ = is_named ? fmt::format("{} cannot be loaded from '{}', which {} names: {}. {}",
                                      name_, named, words.variable, why, words.advice)
                        : fmt::format("{} was not found{}. {}", name_,
                                      why.empty() ? "" : ": " + why, words.advice);
}

void* LoadedLibrary::address(const char* name) const {
    if (!handle_) throw Unsupported(problem_);
    void* const found = dlsym(handle_, name);
    if (!found) throw Unsupported(fmt::format("This {} has no function {}.", name_, name));
    return found;
}

}  // namespace parallax

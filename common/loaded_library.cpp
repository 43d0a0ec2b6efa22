// Asks the loader.
#include "common/loaded_library.hpp"

#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {

LoadedLibrary::LoadedLibrary(const LibraryWords& words) : name_(words.name) {
    const char* const named = std::getenv(words.variable.c_str());
    const bool is_named = named && *named != '\0';
    std::string why;
    for (const std::string& file : is_named ? std::vector<std::string>{named} : words.files) {
        // Never closed: it may have threads and exit handlers of its own.
        handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_) return;
        const char* const said = dlerror();
        // Of many files only one that is there has an error that tells something.
        if (is_named || file.find('/') != std::string::npos) why = said ? said : file;
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

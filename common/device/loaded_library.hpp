// A shared library that is used where it is, and not required.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// How a library is found.
struct LibraryWords {
    std::string name;                ///< as people know it: `cuBLAS`
    std::string variable;            ///< of the environment: names the file, and nothing else then
    std::vector<std::string> files;  ///< to try, in order: names for the loader, or paths
    std::string advice;              ///< how to get it, a sentence
};

/// Whether something else is there: a folder, or a pipe or a device, which would be waited for.
bool is_no_plain_file(const std::filesystem::path&);

/// Loads a library for good: it may have threads and exit handlers of its own.
/// @param file  for the loader; what is no plain file is refused
/// @returns null where it cannot, and `why` says the reason
void* load_library(const std::string& file, std::string& why);

/// A library, or the reason why there is none. It is loaded once and stays.
class LoadedLibrary {
public:
    /// Never throws for what is not there.
    explicit LoadedLibrary(const LibraryWords&);

    bool available() const { return handle_ != nullptr; }
    /// Puts the function of that name into `function`.
    /// @throws Unsupported when there is no library, or no such function in it, saying what to do
    template <class Function>
    void resolve(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(address(name));
    }

private:
    void* address(const char* name) const;

    std::string name_, problem_;
    void* handle_ = nullptr;
};

}  // namespace parallax

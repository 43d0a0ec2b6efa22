// Loads an optional shared library, and explains why it cannot be used.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// The search for a library: its names, and the words of messages.
struct LibraryWords {
    std::string name;                ///< as users know it: `cuBLAS`
    std::string variable;            ///< environment variable that names the only file to try
    std::vector<std::string> files;  ///< to try, in order: names for the loader, or paths
    std::string advice;              ///< how to get it, a sentence
};

/// Whether the path is a folder, pipe or device; the latter two would block the loader.
bool is_no_plain_file(const std::filesystem::path&);

/// Loads a library and never unloads it: it may have threads and exit handlers of its own.
/// @param file  for the loader; a folder, pipe or device is rejected
/// @returns null on failure, with the reason in `why`
void* load_library(const std::string& file, std::string& why);

/// The functions of a library, as first values of pointers to them.
class LibraryFunctions {
public:
    /// @param library  of the loader; null: it has no function
    explicit LibraryFunctions(void* library) : library_(library) {}

    struct Function {
        void* address;
        template <class Kind>
        operator Kind*() const {
            return reinterpret_cast<Kind*>(address);
        }
    };
    /// Null where the library has none of that name.
    Function operator[](const char* name);
    /// The first that it did not have; null: it had all.
    const char* missing() const { return missing_; }

private:
    void* library_;
    const char* missing_ = nullptr;
};

/// Those of NVIDIA's management library, NVML, which stays: threads may be using it until the
/// process ends.
LibraryFunctions nvml_functions();

/// A library, or the reason why there is none. It is loaded once and stays.
class LoadedLibrary {
public:
    /// A missing library does not throw.
    explicit LoadedLibrary(const LibraryWords&);

    bool available() const { return handle_ != nullptr; }
    /// Puts the function of that name into `function`.
    /// @throws Unsupported when the library or the function is missing, with the remedy
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

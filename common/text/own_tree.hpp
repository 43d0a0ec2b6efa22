// Where this program lies, and what was installed with it: a tree that may be moved as a whole.
#pragma once

#include <filesystem>

namespace parallax {

/// The folder of the program's file; empty where the system does not say.
std::filesystem::path program_folder();

/// The path itself where it is there or absolute; else, what was installed under that name
/// (`results/nvidia-h100-80gb-hbm3`), or, for a program in a build folder, what has
/// that name in the folder around the build folder.
std::filesystem::path here_or_installed(const std::filesystem::path&);

}  // namespace parallax

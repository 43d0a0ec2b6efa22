// Locates the program and its installed files; the installation may be moved as a whole.
#pragma once

#include <filesystem>

namespace parallax {

/// The folder of the executable; empty where the system does not tell.
std::filesystem::path program_folder();

/// The path itself if it exists or is absolute; else the installed file of that name
/// (`results/nvidia-h100-80gb-hbm3`) or, for a program in a build folder, the one in the folder
/// around the build folder.
std::filesystem::path here_or_installed(const std::filesystem::path&);

}  // namespace parallax

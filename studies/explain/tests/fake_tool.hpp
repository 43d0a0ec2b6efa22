// Programs that act as NVIDIA's disassemblers, in a folder that is deleted afterwards.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "common/text/temporary_folder.hpp"

namespace parallax {

/// A folder for one test; the program's own temporary files go into `files()`.
class FakeTools : public testing::Test {
protected:
    FakeTools() {
        std::filesystem::create_directory(files());
        ::setenv("TMPDIR", files().c_str(), 1);
        ::unsetenv("PARALLAX_NVDISASM");
    }
    ~FakeTools() override {
        ::unsetenv("TMPDIR");
        ::unsetenv("PARALLAX_NVDISASM");
    }

    std::filesystem::path folder() const { return folder_.path(); }
    std::filesystem::path files() const { return folder() / "files"; }
    bool nothing_left() const { return std::filesystem::is_empty(files()); }

    /// A script of the shell of that name.
    std::filesystem::path tool(const std::string& name, const std::string& script) const {
        const std::filesystem::path path = folder() / name;
        std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }

private:
    TemporaryFolder folder_{"parallax-tools-"};
};

}  // namespace parallax

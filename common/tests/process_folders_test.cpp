// Tests temporary folders that carry their process in their names.
#include "common/process/process_folders.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/text/temporary_folder.hpp"

namespace parallax::process_folders_test {
namespace {

namespace fs = std::filesystem;

class ProcessFolders : public testing::Test {
protected:
    void SetUp() override {
        const char* const before = std::getenv("TMPDIR");
        if (before) before_ = before;
        setenv("TMPDIR", place_.path().c_str(), 1);
    }
    void TearDown() override {
        if (before_) {
            setenv("TMPDIR", before_->c_str(), 1);
        } else {
            unsetenv("TMPDIR");
        }
    }
    /// Creates the folder of a process that ends without removing it.
    void leave_one() const {
        const pid_t child = fork();
        if (child == 0) {
            const TemporaryFolder folder("parallax-test-");
            folder.put("file", "text");
            _exit(0);
        }
        waitpid(child, nullptr, 0);
    }
    unsigned count() const {
        return static_cast<unsigned>(
            std::distance(fs::directory_iterator(place_.path()), fs::directory_iterator()));
    }
    TemporaryFolder place_{"parallax-folders-"};
    std::optional<std::string> before_;
};

TEST_F(ProcessFolders, AreRemovedWhenTheirProcessHasEnded) {
    leave_one();
    leave_one();
    const TemporaryFolder own("parallax-test-");
    ASSERT_EQ(count(), 3u);
    remove_folders_of_ended_processes();
    EXPECT_EQ(count(), 1u);
    EXPECT_TRUE(fs::exists(own.path())) << "its process lives";
}

TEST_F(ProcessFolders, OfOtherNamesAndLinksStay) {
    leave_one();
    const fs::path left = fs::directory_iterator(place_.path())->path();
    const std::string name = left.filename().string();
    const std::size_t dot = name.rfind('.');
    // Another boot, machine or container; not this program's; a link.
    fs::create_directory(place_.path() / (name.substr(0, dot) + ".0123456789ab-XXXXXX"));
    fs::create_directory(place_.path() / ("not-" + name));
    fs::create_directory(place_.path() / "parallax-test-XXXXXX");
    fs::create_directory(place_.path() / "parallax-");
    fs::create_directory(place_.path() / "target");
    fs::rename(left, place_.path() / "kept");
    fs::create_directory_symlink(place_.path() / "target", left);
    remove_folders_of_ended_processes();
    EXPECT_EQ(count(), 7u);
}

}  // namespace
}  // namespace parallax::process_folders_test

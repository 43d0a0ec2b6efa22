// Tests temporary folders that carry their process in their names.
#include "common/process/process_folders.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process/kept_files.hpp"
#include "common/process/spawn.hpp"
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

TEST_F(ProcessFolders, OfASpawnedProcessThatIsKilledAreRemoved) {
    const std::string own = start_of_process_folder("parallax-test-");
    const std::size_t here = own.rfind('.');
    // Makes its folder, as a TemporaryFolder does, and another one without an owner.
    const std::string script =
        "set -- $(cat /proc/$$/stat); mkdir \"$TMPDIR/parallax-test-$$.${22}" + own.substr(here) +
        "XXXXXX\" \"$TMPDIR/other\"; kill -9 $$";
    const SignalForwarder forwarder;
    EXPECT_EQ(spawn({.program = "/bin/sh", .words = {"-c", script}}).signal, SIGKILL);
    EXPECT_EQ(count(), 1u);
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

TEST(KeptFiles, AreFoundByTheNextRunUnderTheSameKeyAlone) {
    const TemporaryFolder folder("parallax-test-");
    const std::string key = KeptFiles::key({"text", "-O"});
    const std::string content("8 registers\0\n", 13);
    KeptFiles(folder.path() / "kept").keep(key, content);
    const KeptFiles later(folder.path() / "kept");
    EXPECT_EQ(later.find(key), content);
    EXPECT_TRUE(later.has(key));
    EXPECT_FALSE(later.has(KeptFiles::key({"text-", "O"})));
    EXPECT_EQ(later.find("0123"), std::nullopt);
}

TEST(KeptFiles, OlderOnesGoWhenThereAreTooMany) {
    const TemporaryFolder folder("parallax-test-");
    const KeptFiles files(folder.path(), 4);
    for (const char* key : {"a1", "a2", "a3", "a4", "a5", "01"}) files.keep(key, "content");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 3);
}

TEST(KeptFiles, AreNotKeptWhereThereIsNoPlaceForThem) {
    const KeptFiles none("");
    none.keep("a1", "content");
    EXPECT_FALSE(none.has("a1"));
    const KeptFiles nowhere("/proc/no/such/folder");
    nowhere.keep("a1", "content");
    EXPECT_EQ(nowhere.find("a1"), std::nullopt);
}

TEST(CompileCache, IsTheUsersUnlessTheEnvironmentSelectsOne) {
    const std::map<std::string, std::string> before = [] {
        std::map<std::string, std::string> all;
        for (const char* name : {"XDG_CACHE_HOME", "CUDA_CACHE_PATH", "CUDA_CACHE_DISABLE"}) {
            if (const char* value = std::getenv(name)) all[name] = value;
            unsetenv(name);
        }
        return all;
    }();
    setenv("XDG_CACHE_HOME", "/c", 1);
    EXPECT_EQ(compile_cache_folder("nvrtc"), "/c/parallax/nvrtc");
    setenv("CUDA_CACHE_PATH", "/c/parallax/opencl", 1);  // as this program sets it
    EXPECT_EQ(compile_cache_folder("nvrtc"), "/c/parallax/nvrtc");
    setenv("CUDA_CACHE_PATH", "/mine", 1);
    EXPECT_EQ(compile_cache_folder("nvrtc"), "");
    unsetenv("CUDA_CACHE_PATH");
    setenv("CUDA_CACHE_DISABLE", "0", 1);
    EXPECT_EQ(compile_cache_folder("nvrtc"), "");
    for (const char* name : {"XDG_CACHE_HOME", "CUDA_CACHE_PATH", "CUDA_CACHE_DISABLE"}) {
        unsetenv(name);
        if (before.contains(name)) setenv(name, before.at(name).c_str(), 1);
    }
}

}  // namespace
}  // namespace parallax::process_folders_test

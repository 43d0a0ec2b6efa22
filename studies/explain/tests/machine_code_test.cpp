// Tests of how a disassembler is found and run, with scripts in its place.
#include "studies/explain/machine_code.hpp"

#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "studies/explain/tests/fake_tool.hpp"

namespace parallax::machine_code_test {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::HasSubstr;

using MachineCode = FakeTools;

TEST_F(MachineCode, TheToolReadsTheCodeFromAFile) {
    const auto path = tool("nvdisasm", "echo \"$1\"; cat \"$2\"");
    std::string code = "ELF and any \n bytes";
    code[3] = '\0';
    const MachineText made = disassemble(code, {folder()});
    EXPECT_EQ(made.text, "-c\n" + code);
    EXPECT_EQ(made.source, path.string());
    EXPECT_TRUE(nothing_left());
}

TEST_F(MachineCode, MuchIsReadFromBothOutputs) {
    tool("nvdisasm", "yes warning | head -c 1000000 >&2; yes line | head -c 2000000");
    const MachineText made = disassemble("x", {folder()});
    EXPECT_EQ(made.text.size(), 2'000'000u);
}

TEST_F(MachineCode, CuobjdumpWillDo) {
    tool("cuobjdump", "echo \"$1 from $(basename \"$0\")\"");
    EXPECT_EQ(disassemble("x", {"/nowhere", folder()}).text, "-sass from cuobjdump\n");
    tool("nvdisasm", "echo better");
    EXPECT_EQ(disassemble("x", {folder()}).text, "better\n");
}

TEST_F(MachineCode, AFileThatCannotBeRunIsNotFound) {
    std::filesystem::permissions(tool("nvdisasm", ""), std::filesystem::perms::owner_read);
    std::filesystem::create_directory(folder() / "cuobjdump");
    const MachineText made = disassemble("x", {folder(), "/nowhere"});
    EXPECT_EQ(made.text, "");
    EXPECT_THAT(made.source, HasSubstr("cuda-nvdisasm"));
    EXPECT_THAT(made.source, HasSubstr("PARALLAX_NVDISASM"));
}

TEST_F(MachineCode, TheVariableNamesTheTool) {
    tool("nvdisasm", "echo found");
    const auto named = tool("mine", "echo named");
    ::setenv("PARALLAX_NVDISASM", named.c_str(), 1);
    EXPECT_EQ(disassemble("x", {folder()}).text, "named\n");
    ::setenv("PARALLAX_NVDISASM", "/nowhere/nvdisasm", 1);
    const MachineText made = disassemble("x", {folder()});
    EXPECT_EQ(made.text, "");
    EXPECT_THAT(made.source, HasSubstr("PARALLAX_NVDISASM is /nowhere/nvdisasm"));
}

TEST_F(MachineCode, AFailureIsTold) {
    tool("nvdisasm", "echo half; echo 'not an ELF file' >&2; exit 3");
    MachineText made = disassemble("x", {folder()});
    EXPECT_EQ(made.text, "");
    EXPECT_THAT(made.source, HasSubstr("exit code 3"));
    EXPECT_THAT(made.source, HasSubstr("not an ELF file"));
    EXPECT_TRUE(nothing_left());
    tool("nvdisasm", "kill -9 $$");
    EXPECT_THAT(disassemble("x", {folder()}).source, HasSubstr("killed by a signal"));
    tool("nvdisasm", "true");
    EXPECT_THAT(disassemble("x", {folder()}).source, HasSubstr("printed nothing"));
}

TEST_F(MachineCode, AToolThatDoesNotEndIsStopped) {
    tool("nvdisasm", "echo half; sleep 600");
    MachineText made = disassemble("x", {folder()}, milliseconds(100));
    EXPECT_EQ(made.text, "");
    EXPECT_THAT(made.source, HasSubstr("was stopped"));
    EXPECT_TRUE(nothing_left());
    tool("nvdisasm", "exec >&- 2>&-; sleep 600");
    EXPECT_THAT(disassemble("x", {folder()}, milliseconds(100)).source, HasSubstr("was stopped"));
}

TEST_F(MachineCode, WhatTheToolStartedIsStoppedToo) {
    const std::string fifo = (folder() / "fifo").string();
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    const int file = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(file, 0);
    tool("nvdisasm", "sleep 600 > '" + fifo + "' & wait");
    disassemble("x", {folder()}, milliseconds(300));
    // The other end is closed when no process holds it any more.
    char nothing = 0;
    ssize_t read = -1;
    for (int i = 0; i < 60000 && (read = ::read(file, &nothing, 1)) != 0; ++i) {
        std::this_thread::sleep_for(milliseconds(10));
    }
    ::close(file);
    EXPECT_EQ(read, 0);
}

TEST_F(MachineCode, NoPlaceForTheFileIsTold) {
    tool("nvdisasm", "echo found");
    std::filesystem::remove(files());
    ::setenv("TMPDIR", "/dev/null", 1);
    // Where TMPDIR names no folder, /tmp is taken.
    EXPECT_EQ(disassemble("x", {folder()}).text, "found\n");
}

TEST_F(MachineCode, FoldersOfPathAndToolkit) {
    const char* const before = std::getenv("PATH");
    const std::string path = before ? before : "";
    ::setenv("PATH", "/first::/second", 1);
    ::setenv("CUDA_PATH", "/toolkit", 1);
    const auto folders = disassembler_folders();
    ::setenv("PATH", path.c_str(), 1);
    ::unsetenv("CUDA_PATH");
    EXPECT_EQ(folders, (std::vector<std::filesystem::path>{"/first", "/second", "/toolkit/bin",
                                                           "/usr/local/cuda/bin"}));
}

}  // namespace
}  // namespace parallax::machine_code_test

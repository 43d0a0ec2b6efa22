// Each cause that the doctor names, in a tree of files that has it and nothing else.
#include "studies/doctor/doctor.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "common/text/temporary_folder.hpp"

namespace parallax::doctor_test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const std::string libraries = "usr/lib/x86_64-linux-gnu/";

/// A system with two cards on which all is well.
class Doctor : public ::testing::Test {
protected:
    Doctor() {
        for (const char* card : {"0000:06:00.0", "0000:07:00.0"}) {
            const std::string pci = std::string("sys/bus/pci/devices/") + card;
            write(pci + "/vendor", "0x10de\n");
            write(pci + "/class", "0x030200\n");
        }
        write("sys/bus/pci/devices/0000:00:01.0/vendor", "0x8086\n");
        write("sys/bus/pci/devices/0000:00:01.0/class", "0x030000\n");
        write("proc/driver/nvidia/version",
              "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Mon Jun 1\n"
              "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n");
        write("proc/driver/nvidia/gpus/0000:06:00.0/information",
              "Model: X\nGPU UUID: \t GPU-11111111-2222-3333-4444-555555555555\n");
        write("proc/driver/nvidia/gpus/0000:07:00.0/information",
              "Model: X\nGPU UUID: \t GPU-aaaaaaaa-2222-3333-4444-555555555555\n");
        for (const char* file : {"nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"}) {
            write(std::string("dev/") + file, "");
            rights(std::string("dev/") + file, 0666);
        }
        write("etc/OpenCL/vendors/nvidia.icd", "libnvidia-opencl.so.1\n");
        for (const char* name : {"libnvidia-opencl.so.1", "libnvidia-nvvm.so.4",
                                 "libcuda.so.580.159.04", "libnvidia-ml.so.1", "libnvrtc.so.13"}) {
            write(libraries + name, "");
        }
        fs::create_symlink("libcuda.so.580.159.04", root_ / libraries / "libcuda.so.1");
    }

    void write(const std::string& path, const std::string& text) {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    void rights(const std::string& path, unsigned mode) {
        fs::permissions(root_ / path, static_cast<fs::perms>(mode));
    }
    void remove(const std::string& path) { ASSERT_GT(fs::remove_all(root_ / path), 0U) << path; }
    DoctorReport look() const {
        return look_for_causes({.root = root_,
                                .variable = [this](const char* name) -> const char* {
                                    const auto found = variables_.find(name);
                                    return found == variables_.end() ? nullptr
                                                                     : found->second.c_str();
                                },
                                .user = user_});
    }
    /// Names of what keeps devices away.
    std::vector<std::string> causes() const {
        std::vector<std::string> names;
        for (const DoctorFinding& one : look().findings) {
            EXPECT_NE(one.what, "") << one.name;
            EXPECT_NE(one.cure, "") << one.name;
            if (one.keeps_away) names.push_back(one.name);
        }
        return names;
    }
    /// Names of everything that was found.
    std::vector<std::string> findings() const {
        std::vector<std::string> names;
        for (const DoctorFinding& one : look().findings) names.push_back(one.name);
        return names;
    }
    std::string what(const std::string& name) const {
        for (const DoctorFinding& one : look().findings) {
            if (one.name == name) return one.what + " " + one.cure;
        }
        return "not found";
    }

    TemporaryFolder place_{"parallax-doctor-"};
    fs::path root_ = place_.path();
    std::map<std::string, std::string> variables_;
    FileUser user_ = own_user();
};

TEST_F(Doctor, FindsNothingWhereAllIsWell) {
    const DoctorReport report = look();
    EXPECT_THAT(findings(), IsEmpty());
    EXPECT_FALSE(report.keeps_away());
    EXPECT_EQ(report.cards, 2U);
    EXPECT_EQ(report.driver, "580.159.04");
}

TEST_F(Doctor, NamesAnIcdFileThatIsMissing) {
    remove("etc/OpenCL/vendors/nvidia.icd");
    EXPECT_THAT(findings(), ElementsAre("icd-file-missing"));
    EXPECT_THAT(what("icd-file-missing"), HasSubstr("/etc/OpenCL/vendors/nvidia.icd"));
    remove("etc/OpenCL");
    EXPECT_THAT(findings(), ElementsAre("icd-file-missing"));
}

TEST_F(Doctor, WaitsForNoPipe) {
    ASSERT_EQ(::mkfifo((root_ / "etc/OpenCL/vendors/pipe.icd").c_str(), 0600), 0);
    EXPECT_THAT(findings(), ElementsAre("icd-names-no-library"));
}

TEST_F(Doctor, NamesPoclThatIsAlone) {
    remove("etc/OpenCL/vendors/nvidia.icd");
    write("etc/OpenCL/vendors/pocl.icd", "libpocl.so.2\n");
    write(libraries + "libpocl.so.2", "");
    EXPECT_THAT(findings(), ElementsAre("icd-file-missing", "pocl-only"));
    EXPECT_THAT(causes(), ElementsAre("icd-file-missing"));
}

TEST_F(Doctor, NamesADaemonOfTheMultiProcessService) {
    write("tmp/nvidia-mps/control", "");
    EXPECT_THAT(findings(), ElementsAre("mps-daemon"));
    EXPECT_THAT(causes(), IsEmpty());
    EXPECT_THAT(what("mps-daemon"), HasSubstr("/tmp/nvidia-mps/control"));
    EXPECT_THAT(what("mps-daemon"), HasSubstr("CUDA_MPS_PIPE_DIRECTORY=/nonexistent/no-mps"));
    variables_["CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"] = "50";
    EXPECT_THAT(what("mps-daemon"), HasSubstr("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=50"));
    variables_["CUDA_MPS_PIPE_DIRECTORY"] = "/run/pipes";
    EXPECT_THAT(findings(), IsEmpty()) << "it is looked for elsewhere";
    write("run/pipes/control", "");
    EXPECT_THAT(what("mps-daemon"), HasSubstr("/run/pipes/control"));
}

TEST_F(Doctor, NamesALoaderOfOpenClThatKnowsNoLayers) {
    std::string header(64, '\0');
    std::ifstream("/proc/self/exe", std::ios::binary).read(header.data(), 64);
    write(libraries + "libOpenCL.so.1", header + "OPENCL_LAYERS");
    EXPECT_THAT(findings(), IsEmpty());
    write("opt/cuda/lib64/libOpenCL.so.1", header);
    EXPECT_THAT(findings(), IsEmpty()) << "nothing leads there";
    variables_["LD_LIBRARY_PATH"] = "/nowhere:/opt/cuda/lib64";
    EXPECT_THAT(findings(), ElementsAre("opencl-loader-without-layers"));
    EXPECT_THAT(causes(), IsEmpty());
    EXPECT_THAT(what("opencl-loader-without-layers"), HasSubstr("/opt/cuda/lib64/libOpenCL.so.1"));
    EXPECT_THAT(what("opencl-loader-without-layers"),
                HasSubstr(libraries + "libOpenCL.so.1 in front by itself"));
    header[18] = static_cast<char>(~header[18]);
    write("opt/cuda/lib64/libOpenCL.so.1", header);
    EXPECT_THAT(findings(), IsEmpty()) << "of another processor: the linker passes over it";
    header[18] = static_cast<char>(~header[18]);
    write(libraries + "libOpenCL.so.1", header);
    EXPECT_THAT(what("opencl-loader-without-layers"), HasSubstr("ocl-icd-libopencl1"));
}

TEST_F(Doctor, KeepsNothingAwayThatIsListed) {
    remove("etc/OpenCL/vendors/nvidia.icd");
    write("etc/OpenCL/vendors/pocl.icd", "libpocl.so.2\n");
    write(libraries + "libpocl.so.2", "");
    DoctorReport report = look();
    DeviceInfo gpu;
    gpu.vendor = "NVIDIA Corporation";
    gpu.backend = "cuda";
    hold_against_devices(report, {gpu});
    EXPECT_EQ(report.findings.size(), 2U) << "CUDA's says nothing of OpenCL";
    EXPECT_TRUE(report.keeps_away());
    gpu.backend = "opencl";
    hold_against_devices(report, {gpu});
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_EQ(report.findings[0].name, "icd-file-missing");
    EXPECT_FALSE(report.keeps_away());
}

TEST(DoctorReport, AnImplementationNextToTheProgramIsEnoughForIt) {
    DoctorReport report;
    report.findings = {{.name = "no-implementation", .what = "No file names one."}};
    ASSERT_TRUE(report.keeps_away());
    DeviceInfo cpu;
    cpu.vendor = "Intel(R) Corporation";
    cpu.backend = "opencl";
    hold_against_devices(report, {cpu});
    EXPECT_FALSE(report.keeps_away());
    EXPECT_THAT(report.findings.at(0).what, HasSubstr("next to it. Others do not."));
}

TEST_F(Doctor, NamesAnIcdFileOfALibraryThatIsNotThere) {
    write("etc/OpenCL/vendors/old.icd", "/opt/gone/libold.so\n");
    write("etc/OpenCL/vendors/empty.icd", "\n");
    write("etc/OpenCL/vendors/note.txt", "/opt/gone/libold.so\n");
    EXPECT_THAT(findings(), ElementsAre("icd-names-no-library", "icd-names-no-library"));
    EXPECT_THAT(what("icd-names-no-library"), HasSubstr("empty.icd names no library"));
    write("opt/gone/libold.so", "");
    remove("etc/OpenCL/vendors/empty.icd");
    EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(Doctor, NamesLibrariesOfOpenClThatAreMissing) {
    remove(libraries + "libnvidia-opencl.so.1");
    EXPECT_THAT(findings(), ElementsAre("libnvidia-opencl-missing"));
    EXPECT_THAT(what("libnvidia-opencl-missing"), HasSubstr("nvidia.icd names libnvidia-opencl"));
    remove("etc/OpenCL/vendors/nvidia.icd");
    EXPECT_THAT(findings(), ElementsAre("libnvidia-opencl-missing"));
}

TEST_F(Doctor, NamesTheCompilerOfOpenClThatIsMissing) {
    remove(libraries + "libnvidia-nvvm.so.4");
    EXPECT_THAT(findings(), ElementsAre("libnvidia-nvvm-missing"));
    write("proc/driver/nvidia/version", "NVRM version: NVIDIA Kernel Module  390.157  Wed\n");
    EXPECT_THAT(causes(), ElementsAre("driver-mismatch", "driver-older-than-toolkit"));
}

TEST_F(Doctor, LooksForLibrariesWhereTheLoaderDoes) {
    remove(libraries + "libnvidia-nvvm.so.4");
    write("opt/nvidia/libnvidia-nvvm.so.4", "");
    variables_["LD_LIBRARY_PATH"] = "relative:/opt/nvidia";
    EXPECT_THAT(findings(), IsEmpty());
    variables_.clear();
    write("etc/ld.so.conf.d/nvidia.conf", "# driver\n/opt/nvidia\n");
    EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(Doctor, NamesAVendorFolderThatIsNotThere) {
    variables_["OCL_ICD_VENDORS"] = "/nowhere";
    EXPECT_THAT(findings(), UnorderedElementsAre("vendor-folder-missing", "icd-file-missing"));
    variables_["OCL_ICD_VENDORS"] = "/etc/OpenCL/vendors/nvidia.icd";
    EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(Doctor, NamesVisibleDevicesThatHideSome) {
    for (const char* fine :
         {"0", "1,0", "GPU-11111111", "GPU-aaaaaaaa-2222-3333-4444-555555555555", "MIG-1"}) {
        variables_["CUDA_VISIBLE_DEVICES"] = fine;
        EXPECT_THAT(findings(), IsEmpty()) << fine;
    }
    for (const char* empty : {"", " "}) {
        variables_["CUDA_VISIBLE_DEVICES"] = empty;
        EXPECT_THAT(findings(), ElementsAre("visible-devices-empty")) << empty;
    }
    for (const char* wrong : {"2", "-1", "0,7", "GPU-99999999", "NoDevFiles", "nvidia0"}) {
        variables_["CUDA_VISIBLE_DEVICES"] = wrong;
        EXPECT_THAT(findings(), ElementsAre("visible-devices-wrong")) << wrong;
    }
    variables_["CUDA_VISIBLE_DEVICES"] = "0,7";
    EXPECT_THAT(what("visible-devices-wrong"), HasSubstr("named behind it: there is no device 7"));
}

TEST_F(Doctor, NamesDeviceFilesThatAreNotForThisUser) {
    user_ = {.user = 4711, .groups = {4711}};
    EXPECT_THAT(findings(), IsEmpty());
    rights("dev/nvidia1", 0660);
    EXPECT_THAT(findings(), ElementsAre("no-permission"));
    EXPECT_THAT(what("no-permission"), HasSubstr("/dev/nvidia1."));
    user_.groups.push_back(getegid());
    EXPECT_THAT(findings(), IsEmpty());
    rights("dev/nvidia1", 0600);
    EXPECT_THAT(findings(), ElementsAre("no-permission"));
}

TEST_F(Doctor, NamesDeviceFilesThatAreMissing) {
    remove("dev/nvidia0");
    remove("dev/nvidia1");
    EXPECT_THAT(findings(), ElementsAre("no-device-file"));
    write("dev/nvidia0", "");
    remove("dev/nvidiactl");
    EXPECT_THAT(findings(), ElementsAre("no-control-file"));
}

TEST_F(Doctor, NamesAModuleThatIsNotLoaded) {
    remove("proc/driver");
    remove("dev");
    EXPECT_THAT(findings(), ElementsAre("module-not-loaded"));
    EXPECT_EQ(look().cards, 2U);
}

TEST_F(Doctor, NamesADriverOlderThanTheToolkit) {
    write("proc/driver/nvidia/version",
          "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build\n");
    remove(libraries + "libcuda.so.1");
    write(libraries + "libcuda.so.1", "");
    EXPECT_THAT(findings(), ElementsAre("driver-older-than-toolkit"));
    EXPECT_THAT(what("driver-older-than-toolkit"), HasSubstr("needs driver 580 or newer"));
    fs::rename(root_ / libraries / "libnvrtc.so.13", root_ / libraries / "libnvrtc.so.12");
    EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(Doctor, NamesALibraryOfAnotherDriverThanTheModule) {
    write("proc/driver/nvidia/version",
          "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Mon\n");
    EXPECT_THAT(findings(), ElementsAre("driver-mismatch"));
}

TEST_F(Doctor, NamesContainersWithoutCapabilities) {
    variables_["NVIDIA_DRIVER_CAPABILITIES"] = "graphics,utility";
    EXPECT_THAT(causes(), IsEmpty());
    EXPECT_THAT(findings(), ElementsAre("container-without-compute"));
    remove(libraries + "libcuda.so.1");
    EXPECT_THAT(causes(), ElementsAre("container-without-compute", "libcuda-missing"));
    variables_["NVIDIA_DRIVER_CAPABILITIES"] = "compute";
    EXPECT_THAT(findings(), ElementsAre("container-without-utility", "libcuda-missing"));
    variables_["NVIDIA_DRIVER_CAPABILITIES"] = "all";
    EXPECT_THAT(findings(), ElementsAre("libcuda-missing"));
}

TEST_F(Doctor, NamesContainersWithoutDevices) {
    variables_["NVIDIA_VISIBLE_DEVICES"] = "void";
    remove("dev/nvidia0");
    remove("dev/nvidia1");
    EXPECT_THAT(causes(), ElementsAre("no-device-file", "container-without-devices"));
    variables_["NVIDIA_VISIBLE_DEVICES"] = "all";
    EXPECT_THAT(causes(), ElementsAre("no-device-file"));
}

TEST_F(Doctor, SaysThatNvmlIsMissing) {
    remove(libraries + "libnvidia-ml.so.1");
    EXPECT_THAT(findings(), ElementsAre("nvml-missing"));
    EXPECT_THAT(causes(), IsEmpty());
}

TEST_F(Doctor, SaysOfAMachineWithoutCardsWhatGivesADevice) {
    fs::remove_all(root_);
    fs::create_directories(root_);
    EXPECT_THAT(findings(), ElementsAre("no-card", "no-implementation"));
    EXPECT_THAT(causes(), ElementsAre("no-implementation"));
    write("etc/OpenCL/vendors/pocl.icd", "libpocl.so.2\n");
    write(libraries + "libpocl.so.2", "");
    EXPECT_THAT(causes(), IsEmpty());
    variables_["OCL_ICD_VENDORS"] = "/empty";
    fs::create_directories(root_ / "empty");
    EXPECT_THAT(causes(), ElementsAre("no-implementation"));
    EXPECT_THAT(what("no-implementation"), HasSubstr("unset OCL_ICD_VENDORS."));
}

TEST_F(Doctor, SaysThatPoclCannotKeepWhatItCompiles) {
    fs::remove_all(root_);
    write("etc/OpenCL/vendors/pocl.icd", "libpocl.so.2\n");
    write(libraries + "libpocl.so.2", "");
    variables_["HOME"] = "/home/one";
    EXPECT_THAT(causes(), IsEmpty()) << "the folders can be made";
    write("home/one", "no folder");
    EXPECT_THAT(causes(), ElementsAre("pocl-cache-closed"));
    remove("home/one");
    fs::create_directories(root_ / "home/one");
    rights("home/one", 0555);
    user_ = {.user = 0};
    EXPECT_THAT(causes(), IsEmpty()) << "root may write anywhere";
    user_ = {.user = 65534};
    EXPECT_THAT(causes(), ElementsAre("pocl-cache-closed"));
    variables_["POCL_CACHE_DIR"] = "/home/other";
    fs::create_directories(root_ / "home/other");
    rights("home/other", 0777);
    EXPECT_THAT(causes(), IsEmpty());
}

}  // namespace
}  // namespace parallax::doctor_test

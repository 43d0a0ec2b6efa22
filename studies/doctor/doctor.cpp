// Causes for missing devices: the driver, NVIDIA's OpenCL, CUDA.
#include "studies/doctor/doctor.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "studies/doctor/system_files.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view icd_line =
    "mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd";

constexpr std::string_view pocl_cure =
    "PoCL makes an OpenCL device of the processor (Debian: apt-get install pocl-opencl-icd).";

/// `580.159.04` of the line that the kernel module has.
std::string module_version(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_of("0123456789", at);
        if (begin == text.npos) return {};
        std::size_t end = text.find_first_not_of("0123456789.", begin);
        end = std::min(end, text.size());
        std::string word = text.substr(begin, end - begin);
        const bool is_word = begin == 0 || text[begin - 1] == ' ';
        if (is_word && word.size() >= 6 && std::ranges::count(word, '.') >= 1) return word;
        at = end;
    }
    return {};
}

unsigned cards_on_bus(const SystemFiles& files) {
    unsigned cards = 0;
    for (const std::string& name : files.names("/sys/bus/pci/devices")) {
        const std::string folder = "/sys/bus/pci/devices/" + name;
        const std::string maker = stripped(files.text(folder + "/vendor").value_or(""));
        const std::string kind = stripped(files.text(folder + "/class").value_or(""));
        cards += maker == "0x10de" && kind.starts_with("0x03");
    }
    return cards;
}

void look_at_device_files(Examination& e) {
    for (const std::string& name : e.files.names("/dev")) {
        constexpr std::string_view begin = "nvidia";
        if (!name.starts_with(begin)) continue;
        const std::string_view digits = std::string_view(name).substr(begin.size());
        const auto number = number_in(digits);
        if (number && digits.find_first_not_of("0123456789") == digits.npos) {
            e.device_files.push_back(*number);
        }
    }
    std::ranges::sort(e.device_files);
    std::vector<std::string> closed, refused;
    const auto try_file = [&](const std::string& file) {
        const std::string why = e.files.why_closed(file);
        if (why == "mode") closed.push_back(file);
        if (why == "refused") refused.push_back(file);
    };
    for (const unsigned number : e.device_files) try_file(fmt::format("/dev/nvidia{}", number));
    for (const char* file : {"/dev/nvidiactl", "/dev/nvidia-uvm"}) {
        if (e.files.has(file)) try_file(file);
    }
    if (!closed.empty()) {
        e.find("both", "no-permission",
               fmt::format("This user may not read and write {}.", fmt::join(closed, ", ")),
               "Ask for membership of the group that owns the files (ls -l /dev/nvidia*), or have "
               "the driver make them for all: NVreg_DeviceFileMode=0666.");
    }
    const bool all_refused = std::ranges::all_of(e.device_files, [&](unsigned number) {
        return std::ranges::find(refused, fmt::format("/dev/nvidia{}", number)) != refused.end();
    });
    if (!refused.empty()) {
        e.find("both", "device-file-refused",
               fmt::format("{} cannot be opened although its rights allow it: a scheduler's cgroup "
                           "or the container keeps it away.",
                           fmt::join(refused, ", ")),
               "Ask the scheduler for GPUs (Slurm: --gpus-per-task=1), or start the container with "
               "them (docker run --gpus all, apptainer exec --nv).",
               all_refused || !e.files.has("/dev/nvidiactl"));
    }
}

}  // namespace

bool DoctorReport::keeps_away() const {
    return std::ranges::any_of(findings, &DoctorFinding::keeps_away);
}

void look_at_driver(Examination& e) {
    const SystemFiles& files = e.files;
    e.report.cards = cards_on_bus(files);
    e.report.driver = module_version(files.text("/proc/driver/nvidia/version").value_or(""));
    look_at_device_files(e);
    e.report.cards = std::max(e.report.cards, static_cast<unsigned>(e.device_files.size()));
    if (e.report.cards == 0 && e.report.driver.empty()) {
        e.find("both", "no-card",
               "There is no NVIDIA GPU: none on the PCI bus, and no driver is loaded.",
               "On a machine that has one, see whether lspci lists it; a virtual machine has to be "
               "given it. " +
                   std::string(pocl_cure),
               false);
        return;
    }
    if (e.report.driver.empty()) {
        e.find("both", "module-not-loaded",
               "The kernel module of NVIDIA's driver is not loaded (/proc/driver/nvidia/version is "
               "not there).",
               "Install the driver for this kernel, or load it: modprobe nvidia. dmesg says why it "
               "did not load.");
    } else if (e.device_files.empty()) {
        e.find("both", "no-device-file", "The driver is loaded, and there is no /dev/nvidia0.",
               "In a container, start it with GPUs (docker run --gpus all, apptainer exec --nv); "
               "in a job, ask for them; elsewhere nvidia-modprobe -u -c=0 makes the files.");
    }
    if (!e.device_files.empty() && !files.has("/dev/nvidiactl")) {
        e.find("both", "no-control-file", "There is no /dev/nvidiactl, which every program opens.",
               "Give it to the container as well (--device /dev/nvidiactl), or let NVIDIA's "
               "container tools do it; elsewhere nvidia-modprobe makes it.");
    }
    if (const auto wanted = files.variable("NVIDIA_VISIBLE_DEVICES");
        wanted && (*wanted == "void" || *wanted == "none" || wanted->empty())) {
        e.find("both", "container-without-devices",
               fmt::format("NVIDIA_VISIBLE_DEVICES='{}': the container was given no device.",
                           shown_value(*wanted)),
               "Start it with NVIDIA_VISIBLE_DEVICES=all, or docker run --gpus all.",
               e.device_files.empty());
    }
    if (const auto given = files.variable("NVIDIA_DRIVER_CAPABILITIES")) {
        const std::vector<std::string> words = listed(*given);
        const auto has = [&](std::string_view word) {
            return std::ranges::find(words, word) != words.end() ||
                   std::ranges::find(words, "all") != words.end();
        };
        const auto lacks = [&](std::string_view word, std::string_view what, bool keeps_away) {
            e.find("both", fmt::format("container-without-{}", word),
                   fmt::format("NVIDIA_DRIVER_CAPABILITIES='{}' lacks '{}', which brings {}.",
                               shown_value(*given), word, what),
                   "Start the container with NVIDIA_DRIVER_CAPABILITIES=compute,utility.",
                   keeps_away);
        };
        if (!has("compute")) {
            lacks("compute", "libcuda.so.1 and libnvidia-opencl.so.1",
                  !files.library("libcuda.so.1"));
        }
        if (!has("utility"))
            lacks("utility", "libnvidia-ml.so.1: clocks and power stay unknown", false);
    }
}

/// PoCL lists no device where it cannot make the folder of what it has compiled.
void look_at_pocls_cache(Examination& e) {
    const SystemFiles& files = e.files;
    const auto beside = [&](const char* name, std::string_view rest) {
        const auto value = files.variable(name);
        return value && !value->empty() ? *value + std::string(rest) : std::string();
    };
    std::string folder = beside("POCL_CACHE_DIR", "");
    if (folder.empty()) folder = beside("XDG_CACHE_HOME", "/pocl/kcache");
    if (folder.empty()) folder = beside("HOME", "/.cache/pocl/kcache");
    if (folder.empty() || files.may_be_made(folder)) return;
    e.find(
        "OpenCL", "pocl-cache-closed",
        fmt::format("PoCL keeps what it has compiled in {}, which cannot be written: it lists no "
                    "device then.",
                    shown_value(folder)),
        "Name a folder that may be written: export POCL_CACHE_DIR=/tmp/pocl-$(id -un).");
}

/// The implementations that files of the loader's folder name.
struct Implementations {
    bool nvidia = false, pocl = false, other = false;
};

/// The folder that the loader reads, and the variable that names it, if one does.
std::pair<std::string, std::string> vendor_folder(Examination& e) {
    const SystemFiles& files = e.files;
    std::string folder = "/etc/OpenCL/vendors", named_by;
    for (const char* name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"}) {
        const auto named = files.variable(name);
        if (!named || named->empty()) continue;
        folder = *named;
        named_by = name;
        if (!files.has(folder)) {
            e.find("OpenCL", "vendor-folder-missing",
                   fmt::format("{}='{}' names a folder that is not there: the loader sees no "
                               "implementation.",
                               name, shown_value(folder)),
                   fmt::format("unset {}, or name /etc/OpenCL/vendors.", name));
        }
        break;
    }
    return {folder, named_by};
}

/// @param path  of a file that names a library
void look_at_icd_file(Examination& e, const std::string& path, Implementations& found) {
    const SystemFiles& files = e.files;
    const std::string library = stripped(files.text(path).value_or(""));
    const std::string line = library.substr(0, library.find('\n'));
    found.nvidia |= line.find("libnvidia-opencl") != line.npos;
    found.pocl |= line.find("libpocl") != line.npos;
    if (!line.empty() && files.library(line)) {
        found.other |=
            line.find("libnvidia-opencl") == line.npos && line.find("libpocl") == line.npos;
        return;
    }
    const bool nvidias = line.find("libnvidia-opencl") != line.npos;
    e.find("OpenCL", nvidias ? "libnvidia-opencl-missing" : "icd-names-no-library",
           line.empty() ? fmt::format("{} names no library.", path)
                        : fmt::format("{} names {}, which is not there.", path, shown_value(line)),
           nvidias ? "Install the driver's OpenCL (Debian: apt-get install nvidia-opencl-icd; "
                     "Ubuntu: libnvidia-compute-NNN of the driver's version). A container "
                     "needs NVIDIA_DRIVER_CAPABILITIES=compute,utility."
                   : "Install the package that has the library again, or remove the file.");
}

/// A GPU that OpenCL does not see.
void look_for_nvidias(Examination& e, const std::string& folder, bool has_pocl) {
    const auto nvidias = e.files.library("libnvidia-opencl.so.1");
    if (nvidias) {
        e.find("OpenCL", "icd-file-missing",
               fmt::format("{} is there, and no file in {} names it: the loader does not look "
                           "for libraries. NVIDIA's container tools bring the library and leave "
                           "the file out.",
                           nvidias->filename().string(), folder),
               std::string(icd_line));
    } else {
        e.find("OpenCL", "libnvidia-opencl-missing",
               "There is a GPU, and neither libnvidia-opencl.so.1 nor a file in " + folder +
                   " that names it.",
               fmt::format("Install the driver's OpenCL (Debian: apt-get install "
                           "nvidia-opencl-icd). In a container: "
                           "NVIDIA_DRIVER_CAPABILITIES=compute,utility, and then {}",
                           icd_line));
    }
    if (has_pocl) {
        e.find("OpenCL", "pocl-only",
               "PoCL is the only implementation: OpenCL sees the processor, and no GPU.",
               "The cure is the one above.", false);
    }
}

void look_at_opencl(Examination& e) {
    const SystemFiles& files = e.files;
    const auto [folder, named_by] = vendor_folder(e);
    Implementations found;
    if (folder.ends_with(".icd")) look_at_icd_file(e, folder, found);
    for (const std::string& name : files.names(folder)) {
        if (name.ends_with(".icd")) look_at_icd_file(e, folder + "/" + name, found);
    }
    const bool has_card = e.report.cards > 0 || !e.report.driver.empty();
    if (has_card && !found.nvidia) look_for_nvidias(e, folder, found.pocl);
    // The compiler of NVIDIA's OpenCL has this name since driver 510.
    const unsigned driver = number_in(e.report.driver).value_or(0);
    if (files.library("libnvidia-opencl.so.1") && driver >= 510 &&
        !files.library("libnvidia-nvvm.so")) {
        e.find(
            "OpenCL", "libnvidia-nvvm-missing",
            "libnvidia-opencl.so.1 is there, and libnvidia-nvvm.so.4 is not: devices are listed, "
            "and no kernel can be built for them.",
            "Install it with the driver (Debian: libnvidia-nvvm4). Older container tools leave "
            "it out: bind it into the container (apptainer exec --nv -B "
            "/usr/lib/x86_64-linux-gnu/libnvidia-nvvm.so.4), or renew the tools.");
    }
    if (!has_card && !found.pocl && !found.other && !found.nvidia) {
        e.find(
            "OpenCL", "no-implementation",
            fmt::format("No file in {}{} names an OpenCL implementation.", shown_value(folder),
                        named_by.empty() ? "" : fmt::format(", which {} names,", named_by)),
            (named_by.empty() ? "" : fmt::format("unset {}. Where none is installed: ", named_by)) +
                std::string(pocl_cure));
    }
    if (found.pocl) look_at_pocls_cache(e);
}

namespace {

/// The driver next to a program that pip installed is no file of the system.
void hold_against_own_driver(DoctorReport& report, const std::vector<DeviceInfo>& listed) {
    if (std::ranges::find(listed, "opencl", &DeviceInfo::backend) == listed.end()) return;
    for (DoctorFinding& one : report.findings) {
        if (one.name != "no-implementation") continue;
        one.what += " This program uses the one that was installed next to it. Others do not.";
        one.keeps_away = false;
    }
}

}  // namespace

void hold_against_devices(DoctorReport& report, const std::vector<DeviceInfo>& listed) {
    hold_against_own_driver(report, listed);
    if (!std::ranges::any_of(listed, [](const DeviceInfo& info) {
            return info.backend == "opencl" && info.vendor.find("NVIDIA") != std::string::npos;
        })) {
        return;
    }
    std::erase_if(report.findings,
                  [](const DoctorFinding& one) { return one.name == "pocl-only"; });
    for (DoctorFinding& one : report.findings) {
        if (one.name != "icd-file-missing") continue;
        one.what =
            "No file names libnvidia-opencl.so.1, and this loader finds it all the same. "
            "Others do not.";
        one.keeps_away = false;
    }
}

std::vector<OpenClLoader> opencl_loaders(const DoctorView& view) {
    // The field of an ELF header that names the processor architecture.
    const auto kind = [](const fs::path& file) {
        std::array<char, 20> header{};
        std::ifstream(file, std::ios::binary).read(header.data(), header.size());
        return std::string{header[0], header[4], header[5], header[18], header[19]};
    };
    std::vector<OpenClLoader> loaders;
    for (const fs::path& file : SystemFiles(view).libraries("libOpenCL.so.1")) {
        if (kind(file) != kind("/proc/self/exe")) continue;
        std::ifstream in(file, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        loaders.push_back({file, bytes.find("OPENCL_LAYERS") != bytes.npos});
    }
    return loaders;
}

fs::path loader_with_layers(const std::vector<OpenClLoader>& loaders) {
    if (loaders.empty() || loaders.front().knows_layers) return {};
    const auto found = std::ranges::find_if(loaders, &OpenClLoader::knows_layers);
    return found == loaders.end() ? fs::path() : found->file;
}

/// `capture` needs a loader with layers; nothing else does.
void look_at_loaders(Examination& e, const std::vector<OpenClLoader>& loaders) {
    if (loaders.empty() || loaders.front().knows_layers) return;
    const fs::path better = loader_with_layers(loaders);
    e.find("OpenCL", "opencl-loader-without-layers",
           fmt::format("Programs get {} as OpenCL's loader, which knows no layers "
                       "(OPENCL_LAYERS): under it 'parallax capture' sees nothing.",
                       shown_value(loaders.front().file.string())),
           better.empty()
               ? "Install a loader with layers (Debian: apt-get install ocl-icd-libopencl1)."
               : fmt::format("'parallax capture' puts {} in front by itself.",
                             shown_value(better.string())),
           false);
}

DoctorReport look_for_causes(const DoctorView& view) {
    Examination examination{.files = SystemFiles(view)};
    look_at_driver(examination);
    look_at_opencl(examination);
    look_at_loaders(examination, opencl_loaders(view));
    look_at_cuda(examination);
    look_at_mps(examination);
    return std::move(examination.report);
}

}  // namespace parallax

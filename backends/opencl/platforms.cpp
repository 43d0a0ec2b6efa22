// Enumerates OpenCL's platforms in processes of their own.
#include "backends/opencl/platforms.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "common/device/loaded_library.hpp"
#include "common/error.hpp"
#include "common/process/process_folders.hpp"
#include "common/text/install_paths.hpp"
#include "common/text/text.hpp"

namespace parallax::opencl {
namespace {

namespace fs = std::filesystem;

constexpr const char* vendors = "OCL_ICD_VENDORS";

Icd icd_of(const fs::path& path) {
    Icd icd{path.filename().string(), {}};
    std::ifstream file(path);
    std::getline(file, icd.library);
    return icd;
}

/// The loader's sources of drivers.
struct Vendors {
    std::vector<Icd> icds;
    std::vector<fs::path> not_plain;  ///< the loader would block on a pipe
    bool has_own = false;             ///< drivers that the loader does not find by itself

    void add(const fs::path& file) {
        if (is_no_plain_file(file)) {
            not_plain.push_back(file);
            return;
        }
        Icd icd = icd_of(file);
        const bool is_path = icd.library.find('/') != std::string::npos;
        if (is_path && is_no_plain_file(icd.library)) {
            not_plain.emplace_back(icd.library);
        } else {
            icds.push_back(std::move(icd));
        }
    }
};

Vendors vendors_in(const fs::path& folder) {
    Vendors found;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
        if (entry.path().extension() == ".icd") found.add(entry.path());
    }
    std::ranges::sort(found.icds, {}, &Icd::file);
    std::ranges::sort(found.not_plain);
    return found;
}

/// The variable if set and not empty.
std::optional<std::string> variable(const char* name) {
    const char* const value = std::getenv(name);
    if (!value || !*value) return {};
    return value;
}

constexpr const char* vendors_of_system = "/etc/OpenCL/vendors";

/// ICD files of the system, then those next to the program, as in a virtual environment.
Vendors vendors_of_system_and_tree() {
    Vendors found = vendors_in(vendors_of_system);
    for (Icd& icd : icds_of_prefix(program_folder().parent_path())) {
        icd.file.insert(0, "own-");  // two may have the same name
        found.icds.push_back(std::move(icd));
        found.has_own = true;
    }
    return found;
}

Vendors installed_vendors() {
    const auto named = variable(vendors) ? variable(vendors) : variable("OPENCL_VENDOR_PATH");
    if (!named) return vendors_of_system_and_tree();
    const std::string& place = *named;
    if (fs::is_directory(place)) return vendors_in(place);
    if (!place.ends_with(".icd")) return {{{"platform.icd", place}}, {}};
    const fs::path file = place;
    const fs::path usual = fs::path(vendors_of_system) / file;
    Vendors found;
    found.add(file.has_parent_path() || !fs::exists(usual) ? file : usual);
    return found;
}

}  // namespace

std::vector<Icd> icds_of_prefix(const fs::path& prefix) {
    std::error_code none;
    const fs::path folder = fs::canonical(prefix / "etc/OpenCL/vendors", none);
    if (folder.empty() || folder == vendors_of_system) return {};
    std::vector<Icd> found;
    for (Icd& icd : vendors_in(folder).icds) {
        if (!fs::exists(icd.library, none)) {
            icd.library = prefix / "lib" / fs::path(icd.library).filename();
        }
        if (fs::is_regular_file(icd.library, none)) found.push_back(std::move(icd));
    }
    return found;
}

std::vector<Icd> installed_icds() {
    return installed_vendors().icds;
}

OnlyIcds::OnlyIcds(const std::vector<Icd>& icds) : before_(variable(vendors)) {
    std::error_code none;
    for (const fs::path& place :
         {place_of_temporary_folders(), fs::path("/tmp"), fs::path("/dev/shm"), fs::path(".")}) {
        std::string name =
            (place / (start_of_process_folder("parallax-icds-") + "XXXXXX")).string();
        if (!mkdtemp(name.data())) continue;
        folder_ = fs::absolute(name, none);
        break;
    }
    if (folder_.empty()) {
        throw Error(
            "An OpenCL platform has to be left out, and no folder can be made for that. TMPDIR "
            "names another place.");
    }
    for (const Icd& icd : icds) std::ofstream(folder_ / icd.file) << icd.library << "\n";
    setenv(vendors, folder_.c_str(), 1);
}

OnlyIcds::~OnlyIcds() {
    std::error_code none;
    fs::remove_all(folder_, none);
    if (before_) {
        setenv(vendors, before_->c_str(), 1);
    } else {
        unsetenv(vendors);
    }
}

Harmless harmless_icds(const std::function<void()>& look, std::chrono::milliseconds together,
                       std::chrono::milliseconds alone) {
    Harmless harmless;
    const Vendors installed = installed_vendors();
    std::optional<OnlyIcds> plain;
    for (const fs::path& file : installed.not_plain) {
        harmless.left_out.push_back(
            fmt::format("{} is no plain file; its OpenCL platform is left out.",
                        printable(file.string(), 200)));
    }
    if (!installed.not_plain.empty() || installed.has_own) {
        plain.emplace(installed.icds);
        harmless.icds = installed.icds;
    }
    const LookEnd all = look_apart(look, together);
    if (all.how.empty()) return harmless;
    harmless.icds.emplace();
    const auto leave_out = [&](const Icd& icd, const LookEnd& end) {
        harmless.left_out.push_back(fmt::format("The OpenCL platform of {} {}; it is left out.{}",
                                                printable(icd.library), end.how,
                                                end.said.empty() ? "" : " It said: " + end.said));
    };
    // A hanging platform is not tried twice: it is the remaining one if all others work. So these
    // are tried first, each with a short limit.
    std::vector<Icd> unknown = installed.icds;
    bool hangs = !all.in_time;
    for (const auto patience : {alone / 20, alone}) {
        std::vector<Icd> silent;
        for (std::size_t i = 0; i < unknown.size(); ++i) {
            const bool is_last = silent.empty() && i + 1 == unknown.size();
            const bool is_it = is_last && (hangs || installed.icds.size() == 1);
            const OnlyIcds only({unknown[i]});
            const LookEnd end = is_it ? all : look_apart(look, patience);
            if (end.how.empty()) {
                harmless.icds->push_back(unknown[i]);
            } else if (end.in_time || is_it || patience == alone) {
                leave_out(unknown[i], end);
                hangs = false;  // it may be this one
            } else {
                silent.push_back(unknown[i]);
            }
        }
        unknown = std::move(silent);
    }
    if (harmless.icds->empty()) return harmless;
    // Each may work alone, and fail next to another.
    const OnlyIcds only(*harmless.icds);
    const LookEnd end = look_apart(look, together);
    if (!end.how.empty()) {
        harmless.icds->clear();
        harmless.left_out.push_back(
            fmt::format("OpenCL's loader {}; no platform is used.", end.how));
    }
    return harmless;
}

}  // namespace parallax::opencl

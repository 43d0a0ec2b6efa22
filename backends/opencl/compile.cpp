// Builds OpenCL kernels.
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/opencl/api.hpp"
#include "backends/opencl/driver_cache.hpp"
#include "common/device/ptxas.hpp"
#include "common/host_clock.hpp"
#include "common/process/confined.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/includes.hpp"

namespace parallax::opencl {
namespace {

bool starts_with_any(const std::vector<std::string>& options, std::string_view start) {
    return std::ranges::any_of(options, [&](const std::string& o) { return o.starts_with(start); });
}

bool is_blank_or_quote(char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\'' || c == '\\';
}

/// The compiler's options, in order.
std::vector<std::string> options_for(const Program& program, const DeviceInfo& info) {
    std::vector<std::string> options;
    // Explicit, so that a driver's default does not apply.
    if (!starts_with_any(program.options, "-cl-std=")) {
        options.push_back("-cl-std=" + (program.standard.empty() ? "CL1.2" : program.standard));
    }
    if (program.type) {
        const std::string_view type = name_of(*program.type);
        options.push_back(fmt::format("-DT={}", type));
        options.push_back(fmt::format("-DT2={}2", type));
        options.push_back(fmt::format("-DT4={}4", type));
    }
    for (const Constant& constant : program.constants) {
        options.push_back(fmt::format("-D{}={}", constant.name, constant.value));
    }
    if (program.floats.exact_division && info.has("correctly_rounded_divide_sqrt")) {
        options.push_back("-cl-fp32-correctly-rounded-divide-sqrt");
    }
    if (program.floats.flush_denormals) options.push_back("-cl-denorms-are-zero");
    if (program.floats.relaxed) options.push_back("-cl-fast-relaxed-math");
    if (info.has("ptx")) options.push_back("-cl-nv-verbose");
    for (const std::string& one : program.include_folders()) {
        // There is no portable quoting in build options.
        if (std::ranges::none_of(one, [](char c) { return is_blank_or_quote(c); })) {
            options.push_back("-I " + one);
        }
    }
    options.insert(options.end(), program.options.begin(), program.options.end());
    return options;
}

/// OpenCL has no build option that forbids contraction: the source itself must.
std::string text_for(const Program& program, const DeviceInfo& info) {
    // In the source, since there is no portable quoting in build options.
    std::string first =
        fmt::format("#pragma OPENCL FP_CONTRACT {}\n", program.floats.contract ? "ON" : "OFF");
    const WrittenSource* const written = program.as_written();
    for (const std::string& one : written ? written->undefined : std::vector<std::string>{}) {
        first += fmt::format("#undef {}\n", one);
    }
    for (const Define& one : written ? written->defines : program.defines) {
        first += fmt::format("#define {} {}\n", one.name, one.value);
    }
    first += line_directive(1, program.name) + '\n';
    // Oclgrind prints lines of this source by the file's line numbers, and counts only '
    // ', while its compiler accepts '\r' as a line end, too.
    if (info.platform == "Oclgrind") std::ranges::replace(first, '\n', '\r');
    return first + (written ? written->source : edited_source(program));
}

/// The input of the build: a program to be built.
struct Made {
    cl::Program program;
    std::string text;
    std::vector<std::string> options;
};

Made from_ptx(const cl::Context& context, const cl::Device& device, const DeviceInfo& info,
              const Program& program) {
    if (!program.foreign) {
        throw Unsupported(
            "OpenCL takes no PTX from elsewhere: a launch of it can kill the context.");
    }
    if (!info.has("ptx")) {
        throw Unsupported(
            fmt::format("{} ({}) takes no PTX: only NVIDIA's OpenCL does.", info.id(), info.name));
    }
    Made made{.program = {}, .text = edited_source(program), .options = {"-cl-nv-verbose"}};
    made.options.insert(made.options.end(), program.options.begin(), program.options.end());
    try {
        made.program = cl::Program(context, {device},
                                   cl::Program::Binaries{{made.text.begin(), made.text.end()}});
    } catch (const cl::Error& error) {
        if (error.err() != CL_INVALID_BINARY && error.err() != CL_INVALID_VALUE) throw;
        throw BuildFailed(fmt::format("{}: the driver of {} ({}) does not take this PTX: {}.",
                                      program.name, info.id(), info.name, error_name(error.err())),
                          {}, made.text);
    }
    return made;
}

Made from_text(const cl::Context& context, const DeviceInfo& info, const Program& program) {
    Made made{
        .program = {}, .text = text_for(program, info), .options = options_for(program, info)};
    made.program = cl::Program(context, made.text);
    return made;
}

std::string joined(const std::vector<std::string>& options) {
    return fmt::format("{}", fmt::join(options, " "));
}

/// Calls the C function: the bindings request logs after a failure, and report a second failure
/// where a driver has none.
void build(const cl::Program& program, const cl::Device& device, const std::string& options,
           const std::optional<PathSandbox>& reach) {
    const cl_device_id id = device();
    cl_int code = CL_SUCCESS;
    confined(reach, {},
             [&] { code = clBuildProgram(program(), 1, &id, options.c_str(), nullptr, nullptr); });
    if (code != CL_SUCCESS) throw cl::Error(code, "clBuildProgram");
}

bool has_report(const std::string& log) {
    return log.find("ptxas") != std::string::npos;
}

/// The compiler's log for this source. A driver with a cache returns a log only when it compiles:
/// then the log of the first build is used. Where that is not known, the source is built once more
/// with a line that no earlier one had, and that machine code is dropped.
/// @param made  makes a program of a source
std::string log_for(const cl::Device& device, const DeviceInfo& info, const std::string& text,
                    const std::string& options, const std::string& said,
                    const std::optional<PathSandbox>& reach,
                    const std::function<cl::Program(const std::string&)>& made) {
    static std::mutex mutex;
    static std::map<std::string, std::string> first_time;
    const std::string key = report_key(info, text, options);
    const std::scoped_lock lock(mutex);
    std::string& known = first_time[key];
    if (has_report(said)) {
        known = said;
    } else if (known.empty()) {
        known = build_reports().find(key).value_or("");
    }
    if (known.empty()) {
        const auto now = std::chrono::system_clock::now().time_since_epoch().count();
        const cl::Program again = made(fmt::format("{}\n// {}\n", text, now));
        build(again, device, options, reach);
        known = again.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    }
    if (has_report(known)) build_reports().keep(key, known);
    return known.empty() ? said : known;
}

/// The extensions that a source enables.
std::vector<std::string> enabled_extensions(std::string_view source) {
    std::vector<std::string> names;
    for (const DirectiveLine& one : directives_of(source).all) {
        constexpr std::string_view begin = "OPENCL EXTENSION ";
        const std::size_t colon = one.rest.find(':');
        if (one.name != "pragma" || !one.rest.starts_with(begin) || colon == one.rest.npos ||
            one.rest.find("disable", colon) != one.rest.npos) {
            continue;
        }
        const std::string_view name =
            std::string_view(one.rest).substr(begin.size(), colon - begin.size());
        names.emplace_back(name.substr(0, name.find(' ')));
    }
    return names;
}

/// The missing extensions that failed kernels require: the start of a sentence; empty: none.
std::string missing_extensions(const cl::Device& device, const DeviceInfo& info,
                               std::string_view source, const std::string& log) {
    const std::string there = " " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ";
    std::vector<std::string> missing = enabled_extensions(source);
    // clang's message about a type or a function.
    constexpr std::string_view requires_it = "requires cl_";
    for (std::size_t at = 0; (at = log.find(requires_it, at)) != log.npos;) {
        at += requires_it.size() - 3;
        const std::size_t end = log.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", at);
        add_once(missing, log.substr(at, end - at));
    }
    // A pragma that the compiler does not reach, or ignores, is no reason.
    std::erase_if(missing, [&](const std::string& name) {
        return name == "all" || log.find(name) == log.npos ||
               there.find(" " + name + " ") != there.npos;
    });
    if (missing.empty()) return {};
    const std::string error = printable(first_line_with(log, "error"), 200);
    return fmt::format("{} ({}) has no {}, which the source asks for.{}", info.id(), info.name,
                       fmt::join(missing, ", "),
                       error.empty() ? "" : " Its compiler says: " + error);
}

std::string binary_of(const cl::Program& program) {
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (binaries.size() != 1) return {};
    return {binaries[0].begin(), binaries[0].end()};
}

}  // namespace

Kernel::Kernel(std::shared_ptr<Shared> shared, const DeviceInfo& info, const Program& program,
               std::string_view name)
    : shared_(std::move(shared)), reach_(program.reach()) {
    kernel = name;
    is_ptx_ = program.language == Language::ptx;
    const HostClock::time_point start = HostClock::now();
    Made made = is_ptx_ ? from_ptx(shared_->context, shared_->device, info, program)
                        : from_text(shared_->context, info, program);
    source = std::move(made.text);
    options = std::move(made.options);
    cl::Program& built = made.program;
    std::optional<std::string> said;  // if another process built it
    const auto log_of = [&] { return built.getBuildInfo<CL_PROGRAM_BUILD_LOG>(shared_->device); };
    try {
        const std::string told = joined(options);
        const auto build_here = [&] { opencl::build(built, shared_->device, told, reach_); };
        if (shared_->builders && !is_ptx_) {
            said = shared_->builders->build({source, told, reach_}, build_here);
        } else {
            build_here();
        }
    } catch (const cl::Error& error) {
        // Any error other than a failed build is a problem of the device, not of the source.
        // Invalid PTX is reported as an invalid binary, here or when the program is created.
        const cl_int code = error.err();
        if (code != CL_BUILD_PROGRAM_FAILURE && code != CL_INVALID_BUILD_OPTIONS &&
            code != CL_COMPILER_NOT_AVAILABLE && !(is_ptx_ && code == CL_INVALID_BINARY)) {
            throw;
        }
        const std::string words = with_own_places(log_of(), source);
        if (!is_ptx_) {
            const std::string lack = missing_extensions(shared_->device, info, source, words);
            if (!lack.empty()) throw Unsupported(lack);
        }
        throw BuildFailed(fmt::format("{} did not compile for {} ({}): {}. The compiler's log says "
                                      "where.",
                                      program.name, info.id(), info.name, error_name(code)),
                          words, source);
    }
    log = with_own_places(said ? *said : log_of(), source);
    try {
        kernel_ = cl::Kernel(built, kernel.c_str());
        program_ = built;
    } catch (const cl::Error& error) {
        if (error.err() != CL_INVALID_KERNEL_NAME) throw;
        throw BuildFailed(fmt::format("{} has no kernel '{}'.", program.name, kernel), log, source);
    }
    if (!is_ptx_) signature_ = signature_of(program, kernel);
    build_seconds = seconds_since(start);

    if (info.has("ptx")) {
        log = log_for(shared_->device, info, source, joined(options), log, reach_,
                      [this](const std::string& text) { return program_of(text); });
        ptx = binary_of(built);
        resources = ptxas_resources(log, kernel);
    }
    const auto narrow = [](auto value) { return static_cast<std::uint32_t>(value); };
    const cl::Device& device = shared_->device;
    if (!resources.local_bytes) {
        resources.local_bytes = narrow(kernel_.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device));
    }
    if (!resources.private_bytes) {
        resources.private_bytes =
            narrow(kernel_.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(device));
    }
    // A driver may report its usual limit although the kernel was compiled for one size, and fits.
    const auto required = kernel_.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
    const std::size_t asked = required[0] * required[1] * required[2];
    // NVIDIA's reports 256 for kernels without a required size, and runs them with more.
    if (asked > 0 || !info.has("ptx")) {
        resources.max_group_items =
            narrow(std::max(kernel_.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device), asked));
    }
    resources.preferred_multiple =
        narrow(kernel_.getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(device));
}

Kernel::Kernel(const Kernel& first, const DeviceInfo& info)
    : Code(first),
      shared_(first.shared_),
      reach_(first.reach_),
      is_ptx_(first.is_ptx_),
      signature_(first.signature_) {
    program_ = first.program_;
    if (!info.is_pocl()) {
        // A built program opens no more files; building its source again would.
        const bool is_built = reach_ && !is_ptx_;
        program_ = is_built ? cl::Program(shared_->context, {shared_->device},
                                          first.program_.getInfo<CL_PROGRAM_BINARIES>())
                            : program_of(source);
        opencl::build(program_, shared_->device, joined(options), is_built ? std::nullopt : reach_);
    }
    kernel_ = cl::Kernel(program_, kernel.c_str());
}

cl::Program Kernel::program_of(const std::string& text) const {
    if (!is_ptx_) return {shared_->context, text};
    return {shared_->context, {shared_->device}, cl::Program::Binaries{{text.begin(), text.end()}}};
}

}  // namespace parallax::opencl

// Tracks programs and kernels: their sources as built, and their arguments.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "capture/state.hpp"
#include "common/device/build_options.hpp"
#include "common/error.hpp"
#include "common/text/hash.hpp"
#include "common/text/path_sandbox.hpp"
#include "mapping/preprocess/includes.hpp"

namespace parallax::capture {
namespace {

/// Resolves the source's includes while the folders exist.
void include_all(Text& text, const std::string& source, const std::string& headers) {
    text.source = source;
    if (source.find("include") == source.npos) return;
    const BuildOptions options = parse_build_options(text.options);
    std::vector<std::string> folders = options.folders;
    if (!headers.empty()) folders.insert(folders.begin(), headers);
    std::vector<std::filesystem::path> open(folders.begin(), folders.end());
    open.emplace_back(".");
    // The program passed these folders to the compiler: all their files belong to its source.
    open.emplace_back("/");
    try {
        text.source = with_includes("program.cl", source, folders, PathSandbox(open)).text;
    } catch (const Error&) {
        text.is_whole = false;  // a macro may name a file, which needs a preprocessor
    }
}

std::shared_ptr<const Text> text_of(const std::string& source, const char* words,
                                    const std::string& headers = {}) {
    auto text = std::make_shared<Text>();
    text->options = words ? words : "";
    include_all(*text, source, headers);
    text->hash = hash_of(text->source + '\0' + text->options);
    return text;
}

std::shared_ptr<const Text> no_text(const std::string& why_not) {
    auto text = std::make_shared<Text>();
    text->why_not = why_not;
    text->hash = why_not;
    return text;
}

void put_program(cl_program program, ProgramObject object) {
    if (!program) return;
    const std::scoped_lock lock(state().mutex);
    state().programs[program] = std::move(object);
}

ProgramObject program_of(cl_program program) {
    const std::scoped_lock lock(state().mutex);
    const auto found = state().programs.find(program);
    if (found != state().programs.end()) return found->second;
    return {no_text("a program that was made by a function the layer does not see"), {}};
}

cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char** strings,
                                          const size_t* lengths, cl_int* code) {
    const cl_program program =
        state().next.clCreateProgramWithSource(context, count, strings, lengths, code);
    quietly([&] {
        if (!program) return;
        std::string source;
        for (cl_uint i = 0; i < count; ++i) {
            source += lengths && lengths[i] > 0 ? std::string(strings[i], lengths[i])
                                                : std::string(strings[i]);
        }
        while (source.ends_with('\0')) source.pop_back();
        put_program(program, {text_of(source, ""), source});
    });
    return program;
}

constexpr const char* from_cache =
    "a program made of a binary that an earlier run left behind: capture it with --no-binaries, or "
    "with the folder empty where the program keeps such binaries";

std::string_view bytes_of(const unsigned char* binary, std::size_t size) {
    return {reinterpret_cast<const char*>(binary), size};
}

/// The program from which one of the binaries was requested.
std::optional<ProgramObject> known_binary(cl_uint count, const std::size_t* lengths,
                                          const unsigned char** binaries) {
    for (cl_uint i = 0; lengths && binaries && i < count; ++i) {
        if (!binaries[i] || lengths[i] == 0) continue;
        const std::string hash = hash_of(bytes_of(binaries[i], lengths[i]));
        const std::scoped_lock lock(state().mutex);
        const auto found = state().binaries.find(hash);
        if (found != state().binaries.end()) return found->second;
    }
    return {};
}

cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count,
                                          const cl_device_id* devices, const size_t* lengths,
                                          const unsigned char** binaries, cl_int* status,
                                          cl_int* code) {
    std::optional<ProgramObject> made_before;
    quietly([&] { made_before = known_binary(count, lengths, binaries); });
    if (state().settings.no_binaries && state().on && !made_before) {
        for (cl_uint i = 0; status && i < count; ++i) status[i] = CL_INVALID_BINARY;
        if (code) *code = CL_INVALID_BINARY;
        return nullptr;
    }
    const cl_program program = state().next.clCreateProgramWithBinary(
        context, count, devices, lengths, binaries, status, code);
    quietly([&] {
        if (program)
            put_program(program,
                        made_before.value_or(ProgramObject{no_text(from_cache), {}, true}));
    });
    return program;
}

/// Remembers the binaries that the program requests, for programs made of them.
cl_int CL_API_CALL program_info(cl_program program, cl_program_info name, size_t size, void* value,
                                size_t* size_ret) {
    const cl_int code = state().next.clGetProgramInfo(program, name, size, value, size_ret);
    if (name != CL_PROGRAM_BINARIES || code != CL_SUCCESS || !value) return code;
    quietly([&] {
        std::vector<size_t> sizes(size / sizeof(unsigned char*));
        if (state().next.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
                                          sizes.size() * sizeof(size_t), sizes.data(),
                                          nullptr) != CL_SUCCESS) {
            return;
        }
        ProgramObject object = program_of(program);
        object.is_binary = true;
        auto* const* const binaries = static_cast<unsigned char* const*>(value);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (!binaries[i] || sizes[i] == 0) continue;
            std::string hash = hash_of(bytes_of(binaries[i], sizes[i]));
            const std::scoped_lock lock(state().mutex);
            state().binaries[std::move(hash)] = object;
        }
    });
    return code;
}

cl_program CL_API_CALL create_with_il(cl_context context, const void* il, size_t length,
                                      cl_int* code) {
    const cl_program program = state().next.clCreateProgramWithIL(context, il, length, code);
    quietly([&] { put_program(program, {no_text("a program made of IL (SPIR-V)"), {}}); });
    return program;
}

cl_program CL_API_CALL create_built_in(cl_context context, cl_uint count,
                                       const cl_device_id* devices, const char* names,
                                       cl_int* code) {
    const cl_program program =
        state().next.clCreateProgramWithBuiltInKernels(context, count, devices, names, code);
    quietly([&] { put_program(program, {no_text("kernels built into the device"), {}}); });
    return program;
}

void add_build(std::chrono::steady_clock::time_point start) {
    const double seconds = seconds_since(start);
    const std::scoped_lock lock(state().mutex);
    ++state().builds.count;
    state().builds.seconds += seconds;
}

cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id* devices,
                         const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                         void* data) {
    // Reads the folders first: the program may remove them afterwards.
    quietly([&] {
        ProgramObject object = program_of(program);
        if (!object.text->why_not.empty() || object.is_binary) return;
        object.text = text_of(object.source, options);
        put_program(program, std::move(object));
    });
    const auto start = std::chrono::steady_clock::now();
    const cl_int code = state().next.clBuildProgram(program, count, devices, options, notify, data);
    quietly([&] { add_build(start); });
    return code;
}

/// Temporary files for headers that a program passed by name.
class HeaderFiles {
public:
    HeaderFiles(std::span<const cl_program> headers, const char** names)
        : folder_(state().store->folder() /
                  fmt::format(".headers-{}",
                              hash_of(fmt::format("{}", static_cast<const void*>(this))))) {
        for (std::size_t i = 0; i < headers.size(); ++i) {
            const std::filesystem::path name = std::filesystem::path(names[i]).lexically_normal();
            if (name.is_absolute() || name.empty() || *name.begin() == "..") continue;
            std::filesystem::create_directories((folder_ / name).parent_path());
            Store(folder_, 0).write(name.string(), program_of(headers[i]).source);
        }
    }
    HeaderFiles(const HeaderFiles&) = delete;
    HeaderFiles& operator=(const HeaderFiles&) = delete;
    ~HeaderFiles() {
        std::error_code error;
        std::filesystem::remove_all(folder_, error);
    }
    std::string folder() const { return folder_.string(); }

private:
    std::filesystem::path folder_;
};

cl_int CL_API_CALL compile(cl_program program, cl_uint count, const cl_device_id* devices,
                           const char* options, cl_uint headers, const cl_program* programs,
                           const char** names, void(CL_CALLBACK* notify)(cl_program, void*),
                           void* data) {
    quietly([&] {
        ProgramObject object = program_of(program);
        if (!object.text->why_not.empty()) return;
        if (headers == 0) {
            object.text = text_of(object.source, options);
        } else {
            const HeaderFiles files({programs, headers}, names);
            object.text = text_of(object.source, options, files.folder());
        }
        put_program(program, std::move(object));
    });
    const auto start = std::chrono::steady_clock::now();
    const cl_int code = state().next.clCompileProgram(program, count, devices, options, headers,
                                                      programs, names, notify, data);
    quietly([&] { add_build(start); });
    return code;
}

cl_program CL_API_CALL link(cl_context context, cl_uint count, const cl_device_id* devices,
                            const char* options, cl_uint inputs, const cl_program* programs,
                            void(CL_CALLBACK* notify)(cl_program, void*), void* data,
                            cl_int* code) {
    const auto start = std::chrono::steady_clock::now();
    const cl_program program = state().next.clLinkProgram(context, count, devices, options, inputs,
                                                          programs, notify, data, code);
    quietly([&] {
        add_build(start);
        if (!program) return;
        std::string source, words = options ? options : "";
        for (cl_uint i = 0; i < inputs; ++i) {
            const ProgramObject part = program_of(programs[i]);
            if (!part.text->why_not.empty()) {
                put_program(program, {part.text, {}});
                return;
            }
            // One source for all parts: the linker ensures that their declarations agree.
            source += part.text->source + "\n";
            if (words.find(part.text->options) == words.npos) words += " " + part.text->options;
        }
        put_program(program, {text_of(source, words.c_str()), source});
    });
    return program;
}

void put_kernel(cl_kernel kernel, const std::shared_ptr<const Text>& text) {
    size_t size = 0;
    state().next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
    std::string name(size, '\0');
    cl_uint arguments = 0;
    state().next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
    while (name.ends_with('\0')) name.pop_back();
    state().next.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments,
                                 nullptr);
    KernelObject object{name, text, {}, std::vector<KernelArgument>(arguments), {}};
    const std::scoped_lock lock(state().mutex);
    object.tally = tally_of(object.name, text->hash, text->options);
    state().kernels[kernel] = std::move(object);
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* code) {
    const cl_kernel kernel = state().next.clCreateKernel(program, name, code);
    quietly([&] {
        if (kernel) put_kernel(kernel, program_of(program).text);
    });
    return kernel;
}

cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel* kernels,
                                  cl_uint* made) {
    cl_uint number = 0;
    const cl_int code = state().next.clCreateKernelsInProgram(program, count, kernels, &number);
    if (made) *made = number;
    quietly([&] {
        if (code != CL_SUCCESS || !kernels) return;
        const std::shared_ptr<const Text> text = program_of(program).text;
        for (cl_uint i = 0; i < std::min(count, number); ++i) put_kernel(kernels[i], text);
    });
    return code;
}

cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int* code) {
    const cl_kernel kernel = state().next.clCloneKernel(source, code);
    quietly([&] {
        const std::scoped_lock lock(state().mutex);
        const auto found = state().kernels.find(source);
        if (!kernel || found == state().kernels.end()) return;
        KernelObject copy = found->second;
        state().kernels[kernel] = std::move(copy);
    });
    return kernel;
}

/// Stores an argument of a known kernel.
template <class F>
void with_argument(cl_kernel kernel, cl_uint index, F&& note) {
    const std::scoped_lock lock(state().mutex);
    const auto found = state().kernels.find(kernel);
    if (found == state().kernels.end() || index >= found->second.arguments.size()) return;
    KernelArgument& argument = found->second.arguments[index];
    argument.is_set = true;
    argument.is_local = argument.is_shared = false;
    argument.why_not.clear();
    note(argument);
}

cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
    const cl_int code = state().next.clSetKernelArg(kernel, index, size, value);
    if (code != CL_SUCCESS) return code;
    quietly([&] {
        with_argument(kernel, index, [&](KernelArgument& argument) {
            argument.is_local = value == nullptr;
            argument.local_bytes = size;
            const auto* bytes = static_cast<const std::byte*>(value);
            if (value) argument.value.assign(bytes, bytes + size);
        });
    });
    return code;
}

cl_int CL_API_CALL set_svm_argument(cl_kernel kernel, cl_uint index, const void* value) {
    const cl_int code = state().next.clSetKernelArgSVMPointer(kernel, index, value);
    if (code != CL_SUCCESS) return code;
    quietly([&] {
        with_argument(kernel, index, [&](KernelArgument& argument) {
            argument.is_shared = value != nullptr;
            argument.value.resize(sizeof(value));
            std::memcpy(argument.value.data(), &value, sizeof(value));
        });
    });
    return code;
}

cl_int CL_API_CALL set_exec_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                 const void* value) {
    const cl_int code = state().next.clSetKernelExecInfo(kernel, name, size, value);
    quietly([&] {
        const std::scoped_lock lock(state().mutex);
        const auto found = state().kernels.find(kernel);
        if (found != state().kernels.end() && name == CL_KERNEL_EXEC_INFO_SVM_PTRS && size > 0) {
            found->second.why_not = "SVM pointers that the kernel reaches";
        }
    });
    return code;
}

}  // namespace

void hook_programs(cl_icd_dispatch& own) {
    own.clCreateProgramWithSource = create_with_source;
    own.clCreateProgramWithBinary = create_with_binary;
    own.clCreateProgramWithIL = create_with_il;
    own.clCreateProgramWithBuiltInKernels = create_built_in;
    own.clGetProgramInfo = program_info;
    own.clBuildProgram = build;
    own.clCompileProgram = compile;
    own.clLinkProgram = link;
    own.clReleaseProgram =
        release_known<&cl_icd_dispatch::clReleaseProgram, &cl_icd_dispatch::clGetProgramInfo,
                      CL_PROGRAM_REFERENCE_COUNT, &State::programs>;
    own.clCreateKernel = create_kernel;
    own.clCreateKernelsInProgram = create_kernels;
    own.clCloneKernel = clone_kernel;
    own.clReleaseKernel =
        release_known<&cl_icd_dispatch::clReleaseKernel, &cl_icd_dispatch::clGetKernelInfo,
                      CL_KERNEL_REFERENCE_COUNT, &State::kernels>;
    own.clSetKernelArg = set_argument;
    own.clSetKernelArgSVMPointer = set_svm_argument;
    own.clSetKernelExecInfo = set_exec_info;
}

}  // namespace parallax::capture

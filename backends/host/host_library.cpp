// Compiles a source in a temporary folder, and caches the result.
#include "backends/host/host_library.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/host/host_source.hpp"
#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/process/confined.hpp"
#include "common/text/characters.hpp"
#include "common/text/embedded_file.hpp"
#include "common/text/hash.hpp"
#include "common/text/read_file.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/translate/cuda_source.hpp"

// Defined by ThreadSanitizer if this program is built with it.
extern "C" [[gnu::weak]] void __tsan_init();  // NOLINT: its name

namespace parallax {

std::span<const EmbeddedFile> host_shim();

namespace host {
namespace {

namespace fs = std::filesystem;

/// The option of g++ that sets what the source leaves unset.
constexpr std::string_view preset_to = "-ftrivial-auto-var-init=";

/// For one source; a slower compiler is considered hung.
constexpr std::chrono::minutes most_time{5};

/// The program's own macros, the last ones of its options.
std::vector<std::string> macros_of(const Program& program) {
    std::vector<std::string> macros;
    for (const Constant& constant : program.constants) {
        macros.push_back(fmt::format("-D{}={}", constant.name, constant.value));
    }
    // Other options are NVRTC's own.
    for (const std::string& option : program.options) {
        if (option.starts_with("-D") || option.starts_with("-U")) macros.push_back(option);
    }
    return macros;
}

std::vector<std::string> options_for(const Program& program, bool is_sanitized) {
    // Signed sums wrap on a GPU; bytes may be accessed as any type there.
    std::vector<std::string> options{
        "-std=c++17", "-fPIC", "-shared", "-fno-builtin", "-fwrapv", "-fno-strict-aliasing",
        "-Wl,-Bsymbolic", "-fno-semantic-interposition",
        // Some of g++'s warnings are errors of CUDA's compiler.
        compiler().is_clang ? "-w" : "-Wpedantic", "-Wno-narrowing", "-ftabstop=1",
        // The compiler would print lines of any file that the source names by #line.
        compiler().is_clang ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret",
        program.floats.contract ? "-ffp-contract=fast" : "-ffp-contract=off",
        // Line numbers for error locations; binutils 2.40 mistakes files in DWARF 5.
        "-g1", "-gdwarf-4", "-fno-omit-frame-pointer"};
    // By default g++ shares variables of inline functions and templates among all copies.
    if (!compiler().is_clang) options.emplace_back("-fno-gnu-unique");
    if (is_sanitized) {
        // An optimised-away access cannot be detected.
        for (const char* one :
             {"-O0", "-fsanitize=thread,undefined,float-cast-overflow", "-fno-sanitize=vptr",
              "-fsanitize-recover=all", "--param=tsan-instrument-func-entry-exit=0",
              "--param=tsan-distinguish-volatile=1", "-DPARALLAX_SANITIZED",
              // Puts local memory, which the shim aligns to pages, before all other data.
              "-fdata-sections", "-fuse-ld=bfd", "-Wl,--sort-section=alignment"}) {
            options.emplace_back(one);
        }
    } else {
        options.emplace_back("-O1");
    }
    std::ranges::move(macros_of(program), std::back_inserter(options));
    return options;
}

// Errors of g++ that CUDA's compiler does not have, and that g++ can disable. g++ should accept
// exactly what CUDA's compiler accepts.
constexpr std::string_view permitted[] = {"jump to label", "jump to case label",
                                          "return-statement with no value"};
/// Extensions of g++ that CUDA's compiler lacks.
constexpr std::string_view extensions[] = {"[-Wvla]",
                                           "[-Wpointer-arith]",
                                           "[-Wregister]",
                                           "forbids zero-size array",
                                           "forbids flexible array",
                                           "forbids compound-literals",
                                           "forbids braced-groups",
                                           "forbids omitting",
                                           "designated initializers only",
                                           "range expressions in switch"};

bool holds_any(std::string_view line, std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](auto one) { return line.find(one) != line.npos; });
}

/// Whether g++'s note of a jump over an initialization names a struct or vector: CUDA rejects such
/// jumps as well.
bool is_of_struct(std::string_view note, std::string_view cuda) {
    if (note.find_first_of("*&") != note.npos) return false;
    note.remove_prefix(note.find("crosses initialization"));
    static constexpr std::string_view elements[] = {
        "char",      "uchar", "short", "ushort", "int",   "uint",  "longlong",
        "ulonglong", "long",  "ulong", "half",   "float", "double"};
    // g++ quotes with ‘ and ’, or with '.
    const std::size_t first = note.find_first_not_of("'\xe2\x80\x98", note.find_first_of("'\xe2"));
    const std::string_view quoted = note.substr(std::min(first, note.size()));
    std::string_view type = quoted.substr(0, quoted.find(' '));
    if (type == "const") {
        type = quoted.substr(type.size() + 1);
        type = type.substr(0, type.find(' '));
    }
    static constexpr std::pair<std::string_view, std::string_view> around[] = {
        {" ", " {"}, {" ", "{"}, {" ", "\n{"}, {"} ", ";"}};
    for (const auto& [before, after] : around) {
        if (cuda.find(fmt::format("{}{}{}", before, type, after)) != cuda.npos) return true;
    }
    const std::string_view element = type.substr(0, type.find_last_not_of("0123456789") + 1);
    return element.size() < type.size() &&
           std::ranges::find(elements, element) != std::end(elements);
}

/// Whether a log has errors, and all of them are permitted.
bool may_be_permitted(std::string_view log, std::string_view cuda) {
    bool any = false, is_goto = false;
    for (const std::string_view line : lines_of(log)) {
        const bool is_note = line.find("crosses initialization") != line.npos;
        if (is_note && is_goto && is_of_struct(line, cuda)) return false;
        if (line.find(" error: ") == line.npos) continue;
        if (!holds_any(line, permitted)) return false;
        any = true;
        is_goto = line.find(permitted[0]) != line.npos;
    }
    return any;
}

/// The lines of a log that are no warnings, or those that are warnings of extensions.
std::string lines_in(std::string_view log, bool of_extensions) {
    std::string found;
    for (const std::string_view line : lines_of(log)) {
        const bool warns = line.find(" warning: ") != line.npos;
        if (of_extensions ? warns && holds_any(line, extensions) : !warns)
            found.append(line) += '\n';
    }
    return found;
}

/// A name of CUDA that a compiler does not know; empty: another error.
std::string unknown_word(std::string_view log) {
    for (const std::string_view line : lines_of(log)) {
        const bool is_unknown = line.find("not declared") != line.npos ||
                                line.find("undeclared identifier") != line.npos ||
                                line.find("does not name a type") != line.npos ||
                                line.find("unknown type name") != line.npos;
        if (!is_unknown) continue;
        // g++ quotes with ‘ and ’, clang++ with '.
        std::size_t first = line.find("error: ");
        first = line.find_first_of("'\xe2", first);
        if (first == line.npos) continue;
        first = line.find_first_not_of("'\xe2\x80\x98", first);
        const std::string_view word =
            line.substr(first, line.find_first_of("'\xe2", first) - first);
        for (const std::string_view start :
             {"__", "cuda", "tex", "surf", "atomic", "cooperative"}) {
            if (word.starts_with(start)) return std::string(word);
        }
    }
    return {};
}

/// Headers whose declarations the shim makes itself.
constexpr std::string_view known_headers[] = {"assert.h",
                                              "cassert",
                                              "cmath",
                                              "cuda.h",
                                              "cuda_fp16.h",
                                              "cuda_runtime.h",
                                              "device_launch_parameters.h",
                                              "math.h",
                                              "math_constants.h",
                                              "vector_types.h"};
/// Headers that it lacks, though a system may have them.
constexpr std::string_view missing_headers[] = {"cooperative_groups.h", "mma.h",
                                                "cuda_bf16.h",          "cuda_fp8.h",
                                                "cuda_pipeline.h",      "curand_kernel.h"};
constexpr std::string_view lacks = "the host does not have ";

/// Puts empty files in place of headers that the shim replaces, and others in place of those that
/// it lacks.
void put_headers(const TemporaryFolder& folder) {
    for (const std::string_view name : known_headers) folder.put(std::string(name), "");
    for (const std::string_view name : missing_headers) {
        folder.put(std::string(name), fmt::format("#error {}'{}'\n", lacks, name));
    }
}

/// The header that a source includes and the host does not have; empty: another error.
std::string missing_header(std::string_view log) {
    for (const std::string_view line : lines_of(log)) {
        if (const std::size_t at = line.find(lacks); at != line.npos) {
            const std::string_view rest = line.substr(at + lacks.size() + 1);
            return std::string(rest.substr(0, rest.find('\'')));
        }
        constexpr std::string_view fatal = "fatal error: ";
        const std::size_t at = line.find(fatal);
        if (at == line.npos || (line.find(": No such file") == line.npos &&
                                line.find("file not found") == line.npos)) {
            continue;
        }
        const std::string_view rest = line.substr(at + fatal.size());
        return std::string(rest.substr(0, rest.find_first_of(":'", 1)));
    }
    return {};
}

/// Whether a file that the compiler names is neither the shim's nor the prelude.
bool is_of_source(std::string_view file) {
    return file != prelude_file && file != "kernel.cpp" && !file.empty() &&
           !file.starts_with('?') &&
           std::ranges::none_of(host_shim(),
                                [&](const EmbeddedFile& one) { return one.name == file; });
}

/// The variables that the source declares without a value, of g++'s dump of its tree.
std::vector<UnsetVariable> unset_in(std::string_view dump) {
    std::vector<UnsetVariable> all;
    std::string_view function;
    for (const std::string_view line : lines_of(dump)) {
        if (line.ends_with(')') && !line.starts_with(' ')) {
            function = line.substr(0, line.find(" ("));
            function = function.substr(0, function.find('<'));
            function.remove_prefix(function.find_last_of(" :") + 1);  // npos + 1 is 0
        }
        const std::size_t open = line.find('['), close = line.find("] ");
        const std::size_t made = line.find(" = .DEFERRED_INIT (");
        if (made == line.npos || close > made) continue;
        const std::string_view place = line.substr(open + 1, close - open - 1);
        if (!is_of_source(place.substr(0, place.find(':')))) continue;
        all.push_back({std::string(function), std::string(place.substr(0, place.rfind(':'))),
                       std::string(line.substr(close + 2, made - close - 2))});
    }
    return all;
}

/// Whether g++ warns that it may be read before it is set.
bool is_warned_of(std::string_view log, const UnsetVariable& one) {
    return std::ranges::any_of(lines_of(log), [&](std::string_view line) {
        return line.starts_with(one.place + ':') && line.ends_with("declared here") &&
               (line.find(fmt::format("\xe2\x80\x98{}\xe2\x80\x99", one.name)) != line.npos ||
                line.find(fmt::format("'{}'", one.name)) != line.npos);
    });
}

}  // namespace

const Compiler& compiler() {
    static const Compiler found = [] {
        for (const char* const name : {"c++", "g++", "clang++"}) {
            const ProcessResult version = run_program(name, {"--version"}, most_time);
            if (!version.ok()) continue;
            Compiler one{.program = name};
            one.version = std::string(lines_of(version.out).front());
            const ProcessResult where =
                run_program(name, {"-print-file-name=libasan.so"}, most_time);
            // clang has other names for some of g++'s options.
            one.is_clang = version.out.find("clang") != version.out.npos;
            // ThreadSanitizer's shadow occupies the range of AddressSanitizer's.
            one.has_sanitizers =
                where.ok() && where.out.starts_with('/') && !one.is_clang && !__tsan_init;
            one.presets = one.has_sanitizers && run_program(name,
                                                            {std::string(preset_to) + "zero",
                                                             "-fsyntax-only", "-xc++", "/dev/null"},
                                                            most_time)
                                                    .ok();
            return one;
        }
        return Compiler{};
    }();
    return found;
}

std::string Library::line_of(const std::vector<std::uintptr_t>& offsets, Unset unset) const {
    const TemporaryFolder folder(start_of_folders);
    std::vector<std::string> words{
        "-i", "-e", folder.put("kernel.so", images_.at(static_cast<std::size_t>(unset)))};
    // Return addresses are after the calls.
    for (const std::uintptr_t one : offsets) words.push_back(fmt::format("{:#x}", one - 1));
    const ProcessResult told = run_program("addr2line", words, most_time);
    if (!told.ok()) return {};
    for (const std::string_view line : lines_of(told.out)) {
        std::string place = fs::path(line).filename().string();
        place.erase(std::min(place.find(" ("), place.size()));  // newer ones append a discriminator
        if (is_of_source(place.substr(0, place.rfind(':')))) return place;
    }
    return {};
}

Library::Library(const Program& program, std::string cuda, const std::vector<std::string>& kernels,
                 bool is_sanitized)
    : cuda_(std::move(cuda)),
      options_(options_for(program, is_sanitized)),
      kernels_(kernels),
      reach_(program.reach()),
      is_sanitized_(is_sanitized) {
    const std::vector<std::string> macros = macros_of(program);
    const CppText cpp = as_cpp(program.name, cuda_, kernels, macros);
    dynamic_ = cpp.dynamic;
    text_ = cpp.text;
    words_ = options_;
    words_.resize(words_.size() - macros.size());
    has_headers_ = cuda_.find("include") != std::string::npos;
    if (has_headers_) words_.emplace_back("-I.");
    for (const std::string& one : program.include_folders()) words_.push_back("-I" + one);
    // Linking C++'s own library takes longest, and the process has it already.
    words_.insert(words_.end(), {"kernel.cpp", "-nodefaultlibs"});
    if (is_sanitized) words_.insert(words_.end(), {"-Wl,--no-as-needed", "-lasan"});
    words_.insert(words_.end(), {"-lm", "-lc", "-lgcc"});
    const TemporaryFolder folder(start_of_folders);
    fill(folder);
    const bool presets = is_sanitized && compiler().presets;
    const auto compile = [&] {
        if (!presets) return compiled(folder, {});
        return compiled(folder, {std::string(preset_to) + "pattern",
                                 "-fdump-tree-gimple-lineno=kernel.gimple"});
    };
    ProcessResult made = compile();
    if (!compiler().is_clang && !made.ok() && may_be_permitted(made.err, cuda_)) {
        text_ = with_declarations_ahead(cpp.text, made.err);
        folder.put("kernel.cpp", text_);
        // g++ does not check the target of a computed goto.
        words_.insert(words_.end(), {"-fpermissive", "-Dgoto=goto *&&"});
        if (ProcessResult again = compile(); again.ok()) made = std::move(again);
    }
    if (const std::string log = lines_in(made.err, true); made.ok() && !log.empty()) {
        throw BuildFailed(fmt::format("{}: its CUDA source has what CUDA's compiler does not take.",
                                      program.name),
                          log, cuda_);
    }
    if (!made.ok()) {
        const std::string log =
            made.in_time ? lines_in(made.err, false) : "It took more than five minutes.";
        if (const std::string header = missing_header(log); !header.empty()) {
            throw Unsupported(fmt::format(
                "{}: the host does not have '{}'. NVRTC and a GPU may have it; a header "
                "of your own belongs into the manifest's folder or one of its "
                "'include'; --allow DIR opens another folder.",
                program.name, header));
        }
        if (const std::string word = unknown_word(log); !word.empty()) {
            throw Unsupported(
                fmt::format("{}: the host does not have '{}'. NVRTC and a GPU may have it.",
                            program.name, word));
        }
        throw BuildFailed(
            fmt::format("{}: {} did not build its CUDA source.", program.name, compiler().program),
            log, cuda_);
    }
    const auto image = [&] { return read_file(folder.file("kernel.so"), std::uint64_t{1} << 30); };
    images_[0] = image();
    const std::string dump = folder.file("kernel.gimple");
    if (fs::exists(dump)) unset_ = unset_in(read_file(dump, std::uint64_t{1} << 30));
    const std::string own = cuda_.substr(own_lines(cuda_, program.name));
    for (const char* const word : {"struct", "class", "union"}) has_structs_ |= has_word(own, word);
    if (!unset_.empty() && compiled(folder, {std::string(preset_to) + "zero"}).ok())
        images_[1] = image();
}

void Library::fill(const TemporaryFolder& folder) const {
    for (const EmbeddedFile& file : host_shim()) folder.put(file.name, file.text);
    folder.put("kernel.cpp", text_);
    if (has_headers_) put_headers(folder);
}

ProcessResult Library::compiled(const TemporaryFolder& folder,
                                std::vector<std::string> more) const {
    more.insert(more.begin(), words_.begin(), words_.end());
    more.insert(more.begin(), {"TMPDIR=" + folder.path().string(), compiler().program});
    more.insert(more.end(), {"-o", "kernel.so"});
    ProcessResult ended;
    confined(reach_, {.write = {folder.path()}}, [&] {
        ended = run_program("env", more, most_time, folder.path(), compiler_limits());
    });
    return ended;
}

std::string Library::unset_of(const std::string& kernel) const {
    std::vector<UnsetVariable> own = unset_, warned;
    const auto base = [](std::string_view name) {
        name = name.substr(0, name.find('<'));
        return std::string(name.substr(name.rfind(':') + 1));  // npos + 1 is 0
    };
    std::erase_if(own, [&](const UnsetVariable& one) {
        return one.function != base(kernel) &&
               std::ranges::find(kernels_, one.function, base) != kernels_.end();
    });
    const TemporaryFolder folder(start_of_folders);
    fill(folder);
    const std::string log = compiled(folder, {"-O1", "-fno-sanitize=all", "-Wuninitialized",
                                              "-Wmaybe-uninitialized", "-S"})
                                .err;
    std::ranges::copy_if(own, std::back_inserter(warned),
                         [&](const UnsetVariable& one) { return is_warned_of(log, one); });
    std::string names;
    for (const UnsetVariable& one : warned.empty() ? own : warned)
        names += fmt::format("{}'{}' ({})", names.empty() ? "" : ", ", one.name, one.place);
    return names;
}

std::shared_ptr<KernelModule> Library::lease(Unset unset) {
    const auto kind = static_cast<std::size_t>(unset);
    std::unique_ptr<KernelModule> one;
    {
        const std::scoped_lock lock(mutex_);
        if (!idle_[kind].empty()) {
            one = std::move(idle_[kind].back());
            idle_[kind].pop_back();
        }
    }
    if (!one) one = std::make_unique<KernelModule>(images_[kind], dynamic_, is_sanitized_);
    if (!one->has_globals()) most_copies_ = 8;
    return {one.release(), [library = shared_from_this(), kind](KernelModule* returned) {
                const std::scoped_lock lock(library->mutex_);
                library->idle_[kind].emplace_back(returned);
            }};
}

namespace {

/// Compiled once per process, for each set of kernels.
std::shared_ptr<Library> kept_library(const Program& program, const std::string& cuda,
                                      const std::vector<std::string>& kernels, bool is_sanitized) {
    using Future = std::shared_future<std::shared_ptr<Library>>;
    static std::mutex mutex;
    static std::map<std::string, Future> all;
    const std::string key = hash_of(fmt::format("{}\n{}\n{}\n{}\n{}", is_sanitized, program.name,
                                                fmt::join(options_for(program, is_sanitized), "\n"),
                                                fmt::join(kernels, "\n"), cuda));
    std::promise<std::shared_ptr<Library>> promise;
    Future future;
    bool is_new = false;
    {
        const std::scoped_lock lock(mutex);
        const auto [found, fresh] = all.try_emplace(key);
        is_new = fresh;
        if (fresh) found->second = promise.get_future().share();
        future = found->second;
    }
    if (is_new) {
        try {
            promise.set_value(std::make_shared<Library>(program, cuda, kernels, is_sanitized));
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    }
    return future.get();
}

}  // namespace

std::shared_ptr<Library> library_of(const Program& program, const std::string& cuda,
                                    const std::string& kernel, bool is_sanitized) {
    const std::vector<std::string> kernels =
        program.name_expressions.empty() ? kernels_in(cuda) : program.name_expressions;
    const bool is_known = std::ranges::find(kernels, kernel) != kernels.end();
    if (is_known && kernels.size() > 1) {
        try {
            return kept_library(program, cuda, kernels, is_sanitized);
        } catch (const Error&) {
            // Preprocessor directives may remove some of them.
        }
    }
    try {
        return kept_library(program, cuda, {kernel}, is_sanitized);
    } catch (const BuildFailed& error) {
        const std::size_t call = error.log.find("parallax_call_" + identifier_for(kernel));
        if (call == error.log.npos) throw;
        if (!program.name_expressions.empty() && call < error.log.find("error:")) {
            const std::size_t line = error.log.find('\n', error.log.find("error:"));
            throw BuildFailed(
                fmt::format("{}: there is no kernel '{}'. Write the name as C++ has it, with its "
                            "namespace and the arguments of its template.",
                            program.name, kernel),
                error.log.substr(0, line), cuda);
        }
        if (is_known) throw;
        throw BuildFailed(
            fmt::format("{} has no kernel '{}'; it has: {}.", program.name, kernel,
                        kernels.empty() ? "none" : fmt::format("{}", fmt::join(kernels, ", "))),
            error.log, cuda);
    }
}

}  // namespace host
}  // namespace parallax

// Compiles in a folder that lives as long as that takes, and loads copies of what it made.
#include "backends/host/library.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <utility>

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <unistd.h>

#include "backends/host/items.hpp"
#include "backends/host/text.hpp"
#include "common/child.hpp"
#include "common/embedded_file.hpp"
#include "common/error.hpp"
#include "common/hash.hpp"
#include "common/read_file.hpp"
#include "common/temporary_folder.hpp"
#include "common/text_lines.hpp"

// Of sanitizers, where this program is built with one.
extern "C" [[gnu::weak]] void __asan_init();  // NOLINT: its name
extern "C" [[gnu::weak]] void __tsan_init();  // NOLINT: its name

namespace parallax {

std::span<const EmbeddedFile> host_shim();

namespace host {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view start_of_folders = "parallax-host-";
/// For one text; a compiler that takes longer is taken for hung.
constexpr std::chrono::minutes most_time{5};
/// What local memory holds before a group has written it: a NaN, then a very large and a very small
/// number; none is a sensible index, and none is what outputs hold before a launch.
constexpr std::array<std::array<std::uint8_t, 2>, 3> nobodys{
    {{0xc1, 0xff}, {0x7e, 0x7f}, {0xfd, 0xfe}}};

const std::array<std::uint8_t, 2>& nobodys_of(std::uint64_t seed) {
    const std::uint64_t mixed = (seed * 0x9e3779b97f4a7c15U) >> 40U;
    return nobodys[mixed % nobodys.size()];
}

void make_nobodys(std::span<std::byte> bytes, std::uint64_t seed) {
    const std::size_t pair = std::min<std::size_t>(bytes.size(), 2);
    std::memcpy(bytes.data(), nobodys_of(seed).data(), pair);
    for (std::size_t made = pair; made < bytes.size(); made *= 2) {
        std::memcpy(&bytes[made], bytes.data(), std::min(made, bytes.size() - made));
    }
}

/// The sanitizers' own functions, one of them for the whole process.
using Tell = void (*)(const void*, std::size_t);
std::atomic<Tell> forbid_bytes{nullptr}, allow_bytes{nullptr};

std::vector<std::string> options_for(const Program& program, bool is_sanitized) {
    // A plain signed sum wraps on a GPU; bytes may be seen as any type there.
    std::vector<std::string> options{
        "-std=c++17", "-w", "-fPIC", "-shared", "-fno-builtin", "-fwrapv", "-fno-strict-aliasing",
        "-Wl,-Bsymbolic",
        // The compiler would show lines of any file that the text names by #line.
        "-fno-diagnostics-show-caret",
        program.floats.contract ? "-ffp-contract=fast" : "-ffp-contract=off"};
    // g++ would have all copies of a shared object share what inline functions and templates keep.
    if (!compiler().is_clang) options.emplace_back("-fno-gnu-unique");
    if (is_sanitized) {
        // An access that an optimiser removes is not seen; binutils 2.40 takes lines of DWARF 5 for
        // those of another file; stacks of fibers that are given up would stay forbidden.
        for (const char* one :
             {"-O0", "-g1", "-gdwarf-4", "-fsanitize=address,undefined", "-fno-sanitize=vptr",
              "-fsanitize-recover=all", "--param=asan-stack=0",
              "--param=asan-instrumentation-with-call-threshold=2147483647", "-DPARALLAX_SANITIZED",
              // Arrays of local memory, which the shim has begin at pages, stand before all else.
              "-fdata-sections", "-Wl,--sort-section=alignment"}) {
            options.emplace_back(one);
        }
    } else {
        options.emplace_back("-O1");
    }
    for (const Constant& constant : program.constants) {
        options.push_back(fmt::format("-D{}={}", constant.name, constant.value));
    }
    return options;
}

/// A name of CUDA's that a compiler does not know; empty: what it complains of is something else.
std::string unknown_word(std::string_view log) {
    for (const std::string_view line : lines_of(log)) {
        const bool is_unknown = line.find("not declared") != line.npos ||
                                line.find("undeclared identifier") != line.npos ||
                                line.find("does not name a type") != line.npos ||
                                line.find("unknown type name") != line.npos;
        if (!is_unknown) continue;
        // g++ has ‘ and ’ around it, clang++ '.
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

}  // namespace

void forbid(std::span<const std::byte> bytes, bool forbidden) {
    if (const auto tell = (forbidden ? forbid_bytes : allow_bytes).load()) {
        tell(bytes.data(), bytes.size());
    }
}

const Compiler& compiler() {
    static const Compiler found = [] {
        for (const char* const name : {"c++", "g++", "clang++"}) {
            const Ended version = run_program(name, {"--version"}, most_time);
            if (!version.ok()) continue;
            Compiler one{.program = name};
            one.version = std::string(lines_of(version.out).front());
            const Ended where = run_program(name, {"-print-file-name=libasan.so"}, most_time);
            // clang has other words for some of what is asked of g++'s.
            one.is_clang = version.out.find("clang") != version.out.npos;
            // ThreadSanitizer keeps its books where AddressSanitizer would.
            one.has_sanitizers =
                where.ok() && where.out.starts_with('/') && !one.is_clang && !__tsan_init;
            return one;
        }
        return Compiler{};
    }();
    return found;
}

bool takes_shadow(std::string_view maps) {
    // AddressSanitizer's, of x86-64 Linux: compiler-rt's asan_mapping.h.
    constexpr std::uint64_t first = 0x7fff7000, behind = 0x10007fff8000;
    for (const std::string_view line : lines_of(maps)) {
        std::uint64_t begin = 0, end = 0;
        const char* const last = line.data() + line.size();
        const auto [dash, no_begin] = std::from_chars(line.data(), last, begin, 16);
        if (no_begin != std::errc{} || dash == last) continue;
        const auto [space, no_end] = std::from_chars(dash + 1, last, end, 16);
        if (no_end == std::errc{} && begin < behind && end > first) return true;
    }
    return false;
}

Loaded::Loaded(std::string_view image, const std::string& dynamic, bool is_sanitized) {
    if (is_sanitized && !__asan_init) {
        // The runtime that finds no room for its books ends the process. The first one stays.
        static const bool has_room = [] {
            std::ifstream maps("/proc/self/maps");
            return !takes_shadow(std::string(std::istreambuf_iterator<char>(maps), {}));
        }();
        if (!has_room) {
            throw Unsupported(
                "The sanitizers find no room in this process: NVIDIA's driver has taken their "
                "addresses. Name the host alone: parallax run --check -d host:1.");
        }
    }
    const TemporaryFolder folder(start_of_folders);
    // What keeps the books of addresses stays.
    handle_ = dlopen(folder.put("kernel.so", image).c_str(),
                     RTLD_NOW | RTLD_LOCAL | (is_sanitized ? RTLD_NODELETE : 0));
    if (!handle_) throw BuildFailed(fmt::format("It cannot be loaded: {}.", dlerror()), {}, {});
    const auto find = [&](auto*& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol(name));
    };
    find(set_group, "parallax_group");
    find(set_item, "parallax_item");
    void (*begin)(const parallax_host::Machine*) = nullptr;
    find(begin, "parallax_begin");
    begin(&Items::machine());
    if (is_sanitized) {
        forbid_bytes = reinterpret_cast<Tell>(symbol("__asan_poison_memory_region"));
        allow_bytes = reinterpret_cast<Tell>(symbol("__asan_unpoison_memory_region"));
    }
    if (!dynamic.empty()) dynamic_ = static_cast<std::byte*>(symbol(dynamic));
    find_shared(image, is_sanitized);
}

Loaded::~Loaded() {
    dlclose(handle_);
}

void* Loaded::symbol(const std::string& name) const {
    return dlsym(handle_, name.c_str());
}

Loaded::Call Loaded::call_of(const std::string& kernel) const {
    return reinterpret_cast<Call>(symbol("parallax_call_" + kernel));
}

std::vector<parallax_host::Parameter> Loaded::parameters_of(const std::string& kernel) const {
    const auto tell = reinterpret_cast<unsigned (*)(parallax_host::Parameter*)>(
        symbol("parallax_parameters_" + kernel));
    std::vector<parallax_host::Parameter> all(1024);
    all.resize(tell(all.data()));
    return all;
}

/// Between two of them nobody has anything.
void Loaded::forbid_between(std::vector<std::span<const std::byte>> objects) {
    std::ranges::sort(objects, {}, [](const auto& one) { return one.data(); });
    for (std::size_t i = 0; i + 1 < objects.size(); ++i) {
        const std::byte* const end = objects[i].data() + objects[i].size();
        const std::byte* const next = objects[i + 1].data();
        if (end < next) forbid({end, next}, true);
    }
}

/// Goes through the symbols of the shared object: what functions have of their own that lasts is
/// static local memory, which C++'s mangling tells from all else.
void Loaded::find_shared(std::string_view image, bool is_sanitized) {
    const link_map* map = nullptr;
    if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return;
    const auto at = [&]<class T>(std::size_t offset, const T*) {
        return reinterpret_cast<const T*>(image.data() + offset);
    };
    const auto memory_at = [&](std::size_t offset) {
        return reinterpret_cast<std::byte*>(map->l_addr + offset);  // NOLINT: an address
    };
    const auto* const header = at(0, static_cast<const ElfW(Ehdr)*>(nullptr));
    const auto* const sections = at(header->e_shoff, static_cast<const ElfW(Shdr)*>(nullptr));
    std::vector<std::span<const std::byte>> taken;  // where static local memory stands among others
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const bool is_data = (sections[i].sh_flags & SHF_WRITE) != 0;
        if (is_data && sections[i].sh_type != SHT_NOBITS)
            taken.emplace_back(memory_at(sections[i].sh_addr), sections[i].sh_size);
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const char* const names = image.data() + sections[sections[i].sh_link].sh_offset;
        const auto* const symbols =
            at(sections[i].sh_offset, static_cast<const ElfW(Sym)*>(nullptr));
        for (std::size_t k = 0; k < sections[i].sh_size / sizeof(*symbols); ++k) {
            const ElfW(Sym)& one = symbols[k];
            const std::string_view name = names + one.st_name;
            const bool is_object = (one.st_info & 0xfU) == STT_OBJECT;
            if (!is_object || one.st_shndx == SHN_UNDEF || one.st_shndx >= header->e_shnum)
                continue;
            const auto& section = sections[one.st_shndx];
            if ((section.sh_flags & SHF_WRITE) == 0 || one.st_size == 0) continue;
            std::byte* const start = memory_at(one.st_value);
            if (name == "parallax_behind") forbid({start, one.st_size}, true);
            if (section.sh_type == SHT_NOBITS) taken.emplace_back(start, one.st_size);
            if (name.starts_with("_ZZ")) {
                if (section.sh_type != SHT_NOBITS) continue;
                shared_.emplace_back(start, one.st_size);
                shared_names_.emplace_back(name);
                continue;
            }
            // The shim's own, and what compilers and linkers add.
            static constexpr std::string_view others[] = {"threadIdx",
                                                          "blockIdx",
                                                          "blockDim",
                                                          "gridDim",
                                                          "completed",
                                                          "_DYNAMIC",
                                                          "parallax_behind",
                                                          "__",
                                                          "_ZN13parallax_host",
                                                          "_ZGVN13parallax_host",
                                                          "_GLOBAL_OFFSET_TABLE_"};
            has_globals_ |=
                start != dynamic_ && std::ranges::none_of(others, [&](std::string_view other) {
                    return name.starts_with(other);
                });
        }
    }
    if (is_sanitized) forbid_between(std::move(taken));
}

std::size_t Loaded::static_local_bytes_of(const std::string& kernel) const {
    const std::string start = fmt::format("_ZZ{}{}", kernel.size(), kernel);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < shared_.size(); ++i) {
        if (shared_names_[i].starts_with(start)) bytes += shared_[i].size();
    }
    return bytes;
}

std::span<std::byte> Loaded::behind(std::size_t dynamic_used) const {
    return {dynamic_ + dynamic_used, std::min(zone_bytes, dynamic_bytes - dynamic_used)};
}

void Loaded::poison_local(std::size_t dynamic_used, std::uint64_t seed) const {
    for (const std::span<std::byte> one : shared_) make_nobodys(one, seed);
    if (!dynamic_) return;
    forbid({dynamic_, dynamic_bytes}, false);
    make_nobodys({dynamic_, dynamic_used}, seed);
    make_nobodys(behind(dynamic_used), seed);
    forbid({dynamic_ + dynamic_used, dynamic_bytes - dynamic_used}, true);
}

bool Loaded::is_whole_behind(std::size_t dynamic_used, std::uint64_t seed) const {
    if (!dynamic_) return true;
    forbid({dynamic_, dynamic_bytes}, false);
    std::array<std::byte, zone_bytes> expected;
    const std::span<const std::byte> zone = behind(dynamic_used);
    make_nobodys(std::span(expected).first(zone.size()), seed);
    return std::memcmp(zone.data(), expected.data(), zone.size()) == 0;
}

std::uintptr_t Loaded::offset_of(const void* code) const {
    const link_map* map = nullptr;
    if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return 0;
    return reinterpret_cast<std::uintptr_t>(code) - map->l_addr;
}

std::string Library::line_of(std::uintptr_t offset) const {
    const TemporaryFolder folder(start_of_folders);
    const Ended told = run_program(
        "addr2line", {"-e", folder.put("kernel.so", image_), fmt::format("{:#x}", offset - 1)},
        most_time);
    if (!told.ok() || told.out.starts_with('?')) return {};
    const std::string place = fs::path(lines_of(told.out).front()).filename().string();
    return place.substr(0, place.find(" ("));  // newer ones add which part of the line it is
}

Library::Library(const Program& program, std::string cuda, const std::vector<std::string>& kernels,
                 bool is_sanitized)
    : cuda_(std::move(cuda)),
      options_(options_for(program, is_sanitized)),
      is_sanitized_(is_sanitized) {
    const CppText cpp = as_cpp(program.name, cuda_, kernels);
    dynamic_ = cpp.dynamic;
    const TemporaryFolder folder(start_of_folders);
    for (const EmbeddedFile& file : host_shim()) folder.put(file.name, file.text);
    folder.put("kernel.cpp", cpp.text);
    std::vector<std::string> words = options_;
    words.insert(words.end(), {"-o", "kernel.so", "kernel.cpp"});
    // C++'s own library takes a linker longer than all else, and the process has it.
    if (!is_sanitized) words.insert(words.end(), {"-nodefaultlibs", "-lm", "-lc", "-lgcc"});
    const Ended made = run_program(compiler().program, words, most_time, folder.path());
    if (!made.ok()) {
        const std::string log = made.in_time ? made.err : "It took more than five minutes.";
        if (const std::string word = unknown_word(log); !word.empty()) {
            throw Unsupported(fmt::format("{}: the host does not have '{}'.", program.name, word));
        }
        throw BuildFailed(
            fmt::format("{}: {} did not build its CUDA text.", program.name, compiler().program),
            log, cuda_);
    }
    image_ = read_file(folder.file("kernel.so"), std::uint64_t{1} << 30);
    idle_.push_back(std::make_unique<Loaded>(image_, dynamic_, is_sanitized_));
    if (!idle_.front()->has_globals()) most_copies_ = 8;
}

std::shared_ptr<Loaded> Library::lease() {
    std::unique_ptr<Loaded> one;
    {
        const std::scoped_lock lock(mutex_);
        if (!idle_.empty()) {
            one = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (!one) one = std::make_unique<Loaded>(image_, dynamic_, is_sanitized_);
    return {one.release(), [library = shared_from_this()](Loaded* returned) {
                const std::scoped_lock lock(library->mutex_);
                library->idle_.emplace_back(returned);
            }};
}

namespace {

/// Compiled once in a process, for each set of kernels.
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
    const std::vector<std::string> kernels = kernels_in(cuda);
    const bool is_known = std::ranges::find(kernels, kernel) != kernels.end();
    if (is_known && kernels.size() > 1) {
        try {
            return kept_library(program, cuda, kernels, is_sanitized);
        } catch (const Error&) {
            // A directive may leave some of them out.
        }
    }
    try {
        return kept_library(program, cuda, {kernel}, is_sanitized);
    } catch (const BuildFailed& error) {
        if (is_known || error.log.find("parallax_call_" + kernel) == error.log.npos) throw;
        throw BuildFailed(
            fmt::format("{} has no kernel '{}'; it has: {}.", program.name, kernel,
                        kernels.empty() ? "none" : fmt::format("{}", fmt::join(kernels, ", "))),
            error.log, cuda);
    }
}

}  // namespace host
}  // namespace parallax

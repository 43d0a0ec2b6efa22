// Finds local memory among a shared object's symbols, and marks forbidden bytes for sanitizers.
#include "backends/host/kernel_module.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include "backends/host/host_source.hpp"
#include "backends/host/work_group_executor.hpp"
#include "common/device/memory.hpp"
#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text_lines.hpp"

// Defined by AddressSanitizer if this program is built with it.
extern "C" [[gnu::weak]] void __asan_init();  // NOLINT: its name

namespace parallax::host {
namespace {

/// Fills uninitialised memory with a pattern.
void uninitialize(std::span<std::byte> bytes, std::uint64_t seed) {
    const std::uint64_t mixed = (seed * 0x9e3779b97f4a7c15U) >> 40U;
    const std::size_t pair = std::min<std::size_t>(bytes.size(), 2);
    std::memcpy(bytes.data(), uninitialized_local[mixed % uninitialized_local.size()].data(), pair);
    for (std::size_t made = pair; made < bytes.size(); made *= 2) {
        std::memcpy(&bytes[made], bytes.data(), std::min(made, bytes.size() - made));
    }
}

/// The sanitizers' own functions, the same for the whole process.
using Tell = void (*)(const void*, std::size_t);
std::atomic<Tell> forbid_bytes{nullptr}, allow_bytes{nullptr};
using Ask = void* (*)(const void*, std::size_t);
std::atomic<Ask> ask_bytes{nullptr};
/// The start of AddressSanitizer's shadow memory, one byte for eight; 0: not known.
std::atomic<std::size_t> shadow{0};

}  // namespace

bool is_forbidden(const void* at, std::size_t bytes) {
    const Ask ask = ask_bytes.load(std::memory_order_relaxed);
    if (!ask) return false;
    const std::size_t first = reinterpret_cast<std::size_t>(at), start = shadow;
    const auto is_free = [start](std::size_t address) {
        return *reinterpret_cast<const signed char*>(start + (address >> 3U)) == 0;  // NOLINT
    };
    if (start != 0 && bytes <= 8 && is_free(first) && is_free(first + bytes - 1)) return false;
    return ask(at, bytes) != nullptr;
}

void forbid(std::span<const std::byte> bytes, bool forbidden) {
    if (const auto tell = (forbidden ? forbid_bytes : allow_bytes).load()) {
        tell(bytes.data(), bytes.size());
    }
}

bool takes_shadow(std::string_view maps) {
    // The range of AddressSanitizer on x86-64 Linux: compiler-rt's asan_mapping.h.
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

KernelModule::KernelModule(std::string_view image, const std::string& dynamic, bool is_sanitized) {
    if (is_sanitized && !__asan_init) {
        // A runtime without room for its shadow ends the process. The first result stays.
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
    // The sanitizer's shadow stays mapped.
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
    begin(&WorkGroupExecutor::machine());
    if (is_sanitized) {
        forbid_bytes = reinterpret_cast<Tell>(symbol("__asan_poison_memory_region"));
        allow_bytes = reinterpret_cast<Tell>(symbol("__asan_unpoison_memory_region"));
        std::size_t scale = 0, start = 0;
        void (*tell)(std::size_t*, std::size_t*) = nullptr;
        find(tell, "__asan_get_shadow_mapping");
        if (tell) tell(&scale, &start);
        if (scale == 3) shadow = start;
        ask_bytes = reinterpret_cast<Ask>(symbol("__asan_region_is_poisoned"));
    }
    if (!dynamic.empty()) dynamic_ = static_cast<std::byte*>(symbol(dynamic));
    find_shared(image, is_sanitized);
    if (!is_sanitized) return;
    if (!shared_.empty()) {
        const auto [first, last] = std::ranges::minmax_element(
            shared_, {}, [](const std::span<std::byte> one) { return one.data(); });
        all_shared_ = {first->data(), last->data() + last->size()};
    }
    book_ = std::make_unique<GuardedBuffer>(Shared::book_bytes(all_shared_.size()) +
                                            Shared::book_bytes(dynamic_bytes));
}

std::vector<Shared> KernelModule::shared(std::size_t dynamic_used) const {
    std::vector<Shared> all;
    if (!all_shared_.empty()) all.emplace_back(all_shared_, book_->inside(), true);
    if (dynamic_) {
        all.emplace_back(std::span(dynamic_, dynamic_used),
                         book_->inside() + Shared::book_bytes(all_shared_.size()), true);
    }
    return all;
}

KernelModule::~KernelModule() {
    dlclose(handle_);
}

void* KernelModule::symbol(const std::string& name) const {
    return dlsym(handle_, name.c_str());
}

KernelModule::Call KernelModule::call_of(const std::string& kernel) const {
    return reinterpret_cast<Call>(symbol("parallax_call_" + identifier_for(kernel)));
}

std::vector<parallax_host::Parameter> KernelModule::parameters_of(const std::string& kernel) const {
    const auto tell = reinterpret_cast<unsigned (*)(parallax_host::Parameter*)>(
        symbol("parallax_parameters_" + identifier_for(kernel)));
    std::vector<parallax_host::Parameter> all(1024);
    all.resize(tell(all.data()));
    return all;
}

/// Forbids all bytes between the objects.
void KernelModule::forbid_between(std::vector<std::span<const std::byte>> objects) {
    std::ranges::sort(objects, {}, [](const auto& one) { return one.data(); });
    for (std::size_t i = 0; i + 1 < objects.size(); ++i) {
        const std::byte* const end = objects[i].data() + objects[i].size();
        const std::byte* const next = objects[i + 1].data();
        if (end < next) forbid({end, next}, true);
    }
}

/// Searches the symbols of the shared object: static variables of functions are static local
/// memory, recognised by C++'s name mangling.
void KernelModule::find_shared(std::string_view image, bool is_sanitized) {
    const link_map* map = nullptr;
    if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return;
    const auto at = [&]<class T>(std::size_t offset, const T*) {
        return reinterpret_cast<const T*>(image.data() + offset);
    };
    const auto memory_at = [&](std::size_t offset) {
        return reinterpret_cast<std::byte*>(map->l_addr + offset);  // an address
    };
    const auto* const header = at(0, static_cast<const ElfW(Ehdr)*>(nullptr));
    const auto* const sections = at(header->e_shoff, static_cast<const ElfW(Shdr)*>(nullptr));
    std::vector<std::span<const std::byte>> taken;  // static local memory among other data
    const char* const section_names = image.data() + sections[header->e_shstrndx].sh_offset;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        if (std::string_view(section_names + sections[i].sh_name).starts_with(".constant."))
            constant_bytes_ += sections[i].sh_size;
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
            // Symbols of the shim, compilers and linkers.
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
            if (start != dynamic_ && std::ranges::none_of(others, [&](std::string_view other) {
                    return name.starts_with(other);
                })) {
                globals_.push_back({std::string(name), one.st_size});
            }
        }
    }
    if (is_sanitized) forbid_between(std::move(taken));
}

std::size_t KernelModule::static_local_bytes_of(const std::string& kernel) const {
    // A name of a template's instance selects all instances.
    const std::string name = kernel.substr(0, kernel.find('<'));
    const std::string start = fmt::format("_ZZ{}{}", name.size(), name);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < shared_.size(); ++i) {
        if (shared_names_[i].starts_with(start)) bytes += shared_[i].size();
    }
    return bytes;
}

std::span<std::byte> KernelModule::behind(std::size_t dynamic_used) const {
    return {dynamic_ + dynamic_used, std::min(zone_bytes, dynamic_bytes - dynamic_used)};
}

void KernelModule::poison_local(std::size_t dynamic_used, std::uint64_t seed) const {
    for (const std::span<std::byte> one : shared_) uninitialize(one, seed);
    if (!dynamic_) return;
    forbid({dynamic_, dynamic_bytes}, false);
    uninitialize({dynamic_, dynamic_used}, seed);
    uninitialize(behind(dynamic_used), seed);
    forbid({dynamic_ + dynamic_used, dynamic_bytes - dynamic_used}, true);
}

bool KernelModule::is_whole_behind(std::size_t dynamic_used, std::uint64_t seed) const {
    if (!dynamic_) return true;
    forbid({dynamic_, dynamic_bytes}, false);
    std::array<std::byte, zone_bytes> expected;
    const std::span<const std::byte> zone = behind(dynamic_used);
    uninitialize(std::span(expected).first(zone.size()), seed);
    return std::memcmp(zone.data(), expected.data(), zone.size()) == 0;
}

std::span<std::byte> KernelModule::variable(const std::string& name, std::size_t bytes) const {
    const auto known = std::ranges::find(globals_, name, &Global::name);
    if (known != globals_.end() && known->bytes < bytes) {
        throw UsageError(fmt::format("The variable '{}' has {} bytes, and its buffer {}.", name,
                                     known->bytes, bytes));
    }
    auto* const variable = static_cast<std::byte*>(symbol(name));
    if (!variable) {
        throw BuildFailed(
            fmt::format(
                "The source has no variable '{}' that others can see: it may be static, or in a "
                "namespace. Correct the manifest's 'symbols'.",
                name),
            {}, {});
    }
    return {variable, bytes};
}

std::uintptr_t KernelModule::offset_of(const void* code) const {
    const link_map* map = nullptr;
    if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return 0;
    return reinterpret_cast<std::uintptr_t>(code) - map->l_addr;
}

std::uintptr_t KernelModule::offset_of(std::uint32_t code) const {
    return static_cast<std::uint32_t>(code + offset_of(nullptr));
}

}  // namespace parallax::host

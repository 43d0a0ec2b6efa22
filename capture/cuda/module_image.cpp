// Reads the section and symbol tables of machine code.
#include "capture/cuda/module_image.hpp"

#include <cstring>

#include <elf.h>

#include "common/text/hash.hpp"

namespace parallax::capture::cuda {
namespace {

/// Bounds-checked access to an ELF file. Whatever a table says, nothing outside of the file is
/// read.
class Elf {
public:
    explicit Elf(std::string_view file) : file_(file) {
        const auto head = at<Elf64_Ehdr>(0);
        if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
            head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr)) {
            return;
        }
        for (unsigned i = 0; i < head->e_shnum; ++i) {
            const auto section = at<Elf64_Shdr>(head->e_shoff + i * sizeof(Elf64_Shdr));
            if (!section) break;
            sections_.push_back(*section);
        }
        names_ = head->e_shstrndx;
    }

    const std::vector<Elf64_Shdr>& sections() const { return sections_; }
    std::string_view name(const Elf64_Shdr& section) const { return text(names_, section.sh_name); }
    std::string_view content(const Elf64_Shdr& section) const {
        if (section.sh_type == SHT_NOBITS) return {};
        return part(section.sh_offset, section.sh_size);
    }
    /// The entries of a table.
    template <class Entry>
    std::vector<Entry> entries(const Elf64_Shdr& table) const {
        const std::string_view bytes = content(table);
        std::vector<Entry> all(bytes.size() / sizeof(Entry));
        if (!all.empty()) std::memcpy(all.data(), bytes.data(), all.size() * sizeof(Entry));
        return all;
    }
    /// A string of a string table.
    std::string_view text(std::size_t table, std::uint64_t offset) const {
        if (table >= sections_.size()) return {};
        std::string_view all = content(sections_[table]);
        if (offset >= all.size()) return {};
        all.remove_prefix(offset);
        return all.substr(0, all.find('\0'));
    }

private:
    std::string_view part(std::uint64_t offset, std::uint64_t bytes) const {
        if (offset > file_.size() || bytes > file_.size() - offset) return {};
        return file_.substr(offset, bytes);
    }
    template <class T>
    std::optional<T> at(std::uint64_t offset) const {
        const std::string_view bytes = part(offset, sizeof(T));
        if (bytes.empty()) return {};
        T value;
        std::memcpy(&value, bytes.data(), sizeof(value));
        return value;
    }

    std::string_view file_;
    std::vector<Elf64_Shdr> sections_;
    std::size_t names_ = 0;
};

/// Whether the section holds variables of the program: those of shared memory have no content.
bool has_variables(std::string_view section) {
    return section == ".nv.global" || section == ".nv.global.init" || section == ".nv.constant3";
}

}  // namespace

ModuleImage::ModuleImage(std::string bytes) : bytes_(std::move(bytes)), hash_(hash_of(bytes_)) {}

std::optional<std::string_view> ModuleImage::kernel(std::string_view name) const {
    const Elf elf(bytes_);
    for (const Elf64_Shdr& section : elf.sections()) {
        const std::string_view own = elf.name(section);
        if (own.starts_with(".text.") && own.substr(6) == name) return elf.content(section);
    }
    return {};
}

std::vector<Variable> ModuleImage::variables() const {
    const Elf elf(bytes_);
    std::vector<Variable> all;
    std::vector<std::pair<std::size_t, std::uint64_t>> places;  // section and offset
    for (const Elf64_Shdr& table : elf.sections()) {
        if (table.sh_type != SHT_SYMTAB) continue;
        for (const Elf64_Sym& symbol : elf.entries<Elf64_Sym>(table)) {
            if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 ||
                symbol.st_shndx >= elf.sections().size()) {
                continue;
            }
            const Elf64_Shdr& section = elf.sections()[symbol.st_shndx];
            const std::string_view content = elf.content(section);
            if (!has_variables(elf.name(section))) continue;
            Variable& one = all.emplace_back();
            one.name = elf.text(table.sh_link, symbol.st_name);
            one.bytes = symbol.st_size;
            if (symbol.st_value < content.size() && one.bytes <= content.size() - symbol.st_value)
                one.initial = std::as_bytes(std::span(content.substr(symbol.st_value, one.bytes)));
            places.emplace_back(symbol.st_shndx, symbol.st_value);
        }
    }
    for (const Elf64_Shdr& table : elf.sections()) {
        if (table.sh_type != SHT_RELA) continue;
        for (const Elf64_Rela& address : elf.entries<Elf64_Rela>(table)) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                const auto [section, begin] = places[i];
                if (section == table.sh_info && address.r_offset - begin < all[i].bytes)
                    all[i].is_address = true;
            }
        }
    }
    return all;
}

}  // namespace parallax::capture::cuda

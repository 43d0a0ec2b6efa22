// Makes a file like a compiler's machine code: sections and symbols of kernels and variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <elf.h>

namespace parallax_captured {

/// A kernel, or a variable with its initial content (empty: zeros).
struct MadeSymbol {
    std::string name, content;
    std::uint64_t bytes =
        0;  ///< of a variable; 0: it is a kernel, and the content its instructions
    bool has_address = false;
};

inline std::string made_cubin(const std::vector<MadeSymbol>& symbols) {
    struct Section {
        std::string name, content;
        Elf64_Shdr head{};
    };
    std::vector<Section> sections(1);
    const auto section = [&](const std::string& name, std::uint32_t type, std::string content) {
        Section one{name, std::move(content), {}};
        one.head.sh_type = type;
        sections.push_back(std::move(one));
        return sections.size() - 1;
    };
    std::string names(1, '\0'), table(sizeof(Elf64_Sym), '\0');
    const auto append = [](std::string& to, const auto& value) {
        to.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    const std::size_t zeros = section(".nv.global", SHT_NOBITS, {});
    const std::size_t values = section(".nv.global.init", SHT_PROGBITS, {});
    std::string addresses;
    for (const MadeSymbol& one : symbols) {
        Elf64_Sym symbol{};
        symbol.st_name = static_cast<std::uint32_t>(names.size());
        names += one.name + '\0';
        symbol.st_size = one.bytes > 0 ? one.bytes : one.content.size();
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, one.bytes > 0 ? STT_OBJECT : STT_FUNC);
        std::size_t place = one.content.empty() ? zeros : values;
        if (one.bytes == 0) {
            place = section(".text." + one.name, SHT_PROGBITS, one.content);
        } else if (!one.content.empty()) {
            symbol.st_value = sections[values].content.size();
            sections[values].content += one.content;
            if (one.has_address) append(addresses, Elf64_Rela{symbol.st_value, 0, 0});
        } else {
            symbol.st_value = sections[zeros].head.sh_size;
            sections[zeros].head.sh_size += one.bytes;
        }
        symbol.st_shndx = static_cast<std::uint16_t>(place);
        append(table, symbol);
    }
    const std::size_t strings = section(".strtab", SHT_STRTAB, names);
    sections[section(".symtab", SHT_SYMTAB, table)].head.sh_link =
        static_cast<std::uint32_t>(strings);
    if (!addresses.empty())
        sections[section(".rela.nv.global.init", SHT_RELA, addresses)].head.sh_info =
            static_cast<std::uint32_t>(values);
    section(".shstrtab", SHT_STRTAB, {});
    std::string& headings = sections.back().content;
    for (Section& one : sections) {
        one.head.sh_name = static_cast<std::uint32_t>(headings.size());
        headings += one.name + '\0';
    }
    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = static_cast<std::uint16_t>(sections.size());
    head.e_shstrndx = static_cast<std::uint16_t>(sections.size() - 1);
    std::string body;
    for (Section& one : sections) {
        one.head.sh_offset = sizeof(head) + body.size();
        if (one.head.sh_type != SHT_NOBITS) one.head.sh_size = one.content.size();
        body += one.content;
    }
    head.e_shoff = sizeof(head) + body.size();
    std::string file;
    append(file, head);
    file += body;
    for (const Section& one : sections) append(file, one.head);
    return file;
}

}  // namespace parallax_captured

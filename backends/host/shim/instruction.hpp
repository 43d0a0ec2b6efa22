// Parses PTX instructions and their operands, for ptx.hpp.
#pragma once

#ifdef PARALLAX_SANITIZED
extern "C" void* __asan_region_is_poisoned(void*, size_t);
#endif
/// For functions that check their addresses themselves: optimised, without sanitizers.
#define PARALLAX_UNIT __attribute__((optimize("O3"), no_sanitize("thread", "undefined")))

namespace parallax_host {

/// The operands `%0`, `%1`, ... of an asm statement.
struct Register {
    void* at;
    unsigned bytes;
};

/// A register, a number, or an address: a register plus an offset in bytes.
struct Operand {
    short given = -1;  ///< index of the register; -1: none
    long long number = 0;
    PARALLAX_UNWATCHED bool is_register(unsigned which) const {
        return given == short(which) && number == 0;
    }
};

/// Whether a name matches a pattern: `(a|b)` is one of these words, `[a|b]` one of them or none.
PARALLAX_UNWATCHED inline bool fits(const char* name, const char* pattern) {
    if (*pattern != '(' && *pattern != '[') {
        const bool is_end =
            !*name || *name == ' ' || *name == '\t' || *name == '\n' || *name == ';';
        if (!*pattern || is_end) return !*pattern && is_end;
        return *name == *pattern && fits(name + 1, pattern + 1);
    }
    const char close = *pattern == '(' ? ')' : ']';
    const char* behind = pattern + 1;
    while (behind[-1] != close) ++behind;
    if (close == ']' && fits(name, behind)) return true;
    for (const char* one = pattern + 1; one < behind; ++one) {
        const char* at = name;
        while (*one != '|' && *one != close && *at == *one) ++at, ++one;
        if ((*one == '|' || *one == close) && fits(at, behind)) return true;
        while (*one != '|' && *one != close) ++one;
    }
    return false;
}

/// Operands within `{}` or `[]`, or one without brackets.
struct Group {
    char open;  ///< 0: none
    unsigned operands;
};

struct Call;

/// One parsed instruction.
struct Instruction {
    const char* text;
    const char* name;           ///< its start in the source
    bool is_one;                ///< false: the source is not exactly one instruction
    unsigned count, registers;  ///< number of operands; the highest register index plus one
    Operand operands[144];
    unsigned group_count;
    Group groups[8];
    Instruction* next;
    void (*run)(const Call&);

    /// Whether its operands are grouped like this.
    template <unsigned N>
    PARALLAX_UNWATCHED bool is_grouped(const Group (&as)[N]) const {
        bool is_so = group_count == N;
        for (unsigned i = 0; is_so && i < N; ++i)
            is_so = groups[i].open == as[i].open && groups[i].operands == as[i].operands;
        return is_so;
    }
    /// Whether it is one instruction with `%0`, `%1`, ... in that order.
    PARALLAX_UNWATCHED bool has_in_order(unsigned all) const {
        bool is_so = is_one && count == all && group_count == all;
        for (unsigned i = 0; is_so && i < all; ++i)
            is_so = operands[i].is_register(i) && groups[i].open == 0;
        return is_so;
    }
};

/// An instruction about to run.
struct Call {
    const Instruction& what;
    const Register* given;
    const void* from;  ///< the calling code

    void lacks() const { machine.lacks(what.text); }
    unsigned long long number(unsigned i) const {
        const Operand& one = what.operands[i];
        unsigned long long value = 0;
        if (one.given >= 0) {
            const Register& own = given[one.given];
            __builtin_memcpy(&value, own.at, own.bytes < 8 ? own.bytes : 8);
        }
        return value + one.number;
    }
    const Register& own(unsigned i) const {
        if (what.operands[i].given < 0) lacks();
        return given[what.operands[i].given];
    }
    template <class T>
    T* result(unsigned i) const {
        if (own(i).bytes != sizeof(T)) lacks();
        return static_cast<T*>(own(i).at);
    }
};

/// Whether `word` is a part of an instruction's name.
PARALLAX_UNWATCHED inline bool has(const char* text, const char* word) {
    for (; *text && *text != ' ' && *text != '\t'; ++text) {
        unsigned i = 0;
        while (word[i] && text[i] == word[i]) ++i;
        if (!word[i]) return true;
    }
    return false;
}

PARALLAX_UNWATCHED inline long long number_at(const char*& text) {
    long long number = 0;
    if (text[0] == '0' && text[1] == 'x') {
        for (text += 2; (*text >= '0' && *text <= '9') || (*text >= 'a' && *text <= 'f'); ++text)
            number = number * 16 + (*text <= '9' ? *text - '0' : *text - 'a' + 10);
        return number;
    }
    for (; *text >= '0' && *text <= '9'; ++text) number = number * 10 + (*text - '0');
    return number;
}

PARALLAX_UNWATCHED inline void take_apart(Instruction& made) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_one_of = [](char c, const char* all) {
        while (*all && *all != c) ++all;
        return *all != 0;
    };
    const char* at = made.text;
    while (*at && is_one_of(*at, " \t\n{")) ++at;
    made.name = at;
    while (*at && !is_one_of(*at, " \t\n;")) ++at;
    char open = 0;
    while (*at && *at != ';') {
        if (is_one_of(*at, " \t\n,{}[]")) {
            if (is_one_of(*at, "{[") && (open || made.group_count == 8)) return;
            if (is_one_of(*at, "{[")) made.groups[made.group_count++] = {open = *at, 0};
            if (is_one_of(*at, "}]") && open != (*at == '}' ? '{' : '[')) return;
            if (is_one_of(*at, "}]")) open = 0;
            ++at;
            continue;
        }
        const bool is_distance = *at == '+' && made.count > 0;
        while (is_one_of(*at, "+ ")) ++at;
        Operand one;
        if (*at == '%' && is_digit(at[1])) {
            one.given = static_cast<short>(number_at(++at));
            if (made.registers <= unsigned(one.given)) made.registers = one.given + 1;
        } else if (is_digit(*at)) {
            one.number = number_at(at);
        } else {
            return;
        }
        if (is_distance && one.given >= 0) return;
        if (is_distance) {
            made.operands[made.count - 1].number = one.number;
        } else if (made.count < sizeof made.operands / sizeof one) {
            made.operands[made.count++] = one;
            if (!open && made.group_count == 8) return;
            if (!open) made.groups[made.group_count++] = {0, 0};
            ++made.groups[made.group_count - 1].operands;
        } else {
            return;
        }
    }
    if (open || *at++ != ';') return;
    while (*at && is_one_of(*at, " \t\n}")) ++at;
    made.is_one = *at == 0;
}

/// Cache of parsed instructions of this shared object.
struct Instructions {
    Instruction* first = nullptr;
    ~Instructions() {
        while (Instruction* const one = first) {
            first = one->next;
            __builtin_free(one);
        }
    }
    /// @param choose  sets the implementation of a new instruction
    PARALLAX_UNWATCHED const Instruction& of(const char* text, void choose(Instruction&)) {
        for (const Instruction* one = first; one; one = one->next) {
            if (one->text == text) return *one;
        }
        auto* const made = static_cast<Instruction*>(__builtin_malloc(sizeof(Instruction)));
        *made = {};
        made->text = text;
        made->next = first;
        take_apart(*made);
        choose(*made);
        return *(first = made);
    }
};
inline Instructions instructions;

/// Ends the launch if the work-item must not access the bytes.
inline void touch(const void* from, const char* does, const void* at, unsigned bytes) {
#ifdef PARALLAX_SANITIZED
    if (bytes > 0 && __asan_region_is_poisoned(const_cast<void*>(at), bytes))
        machine.outside(does, bytes, from);
#endif
}

/// The shared memory at a 32-bit address. All of it is near the start of the shared object's own
/// memory.
inline char* shared_at(const void* from, const char* does, unsigned address, unsigned bytes) {
    char* const base = &__bss_start;
    char* const at = base + (address - static_cast<unsigned>(reinterpret_cast<size_t>(base)));
    if (address % bytes != 0) machine.stop("it names a place in shared memory that is not aligned");
    if (!__isShared(at) || at + bytes > &_end) machine.outside(does, bytes, from);
    touch(from, does, at, bytes);
    return at;
}

}  // namespace parallax_host

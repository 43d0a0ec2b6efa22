// A parser by precedence that computes as it reads.
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "common/text/characters.hpp"
#include "mapping/preprocess/expand_parts.hpp"

namespace parallax {
namespace {

/// The whole numbers of conditions: of 64 bits, and of 128 as Clang has them in OpenCL C.
struct Narrow {
    using Bits = std::uint64_t;
    using Number = std::int64_t;
};
struct Wide {
    __extension__ using Bits = unsigned __int128;
    __extension__ using Number = __int128;
};

/// A condition without a value.
struct NoValue {};

template <class Width>
class Condition {
    using Bits = typename Width::Bits;
    using Number = typename Width::Number;
    static constexpr Number lowest = static_cast<Number>(Bits{1} << (8 * sizeof(Bits) - 1));

    struct Value {
        Bits bits = 0;
        bool is_unsigned = false;
        Number number() const { return static_cast<Number>(bits); }
    };
    static Value of(bool value) { return {value ? 1U : 0U}; }

public:
    explicit Condition(std::span<const std::string> tokens) : tokens_(tokens) {}

    bool value() {
        const Value all = choice(true);
        if (at_ != tokens_.size()) throw NoValue();
        return all.bits != 0;
    }

private:
    bool take(std::string_view token) {
        if (at_ == tokens_.size() || tokens_[at_] != token) return false;
        ++at_;
        return true;
    }

    /// @param counts  whether the value is used: what is not may overflow
    Value choice(bool counts) {
        const Value asked = binary(0, counts);
        if (!take("?")) return asked;
        Value one = choice(counts && asked.bits != 0);
        if (!take(":")) throw NoValue();
        Value other = choice(counts && asked.bits == 0);
        one.is_unsigned = other.is_unsigned = one.is_unsigned || other.is_unsigned;
        return asked.bits != 0 ? one : other;
    }

    Value binary(std::size_t level, bool counts) {
        static constexpr std::array<std::array<std::string_view, 4>, 10> levels{
            {{"||"},
             {"&&"},
             {"|"},
             {"^"},
             {"&"},
             {"==", "!="},
             {"<", ">", "<=", ">="},
             {"<<", ">>"},
             {"+", "-"},
             {"*", "/", "%"}}};
        if (level == levels.size()) return unary(counts);
        Value left = binary(level + 1, counts);
        for (;;) {
            std::string_view found;
            for (const std::string_view one : levels[level]) {
                if (found.empty() && !one.empty() && take(one)) found = one;
            }
            if (found.empty()) return left;
            const bool decides =
                (found == "||" && left.bits != 0) || (found == "&&" && left.bits == 0);
            const Value right = binary(level + 1, counts && !decides);
            left = computed(found, left, right, counts);
        }
    }

    static Value computed(std::string_view what, Value a, Value b, bool counts) {
        if (what == "||") return of(a.bits != 0 || b.bits != 0);
        if (what == "&&") return of(a.bits != 0 && b.bits != 0);
        if (what == "<<" || what == ">>") return shifted(what == "<<", a, b, counts);
        const bool u = a.is_unsigned || b.is_unsigned;
        const bool is_less = u ? a.bits < b.bits : a.number() < b.number();
        if (what == "==") return of(a.bits == b.bits);
        if (what == "!=") return of(a.bits != b.bits);
        if (what == "<") return of(is_less);
        if (what == ">=") return of(!is_less);
        if (what == ">") return of(!is_less && a.bits != b.bits);
        if (what == "<=") return of(is_less || a.bits == b.bits);
        if (what == "|") return {a.bits | b.bits, u};
        if (what == "^") return {a.bits ^ b.bits, u};
        if (what == "&") return {a.bits & b.bits, u};
        return arithmetic(what[0], a, b, u, counts);
    }

    static Value shifted(bool is_left, Value a, Value b, bool counts) {
        if (b.bits >= 8 * sizeof(Bits)) {
            if (counts) throw NoValue();
            return a;
        }
        if (is_left) return {a.bits << b.bits, a.is_unsigned};
        return {a.is_unsigned ? a.bits >> b.bits : static_cast<Bits>(a.number() >> b.bits),
                a.is_unsigned};
    }

    static Value arithmetic(char what, Value a, Value b, bool u, bool counts) {
        const bool divides = what == '/' || what == '%';
        if (divides && (b.bits == 0 || (!u && b.number() == -1 && a.number() == lowest))) {
            if (counts) throw NoValue();
            return {0, u};
        }
        Number made = 0;
        bool overflows = false;
        switch (what) {
            case '+': overflows = __builtin_add_overflow(a.number(), b.number(), &made); break;
            case '-': overflows = __builtin_sub_overflow(a.number(), b.number(), &made); break;
            case '*': overflows = __builtin_mul_overflow(a.number(), b.number(), &made); break;
            case '/': return {u ? a.bits / b.bits : static_cast<Bits>(a.number() / b.number()), u};
            default: return {u ? a.bits % b.bits : static_cast<Bits>(a.number() % b.number()), u};
        }
        if (overflows && !u && counts) throw NoValue();
        return {static_cast<Bits>(made), u};
    }

    Value unary(bool counts) {
        if (take("(")) {
            const Value inside = choice(counts);
            if (!take(")")) throw NoValue();
            return inside;
        }
        if (take("+")) return unary(counts);
        if (take("!")) return of(unary(counts).bits == 0);
        if (take("~")) {
            const Value of_it = unary(counts);
            return {~of_it.bits, of_it.is_unsigned};
        }
        if (take("-")) {
            const Value of_it = unary(counts);
            return computed("-", {0, of_it.is_unsigned}, of_it, counts);
        }
        if (at_ == tokens_.size()) throw NoValue();
        return literal(tokens_[at_++]);
    }

    static Value literal(std::string_view text) {
        if (is_letter(text[0]) || text[0] == '_') return {};
        if (text[0] == '\'') return character(text);
        if (!is_digit(text[0])) throw NoValue();
        Value made;
        int base = 10;
        if (text.starts_with("0x") || text.starts_with("0X")) {
            base = 16;
            text.remove_prefix(2);
        } else if (text[0] == '0') {
            base = 8;
        }
        std::uint64_t bits = 0;
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), bits, base);
        if (error != std::errc{}) throw NoValue();
        made.bits = bits;
        const std::string_view suffix(end,
                                      static_cast<std::size_t>(text.data() + text.size() - end));
        for (const char c : suffix) {
            if (c == 'u' || c == 'U') {
                made.is_unsigned = true;
            } else if (c != 'l' && c != 'L') {
                throw NoValue();
            }
        }
        made.is_unsigned = made.is_unsigned || made.number() < 0;
        return made;
    }

    /// Plain ASCII and simple escapes: compilers differ in others.
    static Value character(std::string_view text) {
        if (text.size() == 3 && static_cast<unsigned char>(text[1]) < 128)
            return {static_cast<Bits>(text[1])};
        constexpr std::string_view escapes = "abtnvfr";  // from 7 on
        if (text.size() != 4 || text[1] != '\\') throw NoValue();
        if (text[2] == '0') return {};
        if (const std::size_t at = escapes.find(text[2]); at != escapes.npos) return {7 + at};
        if (text[2] == '\'' || text[2] == '"' || text[2] == '\\' || text[2] == '?')
            return {static_cast<Bits>(text[2])};
        throw NoValue();
    }

    std::span<const std::string> tokens_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<bool> condition_value(std::span<const std::string> tokens) {
    try {
        const bool value = Condition<Narrow>(tokens).value();
        return value == Condition<Wide>(tokens).value() ? std::optional(value) : std::nullopt;
    } catch (const NoValue&) {
        return {};
    }
}

}  // namespace parallax

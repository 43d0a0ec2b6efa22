// Follows one work-item through PTX, with what it stored itself, the launch's buffers, and for all
// else numbers made of addresses.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "studies/explain/ptx_program.hpp"

namespace parallax {
namespace {

/// Products of words of 64 bits.
__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;


using PtxWord = std::uint64_t;

constexpr PtxWord shared_start = PtxWord{1} << 44, private_start = PtxWord{1} << 45;

PtxWord mixed_bits(PtxWord x) {
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185;
    x ^= x >> 27;
    x *= 0x81dadef4bc2dd44d;
    return x ^ (x >> 33);
}

PtxWord low_bits(PtxWord x, unsigned bits) {
    return bits >= 64 ? x : x & ((PtxWord{1} << bits) - 1);
}

std::int64_t as_signed(PtxWord x, unsigned bits) {
    return bits >= 64 ? static_cast<std::int64_t>(x)
                      : static_cast<std::int64_t>(x << (64 - bits)) >> (64 - bits);
}

double as_float(PtxWord x, unsigned bits) {
    return bits == 64 ? std::bit_cast<double>(x)
                      : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(x)));
}

PtxWord float_bits(double x, unsigned bits) {
    return bits == 64 ? std::bit_cast<PtxWord>(x)
                      : std::bit_cast<std::uint32_t>(static_cast<float>(x));
}

/// A number for what nobody knows; of the size that indices and factors have.
PtxWord made_up(PtxWord seed, char kind, unsigned bits) {
    const PtxWord hash = mixed_bits(seed);
    if (kind == 'f' && bits >= 32) {
        return float_bits(1 + static_cast<double>(hash & 0xfffff) / 0x100000, bits);
    }
    return kind == 'p' ? hash & 1 : low_bits(hash & 0x3f, bits);
}

class Walker {
public:
    Walker(const PtxProgram& program, const PtxLaunch& launch, const Size& place, const Size& group)
        : program_(program),
          launch_(launch),
          place_(place),
          group_(group),
          registers_(program.registers.size()) {
        // Nothing that is right looks like what nobody has set.
        for (std::size_t r = 0; r < registers_.size(); ++r) {
            registers_[r] = program.registers[r].type == ".pred" ? 2 : mixed_bits(r + 1);
        }
        PtxWord at = shared_start;
        // By size: compilers declare arrays in orders of their own.
        auto arrays = program.shared;
        std::ranges::stable_sort(arrays, {}, [](const auto& one) {
            return one.second.substr(std::min(one.second.find('['), one.second.size()));
        });
        for (const auto& array : arrays) symbols_.emplace(array.first, at += PtxWord{1} << 32);
        for (std::size_t i = 0; i < program.function().parameters.size(); ++i) {
            parameters_.emplace(program.function().parameters[i], i);
        }
    }

    PtxWalk run(PtxWord most_steps) {
        constexpr std::size_t most_kept = 1'500'000;
        PtxWalk made;
        made.visits.resize(program_.blocks.size());
        const std::size_t most_logged = most_kept / (registers_.size() + 1);
        PtxWord steps = 0;
        int block = program_.blocks.empty() ? -1 : 0;
        while (block >= 0 && steps < most_steps) {
            const PtxBlock& b = program_.blocks[static_cast<std::size_t>(block)];
            made.visits[static_cast<std::size_t>(block)] += 1;
            if (made.log.size() < most_logged) {
                made.log.push_back({block, effects_, loaded_, registers_});
            }
            int to = b.next;
            for (std::size_t i = b.first; i < b.last; ++i, ++steps) {
                const PtxInstruction& one = program_.code[i];
                if (one.guard >= 0 && (value(one.guard) != 0) == one.guard_negated) continue;
                if (one.base == "bra") to = b.branch;
                if (one.base == "ret" || one.base == "exit" || one.base == "trap") to = -1;
                execute(one);
            }
            block = to;
        }
        made.ended = block < 0;
        made.loaded = loaded_;
        for (const auto& [address, byte] : stored_) {
            if (address < private_start) made.written += mixed_bits(address);
        }
        return made;
    }

private:
    PtxWord& value(int reg) { return registers_[static_cast<std::size_t>(reg)]; }

    PtxWord special(std::string_view word) const {
        const auto of = [&](const Size& size) {
            return word.ends_with(".x") ? size.x : word.ends_with(".y") ? size.y : size.z;
        };
        if (word.starts_with("%tid")) return of(place_);
        if (word.starts_with("%ntid")) return of(launch_.items);
        if (word.starts_with("%ctaid")) return of(group_);
        if (word.starts_with("%nctaid")) return of(launch_.groups);
        const PtxWord line = (place_.z * launch_.items.y + place_.y) * launch_.items.x + place_.x;
        if (word == "%laneid") return line % 32;
        if (word == "%warpid") return line / 32;
        return mixed_bits(std::hash<std::string_view>{}(word)) & 0xff;
    }

    PtxWord source(const PtxOperand& one) {
        if (one.reg >= 0)
            return one.negated ? PtxWord{value(one.reg) == 0} : value(one.reg) + one.bits;
        if (one.word.empty()) return one.bits;
        if (const auto known = symbols_.find(one.word); known != symbols_.end()) {
            return known->second + one.bits;
        }
        if (one.word.starts_with('%')) return special(one.word);
        return private_start + one.bits;  // its own memory
    }

    PtxWord load(PtxWord address, char kind, unsigned bits) {
        const unsigned bytes = std::max(bits / 8, 1u);
        PtxWord read = 0;
        bool known = true;
        for (unsigned i = 0; i < bytes && known; ++i) {
            const auto stored = stored_.find(address + i);
            known = stored != stored_.end();
            if (known) read |= PtxWord{stored->second} << (8 * i);
        }
        if (known) return read;
        for (const PtxLaunch::Buffer& buffer : launch_.buffers) {
            const PtxWord at = address - buffer.address;
            if (at > buffer.bytes.size() || buffer.bytes.size() - at < bytes) continue;
            read = 0;
            for (unsigned i = 0; i < bytes; ++i) {
                read |= std::to_integer<PtxWord>(buffer.bytes[at + i]) << (8 * i);
            }
            return read;
        }
        return made_up(address, kind, bits);
    }

    void access(const PtxInstruction& one) {
        const std::string_view name = one.statement->name;
        const unsigned bytes = std::max(one.bits / 8, 1u);
        if (name.starts_with("ld.param")) {
            const auto parameter = parameters_.find(one.sources[0].word);
            for (std::size_t v = 0; v < one.targets.size(); ++v) {
                PtxWord read = 0;
                if (parameter != parameters_.end() &&
                    parameter->second < launch_.parameters.size()) {
                    const auto& all = launch_.parameters[parameter->second];
                    for (PtxWord i = 0; i < bytes; ++i) {
                        const PtxWord at = one.sources[0].bits + v * bytes + i;
                        if (at < all.size()) read |= std::to_integer<PtxWord>(all[at]) << (8 * i);
                    }
                }
                put(one, v, extended(one, read));
            }
            return;
        }
        const PtxWord address = source(one.sources[0]);
        if (one.base == "ld" || one.base == "ldu") {
            if (!name.starts_with("ld.local")) loaded_ += bytes * one.targets.size();
            for (std::size_t v = 0; v < one.targets.size(); ++v) {
                put(one, v, extended(one, load(address + v * bytes, one.kind, one.bits)));
            }
            return;
        }
        if (one.base == "st") {
            for (std::size_t v = 1; v < one.sources.size(); ++v) {
                const PtxWord what = source(one.sources[v]);
                for (PtxWord i = 0; i < bytes; ++i) {
                    stored_[address + (v - 1) * bytes + i] =
                        static_cast<std::uint8_t>(what >> (8 * i));
                }
                if (!name.starts_with("st.local")) effects_ += bytes;
            }
            return;
        }
        effects_ += bytes;  // atomic
        if (!one.targets.empty()) put(one, 0, load(address, one.kind, one.bits));
    }

    static PtxWord extended(const PtxInstruction& one, PtxWord read) {
        return one.kind == 's' ? static_cast<PtxWord>(as_signed(read, one.bits)) : read;
    }

    void put(const PtxInstruction& one, std::size_t target, PtxWord what) {
        const int reg = one.targets[target].reg;
        if (reg < 0) return;
        const std::string_view type = program_.registers[static_cast<std::size_t>(reg)].type;
        value(reg) = low_bits(what, type == ".pred"        ? 1
                                    : type.ends_with("16") ? 16
                                    : type.ends_with("32") ? 32
                                                           : 64);
    }

    bool compared(const PtxInstruction& one, PtxWord x, PtxWord y) const {
        const std::string_view name = one.statement->name;
        const auto has = [&](std::string_view how) {
            return name.substr(0, 9).find(how) != name.npos;
        };
        const auto holds = [&](auto a, auto b) {
            if (has(".eq")) return a == b;
            if (has(".ne")) return a != b;
            if (has(".lt") || has(".lo")) return a < b;
            if (has(".le") || has(".ls")) return a <= b;
            if (has(".gt") || has(".hi")) return a > b;
            return a >= b;
        };
        if (one.kind == 'f') return holds(as_float(x, one.bits), as_float(y, one.bits));
        if (one.kind == 's') return holds(as_signed(x, one.bits), as_signed(y, one.bits));
        return holds(low_bits(x, one.bits), low_bits(y, one.bits));
    }

    PtxWord converted(const PtxInstruction& one, PtxWord x) const {
        const std::string_view name = one.statement->name;
        if (one.kind == 'f') {
            double v = one.from_kind == 'f'   ? as_float(x, one.from_bits)
                       : one.from_kind == 's' ? static_cast<double>(as_signed(x, one.from_bits))
                                              : static_cast<double>(low_bits(x, one.from_bits));
            if (name.find(".rni") != name.npos) v = std::nearbyint(v);
            if (name.find(".rzi") != name.npos) v = std::trunc(v);
            if (name.find(".rmi") != name.npos) v = std::floor(v);
            if (name.find(".rpi") != name.npos) v = std::ceil(v);
            return float_bits(v, one.bits);
        }
        if (one.from_kind != 'f') {
            return one.from_kind == 's' ? static_cast<PtxWord>(as_signed(x, one.from_bits))
                                        : low_bits(x, one.from_bits);
        }
        double v = as_float(x, one.from_bits);
        v = name.find(".rni") != name.npos   ? std::nearbyint(v)
            : name.find(".rmi") != name.npos ? std::floor(v)
            : name.find(".rpi") != name.npos ? std::ceil(v)
                                             : std::trunc(v);
        if (!(std::fabs(v) < 9e18)) return 0;
        return static_cast<PtxWord>(static_cast<std::int64_t>(v));
    }

    PtxWord in_floats(const PtxInstruction& one, PtxWord x, PtxWord y, PtxWord z) const {
        const unsigned bits = one.bits;
        const double a = as_float(x, bits), b = as_float(y, bits), c = as_float(z, bits);
        const std::string_view base = one.base;
        const auto f = [&](double v) { return float_bits(v, bits); };
        if (base == "add") return f(a + b);
        if (base == "sub") return f(a - b);
        if (base == "mul") return f(a * b);
        if (base == "fma" || base == "mad") return f(std::fma(a, b, c));
        if (base == "div") return f(a / b);
        if (base == "min") return f(std::fmin(a, b));
        if (base == "max") return f(std::fmax(a, b));
        if (base == "abs") return f(std::fabs(a));
        if (base == "neg") return f(-a);
        if (base == "sqrt") return f(std::sqrt(a));
        if (base == "rsqrt") return f(1 / std::sqrt(a));
        if (base == "rcp") return f(1 / a);
        if (base == "sin") return f(std::sin(a));
        if (base == "cos") return f(std::cos(a));
        if (base == "ex2") return f(std::exp2(a));
        if (base == "lg2") return f(std::log2(a));
        if (base == "tanh") return f(std::tanh(a));
        if (base == "copysign") return f(std::copysign(b, a));
        return unknown(one, x, y, z);
    }

    /// The same for equal operands, and nothing more is known of it.
    static PtxWord unknown(const PtxInstruction& one, PtxWord x, PtxWord y, PtxWord z) {
        const PtxWord name = std::hash<std::string_view>{}(one.statement->name);
        return made_up(mixed_bits(mixed_bits(mixed_bits(name ^ x) + y) + z), one.kind, one.bits);
    }

    PtxWord in_integers(const PtxInstruction& one, PtxWord x, PtxWord y, PtxWord z) const {
        const std::string_view base = one.base, name = one.statement->name;
        const unsigned bits = one.bits;
        const bool is_signed = one.kind == 's';
        const std::int64_t a = as_signed(x, bits), b = as_signed(y, bits);
        const PtxWord u = low_bits(x, bits), v = low_bits(y, bits);
        if (base == "add") return x + y;
        if (base == "sub") return x - y;
        if (base == "mul" || base == "mad") {
            PtxWord product = 0;
            if (name.find(".hi") != name.npos) {
                product =
                    is_signed
                        ? static_cast<PtxWord>((static_cast<Wide>(a) * b) >> bits)
                        : static_cast<PtxWord>((static_cast<UnsignedWide>(u) * v) >> bits);
            } else {
                product = is_signed ? static_cast<PtxWord>(a) * static_cast<PtxWord>(b) : u * v;
            }
            return base == "mad" ? product + z : product;
        }
        if (base == "div" || base == "rem") {
            if (v == 0 || (is_signed && b == -1)) return base == "div" ? ~u + 1 : 0;
            if (is_signed) return static_cast<PtxWord>(base == "div" ? a / b : a % b);
            return base == "div" ? u / v : u % v;
        }
        if (base == "min") return is_signed ? (a < b ? x : y) : (u < v ? x : y);
        if (base == "max") return is_signed ? (a > b ? x : y) : (u > v ? x : y);
        if (base == "abs") return static_cast<PtxWord>(a < 0 ? -a : a);
        if (base == "neg") return ~x + 1;
        if (base == "and") return x & y;
        if (base == "or") return x | y;
        if (base == "xor") return x ^ y;
        if (base == "not") return one.kind == 'p' ? PtxWord{x == 0} : ~x;
        const unsigned by = static_cast<unsigned>(std::min<PtxWord>(low_bits(y, 32), 255));
        if (base == "shl") return by >= bits ? 0 : x << by;
        if (base == "shr") {
            if (is_signed) return static_cast<PtxWord>(a >> std::min(by, bits - 1));
            return by >= bits ? 0 : u >> by;
        }
        if (base == "shf") {
            const PtxWord both = low_bits(y, 32) << 32 | low_bits(x, 32);
            const unsigned count = static_cast<unsigned>(z & 31);
            return name.find(".l") != name.npos ? (both << count) >> 32 : both >> count;
        }
        if (base == "bfe") {
            const PtxWord field = u >> std::min(by, bits - 1);
            return low_bits(field, static_cast<unsigned>(std::min<PtxWord>(z, bits)));
        }
        if (base == "popc") return static_cast<PtxWord>(std::popcount(u));
        if (base == "clz") return static_cast<PtxWord>(std::countl_zero(u)) - (64 - bits);
        return unknown(one, x, y, z);
    }

    void execute(const PtxInstruction& one) {
        if (one.in_memory && (one.base == "ld" || one.base == "ldu" || one.base == "st" ||
                              one.base == "atom" || one.base == "red")) {
            return access(one);
        }
        if (one.base == "bar" || one.base == "barrier") effects_ += PtxWord{1} << 40;
        if (one.targets.empty()) return;
        PtxWord in[3] = {};
        for (std::size_t i = 0; i < std::min<std::size_t>(one.sources.size(), 3); ++i) {
            in[i] = source(one.sources[i]);
        }
        const auto& [x, y, z] = in;
        const std::string_view base = one.base;
        if (base == "mov" && one.targets.size() > 1) {
            const unsigned part = one.bits / static_cast<unsigned>(one.targets.size());
            for (std::size_t i = 0; i < one.targets.size(); ++i) put(one, i, x >> (i * part));
        } else if (base == "mov" && one.sources.size() > 1) {
            const unsigned part = one.bits / static_cast<unsigned>(one.sources.size());
            PtxWord all = 0;
            for (std::size_t i = 0; i < one.sources.size(); ++i) {
                all |= low_bits(source(one.sources[i]), part) << (i * part);
            }
            put(one, 0, all);
        } else if (base == "mov" || base == "cvta") {
            put(one, 0, x);
        } else if (base == "setp") {
            bool holds = compared(one, x, y);
            const std::string_view name = one.statement->name;
            if (one.sources.size() > 2) {
                holds = name.find(".or.") != name.npos    ? holds || z != 0
                        : name.find(".xor.") != name.npos ? holds != (z != 0)
                                                          : holds && z != 0;
            }
            put(one, 0, holds);
            if (one.targets.size() > 1) put(one, 1, !holds);
        } else if (base == "selp") {
            put(one, 0, z != 0 ? x : y);
        } else if (base == "cvt" && one.bits >= 8 && !(one.kind == 'f' && one.bits < 32) &&
                   !(one.from_kind == 'f' && one.from_bits < 32)) {
            put(one, 0, converted(one, x));
        } else if (one.targets.size() > 1) {
            for (std::size_t i = 0; i < one.targets.size(); ++i)
                put(one, i, unknown(one, x, y, z + i));
        } else {
            put(one, 0,
                one.kind == 'f' && one.bits >= 32 ? in_floats(one, x, y, z)
                                                  : in_integers(one, x, y, z));
        }
    }

    const PtxProgram& program_;
    const PtxLaunch& launch_;
    const Size& place_;
    const Size& group_;
    std::vector<PtxWord> registers_;
    std::unordered_map<std::string_view, PtxWord> symbols_;
    std::unordered_map<std::string_view, std::size_t> parameters_;
    std::unordered_map<PtxWord, std::uint8_t> stored_;
    PtxWord effects_ = 0, loaded_ = 0;
};

}  // namespace

PtxWalk walk(const PtxProgram& program, const PtxLaunch& launch, const Size& place,
             const Size& group, std::uint64_t most_steps) {
    return Walker(program, launch, place, group).run(most_steps);
}

}  // namespace parallax

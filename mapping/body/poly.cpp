// Arithmetic of polynomials.
#include "mapping/body/poly.hpp"

namespace parallax {
namespace {

Poly::Product times(const Poly::Product& a, const Poly::Product& b, int sign = 1) {
    std::map<int, int> powers(a.begin(), a.end());
    for (const auto& [symbol, power] : b) powers[symbol] += sign * power;
    std::erase_if(powers, [](const auto& one) { return one.second == 0; });
    return {powers.begin(), powers.end()};
}

}  // namespace

Poly& Poly::operator+=(const Poly& other) {
    for (const auto& [product, number] : other.terms_) {
        double& sum = terms_[product];
        sum += number;
        if (sum == 0) terms_.erase(product);
    }
    return *this;
}

Poly Poly::operator*(const Poly& other) const {
    Poly made;
    for (const auto& [a, number] : terms_) {
        for (const auto& [b, factor] : other.terms_) {
            Poly term;
            term.terms_[times(a, b)] = number * factor;
            made += term;
        }
    }
    return made;
}

std::optional<Poly> Poly::over(const Poly& divisor) const {
    if (divisor.terms_.size() != 1) return {};
    const auto& [product, number] = *divisor.terms_.begin();
    Poly made;
    for (const auto& [own, factor] : terms_) made.terms_[times(own, product, -1)] = factor / number;
    return made;
}

std::optional<double> Poly::number() const {
    if (terms_.empty()) return 0;
    if (terms_.size() > 1 || !terms_.begin()->first.empty()) return {};
    return terms_.begin()->second;
}

bool Poly::has(int symbol) const {
    return symbols().contains(symbol);
}

std::set<int> Poly::symbols() const {
    std::set<int> found;
    for (const auto& [product, number] : terms_) {
        for (const auto& [symbol, power] : product) found.insert(symbol);
    }
    return found;
}

std::optional<Poly> Poly::factor_of(int symbol) const {
    Poly made;
    for (const auto& [product, number] : terms_) {
        for (const auto& [one, power] : product) {
            if (one != symbol) continue;
            if (power != 1) return {};
            made.terms_[times(product, {{symbol, 1}}, -1)] = number;
        }
    }
    return made;
}

Poly Poly::with(int symbol, const Poly& value) const {
    Poly made;
    for (const auto& [product, number] : terms_) {
        Poly term;
        int power = 0;
        for (const auto& [one, raised] : product) {
            if (one == symbol) power = raised;
        }
        const bool stays = power < 0 && value.terms_.size() != 1;
        term.terms_[stays ? product : times(product, {{symbol, power}}, -1)] = number;
        for (int i = 0; !stays && i < power; ++i) term = term * value;
        for (int i = 0; !stays && i > power; --i) term = *term.over(value);
        made += term;
    }
    return made;
}

Poly Poly::positive() const {
    Poly made;
    for (const auto& [product, number] : terms_) {
        if (number > 0) made.terms_[product] = number;
    }
    return made;
}

}  // namespace parallax

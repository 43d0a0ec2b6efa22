// Polynomials over numbered symbols, for indices and bounds in kernels.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace parallax {

/// A polynomial over quantities that are known by their numbers. Powers may be negative: `n / 16`
/// counts as exact.
class Poly {
public:
    /// A product: quantities with their powers, none of them 0, by their numbers.
    using Product = std::vector<std::pair<int, int>>;

    Poly() = default;
    Poly(double number) {  // NOLINT: a number is a polynomial
        if (number != 0) terms_[{}] = number;
    }
    static Poly of(int symbol) {
        Poly made;
        made.terms_[{{symbol, 1}}] = 1;
        return made;
    }

    const std::map<Product, double>& terms() const { return terms_; }
    bool operator==(const Poly&) const = default;
    Poly& operator+=(const Poly& other);
    Poly operator+(const Poly& other) const { return Poly(*this) += other; }
    Poly operator-(const Poly& other) const { return Poly(*this) += other * Poly(-1); }
    Poly operator*(const Poly& other) const;
    /// Nothing where the divisor is not one term.
    std::optional<Poly> over(const Poly& divisor) const;

    /// The number that it is, if it is one.
    std::optional<double> number() const;
    bool has(int symbol) const;
    std::set<int> symbols() const;
    /// The factor of the symbol; nothing where it occurs in another power than 1.
    std::optional<Poly> factor_of(int symbol) const;
    /// Replaces the symbol by `value`. Divisions by the symbol stay unless `value` is one term.
    Poly with(int symbol, const Poly& value) const;
    /// The terms of positive and of negative sign.
    Poly positive() const;
    Poly negative() const { return *this - positive(); }

private:
    std::map<Product, double> terms_;  // none of them 0
};

}  // namespace parallax

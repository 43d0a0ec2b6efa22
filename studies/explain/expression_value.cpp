// Works out what an expression of whole numbers is.
#include <algorithm>
#include <charconv>

#include "mapping/analyze/lexer.hpp"
#include "studies/explain/rewrite.hpp"

namespace parallax {
namespace {

/// Reads an expression: sums of products of factors.
class ExpressionReader {
public:
    ExpressionReader(const std::vector<Token>& tokens, const std::vector<Constant>& constants)
        : tokens_(tokens), constants_(constants) {}

    std::optional<std::int64_t> run() {
        const std::optional<std::int64_t> value = sum();
        if (tokens_[at_].kind != TokenKind::end) return {};
        return value;
    }

private:
    using Value = std::optional<std::int64_t>;

    Value sum() {
        Value value = product();
        while (value && (tokens_[at_].is("+") || tokens_[at_].is("-"))) {
            const bool plus = tokens_[at_++].is("+");
            const Value next = product();
            std::int64_t result = 0;
            if (!next || (plus ? __builtin_add_overflow(*value, *next, &result)
                               : __builtin_sub_overflow(*value, *next, &result))) {
                return {};
            }
            value = result;
        }
        return value;
    }

    Value product() {
        Value value = factor();
        while (value && (tokens_[at_].is("*") || tokens_[at_].is("/") || tokens_[at_].is("%"))) {
            const char operation = tokens_[at_++].text[0];
            const Value next = factor();
            std::int64_t result = 0;
            if (!next ||
                (operation == '*' ? __builtin_mul_overflow(*value, *next, &result) : *next <= 0)) {
                return {};
            }
            value = operation == '*' ? result : operation == '/' ? *value / *next : *value % *next;
        }
        return value;
    }

    Value factor() {
        const Token& token = tokens_[at_++];
        if (token.is("(")) {
            // Every level of nesting is a level of the stack.
            if (++depth_ > 100) return {};
            const Value value = sum();
            --depth_;
            if (!value || !tokens_[at_].is(")")) return {};
            ++at_;
            return value;
        }
        if (token.kind == TokenKind::identifier) {
            const auto found = std::ranges::find(constants_, token.text, &Constant::name);
            return found == constants_.end() ? Value{} : Value{found->value};
        }
        // 010 is eight.
        if (token.text.size() > 1 && token.text[0] == '0') return {};
        std::int64_t value = 0;
        const auto parsed =
            std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
        if (token.kind != TokenKind::number || parsed.ec != std::errc{} ||
            parsed.ptr != token.text.data() + token.text.size()) {
            --at_;
            return {};
        }
        return value;
    }

    const std::vector<Token>& tokens_;
    const std::vector<Constant>& constants_;
    std::size_t at_ = 0;
    unsigned depth_ = 0;
};

}  // namespace

std::optional<std::int64_t> value_of_expression(std::string_view expression,
                                                const std::vector<Constant>& constants) {
    const std::vector<Token> tokens = lex("an extent", expression);
    return ExpressionReader(tokens, constants).run();
}

}  // namespace parallax

// Lists problems in the order of their places.
#include "mapping/analyze/problems.hpp"

#include <iterator>

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {
namespace {

// A source with more problems is no kernel.
constexpr std::size_t most_listed = 500;

}  // namespace

void Problems::complain(std::size_t i, std::string_view what) {
    ++count_;
    by_token_.emplace(i, outline_.complaint(i, what));
    // They come nearly in order: what is dropped would not be listed.
    if (by_token_.size() > 2 * most_listed) by_token_.erase(std::prev(by_token_.end()));
}

void Problems::throw_any() const {
    if (by_token_.empty()) return;
    std::string text;
    std::size_t listed = 0;
    for (const auto& [at, problem] : by_token_) {
        if (listed == most_listed) {
            text += fmt::format("\n{}: and {} more", outline_.file, count_ - listed);
            break;
        }
        if (listed++ > 0) text += '\n';
        text += problem;
    }
    throw Refused(text);
}

}  // namespace parallax

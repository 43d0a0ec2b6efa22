// Colours verdicts.
#include "report/paint.hpp"

#include <fmt/format.h>

namespace parallax::report {

std::string Paint::in(std::string_view code, std::string_view text) const {
    return colour_ && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text)
                                    : std::string(text);
}

std::string Paint::verdict(Verdict verdict, std::string_view text) const {
    switch (verdict) {
        case Verdict::same:
        case Verdict::equal:
        case Verdict::within_tolerance: return std::string(text);
        case Verdict::faster: return in("32", text);
        case Verdict::slower: return in("33", text);
        case Verdict::undecided:
        case Verdict::refused: return in("35", text);
        case Verdict::wrong:
        case Verdict::failed: return in("1;31", text);
        case Verdict::not_comparable: break;
    }
    return in("2", text);
}

}  // namespace parallax::report

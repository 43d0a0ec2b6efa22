// Cuts trees: first the large pieces, then smaller ones, until nothing more goes.
#include "benchmarks/generated/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace parallax::generated {
namespace {

/// The simplest expression of the type with a value of the range.
std::optional<Node> plainest(const Node& node) {
    Type type = node.type;
    const double number =
        node.range.low <= 1 && node.range.high >= 1 ? 1 : std::ceil(node.range.low);
    if (number > node.range.high || std::abs(number) > 1000) return {};
    const auto whole = static_cast<int>(number);
    if (type.width == 0) return expression(type, {1, 1}, level::primary, "1u");
    const char tight = whole < 0 ? level::unary : level::primary;
    const Range range{number, number};
    if (type.width > 1)
        return expression(type, range, level::unary, fmt::format("({})({})", type.name(), whole));
    switch (type.base) {
        case Base::i32: return expression(type, range, tight, fmt::format("{}", whole));
        case Base::u32: return expression(type, range, tight, fmt::format("{}u", whole));
        case Base::i64: return expression(type, range, tight, fmt::format("{}l", whole));
        case Base::u64: return expression(type, range, tight, fmt::format("{}ul", whole));
        case Base::f32: return expression(type, range, tight, fmt::format("{}.0f", whole));
        case Base::f64: return expression(type, range, tight, fmt::format("{}.0", whole));
        default: break;
    }
    return expression(type, range, level::unary, fmt::format("({}){}", type.name(), whole));
}

/// What becomes of the node of that number, counted as a tree is written: another one, or nothing.
struct Cut {
    std::size_t place = 0;
    std::optional<Node> instead;
};

std::size_t size_of(const Node& node) {
    std::size_t size = 1;
    for (const Node& part : node.parts) size += size_of(part);
    return size;
}

/// All of them at once; what is in a part that goes, goes with it.
Node cut(const Node& node, const std::vector<Cut>& cuts, std::size_t& place) {
    const auto found = std::ranges::find(cuts, place, &Cut::place);
    if (found != cuts.end()) {
        place += size_of(node);
        return found->instead ? *found->instead : block({});
    }
    ++place;
    Node made = node;
    for (Node& part : made.parts) part = cut(part, cuts, place);
    return made;
}

enum class What { statements, expressions };

void collect(const Node& node, What what, std::size_t& place, std::vector<Cut>& cuts) {
    const std::size_t own = place++;
    if (what == What::statements && node.is_optional) cuts.push_back({own, {}});
    for (const Node& part : node.parts) {
        if (what == What::statements ? node.is_optional && !part.is_expression
                                     : node.is_expression && part.is_expression &&
                                           part.type == node.type && part.range.is_in(node.range))
            cuts.push_back({own, part});
    }
    if (what == What::expressions && node.is_expression) {
        const auto plain = plainest(node);
        if (plain && text_of(*plain).size() < text_of(node).size()) cuts.push_back({own, plain});
    }
    for (const Node& part : node.parts) collect(part, what, place, cuts);
}

class Reducer {
public:
    Reducer(File& file, const Shows& shows, unsigned most)
        : file_(file), shows_(shows), left_(most) {}

    void run() {
        for (const What what : {What::statements, What::expressions, What::statements}) {
            while (step(what)) {
            }
        }
        for (Item& item : file_.head) {
            for (const What what : {What::statements, What::expressions}) cut_item(item, what);
        }
    }

private:
    std::vector<bool> ask(std::vector<Node> kernels) {
        if (left_ == 0) return std::vector<bool>(kernels.size());
        --left_;
        File file = file_;
        file.kernels = std::move(kernels);
        return shows_(file);
    }
    static Node cut_by(const Node& node, const std::vector<Cut>& cuts) {
        std::size_t place = 0;
        return cut(node, cuts, place);
    }

    /// @returns whether the kernel became smaller
    bool step(What what) {
        constexpr std::size_t together = 24;
        const Node whole = file_.kernels.front();
        std::vector<Cut> cuts, good;
        std::size_t place = 0;
        collect(whole, what, place, cuts);
        for (std::size_t i = 0; i < cuts.size(); i += together) {
            std::vector<Node> tries;
            for (std::size_t j = i; j < std::min(i + together, cuts.size()); ++j)
                tries.push_back(cut_by(whole, {cuts[j]}));
            const std::vector<bool> show = ask(std::move(tries));
            for (std::size_t j = 0; j < show.size(); ++j) {
                if (show[j] && (good.empty() || good.back().place != cuts[i + j].place))
                    good.push_back(cuts[i + j]);
            }
        }
        if (good.empty()) return false;
        // Together, or as many of them as go together; one goes.
        std::vector<Node> tries;
        for (std::size_t count = good.size(); count > 0; count /= 2) {
            tries.push_back(
                cut_by(whole, {good.end() - static_cast<std::ptrdiff_t>(count), good.end()}));
            tries.push_back(
                cut_by(whole, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(count)}));
        }
        const std::vector<bool> show = ask(tries);
        std::size_t best = tries.size();
        for (std::size_t i = 0; i < show.size(); ++i) {
            if (show[i] &&
                (best == tries.size() || text_of(tries[i]).size() < text_of(tries[best]).size()))
                best = i;
        }
        if (best == tries.size() || text_of(tries[best]).size() >= text_of(whole).size())
            return false;
        file_.kernels.front() = std::move(tries[best]);
        return true;
    }

    /// All kernels of a file have one head: one try at a time, and of what is used.
    void cut_item(Item& item, What what) {
        const std::string used = text_of(file_, {0}).text;
        if (std::ranges::none_of(item.names, [&](const auto& one) { return has_word(used, one); }))
            return;
        for (bool again = true; again && left_ > 0;) {
            again = false;
            std::vector<Cut> cuts;
            std::size_t place = 0;
            collect(item.node, what, place, cuts);
            for (const Cut& one : cuts) {
                if (one.place == 0) continue;
                Node before = item.node;
                item.node = cut_by(before, {one});
                if (text_of(item.node).size() < text_of(before).size() &&
                    ask({file_.kernels.front()}).front()) {
                    again = true;
                    break;
                }
                item.node = std::move(before);
            }
        }
    }

    File& file_;
    const Shows& shows_;
    unsigned left_;
};

}  // namespace

File reduced(File file, const Shows& shows, unsigned most) {
    Reducer(file, shows, most).run();
    return file;
}

}  // namespace parallax::generated

// Finds stored results by case, device and side.
#include "measure/resume_state.hpp"

namespace parallax {
namespace {

/// The first line of this kind that matches.
template <class Kind, class IsIt>
const Kind* find(const std::vector<ResultEntry>& lines, const IsIt& is_it) {
    for (const ResultEntry& line : lines) {
        const Kind* const one = std::get_if<Kind>(&line);
        if (one && is_it(*one)) return one;
    }
    return nullptr;
}

}  // namespace

bool ResumeState::has(const ResultEntry& line) const {
    if (const auto* wanted = std::get_if<Record>(&line)) {
        return find<Record>(*lines_, [&](const Record& one) {
            return one.device == wanted->device && one.side == wanted->side &&
                   one.key == wanted->key;
        });
    }
    if (const auto* wanted = std::get_if<Pair>(&line)) {
        return pair(wanted->key, wanted->a, wanted->b, wanted->self);
    }
    const auto* wanted = std::get_if<Explanation>(&line);
    return wanted && find<Explanation>(*lines_, [&](const Explanation& one) {
               return one.key == wanted->key && one.planted.a == wanted->planted.a &&
                      one.planted.b == wanted->planted.b;
           });
}

const Record* ResumeState::record(std::string_view device, const Case& c, char side) const {
    return find<Record>(*lines_, [&](const Record& one) {
        if (one.device != device || one.side != side || one.key.suite != c.suite->name) {
            return false;
        }
        const bool open = c.shape.extents.empty();
        return one.key == key_of(open ? with_shape(c, Shape{one.key.shape}) : c);
    });
}

const Pair* ResumeState::pair(const CaseKey& key, std::string_view a, std::string_view b,
                              bool self) const {
    return find<Pair>(*lines_, [&](const Pair& one) {
        return one.a == a && one.b == b && one.self == self && one.key == key;
    });
}

const Explanation* ResumeState::explanation(const CaseKey& key) const {
    return find<Explanation>(*lines_, [&](const Explanation& one) { return one.key == key; });
}

}  // namespace parallax

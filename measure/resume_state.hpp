// The results that earlier workers of a run stored before they ended.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "records/result_lines.hpp"

namespace parallax {

/// The stored lines of one run.
class ResumeState {
public:
    ResumeState() = default;
    explicit ResumeState(std::vector<ResultEntry> lines)
        : lines_(std::make_shared<const std::vector<ResultEntry>>(std::move(lines))) {}

    /// Whether there is a line of the same kind, case, device and side.
    bool has(const ResultEntry&) const;
    /// The record of a case on a device (`backend:index`); null: there is none.
    /// @param c     its shape may be open
    /// @param side  of a diff; 0: of a run
    const Record* record(std::string_view device, const Case& c, char side = 0) const;
    /// The pair of a case on two devices; on one, of the case against itself.
    const Pair* pair(const CaseKey&, std::string_view a, std::string_view b, bool self) const;
    const Explanation* explanation(const CaseKey&) const;

private:
    std::shared_ptr<const std::vector<ResultEntry>> lines_ =
        std::make_shared<const std::vector<ResultEntry>>();
};

}  // namespace parallax

// Queues a block's cases for background verification, and takes their outcomes in order.
#include "measure/case_block.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "common/host_clock.hpp"

namespace parallax {
namespace {

/// Requests the first case's data first. Of the other cases the reference data of the timed size
/// take longest, so they are started before those of small sizes, the largest first.
void ask_own_sizes(MeasurementContext& context, std::span<const BlockItem> items) {
    std::vector<std::pair<std::uint64_t, const BlockItem*>> others;
    for (const BlockItem& item : items) {
        if (item.earlier) continue;
        if (item.number == items.front().number) {
            context.ask_references(item.session->entry.info, item.the_case);
        } else {
            try {
                others.emplace_back(footprint(plan_of(item.the_case)).total, &item);
            } catch (const Error&) {
                // It is impossible, and its verification says why.
            }
        }
    }
    std::ranges::stable_sort(others, std::greater(), [](const auto& other) { return other.first; });
    for (const auto& [bytes, item] : others) {
        context.ask_references(item->session->entry.info, item->the_case,
                               MeasurementContext::Sizes::own);
    }
}

void queue_all(MeasurementContext& context, std::span<const BlockItem> items,
               const BlockRule& rule) {
    ask_own_sizes(context, items);
    for (const BlockItem& item : items) {
        if (context.time_budget.left() <= 0) return;
        if (item.earlier) continue;
        context.ask_references(item.session->entry.info, item.the_case);
        item.session->verify_ahead(item.the_case, rule.may_check);
        if (rule.was_queued) rule.was_queued(item);
    }
}

void verify_item(MeasurementContext& context, BlockItem& item, const BlockRule& rule) {
    if (item.earlier) {
        item.verified.outcome.the_case = item.the_case;
        item.verified.outcome.status = Status::ok;
        return;
    }
    if (context.config.check_interrupt) context.config.check_interrupt();
    if (rule.tell) rule.tell(item);
    const HostClock::time_point begin = HostClock::now();
    item.verified = item.session->verify(item.the_case, rule.may_check);
    Outcome& outcome = item.verified.outcome;
    const DeviceInfo& info = item.session->entry.info;
    if (rule.is_timed && !info.only_checks) context.get_reference_data(info, outcome);
    if (outcome.status != Status::skipped) {
        context.time_budget.note_check(seconds_since(begin), rule.checks_per_item);
    }
}

bool has_ended(const BlockItem& item) {
    const Status status = item.verified.outcome.status;
    return !item.earlier && status != Status::ok && status != Status::skipped;
}

}  // namespace

std::size_t verify_block(MeasurementContext& context, std::vector<BlockItem>& items,
                         const BlockRule& rule) {
    context.time_budget.begin_block(rule.reserved_seconds);
    queue_all(context, items, rule);
    for (std::size_t i = 0; i < items.size(); ++i) {
        try {
            verify_item(context, items[i], rule);
        } catch (const Interrupted&) {
            for (const BlockItem& item : std::span(items).first(i)) {
                if (rule.keep_ended && has_ended(item)) rule.keep_ended(item);
            }
            throw;
        }
        const bool is_skipped = items[i].verified.outcome.status == Status::skipped;
        const std::size_t number = items[i].number;
        if (is_skipped && number > 0 && context.time_budget.left() > 0) {
            std::erase_if(items, [&](const BlockItem& item) { return item.number >= number; });
            return number;
        }
    }
    return items.empty() ? 0 : items.back().number + 1;
}

}  // namespace parallax

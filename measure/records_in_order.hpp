// Passes records on in order although they are made in any order.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// The records of a block of cases on their way to a listener: reports need a fixed order. Not
/// thread-safe.
class RecordsInOrder {
public:
    /// @param listener  may be empty
    explicit RecordsInOrder(const std::function<void(const Record&)>& listener)
        : listener_(listener) {}

    /// Starts a new block of `count` records.
    void begin(std::size_t count) {
        made_.assign(count, {});
        given_ = 0;
        missing_ = count;
    }
    /// Passes the record on as soon as all before it were passed on.
    void add(std::size_t place, Record record) {
        --missing_;
        made_[place] = std::move(record);
        while (given_ < made_.size() && made_[given_]) give_next();
    }
    /// Passes on the remaining records; missing ones leave no gap.
    void give_rest() {
        while (given_ < made_.size()) give_next();
    }
    /// Number of records of the block that were not added yet.
    std::size_t missing() const { return missing_; }

private:
    void give_next() {
        const std::optional<Record> next = std::exchange(made_[given_++], {});
        if (next && listener_) listener_(*next);
    }

    const std::function<void(const Record&)>& listener_;
    std::vector<std::optional<Record>> made_;
    std::size_t given_ = 0, missing_ = 0;
};

}  // namespace parallax

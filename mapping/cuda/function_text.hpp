// Writes the tokens of a CUDA function in OpenCL C.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "mapping/cuda/reading_form.hpp"

namespace parallax::cuda_reading {

/// A name that OpenCL C does not take for something else.
std::string free_name(std::string_view name);

/// One function's tokens, from first to last.
class FunctionText {
public:
    FunctionText(ReadingForm& form, const Tokens& tokens) : form_(form), tokens_(tokens) {}

    /// A parameter. `is_changed` is one by reference, which the form has as a pointer.
    void declare(const std::string& name, const std::string& type, unsigned pointers,
                 bool is_changed);
    void declare_memory(std::string_view name, const Variable& variable);
    /// Statements and expressions.
    std::string rewritten(Range range);
    /// The same outside of functions.
    std::string plain(Range range) { return rewritten(range); }

private:
    struct Known {
        std::string type;
        unsigned pointers = 0;
    };

    /// Writes what begins at `i`. @returns what comes behind it
    std::size_t word(std::size_t i);
    bool begins_statement(std::size_t i) const;
    std::size_t declaration(std::size_t i);
    std::size_t call(std::size_t i);
    std::size_t helper_call(std::size_t i, std::size_t open, Range given);
    std::size_t texture(std::size_t i, std::size_t open, Range given);
    std::string coordinate(Range range);
    std::size_t work_item(std::size_t i);
    std::size_t group_call(std::size_t i);
    Known type_of(Range range) const;
    std::optional<std::int64_t> constant(Range range) const;
    std::optional<std::int64_t> constant(std::string_view name) const;
    const Known* known(std::string_view name) const;
    void put(std::size_t i, std::string_view text);

    ReadingForm& form_;
    const Tokens& tokens_;
    std::string out_;
    std::map<std::string, Known, std::less<>> known_;
    std::map<std::string, std::int64_t, std::less<>> constants_;
    std::set<std::string, std::less<>> references_;  ///< written as `(*name)`
    std::map<std::string, std::string, std::less<>>
        groups_;  ///< cooperative groups: block, grid, tile
    unsigned depth_ = 0;
};

}  // namespace parallax::cuda_reading

// Which bytes of a translation are copies, and which rows of the table made the others.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "mapping/table/table.hpp"

namespace parallax {

/// A piece of a kernel source and what it became.
struct Piece {
    std::size_t from = 0, from_end = 0;  ///< bytes of the OpenCL source; may be none
    std::size_t to = 0, to_end = 0;      ///< bytes of the translation; may be none
    RowList rows;                        ///< that were applied; none only where no row explains it
};

/// Notes, while a translation is written from left to right, where its bytes are from. Offsets are
/// bytes.
class PieceLog {
public:
    /// Records that `length` bytes at `to` are equal to those at `from`; `rows` were applied and
    /// changed nothing.
    void copied(std::size_t from, std::size_t to, std::size_t length, const RowList& rows = {});
    /// Bytes from `to` to `to_end` were made of those from `from` to `from_end`. A row that keeps
    /// its arguments notes a part at a time; the first has the `from_end` of the whole.
    void made(std::size_t from, std::size_t from_end, std::size_t to, std::size_t to_end,
              const RowList& rows);
    void clear() { notes_.clear(); }

    /// The replaced parts, and the copies that rules were applied to, in order. The text between
    /// two of them is equal on both sides.
    /// @param source, body  both sides
    std::vector<Piece> pieces(std::string_view source, std::string_view body) const;

private:
    struct Note {
        bool copy = false;
        Piece piece;
    };
    class Joined;
    std::vector<Note> notes_;
};

}  // namespace parallax

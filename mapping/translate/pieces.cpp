// Makes one sequence of pieces from what was noted while a translation was written.
#include "mapping/translate/pieces.hpp"

#include <algorithm>

namespace parallax {

void PieceLog::copied(std::size_t from, std::size_t to, std::size_t length, const RowList& rows) {
    if (length > 0) notes_.push_back({true, {from, from + length, to, to + length, rows}});
}

void PieceLog::made(std::size_t from, std::size_t from_end, std::size_t to, std::size_t to_end,
                    const RowList& rows) {
    notes_.push_back({false, {from, from_end, to, to_end, rows}});
}

/// The pieces so far. Between two copies there is a gap, which the recorded replacement fills.
class PieceLog::Joined {
public:
    Joined(std::string_view source, std::string_view body) : source_(source), body_(body) {}

    void note(const Piece& made) {
        waiting_.push_back(made);
        if (made.from_end > made.from) covering_.push_back(made);
    }

    void copy(const Piece& piece) {
        // A moved part is no copy: its surroundings are not the same.
        if (piece.from < from_) return;
        fill(piece.from, piece.to);
        if (!piece.rows.empty()) add(piece);
        from_ = piece.from_end;
        to_ = piece.to_end;
    }

    /// Fills the gap that ends here.
    void fill(std::size_t from_end, std::size_t to_end) {
        if (from_ == from_end && to_ == to_end) return waiting_.clear();
        std::erase_if(waiting_, [&](const Piece& one) {
            return one.from_end <= from_ && one.to == one.to_end;
        });
        if (waiting_.empty()) {
            add({from_, from_end, to_, to_end, rows_around(from_end)});
            return;
        }
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            Piece one{from_, from_end, to_, to_end, waiting_[i].rows};
            if (i + 1 < waiting_.size()) {
                one.from_end = std::clamp(waiting_[i + 1].from, from_, from_end);
                one.to_end = std::clamp(waiting_[i + 1].to, to_, to_end);
            }
            from_ = one.from_end;
            to_ = one.to_end;
            add(std::move(one));
        }
        waiting_.clear();
    }

    std::vector<Piece> take() { return std::move(pieces_); }

private:
    /// The rows of what reaches over the gap: its rest, behind a comment that was kept.
    RowList rows_around(std::size_t from_end) {
        std::erase_if(covering_, [&](const Piece& one) { return one.from_end <= from_; });
        RowList rows;
        for (const Piece& one : covering_) {
            if (one.from < from_end) add_rows(rows, one.rows);
        }
        return rows;
    }

    void add(Piece piece) {
        if (piece.from == piece.from_end && piece.to == piece.to_end) return;
        const auto is_copy = [&](const Piece& one) {
            return source_.substr(one.from, one.from_end - one.from) ==
                   body_.substr(one.to, one.to_end - one.to);
        };
        if (!pieces_.empty()) {
            Piece& last = pieces_.back();
            if (last.from_end == piece.from && last.to_end == piece.to && last.rows == piece.rows &&
                !is_copy(last) && !is_copy(piece)) {
                last.from_end = piece.from_end;
                last.to_end = piece.to_end;
                return;
            }
        }
        pieces_.push_back(std::move(piece));
    }

    std::string_view source_, body_;
    std::size_t from_ = 0, to_ = 0;
    std::vector<Piece> pieces_, waiting_, covering_;
};

std::vector<Piece> PieceLog::pieces(std::string_view source, std::string_view body) const {
    Joined joined(source, body);
    for (const Note& note : notes_) {
        if (note.copy) {
            joined.copy(note.piece);
        } else {
            joined.note(note.piece);
        }
    }
    joined.fill(source.size(), body.size());
    return joined.take();
}

}  // namespace parallax

// Infers sizes, lengths and a launch from a kernel's body, step by step.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mapping/analyze/value_type.hpp"
#include "suites/manifest/guess.hpp"

namespace parallax::manifest {

inline constexpr std::array axis_names{"x", "y", "z"};
/// Assumed number of neighbours, or elements of a row.
inline constexpr double each_row = 8;
/// At most: more than a work-group has work-items.
inline constexpr double most_in_row = 1024;

bool is_whole(const std::string& type);
/// Whether its name suggests a small number that determines the work per work-item.
bool is_small(std::string_view name);

class LaunchInference {
public:
    explicit LaunchInference(const KernelReading& kernel) : kernel_(kernel), body_(kernel.body) {}

    LaunchGuess guess();

private:
    using Of = Symbol::Kind;
    using Lengths = std::vector<Poly>;
    const Parameter& parameter(std::size_t p) const { return kernel_.signature.parameters[p]; }
    const Symbol& symbol(int one) const { return body_.symbols[static_cast<std::size_t>(one)]; }
    bool is(int one, Of kind) const { return symbol(one).kind == kind; }
    int find(Of kind, int number) const {
        for (std::size_t i = 0; i < body_.symbols.size(); ++i) {
            if (body_.symbols[i].kind == kind && body_.symbols[i].number == number) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }
    bool is_number(int one) const { return is(one, Of::parameter) || is(one, Of::member); }

    /// Finds numbers that are the position, and not the extent, of a launch: `k * n`.
    void find_positions();
    Poly settled(Poly poly) const;
    /// Whether only the first work-item of the dimension does anything.
    bool is_alone(std::size_t d) const;
    void find_items();
    void find_lengths();
    /// `i % w` and `i / w` as column and row of `n`: `n` is a product with the factor `w`.
    void find_products();
    /// The only integer parameter that the body does not use: the host program's size, passed but
    /// not needed.
    std::optional<int> unnamed_number() const;

    /// The name of a new size.
    Poly new_size(std::size_t d);
    struct Extent {
        Poly count = {};
        bool guarded = false, of_groups = false;
    };
    void find_extents();
    /// The bound that gives the launch's size best; null: there is none.
    const BodyExtent* best_bound(int dimension) const;
    Extent bounded_extent(const BodyExtent& bound) const;
    /// The extent of a dimension without a bound.
    Extent free_extent(std::size_t d);

    /// Numbers below -100 represent the launch's work-groups.
    static int group_name(std::size_t d) { return -101 - static_cast<int>(d); }

    /// Whether no index contains a work-item's index in the whole launch.
    bool uses_groups_alone(int dimension) const;

    /// A number that bounds another index of the same buffer.
    std::optional<Poly> same_as(int all) const;

    /// The only number that bounds the other dimensions, if no other is a bound.
    std::optional<Poly> only_number() const;

    /// Finds numbers that depend on others: row lengths, sizes of a work-group's memory.
    void find_steps();
    enum class Steps { known, alone, led };
    void find_steps(Steps which);
    /// Sets a number that is all of a local buffer's length to the length that another index of the
    /// buffer requires.
    void find_local_length(std::size_t p, const Poly& length);
    /// The value of the step `i` for this length; nothing: it is not known yet.
    std::optional<Poly> value_of_step(Steps which, const Poly& length,
                                      const std::vector<int>& steps, std::size_t i);
    /// Numbers that give the length of the buffer's rows, inner ones first.
    std::vector<int> steps_in(const Poly& one) const;
    void follow(int number, const Poly& value);

    /// `w * h - w - 1` becomes `w * h`: a skipped border exists, too.
    static Poly whole_rows(const Poly& poly);

    /// The lengths of buffers that others index, and the contents of those others.
    void bound_by_data();
    Poly number_of_rows() const;
    /// The length of the parameter's buffer, as far as it is known.
    Poly length_of(std::size_t p) const;
    /// Replaces offsets and counts by their bounds. @returns the data that are indices of other
    /// buffers; -1: none
    int bound_by_counts(Poly& length);
    void bound_by_indices(std::size_t p, const Poly& length, int leads, const Poly& rows,
                          Lengths& plain);
    static std::string json_number(const std::string& formula);
    std::string name_of_symbol(int one) const;
    void use(const Poly& poly);

    /// The polynomial as a manifest's formula.
    std::string text_of(const Poly& poly);

    /// The value for sizes that are all different.
    double sample(const Poly& poly, int round) const;

    /// The largest of the lengths, as a formula; may be empty.
    std::string longest(const Lengths& lengths);
    static int degree_of(const Poly& poly);
    void write_launch();
    void note(std::string sentence) { guess_.notes.push_back(std::move(sentence)); }

    void write_arguments();
    void check_type(const Parameter& one, const std::string& type) const;
    /// Whether it points to `void` or bytes.
    static bool is_bytes(const Parameter& one);
    /// The element type in the manifest: for a pointer to bytes, the type of its casts.
    std::string type_of(std::size_t p) const;
    double bytes_each(std::size_t p) const;
    void note_answer(const std::string& type, const std::vector<GuessedArgument>& members);
    /// Records the value for the note about guesses.
    void put_in_order(int low, int high);
    std::string guessed(const std::string& name, const std::string& value);
    void write_value(GuessedArgument& made, std::size_t p);
    static std::vector<GuessedArgument> members_of(const std::vector<Member>& declared);
    /// Without padding between a struct's members.
    static std::uint64_t bytes_of(const GuessedArgument& member);
    void write_parts(GuessedArgument& made, ValueType type, std::size_t p);
    void write_member_value(GuessedArgument& made, std::size_t p);
    void write_member_fill(GuessedArgument& made, std::size_t p);
    int find_member(std::size_t p, const std::string& name) const;
    std::string value_for(const std::string& name, const std::string& type, int own);
    std::uint64_t most_of(std::size_t p, const ValueType& type) const;
    /// Whether the body accesses it as another type.
    bool is_cast(std::size_t p, const ValueType& type) const;
    /// The range of numbers that the type and the body allow.
    std::string range_of(std::size_t p, const ValueType& type);
    /// Whether it stores nothing in floating point.
    bool has_whole_answers() const;
    bool is_shared(std::size_t p) const;
    /// Floating-point numbers, also negative ones if the body allows them.
    std::string float_fill() const;
    std::string fill_of(std::size_t p, const std::optional<ValueType>& type);
    static std::string held_to_type(const std::string& fill, const ValueType& type);
    std::string vacant_fill(std::size_t p, const ValueType& type) const;
    void write_order(GuessedArgument& made, std::size_t p, const std::optional<ValueType>& type);
    /// The next of several different values.
    template <std::size_t N>
    static std::string next_of(const std::array<const char*, N>& values, std::size_t& used) {
        return values.at(used++ % N);
    }
    void find_several();
    void write_buffer(GuessedArgument& made, std::size_t p);
    /// The body's use of a buffer.
    struct BufferUse {
        bool any = false, loads = false, stores = false, atomic = false, is_asked = false;
        bool loads_first = false;  ///< before all of it is written
        bool partial = false;      ///< not all of it is written
    };
    BufferUse use_of(std::size_t p);
    /// Asks for the length where the body does not say it.
    void ask_length(GuessedArgument& made, std::size_t p, const BufferUse& use);

    /// The number of an image's axes; 0: unsupported in manifests.
    static unsigned axes_of(std::string_view type);
    void write_image(GuessedArgument& made, std::size_t p);
    void add_bytes(std::uint64_t each, const std::string& count);

    /// Whether the index reaches the end of the buffer.
    bool reaches(const Poly& most, std::size_t p);

    /// The value of a symbol if all sizes are `n`.
    double amount(int one, double n) const;
    double amount(const Poly& poly, double n) const;
    /// The same, possibly less than 1, which no length is.
    double amount_or_less(const Poly& poly, double n) const;

    /// Approximate operations of a launch: the innermost loop's, times its iterations in all
    /// work-items.
    double work(double n) const;
    void write_sizes();
    void write_operations();

    const KernelReading& kernel_;
    const BodyReading& body_;
    LaunchGuess guess_;
    std::size_t dimensions_ = 1, guess_sizes_ = 0;
    std::array<unsigned, 3> items_{};
    std::map<int, Poly> values_;     // of symbols that are no names in the formulas
    std::map<int, Poly> followers_;  // those of them with a formula
    std::vector<Lengths> lengths_;   // by parameter
    Lengths rounds_ = body_.rounds;  // of loops; over a row, the number of its elements
    std::vector<Extent> extents_;
    std::vector<std::string> new_sizes_;
    std::vector<std::size_t> doubtful_groups_;
    std::map<std::size_t, std::string> fills_;
    std::map<std::size_t, Poly> least_ends_;  // of indices in data
    std::set<int> used_, divides_;
    std::size_t floats_ = 0, bounds_ = 0, others_ = 0, steps_ = 0, pads_ = 0;  // counts of guesses
    int degree_ = 1;
    bool whole_ = false;
};

}  // namespace parallax::manifest

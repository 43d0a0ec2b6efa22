// The functions and types of the prelude that a source uses.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "mapping/analyze/value_type.hpp"
#include "mapping/prelude/prelude.hpp"

namespace parallax {

/// Collects the keys of prelude_of().
class PreludeNeeds {
public:
    void key(std::string_view name) { keys_.emplace(name); }
    /// Requests a key for this type; nothing where the type is not known.
    void key(ValueType type, std::string_view what);
    /// Requests a key for the type or, where it is not known, for all types.
    void key_for(ValueType type, std::string_view name) {
        if (type.known()) return key(type, name);
        key(name);
    }
    /// Requests a key for every vector type that occurs.
    void key_for_all(std::string_view what) { of_all_.emplace(what); }
    /// Notes that a value of this type occurs.
    void mention(ValueType type) {
        if (type.is_vector()) mentioned_.insert(name_of(type));
    }
    /// Whether the prelude defines the word.
    bool has(std::string_view word);
    /// All words of a CUDA source that the prelude defines, for this type.
    void key_words(std::string_view cuda, ValueType type);

    /// All of them, after the last has been noted.
    PreludeKeys keys();

private:
    /// The vectors that components of open vectors make: `v.hi` of a ushort4 is a ushort2.
    void mention_open_components();

    PreludeKeys keys_;
    std::set<std::string, std::less<>> of_all_;
    std::set<std::string, std::less<>> mentioned_;    // vector types
    std::map<std::string, bool, std::less<>> found_;  // what has() found out
};

}  // namespace parallax

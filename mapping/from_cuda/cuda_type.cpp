// Takes the spelling of a C++ type apart.
#include "mapping/from_cuda/cuda_type.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/text/characters.hpp"

namespace parallax::from_cuda {

std::string_view word_of(Space space) {
    switch (space) {
        case Space::global: return "__global ";
        case Space::local: return "__local ";
        case Space::constant: return "__constant ";
        case Space::none:
        case Space::own: break;
    }
    return "";
}

bool CudaType::holds_pointers() const {
    return std::ranges::any_of(layers,
                               [](const Layer& one) { return one.kind != Layer::Kind::array; });
}

CudaType CudaType::inner() const {
    CudaType made = *this;
    if (!made.layers.empty()) made.layers.erase(made.layers.begin());
    return made;
}

CudaType CudaType::element() const {
    CudaType made = *this;
    while (made.is_array()) made = made.inner();
    return made;
}

bool CudaType::is_float() const {
    return layers.empty() && (base == "float" || base == "double");
}

bool CudaType::is_integer() const {
    constexpr std::array<std::string_view, 11> names{
        "char", "signed char",  "unsigned char", "short",     "unsigned short",    "int",
        "long", "unsigned int", "unsigned long", "long long", "unsigned long long"};
    return layers.empty() && std::ranges::find(names, base) != names.end();
}

namespace {

using Layer = CudaType::Layer;

class TypeReader {
public:
    explicit TypeReader(std::string_view text) : text_(text) {}

    std::optional<CudaType> run() {
        CudaType made;
        for (;;) {
            blanks();
            const std::string word = this->word();
            if (word.empty()) break;
            if (word == "const") {
                made.is_const = true;
            } else if (word == "volatile") {
                made.is_volatile = true;
            } else if (word != "struct" && word != "union" && word != "class" && word != "enum" &&
                       word != "typename") {
                made.base += (made.base.empty() ? "" : " ") + word;
            }
        }
        if (made.base == "__fp16") made.base = "half";
        // From the base outwards.
        std::vector<Layer> layers;
        if (made.base.empty() || !declarator(layers)) return {};
        blanks();
        if (at_ != text_.size()) return {};
        made.layers.assign(layers.rbegin(), layers.rend());
        return made;
    }

private:
    void blanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool take(char c) {
        blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    /// `unsigned`, `ns::Pair<float, 2>`
    std::string word() {
        std::string made;
        while (at_ < text_.size() && (is_word_character(text_[at_]) || text_[at_] == ':')) {
            made += text_[at_++];
            if (at_ < text_.size() && text_[at_] == '<') {
                int depth = 0;
                do {
                    depth += text_[at_] == '<' ? 1 : text_[at_] == '>' ? -1 : 0;
                    made += text_[at_++];
                } while (depth > 0 && at_ < text_.size());
            }
        }
        return made;
    }
    bool declarator(std::vector<Layer>& layers) {
        for (;;) {
            blanks();
            if (take('*')) {
                Layer one{.kind = Layer::Kind::pointer};
                for (;;) {
                    blanks();
                    const std::size_t before = at_;
                    const std::string word = this->word();
                    if (word == "__restrict" || word == "__restrict__" || word == "restrict") {
                        one.is_restrict = true;
                    } else if (word == "const") {
                        one.is_const = true;
                    } else if (word == "volatile") {
                        one.is_volatile = true;
                    } else {
                        at_ = before;
                        break;
                    }
                }
                layers.push_back(one);
            } else if (take('&')) {
                take('&');
                layers.push_back({.kind = Layer::Kind::reference});
                blanks();
                const std::size_t before = at_;
                if (word() != "__restrict") at_ = before;
            } else {
                break;
            }
        }
        std::vector<Layer> inner;
        blanks();
        const bool nested = at_ + 1 < text_.size() && text_[at_] == '(' &&
                            (text_[at_ + 1] == '*' || text_[at_ + 1] == '&');
        if (nested) {
            ++at_;
            if (!declarator(inner) || !take(')')) return false;
        }
        // The extents of an array of arrays: the last one is the nearest to the base.
        std::vector<Layer> extents;
        while (take('[')) {
            Layer one{.kind = Layer::Kind::array};
            const char* const end = text_.data() + text_.size();
            const auto read = std::from_chars(text_.data() + at_, end, one.extent);
            at_ = static_cast<std::size_t>(read.ptr - text_.data());
            if (!take(']')) return false;
            extents.push_back(one);
        }
        // clang writes `int &[2]` where `auto&` is an array; there are no arrays of references.
        const bool is_referred = !layers.empty() && layers.back().kind == Layer::Kind::reference;
        layers.insert(layers.end() - (is_referred ? 1 : 0), extents.rbegin(), extents.rend());
        if (take('(')) {
            at_ = text_.size();
            layers.push_back({.kind = Layer::Kind::function});
        }
        layers.insert(layers.end(), inner.begin(), inner.end());
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<CudaType> type_of_text(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>& aliases) {
    auto made = TypeReader(text).run();
    for (unsigned depth = 0; made && depth < 20; ++depth) {
        const auto other = aliases(made->base);
        if (!other) return made;
        const auto meant = TypeReader(*other).run();
        if (!meant) return {};
        made->base = meant->base;
        // const of a pointer's typedef belongs to the pointer.
        if (meant->layers.empty()) {
            made->is_const = made->is_const || meant->is_const;
            made->is_volatile = made->is_volatile || meant->is_volatile;
        } else {
            Layer outer = meant->layers.front();
            outer.is_const = outer.is_const || made->is_const;
            made->is_const = meant->is_const;
            made->is_volatile = meant->is_volatile;
            made->layers.push_back(outer);
            made->layers.insert(made->layers.end(), meant->layers.begin() + 1, meant->layers.end());
        }
    }
    return made;
}

}  // namespace parallax::from_cuda

// Reads the headers of PAM, PPM and PGM files, strictly: what the format does not say is refused.
#include "studies/smooth/header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

constexpr std::size_t longest_tuple_type = 255;

bool is_space(char letter) {
    return std::string_view(" \t\n\v\f\r").find(letter) != std::string_view::npos;
}

/// A word of a file as it may stand in a message.
std::string shown(std::string_view word) {
    return printable(word.substr(0, 40)) + (word.size() > 40 ? "..." : "");
}

class HeaderReader {
public:
    HeaderReader(std::string_view name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    ImageHeader read() {
        const std::string_view magic = bytes_.substr(0, 2);
        at_ = 2;
        if (magic == "P7") {
            read_pam();
        } else if (magic == "P6" || magic == "P5") {
            read_pnm(magic == "P6" ? ImageFormat::ppm : ImageFormat::pgm);
        } else {
            refuse_magic(magic);
        }
        check();
        return {std::move(image_), at_};
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw UsageError(fmt::format("{}: {}", name_, what));
    }

    [[noreturn]] void refuse_magic(std::string_view magic) const {
        if (bytes_.empty()) fail("It is empty. Name a PAM, PPM or PGM file.");
        if (magic.size() == 2 && magic[0] == 'P' && magic[1] >= '1' && magic[1] <= '4') {
            fail(
                fmt::format("It is a {} file, which holds {}. Convert it to a binary PGM, PPM or "
                            "PAM file first.",
                            magic, magic[1] == '4' ? "bits" : "its values as text"));
        }
        fail("It is no PAM, PPM or PGM file: these begin with P7, P6 or P5. Convert it first.");
    }

    [[noreturn]] void cut_short() const {
        fail("It ends within its header. Is it a part of a file? Copy it again.");
    }

    std::uint64_t number(std::string_view word, std::string_view meaning) const {
        std::uint64_t value = 0;
        const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
        if (word.empty() || !std::ranges::all_of(word, is_digit)) {
            fail(fmt::format("Its {} is '{}'. It must be a whole number in digits.", meaning,
                             shown(word)));
        }
        if (parsed.ec != std::errc{}) {
            fail(fmt::format("Its {} of {} is more than any file holds.", meaning, shown(word)));
        }
        return value;
    }

    // ---- P5, P6: words between white space, one white space behind the last

    void read_pnm(ImageFormat format) {
        image_.format = format;
        image_.channels = format == ImageFormat::ppm ? 3 : 1;
        if (at_ < bytes_.size() && !is_space(bytes_[at_]) && bytes_[at_] != '#') {
            fail(fmt::format("'{}' is not followed by white space. It is no image.",
                             bytes_.substr(0, 2)));
        }
        image_.width = number(pnm_word(), "width");
        image_.height = number(pnm_word(), "height");
        image_.maximum = number(pnm_word(), "maximum");
        if (at_ == bytes_.size()) cut_short();
        ++at_;  // pnm_word stopped at white space or at a comment
        if (bytes_[at_ - 1] == '#') {
            fail("A comment follows its maximum; one white space and the values must. Remove it.");
        }
    }

    /// The next word; comments reach from # to the end of their line.
    std::string_view pnm_word() {
        while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
            if (bytes_[at_] == '#') {
                while (at_ < bytes_.size() && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
            } else {
                ++at_;
            }
        }
        const std::size_t begin = at_;
        while (at_ < bytes_.size() && !is_space(bytes_[at_]) && bytes_[at_] != '#') ++at_;
        if (at_ == bytes_.size()) cut_short();
        return bytes_.substr(begin, at_ - begin);
    }

    // ---- P7: lines of a word and its value, up to ENDHDR

    void read_pam() {
        image_.format = ImageFormat::pam;
        if (!pam_line().empty()) fail("'P7' does not stand alone on its line. It is no image.");
        std::map<std::string_view, std::uint64_t> found;
        constexpr std::array<std::string_view, 4> words{"WIDTH", "HEIGHT", "DEPTH", "MAXVAL"};
        while (true) {
            const std::string_view line = pam_line();
            if (line.empty() || line.starts_with('#')) continue;
            const auto end =
                static_cast<std::size_t>(std::ranges::find_if(line, is_space) - line.begin());
            const std::string_view word = line.substr(0, end);
            const std::string_view value = trimmed(line.substr(end));
            if (word == "ENDHDR") {
                if (!value.empty()) fail("ENDHDR does not stand alone on its line.");
                break;
            }
            if (word == "TUPLTYPE") {
                add_tuple_type(value);
                continue;
            }
            if (std::ranges::find(words, word) == words.end()) {
                fail(fmt::format("Its header has a line '{}', which PAM does not know.",
                                 shown(line)));
            }
            if (!found.emplace(word, number(value, word)).second) {
                fail(fmt::format("Its header says {} twice. Remove one.", word));
            }
        }
        for (const std::string_view word : words) {
            if (!found.contains(word)) fail(fmt::format("Its header has no {}. Add one.", word));
        }
        image_.width = found["WIDTH"];
        image_.height = found["HEIGHT"];
        image_.channels = found["DEPTH"];
        image_.maximum = found["MAXVAL"];
    }

    static std::string_view trimmed(std::string_view text) {
        while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
        while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
        return text;
    }

    /// What is left of a line, without white space around it.
    std::string_view pam_line() {
        const std::size_t end = bytes_.find('\n', at_);
        if (end == std::string_view::npos) cut_short();
        const std::string_view line = bytes_.substr(at_, end - at_);
        at_ = end + 1;
        return trimmed(line);
    }

    /// Several lines of it are one, with spaces between.
    void add_tuple_type(std::string_view value) {
        const bool is_text =
            std::ranges::all_of(value, [](char letter) { return letter >= ' ' && letter <= '~'; });
        if (value.empty() || !is_text) {
            fail(fmt::format("Its TUPLTYPE '{}' is no word.", shown(value)));
        }
        if (!image_.tuple_type.empty()) image_.tuple_type += ' ';
        image_.tuple_type += value;
        if (image_.tuple_type.size() > longest_tuple_type) {
            fail(fmt::format("Its TUPLTYPE is longer than {} letters.", longest_tuple_type));
        }
    }

    void check() const {
        if (image_.width == 0 || image_.height == 0) {
            fail(fmt::format("It is {} x {} pixels: there is nothing in it.", image_.width,
                             image_.height));
        }
        if (image_.channels < 1 || image_.channels > 4) {
            fail(fmt::format("It has {} channels (DEPTH). Images have 1 to 4.", image_.channels));
        }
        if (image_.maximum < 1 || image_.maximum > 65535) {
            fail(fmt::format("Its maximum (MAXVAL) is {}. It must be 1 to 65535.", image_.maximum));
        }
    }

    std::string_view name_, bytes_;
    std::size_t at_ = 0;
    Image image_;
};

}  // namespace

ImageHeader header_of(std::string_view name, std::string_view bytes) {
    return HeaderReader(name, bytes).read();
}

}  // namespace parallax

// Looks through a YAML text before it is taken.
#include "studies/lessons/load_yaml.hpp"

#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "common/error.hpp"

namespace parallax {
namespace {

/// Rejects what would expand a short file to a long lesson, and ignored content.
class Scan : public YAML::EventHandler {
public:
    explicit Scan(const std::string& file) : file_(file) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) fail(mark, "a lesson is one document, and this begins another");
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        fail(mark, "no alias (*): write the text once more");
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}

private:
    [[noreturn]] void fail(const YAML::Mark& mark, std::string_view why) const {
        throw UsageError(fmt::format("{}:{}: {}", file_, mark.line + 1, why));
    }

    const std::string& file_;
    int documents_ = 0;
};

}  // namespace

YAML::Node load_yaml(const std::string& file, const std::string& text) {
    try {
        std::istringstream in(text);
        YAML::Parser parser(in);
        Scan scan(file);
        while (parser.HandleNextDocument(scan)) {
        }
        return YAML::Load(text);
    } catch (const YAML::DeepRecursion& error) {
        throw UsageError(fmt::format("{}:{}: nested too deeply", file, error.mark.line + 1));
    } catch (const YAML::Exception& error) {
        throw UsageError(fmt::format("{}:{}: no YAML: {}", file, error.mark.line + 1, error.msg));
    }
}

}  // namespace parallax

// A walk made of committed records of one GPU through both APIs.
#pragma once

#include "studies/lessons/walk.hpp"

namespace parallax {

/// Through sample_lesson(): transpose naive and padded, one broken kernel, one command.
Walk sample_walk();

Lesson sample_lesson();

}  // namespace parallax

// Has the precompiled header made: the header is what this file is compiled for.

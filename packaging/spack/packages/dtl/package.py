from spack.package import *


class Dtl(Package):
    """The difference of two sequences: headers only."""

    homepage = "https://github.com/cubicdaiya/dtl"
    git = "https://github.com/cubicdaiya/dtl.git"
    license("BSD-3-Clause")
    version("1.20", tag="v1.20")

    def install(self, spec, prefix):
        install_tree("dtl", prefix.include.dtl)

"""A kernel with its arguments as arrays or tensors: written as manifests, one for each size, and run by the
program. What is right is what a Python callable returns; it is the only reference."""

from __future__ import annotations

import difflib
import inspect
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Optional, Union

import numpy as np

from . import commands
from .commands import Option, Words
from .errors import BadArgument, ParallaxError, UsageError
from .lines import read_text
from .program import last_paragraph, run_program
from .results import Comparison, Results, Tuning

Size = Mapping[str, int]
Array = np.ndarray[Any, Any]

TYPES = {
    "bool": "bool", "int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int32": "int",
    "uint32": "uint", "int64": "long", "uint64": "ulong", "float16": "half", "float32": "float",
    "float64": "double",
}  # fmt: skip
DTYPES = {name: np.dtype(dtype) for dtype, name in TYPES.items()}
# Keys of a manifest that Kernel does not write itself.
KEYS = ("question", "constants", "defines", "include", "expand", "variants", "work", "check", "teaches", "options",
        "worth", "global", "cooperative", "offset")  # fmt: skip


@dataclass(frozen=True)
class Out:
    """An output: its shape and type. Every element is compared with what the reference returns."""

    shape: Any  # a number, a tuple, or a callable of named sizes that returns one
    dtype: Any = "float32"


@dataclass(frozen=True)
class InOut:
    """An output that begins with the contents of an array."""

    array: Any  # or a callable of named sizes that returns one


@dataclass(frozen=True)
class Local:
    """Local (shared) memory of a work-group."""

    elements: Any
    dtype: Any = "float32"


# Sources of notebook cells, by name and language (magics.py).
session_sources: dict[str, dict[str, str]] = {}


class Kernel:
    """A kernel in ten lines. `outputs` has what the last run wrote, by the parameters' names: at the first size, on
    the first device.

    :param opencl, cuda: the sources: files, or the code itself. With OpenCL C alone, CUDA's side is its
        translation; with neither, those of the cells `%%opencl NAME` and `%%cuda NAME`
    :param name: the kernel's function; of a template in CUDA with its arguments, `scale<float>`. None: the
        only kernel of the source, or of the cells
    :param args: in the order of the parameters: arrays, lists, numbers, Out, InOut, Local
    :param grid, block: work-groups and work-items of one, as CUDA has them: a number or up to three
    :param reference: returns what each output must hold, one array, or a tuple, or an object by name.
        It gets the arguments whose names its own parameters have, else all inputs in order: arrays of
        numpy, and tensors where tensors were given
    :param sizes: one, or a list of them: `[{"n": 1 << 20}, {"n": 1}, {"n": 777}]`. Callables among
        the arguments, the grid and the block get those that they name. The first is timed; all are checked
    :param tolerance: the relative error that is allowed, or as in a manifest; None: of the type
    :param folder: where manifests and data are written; None: a folder that ends with this object
    :param manifest: more keys of the manifest: `constants={"TILE": 32}`, `options="-cl-mad-enable"`
    """

    def __init__(
        self,
        *positional: Any,
        args: Sequence[Any] = (),
        grid: Any = None,
        block: Any = None,
        reference: Optional[Callable[..., Any]] = None,
        name: Optional[str] = None,
        opencl: Optional[Union[str, os.PathLike[str]]] = None,
        cuda: Optional[Union[str, os.PathLike[str]]] = None,
        sizes: Union[Size, Sequence[Size], None] = None,
        tolerance: Union[float, str, Mapping[str, float], None] = None,
        folder: Optional[Union[str, os.PathLike[str]]] = None,
        **manifest: Any,
    ) -> None:
        refuse_misuse(positional, manifest, opencl=opencl, cuda=cuda, name=name, folder=folder, args=args)
        self._temporary = tempfile.TemporaryDirectory(prefix="parallax-python-") if folder is None else None
        self.folder = Path(self._temporary.name if self._temporary else os.fspath(folder or "."))
        self._start = "" if folder is None else "py-"  # in a folder of the user's nothing of theirs is replaced
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise BadArgument(f"There cannot be a folder {str(self.folder)!r}: {error}.") from error
        if opencl is None and cuda is None:
            if name is None and len(session_sources) == 1:
                (name,) = session_sources
            of_cells = session_sources.get(name or "", {})
            opencl, cuda = of_cells.get("opencl"), of_cells.get("cuda")
            if not of_cells:
                raise BadArgument(
                    f"There is no source of '{name or 'a kernel'}'. Give opencl= or cuda=, a file or a text, or "
                    f"write it in a cell that begins with %%opencl {name or 'NAME'}."
                )
        self._includes: list[str] = []
        self.name = name or ""
        stem = identifier(name) if name else "the-kernel"  # like no kernel's name
        self.sources = {
            key: self._source(given, f"{self._start}{stem}.{end}")
            for key, given, end in (("source", opencl, "cl"), ("cuda", cuda, "cu"))
            if given is not None
        }
        self.declared = self._declared(manifest.get("constants") or {})
        if not name:
            self.name = self.declared["kernel"]
            for key, file in self.sources.items():
                self.sources[key] = file.replace(stem, identifier(self.name))
                (self.folder / file).replace(self.folder / self.sources[key])
        self.outputs: dict[str, Array] = {}
        self._args, self._sizes = list(args), sizes_of(sizes)
        self._launch = (grid, block, reference, tolerance, manifest)
        self._written: dict[Path, tuple[str, dict[str, Array]]] = {}  # its name, arrays like its outputs
        self.manifests = [self._write(size, self._args, suffix_of(size)) for size in self._sizes]
        allowed = [word for folder in self._includes for word in ("--allow", folder)]
        read = run_program(["list", str(self.manifests[0]), *allowed])
        if read.exit_code == 2:  # it reads the values of keywords that are passed on
            raise BadArgument(last_paragraph(read.messages).replace(f"{self.manifests[0]}: ", ""))

    def __repr__(self) -> str:
        names = ", ".join(one["name"] for one in self.declared["arguments"])
        sources = " and ".join({"source": "OpenCL C", "cuda": "CUDA"}[key] for key in self.sources)
        sizes = ", ".join(" ".join(f"{name}={value}" for name, value in size.items()) for size in self._sizes)
        return f"<Kernel {self.name}({names}) in {sources}{sizes and f', sizes: {sizes}'}>"

    def __call__(self, *args: Any, device: Words = None, **named: Any) -> Union[Array, tuple[Array, ...]]:
        """Runs it once and returns what it writes, an array or a tuple of arrays: `k(1000, 2.5, x, y)`, `k(x=x)`.
        An answer that the reference does not give is WrongAnswer.

        :param args: in place of those of the kernel: values of the parameters that it reads, in their order
        :param device: None: each GPU, or else the OpenCL device of the CPU; what the first one writes is returned
        :param named: the same by name; the name of a size sets the size, too
        """
        names = [one["name"] for one in self.declared["arguments"]]
        read = [name for name, one in zip(names, self._args) if not isinstance(one, (Out, Local))]
        given = {**dict(zip(read, args)), **named}
        if len(args) > len(read) or len(given) < len(args) + len(named):
            raise BadArgument(f"'{self.name}' reads {', '.join(read)}. Give each once, in this order or by name.")
        for name in given:
            if name not in names and name not in self._sizes[0]:
                known = ", ".join(dict.fromkeys([*names, *self._sizes[0]]))
                raise BadArgument(f"'{self.name}' has no parameter or size '{name}'. It has: {known}.")
        (size,) = sizes_of({name: given.get(name, value) for name, value in self._sizes[0].items()} or None)
        values = [
            InOut(given[name]) if isinstance(one, InOut) and not isinstance(given.get(name, one), InOut)
            else given.get(name, one)
            for name, one in zip(names, self._args)
        ]  # fmt: skip
        self._run(self._write(size, values, "-call"), device=device, check=True, output=self._file("calls.jsonl"))
        outputs = tuple(self.outputs.values())
        return outputs[0] if len(outputs) == 1 else outputs

    def check(self, device: Words = None, **options: Option) -> Results:
        """Verifies every size on the devices; WrongAnswer says what differs. Nothing is timed."""
        return self._run(*self.manifests, device=device, check=True, **options)

    def run(self, device: Words = None, **options: Option) -> Results:
        """Verifies every size, and times the first."""
        if self.manifests[1:]:
            commands.run(*self.manifests[1:], device=device, check=True, **self._allowed({}))
        return self._run(self.manifests[0], device=device, **options)

    def diff(self, *sides: str, **options: Option) -> Comparison:
        """Compares two devices, of the first size: `k.diff("opencl:0", "cuda:0")`; or the two sources:
        `k.diff("opencl", "cuda", device="cuda:0")`. The other sizes are checked before."""
        of_sources = bool(sides) and set(sides) <= {"opencl", "cuda"}
        if of_sources and len(self.sources) < 2:
            raise BadArgument(f"'{self.name}' has one source. Give opencl= and cuda=, or compare two devices.")
        device: Any = options.pop("device", None) if of_sources else (list(sides) or None)
        if self.manifests[1:]:
            commands.run(*self.manifests[1:], device=device, check=True, **self._allowed({}))
        if of_sources:
            kernels = [f"{self.manifests[0]}/{side}" for side in sides]
            return commands.diff(*kernels, device=device, **self._allowed(options))
        return commands.diff(*sides, suite=self.manifests[0], **self._allowed(options))

    def explain(self, *sides: str, **options: Option) -> Results:
        """Looks for the cause of a gap between two devices, of the first size."""
        return commands.explain(self._case, *sides, **self._allowed(options))

    def tune(self, device: Words = None, **options: Option) -> Tuning:
        """Searches the fastest constants of the first size: `k.tune("cuda:0")` for a kernel with
        `constants={"ITEMS": 4}, worth={"ITEMS": [1, 2, 4]}`, or `k.tune(over="ITEMS=1,2,4")`."""
        self._need_constants()
        return commands.tune(self._case, device=device, **self._allowed(options))

    def sweep(self, over: Words, device: Words = None, **options: Option) -> Results:
        """Times the first size at each value of a constant: `k.sweep("ITEMS=1,2,4")`."""
        self._need_constants()
        return commands.sweep(self._case, over=over, device=device, **self._allowed(options))

    def _need_constants(self) -> None:
        if not self._launch[-1].get("constants"):
            raise BadArgument(
                f"'{self.name}' has no constants to try. Give px.Kernel(..., constants={{\"ITEMS\": 4}}, "
                'worth={"ITEMS": [1, 2, 4]}): ITEMS is a macro in the source, and grid and block may follow from it.'
            )

    def _run(self, *manifests: Path, **options: Any) -> Results:
        """Runs manifests, and takes the outputs of the first."""
        self.outputs = {}
        folder = self._file("outputs")
        shutil.rmtree(folder, ignore_errors=True)
        found: Optional[Results] = None
        try:
            found = commands.run(*manifests, **{"save": folder, **self._allowed(options)})
        except ParallaxError as error:
            found = error.results
            raise
        finally:
            suite, written = self._written[manifests[0]]
            for record in found.records if found is not None else []:
                for name, like in written.items() if record.suite == suite else ():
                    for file in (folder / record.device / suite).glob(f"*/{name}.bin"):
                        self.outputs.setdefault(name, np.fromfile(file, like.dtype).reshape(like.shape))
        return found

    def _file(self, name: str) -> Path:
        return self.folder / f"{self._start}{name}"

    @property
    def _case(self) -> str:
        return f"{self.manifests[0]}/{self.declared['kernel']}"

    def _allowed(self, options: Mapping[str, Option]) -> dict[str, Any]:
        return {**options, **({"allow": self._includes} if self._includes else {})}

    def _source(self, given: Union[str, os.PathLike[str]], file: str) -> str:
        """Copies a source into the folder; its own folder is where its includes are."""
        text = os.fspath(given)
        if not isinstance(given, str) or not any(mark in given for mark in "{\n;"):
            path = Path(text)
            try:
                text = read_text(path)
            except (OSError, ValueError) as error:
                raise BadArgument(f"There is no source '{text}': {error}. Give a file, or the source itself.") from error
            parent = str(path.resolve().parent)
            if "#include" in text and parent not in self._includes:
                self._includes.append(parent)
        try:
            (self.folder / file).write_text(text, encoding="utf-8")
        except (OSError, ValueError) as error:
            raise BadArgument(f"The source of '{self.name}' cannot be written: {error}.") from error
        return file

    def _declared(self, constants: Mapping[str, int]) -> dict[str, Any]:
        """What the program reads in the source: names, types and uses of the parameters, the tolerance."""
        words = ["port", *(str(self.folder / file) for file in self.sources.values()), "--init"]
        words += ["--kernel", self.name] if self.name else []
        words += [word for key, value in constants.items() for word in ("-D", f"{key}={value}")]
        words += [word for folder in self._includes for word in ("-I", folder, "--allow", folder)]
        done = run_program(words)
        if done.exit_code:
            kind = UsageError if done.exit_code == 2 else ParallaxError
            raise kind(last_paragraph(done.messages), done.exit_code)
        declared: dict[str, Any] = json.loads(done.out)
        if "arguments" not in declared:
            raise BadArgument(f"'{self.name}' is no single kernel. Write a manifest for a sequence of them.")
        return declared

    def _write(self, size: Size, args: Sequence[Any], suffix: str) -> Path:
        """Writes the manifest of a size, its data, and what the reference returns for them."""
        grid, block, reference, tolerance, more = self._launch
        given = [at_size(one, size) for one in args]
        declared = self.declared["arguments"]
        names = [one["name"] for one in declared]
        if len(given) != len(declared):
            raise BadArgument(
                f"The kernel '{self.name}' has {len(declared)} parameters ({', '.join(names)}), and args has "
                f"{len(given)}. Give one for each, in this order."
            )
        whole = f"{self._start}{identifier(self.name)}{suffix}"
        data = self.folder / (f"{whole}-data" if self._start else f"data{suffix}")
        data.mkdir(exist_ok=True)
        arguments, outputs, moved = [], {}, 0
        inputs: dict[str, Any] = {}
        for number, (one, value) in enumerate(zip(declared, given)):
            where = f"Argument {number} '{one['name']}' of '{self.name}'"
            value = of_lists(one, value, where)
            written = argument_of(one, value, where)
            if isinstance(value, (Out, InOut)):
                outputs[one["name"]] = empty_of(value, where)
            if isinstance(value, InOut) or not isinstance(value, (Out, Local)):
                held = value.array if isinstance(value, InOut) else value
                contents = array_of(held)
                if "value" in written:  # as the kernel gets it
                    held = contents = contents.astype(DTYPES[written["type"].rstrip("0123456789")])
                inputs[one["name"]] = copy_of(held, contents)
                if "fill" in written:
                    file = data / f"{one['name']}.bin"
                    contents.tofile(file)
                    written["fill"] = {"file": str(file.relative_to(self.folder))}
                    moved += contents.nbytes
            arguments.append(written)
        expected = {}
        try:
            wanted = self._expected(reference, inputs, outputs)
        except Exception as error:  # the reference is right for the shapes of args
            said = self._misfit(size, given)
            if said:
                raise BadArgument(said) from error
            raise
        for name, array in wanted.items():
            file = data / f"{name}.expected.bin"
            array.tofile(file)
            expected[name] = str(file.relative_to(self.folder))
            moved += array.nbytes
        shape = dict(size) or {"elements": max((one.size for one in outputs.values()), default=1)}
        manifest = {
            "parallax": "manifest",
            "version": 1,
            "name": f"py-{identifier(self.name)}{suffix}"[:190],
            **self.sources,
            "sizes": {"names": list(shape), "timed": [[int(value) for value in shape.values()]]},
            "kernel": self.declared["kernel"],
            "arguments": arguments,
            "items": extents(at_size(block, size), "block"),
            "groups": extents(at_size(grid, size), "grid"),
            "work": {"bytes": moved},
            "tolerance": {"relative": tolerance} if isinstance(tolerance, (int, float)) else tolerance,
            "reference": {"data": expected},
            **({"include": self._includes} if self._includes else {}),
            **more,
        }
        if tolerance is None:
            manifest["tolerance"] = self.declared["tolerance"]
        if isinstance(self.declared.get("cuda"), Mapping):  # a kernel that is called otherwise
            manifest["cuda"] = {
                key: value for key, value in self.declared["cuda"].items() if key not in ("items", "groups", "global")
            }
        file = self.folder / f"{whole}.json"
        file.write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        self._written[file] = (str(manifest["name"]), outputs)
        return file

    def _misfit(self, size: Size, given: Sequence[Any]) -> str:
        """Which value of a call is of another shape than that of `args`; empty: none."""
        for number, (one, own, value) in enumerate(zip(self.declared["arguments"], self._args, given)):
            shapes = [shape_of(at_size(each, size)) for each in (own, value)]
            if shapes[0] != shapes[1]:
                at = ", ".join(f"{name}={value}" for name, value in size.items())
                return (
                    f"Argument {number} '{one['name']}' of '{self.name}' has the shape {shapes[1]}, and that of args "
                    f"has {shapes[0]}{at and ' at the size '}{at}. Give this shape. For others, args, grid and block "
                    'are functions of a size: px.Kernel(..., sizes={"n": 4}), and a call names it: k(n=3).'
                )
        return ""

    def _expected(
        self, reference: Optional[Callable[..., Any]], inputs: Mapping[str, Any], outputs: Mapping[str, Array]
    ) -> dict[str, Array]:
        """What the reference returns, held against the outputs' shapes and types."""
        if not outputs:
            raise BadArgument(f"No argument of '{self.name}' is an output: px.Out or px.InOut.")
        if not callable(reference):
            raise BadArgument(f"The reference is {type(reference).__name__}. Give a function of arrays.")
        called = called_with(reference, inputs)
        names = list(outputs)
        if not isinstance(called, (tuple, list, Mapping)):
            called = (called,)
        if not isinstance(called, Mapping):
            if len(called) != len(names):
                raise BadArgument(
                    f"The reference returns {len(called)} arrays, and '{self.name}' writes {len(names)}: "
                    f"{', '.join(names)}."
                )
            called = dict(zip(names, called))
        expected = {}
        for name, output in outputs.items():
            if called.get(name) is None:
                raise BadArgument(f"The reference returns nothing for the output '{name}'.")
            array = array_of(called[name])
            if array.shape != output.shape or array.dtype != output.dtype:
                cast = f".to(torch.{output.dtype})" if is_tensor(called[name]) else f".astype(numpy.{output.dtype})"
                raise BadArgument(
                    f"The reference returns {array.dtype} of the shape {array.shape} for '{name}', and the "
                    f"kernel writes {output.dtype} of the shape {output.shape}. Return exactly this: "
                    f"{cast}, .reshape({output.shape})."
                )
            expected[name] = array
        return expected


def refuse_misuse(positional: Sequence[Any], manifest: Mapping[str, Any], **given: Any) -> None:
    """Says what a keyword of Kernel takes, and which there are."""
    if positional:
        raise BadArgument("px.Kernel takes its source by name: px.Kernel(opencl=FILE), px.Kernel(cuda=FILE), or both.")
    known = [*list(inspect.signature(Kernel).parameters)[1:-1], *KEYS]
    for key in manifest:
        if key not in KEYS:
            near = difflib.get_close_matches(key, known, 1)
            meant = f" Did you mean '{near[0]}'?" if near else ""
            raise BadArgument(f"px.Kernel has no keyword '{key}'.{meant} It has: {', '.join(known)}.")
    texts, path = (str, os.PathLike), "a file, or the source itself as a string"
    takes: dict[str, tuple[Any, str]] = {
        "opencl": (texts, path), "cuda": (texts, path), "name": (str, "the kernel's name"), "folder": (texts, "a path"),
        "args": ((list, tuple), "a list with a value for each parameter of the kernel"),
        "constants": (Mapping, 'names and numbers, such as {"TILE": 32}'),
    }  # fmt: skip
    for key, value in {**given, "constants": manifest.get("constants")}.items():
        if not isinstance(value, takes[key][0]) and (value is not None or key == "args"):
            raise BadArgument(f"{key}= is {type(value).__name__}. Give {takes[key][1]}.")


def shape_of(value: Any) -> Any:
    if isinstance(value, Local):
        return value.elements
    return (empty_of(value, "") if isinstance(value, (Out, InOut)) else array_of(value)).shape


def of_lists(declared: Mapping[str, Any], value: Any, where: str) -> Any:
    """A value whose lists are arrays of the parameter's type."""
    if isinstance(value, InOut):
        return InOut(of_lists(declared, value.array, where))
    base = str(declared.get("type")).rstrip("0123456789")
    if not isinstance(value, list) or "value" in declared or base not in DTYPES:
        return value
    try:
        given = np.asarray(value)
    except ValueError as error:  # rows of unlike lengths
        raise BadArgument(f"{where} is a list that makes no array: {error}.") from error
    if given.dtype.kind not in "biuf":
        raise BadArgument(f"{where} is a list of {given.dtype}. Give numbers.")
    if DTYPES[base].kind == "f":
        return given.astype(DTYPES[base])
    return np.array([number_of(one, base, where) for one in given.flat], DTYPES[base]).reshape(given.shape)


def argument_of(declared: Mapping[str, Any], value: Any, where: str) -> dict[str, Any]:
    """The manifest's argument for a value, if the parameter can be that."""
    kind, name = declared.get("type"), declared["name"]
    base = str(kind).rstrip("0123456789")
    if "image" in declared or "sampler" in declared or "members" in declared or base not in DTYPES:
        raise BadArgument(f"{where} is an image, a sampler or a struct. Write a manifest (docs/reference/manifest.md).")
    kept = {key: declared[key] for key in ("only",) if key in declared}
    written = declared.get("use") in ("output", "in_out")
    if "value" in declared:
        if isinstance(value, (Out, InOut, Local)) or array_of(value).dtype.kind not in "biuf":
            raise BadArgument(f"{where} is a {kind} by value. Give a number.")
        array = array_of(value)
        if array.ndim == 0 and kind == base:
            return {**kept, "name": name, "type": kind, "value": number_of(array, base, where)}
        if kind == f"{base}{array.size}":
            return {**kept, "name": name, "type": kind, "value": [number_of(one, base, where) for one in array.flat]}
        raise BadArgument(f"{where} is a {kind} by value, and {array.size} values are given.")
    if "local" in declared or "local_bytes" in declared:
        if not isinstance(value, Local):
            raise BadArgument(f"{where} is local memory. Write px.Local(elements, dtype).")
        elements = elements_of(int(value.elements), dtype_of(value.dtype), str(kind), where)
        return {**kept, "name": name, "type": kind, "local": elements}
    if isinstance(value, Local):
        raise BadArgument(f"{where} is a buffer. Give an array, px.Out or px.InOut.")
    if written and not isinstance(value, (Out, InOut)):
        raise BadArgument(f"{where} is written by the kernel. Write px.InOut(array), or px.Out(shape, dtype).")
    if not written and isinstance(value, (Out, InOut)):
        raise BadArgument(f"{where} is never written by the kernel. Give an array.")
    array = empty_of(value, where) if isinstance(value, (Out, InOut)) else array_of(value)
    if array.ndim == 0:
        raise BadArgument(f"{where} is a buffer of {kind}. Give an array, px.Out or px.InOut.")
    argument = {**kept, "name": name, "type": kind, "elements": elements_of(array.size, array.dtype, str(kind), where)}
    if isinstance(value, Out):
        return {**argument, "use": "output"}
    return {**argument, "use": "in_out" if isinstance(value, InOut) else "input", "fill": {}}


def elements_of(count: int, dtype: np.dtype[Any], kind: str, where: str) -> int:
    """How many elements of the parameter's type an array has."""
    base = kind.rstrip("0123456789")
    width = int(kind[len(base) :] or 1)
    width = 4 if width == 3 else width
    if dtype != DTYPES[base]:
        raise BadArgument(f"{where} is a buffer of {kind}, and {dtype} is given: .astype(numpy.{DTYPES[base]}).")
    if count == 0 or count % width:
        raise BadArgument(f"{where} is a buffer of {kind}, and {count} numbers make no whole number of them.")
    return count // width


def number_of(value: Array, base: str, where: str) -> Union[int, float, bool]:
    """A number of the parameter's type; one that it does not hold is an error."""
    dtype = DTYPES[base]
    found: Union[int, float, bool] = value.item()
    if isinstance(found, float) and dtype.kind != "f":
        raise BadArgument(f"{where} is a {base}, and {found} is given. Give a whole number.")
    if dtype.kind == "f" and not abs(found) <= float(np.finfo(dtype).max):
        raise BadArgument(f"{where} is a {base}, and {found} is given. Give a finite number that it can hold.")
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= int(found) <= np.iinfo(dtype).max:
        raise BadArgument(f"{where} is a {base}, which cannot hold {found}.")
    return found


def empty_of(value: Union[Out, InOut], where: str) -> Array:
    if isinstance(value, InOut):
        return array_of(value.array)
    try:
        return np.empty(value.shape, dtype_of(value.dtype))
    except (TypeError, ValueError) as error:
        raise BadArgument(f"{where} is px.Out({value.shape!r}, {value.dtype!r}): {error}.") from error


def is_tensor(value: Any) -> bool:
    """Whether it is one of PyTorch."""
    return hasattr(value, "detach")


def is_of_cupy(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "cupy"


def dtype_of(dtype: Any) -> np.dtype[Any]:
    """That of numpy for one of PyTorch, `torch.float32`."""
    return np.dtype(str(dtype).split(".")[1] if str(dtype).startswith("torch.") else dtype)


def array_of(value: Any) -> Array:
    """A numpy array in the order of rows; tensors of PyTorch and CuPy are copied from their device."""
    try:
        if is_tensor(value):
            value = value.detach().cpu().numpy()
        elif is_of_cupy(value):
            value = value.get()
    except (TypeError, RuntimeError) as error:  # such as bfloat16, which numpy lacks
        raise BadArgument(f"A {type(value).__name__} does not become an array: {error}") from error
    array = np.asarray(value)
    # One of no dimensions would get one.
    return array if array.ndim == 0 else np.ascontiguousarray(array)


def copy_of(value: Any, array: Array) -> Any:
    """What a reference gets, which may work in place: a tensor, or the array."""
    if is_tensor(value):
        return value.detach().clone()
    if is_of_cupy(value):
        return value.copy()
    return array[()] if array.ndim == 0 else array.copy()


def called_with(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Calls it with the values that its parameters name, else with all of them in order."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # written in C
        return function(*values.values())
    named = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    needed = [one.name for one in parameters if one.default is one.empty and one.name in named]
    if len(named) == len(parameters) and set(needed) <= set(values):
        return function(**{name: values[name] for name in named if name in values})
    if len(needed) not in (0, len(values)):
        raise BadArgument(
            f"The reference takes {', '.join(named)}, and the inputs are {', '.join(values)}. Name its "
            "parameters like the kernel's."
        )
    return function(*values.values())


def at_size(value: Any, size: Size) -> Any:
    """A value for a size: what callables return for it, also within Out, InOut, Local and tuples."""
    if isinstance(value, Out):
        return Out(at_size(value.shape, size), value.dtype)
    if isinstance(value, InOut):
        return InOut(at_size(value.array, size))
    if isinstance(value, Local):
        return Local(at_size(value.elements, size), value.dtype)
    if isinstance(value, tuple):
        return tuple(at_size(one, size) for one in value)
    if callable(value) and not hasattr(value, "dtype"):
        unknown = [name for name in inspect.signature(value).parameters if name not in size]
        if unknown:
            raise BadArgument(f"A size '{unknown[0]}' is not among sizes ({', '.join(size) or 'none'}).")
        return value(**{name: size[name] for name in inspect.signature(value).parameters})
    return value


def extents(value: Any, what: str) -> list[int]:
    """A grid or a block as a list of one to three numbers."""
    given = list(value) if isinstance(value, (tuple, list)) else [value]
    if not 1 <= len(given) <= 3 or not all(is_whole(one) and one >= 1 for one in given):
        raise BadArgument(f"{what} is {value}: one to three whole numbers from 1 on.")
    return [int(one) for one in given]


def sizes_of(sizes: Union[Size, Sequence[Size], None]) -> list[Size]:
    """The sizes, each of which has names and whole numbers."""
    given = [sizes] if isinstance(sizes, Mapping) else sizes or [{}]
    if not isinstance(given, Sequence) or not all(isinstance(one, Mapping) for one in given):
        raise BadArgument(f"sizes is {sizes!r}: write names and numbers, such as " + '[{"n": 1000}, {"n": 1}].')
    for name, value in (item for one in given for item in one.items()):
        if not str(name).isidentifier() or not is_whole(value) or value < 1:
            raise BadArgument(f"sizes has '{name}': {value!r}. Write a name and a whole number from 1 on.")
    return list(given)


def suffix_of(size: Size) -> str:
    return "".join(f"-{name}{value}" for name, value in size.items())


def is_whole(value: Any) -> bool:
    """Whether it is an integer of Python or numpy."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def identifier(name: str) -> str:
    """The name without a template's arguments, as files and suites can have it."""
    return "".join(one if one.isalnum() or one == "_" else "_" for one in name.split("<")[0])

"""Smooths an image on each device, and writes what the first one made of it: smooth.py IN OUT [DEVICE...]

IN and OUT are PAM (P7), PPM (P6) or PGM (P5) with 1 to 4 channels of 8 or 16 bits. The kernel is smooth.cl beside this
file; what it writes must equal a mean that numpy computes. The table shows the time of a launch and its bandwidth: each
value is read once and written once."""
import pathlib
import re
import sys

import numpy as np
import parallax_gpu as px


def read(path):
    """The image as rows of pixels of channels, and its largest value."""
    data = pathlib.Path(path).read_bytes()
    pam = re.match(rb"P7\n(.*?)ENDHDR\n", data, re.DOTALL)
    netpbm = re.match(rb"(P[56])((?:\s+(?:#.*\n\s*)*\d+){3})\s", data)
    if pam:
        header = dict(re.findall(rb"^(WIDTH|HEIGHT|DEPTH|MAXVAL)\s+(\d+)\s*$", pam[1], re.MULTILINE))
        missing = {b"WIDTH", b"HEIGHT", b"DEPTH", b"MAXVAL"} - header.keys()
        if missing:
            sys.exit(f"smooth: {path}: the header lacks {b', '.join(sorted(missing)).decode()}.")
        width, height, channels, maximum = (int(header[key]) for key in (b"WIDTH", b"HEIGHT", b"DEPTH", b"MAXVAL"))
    elif netpbm:
        width, height, maximum = (int(word) for word in re.sub(rb"#.*\n", b" ", netpbm[2]).split())
        channels = 3 if netpbm[1] == b"P6" else 1
    else:
        sys.exit(f"smooth: {path} is no PAM, PPM or PGM image in binary form. 'convert IN out.pam' makes one.")
    if not (width > 0 and height > 0 and 0 < channels < 5 and 0 < maximum < 65536):
        sys.exit(f"smooth: {path}: {width} x {height} pixels, {channels} channels, maximum {maximum}: each must be at "
                 "least 1, channels at most 4, and the maximum at most 65535.")
    kind = np.dtype(">u2" if maximum > 255 else "u1")
    values = data[(pam or netpbm).end():]
    if len(values) != width * height * channels * kind.itemsize:
        sys.exit(f"smooth: {path} has {len(values)} bytes of pixels, and {width * height * channels * kind.itemsize} are "
                 "announced.")
    image = np.frombuffer(values, kind).reshape(height, width, channels).astype(np.uint16)
    if image.max() > maximum:
        sys.exit(f"smooth: {path}: a value is above the maximum {maximum}.")
    return image, maximum


def check_output(path, channels):
    end = pathlib.Path(path).suffix
    if (end, channels) not in ((".pgm", 1), (".ppm", 3)) and end != ".pam":
        sys.exit(f"smooth: {path}: {channels} channels go into a .pam, 3 also into a .ppm, 1 into a .pgm.")


def write(path, image, maximum):
    height, width, channels = image.shape
    end = pathlib.Path(path).suffix
    head = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\nMAXVAL {maximum}\nENDHDR\n" if end == ".pam" \
        else f"{'P6' if channels == 3 else 'P5'}\n{width} {height}\n{maximum}\n"
    whole = pathlib.Path(f"{path}.new")  # the file is complete, or as it was
    whole.write_bytes(head.encode() + image.astype(">u2" if maximum > 255 else "u1").tobytes())
    whole.replace(path)


def smoothed(image):
    """The mean of each value and its existing neighbours, rounded to nearest, half up."""
    height, width, _ = image.shape
    def sums(values):
        padded = np.pad(values, ((1, 1), (1, 1), (0, 0)))
        return sum(padded[j:j + height, i:i + width] for j in range(3) for i in range(3))
    count = sums(np.ones((height, width, 1), np.uint32))
    return ((sums(image.astype(np.uint32)) + count // 2) // count).astype(np.uint16)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    image, maximum = read(sys.argv[1])
    height, width, channels = image.shape
    check_output(sys.argv[2], channels)
    kernel = px.Kernel(name="smooth", opencl=pathlib.Path(__file__).with_name("smooth.cl"), constants={"CHANNELS": channels},
                       args=[image, px.Out(image.shape, np.uint16), np.uint32(width), np.uint32(height)],
                       block=(32, 8), grid=(-(-width // 32), -(-height // 8)), reference=smoothed)
    result = kernel.run(sys.argv[3:] or None)  # raises WrongAnswer where a value differs
    print(f"{'device':24} {'time (us)':>10} {'GB/s':>8}")
    for record in result.records:
        if record.suite != "ceiling" and record.timing:
            time = record.timing.median
            print(f"{record.device:24} {time * 1e6:10.1f} {2 * image.nbytes / time / 1e9:8.1f}")
    (output,) = kernel.outputs.values()
    write(sys.argv[2], output, maximum)


if __name__ == "__main__":
    main()

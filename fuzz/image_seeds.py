# Makes a corpus for image_fuzz: image_seeds.py FOLDER writes small images of every kind.
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
count = 0
for width, height in ((1, 1), (3, 2), (1, 7)):
    for maximum in (1, 255, 256, 65535):
        size = 1 if maximum < 256 else 2
        for depth in (1, 2, 3, 4):
            values = [i * 7919 % (maximum + 1) for i in range(width * height * depth)]
            pixels = b"".join(value.to_bytes(size, "big") for value in values)
            header = f"P7\n# a\nWIDTH {width}\nHEIGHT {height}\nDEPTH {depth}\nMAXVAL {maximum}\n"
            texts = [header + "TUPLTYPE RGB\nENDHDR\n"]
            if depth in (1, 3):
                texts.append(f"P{5 + depth // 2} # a\n{width} {height}\n{maximum}\n")
            for text in texts:
                (folder / f"image-{count}").write_bytes(text.encode() + pixels)
                count += 1
print(f"{count} seeds in {folder}")

# A process that takes places as the mutation's judges do: worker.py LOG KILLING... FILE. Over places
# KILLING it dies by a signal, or, where they are written as PLACE=CODE, with that exit code, or hangs
# (PLACE=hang), or dies where it is not its first place (PLACE=later). LOG gets a line for each process, and LOG.places one for each
# place that was taken.
import os
import signal
import sys

log, *killing, file = sys.argv[1:]
ends = dict((word + "=").split("=")[:2] for word in killing)
with open(log, "a", encoding="utf-8") as lines:
    lines.write("begun\n")
taken = open(log + ".places", "a", buffering=1, encoding="utf-8")
results = 0
while place := os.read(int(file), 4):
    number = int.from_bytes(place, sys.byteorder)
    taken.write(f"{number}\n")
    print(number, flush=True)
    code = ends.get(str(number))
    if code == "":
        os.kill(os.getpid(), signal.SIGKILL)
    elif code == "later":  # it dies of what it did before
        if results:
            os.kill(os.getpid(), signal.SIGKILL)
    elif code == "hang":
        signal.pause()
    elif code:
        sys.exit("it says why" if code == "1" else int(code))
    print(number, "result", number * number, flush=True)
    results += 1

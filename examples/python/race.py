"""race: wildcard receives and non-blocking probes from Python with mpi4py, besides its random numbers and clock.

Takes half of the messages with iprobe and recv of pickled objects, half with Recv into an array. On Debian,
python3-mpi4py belongs to Debian's own interpreter and is built with Open MPI:

    mpirun.openmpi -n 4 /usr/bin/python3 race.py [numbers per worker]
"""

import array
import random
import sys
import time

from mpi4py import MPI

TAG_OBJECT, TAG_ARRAY = 4, 5


def send(comm, count):
    for i in range(count):
        value = random.randrange(1000)
        if i % 2 == 0:
            comm.send({"value": value}, dest=0, tag=TAG_OBJECT)
        else:
            comm.Send([array.array("i", [value]), MPI.INT], dest=0, tag=TAG_ARRAY)


def fold(comm, count):
    answer, failed_polls = 0, 0
    status = MPI.Status()
    objects = (comm.Get_size() - 1) * ((count + 1) // 2)
    arrays = (comm.Get_size() - 1) * (count // 2)
    buffer = array.array("i", [0])
    while objects or arrays:
        if objects and comm.iprobe(source=MPI.ANY_SOURCE, tag=TAG_OBJECT, status=status):
            value = comm.recv(source=status.Get_source(), tag=TAG_OBJECT)["value"]
            objects -= 1
        elif arrays and comm.iprobe(source=MPI.ANY_SOURCE, tag=TAG_ARRAY):
            comm.Recv([buffer, MPI.INT], source=MPI.ANY_SOURCE, tag=TAG_ARRAY, status=status)
            value = buffer[0]
            arrays -= 1
        else:
            failed_polls += 1
            continue
        answer = (answer * 31 + value * 8 + status.Get_source()) % 2**32
    return answer, failed_polls


def main():
    comm = MPI.COMM_WORLD
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    if comm.Get_rank() != 0:
        send(comm, count)
        return
    start = time.perf_counter()
    answer, failed_polls = fold(comm, count)
    elapsed = time.perf_counter() - start
    print(f"answer = {answer:08x}, failed polls = {failed_polls}, elapsed = {elapsed:.6f} s, at {time.time():.3f}")


main()

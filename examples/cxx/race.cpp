/*
 * race: wildcard receives and non-blocking probes from C++, besides the random sources and clocks of its library.
 *
 * Every worker sends random numbers (std::random_device, std::mt19937); rank 0 folds them as they come, polling with
 * MPI_Iprobe, and times itself with std::chrono.
 *
 *     mpirun -n 4 race_cxx [numbers per worker]
 */
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

constexpr int kTag = 4;

void send_numbers(int count)
{
    std::random_device seed;
    std::mt19937 generator(seed());
    std::uniform_int_distribution<int> number(0, 999);
    for (int i = 0; i < count; i++) {
        std::vector<int> message(1 + static_cast<std::size_t>(i % 3), number(generator));
        MPI_Send(message.data(), static_cast<int>(message.size()), MPI_INT, 0, kTag, MPI_COMM_WORLD);
    }
}

struct Folded {
    std::uint32_t digest = 0;
    long failed_polls = 0;
};

Folded fold_numbers(int messages)
{
    Folded folded;
    while (messages > 0) {
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &status);
        if (!there) {
            folded.failed_polls++;
            continue;
        }
        int count = 0;
        MPI_Get_count(&status, MPI_INT, &count);
        std::vector<int> message(static_cast<std::size_t>(count));
        MPI_Recv(message.data(), count, MPI_INT, status.MPI_SOURCE, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int value : message)
            folded.digest = folded.digest * 31u + static_cast<std::uint32_t>(value * 8 + status.MPI_SOURCE);
        messages--;
    }
    return folded;
}

} // namespace

int main(int argc, char **argv)
{
    int rank = 0, size = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int count = argc > 1 ? std::atoi(argv[1]) : 100;

    if (rank != 0) {
        send_numbers(count);
    } else {
        const auto start = std::chrono::steady_clock::now();
        const Folded folded = fold_numbers(count * (size - 1));
        const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
        const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
        std::printf("answer = %08x, failed polls = %ld, elapsed = %.3f us, at %lld\n", folded.digest,
                    folded.failed_polls, elapsed.count(),
                    static_cast<long long>(std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count()));
    }
    MPI_Finalize();
    return 0;
}

/*
 * mesh: finite differences on a grid. The program mesh of Netzer, Miller 1992, Table 1: a 300 x 300 grid on 32
 * processors sent 10210 messages, of which 1392 were traced; it gives its work to whoever comes first.
 *
 * They do not print how the messages go; this is a way that fits these figures. The equation is Laplace's, with one
 * hot border. Rank 0 has the grid and cuts each sweep into bands of four rows. A worker that has nothing to do gets
 * a band: a message that names it, and one for each of its rows and of the two beside it. It answers with
 * the new band, and these answers race: rank 0 takes them as they come. Who computes which band is thus another
 * thing in each run, the grid is not.
 *
 *     mpirun -n 32 mesh [rows] [sweeps]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_DONE, TAG_BAND, TAG_ROWS }; /* TAG_ROWS + i: row i of the grid */
enum { BAND_ROWS = 4, STOP = -1, NOTHING = -1 };

/* n x n points and a border around them, which keeps its values. */
static int n, width;

static int bands(void)
{
    return (n + BAND_ROWS - 1) / BAND_ROWS;
}

static int rows_of(int band)
{
    int left = n - band * BAND_ROWS;
    return left < BAND_ROWS ? left : BAND_ROWS;
}

static double *new_grid(void)
{
    double *grid = calloc((size_t)width * (size_t)width, sizeof *grid);
    for (int column = 0; column < width; column++)
        grid[column] = 100.0;
    return grid;
}

/* One row of points from the three around it. */
static void relax(const double *above, const double *row, const double *below, double *next)
{
    next[0] = row[0];
    for (int column = 1; column <= n; column++)
        next[column] = 0.25 * (above[column] + below[column] + row[column - 1] + row[column + 1]);
    next[n + 1] = row[n + 1];
}

static void worker(void)
{
    double *old = malloc((size_t)(BAND_ROWS + 2) * (size_t)width * sizeof *old);
    double *new = malloc((size_t)BAND_ROWS * (size_t)width * sizeof *new);
    int rows = 0; /* none is done yet: the first answer only says that this rank is free */
    for (;;) {
        int band;
        MPI_Send(new, rows * width, MPI_DOUBLE, 0, TAG_DONE, MPI_COMM_WORLD);
        MPI_Recv(&band, 1, MPI_INT, 0, TAG_BAND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (band == STOP)
            break;
        rows = rows_of(band);
        for (int i = 0; i < rows + 2; i++)
            MPI_Recv(old + i * width, width, MPI_DOUBLE, 0, TAG_ROWS + band * BAND_ROWS + i, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 0; i < rows; i++)
            relax(old + i * width, old + (i + 1) * width, old + (i + 2) * width, new + i * width);
    }
    free(old);
    free(new);
}

static void give(const double *grid, int band, int to)
{
    MPI_Send(&band, 1, MPI_INT, to, TAG_BAND, MPI_COMM_WORLD);
    for (int row = band * BAND_ROWS; row < band * BAND_ROWS + rows_of(band) + 2; row++)
        MPI_Send(grid + row * width, width, MPI_DOUBLE, to, TAG_ROWS + row, MPI_COMM_WORLD);
}

/* Returns the grid after so many sweeps. */
static double *master(int sweeps, int size)
{
    double *grid = new_grid(), *next = new_grid(), *answer = malloc((size_t)BAND_ROWS * (size_t)width * sizeof *answer);
    int *band_of = malloc((size_t)size * sizeof *band_of);
    int *idle = malloc((size_t)size * sizeof *idle), idle_count = 0;
    for (int peer = 0; peer < size; peer++)
        band_of[peer] = NOTHING;
    for (int peer = 1; peer < size; peer++) {
        MPI_Status status;
        MPI_Recv(NULL, 0, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_DONE, MPI_COMM_WORLD, &status);
        idle[idle_count++] = status.MPI_SOURCE;
    }
    for (int sweep = 0; sweep < sweeps; sweep++) {
        int given = 0;
        for (int done = 0; done < bands(); done++) {
            while (given < bands() && idle_count > 0) {
                int to = idle[--idle_count];
                band_of[to] = given;
                give(grid, given++, to);
            }
            MPI_Status status;
            MPI_Recv(answer, BAND_ROWS * width, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_DONE, MPI_COMM_WORLD, &status);
            int band = band_of[status.MPI_SOURCE];
            memcpy(next + (band * BAND_ROWS + 1) * width, answer,
                   (size_t)rows_of(band) * (size_t)width * sizeof *answer);
            idle[idle_count++] = status.MPI_SOURCE;
        }
        double *swap = grid;
        grid = next;
        next = swap;
    }
    for (int peer = 1, stop = STOP; peer < size; peer++)
        MPI_Send(&stop, 1, MPI_INT, peer, TAG_BAND, MPI_COMM_WORLD);
    free(next);
    free(answer);
    free(band_of);
    free(idle);
    return grid;
}

static double *sweep_alone(int sweeps)
{
    double *grid = new_grid(), *next = new_grid();
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int row = 1; row <= n; row++)
            relax(grid + (row - 1) * width, grid + row * width, grid + (row + 1) * width, next + row * width);
        double *swap = grid;
        grid = next;
        next = swap;
    }
    free(next);
    return grid;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 300;
    width = n + 2;
    int sweeps = argc > 2 ? atoi(argv[2]) : 17;
    if (size < 2) {
        fprintf(stderr, "mesh: a master and at least one worker are needed: 2 ranks or more\n");
        MPI_Finalize();
        return 2;
    }

    int correct = 1;
    if (rank == 0) {
        double *grid = master(sweeps, size), *expected = sweep_alone(sweeps), sum = 0.0;
        correct = memcmp(grid, expected, (size_t)width * (size_t)width * sizeof *grid) == 0;
        for (int row = 1; row <= n; row++)
            for (int column = 1; column <= n; column++)
                sum += grid[row * width + column];
        printf("mean = %.12g, %s\n", sum / n / n, correct ? "correct" : "WRONG");
        free(grid);
        free(expected);
    } else {
        worker();
    }
    MPI_Finalize();
    return !correct;
}

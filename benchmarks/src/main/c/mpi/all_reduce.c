// All-reduce of an MPI, measured as `verbena coll all_reduce` measures ours: for each size some rounds to
// warm up, a barrier, then the mean of many rounds; then one round whose result is checked.
//
// Usage: mpirun ... all_reduce WARMUP ITERATIONS BYTES...
// Prints a line for each size: bytes, microseconds, number of wrong elements.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void *buffer(size_t bytes)
{
    void *made = malloc(bytes);
    if (!made) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return made;
}

static void round_of(const float *from, float *to, int count)
{
    MPI_Allreduce(from, to, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4) {
        fprintf(stderr, "usage: all_reduce WARMUP ITERATIONS BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int warmup = atoi(argv[1]);
    int iterations = atoi(argv[2]);
    for (int i = 3; i < argc; i++) {
        size_t bytes = strtoull(argv[i], NULL, 10);
        int count = (int)(bytes / sizeof(float));
        float *from = buffer(bytes);
        float *to = buffer(bytes);
        for (int k = 0; k < count; k++)
            from[k] = (float)((k + rank) % 5);
        for (int k = 0; k < warmup; k++)
            round_of(from, to, count);
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        for (int k = 0; k < iterations; k++)
            round_of(from, to, count);
        double mine = (MPI_Wtime() - start) / iterations * 1e6;
        double sum;
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        long wrong = 0;
        for (int k = 0; k < count; k++) {
            float right = 0;
            for (int other = 0; other < ranks; other++)
                right += (float)((k + other) % 5);
            wrong += to[k] != right;
        }
        long all;
        MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) {
            printf("%zu %.3f %ld\n", bytes, sum / ranks, all);
            fflush(stdout);
        }
        free(from);
        free(to);
    }
    MPI_Finalize();
    return 0;
}

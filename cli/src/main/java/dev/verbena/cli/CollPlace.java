package dev.verbena.cli;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;

/// Which rank of how many this process is, and where rank 0 is: as torchrun, mpirun or Slurm say it
/// in the environment.
///
/// @param root address of rank 0
record CollPlace(int rank, int size, InetSocketAddress root) {
    private static final int PORT = 29_500;

    private record Names(String rank, String size) {}

    private static final Names[] LAUNCHERS = {
        new Names("RANK", "WORLD_SIZE"),
        new Names("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
        new Names("PMIX_RANK", "PMIX_SIZE"),
        new Names("PMI_RANK", "PMI_SIZE"),
        new Names("SLURM_PROCID", "SLURM_NTASKS"),
    };

    /// Empty where no launcher has started this process.
    static Optional<CollPlace> of(Map<String, String> environment) {
        for (Names names : LAUNCHERS) {
            String rank = environment.get(names.rank);
            String size = environment.get(names.size);
            if (rank != null && size != null) {
                int number = number(names.rank, rank);
                int count = number(names.size, size);
                return Optional.of(new CollPlace(number, count, root(environment)));
            }
        }
        return Optional.empty();
    }

    private static InetSocketAddress root(Map<String, String> environment) {
        String address = environment.get("MASTER_ADDR");
        if (address == null) {
            throw new UsageException(
                    "the environment names a rank, but not rank 0's address: set MASTER_ADDR, and"
                            + " MASTER_PORT unless it is "
                            + PORT);
        }
        String port = environment.getOrDefault("MASTER_PORT", "" + PORT);
        return new InetSocketAddress(
                DeviceFlags.address("MASTER_ADDR", address), number("MASTER_PORT", port));
    }

    private static int number(String name, String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= 65_535) {
                return number;
            }
        } catch (NumberFormatException malformed) {
            // The same answer.
        }
        throw new UsageException(name + " " + text + ": it must be a number up to 65535");
    }
}

package dev.verbena.lint;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/// What the caller knows and files do not say.
///
/// @param cableMetres length of cables that have none in a file
/// @param roundTripUs round trip of an empty network, in microseconds
/// @param dscp the DSCP of RoCE packets, where no host's file has it
/// @param topology the shape of an InfiniBand subnet
public record Assumptions(
        OptionalDouble cableMetres,
        OptionalDouble roundTripUs,
        OptionalInt dscp,
        Optional<SubnetShape> topology) {
    public static final Assumptions NONE =
            new Assumptions(
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalInt.empty(),
                    Optional.empty());

    public Assumptions withCableMetres(double value) {
        return new Assumptions(OptionalDouble.of(value), roundTripUs, dscp, topology);
    }

    public Assumptions withRoundTripUs(double value) {
        return new Assumptions(cableMetres, OptionalDouble.of(value), dscp, topology);
    }

    public Assumptions withDscp(int value) {
        return new Assumptions(cableMetres, roundTripUs, OptionalInt.of(value), topology);
    }

    public Assumptions withTopology(SubnetShape value) {
        return new Assumptions(cableMetres, roundTripUs, dscp, Optional.of(value));
    }
}

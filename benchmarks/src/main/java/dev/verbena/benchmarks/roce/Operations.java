package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.ResultLog;
import dev.verbena.benchmarks.roce.OperationPerf.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Every operation at sizes from 2 bytes to 8 MiB, in both modes, beside bare C, UCX and libfabric.
final class Operations {
    static final String PLACE = "operations";
    static final List<String> MODES = List.of("caller", "thread");

    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;
    private static final int RATE_MAX = 4096;
    private static final int[] SIZES = {2, 8, 64, KIB, RATE_MAX, 16 * KIB, 64 * KIB, MIB, 8 * MIB};

    /// What 64 KiB must reach of 1 MiB, READ and SEND of WRITE, and UD of bare C.
    private static final double MEDIUM = 0.7;

    private static final double OTHERS = 0.75;
    private static final double DATAGRAMS = 0.5;

    private final Comparison figures;
    private final BenchmarkRounds rounds;

    Operations(Path root, BareC bare, ResultLog log, Path file) {
        figures = new Comparison(log, PLACE);
        List<MeasuredProgram> programs = new ArrayList<>(List.of(bare));
        for (Operation operation : Operation.values()) {
            MODES.forEach(mode -> programs.add(new OperationPerf(root, operation, mode)));
        }
        programs.add(new Ucx());
        programs.add(new Libfabric("tcp;ofi_rxm"));
        rounds = new BenchmarkRounds(programs, log, file);
    }

    /// Returns whether each figure beside another is what it must be.
    boolean run(List<Subject> subjects, int times) throws IOException {
        rounds.run(WireEnds.loopback().with(PLACE, Disturbance.NONE), subjects, times);
        boolean passed = true;
        for (String mode : MODES) {
            String write = OperationPerf.name(Operation.WRITE, mode);
            String medium = subject(64 * KIB).name();
            passed &= figures.holds(write, medium, write, subject(MIB).name(), MEDIUM);
            for (Subject one : subjects) {
                for (Operation other : List.of(Operation.READ, Operation.SEND)) {
                    String who = OperationPerf.name(other, mode);
                    passed &= figures.holds(who, one.name(), write, one.name(), OTHERS);
                }
                String datagrams = OperationPerf.name(Operation.DATAGRAM, mode);
                passed &= figures.holds(datagrams, one.name(), BareC.NAME, one.name(), DATAGRAMS);
            }
        }
        return passed;
    }

    static List<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        for (int size : SIZES) {
            subjects.add(subject(size));
        }
        return subjects;
    }

    /// Short messages are counted, long ones weighed.
    private static Subject subject(int bytes) {
        Subject.Kind kind = bytes <= RATE_MAX ? Subject.Kind.RATE : Subject.Kind.BANDWIDTH;
        return new Subject(
                name(bytes), kind, bytes, bytes, Subject.Setting.USUAL, Subject.Bound.NONE);
    }

    private static String name(int bytes) {
        return bytes >= MIB
                ? bytes / MIB + " MiB"
                : bytes >= KIB ? bytes / KIB + " KiB" : bytes + " B";
    }
}

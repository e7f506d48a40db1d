package dev.verbena.collectives;

import dev.verbena.collectives.link.Member;
import dev.verbena.collectives.link.Reception;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.spi.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// All ranks of a communicator on one thread, over devices in virtual time, or over live ones that
/// the caller drives.
final class Ranks implements AutoCloseable {
    private static final int PORT = 7000;
    private static final long STEP_NS = 10_000;

    final List<Communicator> all = new ArrayList<>();
    final VirtualTime time;
    private final List<Reception> receptions = new ArrayList<>();

    Ranks(List<? extends Device> devices) {
        this(devices, 1, it -> it);
    }

    /// @param ranksOnHost of neighbours
    Ranks(
            List<? extends Device> devices,
            int ranksOnHost,
            UnaryOperator<CommunicatorSettings> change) {
        time = VirtualTime.of(devices.getFirst()).orElseGet(WallTime::new);
        List<Member> members = new ArrayList<>();
        for (Device device : devices) {
            Address address = Member.addressOf(device);
            members.add(new Member(List.of(address), PORT, members.size() / ranksOnHost));
        }
        CommunicatorSettings settings = change.apply(CommunicatorSettings.of(time::nowNs));
        for (int rank = 0; rank < devices.size(); rank++) {
            receptions.add(new Reception(devices.get(rank), PORT));
            all.add(new Communicator(1, rank, members, List.of(receptions.getLast()), settings));
        }
    }

    Communicator rank(int number) {
        return all.get(number);
    }

    /// Communicators of the same ranks with other settings.
    List<Communicator> with(UnaryOperator<CommunicatorSettings> change) {
        return all.stream().map(it -> it.with(change)).toList();
    }

    /// Lets all ranks go on until something is so; returns whether it is before the virtual time
    /// has passed a limit.
    boolean run(BooleanSupplier isOver, long limitNs) {
        return run(all, isOver, limitNs);
    }

    boolean run(List<Communicator> communicators, BooleanSupplier isOver, long limitNs) {
        long endNs = time.nowNs() + limitNs;
        while (!isOver.getAsBoolean()) {
            boolean any = false;
            for (Communicator communicator : communicators) {
                any |= communicator.progress(time.nowNs());
            }
            if (!any && !time.step(endNs)) {
                if (time.nowNs() >= endNs) {
                    return false;
                }
                time.advanceTo(Math.min(endNs, time.nowNs() + STEP_NS));
            }
        }
        return true;
    }

    @Override
    public void close() {
        all.forEach(Communicator::close);
        receptions.forEach(Reception::close);
    }
}

package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import java.util.List;

/// The totals of a run of attacks: packets of each attack, and how often each check stopped one.
final class AttackTotals {
    final List<Attack> attacks;
    final List<Counter> checks = List.copyOf(AttackChecks.PROTECTING);

    private final long[] packets;
    private final long[][] stopped;
    long legitimate;
    long innocentRounds;
    long innocentPackets;
    long worlds;

    /// How often every attack was run.
    long rounds;

    AttackTotals(List<Attack> attacks) {
        this.attacks = attacks;
        packets = new long[attacks.size()];
        stopped = new long[attacks.size()][checks.size()];
    }

    void packet(int attack) {
        packets[attack]++;
    }

    void stopped(int attack, int check, long times) {
        stopped[attack][check] += times;
    }

    long packets(int attack) {
        return packets[attack];
    }

    long packets() {
        long sum = 0;
        for (long count : packets) {
            sum += count;
        }
        return sum;
    }

    long stopped(int attack, int check) {
        return stopped[attack][check];
    }

    /// How often a check stopped a packet, over all attacks.
    long stopped(int check) {
        long sum = 0;
        for (long[] row : stopped) {
            sum += row[check];
        }
        return sum;
    }
}

package dev.verbena.transport;

import java.util.List;

/// All attacks against devices of a provider, over a network of its own: what its tests call.
public final class RoadAttacks {
    private final AttackRun run = new AttackRun();

    public RoadAttacks() {}

    /// Attacks one device: every attack that can be carried out there, so many times.
    public void run(Road road, long seed, int rounds) {
        run.run(seed, rounds, new RoadFront(road));
    }

    /// Attacks that cannot be carried out there, each with its reason.
    public static List<String> impossible(Road road) {
        RoadFront front = new RoadFront(road);
        return Attack.all().stream()
                .filter(attack -> !front.lacks(attack.need()).isEmpty())
                .map(attack -> attack + " (" + front.lacks(attack.need()) + ")")
                .toList();
    }

    public static int all() {
        return Attack.all().size();
    }

    /// How many packets were forged.
    public long packets() {
        return run.tally.packets();
    }

    /// Rounds of work of innocent connections, none disturbed.
    public long innocentRounds() {
        return run.tally.innocentRounds;
    }

    /// Checks that stopped fewer packets than there were rounds; those behind the door of queue
    /// pair 1 are not tried over a road.
    public List<String> seldom() {
        return AttackReport.seldom(run.tally).stream()
                .filter(check -> !check.matches("(REFUSED|REPEATED|STRAY)_MANAGEMENT .*"))
                .toList();
    }
}

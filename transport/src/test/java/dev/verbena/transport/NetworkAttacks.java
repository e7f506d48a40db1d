package dev.verbena.transport;

import java.util.List;

/// All attacks against devices of a provider, over a network of its own: what its tests call.
public final class NetworkAttacks {
    private final AttackCampaign run = new AttackCampaign();

    public NetworkAttacks() {}

    /// Attacks one device: every attack that can be carried out there, so many times.
    public void run(AttackNetwork network, long seed, int rounds) {
        run.run(seed, rounds, new NetworkAttackPath(network));
    }

    /// Attacks that cannot be carried out there, each with its reason.
    public static List<String> impossible(AttackNetwork network) {
        NetworkAttackPath path = new NetworkAttackPath(network);
        return Attack.all().stream()
                .filter(attack -> !path.lacks(attack.need()).isEmpty())
                .map(attack -> attack + " (" + path.lacks(attack.need()) + ")")
                .toList();
    }

    public static int all() {
        return Attack.all().size();
    }

    /// How many packets were forged.
    public long packets() {
        return run.totals.packets();
    }

    /// Rounds of work of bystander connections, none disturbed.
    public long innocentRounds() {
        return run.totals.innocentRounds;
    }

    /// Checks that stopped fewer packets than there were rounds; those behind the door of queue
    /// pair 1 are not tried over a network.
    public List<String> seldom() {
        return AttackReport.seldom(run.totals).stream()
                .filter(check -> !check.matches("(REFUSED|REPEATED|STRAY)_MANAGEMENT .*"))
                .toList();
    }
}

package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.NetworkAttacks;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The attacks on the transport, as datagrams of a real socket to a device on a real socket.
@Tag("attack")
class SocketAttackTest {
    /// How often each attack is run on each kind of device.
    private static final int ROUNDS = 20;

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "IPv4, progress=thread",
        "IPv4, progress=caller",
        "IPv4, progress=thread&path=portable",
        "IPv4, progress=caller&path=portable",
        "IPv6, progress=thread",
        "IPv6, progress=caller",
        "IPv6, progress=thread&path=portable",
        "IPv6, progress=caller&path=portable",
    })
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void noForgedDatagramChangesOrShowsAByteThatItMayNot(String family, String options) {
        boolean isIpv4 = family.equals("IPv4");
        assumeTrue(isIpv4 || TestAddresses.hasIpv6(), "this machine has no ::1");
        long beginNs = System.nanoTime();
        NetworkAttacks attacks = new NetworkAttacks();
        int rounds = (int) Seed.campaign(ROUNDS);
        // Alone at its address: packets for other devices there would not be counted.
        SocketAttackNetwork network = new SocketAttackNetwork(isIpv4, options + "&share=off");
        List<String> impossible = NetworkAttacks.impossible(network);
        attacks.run(network, Seed.forTest("SocketAttackTest", 5).value(), rounds);
        System.out.printf(
                "SocketAttackTest, %s, %s: %d attacks, each %d times, %,d datagrams in %.1f s;"
                        + " bystander rounds %,d, none disturbed; not possible here: %s%n",
                family,
                options,
                NetworkAttacks.all() - impossible.size(),
                rounds,
                attacks.packets(),
                (System.nanoTime() - beginNs) / 1e9,
                attacks.innocentRounds(),
                impossible.isEmpty() ? "none" : String.join("; ", impossible));
        assertThat(attacks.packets()).as("datagrams forged").isGreaterThan(100L * rounds);
        assertThat(attacks.seldom())
                .as("checks that were hardly tried")
                .allMatch(check -> network.sourceBits() == 0 && check.startsWith("DROPPED_SOURCE"));
    }
}

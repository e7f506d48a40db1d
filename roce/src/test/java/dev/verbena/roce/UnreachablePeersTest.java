package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers that the system refuses to send to: those who send to them learn why, and all others go
/// on.
@Timeout(120)
@Tag("sockets")
class UnreachablePeersTest {
    /// A broadcast address of the loopback network: the system refuses it with EACCES.
    private static final String REFUSED = "127.255.255.255";

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int BYTES = 1 << 20;

    /// A device with a queue pair that is connected to one of a second device, and its memory.
    private static final class Program implements AutoCloseable {
        final Device device;
        final Device other;
        final ProtectionDomain domain;
        final CompletionQueue done;
        final MemoryRegion from;
        final MemoryRegion to;
        final QueuePair pair;
        final Endpoint peer;

        Program(String own, String options) {
            device = Devices.open("roce://" + own + "?" + options);
            other = Devices.open("roce://" + TestAddresses.ipv4() + "?" + options);
            domain = device.protectionDomain();
            ProtectionDomain there = other.protectionDomain();
            done = device.completionQueue(16);
            CompletionQueue arrived = other.completionQueue(16);
            from = domain.allocate(BYTES, Access.LOCAL_WRITE);
            to = there.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
            QueuePair passive = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));
            peer = passive.endpoint();
            pair.connect(peer);
            passive.connect(pair.endpoint());
        }

        /// Writes all of the memory to the peer; returns the system calls that this took.
        long writeAll() {
            long before = count("socket_tx_trains");
            List<CompletionStatus> seen = new ArrayList<>();
            pair.post(batch -> batch.write(from.slice(), to.remote()).signaled());
            done.await(LONG, it -> seen.add(it.status()));
            assertThat(seen).containsExactly(CompletionStatus.SUCCESS);
            return count("socket_tx_trains") - before;
        }

        /// Writes to this address, where no device is; returns what the completion says.
        String writeTo(String address) {
            Endpoint absent =
                    new Endpoint(
                            peer.type(),
                            0,
                            Gid.parse(address),
                            peer.queuePair(),
                            peer.psn(),
                            peer.mtu(),
                            peer.reads(),
                            peer.udpPort(),
                            peer.partitionKey(),
                            0);
            List<String> seen = new ArrayList<>();
            try (QueuePair lost = domain.queuePair(QueuePairType.RC, it -> it.completions(done))) {
                lost.connect(absent, it -> it.timeout(10).retryCount(1));
                lost.post(batch -> batch.write(from.slice(), to.remote()).signaled());
                done.await(LONG, it -> seen.add(it.status() + " " + it.explanation()));
            }
            assertThat(seen).hasSize(1);
            return seen.getFirst();
        }

        long count(String name) {
            return device.counters().getOrDefault(name, 0L);
        }

        @Override
        public void close() {
            device.close();
            other.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"path=foreign", "path=portable"})
    void aCompletionSaysWhyItsPacketsDidNotLeave(String options) {
        try (Program program = new Program(TestAddresses.ipv4(), options)) {
            long calls = program.writeAll();
            assertThat(program.writeTo(REFUSED))
                    .startsWith("RETRY_EXCEEDED")
                    .contains("did not leave this machine: EACCES (permission denied)");
            assertThat(program.count("socket_tx_lost_eacces")).isPositive();
            assertThat(program.count("socket_tx_lost_eacces"))
                    .isEqualTo(program.count("socket_tx_lost_pkts"));
            assertThat(program.writeAll()).isLessThan(4 * calls);
        }
    }

    @Test
    @Tag("long")
    void aConnectionThatIsNotMadeSaysWhyItsRequestDidNotLeave() {
        try (Device device = Devices.open("roce://" + TestAddresses.ipv4());
                CompletionQueue queue = device.completionQueue(4);
                QueuePair pair =
                        device.protectionDomain()
                                .queuePair(QueuePairType.RC, it -> it.completions(queue));
                Connection made = device.connect(pair, Address.to(Gid.parse(REFUSED)), 7471)) {
            assertThatThrownBy(() -> made.await(Duration.ofMinutes(1)))
                    .isInstanceOf(ConnectionFailedException.class)
                    .hasMessageContaining("EACCES");
        }
    }

    @Test
    @EnabledIf("dev.verbena.roce.TestAddresses#hasIpv6")
    void aPeerOfTheOtherIpVersionIsRefusedWhenItIsNamed() {
        try (Device device = Devices.open("roce://" + TestAddresses.ipv6())) {
            ProtectionDomain domain = device.protectionDomain();
            CompletionQueue queue = device.completionQueue(4);
            QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(queue));
            Endpoint old = new Endpoint(0, Gid.parse("127.0.0.1"), 2, 0, 1024, 1, 4791);
            assertThatThrownBy(() -> pair.connect(old))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("different IP versions");
            assertThatThrownBy(() -> domain.addressHandle(Address.to(old)))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("different IP versions");
        }
    }

    /// Linux refuses with EINVAL to send from a loopback address to another network: the error that
    /// it also has for trains of packets that an interface cannot split.
    @Test
    @EnabledIfEnvironmentVariable(named = "VERBENA_SMALL", matches = ".+")
    void aPeerThatTrainsAreRefusedToLeavesThoseToOthers() {
        try (Program program = new Program(TestAddresses.ipv4(), "path=foreign")) {
            long calls = program.writeAll();
            assertThat(program.writeTo(System.getenv("VERBENA_SMALLER")))
                    .contains("did not leave this machine: EINVAL");
            assertThat(program.writeAll()).isLessThan(4 * calls);
        }
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "VERBENA_SMALL", matches = ".+")
    void anMtuThatTheInterfaceHasNoRoomForIsRefused() {
        String small = System.getenv("VERBENA_SMALL");
        assertThatThrownBy(() -> Devices.open("roce://" + small + "?mtu=4096").close())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("mtu=4096 does not fit its interface");
    }

    /// A route with an MTU of 600, behind an interface of 1,500.
    @Test
    @EnabledIfEnvironmentVariable(named = "VERBENA_SMALL", matches = ".+")
    void aLinkOnTheWayThatIsTooSmallIsNamed() {
        try (Program program = new Program(System.getenv("VERBENA_SMALL"), "path=foreign")) {
            assertThat(program.writeTo(System.getenv("VERBENA_SMALLER")))
                    .contains("EMSGSIZE")
                    .contains("smaller mtu=");
        }
    }
}

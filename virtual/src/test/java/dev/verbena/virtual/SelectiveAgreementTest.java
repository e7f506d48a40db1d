package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two sides of the connection manager agree on selective repeat, or do not.
class SelectiveAgreementTest {
    private static final int PORT = 7471;
    private static final int BYTES = 1 << 20;

    /// Who offers it, and whether it is used then.
    @ParameterizedTest
    @CsvSource({"true, true, true", "true, false, false", "false, true, false"})
    void isUsedWhereBothOfferItAndThePrivateDataStaysThePrograms(
            boolean fromLeft, boolean fromRight, boolean isUsed) {
        VirtualNetwork network =
                new VirtualNetwork(VirtualSettings.DEFAULT.withSeed(3).withLoss(0.05));
        try (TransportDevice left = network.open("left", o -> o.selectiveRepeat(fromLeft));
                TransportDevice right = network.open("right", o -> o.selectiveRepeat(fromRight));
                Listener listener = right.listen(PORT, 4)) {
            ProtectionDomain from = left.protectionDomain();
            ProtectionDomain to = right.protectionDomain();
            QueuePair active = pair(left, from);
            QueuePair passive = pair(right, to);
            Connection asking =
                    left.connect(active, Address.to(right.gids(1).getFirst()), PORT, (byte) 41);
            ConnectionRequest request = listener.poll();
            for (int i = 0; request == null && i < 10_000; i++) {
                network.advance(Duration.ofMillis(10));
                request = listener.poll();
            }
            assertThat(Objects.requireNonNull(request).privateData()[0]).isEqualTo((byte) 41);
            request.accept(passive, (byte) 42);
            for (int i = 0; asking.state() == Connection.State.CONNECTING && i < 10_000; i++) {
                network.advance(Duration.ofMillis(10));
            }
            assertThat(asking.state()).isEqualTo(Connection.State.ESTABLISHED);
            assertThat(asking.privateData()[0]).isEqualTo((byte) 42);

            MemoryRegion source = from.allocate(BYTES);
            MemoryRegion target = to.allocate(BYTES, Access.REMOTE_WRITE);
            source.segment().fill((byte) 9);
            assertThat(
                            active.post(
                                    b ->
                                            b.write(target.address(), target.remoteKey())
                                                    .local(source, 0, BYTES)))
                    .isTrue();
            network.advance(Duration.ofSeconds(60));

            assertThat(source.segment().mismatch(target.segment())).isEqualTo(-1);
            assertThat(right.counters().getOrDefault("resp_sacks", 0L) > 0).isEqualTo(isUsed);
            assertThat(right.counters().getOrDefault("resp_early_placed", 0L) > 0)
                    .isEqualTo(isUsed);
        }
    }

    private static QueuePair pair(Device device, ProtectionDomain domain) {
        return domain.queuePair(QueuePairType.RC, it -> it.completions(device.completionQueue(16)));
    }

    @Test
    void isAskedForByTheFirstDeviceOfANetwork() {
        String first = "virtual://left?network=selective&recovery=selective";
        try (Device left = Devices.open(first);
                Device right = Devices.open("virtual://right?network=selective")) {
            assertThat(endpointOffers(left)).isTrue();
            assertThat(endpointOffers(right)).isTrue();
            assertThatThrownBy(
                            () -> Devices.open("virtual://third?network=selective&recovery=goback"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("open with recovery selective, and now goback");
        }
        assertThatThrownBy(() -> Devices.open("virtual://left?network=other&recovery=sack"))
                .hasMessageContaining("recovery cannot be 'sack'; use goback or selective");
    }

    private static boolean endpointOffers(Device device) {
        return pair(device, device.protectionDomain()).endpoint().offers() != 0;
    }
}

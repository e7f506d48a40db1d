package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `connect` makes of the peer's endpoint.
class ConnectTest {
    private static final int LIMITED = 0x0001;
    private static final int FULL = 0x8001;

    @Test
    void aPeerOfAnotherTypeIsRefused() {
        QueuePair pair = pair(device(LinkLayer.ETHERNET, Gid.NONE), it -> {});
        assertThatThrownBy(() -> pair.connect(peer(QueuePairType.UC, Gid.NONE, 0xFFFF)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        pair
                                + ": it is of type RC and the peer's of type UC;"
                                + " make both of the same type");
        assertThat(pair.state()).isEqualTo(QueuePairState.INIT);
    }

    /// The index of our key among the default, a full and a limited one; the peer's; whether the
    /// two may talk.
    @ParameterizedTest
    @CsvSource({
        "0, 0xFFFF, true",
        "0, 0x7FFF, true",
        "0, 0x8001, false",
        "1, 0x8001, true",
        "1, 0x0001, true",
        "2, 0x8001, true",
        "2, 0x0001, false",
        "1, 0xFFFF, false",
        "0, 0x0000, false"
    })
    void onlyMembersOfAPartitionMayTalk(int index, String theirs, boolean isRight) {
        int key = Integer.decode(theirs);
        Endpoint peer = peer(QueuePairType.RC, Gid.NONE, key);
        Device device = device(LinkLayer.ETHERNET, Gid.NONE);
        QueuePair pair = pair(device, it -> it.partitionIndex(index));
        int ours = device.partitionKeys(1).get(index);
        assertThat(pair.endpoint().partitionKey()).isEqualTo(ours);
        if (isRight) {
            pair.connect(peer);
            assertThat(pair.state()).isEqualTo(QueuePairState.READY_TO_SEND);
        } else {
            assertThatThrownBy(() -> pair.connect(peer))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageStartingWith(
                            "%s: partition key 0x%04x does not match the peer's 0x%04x;"
                                    .formatted(pair, ours, key));
            assertThat(pair.state()).isEqualTo(QueuePairState.INIT);
        }
    }

    @Test
    void thePartitionThatIsAskedForWhileConnectingCounts() {
        QueuePair pair = pair(device(LinkLayer.ETHERNET, Gid.NONE), it -> {});
        pair.connect(peer(QueuePairType.RC, Gid.NONE, FULL), it -> it.partitionIndex(1));
        assertThat(pair.endpoint().partitionKey()).isEqualTo(FULL);
    }

    @Test
    void aQueuePairThatWasLeftInResetHasItsPartitionToo() {
        QueuePair pair =
                pair(device(LinkLayer.ETHERNET, Gid.NONE), it -> it.partitionIndex(2).leaveReset());
        assertThat(pair.state()).isEqualTo(QueuePairState.RESET);
        assertThat(pair.endpoint().partitionKey()).isEqualTo(LIMITED);
        pair.connect(peer(QueuePairType.RC, Gid.NONE, FULL));
        assertThat(pair.query().partitionIndex()).isEqualTo(2);
    }

    /// Our first GID, the peer's, and the one that packets are addressed to.
    @ParameterizedTest
    @CsvSource({
        "INFINIBAND, fe80::1, fe80::2, ::",
        "INFINIBAND, fe80::1, ::, ::",
        "INFINIBAND, ::, fe80::2, ::",
        "INFINIBAND, fec0:0:0:1::1, fec0:0:0:2::1, fec0:0:0:2::1",
        "ETHERNET, fe80::1, fe80::2, fe80::2",
        "ETHERNET, 192.0.2.1, 192.0.2.2, 192.0.2.2",
        "ETHERNET, ::, ::, ::"
    })
    void aGlobalHeaderIsUsedOnlyBeyondTheSubnet(
            LinkLayer layer, String ours, String theirs, String used) {
        QueuePair pair = pair(device(layer, Gid.parse(ours)), it -> {});
        pair.connect(peer(QueuePairType.RC, Gid.parse(theirs), 0xFFFF));
        assertThat(pair.query().address().gid()).isEqualTo(Gid.parse(used));
        assertThat(pair.query().address().lid()).isEqualTo(7);
    }

    private static TransportDevice device(LinkLayer layer, Gid gid) {
        TransportOptions options =
                new TransportOptions(new SplittableRandom(1), new FrozenDriver())
                        .port(new PortAttributes(1, PortState.ACTIVE, layer, 3, 4096, 4096, 0))
                        .gids(List.of(gid))
                        .partitionKeys(List.of(0xFFFF, FULL, LIMITED));
        return TransportDevice.create(options);
    }

    private static QueuePair pair(Device device, Consumer<QueuePairOptions> options) {
        CompletionQueue completions = device.completionQueue(8);
        return device.protectionDomain()
                .queuePair(
                        QueuePairType.RC,
                        it -> {
                            it.completions(completions);
                            options.accept(it);
                        });
    }

    private static Endpoint peer(QueuePairType type, Gid gid, int partitionKey) {
        return new Endpoint(type, 7, gid, 0x123, 0, 1024, 16, 4791, partitionKey, 0);
    }
}

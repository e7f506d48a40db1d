package dev.verbena.verbs.spi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairType;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The first value that a rule refuses, the last that it takes, and its message.
class AttributeRulesTest {
    private static final DeviceLimits LIMITS =
            DeviceLimits.builder()
                    .queuePairs(1)
                    .completionQueues(1)
                    .memoryRegions(1)
                    .memoryWindows(1)
                    .sharedReceiveQueues(1)
                    .addressHandles(1)
                    .multicastGroups(1)
                    .multicastAttachments(1)
                    .workRequests(1)
                    .workRequestsInAll(1)
                    .scatterGather(1)
                    .inlineBytes(1)
                    .completions(1)
                    .readsAsInitiator(4)
                    .readsAsResponder(5)
                    .regionBytes(1)
                    .messageBytes(1)
                    .pendingEvents(1)
                    .build();

    private static final class Port implements AttributeRules.PortLimits {
        @Override
        public int partitionKeys() {
            return 2;
        }

        @Override
        public int activeMtu() {
            return 1024;
        }

        @Override
        public int gidCount() {
            return 3;
        }
    }

    private static void check(QueuePairAttributes values) {
        AttributeRules.check("qp", values, new Port(), LIMITS);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1024,",
        "2, 1, 1024, port 2",
        "1, 2, 1024, partition index 2",
        "1, 1, 2048, path mtu 2048"
    })
    void attributesFitThePort(int port, int partition, int mtu, String problem) {
        var values = new QueuePairAttributes().port(port).partitionIndex(partition).pathMtu(mtu);
        if (problem == null) {
            check(values);
        } else {
            assertThatThrownBy(() -> check(values))
                    .hasMessageContaining("qp: " + problem + " is too large; the most is ");
        }
    }

    @Test
    void readsFitTheDevice() {
        check(new QueuePairAttributes().readsAsInitiator(4).readsAsResponder(5));
        assertThatThrownBy(() -> check(new QueuePairAttributes().readsAsInitiator(5)))
                .hasMessage("qp: reads as initiator 5 is too large; the most is 4");
        assertThatThrownBy(() -> check(new QueuePairAttributes().readsAsResponder(6)))
                .hasMessage("qp: reads as responder 6 is too large; the most is 5");
    }

    @Test
    void aPeerIsOneHostAtAGidThatThePortHas() {
        check(new QueuePairAttributes().address(from(2)));
        assertThatThrownBy(() -> check(new QueuePairAttributes().address(from(3))))
                .hasMessage("qp: source gid index 3 is too large; the most is 2");
        Address group = from(0).withGid(Gid.parse("224.0.0.1"));
        assertThatThrownBy(() -> check(new QueuePairAttributes().address(group)))
                .hasMessage(
                        "qp: 224.0.0.1 is a multicast group; a connection has one peer; send"
                                + " datagrams to groups");
    }

    private static Address from(int sourceGid) {
        return new Address(0, Gid.parse("192.0.2.1"), 0, 0, 0, 64, sourceGid, Address.ROCE_PORT);
    }

    @Test
    void aQueueKeyCanBeSent() {
        check(new QueuePairAttributes().queueKey(Integer.MAX_VALUE));
        assertThatThrownBy(() -> check(new QueuePairAttributes().queueKey(Integer.MIN_VALUE)))
                .hasMessage(
                        "qp: queue key 0x80000000 has the highest bit set; use one below"
                                + " 0x80000000: to senders that bit means their own key");
    }

    @ParameterizedTest
    @CsvSource({
        "0xFFFF, 0xFFFF, true",
        "0xFFFF, 0x7FFF, true",
        "0x7FFF, 0xFFFF, true",
        "0x7FFF, 0x7FFF, false",
        "0xFFFF, 0x8002, false",
        "0x8001, 0x0001, true",
        "0x8000, 0x8000, false",
        "0x8000, 0x0000, false",
        "0x0000, 0x0000, false",
    })
    void peersShareAPartitionThatIsNotZero(String ours, String theirs, boolean isSame) {
        int key = Integer.decode(ours);
        Endpoint peer =
                new Endpoint(
                        QueuePairType.RC,
                        0,
                        Gid.parse("192.0.2.1"),
                        17,
                        0,
                        1024,
                        1,
                        Address.ROCE_PORT,
                        Integer.decode(theirs),
                        0);
        if (isSame) {
            AttributeRules.requireSamePartition(pair(), key, peer);
        } else {
            assertThatThrownBy(() -> AttributeRules.requireSamePartition(pair(), key, peer))
                    .hasMessageStartingWith(
                            "qp: partition key 0x%04x does not match the peer's 0x%04x; choose"
                                    .formatted(key, peer.partitionKey()));
        }
    }

    /// A queue pair that has a name and nothing else.
    private static QueuePair pair() {
        return (QueuePair)
                Proxy.newProxyInstance(
                        AttributeRulesTest.class.getClassLoader(),
                        new Class<?>[] {QueuePair.class},
                        (_, method, _) -> method.getName().equals("toString") ? "qp" : null);
    }
}

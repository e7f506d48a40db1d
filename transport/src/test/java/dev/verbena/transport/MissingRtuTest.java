package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.manage.Management;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.mad.CmRtu;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A passive side whose peer is ready, and whose RTU never comes.
class MissingRtuTest {
    private static final int PORT = 7471;
    private static final Gid LEFT = Gid.parse("192.0.2.1");
    private static final Gid RIGHT = Gid.parse("192.0.2.2");

    /// Hands packets to a device at once, but for those of a kind.
    private static final class DirectSink implements TransmitSink {
        private final Gid from;
        private final Gid to;
        private final Predicate<MemorySegment> loses;
        private final OutboundPacket packet =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);
        private final MemorySegment payload = Arena.ofAuto().allocate(4096);
        private final InboundPacket inbound = new InboundPacket();
        private @Nullable TransportDevice target;

        DirectSink(Gid from, Gid to, Predicate<MemorySegment> loses) {
            this.from = from;
            this.to = to;
            this.loses = loses;
        }

        @Override
        public OutboundPacket next() {
            return packet;
        }

        @Override
        public void accept(OutboundPacket filled) {
            filled.copyPayload(payload, 0);
            if (filled.queuePair() == Management.GENERAL && loses.test(payload)) {
                return;
            }
            int length = filled.payloadLength();
            inbound.verdict(
                    inbound.view()
                            .wrapApart(
                                    filled.header(), 0, filled.headerLength(), payload, 0, length));
            inbound.from(0, from).to(to);
            Objects.requireNonNull(target).handlePacket(0, inbound);
        }
    }

    private static TransportDevice device(Gid gid, long seed) {
        return TransportDevice.create(
                new TransportOptions(new SplittableRandom(seed), new FrozenDriver())
                        .gids(List.of(gid)));
    }

    @Test
    void knowsByTheFirstPacketThatThePeerIsReady() {
        TransportDevice left = device(LEFT, 1);
        TransportDevice right = device(RIGHT, 2);
        DirectSink there =
                new DirectSink(LEFT, RIGHT, mad -> Mad.attributeId(mad, 0) == CmRtu.ATTRIBUTE_ID);
        DirectSink back = new DirectSink(RIGHT, LEFT, mad -> false);
        there.target = right;
        back.target = left;
        Listener listener = right.listen(PORT, 1);
        ProtectionDomain domain = left.protectionDomain();
        CompletionQueue queue = left.completionQueue(4);
        QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(queue));
        MemoryRegion region = domain.allocate(64, Access.LOCAL_WRITE);

        Connection active = left.connect(pair, Address.to(RIGHT), PORT);
        left.pollTransmit(0, ~0, 1 << 16, there);
        ConnectionRequest request = Objects.requireNonNull(listener.poll());
        CompletionQueue theirs = right.completionQueue(4);
        QueuePair other =
                right.protectionDomain().queuePair(QueuePairType.RC, it -> it.completions(theirs));
        Connection passive = request.accept(other);
        right.pollTransmit(0, ~0, 1 << 16, back);
        left.pollTransmit(0, ~0, 1 << 16, there);
        assertThat(active.state()).isEqualTo(Connection.State.ESTABLISHED);
        assertThat(passive.state()).isEqualTo(Connection.State.CONNECTING);

        pair.sends().send().local(region, 0, 64).post();
        left.pollTransmit(0, ~0, 1 << 16, there);

        assertThat(passive.state()).isEqualTo(Connection.State.ESTABLISHED);
    }
}

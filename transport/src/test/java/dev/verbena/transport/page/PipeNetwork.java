package dev.verbena.transport.page;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Devices at one pipe, in virtual time: the skeleton of a carrier.
final class PipeNetwork {
    private static final int ALL_CLASSES = 0xFFFF;
    private static final int TURN_BYTES = 1 << 20;

    /// A packet on its way: its bytes were copied, since a device keeps its own no longer.
    private record Parcel(
            Gid from, Address to, int ecn, MemorySegment header, MemorySegment payload) {}

    private final List<End> ends = new ArrayList<>();
    private final ArrayDeque<Parcel> pipe = new ArrayDeque<>();
    private final InboundPacket inbound = new InboundPacket();
    private boolean isTurning;
    private int made;
    private long nowNs;

    /// A device with an address of its own. The seed decides its keys and numbers.
    TransportDevice open(String name, long seed) {
        End end = new End(new Gid(0xFE80L << 48, ++made));
        TransportOptions options = new TransportOptions(new SplittableRandom(seed), end);
        options.name(name).gids(List.of(end.gid)).partitionKeys(List.of(0xFFFF, 0x8002));
        end.device = TransportDevice.create(options);
        ends.add(end);
        return end.device;
    }

    long nowNs() {
        return nowNs;
    }

    /// Sends what the devices have, and delivers it; returns whether there was something.
    boolean turn() {
        if (isTurning) {
            return false; // a listener polls; the turn that called it goes on
        }
        isTurning = true;
        try {
            for (End end : List.copyOf(ends)) {
                int packets;
                do {
                    packets = end.device().pollTransmit(nowNs, ALL_CLASSES, TURN_BYTES, end);
                } while (packets > 0);
            }
            boolean isMoved = !pipe.isEmpty();
            while (!pipe.isEmpty()) {
                deliver(pipe.remove());
            }
            return isMoved;
        } finally {
            isTurning = false;
        }
    }

    private void deliver(Parcel parcel) {
        for (End end : List.copyOf(ends)) { // a listener may close one
            if (end.gid.equals(parcel.to.gid()) || end.groups.contains(parcel.to.gid())) {
                end.device().handlePacket(nowNs, arrived(parcel));
            }
        }
    }

    /// What the device learns of a packet: whether it is whole, and where it came from and went to.
    private InboundPacket arrived(Parcel parcel) {
        MemorySegment header = parcel.header;
        MemorySegment payload = parcel.payload;
        Address to = parcel.to;
        Verdict verdict =
                inbound.view()
                        .wrapApart(
                                header,
                                0,
                                (int) header.byteSize(),
                                payload,
                                0,
                                (int) payload.byteSize());
        return inbound.verdict(verdict)
                .from(0, parcel.from)
                .to(to.gid())
                .ecn(parcel.ecn)
                .route(to.serviceLevel(), to.trafficClass(), to.flowLabel(), to.hopLimit());
    }

    /// Lets the time jump to the next deadline of any device, at most to this.
    void idle(long deadlineNs) {
        long nextNs = deadlineNs;
        for (End end : ends) {
            nextNs = Math.min(nextNs, end.device().pollTimeout());
        }
        if (nextNs == Long.MAX_VALUE) {
            return; // nothing will ever happen
        }
        nowNs = Math.max(nowNs, nextNs);
        for (End end : List.copyOf(ends)) {
            end.device().handleTimeout(nowNs);
        }
    }

    /// One device's end of the pipe.
    private final class End implements Driver, TransmitSink {
        private final Gid gid;
        private final List<Gid> groups = new ArrayList<>();
        private final OutboundPacket outbound =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH), 0);
        private @Nullable TransportDevice device;

        End(Gid gid) {
            this.gid = gid;
        }

        TransportDevice device() {
            if (device == null) {
                throw new AssertionError("an end has its device before it is used");
            }
            return device;
        }

        @Override
        public OutboundPacket next() {
            return outbound;
        }

        @Override
        public void accept(OutboundPacket packet) {
            MemorySegment header = Arena.ofAuto().allocate(packet.headerLength());
            header.copyFrom(packet.header().asSlice(packet.headerAt(), packet.headerLength()));
            MemorySegment payload = Arena.ofAuto().allocate(packet.payloadLength());
            packet.copyPayload(payload, 0);
            pipe.add(new Parcel(gid, packet.path().address(), packet.ecn(), header, payload));
        }

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public boolean turn() {
            return PipeNetwork.this.turn();
        }

        @Override
        public void polledInVain() {
            idle(nowNs + 100, () -> false);
        }

        @Override
        public void idle(long deadlineNs, BooleanSupplier isDone) {
            if (!isTurning) {
                PipeNetwork.this.idle(deadlineNs);
            }
        }

        @Override
        public void wake() {
            // Every turn asks every device.
        }

        @Override
        public void joined(Gid group) {
            groups.add(group);
        }

        @Override
        public void left(Gid group) {
            groups.remove(group);
        }

        @Override
        public void closed() {
            ends.remove(this);
        }
    }
}

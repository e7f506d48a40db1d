package dev.verbena.transport;

import dev.verbena.transport.carrier.InFlight;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Reth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A packet on the scripted wire: headers and payload copied apart, or a whole frame of bytes.
///
/// Flights are used again and again; [dev.verbena.transport.carrier.FlightQueue] keeps the idle
/// ones.
final class Flight extends InFlight {
    /// Where it arrives.
    int port;

    int from;
    int ecn;

    /// The way that it was sent by.
    @Nullable Path path;

    final MemorySegment header;
    int headerLength;
    MemorySegment payload;
    int payloadLength;
    boolean phantom;

    /// Bytes of the frame in [#payload], or 0 when headers and payload are apart.
    int frameLength;

    /// Whether the wire did anything to it but carry it.
    boolean harmed;

    /// Whether its bits are no longer those that were sent.
    boolean damaged;

    Flight() {
        header = Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH, 8);
        payload = MemorySegment.NULL;
    }

    @Override
    protected int receiver() {
        return port;
    }

    /// Makes room for the payload or the frame; what was in it is lost.
    void room(int bytes) {
        if (payload.byteSize() < bytes) {
            payload = Arena.ofAuto().allocate(Math.max(512, Integer.highestOneBit(bytes) * 2), 8);
        }
    }

    void copyFrom(Flight other) {
        port = other.port;
        from = other.from;
        ecn = other.ecn;
        path = other.path;
        headerLength = other.headerLength;
        payloadLength = other.payloadLength;
        phantom = other.phantom;
        frameLength = other.frameLength;
        harmed = other.harmed;
        damaged = other.damaged;
        MemorySegment.copy(other.header, 0, header, 0, headerLength);
        int bytes = phantom ? 0 : Math.max(frameLength, payloadLength);
        room(bytes);
        MemorySegment.copy(other.payload, 0, payload, 0, bytes);
    }

    Path path() {
        return Objects.requireNonNull(path, "whatever flies was sent by a path");
    }

    /// Its claimed source: zero where packets have no GRH.
    Gid source() {
        return switch (path()) {
            case Path.Roce roce -> roce.source();
            case Path.InfiniBand local -> local.isGlobal() ? local.source() : Gid.NONE;
        };
    }

    Operation operation() {
        return Opcode.of(Bth.opcode(header, 0)).operation();
    }

    boolean isResponse() {
        return operation().isResponse();
    }

    /// Whether it is a request that an acknowledgement alone does not answer.
    boolean wantsData() {
        return switch (operation()) {
            case READ_REQUEST, COMPARE_SWAP, FETCH_ADD -> true;
            default -> false;
        };
    }

    boolean carriesData() {
        return isResponse() && operation() != Operation.ACKNOWLEDGE;
    }

    int psn() {
        return Bth.psn(header, 0);
    }

    int destQp() {
        return Bth.destQp(header, 0);
    }

    boolean asksForAck() {
        return Bth.ackRequest(header, 0);
    }

    /// The AETH syndrome, or -1 where there is none.
    int syndrome() {
        Opcode opcode = Opcode.of(Bth.opcode(header, 0));
        return opcode.has(ExtendedHeader.AETH)
                ? Aeth.syndrome(header, Bth.LENGTH + opcode.offsetOf(ExtendedHeader.AETH))
                : -1;
    }

    /// The message sequence number, or -1 where there is none.
    int msn() {
        Opcode opcode = Opcode.of(Bth.opcode(header, 0));
        return opcode.has(ExtendedHeader.AETH)
                ? Aeth.msn(header, Bth.LENGTH + opcode.offsetOf(ExtendedHeader.AETH))
                : -1;
    }

    /// How many sequence numbers the request uses up.
    int span(int mtu) {
        if (operation() != Operation.READ_REQUEST) {
            return 1;
        }
        long bytes = Reth.lengthBytes(header, Bth.LENGTH);
        return (int) Math.max(1, (bytes + mtu - 1) / mtu);
    }
}

package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Bth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Passes packets on between the devices of one address.
///
/// All of them read the socket of requests; the device that has read a request forwards it to the
/// one that listens.
///
/// The kernel checks only the first packet of those that arrived one after the other from one port
/// and that it combined, so others among them may be for another device. They are sent to the same
/// address once more, after a header that leads them to the right socket and contains their source.
/// They never leave the machine, and only a device that knows the secret can write the header.
///
/// ```text
///  0  undefined opcode, zeros      16  source address, as a GID
///  5  0xF0 + number of the socket  32  source port  34  traffic class  35  hop limit
///  8  secret                       36  place in its train              40  the packet
/// ```
final class Forwarding {
    private static final int OPCODE = 0xFF;
    private static final int SECRET = 8;
    private static final int SOURCE = 16;
    private static final int PORT = 32;
    private static final int TRAFFIC_CLASS = 34;
    private static final int HOP_LIMIT = 35;
    private static final int PLACE = 36;
    static final int HEADER = 40;

    private static final int BETWEEN_US = Steering.BETWEEN_US << 4;

    private final Gid own;
    private final int slot;
    private final long secret;
    private final int socket;
    private final ServiceNames services;
    private final MemorySegment state;
    private final MemorySegment header = Arena.ofAuto().allocate(HEADER, 8);
    private final MemorySegment pieces = Arena.ofAuto().allocate(2L * Train.PIECE, 8);
    private final MemorySegment address = Arena.ofAuto().allocate(SocketAddress.LENGTH_MAX, 8);
    private final MessageHeader message = new MessageHeader();
    private long sent;
    private long received;
    private long refused;

    Forwarding(RoceSettings settings, int scope, SocketGroup group, MemorySegment state) {
        own = settings.address();
        slot = group.slot();
        secret = group.secret();
        socket = group.socket();
        services = group.services();
        this.state = state;
        message.peer(address, SocketAddress.put(address, own, settings.port(), scope));
        BigEndian.put8(header, 0, OPCODE);
        BigEndian.put64(header, SECRET, secret);
        pieces.set(ValueLayout.ADDRESS, 0, header);
        pieces.set(ValueLayout.JAVA_LONG, 8, HEADER);
        message.pieces(pieces, 2);
    }

    int slot() {
        return slot;
    }

    ServiceNames services() {
        return services;
    }

    /// Forwards a received packet to the device that it is for, if that is another one.
    ///
    /// @param place its index in its train, which its ICRC may depend on
    /// @return false when it is for this device
    boolean passes(long nowNs, Arrival from, long at, int length, int place) {
        int target = Steering.socketOf(from.bytes, at, length);
        if (target == Steering.REQUESTS) {
            return passesRequest(nowNs, from, at, length, place);
        }
        if (target == Steering.NOBODY) {
            refused++;
        } else if (target != slot) {
            pass(from, at, length, place, target);
        }
        return target != slot;
    }

    /// The same for packets to queue pair 1 that name no device. When no program listens for a
    /// request, the device that has read it replies.
    private boolean passesRequest(long nowNs, Arrival from, long at, int length, int place) {
        if (Steering.asksForService(from.bytes, at, length)) {
            int holder = services.holder(Steering.service(from.bytes, at), nowNs);
            if (holder != ServiceNames.NOBODY && holder != slot) {
                pass(from, at, length, place, holder);
                return true;
            }
        } else if (Steering.givesUp(from.bytes, at, length)) {
            // Only the one that it means knows it.
            for (int i = 0; i < HandOver.DEVICES; i++) {
                if (i != slot) {
                    pass(from, at, length, place, i);
                }
            }
        }
        return false;
    }

    private void pass(Arrival from, long at, int length, int place, int target) {
        BigEndian.put8(header, Steering.AT, BETWEEN_US | target);
        BigEndian.put64(header, SOURCE, from.sourceHigh);
        BigEndian.put64(header, SOURCE + Long.BYTES, from.sourceLow);
        BigEndian.put16(header, PORT, from.sourcePort);
        BigEndian.put8(header, TRAFFIC_CLASS, from.trafficClass);
        BigEndian.put8(header, HOP_LIMIT, from.hopLimit);
        BigEndian.put32(header, PLACE, place);
        pieces.set(ValueLayout.JAVA_LONG, Train.PIECE, from.bytes.address() + at);
        pieces.set(ValueLayout.JAVA_LONG, Train.PIECE + 8, length);
        message.clearControl();
        int flags = SocketOption.DONT_WAIT;
        if (Libc.sendmsg(state, socket, message.finish(), flags) == HEADER + length) {
            sent++;
        } else {
            refused++;
        }
    }

    /// Whether this is a packet that another device here forwarded to this one: it arrives alone. A
    /// wrongly forwarded packet is not forwarded again.
    boolean isPassedOn(Arrival arrival) {
        MemorySegment bytes = arrival.bytes;
        return arrival.length >= HEADER + Bth.LENGTH
                && arrival.packetLength >= arrival.length
                && BigEndian.u8(bytes, 0) == OPCODE
                && BigEndian.u8(bytes, Steering.AT) == (BETWEEN_US | slot)
                && BigEndian.i64(bytes, SECRET) == secret
                && arrival.sourceHigh == own.high()
                && arrival.sourceLow == own.low()
                && isForThis(Steering.socketOf(bytes, HEADER, arrival.length - HEADER));
    }

    private boolean isForThis(int target) {
        return target == slot || target == Steering.REQUESTS;
    }

    /// Makes it the arrival that it was; returns the place in its train. The packet begins at
    /// [#HEADER].
    int unwrap(Arrival arrival) {
        received++;
        MemorySegment bytes = arrival.bytes;
        arrival.sourceHigh = BigEndian.i64(bytes, SOURCE);
        arrival.sourceLow = BigEndian.i64(bytes, SOURCE + Long.BYTES);
        arrival.sourcePort = BigEndian.u16(bytes, PORT);
        arrival.trafficClass = BigEndian.u8(bytes, TRAFFIC_CLASS);
        arrival.hopLimit = BigEndian.u8(bytes, HOP_LIMIT);
        return BigEndian.i32(bytes, PLACE);
    }

    /// Packets passed on to others.
    long sent() {
        return sent;
    }

    /// Packets that others passed on.
    long received() {
        return received;
    }

    /// Packets for queue pairs of no device at this address.
    long refused() {
        return refused;
    }
}

package dev.verbena.transport.carrier;

import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.IcrcPseudoHeader;
import java.lang.foreign.MemorySegment;

/// The bytes behind a packet's payload and pad, by which its receiver tells a packet that is whole
/// from one that is not. Each queue pair has one for the path to its peer, and each packet that
/// leaves names it: the queue pair knows how long it is, and the carrier has it made, because only
/// the carrier knows the network headers in front of the packet. [IcrcSeal] is the usual one.
///
/// The ICRC is the last four bytes of every seal, since every receiver looks for it there before it
/// looks at anything else. What else a seal has stands before it.
///
/// A receiver's parser takes the ICRC alone off a packet: a seal with more bytes also needs opcodes
/// of its own, by which the parser finds them, as [#isWhole] then does.
///
/// A seal is used by the thread that holds the device's guard, and may keep state from [#start] to
/// [#end].
public interface Seal {
    /// The most bytes that a seal has: room that a carrier keeps behind a packet.
    int LENGTH_MAX = 32;

    /// Its bytes; a multiple of four.
    int length();

    /// Starts a seal over network headers that are not at hand, and a first piece that holds at
    /// least the BTH. The rest of the packet follows by [#add], in the order of the wire.
    ///
    /// @param piece bytes of the first piece, from the BTH on
    /// @param covered bytes of all pieces: the packet up to its seal
    void start(
            IcrcPseudoHeader network,
            int ipv4Id,
            MemorySegment segment,
            long bthAt,
            int piece,
            int covered);

    /// Adds a piece: extended headers, payload or pad.
    void add(MemorySegment segment, long at, long length);

    /// Puts the seal of the pieces, once all that were announced have been added.
    void end(MemorySegment to, long at);

    /// Puts the seal of a packet that lies in one piece, from the BTH up to the seal.
    void put(IcrcPseudoHeader network, int ipv4Id, MemorySegment segment, long bthAt, int covered);

    /// Puts the seal of a packet that lies in one piece with its network headers: from the LRH, or
    /// in RoCE from the GRH or IP header, up to the seal.
    void put(Encapsulation encapsulation, MemorySegment segment, long networkAt, long at);

    /// Whether a packet is what its sender made of it, as far as its own queue pair must look: the
    /// carrier has checked the ICRC before ([InboundPacket#verdict]). A packet that is not is
    /// dropped without an answer.
    boolean isWhole(InboundPacket packet);
}

package dev.verbena.transport.pair;

import dev.verbena.transport.work.WorkSlab;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Reth;
import java.lang.foreign.MemorySegment;

/// One packet of a WRITE that says itself where it belongs, without its bytes: what must be known
/// of it when its turn comes, after its bytes were placed.
///
/// It is filled again for each packet, from the packet or from three words.
public final class WritePacket {
    /// Words of a packet that is remembered.
    public static final int WORDS = 3;

    private static final int SOLICITED = 1 << 8;
    private static final int LENGTH_SHIFT = 16;

    Operation operation = Operation.UNKNOWN;
    long address;
    int key;

    /// Bytes from its first to the end of the message.
    long rest;

    int length;
    int immediate;
    boolean isSolicited;

    public WritePacket() {}

    public Operation operation() {
        return operation;
    }

    /// Takes the headers of a packet whose form was checked.
    public void take(PacketView view) {
        MemorySegment segment = view.segment();
        long at = view.at(ExtendedHeader.RETH);
        operation = view.opcode().operation();
        address = Reth.address(segment, at);
        key = Reth.rkey(segment, at);
        rest = Reth.lengthBytes(segment, at);
        length = view.payloadLength();
        immediate =
                view.has(ExtendedHeader.IMM_DT)
                        ? ImmDt.data(segment, view.at(ExtendedHeader.IMM_DT))
                        : 0;
        isSolicited = view.isSolicited();
    }

    public void put(long[] words, int at) {
        words[at] = address;
        words[at + 1] = ((long) key << 32) | rest;
        int bits = operation.code() | (isSolicited ? SOLICITED : 0) | (length << LENGTH_SHIFT);
        words[at + 2] = ((long) immediate << 32) | bits;
    }

    public void take(long[] words, int at) {
        address = words[at];
        key = (int) (words[at + 1] >>> 32);
        rest = words[at + 1] & 0xFFFF_FFFFL;
        int bits = (int) words[at + 2];
        operation = Opcode.of(bits & 0x1F).operation();
        isSolicited = (bits & SOLICITED) != 0;
        length = bits >>> LENGTH_SHIFT;
        immediate = (int) (words[at + 2] >>> 32);
    }

    boolean isImmediate() {
        return operation == Operation.WRITE_LAST_IMMEDIATE
                || operation == Operation.WRITE_ONLY_IMMEDIATE;
    }

    /// Whether what it says of the message's rest fits its place in the message.
    boolean fitsRest() {
        return operation.endsMessage()
                ? rest == length
                : rest > length && rest <= WorkSlab.MAX_LENGTH;
    }
}

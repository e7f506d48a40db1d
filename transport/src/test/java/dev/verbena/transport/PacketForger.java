package dev.verbena.transport;

import dev.verbena.transport.pair.Packets;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Reth;
import dev.verbena.wire.SackEth;
import dev.verbena.wire.Service;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// The packet that will be forged next. It starts as a perfect one of the target's peer; an attack
/// changes what it lies about.
///
/// The payload is what lies in the frame's memory, with a stamp that no two packets share, unless
/// an attack says what it is.
final class PacketForger {
    private static final int AUTOMATIC = -1;

    private final AttackFrames frames;
    private final Gid home;
    AttackFrames.Node from;
    Gid to;
    int queueKey;
    int sourcePair;
    int code;
    int flags;
    int version;
    int pkey;
    int destination;
    int psn;
    private int payload;
    private int pad;
    private int tail;
    private long address;
    private int key;
    private long length;
    private long swapOrAdd;
    private long compare;
    private int immediate;
    private int invalidated;
    private int syndrome;
    private int msn;
    private long stamp;
    private int selectedStart;
    private int selectedSeen;
    private long selectedWord;
    private int strangeNumber = AUTOMATIC;
    private @Nullable MemorySegment content;

    PacketForger(AttackFrames frames, AttackFrames.Node from, Gid home) {
        this.frames = frames;
        this.from = from;
        this.home = home;
        this.to = home;
    }

    /// A packet of the peer with the sequence number that the target waits for.
    PacketForger of(Target target, Operation operation) {
        from = target.peer;
        to = home;
        code = service(target, operation).code() | operation.code();
        queueKey = target.queueKey;
        sourcePair = target.peerNumber;
        flags = Bth.ACK_REQUEST;
        version = 0;
        strangeNumber = AUTOMATIC;
        content = null;
        pkey = target.peerPkey;
        destination = target.pair.number();
        psn = target.expectedPsn;
        payload = 0;
        pad = AUTOMATIC;
        tail = AUTOMATIC;
        immediate = 0x5EC2E7;
        msn = 0;
        syndrome = 0x1F;
        return this;
    }

    private static Service service(Target target, Operation operation) {
        boolean isApart = operation.isWrite() || operation == Operation.SELECTIVE_ACKNOWLEDGE;
        return target.isSelective && isApart
                ? Service.MANUFACTURER_6
                : Packets.service(target.type);
    }

    /// Comes from one of a million unknown addresses.
    void strange(int number) {
        strangeNumber = number;
    }

    PacketForger psn(int value) {
        psn = value;
        return this;
    }

    PacketForger remote(long atAddress, int withKey, long ofLength) {
        address = atAddress;
        key = withKey;
        length = ofLength;
        return this;
    }

    PacketForger operands(long swapOrAddend, long compared) {
        swapOrAdd = swapOrAddend;
        compare = compared;
        return this;
    }

    PacketForger payload(int bytes) {
        payload = bytes;
        return this;
    }

    /// The payload is this, as far as both reach, and not a stamp.
    PacketForger content(MemorySegment bytes) {
        content = bytes;
        return this;
    }

    /// Lies about the pad: `bytes` of payload by the header, in as many bytes on the wire.
    PacketForger lie(int bytes, int padCount, int onTheWire) {
        payload = bytes;
        pad = padCount;
        tail = onTheWire;
        return this;
    }

    PacketForger invalidate(int ofKey) {
        invalidated = ofKey;
        return this;
    }

    PacketForger answer(int withSyndrome, int withMsn) {
        syndrome = withSyndrome;
        msn = withMsn;
        return this;
    }

    /// What a selective acknowledgement says; the map is the same word four times.
    PacketForger select(int start, int seen, long word) {
        selectedStart = start;
        selectedSeen = seen;
        selectedWord = word;
        return this;
    }

    int payload() {
        return payload;
    }

    long address() {
        return address;
    }

    long length() {
        return length;
    }

    /// Where the payload of the written packet is.
    long payloadAt() {
        return (long) frames.transportAt + Bth.LENGTH + Opcode.of(code).headersLength();
    }

    /// Writes the packet into the frame, checksums and all; returns its length without networks.
    int write() {
        MemorySegment out = frames.bytes;
        Opcode opcode = Opcode.of(code);
        long at = frames.transportAt;
        int pads = pad == AUTOMATIC ? -payload & 3 : pad;
        Bth.put(out, at, code, flags, pads, pkey, destination, psn);
        if (version != 0) {
            int second = out.get(ValueLayout.JAVA_BYTE, at + 1) | version;
            out.set(ValueLayout.JAVA_BYTE, at + 1, (byte) second);
        }
        long extended = at + Bth.LENGTH;
        if (opcode.has(ExtendedHeader.DETH)) {
            Deth.put(out, extended + opcode.offsetOf(ExtendedHeader.DETH), queueKey, sourcePair);
        }
        if (opcode.has(ExtendedHeader.RETH)) {
            long there = extended + opcode.offsetOf(ExtendedHeader.RETH);
            Reth.put(out, there, address, key, length);
        }
        if (opcode.has(ExtendedHeader.ATOMIC_ETH)) {
            long there = extended + opcode.offsetOf(ExtendedHeader.ATOMIC_ETH);
            AtomicEth.put(out, there, address, key, swapOrAdd, compare);
        }
        if (opcode.has(ExtendedHeader.IMM_DT)) {
            ImmDt.put(out, extended + opcode.offsetOf(ExtendedHeader.IMM_DT), immediate);
        }
        if (opcode.has(ExtendedHeader.IETH)) {
            Ieth.put(out, extended + opcode.offsetOf(ExtendedHeader.IETH), invalidated);
        }
        if (opcode.has(ExtendedHeader.AETH)) {
            Aeth.put(out, extended + opcode.offsetOf(ExtendedHeader.AETH), syndrome, msn);
        }
        if (opcode.has(ExtendedHeader.ATOMIC_ACK_ETH)) {
            long there = extended + opcode.offsetOf(ExtendedHeader.ATOMIC_ACK_ETH);
            AtomicAckEth.put(out, there, swapOrAdd);
        }
        if (opcode.has(ExtendedHeader.SACK_ETH)) {
            long there = extended + opcode.offsetOf(ExtendedHeader.SACK_ETH);
            SackEth.put(out, there, selectedStart, selectedSeen);
            for (int i = 0; i < SackEth.WORDS; i++) {
                SackEth.putWord(out, there, i, selectedWord);
            }
        }
        if (content == null) {
            stamp += 0x9E37_79B9_7F4A_7C15L;
            out.set(ValueLayout.JAVA_LONG_UNALIGNED, payloadAt(), stamp);
        } else {
            long length = Math.min(payload, content.byteSize());
            MemorySegment.copy(content, 0, out, payloadAt(), length);
        }
        int behind = tail == AUTOMATIC ? payload + pads : tail;
        int written = Bth.LENGTH + opcode.headersLength() + behind + Icrc.LENGTH;
        if (strangeNumber == AUTOMATIC) {
            frames.from(from);
        } else {
            frames.fromStranger(strangeNumber);
        }
        frames.to(to);
        frames.seal(written);
        return written;
    }
}

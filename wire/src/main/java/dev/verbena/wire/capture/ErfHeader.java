package dev.verbena.wire.capture;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// The fixed header of an [Erf] record as values.
///
/// The timestamp is the fixed-point number as stored, so that emission gives back the same bytes.
public record ErfHeader(
        long timestamp,
        int type,
        boolean extended,
        int flags,
        int recordLength,
        int lossCounter,
        int wireLength) {
    public ErfHeader {
        WireException.requireBits("ERF type", type, 7);
        WireException.requireBits("ERF flags", flags, 8);
        WireException.requireBits("ERF record length", recordLength, 16);
        WireException.requireBits("ERF loss counter", lossCounter, 16);
        WireException.requireBits("ERF wire length", wireLength, 16);
    }

    /// Reads the header of a record that [Erf#check] let pass.
    public static ErfHeader parse(MemorySegment segment, long at) {
        return new ErfHeader(
                Erf.timestamp(segment, at),
                Erf.type(segment, at),
                Erf.hasExtension(segment, at),
                Erf.flags(segment, at),
                Erf.recordLength(segment, at),
                Erf.lossCounter(segment, at),
                Erf.wireLength(segment, at));
    }

    public void emit(MemorySegment segment, long at) {
        LittleEndian.put64(segment, at + Erf.TIMESTAMP, timestamp);
        BigEndian.put8(segment, at + Erf.TYPE, extended ? type | 0x80 : type);
        BigEndian.put8(segment, at + Erf.FLAGS, flags);
        BigEndian.put16(segment, at + Erf.RECORD_LENGTH, recordLength);
        BigEndian.put16(segment, at + Erf.LOSS_COUNTER, lossCounter);
        BigEndian.put16(segment, at + Erf.WIRE_LENGTH, wireLength);
    }

    public long timestampNs() {
        return Erf.toNs(timestamp);
    }
}

package dev.verbena.wire.capture;

/// The precision of the timestamps of a pcap file, given by its magic number.
public enum TimePrecision {
    /// Every reader supports microseconds; the rest of the nanoseconds is dropped.
    MICROSECONDS(PcapRecords.MAGIC_MICROSECONDS, 1000),
    NANOSECONDS(PcapRecords.MAGIC_NANOSECONDS, 1);

    private final int magic;
    private final int nsPerUnit;

    TimePrecision(int magic, int nsPerUnit) {
        this.magic = magic;
        this.nsPerUnit = nsPerUnit;
    }

    int magic() {
        return magic;
    }

    int nsPerUnit() {
        return nsPerUnit;
    }
}

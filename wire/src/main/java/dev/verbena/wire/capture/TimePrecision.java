package dev.verbena.wire.capture;

/// How finely a pcap file tells time, which its magic number says.
public enum TimePrecision {
    /// What every reader understands; the rest of the nanoseconds is dropped.
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

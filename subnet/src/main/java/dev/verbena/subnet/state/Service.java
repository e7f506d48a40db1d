package dev.verbena.subnet.state;

import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// A service that a port offers: the bytes of a ServiceRecord, one character for each.
public record Service(String bytes) {
    /// What tells services apart (IBA 15.2.5.14).
    public record Key(long id, Gid port, int pkey) {}

    public Service {
        if (bytes.length() != ServiceRecord.LENGTH) {
            throw new IllegalArgumentException(
                    "a service of %d bytes: use %d"
                            .formatted(bytes.length(), ServiceRecord.LENGTH));
        }
    }

    public static Service of(MemorySegment record) {
        byte[] copy = new byte[ServiceRecord.LENGTH];
        MemorySegment.copy(record, 0, MemorySegment.ofArray(copy), 0, copy.length);
        return new Service(new String(copy, StandardCharsets.ISO_8859_1));
    }

    public MemorySegment record() {
        return MemorySegment.ofArray(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    public Key key() {
        MemorySegment record = record();
        return new Key(
                ServiceRecord.SERVICE_ID.read(record, 0),
                Gid.parse(record, 8),
                ServiceRecord.SERVICE_PKEY.readInt(record, 0));
    }

    /// Seconds; all ones: for ever.
    public long leaseSeconds() {
        return ServiceRecord.SERVICE_LEASE.read(record(), 0);
    }
}

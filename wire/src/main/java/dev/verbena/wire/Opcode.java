package dev.verbena.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// All 256 BTH opcodes, each with the headers that follow it (IBA 9.2.1, table of opcodes).
///
/// There is one object per code and [#of] knows them all: an opcode that is reserved or another
/// manufacturer's is a value like any other, with `operation()` [Operation#UNKNOWN].
///
/// Of the manufacturer's opcodes Verbena uses these, between peers that have agreed on it
/// (docs/decisions/0050-selective-repeat.md); every WRITE packet has a RETH of its own:
///
/// | code | operation | headers |
/// |---|---|---|
/// | C0, C1 | reserved for sealed packets | |
/// | C6 to C8 | WRITE First, Middle, Last | RETH |
/// | C9 | WRITE Last+Imm | RETH, ImmDt |
/// | CA | WRITE Only | RETH |
/// | CB | WRITE Only+Imm | RETH, ImmDt |
/// | DC | SACK | AETH, SACKETH |
///
/// Headers that each service puts before the headers of a reliable connection:
///
/// | service | requests | responses |
/// |---|---|---|
/// | RC, UC | nothing | nothing |
/// | RD | RDETH, DETH | RDETH |
/// | UD | DETH | |
/// | XRC | XRCETH | nothing |
public final class Opcode {
    /// The CNP of RoCE v2, opcode 0x81; native InfiniBand has 0x80.
    public static final Opcode CNP;

    private static final Set<Operation> UNRELIABLE =
            EnumSet.range(Operation.SEND_FIRST, Operation.WRITE_ONLY_IMMEDIATE);
    private static final Set<Operation> DATAGRAM =
            EnumSet.of(Operation.SEND_ONLY, Operation.SEND_ONLY_IMMEDIATE);
    private static final Set<Operation> RELIABLE =
            EnumSet.complementOf(
                    EnumSet.of(
                            Operation.RESYNC,
                            Operation.CONGESTION_NOTIFICATION,
                            Operation.CONGESTION_NOTIFICATION_NATIVE,
                            Operation.SELECTIVE_ACKNOWLEDGE,
                            Operation.UNKNOWN));
    private static final Set<Operation> RELIABLE_DATAGRAM =
            EnumSet.complementOf(
                    EnumSet.of(
                            Operation.SEND_LAST_INVALIDATE,
                            Operation.SEND_ONLY_INVALIDATE,
                            Operation.CONGESTION_NOTIFICATION,
                            Operation.CONGESTION_NOTIFICATION_NATIVE,
                            Operation.SELECTIVE_ACKNOWLEDGE,
                            Operation.UNKNOWN));
    private static final Set<Operation> SELECTIVE =
            EnumSet.of(
                    Operation.WRITE_FIRST,
                    Operation.WRITE_MIDDLE,
                    Operation.WRITE_LAST,
                    Operation.WRITE_LAST_IMMEDIATE,
                    Operation.WRITE_ONLY,
                    Operation.WRITE_ONLY_IMMEDIATE,
                    Operation.SELECTIVE_ACKNOWLEDGE);
    private static final Set<Operation> CONGESTION =
            EnumSet.of(Operation.CONGESTION_NOTIFICATION, Operation.CONGESTION_NOTIFICATION_NATIVE);
    private static final int ABSENT = -1;

    private static final Opcode[] BY_CODE = new Opcode[256];

    static {
        for (int code = 0; code < BY_CODE.length; code++) {
            BY_CODE[code] = new Opcode(code);
        }
        CNP = of(Service.CNP, Operation.CONGESTION_NOTIFICATION);
    }

    private final int code;
    private final Service service;
    private final Operation operation;
    private final List<ExtendedHeader> headers;
    private final byte[] offsets;
    private final int headersLength;

    private Opcode(int code) {
        this.code = code;
        this.service = Service.of(code);
        this.operation = operationOf(service, code & 0x1F);
        this.headers = headersOf(service, operation);
        this.offsets = new byte[ExtendedHeader.values().length];
        Arrays.fill(offsets, (byte) ABSENT);
        int length = 0;
        for (ExtendedHeader header : headers) {
            offsets[header.slot()] = (byte) length;
            length += header.length();
        }
        this.headersLength = length;
    }

    /// The opcode of a byte; total.
    public static Opcode of(int code) {
        return BY_CODE[code & 0xFF];
    }

    /// The opcode of an operation in a service that has it.
    public static Opcode of(Service service, Operation operation) {
        Opcode opcode = of(service.code() | (operation.code() & 0x1F));
        if (opcode.operation != operation || operation == Operation.UNKNOWN) {
            throw new WireException(service.title() + " has no operation " + operation.title());
        }
        return opcode;
    }

    public int code() {
        return code;
    }

    public Service service() {
        return service;
    }

    public Operation operation() {
        return operation;
    }

    /// False when the code is reserved or belongs to another manufacturer: the headers after the
    /// BTH are not known.
    public boolean isKnown() {
        return operation != Operation.UNKNOWN;
    }

    /// The headers after the BTH, in wire order.
    public List<ExtendedHeader> headers() {
        return headers;
    }

    /// Bytes of all headers after the BTH.
    public int headersLength() {
        return headersLength;
    }

    public boolean has(ExtendedHeader header) {
        return offsets[header.slot()] != ABSENT;
    }

    /// How far behind the BTH a header starts.
    public int offsetOf(ExtendedHeader header) {
        int offset = offsets[header.slot()];
        if (offset == ABSENT) {
            throw new WireException(this + " carries no " + header.title() + "; ask has() first");
        }
        return offset;
    }

    @Override
    public String toString() {
        if (isKnown()) {
            return service == Service.CNP
                    ? operation.title()
                    : service.title() + " " + operation.title();
        }
        return "%s opcode 0x%02x".formatted(service.title(), code);
    }

    private static Operation operationOf(Service service, int low) {
        Set<Operation> operations =
                switch (service) {
                    case RC, XRC -> RELIABLE;
                    case UC -> UNRELIABLE;
                    case RD -> RELIABLE_DATAGRAM;
                    case UD -> DATAGRAM;
                    case CNP -> CONGESTION;
                    case MANUFACTURER_6 -> SELECTIVE;
                    case MANUFACTURER_7 -> EnumSet.noneOf(Operation.class);
                };
        for (Operation operation : operations) {
            if (operation.code() == low) {
                return operation;
            }
        }
        return Operation.UNKNOWN;
    }

    private static List<ExtendedHeader> headersOf(Service service, Operation operation) {
        List<ExtendedHeader> headers = new ArrayList<>();
        if (operation != Operation.UNKNOWN) {
            if (service == Service.RD) {
                headers.add(ExtendedHeader.RDETH);
            }
            boolean datagram = service == Service.RD || service == Service.UD;
            if (datagram && !operation.isResponse()) {
                headers.add(ExtendedHeader.DETH);
            }
            if (service == Service.XRC && !operation.isResponse()) {
                headers.add(ExtendedHeader.XRCETH);
            }
            boolean isApart = service == Service.MANUFACTURER_6 && operation.isWrite();
            if (isApart && !operation.headers().contains(ExtendedHeader.RETH)) {
                headers.add(ExtendedHeader.RETH);
            }
            headers.addAll(operation.headers());
        }
        return List.copyOf(headers);
    }
}

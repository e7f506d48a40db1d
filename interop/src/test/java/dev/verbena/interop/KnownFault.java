package dev.verbena.interop;

import dev.verbena.wire.Operation;
import dev.verbena.wire.Service;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Where tshark prints something else than what is on the wire, and why.
///
/// A fault only explains a difference. When a newer tshark has no difference left, the fault
/// explains nothing and nothing fails.
enum KnownFault {
    RD_READ_AS_DCT(
            "the opcodes of reliable datagrams are read as those of NVIDIA's dynamically connected"
                    + " transport, with a BTH of 20 bytes: all behind the BTH is read 8 bytes too"
                    + " late, and short packets count as malformed") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            // The first of the reserved bytes is the BTH's, which is read rightly.
            boolean misread =
                    isBehindBth(field)
                            || (field.equals(PacketFields.RESERVED)
                                    && !printed.isEmpty()
                                    && frame.expect()
                                            .field(field)
                                            .orElseThrow()
                                            .values()
                                            .getFirst()
                                            .equals(printed.getFirst()));
            return isService(frame, Service.RD) && misread;
        }

        @Override
        boolean explainsMalformed(Frame frame) {
            return isService(frame, Service.RD);
        }
    },
    XRC_NOT_SPLIT(
            "it knows the names of the XRC opcodes but not their headers: all behind the BTH is one"
                    + " infiniband.vendor field, the ICRC included, which is compared instead") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            return isService(frame, Service.XRC) && isBehindBth(field) && printed.isEmpty();
        }
    },
    FLUSH_NOT_SPLIT(
            "the opcode FLUSH is unknown to it before 4.4: all behind the BTH is one"
                    + " infiniband.vendor field, which is compared instead") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            return isOperation(frame, Operation.FLUSH) && isBehindBth(field) && printed.isEmpty();
        }
    },
    MULTICAST_TABLE_HALF_READ(
            "of the 32 masks of a MulticastForwardingTable it shows the first 16") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            if (!field.equals("infiniband.multicastforwardingtable.portmask")) {
                return false;
            }
            List<String> values = frame.expect().field(field).orElseThrow().values();
            List<String> numbers = printed.stream().map(it -> Long.decode(it).toString()).toList();
            return numbers.equals(values.subList(0, values.size() / 2));
        }
    },
    ATOMIC_WRITE_NOT_SPLIT(
            "the opcode ATOMIC WRITE is unknown to it before 4.4: all behind the BTH is one"
                    + " infiniband.vendor field, which is compared instead") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            return isOperation(frame, Operation.ATOMIC_WRITE)
                    && isBehindBth(field)
                    && printed.isEmpty();
        }
    },
    CNP_UNKNOWN(
            "it names opcode 0x80 CNP and does not know 0x81, which NICs send: all behind the BTH"
                    + " is one infiniband.vendor field, which is compared instead") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            return isService(frame, Service.CNP) && isBehindBth(field) && printed.isEmpty();
        }
    },
    CM_FLOW_LABEL_CUT(
            "the flow labels of a CM REQ are read from three bytes with the mask of four, so their"
                    + " lower eight bits are lost") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            return field.endsWith("_flowlabel")
                    && isPrinted(printed, expected(frame, field).orElse(0L) >> 8);
        }
    },
    CM_PACKET_RATE_MISPLACED(
            "the packet rates of a CM REQ are read from the first byte of the flow label, three"
                    + " bytes too early") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            String label = field.replace("_pktrate", "_flowlabel");
            return field.endsWith("_pktrate")
                    && isPrinted(printed, (expected(frame, label).orElse(0L) >> 12) & 0x3F);
        }
    },
    CM_GID_CUT_OVER_IPV4(
            "of the primary GIDs of a CM REQ over IPv4 only the last four bytes are printed, which"
                    + " are compared; the alternate ones are whole") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            return (field.endsWith(".prim_localgid") || field.endsWith(".prim_remotegid"))
                    && frame.expect().field(field + "_ipv4").isPresent()
                    && printed.isEmpty();
        }
    },
    MAD_RESERVED_CLASS_OVERREAD(
            "of a MAD of a reserved class it takes 256 more bytes behind the common header, where"
                    + " there are 232 and the checksums, and calls it malformed") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            return CRCS.contains(field) && isReservedClass(frame) && printed.isEmpty();
        }

        @Override
        boolean explainsMalformed(Frame frame) {
            return isReservedClass(frame);
        }
    },
    MAD_CLASS_WITHOUT_ICRC(
            "behind a MAD of a vendor's or an application's class it looks for the checksums where"
                    + " the MAD starts, and prints none") {
        @Override
        boolean explains(Frame frame, String field, List<String> printed) {
            long managementClass = expected(frame, "infiniband.mad.mgmtclass").orElse(0L);
            return CRCS.contains(field)
                    && managementClass >= 0x09
                    && managementClass <= 0x4F
                    && printed.isEmpty();
        }
    };

    private static final Set<String> CRCS =
            Set.of("infiniband.invariant.crc", "infiniband.variant.crc");

    private final String reason;

    KnownFault(String reason) {
        this.reason = reason;
    }

    /// The fault in words, for people.
    String reason() {
        return reason;
    }

    /// Whether this fault makes tshark print a field of a frame as it did.
    abstract boolean explains(Frame frame, String field, List<String> printed);

    /// Whether this fault makes tshark give up on a frame.
    boolean explainsMalformed(Frame frame) {
        return false;
    }

    static Optional<KnownFault> of(Frame frame, String field, List<String> printed) {
        return Arrays.stream(values())
                .filter(fault -> fault.explains(frame, field, printed))
                .findFirst();
    }

    static Optional<KnownFault> ofMalformed(Frame frame) {
        return Arrays.stream(values()).filter(fault -> fault.explainsMalformed(frame)).findFirst();
    }

    private static boolean isService(Frame frame, Service service) {
        return frame.opcode().filter(opcode -> opcode.service() == service).isPresent();
    }

    private static boolean isOperation(Frame frame, Operation operation) {
        return frame.opcode().filter(opcode -> opcode.operation() == operation).isPresent();
    }

    private static boolean isReservedClass(Frame frame) {
        return expected(frame, "infiniband.mad.mgmtclass")
                .filter(code -> MadFields.isReservedClass(code.intValue()))
                .isPresent();
    }

    private static boolean isBehindBth(String field) {
        return PacketFields.BEHIND_BTH.contains(field);
    }

    private static Optional<Long> expected(Frame frame, String field) {
        return frame.expect().field(field).map(known -> Long.valueOf(known.values().getFirst()));
    }

    private static boolean isPrinted(List<String> printed, long value) {
        return printed.size() == 1
                && Expect.Kind.NUMBER
                        .canonical(printed.getFirst())
                        .equals(Long.toUnsignedString(value));
    }
}

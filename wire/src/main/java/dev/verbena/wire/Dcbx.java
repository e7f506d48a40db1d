package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The settings for lossless Ethernet that a switch or NIC announces (IEEE 802.1Qaz), as LLDP TLVs.
///
/// Organisation 00-80-C2, then a subtype byte. Lists have one entry per priority or traffic class,
/// number 0 first.
public sealed interface Dcbx {
    /// Enhanced transmission selection in force (subtype 9).
    ///
    /// @param maxClasses traffic classes supported, 0 standing for 8
    record EtsConfiguration(boolean willing, boolean creditBased, int maxClasses, Ets ets)
            implements Dcbx {}

    /// Enhanced transmission selection recommended to the peer (subtype 10).
    record EtsRecommendation(Ets ets) implements Dcbx {}

    /// Priority flow control (subtype 11); bit n of `enabled` is priority n.
    record PfcConfiguration(boolean willing, boolean bypass, int capability, int enabled)
            implements Dcbx {}

    /// Which priority an application uses (subtype 12).
    record ApplicationPriority(List<Application> applications) implements Dcbx {}

    /// The class of each priority, and of each class its share in percent and its algorithm (0
    /// strict, 1 credit-based, 2 ETS, 255 the vendor's).
    record Ets(List<Integer> classes, List<Integer> percents, List<Integer> algorithms) {}

    /// One application: selector 1 EtherType, 2 TCP port, 3 UDP port, 4 any port, 5 DSCP.
    record Application(int priority, int selector, int protocol) {}

    int ORGANISATION = 0x0080C2;

    private static int subtype(MemorySegment segment, long tlv) {
        boolean ours =
                Lldp.type(segment, tlv) == Lldp.TYPE_ORGANISATION
                        && Lldp.valueLength(segment, tlv) >= 4
                        && BigEndian.u24(segment, tlv + Lldp.TLV_HEADER) == ORGANISATION;
        return ours ? BigEndian.u8(segment, tlv + Lldp.TLV_HEADER + 3) : -1;
    }

    /// Whether a TLV inside its frame is long enough for the fields of its subtype.
    static boolean fits(MemorySegment segment, long tlv) {
        int length = Lldp.valueLength(segment, tlv);
        return switch (subtype(segment, tlv)) {
            case 9, 10 -> length >= 25;
            case 11 -> length >= 6;
            case 12 -> length >= 5 && (length - 5) % 3 == 0;
            default -> true;
        };
    }

    /// The meaning of a TLV that [#fits], or nothing when it is not DCBX.
    static Optional<Dcbx> parse(MemorySegment segment, long tlv) {
        int subtype = subtype(segment, tlv);
        if (subtype < 9 || subtype > 12) {
            return Optional.empty();
        }
        long value = tlv + Lldp.TLV_HEADER + 4;
        int first = BigEndian.u8(segment, value);
        boolean willing = (first & 0x80) != 0;
        boolean second = (first & 0x40) != 0;
        return switch (subtype) {
            case 9 ->
                    Optional.of(
                            new EtsConfiguration(willing, second, first & 7, ets(segment, value)));
            case 10 -> Optional.of(new EtsRecommendation(ets(segment, value)));
            case 11 ->
                    Optional.of(
                            new PfcConfiguration(
                                    willing,
                                    second,
                                    first & 0xF,
                                    BigEndian.u8(segment, value + 1)));
            default ->
                    Optional.of(
                            new ApplicationPriority(
                                    applications(
                                            segment,
                                            value + 1,
                                            (Lldp.valueLength(segment, tlv) - 5) / 3)));
        };
    }

    private static Ets ets(MemorySegment segment, long value) {
        List<Integer> classes = new ArrayList<>();
        List<Integer> percents = new ArrayList<>();
        List<Integer> algorithms = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            // Two priorities to a byte, the lower number in the upper half.
            classes.add((BigEndian.u8(segment, value + 1 + i / 2) >> (4 - 4 * (i & 1))) & 0xF);
            percents.add(BigEndian.u8(segment, value + 5 + i));
            algorithms.add(BigEndian.u8(segment, value + 13 + i));
        }
        return new Ets(List.copyOf(classes), List.copyOf(percents), List.copyOf(algorithms));
    }

    private static List<Application> applications(MemorySegment segment, long at, int count) {
        List<Application> applications = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int head = BigEndian.u8(segment, at + 3L * i);
            applications.add(
                    new Application(head >> 5, head & 7, BigEndian.u16(segment, at + 3L * i + 1)));
        }
        return List.copyOf(applications);
    }
}

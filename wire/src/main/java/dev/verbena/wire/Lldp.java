package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Link-layer discovery frames (IEEE 802.1AB): read only, for the DCBX settings inside.
///
/// The body is a row of TLVs: type in seven bits, length in nine, then the value. Type 0 ends it;
/// type 127 belongs to an organisation, and [Dcbx] reads those of IEEE 802.1.
public final class Lldp {
    static final int TLV_HEADER = 2;
    static final int TYPE_END = 0;
    static final int TYPE_ORGANISATION = 127;

    private Lldp() {}

    /// The door: every TLV lies inside the body, every DCBX TLV is long enough for its fields.
    public static Verdict check(MemorySegment segment, long at, int length) {
        long end = at + length;
        for (long tlv = at; tlv < end; tlv = next(segment, tlv)) {
            if (end - tlv < TLV_HEADER || next(segment, tlv) > end) {
                return Verdict.LLDP_TLV_TRUNCATED;
            }
            if (type(segment, tlv) == TYPE_END) {
                return Verdict.OK;
            }
            if (!Dcbx.fits(segment, tlv)) {
                return Verdict.LLDP_TLV_LENGTH;
            }
        }
        return Verdict.OK;
    }

    /// The DCBX TLVs of a body that [#check] accepted; other TLVs are left out.
    public static List<Dcbx> dcbx(MemorySegment segment, long at, int length) {
        List<Dcbx> found = new ArrayList<>();
        long end = at + length;
        for (long tlv = at; tlv < end; tlv = next(segment, tlv)) {
            if (type(segment, tlv) == TYPE_END) {
                break;
            }
            Dcbx.parse(segment, tlv).ifPresent(found::add);
        }
        return List.copyOf(found);
    }

    static int type(MemorySegment segment, long tlv) {
        return BigEndian.u8(segment, tlv) >> 1;
    }

    static int valueLength(MemorySegment segment, long tlv) {
        return BigEndian.u16(segment, tlv) & 0x1FF;
    }

    private static long next(MemorySegment segment, long tlv) {
        return tlv + TLV_HEADER + valueLength(segment, tlv);
    }
}

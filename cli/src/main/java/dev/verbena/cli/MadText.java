package dev.verbena.cli;

import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmIds;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmMra;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.ServiceId;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Management datagrams in words.
final class MadText {
    private MadText() {}

    /// The datagram that a packet to QP0 or QP1 carries, if it carries one.
    static Optional<String> of(CapturedFrame frame) {
        PacketView view = frame.view();
        if (frame.isCutShort() || !isMad(view)) {
            return Optional.empty();
        }
        MemorySegment segment = view.segment();
        long at = view.payloadAt();
        String title =
                Mad.title(
                        Mad.managementClass(segment, at),
                        Mad.method(segment, at),
                        Mad.attributeId(segment, at));
        boolean cm = CmMessage.check(segment, at, view.payloadLength()).isOk();
        return Optional.of(cm ? title + " " + connection(segment, at) : title);
    }

    private static boolean isMad(PacketView view) {
        if (!view.has(ExtendedHeader.DETH) || view.destQp() > 1) {
            return false;
        }
        long at = view.payloadAt();
        boolean keyed =
                view.destQp() == 0
                        || Deth.qkey(view.segment(), view.at(ExtendedHeader.DETH)) == Deth.GSI_QKEY;
        return keyed && Mad.check(view.segment(), at, view.payloadLength()).isOk();
    }

    private static String connection(MemorySegment segment, long at) {
        String ids = ids(CmIds.local(segment, at), CmIds.remote(segment, at));
        return switch (CmMessage.parse(segment, at)) {
            case CmReq req ->
                    "id "
                            + Texts.hex32(req.localCommunicationId())
                            + " for "
                            + ServiceId.name(req.serviceId())
                            + ", qp "
                            + Texts.hex24(req.queuePair().qpn())
                            + " from psn "
                            + Texts.hex24(req.queuePair().startingPsn());
            case CmRep rep ->
                    ids
                            + ", qp "
                            + Texts.hex24(rep.queuePair().qpn())
                            + " from psn "
                            + Texts.hex24(rep.queuePair().startingPsn());
            case CmRej rej -> ids + ": " + rej.reason().sentence();
            case CmMra mra -> ids + ", wait code " + mra.serviceTimeout();
            case CmDreq dreq -> ids + ", closes qp " + Texts.hex24(dreq.remoteQpn());
            case CmSidrReq req ->
                    "id "
                            + Texts.hex32(req.requestId())
                            + " for "
                            + ServiceId.name(req.serviceId());
            case CmSidrRep rep ->
                    "id "
                            + Texts.hex32(rep.requestId())
                            + ": "
                            + rep.status().sentence()
                            + ", qp "
                            + Texts.hex24(rep.qpn());
            default -> ids;
        };
    }

    private static String ids(int local, int remote) {
        return "id " + Texts.hex32(local) + " to " + Texts.hex32(remote);
    }
}

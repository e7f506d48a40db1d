package dev.verbena.interop;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.CmDrep;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmPath;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmRtu;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.RdmaCmHeader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The fields of management datagrams under tshark's names.
final class MadFields {
    private static final String CM = "infiniband.cm.";
    private static final String REQ = CM + "req.";
    private static final String REP = CM + "rep.";

    private MadFields() {}

    /// The common header, and the rest of the 256 bytes as it is.
    static void header(Expect expect, Mad mad, byte[] datagram) {
        expect.number("infiniband.mad.baseversion", Mad.BASE_VERSION);
        expect.number("infiniband.mad.mgmtclass", mad.managementClass());
        expect.number("infiniband.mad.classversion", mad.classVersion());
        expect.number("infiniband.mad.method", mad.method());
        expect.number("infiniband.mad.status", mad.status());
        expect.number("infiniband.mad.classspecific", mad.classSpecific());
        expect.number("infiniband.mad.transactionid", mad.transactionId());
        expect.number("infiniband.mad.attributeid", mad.attributeId());
        expect.bytes(PacketFields.RESERVED, (byte) 0, (byte) 0);
        expect.word("infiniband.mad.attributemodifier", mad.attributeModifier());
        expect.bytes(
                "infiniband.mad.data", Arrays.copyOfRange(datagram, Mad.LENGTH, Mad.LENGTH_TOTAL));
    }

    /// Whether no class has the code (IBA 13.4.4).
    static boolean isReservedClass(int code) {
        return code == 0x00
                || code == 0x02
                || (code > 0x4F && code != ManagementClass.SUBNET_DIRECTED_ROUTE);
    }

    /// The reserved bytes that tshark prints of classes with headers of their own, behind the
    /// common one.
    static void classReserved(Expect expect, int managementClass, byte[] datagram) {
        switch (managementClass) {
            case ManagementClass.SUBNET_LID_ROUTED -> {
                expect.bytes(PacketFields.RESERVED, Arrays.copyOfRange(datagram, 32, 64));
                expect.bytes(PacketFields.RESERVED, Arrays.copyOfRange(datagram, 128, 256));
            }
            case ManagementClass.SUBNET_DIRECTED_ROUTE ->
                    expect.bytes(PacketFields.RESERVED, Arrays.copyOfRange(datagram, 36, 64));
            case ManagementClass.SUBNET_ADMINISTRATION ->
                    expect.bytes(PacketFields.RESERVED, Arrays.copyOfRange(datagram, 46, 48));
            default -> {}
        }
    }

    /// The fields of a connection-management message; of those that tshark does not split there are
    /// none beyond the bytes in `infiniband.mad.data`.
    static void message(Expect expect, CmMessage message, boolean overIpv4) {
        switch (message) {
            case CmReq req -> req(expect, req, overIpv4);
            case CmRep rep -> rep(expect, rep);
            case CmRej rej -> rej(expect, rej);
            case CmRtu rtu -> {
                expect.word(CM + "rtu.localcommid", rtu.localCommunicationId());
                expect.word(CM + "rtu.remotecommid", rtu.remoteCommunicationId());
                expect.bytes(CM + "rtu.private", rtu.privateData().toArray());
            }
            case CmDreq dreq -> {
                expect.word(CM + "dreq.localcommid", dreq.localCommunicationId());
                expect.word(CM + "dreq.remotecommid", dreq.remoteCommunicationId());
                // The name is a slip of tshark's: no REQ has the field.
                expect.number(CM + "req.remoteqpneecn", dreq.remoteQpn());
                expect.bytes(PacketFields.RESERVED, (byte) 0);
                expect.bytes(CM + "dreq.private", dreq.privateData().toArray());
            }
            case CmDrep drep -> {
                expect.word(CM + "drsp.localcommid", drep.localCommunicationId());
                expect.word(CM + "drsp.remotecommid", drep.remoteCommunicationId());
                expect.bytes(CM + "drsp.private", drep.privateData().toArray());
            }
            default -> {}
        }
    }

    private static void req(Expect expect, CmReq req, boolean overIpv4) {
        // The reserved byte in front of the vendor ID is printed with it.
        byte[] vendor = new byte[Integer.BYTES];
        BigEndian.put32(MemorySegment.ofArray(vendor), 0, req.vendorId());
        expect.word("infiniband.cm.req", req.localCommunicationId());
        expect.bytes(PacketFields.RESERVED, vendor);
        expect.number(REQ + "serviceid", req.serviceId());
        expect.number(REQ + "localcaguid", req.localCaGuid());
        expect.bytes(PacketFields.RESERVED, new byte[4]);
        expect.word(REQ + "localqkey", req.queuePair().qkey());
        expect.number(REQ + "localqpn", req.queuePair().qpn());
        expect.number(REQ + "responderres", req.queuePair().responderResources());
        expect.number(REQ + "localeecn", req.queuePair().eecn());
        expect.number(REQ + "initdepth", req.queuePair().initiatorDepth());
        expect.number(REQ + "remoteeecn", req.transport().remoteEecn());
        expect.number(REQ + "remoteresptout", req.patience().remoteResponseTimeout());
        expect.number(REQ + "transpsvctype", req.transport().serviceType());
        expect.flag(REQ + "e2eflowctrl", req.queuePair().endToEndFlowControl());
        expect.number(REQ + "startpsn", req.queuePair().startingPsn());
        expect.number(REQ + "localresptout", req.patience().localResponseTimeout());
        expect.number(REQ + "retrcount", req.transport().retryCount());
        expect.number(REQ + "pkey", req.paths().pkey());
        expect.number(REQ + "pppmtu", req.paths().mtu());
        expect.flag(REQ + "rdcexist", req.transport().rdcExists());
        expect.number(REQ + "rnrretrcount", req.queuePair().rnrRetryCount());
        expect.number(REQ + "maxcmretr", req.patience().maxCmRetries());
        expect.flag(REQ + "srq", req.queuePair().srq());
        expect.number(REQ + "ext_transport", req.transport().extendedType());
        path(expect, "prim_", req.paths().primary());
        expect.address(REQ + "prim_localgid", req.paths().primary().localGid());
        expect.address(REQ + "prim_remotegid", req.paths().primary().remoteGid());
        if (overIpv4) {
            expect.ipv4(REQ + "prim_localgid_ipv4", (int) req.paths().primary().localGid().low());
            expect.ipv4(REQ + "prim_remotegid_ipv4", (int) req.paths().primary().remoteGid().low());
        }
        path(expect, "alt_", req.paths().alternate());
        expect.bytes(REQ + "alt_localgid", bytes(req.paths().alternate().localGid()));
        expect.bytes(REQ + "alt_remotegid", bytes(req.paths().alternate().remoteGid()));
        // The three bits behind the alternate ACK timeout, under the name of others.
        expect.number(REQ + "alt_reserved1", req.paths().sapSupported() ? 4 : 0);
        privateData(expect, req);
    }

    private static void path(Expect expect, String prefix, CmPath path) {
        String name = REQ + prefix;
        expect.number(name + "locallid", path.localLid());
        expect.number(name + "remotelid", path.remoteLid());
        expect.number(name + "flowlabel", path.flowLabel());
        expect.number(name + "pktrate", path.packetRate());
        expect.number(name + "tfcclass", path.trafficClass());
        expect.number(name + "hoplim", path.hopLimit());
        expect.number(name + "sl", path.serviceLevel());
        expect.flag(name + "subnetlocal", path.subnetLocal());
        expect.number(name + "reserved1", 0);
        expect.number(name + "localacktout", path.localAckTimeout());
    }

    /// With the service ID of an IP protocol (IBA annex A11) the private data is taken apart.
    private static void privateData(Expect expect, CmReq req) {
        if (req.serviceId() >>> 24 != 1) {
            expect.bytes(REQ + "private", req.privateData().toArray());
            return;
        }
        byte[] prefix = {0, 0, 0, 0, 1};
        expect.bytes(REQ + "serviceid.prefix", prefix);
        expect.number(REQ + "serviceid.protocol", (req.serviceId() >> 16) & 0xFF);
        expect.number(REQ + "serviceid.dport", req.serviceId() & 0xFFFF);
        RdmaCmHeader ip = RdmaCmHeader.of(req.privateData());
        String name = REQ + "ip_cm.";
        expect.number(name + "majv", ip.majorVersion());
        expect.number(name + "minv", ip.minorVersion());
        expect.number(name + "ipv", ip.ipVersion());
        expect.number(name + "reserved", 0);
        expect.number(name + "sport", ip.sourcePort());
        if (ip.ipVersion() == 4) {
            expect.ipv4(name + "sip4", ip.source().ipv4());
            expect.ipv4(name + "dip4", ip.destination().ipv4());
        } else {
            expect.address(name + "sip6", ip.source());
            expect.address(name + "dip6", ip.destination());
        }
        Payload consumer = RdmaCmHeader.consumerData(req.privateData());
        expect.bytes(name + "private", consumer.toArray());
    }

    private static void rep(Expect expect, CmRep rep) {
        expect.word("infiniband.cm.rep", rep.localCommunicationId());
        expect.word(REP + "remotecommid", rep.remoteCommunicationId());
        expect.word(REP + "localqkey", rep.queuePair().qkey());
        expect.number(REP + "localqpn", rep.queuePair().qpn());
        expect.bytes(PacketFields.RESERVED, (byte) (rep.vendorId() >> 16));
        expect.number(REP + "localeecn", rep.queuePair().eecn());
        expect.bytes(PacketFields.RESERVED, (byte) (rep.vendorId() >> 8));
        expect.number(REP + "startpsn", rep.queuePair().startingPsn());
        expect.bytes(PacketFields.RESERVED, (byte) rep.vendorId());
        expect.number(REP + "respres", rep.queuePair().responderResources());
        expect.number(REP + "initdepth", rep.queuePair().initiatorDepth());
        expect.number(REP + "tgtackdelay", rep.targetAckDelay());
        expect.number(REP + "failoveracc", rep.failoverAccepted());
        expect.flag(REP + "e2eflowctrl", rep.queuePair().endToEndFlowControl());
        expect.number(REP + "rnrretrcount", rep.queuePair().rnrRetryCount());
        expect.flag(REP + "srq", rep.queuePair().srq());
        expect.number(REP + "reserved", 0);
        expect.number(REP + "localcaguid", rep.localCaGuid());
        expect.bytes(REP + "private", rep.privateData().toArray());
    }

    private static void rej(Expect expect, CmRej rej) {
        expect.word(CM + "rej.localcommid", rej.localCommunicationId());
        expect.word(CM + "rej.remotecommid", rej.remoteCommunicationId());
        expect.number(CM + "rej.msgrej", rej.messageRejected());
        expect.number(CM + "rej.reserved0", 0);
        expect.number(CM + "rej.rejinfolen", rej.infoLength());
        expect.number(CM + "rej.reserved1", 0);
        expect.number(CM + "rej.reason", rej.reason().code());
        expect.bytes(CM + "rej.ari", rej.info().toArray());
        expect.bytes(CM + "rej.private", rej.privateData().toArray());
    }

    private static byte[] bytes(Gid gid) {
        byte[] bytes = new byte[Gid.LENGTH];
        gid.emit(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }
}

package dev.verbena.transport.connect;

import dev.verbena.transport.cm.CmOptions;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.path.Subnet;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.AddressRules;
import dev.verbena.verbs.spi.ConnectionRules;
import dev.verbena.wire.Payload;
import dev.verbena.wire.Psn;
import dev.verbena.wire.mad.CmPath;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmRepBuilder;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmReqBuilder;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.ServiceId;
import java.util.List;

/// The fields of connection messages that describe a queue pair, and their effect on it.
///
/// A starting PSN is the one that the *other* side begins with (IBA 12.6.5.17): ours is the one we
/// expect, and theirs the one we send.
public final class ConnectionSetup {
    private static final int ACK_TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int ACK_DELAY = 15;

    private final DeviceSettings settings;
    private final QueuePairCore pair;
    private final int expectedPsn;

    ConnectionSetup(DeviceSettings settings, QueuePairCore pair) {
        this.settings = settings;
        this.pair = pair;
        expectedPsn = settings.random.nextInt(Psn.MASK + 1);
    }

    static Payload privateData(Object who, int most, byte[] bytes) {
        ConnectionRules.requireData(who, bytes.length, most);
        return Payload.of(bytes);
    }

    CmReqBuilder request(Address to, int port, int sourcePort, Payload privateData) {
        RdmaCmHeader header = header(settings, to, sourcePort);
        Gid ours = settings.port.now().gid(to.sourceGid());
        CmPath path =
                new CmPath(
                        settings.port.now().attributes().lid(),
                        to.lid(),
                        wire(ours),
                        wire(to.gid()),
                        to.flowLabel(),
                        0,
                        to.trafficClass(),
                        to.hopLimit(),
                        to.serviceLevel(),
                        false,
                        ACK_TIMEOUT);
        return CmReq.builder()
                .vendorId(vendor(offers()))
                .serviceId(ServiceId.ofTcp(port))
                .localQpn(pair.number())
                .responderResources(pair.settings().readsAsResponder())
                .initiatorDepth(settings.limits.readsAsInitiator())
                .transportServiceType(
                        pair.type() == QueuePairType.UC ? CmReq.SERVICE_UC : CmReq.SERVICE_RC)
                .endToEndFlowControl(settings.endToEndCredits)
                .startingPsn(expectedPsn)
                .retryCount(RETRIES)
                .rnrRetryCount(QueuePairCore.RETRY_FOREVER)
                .pkey(pair.settings().partitionKey())
                .pathMtu(mtuCode(settings.port.now().attributes().activeMtu()))
                .srq(pair.takesSharedReceives())
                .primary(path)
                .privateData(header.with(privateData));
    }

    /// Whether it offers its peer to repeat only what is lost.
    private boolean offers() {
        return settings.selectiveRepeat && pair.type() == QueuePairType.RC;
    }

    private int vendor(boolean offers) {
        return offers ? CmOptions.VENDOR : 0;
    }

    /// The rdma_cm header with both addresses, before the private data of the program.
    static RdmaCmHeader header(DeviceSettings settings, Address to, int sourcePort) {
        List<Gid> gids = settings.port.now().gids();
        AddressRules.requireSource(settings.name, to, gids.size());
        Gid ours = gids.get(to.sourceGid());
        AddressRules.requireSameVersion(settings.name, ours, to.gid());
        return RdmaCmHeader.between(sourcePort, wire(ours), wire(to.gid()));
    }

    public static dev.verbena.wire.Gid wire(Gid gid) {
        return new dev.verbena.wire.Gid(gid.high(), gid.low());
    }

    CmRepBuilder reply(CmReq request) {
        return CmRep.builder()
                .vendorId(vendor(offers() && request.vendorId() == CmOptions.VENDOR))
                .localQpn(pair.number())
                .startingPsn(expectedPsn)
                .responderResources(
                        Math.min(
                                pair.settings().readsAsResponder(),
                                request.queuePair().initiatorDepth()))
                .initiatorDepth(pair.settings().readsAsInitiator())
                .targetAckDelay(ACK_DELAY)
                .endToEndFlowControl(settings.endToEndCredits)
                .rnrRetryCount(QueuePairCore.RETRY_FOREVER)
                .srq(pair.takesSharedReceives());
    }

    /// The passive side's queue pair.
    void join(Address to, CmReq request) {
        int mtu = 128 << request.paths().mtu();
        Endpoint peer =
                peer(
                        to,
                        request.queuePair().qpn(),
                        mtu,
                        request.queuePair().responderResources(),
                        request.paths().pkey(),
                        request.vendorId());
        pair.connect(
                peer,
                it -> {
                    it.address(Subnet.shortest(settings.port.now(), to))
                            .sendPsn(request.queuePair().startingPsn());
                    if (pair.type() == QueuePairType.RC) {
                        it.timeout(request.paths().primary().localAckTimeout())
                                .retryCount(request.transport().retryCount())
                                .rnrRetry(request.queuePair().rnrRetryCount());
                    }
                });
    }

    /// The active side's.
    void join(Address to, CmRep reply) {
        int mtu = settings.port.now().attributes().activeMtu();
        Endpoint peer =
                peer(
                        to,
                        reply.queuePair().qpn(),
                        mtu,
                        reply.queuePair().responderResources(),
                        pair.settings().partitionKey(),
                        reply.vendorId());
        pair.connect(
                peer,
                it -> {
                    it.address(Subnet.shortest(settings.port.now(), to))
                            .sendPsn(reply.queuePair().startingPsn());
                    if (pair.type() == QueuePairType.RC) {
                        it.rnrRetry(reply.queuePair().rnrRetryCount());
                    }
                });
    }

    private Endpoint peer(
            Address to, int number, int mtu, int reads, int partitionKey, int vendor) {
        return new Endpoint(
                pair.type(),
                to.lid(),
                to.gid(),
                number,
                expectedPsn,
                mtu,
                reads,
                to.udpPort(),
                partitionKey,
                0,
                vendor == CmOptions.VENDOR ? Endpoint.SELECTIVE_REPEAT : 0);
    }

    /// The code of a path MTU (IBA 12.6.5.21): 1 for 256 bytes, 5 for 4096.
    public static int mtuCode(int bytes) {
        return Integer.numberOfTrailingZeros(bytes) - 7;
    }
}

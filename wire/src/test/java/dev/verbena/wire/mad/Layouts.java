package dev.verbena.wire.mad;

import java.util.List;

/// The formats of this package, each with a table of its fields that was not made from the code.
final class Layouts {
    private static final String MAD =
            """
            - 0:8
            managementClass 1:8
            classVersion 2:8
            method 3:8
            status 4:16
            classSpecific 6:16
            transactionId 8:64
            attributeId 16:16
            - 18:16
            attributeModifier 20:32\
            """;

    private static final String REQ =
            """
            localCommunicationId 0:32
            - 4:8
            vendorId 5:24
            serviceId 8:64
            localCaGuid 16:64
            - 24:32
            queuePair.qkey 28:32
            queuePair.qpn 32:24
            queuePair.responderResources 35:8
            queuePair.eecn 36:24
            queuePair.initiatorDepth 39:8
            transport.remoteEecn 40:24
            patience.remoteResponseTimeout 43:5
            transport.serviceType 43.5:2
            queuePair.endToEndFlowControl 43.7:1
            queuePair.startingPsn 44:24
            patience.localResponseTimeout 47:5
            transport.retryCount 47.5:3
            paths.pkey 48:16
            paths.mtu 50:4
            transport.rdcExists 50.4:1
            queuePair.rnrRetryCount 50.5:3
            patience.maxCmRetries 51:4
            queuePair.srq 51.4:1
            transport.extendedType 51.5:3
            paths.primary.localLid 52:16
            paths.primary.remoteLid 54:16
            paths.primary.localGid.high 56:64
            paths.primary.localGid.low 64:64
            paths.primary.remoteGid.high 72:64
            paths.primary.remoteGid.low 80:64
            paths.primary.flowLabel 88:20
            - 90.4:6
            paths.primary.packetRate 91.2:6
            paths.primary.trafficClass 92:8
            paths.primary.hopLimit 93:8
            paths.primary.serviceLevel 94:4
            paths.primary.subnetLocal 94.4:1
            - 94.5:3
            paths.primary.localAckTimeout 95:5
            - 95.5:3
            paths.alternate.localLid 96:16
            paths.alternate.remoteLid 98:16
            paths.alternate.localGid.high 100:64
            paths.alternate.localGid.low 108:64
            paths.alternate.remoteGid.high 116:64
            paths.alternate.remoteGid.low 124:64
            paths.alternate.flowLabel 132:20
            - 134.4:6
            paths.alternate.packetRate 135.2:6
            paths.alternate.trafficClass 136:8
            paths.alternate.hopLimit 137:8
            paths.alternate.serviceLevel 138:4
            paths.alternate.subnetLocal 138.4:1
            - 138.5:3
            paths.alternate.localAckTimeout 139:5
            paths.sapSupported 139.5:1
            - 139.6:2
            privateData 140:736\
            """;

    private static final String REP =
            """
            localCommunicationId 0:32
            remoteCommunicationId 4:32
            queuePair.qkey 8:32
            queuePair.qpn 12:24
            vendorId 15:8 19:8 23:8
            queuePair.eecn 16:24
            queuePair.startingPsn 20:24
            queuePair.responderResources 24:8
            queuePair.initiatorDepth 25:8
            targetAckDelay 26:5
            failoverAccepted 26.5:2
            queuePair.endToEndFlowControl 26.7:1
            queuePair.rnrRetryCount 27:3
            queuePair.srq 27.3:1
            - 27.4:4
            localCaGuid 28:64
            privateData 36:1568\
            """;

    private static final String IDS_ONLY =
            """
            localCommunicationId 0:32
            remoteCommunicationId 4:32
            privateData 8:1792\
            """;

    private static final String MRA =
            """
            localCommunicationId 0:32
            remoteCommunicationId 4:32
            messageAcknowledged 8:2
            - 8.2:6
            serviceTimeout 9:5
            - 9.5:3
            privateData 10:1776\
            """;

    private static final String REJ =
            """
            localCommunicationId 0:32
            remoteCommunicationId 4:32
            messageRejected 8:2
            - 8.2:6
            infoLength 9:7
            - 9.7:1
            reason.code 10:16
            info 12:576
            privateData 84:1184\
            """;

    private static final String DREQ =
            """
            localCommunicationId 0:32
            remoteCommunicationId 4:32
            remoteQpn 8:24
            - 11:8
            privateData 12:1760\
            """;

    private static final String SIDR_REQ =
            """
            requestId 0:32
            pkey 4:16
            - 6:16
            serviceId 8:64
            privateData 16:1728\
            """;

    private static final String SIDR_REP =
            """
            requestId 0:32
            status.code 4:8
            infoLength 5:8
            vendorId 6:16 11:8
            qpn 8:24
            serviceId 12:64
            qkey 20:32
            info 24:576
            privateData 96:1088\
            """;

    private static final String LAP =
            """
            localCommunicationId 0:32
            remoteCommunicationId 4:32
            - 8:32
            remoteQpn 12:24
            remoteResponseTimeout 15:5
            - 15.5:3
            - 16:32
            alternate.localLid 20:16
            alternate.remoteLid 22:16
            alternate.localGid.high 24:64
            alternate.localGid.low 32:64
            alternate.remoteGid.high 40:64
            alternate.remoteGid.low 48:64
            alternate.flowLabel 56:20
            - 58.4:4
            alternate.trafficClass 59:8
            alternate.hopLimit 60:8
            - 61:2
            alternate.packetRate 61.2:6
            alternate.serviceLevel 62:4
            alternate.subnetLocal 62.4:1
            - 62.5:3
            alternate.localAckTimeout 63:5
            - 63.5:3
            privateData 64:1344\
            """;

    private static final String APR =
            """
            localCommunicationId 0:32
            remoteCommunicationId 4:32
            infoLength 8:8
            status 9:8
            - 10:16
            info 12:576
            privateData 84:1184\
            """;

    private static final String RDMA_CM =
            """
            majorVersion 0:4
            minorVersion 0.4:4
            ipVersion 1:4
            - 1.4:4
            sourcePort 2:16
            sourceField.high 4:64
            sourceField.low 12:64
            destinationField.high 20:64
            destinationField.low 28:64\
            """;

    private Layouts() {}

    static List<Layout> all() {
        return List.of(
                new Layout(
                        "MAD", 0, 24, 1, Mad::parse, (mad, s, at) -> ((Mad) mad).emit(s, at), MAD),
                new Layout(
                        "rdma_cm",
                        0,
                        36,
                        0,
                        RdmaCmHeader::parse,
                        (header, s, at) -> ((RdmaCmHeader) header).emit(s, at),
                        RDMA_CM),
                message("REQ", CmReq::parse, REQ),
                message("MRA", CmMra::parse, MRA),
                message("REJ", CmRej::parse, REJ),
                message("REP", CmRep::parse, REP),
                message("RTU", CmRtu::parse, IDS_ONLY),
                message("DREQ", CmDreq::parse, DREQ),
                message("DREP", CmDrep::parse, IDS_ONLY),
                message("SIDR_REQ", CmSidrReq::parse, SIDR_REQ),
                message("SIDR_REP", CmSidrRep::parse, SIDR_REP),
                message("LAP", CmLap::parse, LAP),
                message("APR", CmApr::parse, APR));
    }

    private static Layout message(String name, Layout.Parse parse, String table) {
        return new Layout(
                name,
                24,
                232,
                0,
                parse,
                (message, s, at) -> ((CmMessage) message).emit(s, at),
                table);
    }
}

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
            localQkey 28:32
            localQpn 32:24
            responderResources 35:8
            localEecn 36:24
            initiatorDepth 39:8
            remoteEecn 40:24
            remoteResponseTimeout 43:5
            transportServiceType 43.5:2
            endToEndFlowControl 43.7:1
            startingPsn 44:24
            localResponseTimeout 47:5
            retryCount 47.5:3
            pkey 48:16
            pathMtu 50:4
            rdcExists 50.4:1
            rnrRetryCount 50.5:3
            maxCmRetries 51:4
            srq 51.4:1
            extendedTransportType 51.5:3
            primary.localLid 52:16
            primary.remoteLid 54:16
            primary.localGid.high 56:64
            primary.localGid.low 64:64
            primary.remoteGid.high 72:64
            primary.remoteGid.low 80:64
            primary.flowLabel 88:20
            - 90.4:6
            primary.packetRate 91.2:6
            primary.trafficClass 92:8
            primary.hopLimit 93:8
            primary.serviceLevel 94:4
            primary.subnetLocal 94.4:1
            - 94.5:3
            primary.localAckTimeout 95:5
            - 95.5:3
            alternate.localLid 96:16
            alternate.remoteLid 98:16
            alternate.localGid.high 100:64
            alternate.localGid.low 108:64
            alternate.remoteGid.high 116:64
            alternate.remoteGid.low 124:64
            alternate.flowLabel 132:20
            - 134.4:6
            alternate.packetRate 135.2:6
            alternate.trafficClass 136:8
            alternate.hopLimit 137:8
            alternate.serviceLevel 138:4
            alternate.subnetLocal 138.4:1
            - 138.5:3
            alternate.localAckTimeout 139:5
            sapSupported 139.5:1
            - 139.6:2
            privateData 140:736\
            """;

    private static final String REP =
            """
            localCommunicationId 0:32
            remoteCommunicationId 4:32
            localQkey 8:32
            localQpn 12:24
            vendorId 15:8 19:8 23:8
            localEecn 16:24
            startingPsn 20:24
            responderResources 24:8
            initiatorDepth 25:8
            targetAckDelay 26:5
            failoverAccepted 26.5:2
            endToEndFlowControl 26.7:1
            rnrRetryCount 27:3
            srq 27.3:1
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

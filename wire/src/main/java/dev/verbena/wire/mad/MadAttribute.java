package dev.verbena.wire.mad;

/// Names of attributes, which mean different things in each management class.
///
/// Subnet management: IBA 14.2.5; administration: 15.2.5; performance: 16.1.3; connections: 12.6;
/// congestion control: annex A10.
public final class MadAttribute {
    private MadAttribute() {}

    /// The attribute for people; an unknown one is `attribute 0x1234`.
    public static String name(int managementClass, int attributeId) {
        String known =
                switch (managementClass) {
                    case ManagementClass.SUBNET_LID_ROUTED, ManagementClass.SUBNET_DIRECTED_ROUTE ->
                            subnet(attributeId);
                    case ManagementClass.SUBNET_ADMINISTRATION -> administration(attributeId);
                    case ManagementClass.PERFORMANCE -> performance(attributeId);
                    case ManagementClass.COMMUNICATION -> communication(attributeId);
                    case ManagementClass.CONGESTION_CONTROL -> congestion(attributeId);
                    default -> common(attributeId);
                };
        return known.isEmpty() ? "attribute 0x%04x".formatted(attributeId) : known;
    }

    /// IBA 13.4.8: attributes that a class may share with all others.
    private static String common(int id) {
        return switch (id) {
            case 0x01 -> "ClassPortInfo";
            case 0x02 -> "Notice";
            case 0x03 -> "InformInfo";
            default -> "";
        };
    }

    private static String subnet(int id) {
        return switch (id) {
            case 0x02 -> "Notice";
            case 0x10 -> "NodeDescription";
            case 0x11 -> "NodeInfo";
            case 0x12 -> "SwitchInfo";
            case 0x14 -> "GUIDInfo";
            case 0x15 -> "PortInfo";
            case 0x16 -> "P_KeyTable";
            case 0x17 -> "SLtoVLMappingTable";
            case 0x18 -> "VLArbitrationTable";
            case 0x19 -> "LinearForwardingTable";
            case 0x1A -> "RandomForwardingTable";
            case 0x1B -> "MulticastForwardingTable";
            case 0x20 -> "SMInfo";
            case 0x30 -> "VendorDiag";
            case 0x31 -> "LedInfo";
            // A vendor's own, but met on most subnets.
            case 0xFF90 -> "ExtendedPortInfo";
            default -> "";
        };
    }

    private static String administration(int id) {
        return switch (id) {
            case 0x11 -> "NodeRecord";
            case 0x12 -> "PortInfoRecord";
            case 0x13 -> "SLtoVLMappingTableRecord";
            case 0x14 -> "SwitchInfoRecord";
            case 0x15 -> "LinearForwardingTableRecord";
            case 0x17 -> "MulticastForwardingTableRecord";
            case 0x18 -> "SMInfoRecord";
            case 0x20 -> "LinkRecord";
            case 0x30 -> "GUIDInfoRecord";
            case 0x31 -> "ServiceRecord";
            case 0x33 -> "P_KeyTableRecord";
            case 0x35 -> "PathRecord";
            case 0x36 -> "VLArbitrationTableRecord";
            case 0x38 -> "MCMemberRecord";
            case 0x39 -> "TraceRecord";
            case 0x3A -> "MultiPathRecord";
            case 0xF3 -> "InformInfoRecord";
            default -> common(id);
        };
    }

    private static String performance(int id) {
        return switch (id) {
            case 0x10 -> "PortSamplesControl";
            case 0x11 -> "PortSamplesResult";
            case 0x12 -> "PortCounters";
            case 0x15 -> "PortRcvErrorDetails";
            case 0x16 -> "PortXmitDiscardDetails";
            case 0x17 -> "PortOpRcvCounters";
            case 0x18 -> "PortFlowCtlCounters";
            case 0x19 -> "PortVLOpPackets";
            case 0x1A -> "PortVLOpData";
            case 0x1B -> "PortVLXmitFlowCtlUpdateErrors";
            case 0x1C -> "PortVLXmitWaitCounters";
            case 0x1D -> "PortCountersExtended";
            case 0x1F -> "PortExtendedSpeedsCounters";
            case 0x30 -> "SwPortVLCongestion";
            case 0x31 -> "PortRcvConCtrl";
            case 0x32 -> "PortSLRcvFECN";
            case 0x33 -> "PortSLRcvBECN";
            case 0x34 -> "PortXmitConCtrl";
            case 0x35 -> "PortVLXmitTimeCong";
            case 0x36 -> "PortXmitDataSL";
            case 0x37 -> "PortRcvDataSL";
            default -> common(id);
        };
    }

    private static String communication(int id) {
        return switch (id) {
            case CmReq.ATTRIBUTE_ID -> "REQ";
            case CmMra.ATTRIBUTE_ID -> "MRA";
            case CmRej.ATTRIBUTE_ID -> "REJ";
            case CmRep.ATTRIBUTE_ID -> "REP";
            case CmRtu.ATTRIBUTE_ID -> "RTU";
            case CmDreq.ATTRIBUTE_ID -> "DREQ";
            case CmDrep.ATTRIBUTE_ID -> "DREP";
            case CmSidrReq.ATTRIBUTE_ID -> "SIDR_REQ";
            case CmSidrRep.ATTRIBUTE_ID -> "SIDR_REP";
            case CmLap.ATTRIBUTE_ID -> "LAP";
            case CmApr.ATTRIBUTE_ID -> "APR";
            default -> common(id);
        };
    }

    private static String congestion(int id) {
        return switch (id) {
            case 0x11 -> "CongestionInfo";
            case 0x12 -> "CongestionKeyInfo";
            case 0x13 -> "CongestionLog";
            case 0x14 -> "SwitchCongestionSetting";
            case 0x15 -> "SwitchPortCongestionSetting";
            case 0x16 -> "CACongestionSetting";
            case 0x17 -> "CongestionControlTable";
            case 0x18 -> "TimeStamp";
            default -> common(id);
        };
    }
}

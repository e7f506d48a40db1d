package dev.verbena.wire.mad;

/// Management classes (IBA 13.4.4): which agent a datagram is for.
public final class ManagementClass {
    public static final int SUBNET_LID_ROUTED = 0x01;
    public static final int SUBNET_ADMINISTRATION = 0x03;
    public static final int PERFORMANCE = 0x04;
    public static final int BASEBOARD = 0x05;
    public static final int DEVICE = 0x06;
    public static final int COMMUNICATION = 0x07;
    public static final int SNMP_TUNNELING = 0x08;
    public static final int CONGESTION_CONTROL = 0x21;
    public static final int SUBNET_DIRECTED_ROUTE = 0x81;

    private ManagementClass() {}

    /// A readable name of the class; an undefined code is `class 0x55`.
    public static String name(int code) {
        return switch (code) {
            case SUBNET_LID_ROUTED -> "SubnLID";
            case SUBNET_DIRECTED_ROUTE -> "SubnDirected";
            case SUBNET_ADMINISTRATION -> "SubnAdm";
            case PERFORMANCE -> "Perf";
            case BASEBOARD -> "BM";
            case DEVICE -> "DevMgt";
            case COMMUNICATION -> "CM";
            case SNMP_TUNNELING -> "SNMP";
            case CONGESTION_CONTROL -> "CC";
            default -> "%s 0x%02x".formatted(range(code), code);
        };
    }

    /// The prefix of the method's name: both subnet-management classes have the same methods.
    static String prefix(int code) {
        return isSubnetManagement(code) ? "Subn" : name(code);
    }

    /// Whether the class belongs to QP0, in either of its two routings.
    public static boolean isSubnetManagement(int code) {
        return code == SUBNET_LID_ROUTED || code == SUBNET_DIRECTED_ROUTE;
    }

    private static String range(int code) {
        if ((code >= 0x09 && code <= 0x0F) || (code >= 0x30 && code <= 0x4F)) {
            return "vendor class";
        }
        return code >= 0x10 && code <= 0x2F ? "application class" : "class";
    }
}

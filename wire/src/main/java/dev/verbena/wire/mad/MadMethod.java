package dev.verbena.wire.mad;

/// Management methods (IBA 13.4.5, those of the SA in chapter 15): the request or response type of
/// a datagram.
public final class MadMethod {
    public static final int GET = 0x01;
    public static final int SET = 0x02;
    public static final int SEND = 0x03;
    public static final int TRAP = 0x05;
    public static final int REPORT = 0x06;
    public static final int TRAP_REPRESS = 0x07;
    public static final int GET_TABLE = 0x12;
    public static final int GET_TRACE_TABLE = 0x13;
    public static final int GET_MULTI = 0x14;
    public static final int DELETE = 0x15;

    /// Answers Get and Set alike.
    public static final int GET_RESPONSE = 0x81;

    public static final int REPORT_RESPONSE = 0x86;
    public static final int GET_TABLE_RESPONSE = 0x92;
    public static final int GET_MULTI_RESPONSE = 0x94;
    public static final int DELETE_RESPONSE = 0x95;

    private static final int RESPONSE = 0x80;

    private MadMethod() {}

    public static boolean isResponse(int method) {
        return (method & RESPONSE) != 0;
    }

    /// A readable name of the method; an undefined code is `method 0x55`.
    public static String name(int method) {
        return switch (method) {
            case GET -> "Get";
            case SET -> "Set";
            case SEND -> "Send";
            case TRAP -> "Trap";
            case REPORT -> "Report";
            case TRAP_REPRESS -> "TrapRepress";
            case GET_TABLE -> "GetTable";
            case GET_TRACE_TABLE -> "GetTraceTable";
            case GET_MULTI -> "GetMulti";
            case DELETE -> "Delete";
            case GET_RESPONSE -> "GetResp";
            case REPORT_RESPONSE -> "ReportResp";
            case GET_TABLE_RESPONSE -> "GetTableResp";
            case GET_MULTI_RESPONSE -> "GetMultiResp";
            case DELETE_RESPONSE -> "DeleteResp";
            default -> "method 0x%02x".formatted(method);
        };
    }
}

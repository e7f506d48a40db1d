package dev.verbena.wire.mad;

/// PortInfo (IBA 14.2.5.6): the state and the settings of a port. Of a switch, port 0 holds the
/// settings of the node, such as LID and M_Key.
public enum PortInfo implements MadField {
    /// The key of the subnet manager; 0: none is asked for.
    M_KEY(0, 64),
    GID_PREFIX(8, 64),
    LID(16, 16),
    MASTER_SM_LID(18, 16),
    /// Bits of [PortCapability].
    CAPABILITY_MASK(20, 32),
    DIAG_CODE(24, 16),
    /// Seconds after a wrong M_Key until the protection ends; 0: never.
    M_KEY_LEASE_PERIOD(26, 16),
    LOCAL_PORT_NUM(28, 8),
    LINK_WIDTH_ENABLED(29, 8),
    LINK_WIDTH_SUPPORTED(30, 8),
    /// 1: 1x, 2: 4x, 4: 8x, 8: 12x, 16: 2x.
    LINK_WIDTH_ACTIVE(31, 8),
    LINK_SPEED_SUPPORTED(32, 0, 4),
    /// 0 no change, 1 down, 2 initialize, 3 armed, 4 active.
    PORT_STATE(32, 4, 4),
    /// 2 polling, 3 disabled, 5 link up.
    PORT_PHYSICAL_STATE(33, 0, 4),
    LINK_DOWN_DEFAULT_STATE(33, 4, 4),
    M_KEY_PROTECT_BITS(34, 0, 2),
    LMC(34, 5, 3),
    /// 1: 2.5, 2: 5, 4: 10 Gb/s a lane.
    LINK_SPEED_ACTIVE(35, 0, 4),
    LINK_SPEED_ENABLED(35, 4, 4),
    /// 1 to 5: 256 to 4096 bytes.
    NEIGHBOR_MTU(36, 0, 4),
    MASTER_SM_SL(36, 4, 4),
    /// 1: VL0, 2: VL0 and 1, 3: VL0 to 3, 4: VL0 to 7, 5: VL0 to 14.
    VL_CAP(37, 0, 4),
    INIT_TYPE(37, 4, 4),
    VL_HIGH_LIMIT(38, 8),
    VL_ARBITRATION_HIGH_CAP(39, 8),
    VL_ARBITRATION_LOW_CAP(40, 8),
    INIT_TYPE_REPLY(41, 0, 4),
    MTU_CAP(41, 4, 4),
    VL_STALL_COUNT(42, 0, 3),
    HOQ_LIFE(42, 3, 5),
    OPERATIONAL_VLS(43, 0, 4),
    PARTITION_ENFORCEMENT_INBOUND(43, 4, 1),
    PARTITION_ENFORCEMENT_OUTBOUND(43, 5, 1),
    FILTER_RAW_INBOUND(43, 6, 1),
    FILTER_RAW_OUTBOUND(43, 7, 1),
    M_KEY_VIOLATIONS(44, 16),
    P_KEY_VIOLATIONS(46, 16),
    Q_KEY_VIOLATIONS(48, 16),
    GUID_CAP(50, 8),
    CLIENT_REREGISTER(51, 0, 1),
    MULTICAST_PKEY_TRAP_SUPPRESSION(51, 1, 2),
    /// 4.096 microseconds times two to this power; traps are repeated no faster.
    SUBNET_TIMEOUT(51, 3, 5),
    RESP_TIME_VALUE(52, 3, 5),
    LOCAL_PHY_ERRORS(53, 0, 4),
    OVERRUN_ERRORS(53, 4, 4),
    MAX_CREDIT_HINT(54, 16),
    LINK_ROUND_TRIP_LATENCY(57, 24),
    CAPABILITY_MASK_2(60, 16),
    /// 1: FDR, 2: EDR, 4: HDR, 8: NDR; 0: none of these.
    LINK_SPEED_EXT_ACTIVE(62, 0, 4),
    LINK_SPEED_EXT_SUPPORTED(62, 4, 4),
    LINK_SPEED_EXT_ENABLED(63, 3, 5);

    public static final int ATTRIBUTE_ID = 0x15;
    public static final int LENGTH = 64;

    private final int bit;
    private final int width;

    PortInfo(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    PortInfo(int at, int width) {
        this(at, 0, width);
    }

    @Override
    public int bit() {
        return bit;
    }

    @Override
    public int width() {
        return width;
    }
}

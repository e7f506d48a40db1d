package dev.verbena.ibverbs;

/// Where the fields of libibverbs' structures lie, on 64-bit Linux: the part of its ABI that this
/// module stands on (`infiniband/verbs.h` of rdma-core; unchanged under the name libibverbs.so.1,
/// where structures grow at their end only).
///
/// [AbiProbe] holds them against the installed library whenever a device is opened, `StructsTest`
/// against the installed header where a compiler is.
final class Structs {
    static final int POINTER = 8;

    private Structs() {}

    /// `struct ibv_device`.
    static final class Device {
        static final int NAME = 24;

        private Device() {}
    }

    /// `struct ibv_context`, and the functions in its `ops`.
    static final class Context {
        static final int DEVICE = 0;
        static final int OPS = 8;
        static final int ALLOC_MW = OPS + 56;
        static final int DEALLOC_MW = OPS + 72;
        static final int POLL_CQ = OPS + 88;
        static final int REQ_NOTIFY_CQ = OPS + 96;
        static final int POST_SRQ_RECV = OPS + 160;
        static final int POST_SEND = OPS + 200;
        static final int POST_RECV = OPS + 208;
        static final int CMD_FD = 264;
        static final int ASYNC_FD = 268;
        static final int NUM_COMP_VECTORS = 272;

        /// Behind a mutex, which glibc makes larger on ARM.
        static final int ABI_COMPAT = "aarch64".equals(System.getProperty("os.arch")) ? 328 : 320;

        private Context() {}
    }

    /// `struct ibv_device_attr`.
    static final class DeviceAttr {
        static final int SIZE = 232;
        static final int MAX_MR_SIZE = 80;
        static final int MAX_QP = 108;
        static final int MAX_QP_WR = 112;
        static final int CAP_FLAGS = 116;
        static final int MAX_SGE = 120;
        static final int MAX_CQ = 128;
        static final int MAX_CQE = 132;
        static final int MAX_MR = 136;
        static final int MAX_QP_RD_ATOM = 144;
        static final int MAX_QP_INIT_RD_ATOM = 156;
        static final int MAX_MW = 176;
        static final int MAX_MCAST_GRP = 188;
        static final int MAX_MCAST_QP_ATTACH = 192;
        static final int MAX_AH = 200;
        static final int MAX_SRQ = 212;
        static final int PHYS_PORT_CNT = 227;

        /// Bits of the capabilities.
        static final int CAN_WINDOW_TYPE_1 = 0x2_0000;

        static final int CAN_WINDOW_TYPE_2B = 0x100_0000;

        private DeviceAttr() {}
    }

    /// `struct ibv_port_attr`, as far as every library of this name fills it.
    static final class PortAttr {
        static final int SIZE = 52;
        static final int STATE = 0;
        static final int MAX_MTU = 4;
        static final int ACTIVE_MTU = 8;
        static final int MAX_MSG_SZ = 20;
        static final int PKEY_TBL_LEN = 32;
        static final int LID = 34;
        static final int LINK_LAYER = 46;

        private PortAttr() {}
    }

    /// `struct ibv_gid_entry`.
    static final class GidEntry {
        static final int SIZE = 32;
        static final int GID = 0;
        static final int INDEX = 16;
        static final int PORT = 20;
        static final int TYPE = 24;
        static final int INTERFACE = 28;

        /// The type of an entry that is RoCE v1.
        static final int ROCE_V1 = 1;

        private GidEntry() {}
    }

    /// `struct ibv_pd`.
    static final class Pd {
        static final int CONTEXT = 0;

        private Pd() {}
    }

    /// `struct ibv_mr`.
    static final class Mr {
        static final int CONTEXT = 0;
        static final int PD = 8;
        static final int ADDR = 16;
        static final int LENGTH = 24;
        static final int LKEY = 36;
        static final int RKEY = 40;

        private Mr() {}
    }

    /// `struct ibv_mw`.
    static final class Mw {
        static final int RKEY = 16;

        private Mw() {}
    }

    /// `struct ibv_cq`.
    static final class Cq {
        static final int CONTEXT = 0;
        static final int CQ_CONTEXT = 16;
        static final int CQE = 28;

        private Cq() {}
    }

    /// `struct ibv_comp_channel`.
    static final class Channel {
        static final int FD = 8;

        private Channel() {}
    }

    /// `struct ibv_srq`, `ibv_srq_init_attr` and `ibv_srq_attr`.
    static final class Srq {
        static final int SRQ_CONTEXT = 8;
        static final int INIT_SIZE = 24;
        static final int INIT_SRQ_CONTEXT = 0;
        static final int INIT_ATTR = 8;
        static final int ATTR_SIZE = 12;
        static final int MAX_WR = 0;
        static final int MAX_SGE = 4;
        static final int LIMIT = 8;
        static final int MASK_LIMIT = 2;

        private Srq() {}
    }

    /// `struct ibv_qp`.
    static final class Qp {
        static final int CONTEXT = 0;
        static final int PD = 16;
        static final int SEND_CQ = 24;
        static final int RECV_CQ = 32;
        static final int NUMBER = 52;
        static final int TYPE = 60;

        private Qp() {}
    }

    /// `struct ibv_qp_init_attr`, with the `ibv_qp_cap` in it.
    static final class QpInit {
        static final int SIZE = 64;
        static final int SEND_CQ = 8;
        static final int RECV_CQ = 16;
        static final int SRQ = 24;
        static final int MAX_SEND_WR = 32;
        static final int MAX_RECV_WR = 36;
        static final int MAX_SEND_SGE = 40;
        static final int MAX_RECV_SGE = 44;
        static final int MAX_INLINE = 48;
        static final int TYPE = 52;
        static final int SIGNAL_ALL = 56;

        private QpInit() {}
    }

    /// `struct ibv_qp_attr`.
    static final class QpAttr {
        static final int SIZE = 144;
        static final int STATE = 0;
        static final int CURRENT_STATE = 4;
        static final int PATH_MTU = 8;
        static final int QKEY = 16;
        static final int RQ_PSN = 20;
        static final int SQ_PSN = 24;
        static final int DEST_QP = 28;
        static final int ACCESS = 32;
        static final int AH = 56;
        static final int PKEY_INDEX = 120;
        static final int SQD_NOTIFY = 124;
        static final int MAX_RD_ATOMIC = 126;
        static final int MAX_DEST_RD_ATOMIC = 127;
        static final int MIN_RNR_TIMER = 128;
        static final int PORT = 129;
        static final int TIMEOUT = 130;
        static final int RETRY = 131;
        static final int RNR_RETRY = 132;
        static final int RATE_LIMIT = 136;

        /// The bit of the mask that belongs to no attribute of this API.
        static final int MASK_STATE = 1;

        private QpAttr() {}
    }

    /// `struct ibv_ah_attr`, with the `ibv_global_route` in it.
    static final class AhAttr {
        static final int SIZE = 32;
        static final int DGID = 0;
        static final int FLOW_LABEL = 16;
        static final int SGID_INDEX = 20;
        static final int HOP_LIMIT = 21;
        static final int TRAFFIC_CLASS = 22;
        static final int DLID = 24;
        static final int SL = 26;
        static final int IS_GLOBAL = 29;
        static final int PORT = 30;

        private AhAttr() {}
    }

    /// `struct ibv_send_wr`.
    static final class SendWr {
        static final int SIZE = 128;
        static final int ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;
        static final int OPCODE = 28;
        static final int FLAGS = 32;
        static final int IMMEDIATE = 36;
        static final int REMOTE_ADDRESS = 40;
        static final int REMOTE_KEY = 48;
        static final int ATOMIC_COMPARE_ADD = 48;
        static final int ATOMIC_SWAP = 56;
        static final int ATOMIC_KEY = 64;
        static final int UD_AH = 40;
        static final int UD_QP = 48;
        static final int UD_QKEY = 52;
        static final int BIND_MW = 80;
        static final int BIND_KEY = 88;
        static final int BIND_MR = 96;
        static final int BIND_ADDRESS = 104;
        static final int BIND_LENGTH = 112;
        static final int BIND_ACCESS = 120;

        /// Bits of the flags.
        static final int FENCE = 1;

        static final int SIGNALED = 2;
        static final int SOLICITED = 4;
        static final int INLINE = 8;

        private SendWr() {}
    }

    /// `struct ibv_recv_wr`.
    static final class RecvWr {
        static final int SIZE = 32;
        static final int ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;

        private RecvWr() {}
    }

    /// `struct ibv_sge`.
    static final class Sge {
        static final int SIZE = 16;
        static final int ADDRESS = 0;
        static final int LENGTH = 8;
        static final int KEY = 12;

        private Sge() {}
    }

    /// `struct ibv_wc`.
    static final class Wc {
        static final int SIZE = 48;
        static final int ID = 0;
        static final int STATUS = 8;
        static final int OPCODE = 12;
        static final int VENDOR_ERROR = 16;
        static final int BYTE_LENGTH = 20;
        static final int IMMEDIATE = 24;
        static final int QP = 28;
        static final int SOURCE_QP = 32;
        static final int FLAGS = 36;
        static final int SOURCE_LID = 42;
        static final int SERVICE_LEVEL = 44;

        /// Bits of the flags.
        static final int GRH = 1;

        static final int WITH_IMMEDIATE = 2;

        /// The value of rdma_rxe instead of [#WITH_INVALIDATE]: the kernel's own number.
        static final int KERNEL_INVALIDATE = 4;

        static final int WITH_INVALIDATE = 8;

        private Wc() {}
    }

    /// `struct ibv_async_event`.
    static final class Event {
        static final int SIZE = 16;
        static final int ELEMENT = 0;
        static final int TYPE = 8;

        private Event() {}
    }
}

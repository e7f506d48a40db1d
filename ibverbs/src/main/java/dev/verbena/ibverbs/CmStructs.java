package dev.verbena.ibverbs;

/// Where the fields of librdmacm's structures lie, on 64-bit Linux (`rdma/rdma_cma.h` of rdma-core;
/// unchanged under the name librdmacm.so.1), and the numbers that go into them.
///
/// [CmId] holds them against the installed library whenever it makes one.
final class CmStructs {
    private CmStructs() {}

    /// `struct rdma_event_channel`.
    static final class Channel {
        static final int FD = 0;

        private Channel() {}
    }

    /// `struct rdma_cm_id`, with the `rdma_route` and its `rdma_addr` in it.
    static final class Id {
        static final int VERBS = 0;
        static final int CHANNEL = 8;
        static final int CONTEXT = 16;
        static final int SOURCE = 32;
        static final int DESTINATION = 160;
        static final int PORT_SPACE = 344;
        static final int PORT = 348;

        /// Spaces of ports.
        static final int TCP = 0x0106;

        static final int UDP = 0x0111;

        private Id() {}
    }

    /// `struct rdma_cm_event`, with the parameters of a connection or of datagrams.
    static final class Event {
        static final int ID = 0;
        static final int LISTENER = 8;
        static final int TYPE = 16;
        static final int STATUS = 20;
        static final int PARAM = 24;

        private Event() {}
    }

    /// `struct rdma_conn_param`.
    static final class ConnParam {
        static final int SIZE = 24;
        static final int DATA = 0;
        static final int DATA_LENGTH = 8;
        static final int RESPONDER_RESOURCES = 9;
        static final int INITIATOR_DEPTH = 10;
        static final int FLOW_CONTROL = 11;
        static final int RETRIES = 12;
        static final int RNR_RETRIES = 13;
        static final int SHARED = 14;
        static final int QUEUE_PAIR = 16;

        private ConnParam() {}
    }

    /// `struct rdma_ud_param`.
    static final class DatagramParam {
        static final int QUEUE_PAIR = 48;
        static final int QUEUE_KEY = 52;

        private DatagramParam() {}
    }
}

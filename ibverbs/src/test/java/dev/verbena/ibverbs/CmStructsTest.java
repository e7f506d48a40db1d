package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.CHeader.fields;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every offset and size of [CmStructs] beside what a C compiler makes of the installed header.
class CmStructsTest {
    @Test
    void everyFieldLiesWhereTheHeaderSays(@TempDir Path folder) throws Exception {
        new CHeader("rdma/rdma_cma.h", "librdmacm-dev", names()).agrees(CmStructs.class, folder);
    }

    private static Map<String, String> names() {
        Map<String, String> names = new TreeMap<>();
        fields(names, "Channel", "rdma_event_channel", "FD fd");
        fields(
                names,
                "Id",
                "rdma_cm_id",
                "VERBS verbs, CHANNEL channel, CONTEXT context, SOURCE route.addr.src_addr,"
                        + " DESTINATION route.addr.dst_addr, PORT_SPACE ps, PORT port_num");
        names.put("Id.TCP", "=RDMA_PS_TCP");
        names.put("Id.UDP", "=RDMA_PS_UDP");
        fields(
                names,
                "Event",
                "rdma_cm_event",
                "ID id, LISTENER listen_id, TYPE event, STATUS status, PARAM param");
        fields(
                names,
                "ConnParam",
                "rdma_conn_param",
                "SIZE, DATA private_data, DATA_LENGTH private_data_len, RESPONDER_RESOURCES"
                        + " responder_resources, INITIATOR_DEPTH initiator_depth, FLOW_CONTROL"
                        + " flow_control, RETRIES retry_count, RNR_RETRIES rnr_retry_count, SHARED"
                        + " srq, QUEUE_PAIR qp_num");
        fields(names, "DatagramParam", "rdma_ud_param", "QUEUE_PAIR qp_num, QUEUE_KEY qkey");
        return names;
    }
}

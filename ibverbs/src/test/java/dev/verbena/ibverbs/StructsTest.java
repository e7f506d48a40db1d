package dev.verbena.ibverbs;

import static dev.verbena.ibverbs.CHeader.fields;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every offset and size of [Structs] beside what a C compiler makes of the installed header.
class StructsTest {
    /// What C calls each field; a name that begins with `=` is an expression of its own.
    private static final Map<String, String> NAMES = names();

    @Test
    void everyFieldLiesWhereTheHeaderSays(@TempDir Path folder) throws Exception {
        new CHeader("infiniband/verbs.h", "libibverbs-dev", NAMES).agrees(Structs.class, folder);
    }

    private static Map<String, String> names() {
        Map<String, String> names = new TreeMap<>();
        fields(names, "Device", "ibv_device", "NAME name");
        fields(
                names,
                "Context",
                "ibv_context",
                "DEVICE device, OPS ops, ALLOC_MW ops.alloc_mw, DEALLOC_MW ops.dealloc_mw, POLL_CQ"
                        + " ops.poll_cq, REQ_NOTIFY_CQ ops.req_notify_cq, POST_SRQ_RECV"
                        + " ops.post_srq_recv, POST_SEND ops.post_send, POST_RECV ops.post_recv,"
                        + " CMD_FD cmd_fd, ASYNC_FD async_fd, NUM_COMP_VECTORS num_comp_vectors,"
                        + " ABI_COMPAT abi_compat");
        fields(
                names,
                "DeviceAttr",
                "ibv_device_attr",
                "SIZE, MAX_MR_SIZE max_mr_size, MAX_QP max_qp,"
                        + " MAX_QP_WR max_qp_wr, CAP_FLAGS device_cap_flags, MAX_SGE max_sge,"
                        + " MAX_CQ max_cq, MAX_CQE max_cqe, MAX_MR max_mr, MAX_QP_RD_ATOM"
                        + " max_qp_rd_atom, MAX_QP_INIT_RD_ATOM max_qp_init_rd_atom, MAX_MW max_mw,"
                        + " MAX_MCAST_GRP max_mcast_grp, MAX_MCAST_QP_ATTACH max_mcast_qp_attach,"
                        + " MAX_AH max_ah, MAX_SRQ max_srq, PHYS_PORT_CNT phys_port_cnt");
        names.put("DeviceAttr.CAN_WINDOW_TYPE_1", "=IBV_DEVICE_MEM_WINDOW");
        names.put("DeviceAttr.CAN_WINDOW_TYPE_2B", "=IBV_DEVICE_MEM_WINDOW_TYPE_2B");
        fields(
                names,
                "PortAttr",
                "ibv_port_attr",
                "SIZE, STATE state, MAX_MTU max_mtu, ACTIVE_MTU active_mtu, MAX_MSG_SZ max_msg_sz,"
                        + " PKEY_TBL_LEN pkey_tbl_len, LID lid, LINK_LAYER link_layer");
        fields(
                names,
                "GidEntry",
                "ibv_gid_entry",
                "SIZE, GID gid, INDEX gid_index, PORT port_num, TYPE gid_type, INTERFACE"
                        + " ndev_ifindex");
        names.put("GidEntry.ROCE_V1", "=IBV_GID_TYPE_ROCE_V1");
        objectNames(names);
        return names;
    }

    private static void objectNames(Map<String, String> names) {
        fields(names, "Pd", "ibv_pd", "CONTEXT context");
        fields(
                names,
                "Mr",
                "ibv_mr",
                "CONTEXT context, PD pd, ADDR addr, LENGTH length, LKEY lkey, RKEY rkey");
        fields(names, "Mw", "ibv_mw", "RKEY rkey");
        fields(names, "Cq", "ibv_cq", "CONTEXT context, CQ_CONTEXT cq_context, CQE cqe");
        fields(names, "Channel", "ibv_comp_channel", "FD fd");
        fields(names, "Srq", "ibv_srq", "SRQ_CONTEXT srq_context");
        names.put("Srq.INIT_SIZE", "ibv_srq_init_attr");
        names.put("Srq.INIT_SRQ_CONTEXT", "ibv_srq_init_attr srq_context");
        names.put("Srq.INIT_ATTR", "ibv_srq_init_attr attr");
        names.put("Srq.ATTR_SIZE", "ibv_srq_attr");
        names.put("Srq.MAX_WR", "ibv_srq_attr max_wr");
        names.put("Srq.MAX_SGE", "ibv_srq_attr max_sge");
        names.put("Srq.LIMIT", "ibv_srq_attr srq_limit");
        names.put("Srq.MASK_LIMIT", "=IBV_SRQ_LIMIT");
        fields(
                names,
                "Qp",
                "ibv_qp",
                "CONTEXT context, PD pd, SEND_CQ send_cq, RECV_CQ recv_cq, NUMBER qp_num, TYPE"
                        + " qp_type");
        fields(
                names,
                "QpInit",
                "ibv_qp_init_attr",
                "SIZE, SEND_CQ send_cq, RECV_CQ recv_cq, SRQ srq, MAX_SEND_WR cap.max_send_wr,"
                        + " MAX_RECV_WR cap.max_recv_wr, MAX_SEND_SGE cap.max_send_sge,"
                        + " MAX_RECV_SGE cap.max_recv_sge, MAX_INLINE cap.max_inline_data, TYPE"
                        + " qp_type, SIGNAL_ALL sq_sig_all");
        moreNames(names);
    }

    private static void moreNames(Map<String, String> names) {
        fields(
                names,
                "QpAttr",
                "ibv_qp_attr",
                "SIZE, STATE qp_state, CURRENT_STATE cur_qp_state, PATH_MTU path_mtu, QKEY qkey,"
                        + " RQ_PSN rq_psn, SQ_PSN sq_psn, DEST_QP dest_qp_num, ACCESS"
                        + " qp_access_flags, AH ah_attr, PKEY_INDEX pkey_index, SQD_NOTIFY"
                        + " en_sqd_async_notify, MAX_RD_ATOMIC max_rd_atomic, MAX_DEST_RD_ATOMIC"
                        + " max_dest_rd_atomic, MIN_RNR_TIMER min_rnr_timer, PORT port_num, TIMEOUT"
                        + " timeout, RETRY retry_cnt, RNR_RETRY rnr_retry, RATE_LIMIT rate_limit");
        names.put("QpAttr.MASK_STATE", "=IBV_QP_STATE");
        fields(
                names,
                "AhAttr",
                "ibv_ah_attr",
                "SIZE, DGID grh.dgid, FLOW_LABEL grh.flow_label, SGID_INDEX grh.sgid_index,"
                        + " HOP_LIMIT grh.hop_limit, TRAFFIC_CLASS grh.traffic_class, DLID dlid,"
                        + " SL sl, IS_GLOBAL is_global, PORT port_num");
        fields(
                names,
                "SendWr",
                "ibv_send_wr",
                "SIZE, ID wr_id, NEXT next, SG_LIST sg_list, NUM_SGE num_sge, OPCODE opcode, FLAGS"
                        + " send_flags, IMMEDIATE imm_data, REMOTE_ADDRESS wr.rdma.remote_addr,"
                        + " REMOTE_KEY wr.rdma.rkey, ATOMIC_COMPARE_ADD wr.atomic.compare_add,"
                        + " ATOMIC_SWAP wr.atomic.swap, ATOMIC_KEY wr.atomic.rkey, UD_AH wr.ud.ah,"
                        + " UD_QP wr.ud.remote_qpn, UD_QKEY wr.ud.remote_qkey, BIND_MW bind_mw.mw,"
                        + " BIND_KEY bind_mw.rkey, BIND_MR bind_mw.bind_info.mr, BIND_ADDRESS"
                        + " bind_mw.bind_info.addr, BIND_LENGTH bind_mw.bind_info.length,"
                        + " BIND_ACCESS bind_mw.bind_info.mw_access_flags");
        names.put("SendWr.FENCE", "=IBV_SEND_FENCE");
        names.put("SendWr.SIGNALED", "=IBV_SEND_SIGNALED");
        names.put("SendWr.SOLICITED", "=IBV_SEND_SOLICITED");
        names.put("SendWr.INLINE", "=IBV_SEND_INLINE");
        fields(
                names,
                "RecvWr",
                "ibv_recv_wr",
                "SIZE, ID wr_id, NEXT next, SG_LIST sg_list, NUM_SGE num_sge");
        fields(names, "Sge", "ibv_sge", "SIZE, ADDRESS addr, LENGTH length, KEY lkey");
        fields(
                names,
                "Wc",
                "ibv_wc",
                "SIZE, ID wr_id, STATUS status, OPCODE opcode, VENDOR_ERROR vendor_err,"
                        + " BYTE_LENGTH byte_len, IMMEDIATE imm_data, QP qp_num, SOURCE_QP src_qp,"
                        + " FLAGS wc_flags, SOURCE_LID slid, SERVICE_LEVEL sl");
        names.put("Wc.GRH", "=IBV_WC_GRH");
        names.put("Wc.WITH_IMMEDIATE", "=IBV_WC_WITH_IMM");
        // The kernel's number, which libibverbs uses for something else.
        names.put("Wc.KERNEL_INVALIDATE", "=1 << 2");
        names.put("Wc.WITH_INVALIDATE", "=IBV_WC_WITH_INV");
        fields(names, "Event", "ibv_async_event", "SIZE, ELEMENT element, TYPE event_type");
    }
}

package dev.verbena.ibverbs.driver;

/// The structures of `infiniband/verbs.h` and `rdma/rdma_cma.h` (rdma-core 44), field by field in
/// the order of the headers.
final class Layouts {
    static final CStruct DEVICE =
            new CStruct(
                    "ibv_device",
                    "ptr ops[2]",
                    "u32 node_type",
                    "u32 transport_type",
                    "u8 name[64]",
                    "u8 dev_name[64]",
                    "u8 dev_path[256]",
                    "u8 ibdev_path[256]");

    /// The functions of a context in the order of `struct ibv_context_ops`, 32 in all.
    static final CStruct CONTEXT =
            new CStruct(
                    "ibv_context",
                    "ptr device",
                    "ptr compat_first[7]",
                    "ptr alloc_mw",
                    "ptr bind_mw",
                    "ptr dealloc_mw",
                    "ptr compat_create_cq",
                    "ptr poll_cq",
                    "ptr req_notify_cq",
                    "ptr compat_cqs[3]",
                    "ptr compat_srqs[4]",
                    "ptr post_srq_recv",
                    "ptr compat_qps[4]",
                    "ptr post_send",
                    "ptr post_recv",
                    "ptr compat_last[5]",
                    "u32 cmd_fd",
                    "u32 async_fd",
                    "u32 num_comp_vectors",
                    // glibc's mutex is larger on ARM.
                    "ptr mutex[" + ("aarch64".equals(System.getProperty("os.arch")) ? 6 : 5) + "]",
                    "ptr abi_compat");

    static final CStruct DEVICE_ATTR =
            new CStruct(
                    "ibv_device_attr",
                    "u8 fw_ver[64]",
                    "u64 node_guid",
                    "u64 sys_image_guid",
                    "u64 max_mr_size",
                    "u64 page_size_cap",
                    "u32 vendor_id",
                    "u32 vendor_part_id",
                    "u32 hw_ver",
                    "u32 max_qp",
                    "u32 max_qp_wr",
                    "u32 device_cap_flags",
                    "u32 max_sge",
                    "u32 max_sge_rd",
                    "u32 max_cq",
                    "u32 max_cqe",
                    "u32 max_mr",
                    "u32 max_pd",
                    "u32 max_qp_rd_atom",
                    "u32 max_ee_rd_atom",
                    "u32 max_res_rd_atom",
                    "u32 max_qp_init_rd_atom",
                    "u32 max_ee_init_rd_atom",
                    "u32 atomic_cap",
                    "u32 max_ee",
                    "u32 max_rdd",
                    "u32 max_mw",
                    "u32 max_raw_ipv6_qp",
                    "u32 max_raw_ethy_qp",
                    "u32 max_mcast_grp",
                    "u32 max_mcast_qp_attach",
                    "u32 max_total_mcast_qp_attach",
                    "u32 max_ah",
                    "u32 max_fmr",
                    "u32 max_map_per_fmr",
                    "u32 max_srq",
                    "u32 max_srq_wr",
                    "u32 max_srq_sge",
                    "u16 max_pkeys",
                    "u8 local_ca_ack_delay",
                    "u8 phys_port_cnt");

    static final CStruct PORT_ATTR =
            new CStruct(
                    "ibv_port_attr",
                    "u32 state",
                    "u32 max_mtu",
                    "u32 active_mtu",
                    "u32 gid_tbl_len",
                    "u32 port_cap_flags",
                    "u32 max_msg_sz",
                    "u32 bad_pkey_cntr",
                    "u32 qkey_viol_cntr",
                    "u16 pkey_tbl_len",
                    "u16 lid",
                    "u16 sm_lid",
                    "u8 lmc",
                    "u8 max_vl_num",
                    "u8 sm_sl",
                    "u8 subnet_timeout",
                    "u8 init_type_reply",
                    "u8 active_width",
                    "u8 active_speed",
                    "u8 phys_state",
                    "u8 link_layer",
                    "u8 flags",
                    "u16 port_cap_flags2");

    static final CStruct GID_ENTRY =
            new CStruct(
                    "ibv_gid_entry",
                    "u64 gid_high",
                    "u64 gid_low",
                    "u32 gid_index",
                    "u32 port_num",
                    "u32 gid_type",
                    "u32 ndev_ifindex");

    static final CStruct PD = new CStruct("ibv_pd", "ptr context", "u32 handle");

    static final CStruct MR =
            new CStruct(
                    "ibv_mr",
                    "ptr context",
                    "ptr pd",
                    "ptr addr",
                    "u64 length",
                    "u32 handle",
                    "u32 lkey",
                    "u32 rkey");

    static final CStruct MW =
            new CStruct("ibv_mw", "ptr context", "ptr pd", "u32 rkey", "u32 handle", "u32 type");

    static final CStruct CQ =
            new CStruct(
                    "ibv_cq",
                    "ptr context",
                    "ptr channel",
                    "ptr cq_context",
                    "u32 handle",
                    "u32 cqe");

    static final CStruct CHANNEL =
            new CStruct("ibv_comp_channel", "ptr context", "u32 fd", "u32 refcnt");

    static final CStruct SRQ =
            new CStruct("ibv_srq", "ptr context", "ptr srq_context", "ptr pd", "u32 handle");

    static final CStruct SRQ_INIT =
            new CStruct(
                    "ibv_srq_init_attr",
                    "ptr srq_context",
                    "u32 max_wr",
                    "u32 max_sge",
                    "u32 srq_limit");

    static final CStruct SRQ_ATTR =
            new CStruct("ibv_srq_attr", "u32 max_wr", "u32 max_sge", "u32 srq_limit");

    static final CStruct QP =
            new CStruct(
                    "ibv_qp",
                    "ptr context",
                    "ptr qp_context",
                    "ptr pd",
                    "ptr send_cq",
                    "ptr recv_cq",
                    "ptr srq",
                    "u32 handle",
                    "u32 qp_num",
                    "u32 state",
                    "u32 qp_type");

    static final CStruct QP_INIT =
            new CStruct(
                    "ibv_qp_init_attr",
                    "ptr qp_context",
                    "ptr send_cq",
                    "ptr recv_cq",
                    "ptr srq",
                    "u32 max_send_wr",
                    "u32 max_recv_wr",
                    "u32 max_send_sge",
                    "u32 max_recv_sge",
                    "u32 max_inline_data",
                    "u32 qp_type",
                    "u32 sq_sig_all");

    static final CStruct QP_ATTR =
            new CStruct(
                    "ibv_qp_attr",
                    "u32 qp_state",
                    "u32 cur_qp_state",
                    "u32 path_mtu",
                    "u32 path_mig_state",
                    "u32 qkey",
                    "u32 rq_psn",
                    "u32 sq_psn",
                    "u32 dest_qp_num",
                    "u32 qp_access_flags",
                    "u32 cap[5]",
                    "u64 ah_attr[4]",
                    "u64 alt_ah_attr[4]",
                    "u16 pkey_index",
                    "u16 alt_pkey_index",
                    "u8 en_sqd_async_notify",
                    "u8 sq_draining",
                    "u8 max_rd_atomic",
                    "u8 max_dest_rd_atomic",
                    "u8 min_rnr_timer",
                    "u8 port_num",
                    "u8 timeout",
                    "u8 retry_cnt",
                    "u8 rnr_retry",
                    "u8 alt_port_num",
                    "u8 alt_timeout",
                    "u32 rate_limit");

    static final CStruct AH_ATTR =
            new CStruct(
                    "ibv_ah_attr",
                    "u64 dgid_high",
                    "u64 dgid_low",
                    "u32 flow_label",
                    "u8 sgid_index",
                    "u8 hop_limit",
                    "u8 traffic_class",
                    "@24",
                    "u16 dlid",
                    "u8 sl",
                    "u8 src_path_bits",
                    "u8 static_rate",
                    "u8 is_global",
                    "u8 port_num");

    static final CStruct SEND_WR =
            new CStruct(
                    "ibv_send_wr",
                    "u64 wr_id",
                    "ptr next",
                    "ptr sg_list",
                    "u32 num_sge",
                    "u32 opcode",
                    "u32 send_flags",
                    "u32 imm_data",
                    "u64 remote_addr",
                    "u32 rkey",
                    "@40",
                    "u64 atomic_addr",
                    "u64 compare_add",
                    "u64 swap",
                    "u32 atomic_rkey",
                    "@40",
                    "ptr ah",
                    "u32 remote_qpn",
                    "u32 remote_qkey",
                    "@72",
                    "u32 qp_type",
                    "@80",
                    "ptr mw",
                    "u32 mw_rkey",
                    "ptr mr",
                    "u64 mw_addr",
                    "u64 mw_length",
                    "u32 mw_access_flags");

    static final CStruct RECV_WR =
            new CStruct("ibv_recv_wr", "u64 wr_id", "ptr next", "ptr sg_list", "u32 num_sge");

    static final CStruct SGE = new CStruct("ibv_sge", "u64 addr", "u32 length", "u32 lkey");

    static final CStruct WC =
            new CStruct(
                    "ibv_wc",
                    "u64 wr_id",
                    "u32 status",
                    "u32 opcode",
                    "u32 vendor_err",
                    "u32 byte_len",
                    "u32 imm_data",
                    "u32 qp_num",
                    "u32 src_qp",
                    "u32 wc_flags",
                    "u16 pkey_index",
                    "u16 slid",
                    "u8 sl",
                    "u8 dlid_path_bits");

    static final CStruct ASYNC_EVENT =
            new CStruct("ibv_async_event", "ptr element", "u32 event_type");

    static final CStruct CM_CHANNEL = new CStruct("rdma_event_channel", "u32 fd");

    static final CStruct CM_ID =
            new CStruct(
                    "rdma_cm_id",
                    "ptr verbs",
                    "ptr channel",
                    "ptr context",
                    "ptr qp",
                    "u64 src_addr[16]",
                    "u64 dst_addr[16]",
                    "u64 sgid[2]",
                    "u64 dgid[2]",
                    "u16 pkey",
                    "ptr path_rec",
                    "u32 num_paths",
                    "@344",
                    "u32 ps",
                    "u8 port_num",
                    "ptr event",
                    "ptr others[8]");

    static final CStruct CM_EVENT =
            new CStruct(
                    "rdma_cm_event",
                    "ptr id",
                    "ptr listen_id",
                    "u32 event",
                    "u32 status",
                    "ptr private_data",
                    "u8 private_data_len",
                    "u8 responder_resources",
                    "u8 initiator_depth",
                    "u8 flow_control",
                    "u8 retry_count",
                    "u8 rnr_retry_count",
                    "u8 srq",
                    "u32 qp_num",
                    "@40",
                    "u64 ud_ah_attr[4]",
                    "u32 ud_qp_num",
                    "u32 ud_qkey");

    static final CStruct CONN_PARAM =
            new CStruct(
                    "rdma_conn_param",
                    "ptr private_data",
                    "u8 private_data_len",
                    "u8 responder_resources",
                    "u8 initiator_depth",
                    "u8 flow_control",
                    "u8 retry_count",
                    "u8 rnr_retry_count",
                    "u8 srq",
                    "u32 qp_num");

    private Layouts() {}
}

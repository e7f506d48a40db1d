/*
 * verbsloop -d DEVICE [-g GID-INDEX] [-l OPERATIONS] [-b OPERATIONS]: what plain C gets from a device.
 *
 * Two connected queue pairs of one process, both loops by one thread; VerbsLoop does the same in Java:
 *   latency:   a WRITE of 8 bytes with a completion, waited for by polling, and then the next
 *   bandwidth: WRITEs of 64 KiB, each with a completion, 64 of them under way
 */
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SMALL = 8, LARGE = 65536, WINDOW = 64, POLL = 16, PORT = 1 };

static struct ibv_context *context;
static struct ibv_cq *queue;
static struct ibv_qp *pairs[2];
static struct ibv_mr *region;
static char *memory;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void open_device(const char *name) {
    int count;
    struct ibv_device **devices = ibv_get_device_list(&count);
    for (int i = 0; i < count && !context; i++)
        if (!strcmp(ibv_get_device_name(devices[i]), name)) context = ibv_open_device(devices[i]);
    if (!context) fail(name);
    struct ibv_pd *domain = ibv_alloc_pd(context);
    queue = ibv_create_cq(context, 2 * WINDOW, NULL, NULL, 0);
    memory = aligned_alloc(4096, 2 * LARGE);
    if (!domain || !queue || !memory) fail("domain and queue");
    memset(memory, 1, 2 * LARGE);
    region = ibv_reg_mr(domain, memory, 2 * LARGE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    if (!region) fail("ibv_reg_mr");
    for (int i = 0; i < 2; i++) {
        struct ibv_qp_init_attr initial = {.send_cq = queue, .recv_cq = queue, .qp_type = IBV_QPT_RC,
            .cap = {.max_send_wr = 2 * WINDOW, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
        pairs[i] = ibv_create_qp(domain, &initial);
        if (!pairs[i]) fail("ibv_create_qp");
    }
}

static void connect_pair(struct ibv_qp *pair, struct ibv_qp *peer, int index) {
    struct ibv_port_attr port;
    union ibv_gid gid;
    if (ibv_query_port(context, PORT, &port) || ibv_query_gid(context, PORT, index, &gid))
        fail("port");
    struct ibv_qp_attr it = {.qp_state = IBV_QPS_INIT, .port_num = PORT,
                             .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    if (ibv_modify_qp(pair, &it, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                     IBV_QP_ACCESS_FLAGS)) fail("to INIT");
    it = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = port.active_mtu,
        .dest_qp_num = peer->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
        .ah_attr = {.is_global = 1, .port_num = PORT, .dlid = port.lid,
                    .grh = {.dgid = gid, .sgid_index = index, .hop_limit = 64}}};
    if (ibv_modify_qp(pair, &it, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                     IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                                     IBV_QP_MIN_RNR_TIMER)) fail("to RTR");
    it = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 6,
                              .rnr_retry = 7, .max_rd_atomic = 1};
    if (ibv_modify_qp(pair, &it, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                     IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
        fail("to RTS");
}

static void post(int length) {
    struct ibv_sge piece = {(uintptr_t)memory, length, region->lkey};
    struct ibv_send_wr *bad, request = {.sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = {(uintptr_t)memory + LARGE, region->rkey}};
    if (ibv_post_send(pairs[0], &request, &bad)) fail("ibv_post_send");
}

/* Takes what there is, at most so many. */
static int take(int most) {
    struct ibv_wc done[POLL];
    int count = ibv_poll_cq(queue, most, done);
    for (int i = 0; i < count; i++)
        if (done[i].status != IBV_WC_SUCCESS) {
            fprintf(stderr, "completion: %s\n", ibv_wc_status_str(done[i].status));
            exit(1);
        }
    return count;
}

static void latency(int operations) {
    for (int i = 0; i < operations; i++) {
        post(SMALL);
        while (!take(1)) {}
    }
}

static void bandwidth(int operations) {
    int posted = 0, done = 0;
    while (done < operations) {
        while (posted < operations && posted - done < WINDOW) post(LARGE), posted++;
        done += take(POLL);
    }
}

int main(int count, char **words) {
    const char *device = NULL;
    int index = 1, small = 10000, large = 1000;
    for (int option; (option = getopt(count, words, "d:g:l:b:")) != -1;) {
        if (option == 'd') device = optarg;
        else if (option == 'g') index = atoi(optarg);
        else if (option == 'l') small = atoi(optarg);
        else if (option == 'b') large = atoi(optarg);
        else return 2;
    }
    if (!device) return fprintf(stderr, "usage: verbsloop -d DEVICE\n"), 2;
    open_device(device);
    connect_pair(pairs[0], pairs[1], index);
    connect_pair(pairs[1], pairs[0], index);
    latency(small / 10 + 1);
    double start = now();
    latency(small);
    printf("loop c latency %.1f ns/op\n", (now() - start) * 1e9 / small);
    bandwidth(large / 10 + 1);
    start = now();
    bandwidth(large);
    printf("loop c bandwidth %.0f bytes/s\n", (double)LARGE * large / (now() - start));
    return 0;
}

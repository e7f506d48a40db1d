/* The other side of every interoperability cell: a program over libibverbs that does what it is
 * told and says what it saw. It decides nothing, so that one script can play either role of a cell.
 *
 *   oracle -d DEVICE -p PORT [-x]
 *
 * Each TCP connection has queue pairs of its own. A command is a line of words, the answer is a
 * line that begins with "ok" or "error"; numbers are decimal, or hexadecimal with 0x.
 *   hello                                      device, firmware and kernel
 *   open ADDRESS PSN BYTES RIGHTS TYPE PAIRS SHARED QKEY
 *                                              memory, and queue pairs of a type of ibv_qp_type at
 *                                              that address, which share their receives or do not
 *   use PAIR                                   the one, from 0, that all below is about
 *   connect QPN PSN GID MTU TIMEOUT RETRIES RNR-RETRIES RNR-TIMER READS
 *   fill OFFSET BYTES SEED                     the pattern of a seed
 *   sum OFFSET BYTES                           CRC-32 of what is there
 *   word OFFSET [VALUE]                        eight bytes, as the host orders them
 *   bytes OFFSET BYTES                         up to 64 bytes, as they lie there
 *   receive ID OFFSET BYTES                    a receive request, into the shared queue if any
 *   limit REQUESTS                             arms the limit of the shared queue
 *   event MS                                   the next asynchronous event, or none
 *   bind OFFSET BYTES RIGHTS                   a window of type 2; the answer is its key
 *   post ID OPCODE FLAGS OFFSET BYTES ADDRESS KEY A B    put into the chain; KEY: of a datagram the
 *                                              queue key; A: immediate, key to invalidate,
 *                                              compare or add; B: swap
 *   go                                         the chain goes into the send queue
 *   wait send|receive MS                       the next completion, or none
 *   state, counters, close
 *   run SECONDS WORDS…                         only with -x: a program, its output, its status
 *   off                                        only with -x: ends the oracle */
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <dirent.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS_MAX = 32, CHAIN_MAX = 64, QUEUE_DEPTH = 256, PORT = 1, PAIRS_MAX = 4, SHOWN_MAX = 64 };

static const char *device_name;
static int executes;
static FILE *in, *out;

static struct ibv_context *context;
static struct ibv_pd *domain;
static struct ibv_cq *sent, *received;
static struct ibv_srq *shared;
static struct ibv_qp *pairs[PAIRS_MAX], *pair;
static struct ibv_ah *way;
static uint32_t peer;
static struct ibv_mr *region;
static struct ibv_mw *window;
static uint8_t *memory;
static size_t memory_bytes;
static int gid_index;
static uint32_t first_psn;

static struct ibv_send_wr chain[CHAIN_MAX];
static struct ibv_sge pieces[CHAIN_MAX];
static int chained;

static int answer(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vfprintf(out, format, values);
    va_end(values);
    fputc('\n', out);
    return fflush(out);
}

static int refuse(const char *what, int error) {
    return answer("error %s: %s", what, error ? strerror(error) : "not as it should be");
}

static uint64_t number(const char *word) { return strtoull(word, NULL, 0); }

/* One of the 64-bit numbers of a seed: SplitMix64, counted by the place. */
static uint64_t pattern(uint64_t seed, uint64_t at) {
    uint64_t z = seed + (at + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

static uint32_t crc32_of(const uint8_t *bytes, size_t length) {
    static uint32_t table[256];
    for (uint32_t i = 0; !table[255] && i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320 : 0);
    }
    uint32_t crc = ~0U;
    for (size_t i = 0; i < length; i++) crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xFF];
    return ~crc;
}

static void release(void) {
    for (int i = 0; i < PAIRS_MAX; i++) {
        if (pairs[i]) ibv_destroy_qp(pairs[i]);
        pairs[i] = NULL;
    }
    if (shared) ibv_destroy_srq(shared);
    if (way) ibv_destroy_ah(way);
    if (window) ibv_dealloc_mw(window);
    if (region) ibv_dereg_mr(region);
    if (sent) ibv_destroy_cq(sent);
    if (received) ibv_destroy_cq(received);
    if (domain) ibv_dealloc_pd(domain);
    free(memory);
    pair = NULL, shared = NULL, way = NULL, window = NULL, region = NULL, sent = received = NULL;
    domain = NULL, memory = NULL;
    memory_bytes = 0, chained = 0;
}

static int hello(int count, char **words) {
    (void)count, (void)words;
    struct ibv_device_attr attributes;
    struct utsname system;
    ibv_query_device(context, &attributes);
    uname(&system);
    return answer("ok %s %s %s", device_name, attributes.fw_ver[0] ? attributes.fw_ver : "-",
                  system.release);
}

/* Finds where in the device's table the RoCE v2 GID of an address is. */
static int find_gid(const char *address) {
    union ibv_gid wanted = {.raw = {[10] = 0xFF, [11] = 0xFF}};
    struct ibv_gid_entry entries[256];
    if (inet_pton(AF_INET, address, wanted.raw + 12) != 1 &&
        inet_pton(AF_INET6, address, wanted.raw) != 1) return -1;
    ssize_t count = ibv_query_gid_table(context, entries, 256, 0);
    for (ssize_t i = 0; i < count; i++) {
        if (entries[i].port_num == PORT && entries[i].gid_type == IBV_GID_TYPE_ROCE_V2 &&
            !memcmp(&entries[i].gid, &wanted, sizeof wanted)) return entries[i].gid_index;
    }
    return -1;
}

static int to_init(int rights, uint32_t key) {
    struct ibv_qp_attr attributes = {
        .qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = rights, .qkey = key};
    int last = pair->qp_type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
    return ibv_modify_qp(pair, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | last);
}

static struct ibv_qp *new_pair(enum ibv_qp_type type) {
    struct ibv_qp_init_attr_ex wanted = {.send_cq = sent, .recv_cq = received, .srq = shared,
        .qp_type = type, .pd = domain,
        .cap = {.max_send_wr = CHAIN_MAX, .max_recv_wr = shared ? 0 : CHAIN_MAX, .max_send_sge = 1,
                .max_recv_sge = shared ? 0 : 1},
        .comp_mask = IBV_QP_INIT_ATTR_PD};
    if (type == IBV_QPT_RC) {
        wanted.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
        wanted.send_ops_flags =
            IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD;
    }
    return ibv_create_qp_ex(context, &wanted);
}

static int open_pairs(int count, char **words) {
    if (count != 9 || !number(words[6]) || number(words[6]) > PAIRS_MAX)
        return refuse("open ADDRESS PSN BYTES RIGHTS TYPE PAIRS SHARED QKEY", EINVAL);
    release();
    gid_index = find_gid(words[1]);
    if (gid_index < 0) return refuse("no RoCE v2 GID of that address", ENODEV);
    first_psn = number(words[2]);
    memory_bytes = number(words[3]);
    int rights = number(words[4]);
    int all = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
    if (posix_memalign((void **)&memory, 4096, memory_bytes)) return refuse("no memory", ENOMEM);
    memset(memory, 0, memory_bytes);
    if (!(domain = ibv_alloc_pd(context))) return refuse("ibv_alloc_pd", errno);
    if (!(region = ibv_reg_mr(domain, memory, memory_bytes, rights)))
        return refuse("ibv_reg_mr", errno);
    if (!(sent = ibv_create_cq(context, QUEUE_DEPTH, NULL, NULL, 0)) ||
        !(received = ibv_create_cq(context, QUEUE_DEPTH, NULL, NULL, 0)))
        return refuse("ibv_create_cq", errno);
    struct ibv_srq_init_attr depth = {.attr = {.max_wr = CHAIN_MAX, .max_sge = 1}};
    if (number(words[7]) && !(shared = ibv_create_srq(domain, &depth)))
        return refuse("ibv_create_srq", errno);
    union ibv_gid gid;
    struct ibv_port_attr port;
    if (ibv_query_gid(context, PORT, gid_index, &gid) || ibv_query_port(context, PORT, &port))
        return refuse("ibv_query_port", errno);
    for (int i = number(words[6]) - 1; i >= 0; i--) {
        if (!(pair = pairs[i] = new_pair(number(words[5])))) return refuse("ibv_create_qp", errno);
        int error = to_init(all, number(words[8]));
        if (error) return refuse("INIT", error);
    }
    char text[33];
    for (int i = 0; i < 16; i++) sprintf(text + 2 * i, "%02x", gid.raw[i]);
    fprintf(out, "ok %s %d 0x%" PRIx64 " 0x%x", text, 128 << port.active_mtu,
            (uint64_t)(uintptr_t)memory, region->rkey);
    for (int i = 0; i < PAIRS_MAX && pairs[i]; i++) fprintf(out, " %u", pairs[i]->qp_num);
    return answer("");
}

static int use(int count, char **words) {
    if (count != 2 || number(words[1]) >= PAIRS_MAX || !pairs[number(words[1])])
        return refuse("use", EINVAL);
    pair = pairs[number(words[1])];
    return answer("ok");
}

/* Which attributes a connected queue pair needs; one of datagrams needs a way to its peer. */
static int to_ready(struct ibv_qp_attr *receive, struct ibv_qp_attr *send) {
    int receive_mask = IBV_QP_STATE, send_mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
    switch (pair->qp_type) {
    case IBV_QPT_UD:
        if (way) ibv_destroy_ah(way);
        if (!(way = ibv_create_ah(domain, &receive->ah_attr))) return errno;
        break;
    case IBV_QPT_RC:
        receive_mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
        send_mask |=
            IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
        /* fall through */
    default:
        receive_mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    }
    int error = ibv_modify_qp(pair, receive, receive_mask);
    return error ? error : ibv_modify_qp(pair, send, send_mask);
}

static int connect_pair(int count, char **words) {
    if (count != 10 || !pair || strlen(words[3]) != 32) return refuse("connect", EINVAL);
    peer = number(words[1]);
    struct ibv_qp_attr ready = {.qp_state = IBV_QPS_RTR, .dest_qp_num = peer,
        .rq_psn = number(words[2]), .max_dest_rd_atomic = number(words[9]),
        .min_rnr_timer = number(words[8]),
        .ah_attr = {.is_global = 1, .port_num = PORT,
                    .grh = {.sgid_index = gid_index, .hop_limit = 64}}};
    for (int i = 0; i < 16; i++) sscanf(words[3] + 2 * i, "%2hhx", &ready.ah_attr.grh.dgid.raw[i]);
    for (unsigned mtu = number(words[4]); mtu > 128; mtu >>= 1) ready.path_mtu++;
    struct ibv_qp_attr send = {.qp_state = IBV_QPS_RTS, .timeout = number(words[5]),
        .retry_cnt = number(words[6]), .rnr_retry = number(words[7]), .sq_psn = first_psn,
        .max_rd_atomic = number(words[9])};
    int error = to_ready(&ready, &send);
    return error ? refuse("ready to receive and to send", error) : answer("ok");
}

/* Whether these bytes are ours, so that a slip of the script is an error and not a crash. */
static int holds(const char *offset, const char *bytes) {
    uint64_t at = number(offset), length = number(bytes);
    return at <= memory_bytes && length <= memory_bytes - at;
}

static int fill(int count, char **words) {
    if (count != 4 || !holds(words[1], words[2])) return refuse("fill", EINVAL);
    uint8_t *at = memory + number(words[1]);
    uint64_t length = number(words[2]), seed = number(words[3]);
    uint64_t word = 0;
    for (uint64_t i = 0; i < length; i++, word >>= 8) {
        if (i % 8 == 0) word = pattern(seed, i / 8);
        at[i] = word;
    }
    return answer("ok");
}

static int sum(int count, char **words) {
    if (count != 3 || !holds(words[1], words[2])) return refuse("sum", EINVAL);
    return answer("ok 0x%x", crc32_of(memory + number(words[1]), number(words[2])));
}

static int word(int count, char **words) {
    if (count < 2 || !holds(words[1], "8")) return refuse("word", EINVAL);
    uint64_t value;
    if (count > 2) {
        value = number(words[2]);
        memcpy(memory + number(words[1]), &value, 8);
    }
    memcpy(&value, memory + number(words[1]), 8);
    return answer("ok 0x%" PRIx64, value);
}

static int bytes(int count, char **words) {
    if (count != 3 || !holds(words[1], words[2]) || !number(words[2]) ||
        number(words[2]) > SHOWN_MAX) return refuse("bytes", EINVAL);
    char text[2 * SHOWN_MAX + 1];
    for (uint64_t i = 0; i < number(words[2]); i++)
        sprintf(text + 2 * i, "%02x", memory[number(words[1]) + i]);
    return answer("ok %s", text);
}

static int receive(int count, char **words) {
    if (count != 4 || !pair || !holds(words[2], words[3])) return refuse("receive", EINVAL);
    struct ibv_sge piece = {(uintptr_t)memory + number(words[2]), number(words[3]), region->lkey};
    struct ibv_recv_wr request = {.wr_id = number(words[1]), .sg_list = &piece, .num_sge = 1}, *bad;
    int error = shared ? ibv_post_srq_recv(shared, &request, &bad)
                       : ibv_post_recv(pair, &request, &bad);
    return error ? refuse("ibv_post_recv", error) : answer("ok");
}

static int limit(int count, char **words) {
    if (count != 2 || !shared) return refuse("limit", EINVAL);
    struct ibv_srq_attr attributes = {.srq_limit = number(words[1])};
    int error = ibv_modify_srq(shared, &attributes, IBV_SRQ_LIMIT);
    return error ? refuse("ibv_modify_srq", error) : answer("ok");
}

static int next_event(int count, char **words) {
    if (count != 2) return refuse("event", EINVAL);
    struct pollfd ready = {.fd = context->async_fd, .events = POLLIN};
    struct ibv_async_event event;
    if (poll(&ready, 1, number(words[1])) != 1) return answer("ok none");
    if (ibv_get_async_event(context, &event)) return refuse("ibv_get_async_event", errno);
    ibv_ack_async_event(&event);
    return answer("ok %d", event.event_type);
}

static int next_completion(struct ibv_cq *queue, struct ibv_wc *done, uint64_t ms) {
    struct timespec start, now, pause = {.tv_nsec = 50000};
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        int count = ibv_poll_cq(queue, 1, done);
        if (count) return count;
        clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t passed_ns =
            (now.tv_sec - start.tv_sec) * 1000000000LL + now.tv_nsec - start.tv_nsec;
        if (passed_ns >= (int64_t)ms * 1000000) return 0;
        nanosleep(&pause, NULL);
    }
}

static int bind_window(int count, char **words) {
    if (count != 4 || !pair || !holds(words[1], words[2])) return refuse("bind", EINVAL);
    if (!window && !(window = ibv_alloc_mw(domain, IBV_MW_TYPE_2)))
        return refuse("ibv_alloc_mw", errno);
    uint32_t key = ibv_inc_rkey(window->rkey);
    struct ibv_send_wr request = {.opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED,
        .bind_mw = {.mw = window, .rkey = key,
                    .bind_info = {region, (uintptr_t)memory + number(words[1]), number(words[2]),
                                  number(words[3])}}}, *bad;
    int error = ibv_post_send(pair, &request, &bad);
    struct ibv_wc done;
    if (error) return refuse("ibv_post_send of a bind", error);
    if (next_completion(sent, &done, 5000) != 1 || done.status)
        return answer("error bind: status %d", done.status);
    window->rkey = key;
    return answer("ok 0x%x", key);
}

static int post(int count, char **words) {
    if (count != 10 || !pair || chained == CHAIN_MAX || !holds(words[4], words[5]))
        return refuse("post", EINVAL);
    struct ibv_send_wr *request = &chain[chained];
    struct ibv_sge *piece = &pieces[chained];
    uint64_t a = number(words[8]), b = number(words[9]);
    *piece = (struct ibv_sge){(uintptr_t)memory + number(words[4]), number(words[5]), region->lkey};
    *request = (struct ibv_send_wr){.wr_id = number(words[1]), .opcode = number(words[2]),
        .send_flags = number(words[3]), .sg_list = piece, .num_sge = piece->length ? 1 : 0};
    switch (request->opcode) {
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
        request->wr.atomic.remote_addr = number(words[6]);
        request->wr.atomic.rkey = number(words[7]);
        request->wr.atomic.compare_add = a;
        request->wr.atomic.swap = b;
        break;
    case IBV_WR_SEND_WITH_INV:
        request->invalidate_rkey = a;
        break;
    default:
        request->imm_data = htonl(a);
        if (pair->qp_type == IBV_QPT_UD) {
            request->wr.ud.ah = way;
            request->wr.ud.remote_qpn = peer;
            request->wr.ud.remote_qkey = number(words[7]);
            break;
        }
        request->wr.rdma.remote_addr = number(words[6]);
        request->wr.rdma.rkey = number(words[7]);
    }
    if (chained++) request[-1].next = request;
    return answer("ok");
}

/* ibv_post_send refuses an atomic at an odd address before any peer could; these calls do not. */
static int post_odd_atomic(const struct ibv_send_wr *request) {
    struct ibv_qp_ex *extended = ibv_qp_to_qp_ex(pair);
    if (!extended) return EOPNOTSUPP;
    ibv_wr_start(extended);
    extended->wr_id = request->wr_id;
    extended->wr_flags = request->send_flags;
    if (request->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
        ibv_wr_atomic_fetch_add(extended, request->wr.atomic.rkey, request->wr.atomic.remote_addr,
                                request->wr.atomic.compare_add);
    else
        ibv_wr_atomic_cmp_swp(extended, request->wr.atomic.rkey, request->wr.atomic.remote_addr,
                              request->wr.atomic.compare_add, request->wr.atomic.swap);
    ibv_wr_set_sge(extended, request->sg_list->lkey, request->sg_list->addr, 8);
    return ibv_wr_complete(extended);
}

static int go(int count, char **words) {
    (void)count, (void)words;
    if (!pair || !chained) return refuse("go", EINVAL);
    int atomic = chain->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
                 chain->opcode == IBV_WR_ATOMIC_CMP_AND_SWP;
    struct ibv_send_wr *bad;
    int error = atomic && chain->wr.atomic.remote_addr % 8 ? post_odd_atomic(chain)
                                                           : ibv_post_send(pair, chain, &bad);
    chained = 0;
    return error ? refuse("ibv_post_send", error) : answer("ok");
}

static int wait_for(int count, char **words) {
    if (count != 3 || !pair) return refuse("wait", EINVAL);
    struct ibv_wc done;
    struct ibv_cq *queue = strcmp(words[1], "send") ? received : sent;
    int found = next_completion(queue, &done, number(words[2]));
    if (found < 0) return refuse("ibv_poll_cq", EIO);
    if (!found) return answer("ok none");
    uint32_t value = done.wc_flags & IBV_WC_WITH_IMM ? ntohl(done.imm_data) : done.invalidated_rkey;
    return answer("ok %" PRIu64 " %d %d %u %d 0x%x %u %u", done.wr_id, done.status, done.opcode,
                  done.byte_len, done.wc_flags, value, done.qp_num, done.src_qp);
}

static int state(int count, char **words) {
    (void)count, (void)words;
    struct ibv_qp_attr attributes;
    struct ibv_qp_init_attr initial;
    if (!pair || ibv_query_qp(pair, &attributes, IBV_QP_STATE, &initial))
        return refuse("state", EINVAL);
    return answer("ok %d", attributes.qp_state);
}

static int counters(int count, char **words) {
    (void)count, (void)words;
    char path[512], value[64];
    snprintf(path, sizeof path, "/sys/class/infiniband/%s/ports/%d/hw_counters", device_name, PORT);
    DIR *directory = opendir(path);
    fputs("ok", out);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (entry->d_name[0] == '.' || !strcmp(entry->d_name, "lifespan")) continue;
        snprintf(path, sizeof path, "/sys/class/infiniband/%s/ports/%d/hw_counters/%.200s",
                 device_name, PORT, entry->d_name);
        FILE *file = fopen(path, "r");
        if (file && fgets(value, sizeof value, file))
            fprintf(out, " %s %llu", entry->d_name, strtoull(value, NULL, 10));
        if (file) fclose(file);
    }
    if (directory) closedir(directory);
    return answer("");
}

static int close_pair(int count, char **words) {
    (void)count, (void)words;
    release();
    return answer("ok");
}

static int run(int count, char **words) {
    if (!executes || count < 3) return refuse("run", EPERM);
    char line[1024];
    int length = snprintf(line, sizeof line, "timeout %s", words[1]);
    for (int i = 2; i < count; i++) {
        length += snprintf(line + length, sizeof line - length, " %s", words[i]);
        if (length >= (int)sizeof line - 8) return refuse("run", E2BIG);
    }
    strcat(line, " 2>&1");
    FILE *program = popen(line, "r");
    if (!program) return refuse("run", errno);
    while (fgets(line, sizeof line, program)) {
        fprintf(out, "| %s", line);
        fflush(out); // whoever waits for a long program wants to see it move
    }
    int status = pclose(program);
    return answer("ok %d", WIFEXITED(status) ? WEXITSTATUS(status) : 128);
}

static int off(int count, char **words) {
    (void)count, (void)words;
    if (!executes) return refuse("off", EPERM);
    answer("ok");
    return kill(getppid(), SIGTERM);
}

static const struct { const char *name; int (*execute)(int, char **); } commands[] = {
    {"hello", hello}, {"open", open_pairs}, {"use", use}, {"connect", connect_pair}, {"fill", fill},
    {"sum", sum}, {"word", word}, {"bytes", bytes}, {"receive", receive}, {"limit", limit},
    {"event", next_event}, {"bind", bind_window}, {"post", post}, {"go", go},
    {"wait", wait_for}, {"state", state}, {"counters", counters}, {"close", close_pair},
    {"run", run}, {"off", off},
};

static void execute(char *line) {
    char *words[WORDS_MAX];
    int count = 0;
    for (char *at = strtok(line, " \r\n"); at && count < WORDS_MAX; at = strtok(NULL, " \r\n"))
        words[count++] = at;
    for (size_t i = 0; count && i < sizeof commands / sizeof *commands; i++) {
        if (!strcmp(words[0], commands[i].name)) {
            commands[i].execute(count, words);
            return;
        }
    }
    refuse(count ? words[0] : "an empty line", EINVAL);
}

static void serve(int client) {
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    in = fdopen(client, "r");
    out = fdopen(dup(client), "w");
    int count;
    struct ibv_device **devices = ibv_get_device_list(&count);
    for (int i = 0; i < count && !context; i++) {
        if (!strcmp(ibv_get_device_name(devices[i]), device_name))
            context = ibv_open_device(devices[i]);
    }
    char line[1024];
    while (fgets(line, sizeof line, in)) {
        if (!context) answer("error no device %s: ibv_devices lists them", device_name);
        else execute(line);
    }
    release();
}

int main(int count, char **words) {
    int port = 0;
    for (int option; (option = getopt(count, words, "d:p:x")) != -1;) {
        if (option == 'd') device_name = optarg;
        else if (option == 'p') port = atoi(optarg);
        else if (option == 'x') executes = 1;
        else return 2;
    }
    if (!device_name || !port) return fprintf(stderr, "usage: oracle -d DEVICE -p PORT [-x]\n"), 2;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    int door = socket(AF_INET6, SOCK_STREAM, 0);
    setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    struct sockaddr_in6 here = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    if (bind(door, (struct sockaddr *)&here, sizeof here) || listen(door, 8))
        return perror("oracle"), 1;
    for (;;) {
        int client = accept(door, NULL, NULL);
        if (client >= 0 && !fork()) {
            signal(SIGCHLD, SIG_DFL);
            close(door);
            serve(client);
            _exit(0);
        }
        close(client);
    }
}

/* A switch port that is too slow: frames between two network namespaces, each direction through a
 * queue of its own that is emptied at a rate, marks (RED on its length, as DCQCN wants it) and drops
 * what does not fit.
 *
 *   bottleneck LEFT RIGHT MBITS LIMIT KMIN KMAX PMAX SEED
 *
 * LEFT and RIGHT name namespaces of `ip netns`; each gets a tap device `cable`. LIMIT, KMIN and KMAX
 * are bytes in the queue. It says `ready` when both stand, and at the end of its standard input what
 * became of the frames.
 *
 * A process is woken late now and then, a port is not. So frames that are found together are taken to
 * have come one by one since the last look, and the queue is as long as it would be then. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    FRAME_MAX = 9216,
    BATCH = 1024,          /* frames that one side may bring before the other is looked at */
    WIRE_OVERHEAD = 24,    /* preamble, check sequence and gap of each frame */
    ECN_OFFSET = 15,       /* the byte of an IPv4 header with the congestion bits */
    CHECKSUM_OFFSET = 24,
    ETHERTYPE_IPV4 = 0x0800,
    ECT_0 = 2,
    CE = 3,
};

struct frame {
    struct frame *next;
    int64_t departs_ns;
    size_t length;
    uint8_t bytes[];
};

/* One of the two directions. */
struct way {
    int from, to;
    struct frame *first, **last;
    struct frame *waiting; /* the first that had not left when the last one came */
    size_t bytes;          /* from there to the end */
    int64_t free_ns;       /* when its last frame will have left */
    int64_t looked_ns;     /* until when all that came is in the queue */
    unsigned long frames, marked, dropped, refused;
    size_t longest;
};

static double mbits, pmax;
static size_t limit, kmin, kmax;
static uint64_t dice;

static void fail(const char *what) {
    fprintf(stderr, "bottleneck: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* A number in [0, 1), from a xorshift generator. */
static double roll(void) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (double)(dice >> 11) / (double)(1ULL << 53);
}

/* A tap device stays where it was made, however the process moves on. */
static int tap_in(const char *space) {
    char path[256];
    snprintf(path, sizeof path, "/run/netns/%s", space);
    int home = open(path, O_RDONLY | O_CLOEXEC);
    if (home < 0) fail(path);
    if (setns(home, CLONE_NEWNET) < 0) fail("setns");
    close(home);
    int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0) fail("/dev/net/tun");
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    strcpy(request.ifr_name, "cable");
    if (ioctl(tap, TUNSETIFF, &request) < 0) fail("TUNSETIFF");
    return tap;
}

static double probability(size_t queue) {
    if (queue <= kmin) return 0;
    if (queue >= kmax) return 1;
    return pmax * (double)(queue - kmin) / (double)(kmax - kmin);
}

/* Marks an IPv4 packet that says it may be marked; its header's checksum follows (RFC 1624). */
static int mark(uint8_t *frame, size_t length) {
    if (length < 34 || (frame[12] << 8 | frame[13]) != ETHERTYPE_IPV4) return 0;
    if ((frame[ECN_OFFSET] & 3) != ECT_0) return 0;
    uint32_t sum = frame[CHECKSUM_OFFSET] << 8 | frame[CHECKSUM_OFFSET + 1];
    sum = (~sum & 0xFFFF) + (CE - ECT_0);
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = ~sum & 0xFFFF;
    frame[ECN_OFFSET] |= CE;
    frame[CHECKSUM_OFFSET] = sum >> 8;
    frame[CHECKSUM_OFFSET + 1] = sum & 0xFF;
    return 1;
}

static void forget(struct way *way) {
    way->bytes -= way->waiting->length;
    way->waiting = way->waiting->next;
}

/* A frame comes at a time that is not before the last one's. */
static void enqueue(struct way *way, struct frame *frame, int64_t now) {
    while (way->waiting && way->waiting->departs_ns <= now) forget(way);
    way->frames++;
    if (way->bytes + frame->length > limit) {
        way->dropped++;
        free(frame);
        return;
    }
    if (roll() < probability(way->bytes)) way->marked += mark(frame->bytes, frame->length);
    if (way->free_ns < now) way->free_ns = now;
    way->free_ns += (int64_t)((double)(frame->length + WIRE_OVERHEAD) * 8000 / mbits);
    frame->departs_ns = way->free_ns;
    frame->next = NULL;
    *way->last = frame;
    way->last = &frame->next;
    if (!way->waiting) way->waiting = frame;
    way->bytes += frame->length;
    if (way->bytes > way->longest) way->longest = way->bytes;
}

/* Takes all that has come since the last look. */
static void take(struct way *way) {
    static uint8_t bytes[FRAME_MAX];
    static struct frame *come[BATCH];
    int count = 0;
    while (count < BATCH) {
        ssize_t length = read(way->from, bytes, sizeof bytes);
        if (length < 0 && (errno == EAGAIN || errno == EINTR)) break;
        if (length < 0) fail("read");
        struct frame *frame = malloc(sizeof *frame + (size_t)length);
        if (!frame) fail("no memory for a frame");
        memcpy(frame->bytes, bytes, (size_t)length);
        frame->length = (size_t)length;
        come[count++] = frame;
    }
    int64_t now = now_ns(), since = now - way->looked_ns;
    for (int i = 0; i < count; i++) enqueue(way, come[i], way->looked_ns + since * (i + 1) / count);
    way->looked_ns = now;
}

static void let_go(struct way *way, int64_t now) {
    while (way->first && way->first->departs_ns <= now) {
        struct frame *frame = way->first;
        way->first = frame->next;
        if (!way->first) way->last = &way->first;
        if (way->waiting == frame) forget(way);
        if (write(way->to, frame->bytes, frame->length) < 0) way->refused++;
        free(frame);
    }
}

static void tell(const char *name, const struct way *way) {
    printf("%s frames %lu marked %lu dropped %lu refused %lu longest %zu\n", name, way->frames,
           way->marked, way->dropped, way->refused, way->longest);
}

int main(int count, char **words) {
    if (count != 9) {
        fprintf(stderr, "usage: bottleneck LEFT RIGHT MBITS LIMIT KMIN KMAX PMAX SEED\n");
        return 2;
    }
    mbits = atof(words[3]);
    limit = strtoul(words[4], NULL, 10);
    kmin = strtoul(words[5], NULL, 10);
    kmax = strtoul(words[6], NULL, 10);
    pmax = atof(words[7]);
    dice = strtoull(words[8], NULL, 10) * 0x9E3779B97F4A7C15ULL | 1;
    if (mbits <= 0 || kmin >= kmax) {
        fprintf(stderr, "bottleneck: a rate above 0 and KMIN below KMAX, please\n");
        return 2;
    }
    prctl(PR_SET_TIMERSLACK, 1);
    int left = tap_in(words[1]), right = tap_in(words[2]);
    struct way ways[] = {{.from = left, .to = right}, {.from = right, .to = left}};
    for (int i = 0; i < 2; i++) {
        ways[i].last = &ways[i].first;
        ways[i].looked_ns = now_ns();
    }
    puts("ready");
    fflush(stdout);
    struct pollfd ends[] = {{.fd = left, .events = POLLIN},
                            {.fd = right, .events = POLLIN},
                            {.fd = STDIN_FILENO, .events = POLLIN}};
    while (!ends[2].revents) {
        int64_t next = INT64_MAX, now = now_ns();
        for (int i = 0; i < 2; i++)
            if (ways[i].first && ways[i].first->departs_ns < next) next = ways[i].first->departs_ns;
        int64_t wait = next == INT64_MAX ? 1000000000 : next > now ? next - now : 0;
        struct timespec patience = {wait / 1000000000, wait % 1000000000};
        if (ppoll(ends, 3, &patience, NULL) < 0 && errno != EINTR) fail("ppoll");
        for (int i = 0; i < 2; i++) {
            take(&ways[i]);
            let_go(&ways[i], now_ns());
        }
    }
    tell("there", &ways[0]);
    tell("back", &ways[1]);
    return 0;
}

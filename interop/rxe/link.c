/* The cable between the namespace and the guest: Ethernet frames between a tap device and QEMU's
 * stream socket, with faults by seed. Only RoCE packets are lost, doubled or overtaken; the rest of
 * the traffic, which controls the laboratory, is not.
 *
 *   link TAP SOCKET PORT
 *
 * Commands come on TCP PORT of the loopback, one line each:
 *   faults LOSS DUPLICATE REORDER SEED   probabilities; starts the counts and the dice anew
 *   counts                               what became of the RoCE packets since then
 *
 * A tap device takes no offload, so the kernel cuts segmentation trains before they get here: what
 * the cable carries, a wire would carry. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    FRAME_MAX = 16384,
    QUEUE_MAX = 16384,
    HELD_MAX = 8,       /* frames that may overtake one */
    HELD_MS = 4,        /* after which it comes even if none does */
    ROCE_PORT = 4791,
    STREAM_HEADER = 4,  /* QEMU's: the frame's length, big-endian */
};

struct frame {
    struct frame *next;
    int after;          /* how many frames may still overtake it */
    int64_t until_ms;   /* when it comes anyway */
    size_t length;      /* with the header in front */
    uint8_t bytes[];
};

struct queue {
    struct frame *first, **last;
    size_t count;
};

/* One of the two directions. */
struct way {
    struct queue ready, held;
    uint64_t dice;
    size_t written; /* bytes of the first ready frame that are gone already */
};

static struct way to_guest, to_host;
static double loss, duplicate, reorder;
static unsigned long passed, lost, doubled, overtaken, overrun;

static void fail(const char *what) {
    fprintf(stderr, "link: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void clear(struct queue *queue) {
    while (queue->first) {
        struct frame *frame = queue->first;
        queue->first = frame->next;
        free(frame);
    }
    queue->last = &queue->first;
    queue->count = 0;
}

static void append(struct queue *queue, struct frame *frame) {
    if (queue->count == QUEUE_MAX) {
        overrun++;
        free(frame);
        return;
    }
    frame->next = NULL;
    *queue->last = frame;
    queue->last = &frame->next;
    queue->count++;
}

static struct frame *remove_first(struct queue *queue) {
    struct frame *frame = queue->first;
    queue->first = frame->next;
    if (!queue->first) queue->last = &queue->first;
    queue->count--;
    return frame;
}

/* A number in [0, 1), from a xorshift generator. */
static double roll(struct way *way) {
    way->dice ^= way->dice << 13;
    way->dice ^= way->dice >> 7;
    way->dice ^= way->dice << 17;
    return (double)(way->dice >> 11) / (double)(1ULL << 53);
}

static int is_roce(const uint8_t *frame, size_t length) {
    if (length < 62) return 0;
    int type = frame[12] << 8 | frame[13], udp;
    if (type == 0x0800 && frame[23] == IPPROTO_UDP) udp = 14 + (frame[14] & 15) * 4;
    else if (type == 0x86DD && frame[20] == IPPROTO_UDP) udp = 54;
    else return 0;
    return (frame[udp + 2] << 8 | frame[udp + 3]) == ROCE_PORT;
}

static struct frame *copy_of(const uint8_t *bytes, size_t length) {
    struct frame *frame = malloc(sizeof *frame + STREAM_HEADER + length);
    if (!frame) fail("no memory for a frame");
    uint32_t header = htonl(length);
    memcpy(frame->bytes, &header, STREAM_HEADER);
    memcpy(frame->bytes + STREAM_HEADER, bytes, length);
    frame->length = STREAM_HEADER + length;
    return frame;
}

/* Lets go of held frames that enough others have overtaken, or that have waited long enough. */
static void release(struct way *way, int overtakes, int64_t now) {
    struct queue still = {0};
    still.last = &still.first;
    while (way->held.first) {
        struct frame *frame = remove_first(&way->held);
        frame->after -= overtakes;
        append(frame->after <= 0 || frame->until_ms <= now ? &way->ready : &still, frame);
    }
    way->held = still;
    if (!still.first) way->held.last = &way->held.first;
}

static void hold(struct way *way, struct frame *frame, int64_t now) {
    frame->after = 1 + (int)(roll(way) * HELD_MAX);
    frame->until_ms = now + HELD_MS;
    append(&way->held, frame);
}

/* A frame comes in: throw the dice, once for each fault whether or not one hits, so that the same
 * seed gives the same faults for the same packets. */
static void carry(struct way *way, const uint8_t *bytes, size_t length) {
    int64_t now = now_ms();
    if (!is_roce(bytes, length)) {
        append(&way->ready, copy_of(bytes, length));
        return;
    }
    double a = roll(way), b = roll(way), c = roll(way);
    if (a < loss) {
        lost++;
        return;
    }
    passed++;
    if (c < reorder) {
        overtaken++;
        hold(way, copy_of(bytes, length), now);
    } else {
        append(&way->ready, copy_of(bytes, length));
        release(way, 1, now);
    }
    if (b < duplicate) {
        doubled++;
        hold(way, copy_of(bytes, length), now);
    }
}

static void command(int client, char *line) {
    unsigned long seed;
    double a, b, c;
    if (sscanf(line, "faults %lf %lf %lf %lu", &a, &b, &c, &seed) == 4) {
        loss = a, duplicate = b, reorder = c;
        passed = lost = doubled = overtaken = overrun = 0;
        to_guest.dice = seed * 2 + 0x9E3779B97F4A7C15ULL;
        to_host.dice = seed * 2 + 1 + 0x9E3779B97F4A7C15ULL;
        dprintf(client, "ok\n");
    } else if (!strcmp(line, "counts")) {
        dprintf(client, "ok passed %lu lost %lu duplicated %lu reordered %lu overrun %lu\n", passed,
                lost, doubled, overtaken, overrun);
    } else {
        dprintf(client, "error what is '%s'?\n", line);
    }
}

static int open_tap(const char *name) {
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request) < 0) fail(name);
    return fd;
}

static int listen_at(struct sockaddr *address, socklen_t length) {
    int fd = socket(address->sa_family, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(fd, address, length) < 0 || listen(fd, 1) < 0) fail("cannot listen");
    return fd;
}

/* Reads what QEMU sent; whole frames are carried on, the rest stays for the next time. */
static void read_guest(int fd) {
    static uint8_t buffer[1 << 18];
    static size_t filled;
    ssize_t got = recv(fd, buffer + filled, sizeof buffer - filled, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) exit(0); /* the guest is off */
    if (got < 0) return;
    filled += got;
    size_t at = 0;
    while (filled - at >= STREAM_HEADER) {
        uint32_t length;
        memcpy(&length, buffer + at, STREAM_HEADER);
        length = ntohl(length);
        if (length > FRAME_MAX) fail("a frame longer than any");
        if (filled - at - STREAM_HEADER < length) break;
        carry(&to_host, buffer + at + STREAM_HEADER, length);
        at += STREAM_HEADER + length;
    }
    memmove(buffer, buffer + at, filled - at);
    filled -= at;
}

static void read_tap(int fd) {
    uint8_t frame[FRAME_MAX];
    for (int i = 0; i < 64; i++) {
        ssize_t got = read(fd, frame, sizeof frame);
        if (got <= 0) return;
        carry(&to_guest, frame, got);
    }
}

static void write_guest(int fd) {
    while (to_guest.ready.first) {
        struct frame *frame = to_guest.ready.first;
        ssize_t put = send(fd, frame->bytes + to_guest.written, frame->length - to_guest.written,
                           MSG_DONTWAIT | MSG_NOSIGNAL);
        if (put < 0) return;
        to_guest.written += put;
        if (to_guest.written < frame->length) return;
        to_guest.written = 0;
        free(remove_first(&to_guest.ready));
    }
}

static void write_tap(int fd) {
    while (to_host.ready.first) {
        struct frame *frame = remove_first(&to_host.ready);
        if (write(fd, frame->bytes + STREAM_HEADER, frame->length - STREAM_HEADER) < 0) overrun++;
        free(frame);
    }
}

/* Returns whether the client is still there. */
static int read_client(int client) {
    static char line[256];
    static size_t filled;
    ssize_t got = recv(client, line + filled, sizeof line - 1 - filled, 0);
    if (got <= 0) {
        filled = 0;
        return 0;
    }
    filled += got;
    line[filled] = 0;
    for (char *end; (end = strchr(line, '\n'));) {
        *end = 0;
        command(client, line);
        filled -= end + 1 - line;
        memmove(line, end + 1, filled + 1);
    }
    return filled < sizeof line - 1;
}

int main(int count, char **words) {
    if (count != 4) return fprintf(stderr, "usage: link TAP SOCKET PORT\n"), 2;
    signal(SIGPIPE, SIG_IGN);
    clear(&to_guest.ready), clear(&to_guest.held), clear(&to_host.ready), clear(&to_host.held);
    int tap = open_tap(words[1]);
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    snprintf(path.sun_path, sizeof path.sun_path, "%s", words[2]);
    unlink(words[2]);
    int door = listen_at((struct sockaddr *)&path, sizeof path);
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(atoi(words[3])),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int control = listen_at((struct sockaddr *)&port, sizeof port);
    int guest = -1, client = -1;
    for (;;) {
        int full = to_guest.ready.first && guest >= 0;
        int waiting = to_guest.held.first || to_host.held.first;
        struct pollfd fds[] = {
            {guest < 0 ? door : guest, POLLIN | (full ? POLLOUT : 0), 0},
            {tap, POLLIN, 0},
            {client < 0 ? control : client, POLLIN, 0},
        };
        if (poll(fds, 3, waiting ? 1 : -1) < 0 && errno != EINTR) fail("poll");
        if (fds[0].revents && guest < 0) guest = accept(door, NULL, NULL);
        else if (fds[0].revents & (POLLIN | POLLHUP)) read_guest(guest);
        if (fds[1].revents) read_tap(tap);
        if (fds[2].revents && client < 0) {
            client = accept(control, NULL, NULL);
            setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        } else if (fds[2].revents && !read_client(client)) {
            close(client);
            client = -1;
        }
        release(&to_guest, 0, now_ms());
        release(&to_host, 0, now_ms());
        if (guest >= 0) write_guest(guest);
        write_tap(tap);
    }
}

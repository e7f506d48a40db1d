/* What the parts of bare share: the options, one end of the wire, and what is counted. */
#ifndef BARE_H
#define BARE_H

#include <netinet/in.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ACK_BYTES = 20,     /* what an acknowledgement of RoCE has: BTH, AETH, ICRC */
    BTH_BYTES = 12,     /* what precedes the payload of a packet in the middle of a message */
    RETH_BYTES = 16,    /* and of a message of one packet: the address, key and length too */
    TRAILER_BYTES = 4,  /* where the ICRC goes */
    TRAIN_MAX = 64,     /* packets that every kernel with UDP_SEGMENT takes in one call */
    DATAGRAM_MAX = 65507,
    BUFFER_BYTES = 1 << 16,
    MANY_MAX = 16,
    STALL_NS = 200000000 /* no train takes that long, even where others use the machine too */
};

struct options {
    const char *mode;
    const char *local, *peer;       /* addresses of the two ends */
    const char *local_ns, *peer_ns; /* names of network namespaces, or none */
    int port;
    int mtu;                        /* payload of a packet */
    int train;                      /* packets in one call */
    int window;                     /* packets on their way */
    int ack_every;                  /* packets for one acknowledgement */
    int rcvbuf;                     /* SO_RCVBUF to ask for; 0 leaves the kernel's default */
    int gso, copy, crc, many, pin, acknowledge;
    size_t size, set;               /* of a message; of the memory they rotate through */
    double seconds, warm_seconds;
};

/* One socket, where it sends to, and what it has in hand. */
struct end {
    int fd;
    int rcvbuf;
    struct sockaddr_storage to;
    socklen_t to_length;
    uint8_t *buffers;
};

/* What the two processes tell each other beside the wire. */
struct shared {
    _Atomic int ready, stop;
    _Atomic uint64_t received_packets, received_bytes, receive_calls, train_packets_max;
    _Atomic uint64_t cpu_user_ns, cpu_system_ns, wrong_sums;
};

struct result {
    double seconds;
    uint64_t packets, calls, lost, refused, bytes, receive_calls, rounds;
    double typical_us, average_us, least_us, p99_us, most_us;
    uint64_t user_ns, system_ns;
};

uint64_t now_ns(void);
void die(const char *what);
void cpu_ns(uint64_t *user, uint64_t *system);

void open_end(struct end *end, const struct options *options, int is_peer);
int header_bytes(const struct options *options);
int packet_bytes(const struct options *options);

/* Sends packets with numbers from `psn` on; their payload is `payload` and what follows it. */
int send_train(struct end *end, const struct options *options, uint32_t psn, const uint8_t *payload,
        int packets, int payload_last);
int send_small(struct end *end, const uint8_t *bytes, int length);
/* Takes what has arrived: its length, 0 if nothing has; `segment` is what GRO merged. */
int receive(struct end *end, int *segment);
/* Takes up to `many` datagrams with one call: how many. */
int receive_many(struct end *end, int many, int *lengths, int *segments);

void stream_send(struct end *end, const struct options *options, struct shared *shared,
        struct result *result);
void stream_receive(struct end *end, const struct options *options, struct shared *shared);
void bounce(struct end *end, const struct options *options, struct shared *shared,
        struct result *result);
void bounce_back(struct end *end, const struct options *options, struct shared *shared);

#endif

/* Sockets, packets in pieces, and the calls that move them. */
#define _GNU_SOURCE
#include "bare.h"

#include "crc32.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/udp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void set(int fd, int level, int name, int value, const char *what) {
    if (setsockopt(fd, level, name, &value, sizeof value) != 0) {
        die(what);
    }
}

static socklen_t address_of(const char *text, int port, struct sockaddr_storage *address) {
    memset(address, 0, sizeof *address);
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons((uint16_t)port);
        return sizeof *v4;
    }
    if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons((uint16_t)port);
        return sizeof *v6;
    }
    fprintf(stderr, "bare: %s is no address of IPv4 or IPv6\n", text);
    exit(2);
}

/* A socket stays in the namespace that it was made in, so the process need not. */
static int socket_in(const char *namespace, int family) {
    int here = -1;
    if (namespace) {
        char path[256];
        snprintf(path, sizeof path, "/run/netns/%s", namespace);
        here = open("/proc/self/ns/net", O_RDONLY);
        int there = open(path, O_RDONLY);
        if (here < 0 || there < 0 || setns(there, CLONE_NEWNET) != 0) {
            die(path);
        }
        close(there);
    }
    int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        die("socket");
    }
    if (here >= 0) {
        if (setns(here, CLONE_NEWNET) != 0) {
            die("setns");
        }
        close(here);
    }
    return fd;
}

void open_end(struct end *end, const struct options *options, int is_peer) {
    struct sockaddr_storage own;
    const char *mine = is_peer ? options->peer : options->local;
    const char *other = is_peer ? options->local : options->peer;
    socklen_t own_length = address_of(mine, options->port, &own);
    end->to_length = address_of(other, options->port, &end->to);
    end->fd = socket_in(is_peer ? options->peer_ns : options->local_ns, own.ss_family);
    if (own.ss_family == AF_INET) {
        set(end->fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO, "IP_MTU_DISCOVER");
    } else {
        set(end->fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO, "IPV6_MTU_DISCOVER");
    }
    if (options->rcvbuf > 0) {
        set(end->fd, SOL_SOCKET, SO_RCVBUF, options->rcvbuf, "SO_RCVBUF");
    }
    socklen_t length = sizeof end->rcvbuf;
    if (getsockopt(end->fd, SOL_SOCKET, SO_RCVBUF, &end->rcvbuf, &length) != 0) {
        die("SO_RCVBUF");
    }
    set(end->fd, IPPROTO_UDP, UDP_GRO, 1, "UDP_GRO");
    if (bind(end->fd, (struct sockaddr *)&own, own_length) != 0) {
        die(mine);
    }
    end->buffers = aligned_alloc(4096, (size_t)BUFFER_BYTES * MANY_MAX);
    memset(end->buffers, 0, (size_t)BUFFER_BYTES * MANY_MAX);
}

int header_bytes(const struct options *options) {
    return options->size <= (size_t)options->mtu ? BTH_BYTES + RETH_BYTES : BTH_BYTES;
}

int packet_bytes(const struct options *options) {
    int payload = options->size < (size_t)options->mtu ? (int)options->size : options->mtu;
    return header_bytes(options) + payload + TRAILER_BYTES;
}

/* Header, payload, trailer with the next header, payload … trailer: 2n + 1 pieces. */
static int gather(struct iovec *pieces, const struct options *options, uint32_t psn,
        const uint8_t *payload, int packets, int payload_last) {
    static uint8_t between[TRAIN_MAX + 1][TRAILER_BYTES + BTH_BYTES + RETH_BYTES];
    int header = header_bytes(options);
    int part = packet_bytes(options) - header - TRAILER_BYTES;
    for (int i = 0; i <= packets; i++) {
        uint8_t *joint = between[i];
        uint32_t number = psn + (uint32_t)i;
        memcpy(joint + TRAILER_BYTES, &number, sizeof number);
        int with_trailer = i > 0 ? TRAILER_BYTES : 0;
        int with_header = i < packets ? header : 0;
        pieces[2 * i].iov_base = joint + TRAILER_BYTES - with_trailer;
        pieces[2 * i].iov_len = (size_t)(with_trailer + with_header);
        if (i < packets) {
            int length = i == packets - 1 ? payload_last : part;
            pieces[2 * i + 1].iov_base = (void *)(payload + (size_t)i * (size_t)part);
            pieces[2 * i + 1].iov_len = (size_t)length;
            if (options->crc && length >= 256 && length % 256 == 0) {
                uint32_t sum = crc32_of(payload + (size_t)i * (size_t)part, (size_t)length);
                memcpy(between[i + 1], &sum, sizeof sum);
            }
        }
    }
    return 2 * packets + 1;
}

int send_train(struct end *end, const struct options *options, uint32_t psn, const uint8_t *payload,
        int packets, int payload_last) {
    struct iovec pieces[2 * TRAIN_MAX + 1];
    char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
    struct msghdr message = {.msg_name = &end->to, .msg_namelen = end->to_length};
    message.msg_iov = pieces;
    message.msg_iovlen =
            (size_t)gather(pieces, options, psn, payload, packets, payload_last);
    if (packets > 1) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *segment = CMSG_FIRSTHDR(&message);
        segment->cmsg_level = IPPROTO_UDP;
        segment->cmsg_type = UDP_SEGMENT;
        segment->cmsg_len = CMSG_LEN(sizeof(uint16_t));
        *(uint16_t *)CMSG_DATA(segment) = (uint16_t)packet_bytes(options);
    }
    if (sendmsg(end->fd, &message, 0) >= 0) {
        return 1;
    }
    if (errno != EAGAIN && errno != ENOBUFS && errno != ECONNREFUSED) {
        die("sendmsg");
    }
    return 0;
}

int send_small(struct end *end, const uint8_t *bytes, int length) {
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = (size_t)length};
    struct msghdr message = {.msg_name = &end->to, .msg_namelen = end->to_length,
            .msg_iov = &piece, .msg_iovlen = 1};
    if (sendmsg(end->fd, &message, 0) >= 0) {
        return 1;
    }
    if (errno != EAGAIN && errno != ENOBUFS && errno != ECONNREFUSED) {
        die("sendmsg");
    }
    return 0;
}

static int segment_of(struct msghdr *message, int otherwise) {
    for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at; at = CMSG_NXTHDR(message, at)) {
        if (at->cmsg_level == IPPROTO_UDP && at->cmsg_type == UDP_GRO) {
            int segment;
            memcpy(&segment, CMSG_DATA(at), sizeof segment);
            return segment;
        }
    }
    return otherwise;
}

int receive(struct end *end, int *segment) {
    char control[CMSG_SPACE(sizeof(int))];
    struct sockaddr_storage from;
    struct iovec piece = {.iov_base = end->buffers, .iov_len = BUFFER_BYTES};
    struct msghdr message = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &piece,
            .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t length = recvmsg(end->fd, &message, MSG_DONTWAIT);
    if (length < 0) {
        if (errno != EAGAIN && errno != ECONNREFUSED) {
            die("recvmsg");
        }
        return 0;
    }
    *segment = segment_of(&message, (int)length);
    return (int)length;
}

int receive_many(struct end *end, int many, int *lengths, int *segments) {
    static char control[MANY_MAX][CMSG_SPACE(sizeof(int))];
    static struct sockaddr_storage from[MANY_MAX];
    struct iovec pieces[MANY_MAX];
    struct mmsghdr messages[MANY_MAX];
    for (int i = 0; i < many; i++) {
        pieces[i].iov_base = end->buffers + (size_t)i * BUFFER_BYTES;
        pieces[i].iov_len = BUFFER_BYTES;
        messages[i].msg_hdr = (struct msghdr){.msg_name = &from[i], .msg_namelen = sizeof from[i],
                .msg_iov = &pieces[i], .msg_iovlen = 1, .msg_control = control[i],
                .msg_controllen = sizeof control[i]};
    }
    int got = recvmmsg(end->fd, messages, (unsigned)many, MSG_DONTWAIT, NULL);
    if (got < 0) {
        if (errno != EAGAIN && errno != ECONNREFUSED) {
            die("recvmmsg");
        }
        return 0;
    }
    for (int i = 0; i < got; i++) {
        lengths[i] = (int)messages[i].msg_len;
        segments[i] = segment_of(&messages[i].msg_hdr, lengths[i]);
    }
    return got;
}

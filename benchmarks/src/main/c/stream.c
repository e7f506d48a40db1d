/* Bandwidth and message rate: messages one after the other within a window. */
#define _GNU_SOURCE
#include "bare.h"

#include "crc32.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* An acknowledgement: the number after the highest that came, and how many came in all. */
struct ack {
    uint32_t next;
    uint32_t unused;
    uint64_t packets;
    uint32_t trailer;
} __attribute__((packed));

_Static_assert(sizeof(struct ack) == ACK_BYTES, "an acknowledgement is as long as RoCE's");

static uint8_t *memory(size_t bytes) {
    uint8_t *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        die("mmap");
    }
    for (size_t i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(i * 31);
    }
    return at;
}

/* What the sender knows of the wire; numbers count on without end, the wire has their low bits. */
struct flight {
    uint64_t sent, acked, forgotten;
    uint64_t received; /* as the receiver says */
    uint64_t progress_ns;
};

static void take_acks(struct end *end, struct flight *flight) {
    int segment;
    int length;
    while ((length = receive(end, &segment)) > 0) {
        for (int at = 0; at + ACK_BYTES <= length; at += segment) {
            struct ack ack;
            memcpy(&ack, end->buffers + at, sizeof ack);
            uint64_t next = flight->sent - (uint32_t)((uint32_t)flight->sent - ack.next);
            if (next > flight->acked) {
                flight->acked = next;
            }
            flight->received = ack.packets;
            flight->progress_ns = now_ns();
        }
    }
}

/* Waits until a train fits; what does not come in time is given up, and counted as lost. */
static void make_room(struct end *end, struct flight *flight, int packets, int window) {
    unsigned turns = 0;
    while (flight->sent + (uint64_t)packets - flight->acked > (uint64_t)window) {
        take_acks(end, flight);
        if ((++turns & 1023) == 0 && now_ns() - flight->progress_ns > STALL_NS) {
            flight->acked = flight->sent;
            flight->forgotten++;
            flight->progress_ns = now_ns();
        }
    }
}

static void send_message(struct end *end, const struct options *options, struct flight *flight,
        const uint8_t *payload, size_t bytes, struct result *result) {
    size_t part = (size_t)(packet_bytes(options) - header_bytes(options) - TRAILER_BYTES);
    size_t done = 0;
    while (done < bytes) {
        size_t packets = (bytes - done + part - 1) / part;
        if (packets > (size_t)options->train) {
            packets = (size_t)options->train;
        }
        size_t length = packets * part < bytes - done ? packets * part : bytes - done;
        int last = (int)(length - (packets - 1) * part);
        make_room(end, flight, (int)packets, options->window);
        while (!send_train(end, options, (uint32_t)flight->sent, payload + done, (int)packets,
                last)) {
            result->refused++;
            take_acks(end, flight);
        }
        result->calls++;
        flight->sent += packets;
        done += length;
    }
}

void stream_send(struct end *end, const struct options *options, struct shared *shared,
        struct result *result) {
    /* Messages of one packet go in trains: as many as a train takes count as one large message. */
    int small = options->size <= (size_t)options->mtu;
    size_t bytes = small ? options->size * (size_t)options->train : options->size;
    size_t set = options->set > bytes ? options->set / bytes * bytes : bytes;
    uint8_t *payload = memory(set);
    struct flight flight = {.progress_ns = now_ns()};
    uint64_t start = now_ns();
    uint64_t measured = start + (uint64_t)(options->warm_seconds * 1e9);
    uint64_t end_ns = measured + (uint64_t)(options->seconds * 1e9);
    uint64_t now = start;
    uint64_t packets_before = 0;
    uint64_t bytes_before = 0;
    uint64_t user = 0;
    uint64_t system = 0;
    int warm = 0;
    for (size_t at = 0; now < end_ns; at = at + bytes < set ? at + bytes : 0) {
        send_message(end, options, &flight, payload + at, bytes, result);
        now = now_ns();
        if (!warm && now >= measured) {
            warm = 1;
            start = now;
            packets_before = shared->received_packets;
            bytes_before = shared->received_bytes;
            result->calls = 0;
            cpu_ns(&user, &system);
        }
    }
    /* What still is on its way belongs to the time that it takes. */
    uint64_t sent = flight.sent;
    uint64_t patience = now_ns() + STALL_NS;
    while (shared->received_packets < sent && now_ns() < patience) {
        take_acks(end, &flight);
    }
    result->seconds = (double)(now_ns() - start) / 1e9;
    cpu_ns(&result->user_ns, &result->system_ns);
    result->user_ns -= user;
    result->system_ns -= system;
    result->packets = shared->received_packets - packets_before;
    result->bytes = shared->received_bytes - bytes_before;
    result->receive_calls = shared->receive_calls;
    result->lost = sent - shared->received_packets;
    shared->stop = 1;
}

/* Where the copy goes, if there is one: a region as large as the sender's working set. */
struct target {
    uint8_t *memory;
    size_t bytes, at;
};

static void take(const struct options *options, const uint8_t *bytes, int length, int segment,
        struct target *target, struct shared *shared) {
    int header = header_bytes(options);
    for (int at = 0; at < length; at += segment) {
        int one = at + segment <= length ? segment : length - at;
        const uint8_t *payload = bytes + at + header;
        size_t payload_length = (size_t)(one - header - TRAILER_BYTES);
        if (options->crc && payload_length >= 256 && payload_length % 256 == 0) {
            uint32_t sum;
            memcpy(&sum, payload + payload_length, sizeof sum);
            if (crc32_of(payload, payload_length) != sum) {
                shared->wrong_sums++;
            }
        }
        if (options->copy) {
            if (target->at + payload_length > target->bytes) {
                target->at = 0;
            }
            memcpy(target->memory + target->at, payload, payload_length);
            target->at += payload_length;
        }
    }
}

void stream_receive(struct end *end, const struct options *options, struct shared *shared) {
    struct target target = {.bytes = options->set > options->size ? options->set : options->size};
    target.memory = options->copy ? memory(target.bytes) : NULL;
    int overhead = header_bytes(options) + TRAILER_BYTES;
    int lengths[MANY_MAX];
    int segments[MANY_MAX];
    uint64_t packets = 0;
    uint64_t bytes = 0;
    uint64_t answered = 0;
    uint64_t calls = 0;
    uint64_t longest = 0;
    shared->ready = 1;
    while (!shared->stop) {
        int got = options->many > 1 ? receive_many(end, options->many, lengths, segments)
                                    : (lengths[0] = receive(end, &segments[0])) > 0;
        calls += got > 0;
        for (int i = 0; i < got; i++) {
            const uint8_t *at = end->buffers + (size_t)i * BUFFER_BYTES;
            uint64_t merged = (uint64_t)((lengths[i] + segments[i] - 1) / segments[i]);
            packets += merged;
            bytes += (uint64_t)lengths[i] - merged * (uint64_t)overhead;
            longest = merged > longest ? merged : longest;
            if (options->copy || options->crc) {
                take(options, at, lengths[i], segments[i], &target, shared);
            }
            shared->received_packets = packets;
            shared->received_bytes = bytes;
            if (packets - answered >= (uint64_t)options->ack_every) {
                struct ack ack = {.packets = packets};
                memcpy(&ack.next, at + (merged - 1) * (uint64_t)segments[i], sizeof ack.next);
                ack.next++;
                send_small(end, (const uint8_t *)&ack, sizeof ack);
                answered = packets;
            }
        }
    }
    shared->receive_calls = calls;
    shared->train_packets_max = longest;
}

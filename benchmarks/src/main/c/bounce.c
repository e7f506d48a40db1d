/* Latency: 8 bytes there and back, both ends spinning. */
#define _GNU_SOURCE
#include "bare.h"

#include <stdlib.h>
#include <string.h>

enum { DATA = 1, ACK = 2, ROUNDS_MAX = 4000000 };

static int by_value(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

/* Sends the data first, then what is owed for the data that came. */
static void answer(struct end *end, const struct options *options, int owes, uint64_t *payload) {
    static uint8_t ack[ACK_BYTES] = {ACK};
    static uint32_t data = DATA;
    while (!send_train(end, options, data, (const uint8_t *)payload, 1, sizeof *payload)) {
    }
    if (owes && options->acknowledge) {
        while (!send_small(end, ack, sizeof ack)) {
        }
    }
}

/* Spins until data comes, past acknowledgements; 0 if it never does. */
static int await_data(struct end *end, struct shared *shared, uint64_t patience_ns) {
    int segment;
    uint64_t deadline = 0;
    for (unsigned turns = 1;; turns++) {
        int length = receive(end, &segment);
        if (length > 0 && end->buffers[0] == DATA) {
            return 1;
        }
        if ((turns & 0xFFFF) == 0) {
            if (shared->stop) {
                return 0;
            }
            uint64_t now = now_ns();
            deadline = deadline ? deadline : now + patience_ns;
            if (now > deadline) {
                return 0;
            }
        }
    }
}

void bounce(struct end *end, const struct options *options, struct shared *shared,
        struct result *result) {
    uint32_t *times = malloc(sizeof *times * ROUNDS_MAX);
    memset(times, 0, sizeof *times * ROUNDS_MAX);
    uint64_t payload = 0;
    uint64_t start = now_ns();
    uint64_t measured = start + (uint64_t)(options->warm_seconds * 1e9);
    uint64_t end_ns = measured + (uint64_t)(options->seconds * 1e9);
    uint64_t before = start;
    size_t rounds = 0;
    while (before < end_ns && rounds < ROUNDS_MAX) {
        payload++;
        answer(end, options, payload > 1, &payload);
        if (!await_data(end, shared, (uint64_t)STALL_NS * 10)) {
            result->lost++;
            break;
        }
        uint64_t now = now_ns();
        if (before >= measured) {
            times[rounds++] = (uint32_t)(now - before);
        } else {
            start = now;
        }
        before = now;
    }
    shared->stop = 1;
    if (rounds == 0) {
        die("no round came back");
    }
    result->seconds = (double)(before - start) / 1e9;
    result->rounds = rounds;
    qsort(times, rounds, sizeof *times, by_value);
    double half = 2e3;
    result->least_us = times[0] / half;
    result->typical_us = times[rounds / 2] / half;
    result->p99_us = times[rounds * 99 / 100] / half;
    result->most_us = times[rounds - 1] / half;
    result->average_us = result->seconds * 1e6 / 2 / (double)rounds;
}

void bounce_back(struct end *end, const struct options *options, struct shared *shared) {
    uint64_t payload = 0;
    shared->ready = 1;
    while (!shared->stop) {
        if (await_data(end, shared, (uint64_t)STALL_NS * 100)) {
            payload++;
            answer(end, options, 1, &payload);
        }
    }
}

/* The bare limit of what Verbena's roce provider asks of the kernel: the same system calls on the
 * same kind of socket, between two processes, with nothing of a transport around them. It prints
 * one line of JSON. */
#define _GNU_SOURCE
#include "bare.h"

#include "crc32.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char USAGE[] =
        "usage: bare bw|rate|lat [options]\n"
        "  --size BYTES         of a message (bw: 1048576, else 8)\n"
        "  --set BYTES          memory that messages rotate through (as large as one)\n"
        "  --mtu BYTES          payload of a packet (4096)\n"
        "  --train PACKETS      packets in one sendmsg, at most 64 and 65507 bytes\n"
        "  --window PACKETS     packets on their way (as SO_RCVBUF takes)\n"
        "  --ack PACKETS        packets for one acknowledgement (a fourth of the window)\n"
        "  --rcvbuf BYTES       SO_RCVBUF to ask for (0: the kernel's default)\n"
        "  --gso on|off         UDP_SEGMENT, or one sendmsg for each packet\n"
        "  --answer on|off      lat: an acknowledgement behind the data\n"
        "  --many N             datagrams for one recvmmsg (1: recvmsg)\n"
        "  --copy --crc         also copy the payload once more; also a CRC-32 at both ends\n"
        "  --pin                each process to a core of its own\n"
        "  --seconds S --warm S how long, after how long\n"
        "  --local A --peer A --port N --local-ns NAME --peer-ns NAME\n";

uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void die(const char *what) {
    fprintf(stderr, "bare: %s: %s\n", what, strerror(errno));
    exit(1);
}

void cpu_ns(uint64_t *user, uint64_t *system) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    *user = (uint64_t)usage.ru_utime.tv_sec * 1000000000 + (uint64_t)usage.ru_utime.tv_usec * 1000;
    *system =
            (uint64_t)usage.ru_stime.tv_sec * 1000000000 + (uint64_t)usage.ru_stime.tv_usec * 1000;
}

static int is_on(const char *text) {
    if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0) {
        fprintf(stderr, "bare: on or off, not %s\n", text);
        exit(2);
    }
    return strcmp(text, "on") == 0;
}

static void usage(void) {
    fputs(USAGE, stderr);
    exit(2);
}

static const struct option NAMES[] = {
        {"size", 1, 0, 's'}, {"set", 1, 0, 'S'}, {"mtu", 1, 0, 'm'}, {"train", 1, 0, 't'},
        {"window", 1, 0, 'w'}, {"ack", 1, 0, 'a'}, {"rcvbuf", 1, 0, 'r'}, {"gso", 1, 0, 'g'},
        {"answer", 1, 0, 'A'}, {"many", 1, 0, 'n'}, {"copy", 0, 0, 'c'}, {"crc", 0, 0, 'C'},
        {"pin", 0, 0, 'p'}, {"seconds", 1, 0, 'd'}, {"warm", 1, 0, 'D'}, {"local", 1, 0, 'l'},
        {"peer", 1, 0, 'P'}, {"port", 1, 0, 'o'}, {"local-ns", 1, 0, 'x'},
        {"peer-ns", 1, 0, 'y'}, {0, 0, 0, 0}};

static void parse(int count, char **words, struct options *options) {
    int letter;
    while ((letter = getopt_long(count, words, "", NAMES, NULL)) != -1) {
        switch (letter) {
        case 's': options->size = strtoull(optarg, NULL, 10); break;
        case 'S': options->set = strtoull(optarg, NULL, 10); break;
        case 'm': options->mtu = atoi(optarg); break;
        case 't': options->train = atoi(optarg); break;
        case 'w': options->window = atoi(optarg); break;
        case 'a': options->ack_every = atoi(optarg); break;
        case 'r': options->rcvbuf = atoi(optarg); break;
        case 'g': options->gso = is_on(optarg); break;
        case 'A': options->acknowledge = is_on(optarg); break;
        case 'n': options->many = atoi(optarg); break;
        case 'c': options->copy = 1; break;
        case 'C': options->crc = 1; break;
        case 'p': options->pin = 1; break;
        case 'd': options->seconds = atof(optarg); break;
        case 'D': options->warm_seconds = atof(optarg); break;
        case 'l': options->local = optarg; break;
        case 'P': options->peer = optarg; break;
        case 'o': options->port = atoi(optarg); break;
        case 'x': options->local_ns = optarg; break;
        case 'y': options->peer_ns = optarg; break;
        default: usage();
        }
    }
    if (optind != count - 1) {
        usage();
    }
    options->mode = words[optind];
}

/* What the kernel counts for a datagram beside its bytes, roughly; one that is alone lies in a block
 * whose size is a power of two, and counts up to twice. */
enum { SOCKET_BUFFER_BYTES = 1280 };

static void complete(struct options *options, const struct end *end) {
    int is_bandwidth = strcmp(options->mode, "bw") == 0;
    int fits = DATAGRAM_MAX / packet_bytes(options);
    int most = fits < TRAIN_MAX ? fits : TRAIN_MAX;
    if (!options->gso) {
        options->train = 1;
    } else if (options->train <= 0 || options->train > most) {
        options->train = most;
    }
    if (options->window <= 0) {
        int train_bytes = options->train * packet_bytes(options) + SOCKET_BUFFER_BYTES;
        train_bytes += options->train == 1 ? packet_bytes(options) : 0;
        int trains = end->rcvbuf / 4 * 3 / train_bytes;
        options->window = (trains < 1 ? 1 : trains) * options->train;
        /* A device that cuts trains up queues each packet; net.core.netdev_max_backlog is 1000. */
        if (is_bandwidth && options->window > 900) {
            options->window = 900;
        }
        if (!is_bandwidth && options->window > 4096) {
            options->window = 4096;
        }
    }
    if (options->ack_every <= 0) {
        options->ack_every = options->window / 4 > 0 ? options->window / 4 : 1;
    }
    if (options->window < options->train + options->ack_every) {
        options->window = options->train + options->ack_every; /* else the last ones wait */
    }
    if (options->crc && !crc32_is_fast()) {
        fprintf(stderr, "bare: --crc needs a processor with SSE 4.1 and PCLMULQDQ\n");
        exit(2);
    }
    if (options->many < 1 || options->many > MANY_MAX || options->mtu < 256
            || options->mtu > 4096 || options->size < 1) {
        usage();
    }
}

static void pin_to(int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    sched_setaffinity(0, sizeof cores, &cores);
}

static void print(const struct options *options, const struct end *end,
        const struct shared *shared, const struct result *result) {
    printf("{\"mode\": \"%s\", \"size\": %zu, \"set\": %zu, \"mtu\": %d, \"train\": %d, "
            "\"window\": %d, \"ack_every\": %d, \"rcvbuf\": %d, \"gso\": %s, ",
            options->mode, options->size, options->set, options->mtu, options->train,
            options->window, options->ack_every, end->rcvbuf, options->gso ? "true" : "false");
    if (strcmp(options->mode, "lat") == 0) {
        printf("\"acknowledges\": %s, \"rounds\": %llu, \"t_min\": %.3f, \"t_typical\": %.3f, "
                "\"t_avg\": %.3f, \"t_99\": %.3f, \"t_max\": %.3f}\n",
                options->acknowledge ? "true" : "false", (unsigned long long)result->rounds,
                result->least_us, result->typical_us, result->average_us, result->p99_us,
                result->most_us);
        return;
    }
    double kib = (double)result->bytes / 1024;
    double messages = (double)result->bytes / (double)options->size;
    printf("\"seconds\": %.3f, \"gbits\": %.3f, \"mpps\": %.4f, \"mmsgs\": %.4f, \"lost\": %llu, "
            "\"refused\": %llu, \"sends\": %llu, \"receives\": %llu, \"longest_merged\": %llu, "
            "\"wrong_sums\": %llu, \"send_cpu_ns_per_kib\": %.1f, "
            "\"receive_cpu_ns_per_kib\": %.1f}\n",
            result->seconds, (double)result->bytes * 8 / result->seconds / 1e9,
            (double)result->packets / result->seconds / 1e6, messages / result->seconds / 1e6,
            (unsigned long long)result->lost, (unsigned long long)result->refused,
            (unsigned long long)result->calls, (unsigned long long)shared->receive_calls,
            (unsigned long long)shared->train_packets_max, (unsigned long long)shared->wrong_sums,
            (double)(result->user_ns + result->system_ns) / kib,
            (double)(shared->cpu_user_ns + shared->cpu_system_ns)
                    / ((double)shared->received_bytes / 1024));
}

static void receiver(struct end *end, const struct options *options, struct shared *shared) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (options->pin) {
        pin_to(1);
    }
    if (strcmp(options->mode, "lat") == 0) {
        bounce_back(end, options, shared);
    } else {
        stream_receive(end, options, shared);
    }
    uint64_t user;
    uint64_t system;
    cpu_ns(&user, &system);
    shared->cpu_user_ns = user;
    shared->cpu_system_ns = system;
    _exit(0);
}

int main(int count, char **words) {
    struct options options = {.local = "127.66.0.1", .peer = "127.66.0.2", .port = 14791,
            .mtu = 4096, .gso = 1, .many = 1, .acknowledge = 1, .seconds = 1, .warm_seconds = 0.3};
    parse(count, words, &options);
    if (strcmp(options.mode, "bw") != 0 && strcmp(options.mode, "rate") != 0
            && strcmp(options.mode, "lat") != 0) {
        usage();
    }
    if (options.size == 0) {
        options.size = strcmp(options.mode, "bw") == 0 ? 1 << 20 : 8;
    }
    struct end local;
    struct end peer;
    open_end(&local, &options, 0);
    open_end(&peer, &options, 1);
    complete(&options, &peer);
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        die("mmap");
    }
    pid_t child = fork();
    if (child < 0) {
        die("fork");
    }
    if (child == 0) {
        receiver(&peer, &options, shared);
    }
    if (options.pin) {
        pin_to(0);
    }
    while (!shared->ready) {
        usleep(1000);
    }
    struct result result = {0};
    if (strcmp(options.mode, "lat") == 0) {
        bounce(&local, &options, shared, &result);
    } else {
        stream_send(&local, &options, shared, &result);
    }
    int status;
    waitpid(child, &status, 0);
    print(&options, &peer, shared, &result);
    return status == 0 ? 0 : 1;
}

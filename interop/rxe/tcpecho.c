/* An ordinary TCP program, to be run with librspreload:
 *   tcpecho server PORT                  echoes one connection until its end
 *   tcpecho client ADDRESS PORT BYTES    sends, reads the echo, and compares
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHUNK = 20000 };

static unsigned char out[CHUNK], in[CHUNK];

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void send_all(int fd, const unsigned char *from, size_t length)
{
	while (length > 0) {
		ssize_t n = send(fd, from, length, 0);
		if (n <= 0)
			die("send");
		from += n;
		length -= (size_t)n;
	}
}

static long serve(const struct sockaddr_in *at)
{
	int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), fd;
	long total = 0;
	ssize_t n;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(listener, (const struct sockaddr *)at, sizeof *at))
		die("bind");
	if (listen(listener, 4))
		die("listen");
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		die("accept");
	while ((n = recv(fd, in, sizeof in, 0)) > 0) {
		send_all(fd, in, (size_t)n);
		total += n;
	}
	if (n < 0)
		die("recv");
	close(fd);
	close(listener);
	return total;
}

static long ask(const struct sockaddr_in *to, long bytes)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	unsigned char value = 0;
	long total = 0;

	if (connect(fd, (const struct sockaddr *)to, sizeof *to))
		die("connect");
	while (total < bytes) {
		size_t length = bytes - total < CHUNK ? (size_t)(bytes - total) : CHUNK, got = 0;
		for (size_t i = 0; i < length; i++)
			out[i] = value++;
		send_all(fd, out, length);
		while (got < length) {
			ssize_t n = recv(fd, in + got, length - got, 0);
			if (n <= 0)
				die("recv");
			got += (size_t)n;
		}
		if (memcmp(out, in, length)) {
			fprintf(stderr, "other bytes came back\n");
			exit(1);
		}
		total += (long)length;
	}
	shutdown(fd, SHUT_WR);
	if (recv(fd, in, 1, 0) != 0) {
		fprintf(stderr, "no end after the last byte\n");
		exit(1);
	}
	close(fd);
	return total;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	long total;

	if (argc == 3 && !strcmp(argv[1], "server")) {
		address.sin_port = htons((unsigned short)atoi(argv[2]));
		total = serve(&address);
	} else if (argc == 5 && !strcmp(argv[1], "client")) {
		address.sin_port = htons((unsigned short)atoi(argv[3]));
		if (!inet_aton(argv[2], &address.sin_addr))
			die("address");
		total = ask(&address, atol(argv[4]));
	} else {
		fprintf(stderr, "usage: tcpecho server PORT | client ADDRESS PORT BYTES\n");
		return 2;
	}
	printf("echoed %ld bytes\n", total);
	return 0;
}

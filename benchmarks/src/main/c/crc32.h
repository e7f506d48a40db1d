#ifndef CRC32_H
#define CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Whether this processor has what the checksum needs; nothing may call it without. */
int crc32_is_fast(void);

/* The checksum of a multiple of 256 bytes, at least as many. */
uint32_t crc32_of(const uint8_t *at, size_t length);

#endif

/* CRC-32 of zlib and Ethernet by carry-less multiplication, 256 bytes a turn with AVX-512 and 64
 * without. It is here to tell what a checksum over the payload takes from the budget. */
#include "crc32.h"

#ifdef __x86_64__
#include <immintrin.h>

#define CRC32_NARROW __attribute__((target("pclmul,sse4.1")))
#define CRC32_WIDE __attribute__((target("avx512f,avx512vl,vpclmulqdq,pclmul,sse4.1")))

int crc32_is_fast(void) {
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}

static int crc32_is_wide(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("vpclmulqdq");
}

/* The multipliers are x^n modulo the polynomial, bits reversed, for the distance of a fold. */
CRC32_WIDE static inline __m512i crc32_fold(__m512i sum, __m512i by, __m512i next) {
    __m512i low = _mm512_clmulepi64_epi128(sum, by, 0x00);
    __m512i high = _mm512_clmulepi64_epi128(sum, by, 0x11);
    return _mm512_ternarylogic_epi64(low, high, next, 0x96);
}

CRC32_NARROW static inline __m128i crc32_fold_lane(__m128i sum, __m128i by, __m128i next) {
    __m128i low = _mm_clmulepi64_si128(sum, by, 0x00);
    __m128i high = _mm_clmulepi64_si128(sum, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/* From 128 bits to 32: two more folds, then Barrett's division. */
CRC32_NARROW static uint32_t crc32_reduce(__m128i sum) {
    const __m128i by = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
    const __m128i to64 = _mm_set_epi64x(0, 0x163cd6124);
    const __m128i division = _mm_set_epi64x(0x1f7011641, 0x1db710641);
    const __m128i low32 = _mm_setr_epi32(~0, 0, ~0, 0);
    sum = _mm_xor_si128(_mm_srli_si128(sum, 8), _mm_clmulepi64_si128(sum, by, 0x10));
    __m128i rest = _mm_srli_si128(sum, 4);
    sum = _mm_xor_si128(rest, _mm_clmulepi64_si128(_mm_and_si128(sum, low32), to64, 0x00));
    __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(sum, low32), division, 0x10);
    __m128i product = _mm_clmulepi64_si128(_mm_and_si128(quotient, low32), division, 0x00);
    return (uint32_t)_mm_extract_epi32(_mm_xor_si128(sum, product), 1);
}

CRC32_WIDE static uint32_t crc32_wide(const uint8_t *at, size_t length) {
    const __m512i by2048 = _mm512_broadcast_i32x4(_mm_set_epi64x(0x1322d1430, 0x11542778a));
    const __m512i by512 = _mm512_broadcast_i32x4(_mm_set_epi64x(0x1c6e41596, 0x154442bd4));
    const __m128i by128 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
    __m512i sums[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        sums[i] = _mm512_loadu_si512(at + 64 * i);
    }
    sums[0] = _mm512_xor_si512(sums[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128(~0)));
    for (size_t done = 256; done < length; done += 256) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            sums[i] = crc32_fold(sums[i], by2048, _mm512_loadu_si512(at + done + 64 * i));
        }
    }
    __m512i sum = sums[0];
    for (int i = 1; i < 4; i++) {
        sum = crc32_fold(sum, by512, sums[i]);
    }
    __m128i lane = _mm512_extracti32x4_epi32(sum, 0);
    lane = crc32_fold_lane(lane, by128, _mm512_extracti32x4_epi32(sum, 1));
    lane = crc32_fold_lane(lane, by128, _mm512_extracti32x4_epi32(sum, 2));
    lane = crc32_fold_lane(lane, by128, _mm512_extracti32x4_epi32(sum, 3));
    return ~crc32_reduce(lane);
}

CRC32_NARROW static uint32_t crc32_narrow(const uint8_t *at, size_t length) {
    const __m128i by512 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
    const __m128i by128 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
    __m128i sums[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        sums[i] = _mm_loadu_si128((const __m128i *)(at + 16 * i));
    }
    sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128(~0));
    for (size_t done = 64; done < length; done += 64) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            __m128i next = _mm_loadu_si128((const __m128i *)(at + done + 16 * i));
            sums[i] = crc32_fold_lane(sums[i], by512, next);
        }
    }
    __m128i lane = sums[0];
    for (int i = 1; i < 4; i++) {
        lane = crc32_fold_lane(lane, by128, sums[i]);
    }
    return ~crc32_reduce(lane);
}

uint32_t crc32_of(const uint8_t *at, size_t length) {
    return crc32_is_wide() ? crc32_wide(at, length) : crc32_narrow(at, length);
}

#else

int crc32_is_fast(void) {
    return 0;
}

uint32_t crc32_of(const uint8_t *at, size_t length) {
    (void)at;
    (void)length;
    return 0;
}

#endif

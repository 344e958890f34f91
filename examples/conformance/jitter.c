#include "jitter.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static uint64_t cycles(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static uint64_t draw(void)
{
    static _Thread_local uint64_t state;
    if (state == 0) /* a page's address differs from process to process as well */
        state = cycles() ^ (uint64_t)(uintptr_t)&state ^ (uint64_t)getpid() << 40;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33 ^ (cycles() & 0xf);
}

void jitter(void)
{
    uint64_t r = draw();
    switch (r & 15) {
    case 0: {
        struct timespec pause = {.tv_sec = 0, .tv_nsec = (long)(r >> 4 & 0x7fff)};
        nanosleep(&pause, NULL);
        break;
    }
    case 1:
    case 2:
        sched_yield();
        break;
    case 3:
    case 4:
    case 5:
    case 6:
        for (volatile uint64_t left = r >> 4 & 0x3fff; left > 0;)
            left = left - 1;
        break;
    default:
        break;
    }
}

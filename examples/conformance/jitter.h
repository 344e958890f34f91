/* Delays that make the order of messages differ from run to run. */
#ifndef CONFORMANCE_JITTER_H
#define CONFORMANCE_JITTER_H

/*
 * Busy-waits, yields or sleeps for a random time: mostly none, at most about 0.1 ms. Random means the processor's
 * cycle counter, which no tool that replays the program's clock calls can replay: a replay has to hold under delays
 * other than the recorded ones. Nothing but time may depend on it.
 */
void jitter(void);

#endif

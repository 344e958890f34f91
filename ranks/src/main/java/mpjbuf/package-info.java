/** As much of MPJ Express's buffers as a program needs to put messages together by hand. */
package mpjbuf;

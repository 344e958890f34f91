/** As much of MPJ Express's buffers as a program needs to pack messages by hand. */
package mpjbuf;

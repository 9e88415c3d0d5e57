package org.railyard.decode.tcp;

import java.lang.foreign.MemorySegment;

/** Takes one direction of a TCP connection, in order, each byte once. */
public interface StreamListener {
    /**
     * Takes bytes.
     *
     * @param offset place of the first of them in the stream
     * @param bytes the bytes, at least one; a view of the file
     * @param segment the segment that brought them
     * @param segmentStart whether they are the first bytes of that segment
     */
    void data(long offset, MemorySegment bytes, TcpSegment segment, boolean segmentStart);

    /**
     * Learns that bytes are not in the capture.
     *
     * @param offset place of the first missing byte in the stream
     * @param length how many are missing, at least 1
     * @param noticed the segment that shows it
     */
    void gap(long offset, long length, TcpSegment noticed);

    /** Learns that nothing more will come. */
    void end();
}

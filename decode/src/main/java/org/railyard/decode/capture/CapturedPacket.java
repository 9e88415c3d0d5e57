package org.railyard.decode.capture;

import java.lang.foreign.MemorySegment;

/**
 * One packet of a capture.
 *
 * @param number its place in the capture, from 0
 * @param offset where its record starts in the file, bytes
 * @param time when it was captured, ns since 1970
 * @param linkType the LINKTYPE number of its interface
 * @param bytes what was captured, a view of the file
 */
public record CapturedPacket(long number, long offset, long time, int linkType, MemorySegment bytes) {}

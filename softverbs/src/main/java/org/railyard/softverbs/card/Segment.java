package org.railyard.softverbs.card;

import org.railyard.verbs.card.SendRequest;

/**
 * What travels of a request at a time: a packet, or all of it.
 *
 * @param request what it is part of
 * @param psn its place in the stream of segments
 * @param offset where it begins in the message, bytes
 * @param length of the payload, bytes
 * @param wantsAnswer whether the receiver is to acknowledge it
 */
record Segment(SendRequest request, long psn, long offset, int length, boolean wantsAnswer) {
    boolean begins() {
        return offset == 0;
    }

    boolean ends() {
        return offset + length == request.bytes();
    }
}

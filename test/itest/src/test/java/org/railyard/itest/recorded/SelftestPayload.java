package org.railyard.itest.recorded;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.railyard.base.wire.Wire;
import org.railyard.itest.talk.Item;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;

/**
 * Messages of selftest (spec 03) without what a node is free to choose: times, and how many messages LNet had in hand.
 */
final class SelftestPayload {
    private static final int TYPE = 8;
    private static final int BODY = 24;
    private static final int STAT_RUNNING = BODY + 20;
    private static final int STAT_MESSAGES = BODY + 76;
    private static final int PING_TIME = BODY + 16;

    private SelftestPayload() {}

    /**
     * Returns a payload in which the NIDs of sender and receiver are those that stand for them; a copy if there are
     * any.
     */
    static byte[] moved(byte[] payload, LNetHeader header, UnaryOperator<Nid> nids) {
        if (payload.length != RpcMessage.BYTES) {
            return payload;
        }
        byte[] copy = payload.clone();
        MemorySegment bytes = MemorySegment.ofArray(copy);
        for (Nid nid : List.of(header.srcNid(), header.destNid())) {
            for (int at = BODY; at <= RpcMessage.BYTES - Long.BYTES; at += Integer.BYTES) {
                if (bytes.get(Wire.LE64, at) == nid.nid4()) {
                    bytes.set(Wire.LE64, at, nids.apply(nid).nid4());
                }
            }
        }
        return copy;
    }

    /** Tells whether something is a request of selftest for what a node has counted. */
    static boolean asksForCounts(Item item) {
        return item instanceof Item.Message message
                && message.isRequest()
                && message.header().portal() == Service.FRAMEWORK_PORTAL
                && message.payload().length == RpcMessage.BYTES
                && message.payload()[TYPE] == Service.STAT.requestType();
    }

    /** Returns the payload of a message; a copy with zeros where something is free to choose. */
    static byte[] withoutChoices(Item.Message message) {
        byte[] payload = message.payload();
        int portal = message.isRequest() ? message.header().portal() : 0;
        boolean isCall =
                portal == Service.TEST_PORTAL || portal == Service.FRAMEWORK_PORTAL || portal == Service.REPLY_PORTAL;
        if (!isCall || payload.length != RpcMessage.BYTES) {
            return payload;
        }
        byte[] copy = payload.clone();
        if (copy[TYPE] == Service.STAT.requestType() + 1) {
            Arrays.fill(copy, STAT_RUNNING, STAT_RUNNING + Integer.BYTES, (byte) 0);
            Arrays.fill(copy, STAT_MESSAGES, STAT_MESSAGES + 2 * Integer.BYTES, (byte) 0);
        } else if (copy[TYPE] == Service.PING.requestType()) {
            Arrays.fill(copy, PING_TIME, PING_TIME + 2 * Long.BYTES, (byte) 0);
        }
        return copy;
    }
}

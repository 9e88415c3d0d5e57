package org.railyard.fabric.sim.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Messages that are sent whatever arrives: of a matrix, of a recording, or by a pattern. Immutable. */
public final class MessageList implements Job {
    /** Most messages. */
    public static final int MAX_MESSAGES = 1 << 24;

    private final String name;
    private final long[][] times;
    private final int[][] receivers;
    private final long[][] lengths;

    /**
     * One message.
     *
     * @param from rank of the sender
     * @param to rank of the receiver, another one
     * @param bytes length, 0 or more
     * @param notBefore time before which it is not sent, ns
     */
    public record Message(int from, int to, long bytes, long notBefore) {
        /** Checks the numbers that are no ranks. */
        public Message {
            if (from == to || bytes < 0 || notBefore < 0) {
                throw new IllegalArgumentException(
                        ("a message of %d bytes from rank %d to rank %d, not before %d ns: expected"
                                        + " another rank, and nothing below 0")
                                .formatted(bytes, from, to, notBefore));
            }
        }
    }

    /**
     * Makes one.
     *
     * @param name what people call it
     * @param messages each sender sends its own by time, those of the same time in this order
     */
    public MessageList(String name, int ranks, List<Message> messages) {
        this.name = name;
        List<List<Message>> ofRank = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            ofRank.add(new ArrayList<>());
        }
        messages.forEach(message -> ofRank.get(message.from).add(message));
        times = new long[ranks][];
        receivers = new int[ranks][];
        lengths = new long[ranks][];
        for (int rank = 0; rank < ranks; rank++) {
            List<Message> own = ofRank.get(rank);
            own.sort(Comparator.comparingLong(Message::notBefore));
            times[rank] = own.stream().mapToLong(Message::notBefore).toArray();
            receivers[rank] = own.stream().mapToInt(Message::to).toArray();
            lengths[rank] = own.stream().mapToLong(Message::bytes).toArray();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int ranks() {
        return times.length;
    }

    @Override
    public int steps(int rank) {
        return 1;
    }

    @Override
    public int sends(int rank, int step) {
        return times[rank].length;
    }

    @Override
    public int to(int rank, int step, int message) {
        return receivers[rank][message];
    }

    @Override
    public long bytes(int rank, int step, int message) {
        return lengths[rank][message];
    }

    @Override
    public long notBefore(int rank, int step, int message) {
        return times[rank][message];
    }

    @Override
    public int awaits(int rank, int step) {
        return 0;
    }
}

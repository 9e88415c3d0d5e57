package org.railyard.roce.net.linux;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.card.memory.MemoryPiece;

/** Where the payload of packets is that was left where it is, by the number of the packet. Makes no garbage. */
final class Payloads {
    /** Length of payload whose memory was freed. */
    private static final int GONE = -1;

    private static final byte[] ZEROS = new byte[1 << 12];
    private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

    private final ByteBuffer[] sources;
    private final int[] starts;
    private final int[] lengths;
    private final long[] addresses;
    private final int[] rooms;
    private boolean any;

    Payloads(int packets) {
        sources = new ByteBuffer[packets];
        starts = new int[packets];
        lengths = new int[packets];
        addresses = new long[packets];
        rooms = new int[packets];
        Arrays.fill(sources, NONE);
    }

    /**
     * Notes where the payload of a packet is.
     *
     * @param piece null if it is in its room
     * @param room where it belongs in the memory of packets
     * @return whether it is elsewhere
     */
    boolean set(int packet, @Nullable MemoryPiece piece, int room) {
        if (piece == null) {
            lengths[packet] = 0;
            return false;
        }
        sources[packet] = piece.bytes();
        starts[packet] = piece.start();
        lengths[packet] = piece.length();
        addresses[packet] = piece.address();
        rooms[packet] = room;
        any = true;
        return true;
    }

    boolean isOutside(int packet) {
        return lengths[packet] > 0;
    }

    /** Tells whether the payload of a packet was to be fetched and its memory was freed. */
    boolean isGone(int packet) {
        return lengths[packet] == GONE;
    }

    long address(int packet) {
        return addresses[packet];
    }

    int length(int packet) {
        return lengths[packet];
    }

    int room(int packet) {
        return rooms[packet];
    }

    /** Puts payload that is elsewhere into its room. */
    void fetch(int packet, ByteBuffer packets) {
        int length = lengths[packet];
        if (length <= 0) {
            return;
        }
        lengths[packet] = 0;
        try {
            packets.clear().put(rooms[packet], sources[packet].clear(), starts[packet], length);
        } catch (IllegalStateException _) {
            // Its owner has freed it. The checksum does not fit zeros: nobody takes the packet for a good one.
            packets.put(rooms[packet], ZEROS, 0, length);
            lengths[packet] = GONE;
        }
    }

    /** Forgets the payload of the first packets, so that its memory can be collected. */
    void clear(int packets) {
        if (any) {
            any = false;
            Arrays.fill(sources, 0, packets, NONE);
        }
    }
}

package org.railyard.mad.sim;

import java.util.Arrays;

/** A table that is read and written in blocks; blocks that were never written take no memory. */
final class BlockTable {
    private final int blockBytes;
    private final int blocks;
    private final byte fill;
    private byte[] bytes = new byte[0];

    /** So many are likely to be written. */
    private int expected;

    BlockTable(int blockBytes, int blocks, int fill) {
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        this.fill = (byte) fill;
    }

    /** Tells whether the agent has this block. */
    boolean has(int block) {
        return block >= 0 && block < blocks;
    }

    /** Says how many blocks are likely to be written: room for them is made at once when the first one is. */
    void expect(int count) {
        expected = Math.clamp(count, 0, blocks);
    }

    void read(int block, byte[] to, int at) {
        int from = block * blockBytes;
        int known = Math.clamp(bytes.length - from, 0, blockBytes);
        System.arraycopy(bytes, Math.min(from, bytes.length), to, at, known);
        Arrays.fill(to, at + known, at + blockBytes, fill);
    }

    void write(int block, byte[] from, int at) {
        int end = (block + 1) * blockBytes;
        if (end > bytes.length) {
            int old = bytes.length;
            // Block after block is written: not a new array for each.
            int room = Math.max(Math.max(end, expected * blockBytes), old + (old >> 1));
            bytes = Arrays.copyOf(bytes, Math.min(room, blocks * blockBytes));
            Arrays.fill(bytes, old, bytes.length, fill);
        }
        System.arraycopy(from, at, bytes, block * blockBytes, blockBytes);
    }

    int get(int index) {
        return index < bytes.length ? bytes[index] & 0xFF : fill & 0xFF;
    }

    void reset() {
        bytes = new byte[0];
    }
}

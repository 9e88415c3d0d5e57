package org.railyard.mad.sim;

import java.util.Arrays;

/** A table that is read and written in blocks; blocks that were never written take no memory. */
final class BlockTable {
    private final int blockBytes;
    private final int blocks;
    private final byte fill;
    private byte[] bytes = new byte[0];

    BlockTable(int blockBytes, int blocks, int fill) {
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        this.fill = (byte) fill;
    }

    /** Tells whether the agent has this block. */
    boolean has(int block) {
        return block >= 0 && block < blocks;
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
            bytes = Arrays.copyOf(bytes, Math.min(Math.max(end, old + (old >> 1)), blocks * blockBytes));
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

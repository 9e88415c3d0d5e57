package org.railyard.fabric.proof;

import java.util.Arrays;

/**
 * A number for each channel in use, such that every packet waits only for channels of larger numbers: whoever checks
 * that has checked that there is no credit loop. Immutable.
 */
public final class Certificate {
    /** The channel has no number. */
    public static final int NONE = -1;

    private final int[] channels;
    private final int[] numbers;

    /**
     * Takes over the arrays.
     *
     * @param channels port index · 16 + VL, ascending
     * @param numbers number of each of them
     */
    Certificate(int[] channels, int[] numbers) {
        this.channels = channels;
        this.numbers = numbers;
    }

    /** Returns how many channels have a number. */
    public int size() {
        return channels.length;
    }

    /** Returns a channel, 0 … {@link #size()} − 1 in ascending order of port index and VL. */
    public Channel channel(int index) {
        return new Channel(channels[index] >> 4, channels[index] & 15);
    }

    /** Returns the number of a channel, or {@link #NONE}. */
    public int number(int port, int vl) {
        int found = Arrays.binarySearch(channels, port << 4 | vl);
        return found < 0 ? NONE : numbers[found];
    }
}

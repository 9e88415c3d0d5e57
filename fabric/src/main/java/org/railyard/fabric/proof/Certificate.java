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
     * @param channels their numbers, ascending
     * @param numbers number of each of them
     */
    Certificate(int[] channels, int[] numbers) {
        this.channels = channels;
        this.numbers = numbers;
    }

    /** Every edge leads to a component that was finished earlier: counted backwards that is a topological numbering. */
    static Certificate of(AdjacencyList channels, Components components) {
        int[] names = new int[channels.size()];
        int[] numbers = new int[channels.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = channels.channel(i);
            numbers[i] = components.count() - 1 - components.of(i);
        }
        return new Certificate(names, numbers);
    }

    /** Returns how many channels have a number. */
    public int size() {
        return channels.length;
    }

    /** Returns a channel, 0 … {@link #size()} − 1 in ascending order of port index and VL. */
    public Channel channel(int index) {
        return Channel.of(channels[index]);
    }

    /** Returns the number of a channel, or {@link #NONE}. */
    public int number(int port, int vl) {
        int found = Arrays.binarySearch(channels, Channel.number(port, vl));
        return found < 0 ? NONE : numbers[found];
    }
}

package org.railyard.fabric.torus.grid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The channel dependencies of a torus: which (switch, group, VL) a packet may hold while it wants which next one (spec
 * 32 §1). Parallel cables count as one channel, which can only add dependencies; one QoS level stands for both, whose
 * VLs are disjoint or the same.
 *
 * <p>A channel has at most 24 successors (6 groups, 4 VLs), so its successors are the bits of one {@code int}. This is
 * what the engine accepts a fabric by and chooses the root of the multicast tree with; the proof over the finished
 * tables is made elsewhere.
 *
 * <p>Not thread safe while dependencies are added.
 */
public final class TorusDependencies {
    /** VLs of one QoS level between switches. */
    public static final int VLS = 4;

    private static final int CHANNELS_PER_SWITCH = TorusGroup.COUNT * VLS;

    private final TorusShape shape;
    /** By channel: bits of the channels of the far switch that a packet may want next. */
    private final int[] successors;
    /** By switch: bits of its channels in use. */
    private final int[] used;

    /** Starts with no dependencies. */
    public TorusDependencies(TorusShape shape) {
        this.shape = shape;
        this.successors = new int[shape.positions() * CHANNELS_PER_SWITCH];
        this.used = new int[shape.positions()];
    }

    private TorusDependencies(TorusDependencies same) {
        this.shape = same.shape;
        this.successors = same.successors.clone();
        this.used = same.used.clone();
    }

    /**
     * One channel.
     *
     * @param position position of the switch that sends
     * @param group group it sends by, 0 to 5
     * @param vl VL within the QoS level, 0 to 3
     */
    public record Channel(int position, int group, int vl) {
        /** Returns the channel as the specification writes it: {@code (0,1,2)+y vl 2}. */
        public String name(TorusShape shape) {
            return shape.name(position) + TorusGroup.name(group) + " vl " + vl;
        }
    }

    /** Returns a copy that grows on its own. */
    public TorusDependencies copy() {
        return new TorusDependencies(this);
    }

    /** Returns the bit of a channel among those of its switch. */
    static int bit(int group, int vl) {
        return 1 << group * VLS + vl;
    }

    /** Adds a channel in use, at the start of a path. */
    public void addChannel(int position, int group, int vl) {
        used[position] |= bit(group, vl);
    }

    /** Adds that a packet that arrived by (position, group, vl) leaves the far switch by (nextGroup, nextVl). */
    public void addDependency(int position, int group, int vl, int far, int nextGroup, int nextVl) {
        int next = bit(nextGroup, nextVl);
        successors[position * CHANNELS_PER_SWITCH + group * VLS + vl] |= next;
        used[far] |= next;
    }

    /** Takes a group away, and what depends on it. */
    void remove(int position, int group) {
        int bits = (1 << VLS) - 1 << group * VLS;
        used[position] &= ~bits;
        Arrays.fill(
                successors,
                position * CHANNELS_PER_SWITCH + group * VLS,
                position * CHANNELS_PER_SWITCH + (group + 1) * VLS,
                0);
        for (int other = 0; other < TorusGroup.COUNT; other++) {
            int from = shape.step(position, other);
            int first = from * CHANNELS_PER_SWITCH + TorusGroup.opposite(other) * VLS;
            for (int channel = first; from >= 0 && channel < first + VLS; channel++) {
                successors[channel] &= ~bits;
            }
        }
    }

    /** Sets what a channel in use is followed by: {@code number} and {@code next} count groups and VLs as one. */
    void put(int position, int number, int next) {
        used[position] |= 1 << number;
        successors[position * CHANNELS_PER_SWITCH + number] = next;
    }

    /** Returns the number of channels in use. */
    public int channels() {
        int count = 0;
        for (int bits : used) {
            count += Integer.bitCount(bits);
        }
        return count;
    }

    /** Returns the number of distinct dependencies. */
    public int dependencies() {
        int count = 0;
        for (int bits : successors) {
            count += Integer.bitCount(bits);
        }
        return count;
    }

    /** Returns a credit loop, shortest from the lowest channel that is on one, or empty if there is none. */
    public Optional<List<Channel>> loop() {
        int[] onLoops = remainder();
        return onLoops.length == 0 ? Optional.empty() : Optional.of(shortest(onLoops));
    }

    /** Takes away channels that nothing depends on, again and again; what is left lies on loops or behind them. */
    private int[] remainder() {
        int[] predecessors = new int[successors.length];
        for (int channel = 0; channel < successors.length; channel++) {
            int bits = successors[channel];
            for (int far = firstBehind(channel, bits); bits != 0; bits &= bits - 1) {
                predecessors[far + Integer.numberOfTrailingZeros(bits)]++;
            }
        }
        int[] queue = new int[successors.length];
        int tail = 0;
        for (int channel = 0; channel < successors.length; channel++) {
            if (predecessors[channel] == 0) {
                queue[tail++] = channel;
            }
        }
        for (int head = 0; head < tail; head++) {
            int bits = successors[queue[head]];
            for (int far = firstBehind(queue[head], bits); bits != 0; bits &= bits - 1) {
                int next = far + Integer.numberOfTrailingZeros(bits);
                if (--predecessors[next] == 0) {
                    queue[tail++] = next;
                }
            }
        }
        int[] left = new int[successors.length - tail];
        int count = 0;
        for (int channel = 0; channel < successors.length; channel++) {
            if (predecessors[channel] > 0) {
                left[count++] = channel;
            }
        }
        return left;
    }

    /** Returns the first channel of the switch behind a channel, 0 if nothing follows the channel. */
    private int firstBehind(int channel, int bits) {
        return bits == 0
                ? 0
                : shape.step(channel / CHANNELS_PER_SWITCH, channel % CHANNELS_PER_SWITCH / VLS) * CHANNELS_PER_SWITCH;
    }

    /**
     * Returns the shortest loop through the first channel that is on one: breadth first from each candidate in order.
     */
    private List<Channel> shortest(int[] candidates) {
        int[] cameFrom = new int[successors.length];
        int[] queue = new int[successors.length];
        for (int start : candidates) {
            Arrays.fill(cameFrom, -1);
            int tail = 0;
            queue[tail++] = start;
            for (int head = 0; head < tail; head++) {
                int bits = successors[queue[head]];
                for (int far = firstBehind(queue[head], bits); bits != 0; bits &= bits - 1) {
                    int next = far + Integer.numberOfTrailingZeros(bits);
                    if (next == start) {
                        return trace(cameFrom, queue[head], start);
                    }
                    if (cameFrom[next] < 0) {
                        cameFrom[next] = queue[head];
                        queue[tail++] = next;
                    }
                }
            }
        }
        throw new IllegalStateException("channels remain but none is on a loop");
    }

    private static List<Channel> trace(int[] cameFrom, int last, int start) {
        List<Channel> loop = new ArrayList<>();
        for (int at = last; at != start; at = cameFrom[at]) {
            loop.add(channel(at));
        }
        loop.add(channel(start));
        return loop.reversed();
    }

    private static Channel channel(int number) {
        return new Channel(number / CHANNELS_PER_SWITCH, number % CHANNELS_PER_SWITCH / VLS, number % VLS);
    }
}

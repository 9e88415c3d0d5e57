package org.railyard.fabric.engine;

import java.util.Arrays;

/**
 * The dependencies that are in use on one VL. They are kept free of cycles: an order of the channels is kept in which
 * each dependency goes upwards, and changed as little as a new one needs (Pearce and Kelly 2006). What was refused
 * stays refused until it is undone, since dependencies in use only become more.
 */
final class DependencyOrder {
    private static final byte OPEN = 0;
    private static final byte USED = 1;
    private static final byte CLOSED = 2;

    private final Channels channels;
    private final byte[] state;
    /** Place of each channel in the order, and the channel at each place. */
    private final int[] place;

    private final int[] at;

    /** Pairs whose state was changed since the last mark, to undo it. */
    private int[] changed = new int[64];

    private int changes;

    private final int[] seen;
    private int stamp;
    private final int[] ahead;
    private final int[] behind;

    /**
     * Begins without dependencies.
     *
     * @param order all channels, in an order to begin with
     */
    DependencyOrder(Channels channels, int[] order) {
        this.channels = channels;
        state = new byte[channels.pairs()];
        at = order.clone();
        place = new int[at.length];
        for (int i = 0; i < at.length; i++) {
            place[at[i]] = i;
        }
        seen = new int[at.length];
        ahead = new int[at.length];
        behind = new int[at.length];
    }

    /** Returns a mark to go back to. */
    int mark() {
        return changes;
    }

    /** Forgets marks: what was added stays. */
    void keep() {
        changes = 0;
    }

    /** Takes back what was added and refused since a mark. The order still fits: there are fewer dependencies. */
    void undo(int mark) {
        while (changes > mark) {
            state[changed[--changes]] = OPEN;
        }
    }

    /**
     * Adds a dependency.
     *
     * @param channel a channel
     * @param following one that leaves the switch where it ends
     * @return whether it is in use now; if not, it would close a cycle
     */
    boolean add(int channel, int following) {
        int pair = channels.pair(channel, following);
        if (state[pair] != OPEN) {
            return state[pair] == USED;
        }
        boolean fits = place[channel] < place[following] || reorder(channel, following);
        state[pair] = fits ? USED : CLOSED;
        if (changes == changed.length) {
            changed = Arrays.copyOf(changed, 2 * changes);
        }
        changed[changes++] = pair;
        return fits;
    }

    /** Moves what is behind {@code channel} before what is ahead of {@code following}, unless they meet. */
    private boolean reorder(int channel, int following) {
        int low = place[following];
        int high = place[channel];
        stamp++;
        int aheadCount = collectAhead(following, channel, high);
        if (aheadCount < 0) {
            return false;
        }
        int behindCount = collectBehind(channel, low);
        int[] places = new int[aheadCount + behindCount];
        sortByPlace(ahead, aheadCount);
        sortByPlace(behind, behindCount);
        for (int i = 0; i < behindCount; i++) {
            places[i] = place[behind[i]];
        }
        for (int i = 0; i < aheadCount; i++) {
            places[behindCount + i] = place[ahead[i]];
        }
        Arrays.sort(places);
        for (int i = 0; i < places.length; i++) {
            int moved = i < behindCount ? behind[i] : ahead[i - behindCount];
            place[moved] = places[i];
            at[places[i]] = moved;
        }
        return true;
    }

    /** Collects what can be reached from a channel up to a place; −1 if the wanted one is among it. */
    private int collectAhead(int start, int wanted, int high) {
        int count = 0;
        ahead[count++] = start;
        seen[start] = stamp;
        for (int head = 0; head < count; head++) {
            int channel = ahead[head];
            int sw = channels.to(channel);
            for (int next = channels.first(sw); next < channels.first(sw + 1); next++) {
                if (state[channels.pair(channel, next)] == USED && seen[next] != stamp && place[next] <= high) {
                    if (next == wanted) {
                        return -1;
                    }
                    seen[next] = stamp;
                    ahead[count++] = next;
                }
            }
        }
        return count;
    }

    private int collectBehind(int start, int low) {
        int count = 0;
        behind[count++] = start;
        seen[start] = stamp;
        for (int head = 0; head < count; head++) {
            int channel = behind[head];
            int sw = channels.from(channel);
            for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                int before = channels.reverse(out);
                if (seen[before] != stamp && place[before] >= low && state[channels.pair(before, channel)] == USED) {
                    seen[before] = stamp;
                    behind[count++] = before;
                }
            }
        }
        return count;
    }

    private void sortByPlace(int[] list, int count) {
        for (int i = 0; i < count; i++) {
            list[i] = place[list[i]];
        }
        Arrays.sort(list, 0, count);
        for (int i = 0; i < count; i++) {
            list[i] = at[list[i]];
        }
    }
}

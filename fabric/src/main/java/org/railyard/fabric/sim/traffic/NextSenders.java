package org.railyard.fabric.sim.traffic;

/** Which host sends next: a heap of hosts by time, and by number at the same time. */
final class NextSenders {
    private final long[] times;
    private final int[] hosts;
    private int size;

    NextSenders(int capacity) {
        times = new long[capacity];
        hosts = new int[capacity];
    }

    boolean isEmpty() {
        return size == 0;
    }

    long nextTime() {
        return times[0];
    }

    int nextHost() {
        return hosts[0];
    }

    void add(long time, int host) {
        int at = size++;
        while (at > 0 && isBefore(time, host, (at - 1) >> 1)) {
            put(at, times[(at - 1) >> 1], hosts[(at - 1) >> 1]);
            at = (at - 1) >> 1;
        }
        put(at, time, host);
    }

    /** The host that is next sends again later. */
    void postpone(long time) {
        int host = hosts[0];
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && isBefore(times[child + 1], hosts[child + 1], child)) {
                child++;
            }
            if (isBefore(time, host, child)) {
                break;
            }
            put(at, times[child], hosts[child]);
            at = child;
        }
        put(at, time, host);
    }

    private boolean isBefore(long time, int host, int other) {
        return time < times[other] || time == times[other] && host < hosts[other];
    }

    private void put(int at, long time, int host) {
        times[at] = time;
        hosts[at] = host;
    }
}

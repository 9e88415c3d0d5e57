package org.railyard.roce.loop;

import java.util.Arrays;

/** What is to happen at some time. Setting a timer again makes no garbage. For one thread. */
public final class Timers {
    /** Something that happens when its time comes, as often as it is set. */
    public static final class Timer {
        private final Runnable action;
        private long at;
        private int place = -1;

        /** Makes one that is not set. */
        public Timer(Runnable action) {
            this.action = action;
        }

        /** Returns when it is to happen, or did. */
        public long at() {
            return at;
        }

        /** Tells whether it is going to happen. */
        public boolean isSet() {
            return place >= 0;
        }
    }

    /** Returned when nothing is set: later than anything. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int FIRST_SIZE = 64;

    /** A heap: none is later than the two at twice its place. */
    private Timer[] heap = new Timer[FIRST_SIZE];

    private int size;

    /** Returns how long it is until the first one, ns; 0 if its time has come, {@link #NEVER} if there is none. */
    long untilNext(long now) {
        return size == 0 ? NEVER : Math.max(0, heap[0].at - now);
    }

    /** Lets a timer's action happen at some time, instead of when it was to happen. */
    public void set(Timer timer, long at) {
        cancel(timer);
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        timer.at = at;
        put(timer, size++);
        up(timer);
    }

    /** Lets it not happen. */
    public void cancel(Timer timer) {
        int place = timer.place;
        if (place < 0) {
            return;
        }
        timer.place = -1;
        Timer last = heap[--size];
        if (last != timer) {
            put(last, place);
            up(last);
            down(last);
        }
    }

    /** Lets everything happen whose time has come; returns whether there was anything. */
    boolean run(long now) {
        boolean any = false;
        // Those that are set again for now take their turn next time.
        for (int left = size; left > 0 && size > 0 && heap[0].at - now <= 0; left--) {
            Timer first = heap[0];
            cancel(first);
            first.action.run();
            any = true;
        }
        return any;
    }

    private void put(Timer timer, int place) {
        heap[place] = timer;
        timer.place = place;
    }

    private void up(Timer timer) {
        while (timer.place > 0) {
            Timer parent = heap[(timer.place - 1) / 2];
            if (parent.at - timer.at <= 0) {
                return;
            }
            swap(parent, timer);
        }
    }

    private void down(Timer timer) {
        while (true) {
            int child = timer.place * 2 + 1;
            if (child >= size) {
                return;
            }
            if (child + 1 < size && heap[child + 1].at - heap[child].at < 0) {
                child++;
            }
            if (timer.at - heap[child].at <= 0) {
                return;
            }
            swap(timer, heap[child]);
        }
    }

    private void swap(Timer upper, Timer lower) {
        int place = upper.place;
        put(upper, lower.place);
        put(lower, place);
    }
}

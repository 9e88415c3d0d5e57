package org.railyard.sm;

import java.util.function.LongConsumer;
import org.railyard.mad.transport.MadLoop;

/**
 * Finds out that the process stood still: that it was stopped, or had no processor. Looks each second whether more time
 * has passed. For the loop.
 */
final class StandStill {
    /** How often it looks, ns. */
    private static final long BEAT = 1_000_000_000L;

    /** How late a look may be, ns: later, standbys may have had no answers, and taken over. */
    private static final long MOST = 2_000_000_000L;

    private final MadLoop loop;
    private boolean watches;

    /** When it was looked last, ns of the loop's clock. */
    private long seen;

    StandStill(MadLoop loop) {
        this.loop = loop;
    }

    /**
     * Begins.
     *
     * @param stoodStill hears for how long it was, ns, and is not called again for the same time
     */
    void watch(LongConsumer stoodStill) {
        watches = true;
        beat(stoodStill);
    }

    private void beat(LongConsumer stoodStill) {
        look();
        long due = seen + BEAT;
        loop.schedule(BEAT, () -> {
            if (!watches) {
                return;
            }
            long late = loop.nanoTime() - due;
            beat(stoodStill);
            if (late >= MOST) {
                stoodStill.accept(late);
            }
        });
    }

    /** Ends: nothing is told any more. */
    void stop() {
        watches = false;
    }

    /** Returns whether this is the first look since it stood still, so that nobody has been told yet. */
    boolean isJustOver() {
        boolean isOver = watches && loop.nanoTime() - seen >= BEAT + MOST;
        look();
        return isOver;
    }

    /** Takes the time since the last look for work of our own. */
    void look() {
        seen = loop.nanoTime();
    }
}

package org.railyard.verbs;

/** A completion queue. Belongs to a loop. */
public interface Cq extends AutoCloseable {
    /** Returns how many entries it has. */
    int entries();

    /**
     * Takes completions off the queue.
     *
     * @param into where to put them, from the first on
     * @return how many, 0 if there are none
     */
    int poll(Completion[] into);

    /** Asks for one notice: at once if there are completions, otherwise when the next one comes. */
    void arm();

    /** Gives it back. No queue pair may use it any more. */
    @Override
    void close();
}

package org.railyard.verbs;

/**
 * A region that a work request registers and another one invalidates (spec 20 §11). Its keys change in their low 8 bits
 * with each {@link #prepare}, so that a peer that comes late with an old key is turned away.
 */
public interface FastRegion extends MemoryKeys, AutoCloseable {
    /**
     * Says which memory the next registration is about, and changes the keys that are told. If the region is
     * registered, by its key of before, an invalidation has to be posted before that registration.
     *
     * @param qp the queue pair that the registration is going to be posted to
     * @return the address of the first byte
     * @throws VerbsException EINVAL if there are too many pages, or a gap that the region does not allow
     */
    long prepare(DmaList pages, Qp qp);

    /** Gives the region back. */
    @Override
    void close();
}

package org.railyard.verbs;

/**
 * A reliably connected queue pair. Belongs to the loop of its completion queue.
 *
 * <p>Sends are carried out in order. A SEND behind RDMA WRITEs is delivered when their data is there. When a request
 * fails, the queue pair goes to error: everything that is posted, on both queues, ends with {@link WorkStatus#FLUSHED},
 * and so does everything posted later.
 */
public interface Qp extends AutoCloseable {
    /** What can be done with it. */
    enum State {
        /** Takes receives. */
        INIT,
        /** Takes receives and gets messages. */
        READY_TO_RECEIVE,
        /** Takes sends and receives. */
        READY_TO_SEND,
        /** Flushes everything. */
        ERROR
    }

    /** Returns its number, 24 bits; not given to another queue pair of the device for a long time after its end. */
    int number();

    /** Returns its state. */
    State state();

    /**
     * Posts requests. Those that are not {@linkplain WorkChain#isSignalled signalled} complete only if they fail.
     *
     * @return how many were taken: all of them, or those before the first for which there is no room, which has too
     *     many gather entries, or which the state of the queue pair does not allow
     */
    int postSend(WorkChain chain);

    /**
     * Posts a receive.
     *
     * @param id comes back in the completion
     * @param address of the memory to receive into
     * @param length of it, bytes
     * @param key local key
     * @return false if there is no room
     */
    boolean postReceive(long id, long address, int length, int key);

    /** Puts it in error. */
    void modifyToError();

    /** Gives it back; what is posted never completes. */
    @Override
    void close();
}

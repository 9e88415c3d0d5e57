package org.railyard.verbs;

import java.util.List;

/**
 * The network cards of one node, real or simulated (spec 23 §2).
 *
 * <p>Objects that are made on an {@link EventLoop} belong to it: all their callbacks come from it, and all their
 * methods must be called from it. {@link #devices}, {@link #interfaces}, {@link #clock} and {@link #createEventLoop}
 * may be called from any thread.
 */
public interface VerbsProvider extends AutoCloseable {
    /** Returns a name for people, for example {@code softverbs}. */
    String name();

    /** Returns the time that timers and limits follow. */
    VerbsClock clock();

    /** Returns the devices in the order of their names. A device that was removed is not among them. */
    List<VerbsDevice> devices();

    /** Returns the interfaces with IP addresses, in the order of the system. */
    List<VerbsInterface> interfaces();

    /**
     * Starts an event loop.
     *
     * @param name shown in logs and thread dumps
     */
    EventLoop createEventLoop(String name);

    /**
     * Makes an end of a connection to be, which belongs to the loop.
     *
     * @param listener hears of everything that happens to it, and to the ends that requests to it make
     */
    CmId createId(EventLoop loop, CmListener listener);

    /** Destroys everything that is left. */
    @Override
    void close();
}

package org.railyard.lnet;

/**
 * Receives the events of a memory descriptor.
 *
 * <p>May be called by any thread, never by two at once for the same MD, and without any lock held: it may call the stack, except for
 * operations that wait. It must not block: the calling thread usually is the one that reads the network.
 */
@FunctionalInterface
public interface EventHandler {
    /**
     * Takes an event.
     *
     * @param event valid until this method returns; {@link Event#snapshot()} keeps it
     */
    void onEvent(Event event);
}

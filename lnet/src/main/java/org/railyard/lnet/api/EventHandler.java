package org.railyard.lnet.api;

/**
 * Receives the events of a memory descriptor.
 *
 * <p>May be called by any thread, never by two at once for the same MD, and without any lock held: it may call the
 * stack, except for closing the node and changing its configuration, which fail with EBUSY here. It must not block: the
 * calling thread usually is the one that reads the network.
 */
@FunctionalInterface
public interface EventHandler {
    /**
     * Takes an event. What it throws, errors included, is logged and changes nothing.
     *
     * @param event valid until this method returns; {@link Event#snapshot()} keeps it
     */
    void onEvent(Event event);
}

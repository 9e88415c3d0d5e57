package org.railyard.verbs;

/** Hears what happens to a device. */
@FunctionalInterface
public interface AsyncListener {
    /** Is told of an event, in the loop that it was registered with. */
    void onAsyncEvent(VerbsDevice device, AsyncEvent event);
}

package org.railyard.socklnd.io;

import java.nio.channels.SelectionKey;

/** The attachment of a selection key. Called by the loop's thread only. */
public interface Selectable {
    /** Does what the ready operations of the key allow; throws nothing that belongs to its channel. */
    void ready(SelectionKey key);

    /** Ends its channel after an internal failure. */
    void abandon(Throwable cause);
}

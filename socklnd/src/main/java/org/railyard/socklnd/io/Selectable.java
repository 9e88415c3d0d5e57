package org.railyard.socklnd.io;

import java.nio.channels.SelectionKey;

/** What hangs on a selection key. Called by the loop's thread only. */
public interface Selectable {
    /** Does what the ready operations of the key allow; throws nothing that belongs to its channel. */
    void ready(SelectionKey key);

    /** Gives up after a failure that should not have been possible. */
    void abandon(Throwable cause);
}

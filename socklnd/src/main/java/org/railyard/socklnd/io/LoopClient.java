package org.railyard.socklnd.io;

import org.jspecify.annotations.Nullable;

/** A channel of an {@link IoLoop} that other threads hand over to the loop, without allocating anything for that. */
public abstract class LoopClient implements Selectable {
    /** The next one in the stack of those handed to the loop; owned by the loop's stack. */
    @Nullable
    LoopClient nextHanded;

    /** Does what other threads asked for. The loop's thread. */
    public abstract void runHanded();

    /** Writes what was kept back. The loop's thread. */
    public abstract void flushCorked();
}

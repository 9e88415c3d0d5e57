package org.railyard.campaign.run;

import org.jspecify.annotations.Nullable;

/** A chunk that could not be run; the message names the case. */
public final class ChunkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ChunkException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

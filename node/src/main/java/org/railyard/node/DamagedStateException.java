package org.railyard.node;

import java.io.IOException;
import java.nio.file.Path;

/** A kept configuration is not what was kept. */
public final class DamagedStateException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param file which
     * @param found what is there, behind {@code is} or {@code has}
     */
    DamagedStateException(Path file, String found) {
        super(file + " " + found);
    }
}

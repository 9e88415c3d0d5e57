package org.railyard.cli.lnetctl.top;

import java.io.IOException;
import org.jline.utils.NonBlockingReader;

/** Reads keys of a terminal; those that send several characters become the letter that does the same. */
final class Keys {
    /** No key was pressed in time. */
    static final int NONE = NonBlockingReader.READ_EXPIRED;

    /** The terminal is gone. */
    static final int END = -1;

    private static final int ESCAPE = 27;
    private static final long SEQUENCE_MILLIS = 20;

    private final NonBlockingReader reader;

    Keys(NonBlockingReader reader) {
        this.reader = reader;
    }

    /** Returns the next key. */
    int next(long millis) throws IOException {
        int key = reader.read(millis);
        if (key != ESCAPE) {
            return key;
        }
        int second = reader.read(SEQUENCE_MILLIS);
        if (second != '[' && second != 'O') {
            return NONE;
        }
        int third = reader.read(SEQUENCE_MILLIS);
        if (third == '5' || third == '6') {
            int end = reader.read(SEQUENCE_MILLIS);
            return end == '~' ? (third == '5' ? 'p' : 'n') : NONE;
        }
        return switch (third) {
            case 'A', 'D' -> 'p';
            case 'B', 'C' -> 'n';
            default -> NONE;
        };
    }
}

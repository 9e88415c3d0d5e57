package org.railyard.verbs;

/**
 * The size of a queue pair.
 *
 * @param sends most send requests at a time, from 1
 * @param receives most receives at a time, from 1
 * @param gather most gather entries of a send request, from 1
 */
public record QpCapabilities(int sends, int receives, int gather) {
    /** Checks that there is room for something. */
    public QpCapabilities {
        if (sends < 1 || receives < 1 || gather < 1) {
            throw new IllegalArgumentException("a queue pair needs at least one send, receive and gather entry: "
                    + sends + ", " + receives + ", " + gather);
        }
    }
}

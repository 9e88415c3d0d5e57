package org.railyard.sm.discover;

/**
 * Something that a sweep found wrong.
 *
 * @param kind what it means for the sweep
 * @param subject what it is about: the same as in another sweep if nothing changed
 * @param text what was found, where, and what to do, one sentence
 */
public record DiscoveryProblem(Kind kind, String subject, String text) {
    /** What the last problem is about if there were more than are kept. */
    static final String MORE = "more";

    /** What a problem means. */
    public enum Kind {
        /** Nobody answered, or with an error: another sweep may see more. */
        UNANSWERED,
        /** An answer can not be true or used; the node or cable is left out. */
        REFUSED,
        /** Two nodes may have one GUID, and which of them is the right one is not known; one is left out. */
        TWO_NODES
    }

    /** Tells whether a host at another place than before may be a second one with its GUID. */
    public boolean leavesDoubt() {
        return kind == Kind.TWO_NODES || subject.equals(MORE);
    }
}

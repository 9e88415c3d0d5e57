package org.railyard.sm.discover;

/**
 * Something that a sweep found wrong.
 *
 * @param kind what it means for the sweep
 * @param subject what it is about: the same as in another sweep if nothing changed
 * @param text what was found, where, and what to do, one sentence
 */
public record DiscoveryProblem(Kind kind, String subject, String text) {
    /** What a problem means. */
    public enum Kind {
        /** Nobody answered, or with an error: another sweep may see more. */
        UNANSWERED,
        /** An answer can not be true or used; the node or cable is left out. */
        REFUSED
    }
}

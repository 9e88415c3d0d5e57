package org.railyard.conformance.verbs.chaos;

/** What is wrong on purpose: a check has to find it. */
public enum Planted {
    /** Nothing. */
    NOTHING,
    /** Some messages that arrived are thrown away. */
    LOST,
    /** Some messages are shown twice. */
    TWICE,
    /** A byte of some messages is another one. */
    SPOILT,
    /** Some completions of requests are thrown away. */
    KEPT,
    /** Ends are not closed. */
    LEFT
}

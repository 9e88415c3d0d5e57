package org.railyard.bench.compare;

/** The two programs of a comparison, or the two sets of threads that stand for them. */
public enum Side {
    /** Asks, or sends. */
    SENDER,
    /** Answers, or receives. */
    RECEIVER
}

package org.railyard.lab.observe;

/** How a call ended. */
public enum Outcome {
    /** Done: the answer is there, or a bare PUT has left. */
    OK,
    /** It could not be sent. */
    FAILED,
    /** No answer in time. */
    TIMED_OUT,
    /** The node that asked was shut down or killed. */
    ABANDONED
}

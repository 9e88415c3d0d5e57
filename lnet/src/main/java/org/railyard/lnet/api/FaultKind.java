package org.railyard.lnet.api;

/** What a fault rule does with messages. */
public enum FaultKind {
    /** They are lost, or fail; a {@link DropRule}. */
    DROP,
    /** They are held up; a {@link DelayRule}. */
    DELAY
}

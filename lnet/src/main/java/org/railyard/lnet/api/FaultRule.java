package org.railyard.lnet.api;

/** Something that goes wrong with messages because it was asked to (spec 10 §18). Immutable. */
public sealed interface FaultRule permits DropRule, DelayRule {
    /** Returns which messages it hits. */
    FaultFilter filter();

    /** Returns what it does. */
    FaultKind kind();
}

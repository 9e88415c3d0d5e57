package org.railyard.lab.observe;

import org.railyard.lnet.api.Event;

/** Is told what applications ask and what they get; must not change anything. */
public interface CallWatch {
    /** A call begins; the stack has not been asked yet. */
    default void opened(Call call) {}

    /** An event of a call; its counts do not contain the event yet. */
    default void event(Call call, Event event) {}

    /** A call has its outcome. */
    default void closed(Call call, Outcome outcome) {}

    /** A target got an event of one of its descriptors. */
    default void atTarget(NodeRun life, Event event) {}
}

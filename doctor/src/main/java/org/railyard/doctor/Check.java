package org.railyard.doctor;

/** Looks for mistakes of some kinds. Without state. */
@FunctionalInterface
interface Check {
    /** Notes what it finds. */
    void look(Setup setup, HostFacts facts, Notes notes);
}

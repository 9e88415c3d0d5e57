package org.railyard.conformance;

/**
 * What not every transport can do, or what not every fixture can do to it. A test that needs what is missing is
 * reported as skipped, with the reason.
 */
public enum Capability {
    /** Nodes are apart: what one sends, another receives. Otherwise the only node sends to itself. */
    NODES_APART,
    /** NIs are started and stopped, several to a node. */
    START_AND_STOP,
    /** NIs may have tunables of their own, which are checked. */
    TUNABLES,
    /** The stack may answer a header after the call that brought it. */
    ANSWER_LATER,
    /** Several threads may send at once, and calls into the stack may come from threads other than the test's. */
    SEVERAL_THREADS,
    /** A send from within an upcall does not nest: chains of any length need no stack. */
    LONG_CHAINS,
    /** NIDs of more than four bytes. */
    LARGE_NIDS,
    /**
     * All messages from one NI to another travel in one line: their order is kept, and one that is not answered holds
     * back the others.
     */
    ONE_LINE,
    /** Bulk payload leaves from the memory it is in: what is written there before it leaves is what arrives. */
    BULK_IN_PLACE,
    /** Applications may free memory while the transport has it; it reads and writes with errors, not crashes. */
    FREED_MEMORY,
    /** The fixture can take a device down and bring it back. */
    DEVICE_EVENTS,
    /** The fixture can make a path take no more bytes, without an error, and let it go on. */
    STALL,
    /** The fixture can break the connections between two nodes, both of which live on. */
    RESET
}

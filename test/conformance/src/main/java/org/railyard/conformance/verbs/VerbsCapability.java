package org.railyard.conformance.verbs;

/** What not every verbs provider can do, or what not every fixture can do to it. */
public enum VerbsCapability {
    /** Memory has DMA addresses. */
    DMA,
    /** One local key is good for all DMA addresses. */
    DMA_KEY,
    /** Regions that are registered by a work request. */
    FAST_REGIONS,
    /** Such regions with gaps. */
    GAPS,
    /** Zero-based regions that are mapped at once. */
    FMR,
    /** A region over all memory. */
    GLOBAL_REGION,
    /** The fixture can cut two nodes off from each other. */
    CUT,
    /** The fixture can make the network lose and repeat messages. */
    LOSS,
    /** The fixture can take a port down and bring it back. */
    PORT_EVENTS,
    /** The card tells of queue pairs that go to error because of what their peers did. */
    QP_EVENTS,
    /** A receive that is too short for its message fails for that reason, not as any fault of this side. */
    LENGTH_STATUS
}

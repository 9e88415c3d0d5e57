package org.railyard.socklnd.tune;

/** From which local ports connections are opened (spec 02 §2.2). */
public enum SourcePorts {
    /** 1023 downwards to 512, as kernel nodes do and demand. Needs the right to bind low ports. */
    RESERVED,
    /**
     * Whatever the system gives. Nodes with {@link AcceptPolicy#SECURE} refuse such callers, and a kernel node with an
     * IPv6 NI may crash: never use it towards kernels over IPv6. As every node of such a cluster dials like that, ports
     * tell nothing, and this node believes what a caller's hello says about its identity.
     */
    ANY
}

package org.railyard.verbs;

/** The keys of a memory region. */
public interface MemoryKeys {
    /** Returns the key for this node's own work requests. */
    int localKey();

    /** Returns the key that a peer needs. */
    int remoteKey();
}

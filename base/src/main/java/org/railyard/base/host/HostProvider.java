package org.railyard.base.host;

/** Makes the host of nodes that are started without naming one; found through {@code ServiceLoader}. */
public interface HostProvider {
    /** Returns a new host. */
    Host create();
}

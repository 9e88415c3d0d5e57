package org.railyard.host;

import org.railyard.base.host.Host;
import org.railyard.base.host.HostProvider;

/** Provides {@link RealHost}. */
public final class RealHostProvider implements HostProvider {
    /** For {@code ServiceLoader}. */
    public RealHostProvider() {}

    @Override
    public Host create() {
        return new RealHost();
    }
}

package org.railyard.lnet;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.host.Host;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.NiRequest;

/**
 * What a node starts with. Immutable.
 *
 * @param nis the NIs, in order; the first is the primary
 * @param lnds transports to use instead of the ones found on the module path, by type
 * @param host the machine, or null for the one found on the module path
 * @param settings the node-wide tunables
 */
public record LNetConfig(
        List<NiRequest> nis,
        List<LndProvider> lnds,
        @Nullable Host host,
        Settings settings) {
    /** Copies the lists. */
    public LNetConfig {
        nis = List.copyOf(nis);
        lnds = List.copyOf(lnds);
    }

    /**
     * Node-wide tunables (spec 12 §2.5, §7.5).
     *
     * @param discovery whether to discover peers and to announce that it can be done with us
     * @param multiRail whether to announce multi-rail; without it, discovery is off too
     * @param transactionTimeout limit for a response, s, at least 1
     * @param responseTracking which responses are timed: 0 only LNet's own, 1 GET, 2 PUT, 3 both
     * @param maxInterfaces most entries of a ping info, at least 16
     * @param localNidDistZero whether an own NID is at distance 0 instead of 1
     */
    public record Settings(
            boolean discovery,
            boolean multiRail,
            int transactionTimeout,
            int responseTracking,
            int maxInterfaces,
            boolean localNidDistZero) {
        /** The defaults of the specification. */
        public static final Settings DEFAULT = new Settings(true, true, 150, 3, 4096, true);

        /** Checks ranges. */
        public Settings {
            if (transactionTimeout < 1 || responseTracking < 0 || responseTracking > 3 || maxInterfaces < 16) {
                throw new LNetException(
                        Errno.EINVAL,
                        "settings out of range: transaction_timeout " + transactionTimeout
                                + " (at least 1), response_tracking " + responseTracking + " (0…3), max_interfaces "
                                + maxInterfaces + " (at least 16)");
            }
        }

        /** Returns a copy with discovery on or off. */
        public Settings withDiscovery(boolean on) {
            return new Settings(on, multiRail, transactionTimeout, responseTracking, maxInterfaces, localNidDistZero);
        }

        /** Returns a copy that announces multi-rail or not. */
        public Settings withMultiRail(boolean on) {
            return new Settings(discovery, on, transactionTimeout, responseTracking, maxInterfaces, localNidDistZero);
        }

        /** Returns a copy with another transaction timeout, s. */
        public Settings withTransactionTimeout(int seconds) {
            return new Settings(discovery, multiRail, seconds, responseTracking, maxInterfaces, localNidDistZero);
        }

        /** Returns a copy with other responses timed. */
        public Settings withResponseTracking(int which) {
            return new Settings(discovery, multiRail, transactionTimeout, which, maxInterfaces, localNidDistZero);
        }
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects what a node starts with. Not thread-safe. */
    public static final class Builder {
        private final List<NiRequest> nis = new ArrayList<>();
        private final List<LndProvider> lnds = new ArrayList<>();
        private @Nullable Host host;
        private Settings settings = Settings.DEFAULT;

        private Builder() {}

        /** Adds an NI. */
        public Builder ni(NiRequest request) {
            nis.add(request);
            return this;
        }

        /** Uses the given transport for its type of nets. */
        public Builder lnd(LndProvider provider) {
            lnds.add(provider);
            return this;
        }

        /** Uses the given host. */
        public Builder host(Host other) {
            host = other;
            return this;
        }

        /** Uses the given node-wide tunables. */
        public Builder settings(Settings other) {
            settings = other;
            return this;
        }

        /** Returns the configuration. */
        public LNetConfig build() {
            return new LNetConfig(nis, lnds, host, settings);
        }
    }
}

package org.railyard.lnet.api;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.NiRequest;

/**
 * What a node starts with. Immutable.
 *
 * @param nis the NIs, in order; the first is the primary
 * @param lnds transports to use instead of the ones found on the module path, by type
 * @param host the machine, or null for the one found on the module path
 * @param listener hears what happens to the node, or null
 * @param settings the node-wide tunables
 * @param cpuPartitions how many CPU partitions, 0 for as many as suit the machine (spec 12 §8, {@code cpu_npartitions})
 * @param cpuPattern which CPUs they have ({@code cpu_pattern}); {@code N} for a partition per NUMA node
 */
public record LNetConfig(
        List<NiRequest> nis,
        List<LndProvider> lnds,
        @Nullable Host host,
        @Nullable NodeListener listener,
        Settings settings,
        int cpuPartitions,
        String cpuPattern) {
    /** The pattern unless another is given: a partition per NUMA node. */
    public static final String DEFAULT_CPU_PATTERN = "N";

    /** Copies the lists. */
    public LNetConfig {
        nis = List.copyOf(nis);
        lnds = List.copyOf(lnds);
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
        private @Nullable NodeListener listener;
        private Settings settings = Settings.DEFAULT;
        private int cpuPartitions;
        private String cpuPattern = DEFAULT_CPU_PATTERN;

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

        /** Tells a listener what happens to the node. */
        public Builder listener(NodeListener hears) {
            listener = hears;
            return this;
        }

        /** Uses the given node-wide tunables. */
        public Builder settings(Settings other) {
            settings = other;
            return this;
        }

        /** Divides the CPUs as the parameters {@code cpu_npartitions} and {@code cpu_pattern} say. */
        public Builder cpus(int partitions, String pattern) {
            cpuPartitions = partitions;
            cpuPattern = pattern;
            return this;
        }

        /** Returns the configuration. */
        public LNetConfig build() {
            return new LNetConfig(nis, lnds, host, listener, settings, cpuPartitions, cpuPattern);
        }
    }
}

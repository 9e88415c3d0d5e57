package org.railyard.socklnd.tune;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.tune.TunableKey;
import org.railyard.socklnd.link.LinkMonitor;
import org.railyard.socklnd.link.SysfsLinkMonitor;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * Tunables of the TCP transport (spec 02 §10, spec 12 §7.5). Immutable; made with {@link #builder()}.
 *
 * @param numbers the numeric tunables
 * @param accept who may connect
 * @param listen whether there are listeners; without them this node only dials
 * @param sourcePorts from which local ports to dial
 * @param zeroCopyRequests whether large payloads ask the receiver for a zero-copy ack; no node needs that of us
 * @param protocol highest protocol version to speak, or null for all: V3 over IPv4, V4 over IPv6
 * @param peerPorts where peers listen, or null for the same ports as this node
 * @param linkMonitor tells whether devices are up
 */
public record SockLndConfig(
        Map<SockTunable, Integer> numbers,
        AcceptPolicy accept,
        boolean listen,
        SourcePorts sourcePorts,
        boolean zeroCopyRequests,
        @Nullable ProtocolVersion protocol,
        @Nullable PeerPorts peerPorts,
        LinkMonitor linkMonitor) {

    /** Where Linux shows its network devices. */
    public static final Path CLASS_NET = Path.of("/sys/class/net");

    private static final String ACCEPT = "accept";

    /** Module parameters of real nodes that have no meaning here. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "nconnds",
            "typed_conns",
            "enable_irq_affinity",
            "zc_recv",
            "zc_recv_min_nfrags",
            "skip_mr_route_setup",
            "credits",
            "peer_credits",
            "peer_buffer_credits",
            "peer_timeout");

    /** Returns the names that {@link Builder#set(String, String)} takes. */
    public static Set<String> names() {
        Set<String> names = new LinkedHashSet<>(WITHOUT_EFFECT);
        names.add(ACCEPT);
        for (SockTunable each : SockTunable.values()) {
            names.add(each.text());
        }
        return names;
    }

    /**
     * Tells whether a name is taken and has no effect: it means something to a kernel only, or is about nets, which say
     * it themselves.
     */
    public static boolean isWithoutEffect(String name) {
        return WITHOUT_EFFECT.contains(name);
    }

    /** Copies the map. */
    public SockLndConfig {
        numbers = Map.copyOf(numbers);
    }

    /** Returns the defaults. */
    public static SockLndConfig defaults() {
        return builder().build();
    }

    /** Returns a builder that holds the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the value of a numeric tunable, its default if it was not set. */
    public int get(SockTunable tunable) {
        return numbers.getOrDefault(tunable, tunable.spec().defaultValue());
    }

    /** Tells whether a tunable is not 0. */
    public boolean isOn(SockTunable tunable) {
        return get(tunable) != 0;
    }

    /** Makes a configuration. Not thread-safe. */
    public static final class Builder {
        private final Map<SockTunable, Integer> numbers = new java.util.EnumMap<>(SockTunable.class);
        private AcceptPolicy accept = AcceptPolicy.SECURE;
        private boolean listen = true;
        private SourcePorts sourcePorts = SourcePorts.RESERVED;
        private boolean zeroCopyRequests;
        private @Nullable ProtocolVersion protocol;
        private @Nullable PeerPorts peerPorts;
        private LinkMonitor linkMonitor = new SysfsLinkMonitor(CLASS_NET);

        private Builder() {}

        /**
         * Sets a numeric tunable.
         *
         * @throws ErrnoException EINVAL if the value is out of range
         */
        public Builder set(SockTunable tunable, int value) {
            numbers.put(tunable, tunable.spec().check(value));
            return this;
        }

        /**
         * Sets a tunable by the name that module parameters of real nodes have, for example {@code sock_timeout} or
         * {@code accept}. Names that mean something to a kernel only are taken and have no effect.
         *
         * @throws ErrnoException EINVAL if there is no such tunable or the value is out of range
         */
        public Builder set(String name, String value) {
            if (name.equals(ACCEPT)) {
                return accept(
                        switch (value) {
                            case "secure" -> AcceptPolicy.SECURE;
                            case "all" -> AcceptPolicy.ALL;
                            case "none" -> AcceptPolicy.NONE;
                            default ->
                                throw new ErrnoException(
                                        Errno.EINVAL, "accept is '" + value + "', expected secure, all or none");
                        });
            }
            if (WITHOUT_EFFECT.contains(name)) {
                return this;
            }
            SockTunable tunable = TunableKey.named("socklnd", SockTunable.values(), name);
            return set(tunable, tunable.spec().read(value));
        }

        /** Sets who may connect. */
        public Builder accept(AcceptPolicy value) {
            accept = value;
            return this;
        }

        /** Sets whether there are listeners. */
        public Builder listen(boolean value) {
            listen = value;
            return this;
        }

        /** Sets control and bulk port to listen on and to dial; 0 listens on any free port. */
        public Builder acceptPort(int port) {
            return set(SockTunable.ACCEPT_PORT, port).set(SockTunable.ACCEPT_PORT_BULK, port);
        }

        /** Sets from which local ports to dial. */
        public Builder sourcePorts(SourcePorts value) {
            sourcePorts = value;
            return this;
        }

        /** Sets whether large payloads ask for a zero-copy ack. */
        public Builder zeroCopyRequests(boolean value) {
            zeroCopyRequests = value;
            return this;
        }

        /** Sets the highest protocol version to speak. */
        public Builder protocol(ProtocolVersion value) {
            protocol = value;
            return this;
        }

        /** Sets where peers listen. */
        public Builder peerPorts(PeerPorts value) {
            peerPorts = value;
            return this;
        }

        /** Sets who tells whether devices are up. */
        public Builder linkMonitor(LinkMonitor value) {
            linkMonitor = value;
            return this;
        }

        /**
         * Returns the configuration.
         *
         * @throws ErrnoException EINVAL if two tunables contradict each other
         */
        public SockLndConfig build() {
            SockLndConfig config = new SockLndConfig(
                    numbers, accept, listen, sourcePorts, zeroCopyRequests, protocol, peerPorts, linkMonitor);
            if (config.get(SockTunable.MIN_RECONNECT_MS) > config.get(SockTunable.MAX_RECONNECT_MS)) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        "min_reconnectms " + config.get(SockTunable.MIN_RECONNECT_MS) + " is above max_reconnectms "
                                + config.get(SockTunable.MAX_RECONNECT_MS));
            }
            if (config.get(SockTunable.ACCEPT_PORT_BULK) == 0 && config.get(SockTunable.ACCEPT_PORT) != 0) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        "accept_port_bulk is 0 and accept_port " + config.get(SockTunable.ACCEPT_PORT)
                                + ": bulk connections would dial port 0; give it the port that peers listen at");
            }
            return config;
        }
    }
}

package org.railyard.verbs.card.cm;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsException;

/**
 * The addresses of a machine that ends of connections have taken, and who listens there. Not thread-safe.
 *
 * @param <L> who listens
 */
public final class AddressBook<L> {
    private static final int FIRST_FREE_PORT = 32_768;
    private static final int LAST_PORT = 65_535;

    private static final class Binding {
        private int count;
        private boolean shared = true;
    }

    /** What is known of addresses, by their ports: 0.0.0.0 stands for all addresses of a port. */
    private static final class ByPort<V> {
        private final Map<Integer, Map<Integer, V>> ports = new LinkedHashMap<>();

        private Map<Integer, V> port(CmAddress at) {
            return ports.getOrDefault(at.port(), Map.of());
        }

        @Nullable
        V get(CmAddress at) {
            return port(at).get(at.ip());
        }

        /** Returns what is known of the address, and of others that comprise it or that it comprises. */
        Collection<V> meeting(CmAddress at) {
            Map<Integer, V> port = port(at);
            return at.ip() == 0
                    ? port.values()
                    : Stream.of(port.get(at.ip()), port.get(0))
                            .filter(Objects::nonNull)
                            .toList();
        }

        void put(CmAddress at, V value) {
            ports.computeIfAbsent(at.port(), _ -> new LinkedHashMap<>()).put(at.ip(), value);
        }

        void remove(CmAddress at) {
            Map<Integer, V> port = port(at);
            port.remove(at.ip());
            if (port.isEmpty()) {
                ports.remove(at.port());
            }
        }

        void clear() {
            ports.clear();
        }
    }

    private final String owner;
    private final ByPort<L> listeners = new ByPort<>();
    private final Map<L, CmAddress> listening = new LinkedHashMap<>();
    private final ByPort<Binding> bindings = new ByPort<>();
    private int lastPort = FIRST_FREE_PORT - 1;

    /**
     * Makes a book without entries.
     *
     * @param owner the machine, as errors call it
     */
    public AddressBook(String owner) {
        this.owner = owner;
    }

    /**
     * Takes an address; 0.0.0.0 comprises all addresses of its port.
     *
     * @param wanted with port 0, any free port; if none is free, one that others share, if {@code reuse}
     * @param reuse whether the address may be in use
     * @return the address with its port
     * @throws VerbsException EADDRINUSE if it is taken
     */
    public CmAddress bind(CmAddress wanted, boolean reuse) {
        CmAddress address = wanted.port() == 0 ? withAnyPort(wanted, reuse) : wanted;
        Collection<Binding> others = bindings.meeting(address);
        if (!others.isEmpty() && !(reuse && areShared(others))) {
            throw new VerbsException(VerbsException.Code.EADDRINUSE, address + " is in use on " + owner);
        }
        Binding known = bindings.get(address);
        Binding binding = known == null ? new Binding() : known;
        bindings.put(address, binding);
        binding.count++;
        binding.shared = reuse;
        return address;
    }

    private static boolean areShared(Collection<Binding> all) {
        return all.stream().allMatch(each -> each.shared);
    }

    private CmAddress withAnyPort(CmAddress wanted, boolean reuse) {
        CmAddress common = null;
        for (int tried = FIRST_FREE_PORT; tried <= LAST_PORT; tried++) {
            lastPort = lastPort == LAST_PORT ? FIRST_FREE_PORT : lastPort + 1;
            CmAddress address = new CmAddress(wanted.ip(), lastPort);
            Collection<Binding> others = bindings.meeting(address);
            if (others.isEmpty()) {
                return address;
            }
            common = common == null && reuse && areShared(others) ? address : common;
        }
        if (common == null) {
            throw new VerbsException(
                    VerbsException.Code.EADDRINUSE,
                    "all ports from " + FIRST_FREE_PORT + " to " + LAST_PORT + " of " + wanted + " are in use on "
                            + owner);
        }
        lastPort = common.port();
        return common;
    }

    /** Gives an address back. */
    public void unbind(CmAddress address) {
        Binding binding = bindings.get(address);
        if (binding != null && --binding.count == 0) {
            bindings.remove(address);
        }
    }

    /**
     * Notes who listens at an address.
     *
     * @throws VerbsException EADDRINUSE if somebody does already; also at 0.0.0.0 beside one of the addresses
     */
    public void listen(CmAddress address, L listener) {
        if (!listeners.meeting(address).isEmpty()) {
            throw new VerbsException(
                    VerbsException.Code.EADDRINUSE, "there is a listener at " + address + " of " + owner);
        }
        listeners.put(address, listener);
        listening.put(listener, address);
    }

    /** Returns who listens at an address, or at its port of all addresses; null if nobody does. */
    public @Nullable L listener(CmAddress at) {
        L exact = listeners.get(at);
        return exact != null ? exact : listeners.get(new CmAddress(0, at.port()));
    }

    /** Removes a listener. */
    public void forget(L listener) {
        CmAddress at = listening.remove(listener);
        if (at != null) {
            listeners.remove(at);
        }
    }

    /** Forgets everything. */
    public void clear() {
        listeners.clear();
        listening.clear();
        bindings.clear();
    }
}

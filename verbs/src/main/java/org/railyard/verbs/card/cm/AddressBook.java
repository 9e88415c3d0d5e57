package org.railyard.verbs.card.cm;

import java.util.LinkedHashMap;
import java.util.Map;
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

    private final String owner;
    private final Map<CmAddress, L> listeners = new LinkedHashMap<>();
    private final Map<CmAddress, Binding> bindings = new LinkedHashMap<>();
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
     * Takes an address.
     *
     * @param wanted with port 0, any free port; if none is free, one that others share, if {@code reuse}
     * @param reuse whether the address may be in use
     * @return the address with its port
     * @throws VerbsException EADDRINUSE if it is taken
     */
    public CmAddress bind(CmAddress wanted, boolean reuse) {
        CmAddress address = wanted.port() == 0 ? withAnyPort(wanted, reuse) : wanted;
        Binding binding = bindings.computeIfAbsent(address, _ -> new Binding());
        if (binding.count > 0 && !(reuse && binding.shared)) {
            throw new VerbsException(VerbsException.Code.EADDRINUSE, address + " is in use on " + owner);
        }
        binding.count++;
        binding.shared = reuse;
        return address;
    }

    private CmAddress withAnyPort(CmAddress wanted, boolean reuse) {
        CmAddress common = null;
        for (int tried = FIRST_FREE_PORT; tried <= LAST_PORT; tried++) {
            lastPort = lastPort == LAST_PORT ? FIRST_FREE_PORT : lastPort + 1;
            CmAddress address = new CmAddress(wanted.ip(), lastPort);
            Binding binding = bindings.get(address);
            if (binding == null) {
                return address;
            }
            common = common == null && reuse && binding.shared ? address : common;
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
     * @throws VerbsException EADDRINUSE if somebody does already
     */
    public void listen(CmAddress address, L listener) {
        if (listener(address) != null) {
            throw new VerbsException(
                    VerbsException.Code.EADDRINUSE, "there is a listener at " + address + " of " + owner);
        }
        listeners.put(address, listener);
    }

    /** Returns who listens at an address, or at its port of all addresses; null if nobody does. */
    public @Nullable L listener(CmAddress at) {
        L exact = listeners.get(at);
        return exact != null ? exact : listeners.get(new CmAddress(0, at.port()));
    }

    /** Removes a listener. */
    public void forget(L listener) {
        listeners.values().remove(listener);
    }

    /** Forgets everything. */
    public void clear() {
        listeners.clear();
        bindings.clear();
    }
}

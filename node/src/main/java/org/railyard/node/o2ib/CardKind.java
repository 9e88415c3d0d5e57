package org.railyard.node.o2ib;

import java.util.List;
import java.util.Map;
import org.railyard.base.host.Host;
import org.railyard.doctor.HostFacts.CardFault;
import org.railyard.verbs.VerbsProvider;

/** A kind of RDMA devices that a daemon can be told to use by name. */
public interface CardKind {
    /** Returns the name that it is asked for by, for example {@code roce}. */
    String name();

    /**
     * Opens devices of this machine.
     *
     * @param host where they take time, chance and threads from
     * @param interfaces which network interfaces to use; none if that was not said
     * @throws org.railyard.base.ErrnoException what is wrong with them
     * @throws org.railyard.verbs.VerbsException ENODEV if there are none
     */
    VerbsProvider open(Host host, List<String> interfaces);

    /**
     * Returns what devices have counted since they were opened, by name; nothing if they count nothing.
     *
     * @param provider one that this kind has opened
     */
    default Map<String, Long> events(VerbsProvider provider) {
        return Map.of();
    }

    /**
     * Returns what devices have now, by name; nothing if they tell nothing.
     *
     * @param provider one that this kind has opened
     */
    default Map<String, Long> state(VerbsProvider provider) {
        return Map.of();
    }

    /**
     * Returns how much memory devices keep registered, and how much they may, for people: {@code registered_bytes},
     * {@code limit_bytes}; nothing if they tell nothing.
     *
     * @param provider one that this kind has opened
     */
    default Map<String, Object> memory(VerbsProvider provider) {
        return Map.of();
    }

    /** Returns what keeps LNet from using the devices of this machine; nothing if all is well, or none is known. */
    default List<CardFault> faults() {
        return List.of();
    }
}

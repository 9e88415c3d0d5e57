package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.PortAttributes.LinkLayer;
import org.railyard.verbs.PortAttributes.State;

/**
 * What a device says about a port.
 *
 * @param attributes state, MTU, speed
 * @param gids the GIDs that are set, at most {@link #MAX_GIDS}
 */
record PortFacts(PortAttributes attributes, List<String> gids) {
    /** Most GIDs that are looked at. */
    static final int MAX_GIDS = 16;

    private static final int MTU_CODES = 5;

    static PortFacts read(NativeVerbs verbs, NativeCard card, int port) {
        return new PortFacts(attributes(verbs, card, port), gids(verbs, card, port));
    }

    static PortAttributes attributes(NativeVerbs verbs, NativeCard card, int port) {
        try (Arena arena = Arena.ofConfined()) {
            long at = VerbsMemory.structure(arena, VerbsLayout.PORT_ATTR).address();
            int errno = verbs.queryPort(card.context(), port, at);
            if (errno != 0) {
                throw NativeVerbs.failed(card.name() + "/" + port + " does not tell its state", errno);
            }
            return new PortAttributes(
                    state(VerbsMemory.getInt(at + VerbsLayout.PORT_ATTR_STATE)),
                    VerbsMemory.getShort(at + VerbsLayout.PORT_ATTR_LID),
                    VerbsMemory.getByte(at + VerbsLayout.PORT_ATTR_LINK_LAYER) == VerbsNumbers.LINK_LAYER_ETHERNET
                            ? LinkLayer.ETHERNET
                            : LinkLayer.INFINIBAND,
                    mtu(VerbsMemory.getInt(at + VerbsLayout.PORT_ATTR_MAX_MTU)),
                    mtu(VerbsMemory.getInt(at + VerbsLayout.PORT_ATTR_ACTIVE_MTU)),
                    VerbsMemory.getByte(at + VerbsLayout.PORT_ATTR_WIDTH),
                    VerbsMemory.getByte(at + VerbsLayout.PORT_ATTR_SPEED));
        }
    }

    private static List<String> gids(NativeVerbs verbs, NativeCard card, int port) {
        List<String> found = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long into = VerbsMemory.structure(arena, VerbsLayout.GID).address();
            for (int i = 0; i < MAX_GIDS && verbs.queryGid(card.context(), port, i, into) == 0; i++) {
                if ((VerbsMemory.getLong(into) | VerbsMemory.getLong(into + Long.BYTES)) != 0) {
                    found.add(gid(into));
                }
            }
        }
        return List.copyOf(found);
    }

    private static String gid(long at) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < VerbsLayout.GID; i += Short.BYTES) {
            text.append(i == 0 ? "" : ":").append(String.format(Locale.ROOT, "%04x", VerbsMemory.getNetShort(at + i)));
        }
        return text.toString();
    }

    /** Returns the state with a number; none that is known, and one that waits for the network, are down. */
    static State state(int number) {
        return switch (number) {
            case VerbsNumbers.PORT_INIT -> State.INIT;
            case VerbsNumbers.PORT_ARMED -> State.ARMED;
            case VerbsNumbers.PORT_ACTIVE -> State.ACTIVE;
            default -> State.DOWN;
        };
    }

    /** Returns the bytes of an MTU code, 256 for one that is not known. */
    static int mtu(int code) {
        return code >= 1 && code <= MTU_CODES ? 128 << code : 256;
    }
}

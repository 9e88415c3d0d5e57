package org.railyard.sm.lid;

import java.util.Comparator;

/** In which order end ports get LIDs that they never had; the port of the subnet manager comes first. */
public enum LidOrder {
    /** Ascending port GUID. */
    GUID,
    /** Ascending port GUID as a little-endian machine reads it from the wire: OpenSM's order. */
    OPENSM;

    Comparator<Long> byGuid() {
        return switch (this) {
            case GUID -> Long::compareUnsigned;
            case OPENSM -> (a, b) -> Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
        };
    }
}

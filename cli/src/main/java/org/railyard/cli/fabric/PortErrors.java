package org.railyard.cli.fabric;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.perf.PortCounters;

/** The errors of a port that {@code fabric top} shows. */
enum PortErrors {
    /** Symbols that are none, on the lanes of the port. */
    SYMBOL("symbol", "SYMBOL", PortCounters.SYMBOL_ERRORS),
    /** The link went down. */
    LINK_DOWNED("link_downed", "DOWNED", PortCounters.LINK_DOWNED),
    /** Packets received with an error. */
    RECEIVE("receive", "RECEIVE", PortCounters.RECEIVE_ERRORS),
    /** Packets that were not sent. */
    DISCARD("discard", "DISCARD", PortCounters.TRANSMIT_DISCARDS);

    private final String key;
    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // A declared field of a layout never changes.
    private final BitField field;

    PortErrors(String key, String title, BitField field) {
        this.key = key;
        this.title = title;
        this.field = field;
    }

    /** Returns its name for programs. */
    String key() {
        return key;
    }

    /** Returns the title of its column. */
    String title() {
        return title;
    }

    /** Returns where the counter stays. */
    long max() {
        return field.max();
    }

    long of(PortCounters counters) {
        return counters.get(field);
    }
}

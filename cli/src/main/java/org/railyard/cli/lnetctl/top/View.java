package org.railyard.cli.lnetctl.top;

/**
 * What a person chose to see.
 *
 * @param order what rows are sorted by
 * @param tables which tables
 * @param page page of the last table, from 0
 * @param help whether the keys are explained instead
 */
record View(Order order, Tables tables, int page, boolean help) {
    /** Which tables are shown. */
    enum Tables {
        /** NIs of the node, and of peers. */
        BOTH,
        /** NIs of the node. */
        NIS,
        /** NIs of peers. */
        PEERS
    }

    /** Returns how it begins. */
    static View of(Order order) {
        return new View(order, Tables.BOTH, 0, false);
    }

    /** Returns the view after a key; the same if it means nothing. */
    View after(int key) {
        return switch (key) {
            case 's' -> new View(order.next(), tables, 0, false);
            case 'v' -> new View(order, Tables.values()[(tables.ordinal() + 1) % Tables.values().length], 0, false);
            case 'n' -> new View(order, tables, page + 1, false);
            case 'p' -> new View(order, tables, Math.max(0, page - 1), false);
            case 'h', '?' -> new View(order, tables, page, !help);
            default -> this;
        };
    }

    /** Returns the same with a page that there is. */
    View withPage(int other) {
        return new View(order, tables, other, help);
    }
}

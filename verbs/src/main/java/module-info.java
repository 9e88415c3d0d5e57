/**
 * The contract with providers of InfiniBand verbs: devices, memory regions, queue pairs, completion queues and
 * connections.
 */
module org.railyard.verbs {
    requires static transitive org.jspecify;

    exports org.railyard.verbs;
    exports org.railyard.verbs.card;
    exports org.railyard.verbs.card.cm;
    exports org.railyard.verbs.card.memory;
}

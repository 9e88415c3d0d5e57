/** InfiniBand verbs without cards: queue pairs, memory and connections on a simulated fabric, in virtual time. */
module org.railyard.softverbs {
    requires static transitive org.jspecify;
    requires transitive org.railyard.base;
    requires transitive org.railyard.verbs;
    requires transitive org.railyard.fabric;

    exports org.railyard.softverbs;
    exports org.railyard.softverbs.card;
    exports org.railyard.softverbs.net;
    exports org.railyard.softverbs.time;
}

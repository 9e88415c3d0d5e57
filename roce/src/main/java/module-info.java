/**
 * InfiniBand verbs over UDP (RoCEv2): a card made of software, which talks with other such cards and with real ones.
 */
module org.railyard.roce {
    requires static transitive org.jspecify;
    requires transitive org.railyard.base;
    requires transitive org.railyard.verbs;
    requires jdk.net;

    exports org.railyard.roce;
    exports org.railyard.roce.api;
    exports org.railyard.roce.wire to
            org.railyard.bench;
}

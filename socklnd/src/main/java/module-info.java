/** LNet over TCP. */
module org.railyard.socklnd {
    requires static org.jspecify;
    requires transitive org.railyard.lnet;
    requires jdk.net;

    exports org.railyard.socklnd;
    exports org.railyard.socklnd.link;
    exports org.railyard.socklnd.stats;
    exports org.railyard.socklnd.tune;
    exports org.railyard.socklnd.wire;

    provides org.railyard.lnet.lnd.LndProvider with
            org.railyard.socklnd.SockLndProvider;
}

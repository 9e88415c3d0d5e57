/**
 * The LNet stack, sans-I/O: names, wire formats, portals, peers, selection, discovery, and the interfaces to transports
 * and host.
 */
module org.railyard.lnet {
    requires static transitive org.jspecify;
    requires transitive org.railyard.base;

    exports org.railyard.lnet;
    exports org.railyard.lnet.api;
    exports org.railyard.lnet.nid;
    exports org.railyard.lnet.wire;
    exports org.railyard.lnet.lnd;

    uses org.railyard.lnet.lnd.LndProvider;
    uses org.railyard.base.host.HostProvider;
}

/** The LNet stack, sans-I/O: names, wire formats, portals, peers, selection, discovery, and the interfaces to transports and host. */
module org.railyard.lnet {
    requires static transitive org.jspecify;

    exports org.railyard.lnet;
    exports org.railyard.lnet.nid;
    exports org.railyard.lnet.wire;
    exports org.railyard.lnet.lnd;
    exports org.railyard.lnet.host;

    uses org.railyard.lnet.lnd.LndProvider;
    uses org.railyard.lnet.host.HostProvider;
}

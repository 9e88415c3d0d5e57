/** InfiniBand management datagrams: their layouts, RMPP, transports, and simulated agents of a whole fabric. */
module org.railyard.mad {
    requires static transitive org.jspecify;
    requires transitive org.railyard.base;
    requires transitive org.railyard.fabric;

    exports org.railyard.mad.layout;
    exports org.railyard.mad.wire;
    exports org.railyard.mad.smp;
    exports org.railyard.mad.sa;
    exports org.railyard.mad.perf;
    exports org.railyard.mad.text;
    exports org.railyard.mad.rmpp;
    exports org.railyard.mad.transport;
    exports org.railyard.mad.umad;
    exports org.railyard.mad.sim;
}

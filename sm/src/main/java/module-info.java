/** The subnet manager: sweeps a subnet, gives LIDs, programs proven routes, and keeps them true. Sans-I/O. */
module org.railyard.sm {
    requires static transitive org.jspecify;
    requires transitive org.railyard.base;
    requires transitive org.railyard.fabric;
    requires transitive org.railyard.mad;

    exports org.railyard.sm;
    exports org.railyard.sm.conf;
    exports org.railyard.sm.lid;
    exports org.railyard.sm.live;
    exports org.railyard.sm.master;
    exports org.railyard.sm.model;
    exports org.railyard.sm.program;
    exports org.railyard.sm.role;
    exports org.railyard.sm.sa;
    exports org.railyard.sm.subnet;
}

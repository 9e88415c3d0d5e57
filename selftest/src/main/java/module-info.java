/**
 * The selftest protocol of Lustre's LNet: a node that can be tested and tests others, and the console that tells nodes
 * what to do.
 */
module org.railyard.selftest {
    requires transitive org.railyard.lnet;
    requires static transitive org.jspecify;

    exports org.railyard.selftest;
    exports org.railyard.selftest.api;
    exports org.railyard.selftest.wire;
}

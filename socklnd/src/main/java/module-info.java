/** LNet over TCP. */
module org.railyard.socklnd {
    requires static org.jspecify;
    requires transitive org.railyard.lnet;

    exports org.railyard.socklnd.wire;
}

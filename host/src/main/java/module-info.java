/** The real machine under a node. */
module org.railyard.host {
    requires static org.jspecify;
    requires transitive org.railyard.base;
    requires jdk.jfr;

    exports org.railyard.host;

    provides org.railyard.base.host.HostProvider with
            org.railyard.host.RealHostProvider;
}

/** The real machine under a node. */
module org.railyard.host {
    requires static org.jspecify;
    requires transitive org.railyard.lnet;

    exports org.railyard.host;

    provides org.railyard.lnet.host.HostProvider with
            org.railyard.host.RealHostProvider;
}

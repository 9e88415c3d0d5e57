/** Operations on a node, as records, and how they are done on a node of this process. */
module org.railyard.control {
    requires static org.jspecify;
    requires transitive org.railyard.config;
    requires transitive org.railyard.doctor;
    requires transitive org.railyard.lnet;

    exports org.railyard.control;
    exports org.railyard.control.figures;
    exports org.railyard.control.node;
}

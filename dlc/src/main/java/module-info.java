/** Configuration of LNet: read from YAML, checked as a whole, applied to a node; and the one interface to change a node that runs. */
module org.railyard.dlc {
    requires static org.jspecify;
    requires transitive org.railyard.lnet;
    requires transitive org.snakeyaml.engine;

    exports org.railyard.dlc;
    exports org.railyard.dlc.api;
    exports org.railyard.dlc.doctor;
    exports org.railyard.dlc.node;
    exports org.railyard.dlc.parameter;
    exports org.railyard.dlc.text;
}

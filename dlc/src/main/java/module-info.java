/** Configuration of LNet in the YAML of its tools: read, checked as a whole, applied to a node. */
module org.railyard.dlc {
    requires static org.jspecify;
    requires transitive org.railyard.lnet;
    requires transitive org.snakeyaml.engine;

    exports org.railyard.dlc;
}

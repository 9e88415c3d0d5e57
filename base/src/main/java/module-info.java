/**
 * What all modules stand on: the contract with the machine, errno values, layouts of wire structures, YAML, JSON and
 * tables.
 */
module org.railyard.base {
    requires static org.jspecify;
    requires static transitive com.google.errorprone.annotations;
    requires transitive org.snakeyaml.engine;

    exports org.railyard.base;
    exports org.railyard.base.host;
    exports org.railyard.base.text;
    exports org.railyard.base.wire;
    exports org.railyard.base.yaml;
}

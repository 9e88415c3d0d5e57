/**
 * What all modules stand on: the contract with the machine, errno values, layouts of wire structures, tunables, YAML,
 * JSON, tables and reports.
 */
module org.railyard.base {
    requires static org.jspecify;
    requires static transitive com.google.errorprone.annotations;
    requires transitive org.snakeyaml.engine;

    exports org.railyard.base;
    exports org.railyard.base.host;
    exports org.railyard.base.report;
    exports org.railyard.base.text;
    exports org.railyard.base.tune;
    exports org.railyard.base.wire;
    exports org.railyard.base.yaml;
}

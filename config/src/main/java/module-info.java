/** Configuration of LNet: YAML documents and module parameters, read and checked as a whole; opens no file. */
module org.railyard.config {
    requires static org.jspecify;
    requires transitive org.railyard.lnet;

    exports org.railyard.config;
    exports org.railyard.config.ni;
    exports org.railyard.config.parameter;
}

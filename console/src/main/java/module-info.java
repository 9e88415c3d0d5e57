/** Pages that show nodes, fabrics and runs of the lab in a browser, and the server of these pages. */
module org.railyard.console {
    requires static org.jspecify;
    requires org.railyard.base;
    requires org.railyard.host;
    requires transitive org.railyard.control;
    requires transitive org.railyard.fabric;
    requires transitive org.railyard.lab;
    requires jdk.httpserver;

    exports org.railyard.console;
}

/** The commands. */
module org.railyard.cli {
    requires static org.jspecify;
    requires org.railyard.lnet;
    requires org.railyard.host;
    requires org.railyard.socklnd;
    requires info.picocli;
    requires org.snakeyaml.engine.v2;

    exports org.railyard.cli;
    exports org.railyard.cli.decode;

    opens org.railyard.cli to
            info.picocli;
    opens org.railyard.cli.decode to
            info.picocli;
}

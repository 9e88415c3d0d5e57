/** The commands. */
module org.railyard.cli {
    requires static org.jspecify;
    requires org.railyard.lnet;
    requires org.railyard.host;
    requires org.railyard.fabric;
    requires org.railyard.mad;
    requires org.railyard.sm;
    requires org.railyard.socklnd;
    requires org.railyard.base;
    requires org.railyard.config;
    requires org.railyard.console;
    requires org.railyard.control;
    requires org.railyard.decode;
    requires org.railyard.doctor;
    requires org.railyard.node;
    requires org.railyard.lab;
    requires org.railyard.campaign;
    requires org.railyard.ibverbs;
    requires org.railyard.o2iblnd;
    requires org.railyard.roce;
    requires org.railyard.verbs;
    requires info.picocli;
    requires org.jline.reader;
    requires org.jline.terminal;
    requires java.logging;
    requires jdk.unsupported;
    requires org.snakeyaml.engine;

    exports org.railyard.cli;
    exports org.railyard.cli.text to
            org.railyard.bench;

    opens org.railyard.cli to
            info.picocli;
    opens org.railyard.cli.campaign to
            info.picocli;
    opens org.railyard.cli.console to
            info.picocli;
    opens org.railyard.cli.explain to
            info.picocli;
    opens org.railyard.cli.fabric to
            info.picocli;
    opens org.railyard.cli.lab to
            info.picocli;
    opens org.railyard.cli.lnetctl to
            info.picocli;
    opens org.railyard.cli.lnetd to
            info.picocli;
    opens org.railyard.cli.lst to
            info.picocli;
    opens org.railyard.cli.mad to
            info.picocli;
    opens org.railyard.cli.node to
            info.picocli;
    opens org.railyard.cli.o2ib to
            info.picocli;
    opens org.railyard.cli.sm to
            info.picocli;
    opens org.railyard.cli.demo to
            info.picocli;
    opens org.railyard.cli.text to
            info.picocli;

    uses org.railyard.campaign.run.ChunkRunnerProvider;
    uses org.railyard.cli.CommandProvider;
}

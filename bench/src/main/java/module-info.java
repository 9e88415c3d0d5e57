/** Measurements: the command {@code railyard bench}, its contenders and the JMH benchmarks. */
module org.railyard.bench {
    requires static org.jspecify;
    requires org.railyard.base;
    requires org.railyard.lnet;
    requires org.railyard.fabric;
    requires org.railyard.host;
    requires org.railyard.cli;
    requires org.railyard.o2iblnd;
    requires org.railyard.roce;
    requires org.railyard.ibverbs;
    requires org.railyard.verbs;
    requires org.railyard.mad;
    requires org.railyard.sm;
    requires org.railyard.socklnd;
    requires info.picocli;
    requires HdrHistogram;
    requires jmh.core;
    requires jdk.unsupported;
    requires org.zeromq.jeromq;
    requires java.management;
    requires jdk.management;

    provides org.railyard.cli.CommandProvider with
            org.railyard.bench.BenchCommandProvider;

    opens org.railyard.bench to
            info.picocli;
    opens org.railyard.bench.compare to
            info.picocli;
    opens org.railyard.bench.fabric to
            info.picocli;
    opens org.railyard.bench.sm to
            info.picocli;
}

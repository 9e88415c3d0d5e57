/** A node as a service: the daemon, its control socket, and the client's side of it. */
module org.railyard.node {
    requires static org.jspecify;
    requires transitive org.railyard.control;
    requires org.railyard.lnet;
    requires org.railyard.host;
    requires org.railyard.ibverbs;
    requires org.railyard.o2iblnd;
    requires org.railyard.roce;
    requires org.railyard.selftest;
    requires org.railyard.socklnd;
    requires org.railyard.verbs;
    requires jdk.httpserver;
    requires jdk.management;
    requires jdk.net;
    requires java.management;
    requires io.prometheus.metrics.model;
    requires io.prometheus.writer.text;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;

    exports org.railyard.node;
    exports org.railyard.node.control;
    exports org.railyard.node.facts;
    exports org.railyard.node.metrics;
    exports org.railyard.node.o2ib;
    exports org.railyard.node.selftest;
}

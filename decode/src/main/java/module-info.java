/** Captures of LNet traffic: packets to TCP streams to messages, as text or YAML. */
module org.railyard.decode {
    requires static org.jspecify;
    requires org.railyard.base;
    requires org.railyard.lnet;
    requires org.railyard.socklnd;
    requires org.railyard.o2iblnd;
    requires info.picocli;
    requires org.jline.terminal;
    requires org.snakeyaml.engine;

    exports org.railyard.decode;
    exports org.railyard.decode.capture;
    exports org.railyard.decode.tcp;
    exports org.railyard.decode.wireshark;

    opens org.railyard.decode to
            info.picocli;
}

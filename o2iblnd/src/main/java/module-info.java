/** LNet over InfiniBand verbs: the structures on the wire, the tunables and what follows from them. */
module org.railyard.o2iblnd {
    requires static transitive org.jspecify;
    requires transitive org.railyard.lnet;
    requires transitive org.railyard.verbs;

    exports org.railyard.o2iblnd;
    exports org.railyard.o2iblnd.bond;
    exports org.railyard.o2iblnd.tune;
    exports org.railyard.o2iblnd.wire;
}

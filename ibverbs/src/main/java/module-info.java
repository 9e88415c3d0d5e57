/** InfiniBand verbs over libibverbs and librdmacm: real cards, and the kernel's software ones. */
module org.railyard.ibverbs {
    requires static transitive org.jspecify;
    requires transitive org.railyard.base;
    requires transitive org.railyard.verbs;

    exports org.railyard.ibverbs;
}

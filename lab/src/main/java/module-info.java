/**
 * Whole clusters in virtual time: real stacks on a simulated network, loads, faults, and checkers; a seed gives the
 * same run again.
 */
module org.railyard.lab {
    requires static org.jspecify;
    requires transitive org.railyard.lnet;
    requires transitive org.railyard.config;
    requires org.railyard.fabric;
    requires org.railyard.o2iblnd;
    requires transitive org.railyard.selftest;
    requires org.railyard.softverbs;
    requires org.railyard.verbs;
    requires java.logging;
    requires java.management;

    exports org.railyard.lab.check;
    exports org.railyard.lab.engine;
    exports org.railyard.lab.fabric;
    exports org.railyard.lab.net;
    exports org.railyard.lab.observe;
    exports org.railyard.lab.run;
    exports org.railyard.lab.scenario;
}

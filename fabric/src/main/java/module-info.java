/**
 * InfiniBand fabrics, sans-I/O: the model, file formats, routing engines and the proof that tables are free of credit
 * loops.
 */
module org.railyard.fabric {
    requires static transitive org.jspecify;

    exports org.railyard.fabric.model;
    exports org.railyard.fabric.analysis;
    exports org.railyard.fabric.draw;
    exports org.railyard.fabric.route;
    exports org.railyard.fabric.engine;
    exports org.railyard.fabric.format;
    exports org.railyard.fabric.live;
    exports org.railyard.fabric.proof;
    exports org.railyard.fabric.proven;
    exports org.railyard.fabric.torus;
    exports org.railyard.fabric.torus.conf;
    exports org.railyard.fabric.torus.failure;
    exports org.railyard.fabric.torus.grid;
    exports org.railyard.fabric.torus.multicast;
    exports org.railyard.fabric.torus.placement;
    exports org.railyard.fabric.torus.qos;
    exports org.railyard.fabric.torus.tables;
    exports org.railyard.fabric.sample;
    exports org.railyard.fabric.sim;
    exports org.railyard.fabric.sim.job;
    exports org.railyard.fabric.sim.traffic;
    exports org.railyard.fabric.whatif;
}

package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.Optional;
import org.railyard.console.ShownTorus;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConf;

/** Reads a torus to be shown: a topology, and the configuration that says where its switches are. */
public final class TorusInput {
    private TorusInput() {}

    /**
     * Reads it. Whether it can be routed is not found out here.
     *
     * @throws FabricInputException if a file can not be used, or the fabric is no torus by this configuration
     */
    public static ShownTorus read(Path topology, RoutingChoice engine) {
        TorusConf conf = engine.torusConf()
                .orElseThrow(() -> new FabricInputException(
                        topology + ": --conf is missing; expected its torus-2QoS.conf, which says where switches are"));
        Fabric fabric =
                SmFabric.read(topology, Optional.empty(), engine.warnings()).fabric();
        TorusLayout layout = new TorusEngine(conf, TorusOptions.DEFAULT)
                .place(fabric)
                .map(placement -> TorusLayout.of(fabric, placement))
                .orElseThrow(() -> new FabricInputException(topology + ": no seed of " + engine.confFile()
                        + " has all its switches; 'railyard fabric route' tells more"));
        return new ShownTorus(topology.toString(), fabric, layout, engine.routing());
    }
}

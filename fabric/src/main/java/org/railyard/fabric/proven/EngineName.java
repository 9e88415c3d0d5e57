package org.railyard.fabric.proven;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.engine.FatTreeEngine;
import org.railyard.fabric.engine.LayeredEngine;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.engine.NueEngine;
import org.railyard.fabric.engine.Root;
import org.railyard.fabric.engine.UpDownEngine;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConf;

/** The routing engines, by the names that options and settings give them. */
public enum EngineName {
    /** torus-2QoS; routes what is proved free of credit loops. */
    TORUS_2QOS("torus-2qos"),
    /** torus-2QoS with OpenSM's verdicts and order, also where that can deadlock. */
    OPENSM_TORUS(TorusEngine.NAME_LIKE_OPENSM),
    /** Shortest paths on one VL. */
    MIN_HOP("min-hop"),
    /** Dimension order on one VL. */
    DOR("dor"),
    /** Up/down paths from root switches, on one VL. */
    UP_DOWN("up-down"),
    /** Paths among the dependencies that close no cycle, on the VLs that there are; any fabric. */
    NUE("nue"),
    /** Balanced shortest paths, each on the first VL where it closes no cycle; any fabric, if there are VLs enough. */
    LAYERED("layered"),
    /** Up and down a fat tree by destination, on one VL. */
    FTREE("ftree");

    private final String text;

    EngineName(String text) {
        this.text = text;
    }

    /** Returns the engine of a name, in any case; empty if there is none. */
    public static Optional<EngineName> of(String name) {
        return Stream.of(values())
                .filter(each -> each.text.equalsIgnoreCase(name))
                .findFirst();
    }

    /** Returns the name. */
    public String text() {
        return text;
    }

    /** Returns whether the engine makes use of a list of root switches. */
    public boolean takesRoots() {
        return this == UP_DOWN || this == FTREE;
    }

    /** Returns whether the engine needs a torus-2QoS.conf. */
    public boolean needsConf() {
        return this == TORUS_2QOS || this == OPENSM_TORUS;
    }

    /**
     * Makes the engine.
     *
     * @param conf the torus; engines that do not need it ignore it
     * @param strict whether torus-2QoS also refuses what OpenSM would refuse; others ignore it
     * @param roots root switches for up/down, best first, or those of the top level for ftree; others ignore it
     * @throws IllegalArgumentException if the engine needs a {@code conf} and there is none
     */
    public RoutingEngine engine(@Nullable TorusConf conf, boolean strict, List<Root> roots) {
        return switch (this) {
            case TORUS_2QOS -> torus(conf, strict ? TorusOptions.STRICT : TorusOptions.DEFAULT);
            case OPENSM_TORUS -> torus(conf, TorusOptions.LIKE_OPENSM);
            case MIN_HOP -> new MinHopEngine();
            case DOR -> new DorEngine();
            case UP_DOWN -> new UpDownEngine(roots);
            case NUE -> new NueEngine();
            case LAYERED -> new LayeredEngine();
            case FTREE -> new FatTreeEngine(roots);
        };
    }

    private RoutingEngine torus(@Nullable TorusConf conf, TorusOptions options) {
        if (conf == null) {
            throw new IllegalArgumentException(text + " needs a torus-2QoS.conf");
        }
        return new TorusEngine(conf, options);
    }
}

package org.railyard.bench.fabric;

import java.util.List;
import java.util.Set;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusConfParser;

/**
 * A cubic torus to be measured.
 *
 * @param radix switches in each of three dimensions
 * @param hosts CAs per switch
 */
public record FabricCase(int radix, int hosts) {
    /** Returns the fabric with the LIDs that OpenSM gives. */
    Fabric fabric() {
        return FreshLids.assign(plan().fabric(), Fabric.NONE);
    }

    /** Returns its torus-2QoS.conf. */
    String confText() {
        return plan().conf(1) + "portgroup_max_ports " + (hosts + 1) + "\n";
    }

    TorusConf conf() {
        return TorusConfParser.parse(confText());
    }

    private SampleTorus plan() {
        return new SampleTorus(List.of(radix, radix, radix), Set.of(), hosts, 1, Set.of(), Set.of());
    }

    /** Returns the name: 8³ for one CA per switch, 16³ × 10 for ten. */
    String title() {
        return radix + "³" + (hosts == 1 ? "" : " × " + hosts);
    }
}

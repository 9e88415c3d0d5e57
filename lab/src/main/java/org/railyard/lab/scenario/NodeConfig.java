package org.railyard.lab.scenario;

import java.util.List;
import org.railyard.lnet.Settings;
import org.railyard.lnet.lnd.NiRequest;

/**
 * How LNet is configured on a node.
 *
 * @param nis its NIs
 * @param settings its node-wide tunables
 */
public record NodeConfig(List<NiRequest> nis, Settings settings) {
    /** Copies the list. */
    public NodeConfig {
        nis = List.copyOf(nis);
    }
}

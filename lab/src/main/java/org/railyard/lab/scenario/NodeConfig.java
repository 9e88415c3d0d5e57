package org.railyard.lab.scenario;

import java.util.List;
import org.railyard.lnet.Settings;
import org.railyard.lnet.UdspRule;
import org.railyard.lnet.lnd.NiRequest;

/**
 * How LNet is configured on a node.
 *
 * @param nis its NIs
 * @param settings its node-wide tunables
 * @param policy its selection rules, in order
 */
public record NodeConfig(List<NiRequest> nis, Settings settings, List<UdspRule> policy) {
    /** Copies the lists. */
    public NodeConfig {
        nis = List.copyOf(nis);
        policy = List.copyOf(policy);
    }
}

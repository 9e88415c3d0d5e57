package org.railyard.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.railyard.base.host.StoppedHost;
import org.railyard.config.Configuration;
import org.railyard.config.NiSpec;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.GatewayInfo;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/**
 * A node that has a configuration and does nothing: its transports send nothing, its clock stands, its workers never
 * run.
 */
final class DryNode {
    /** Bit of the state of a peer: it says that it forwards. */
    private static final int FORWARDS = 1 << 2;

    private DryNode() {}

    /**
     * Makes the node.
     *
     * @throws org.railyard.base.ErrnoException what the node has against the configuration, with the place in the file
     */
    static LNet of(Configuration config) {
        Map<String, Nid> nids = new LinkedHashMap<>();
        for (NiSpec ni : config.nis()) {
            if (ni.nid() != null && ni.request().interfaceName() != null) {
                nids.put(DryLnd.key(ni.request()), ni.nid());
            }
        }
        LNetConfig.Builder builder = config.tune(LNetConfig.builder().host(new StoppedHost(new Random(1))));
        for (NetType type : NetType.values()) {
            if (type != NetType.LO) {
                builder.lnd(new DryLnd.Provider(type, nids));
            }
        }
        LNet node = LNet.start(builder.build());
        try {
            config.applyTo(node);
            believeInGateways(node);
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
        return node;
    }

    /** Nobody answers checks here: gateways are taken to be up, to forward, and to have a far side. */
    private static void believeInGateways(LNet node) {
        node.set(Tunable.AVOID_ASYM_ROUTER_FAILURE, 0);
        for (GatewayInfo gateway : node.routes().gateways()) {
            Nid nid = gateway.primaryNid();
            int state = node.inventory().peer(nid).orElseThrow().state();
            node.peerConfiguration().setState(nid, state | FORWARDS);
        }
    }
}

package org.railyard.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.railyard.dlc.Configuration;
import org.railyard.dlc.NiSpec;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetConfig;
import org.railyard.lnet.host.Duty;
import org.railyard.lnet.host.Host;
import org.railyard.lnet.host.NodeClock;
import org.railyard.lnet.host.Worker;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/** A node that has a configuration and does nothing: its transports send nothing, its clock stands, its workers never run. */
final class DryNode {
    private DryNode() {}

    /**
     * Makes the node.
     *
     * @throws org.railyard.lnet.LNetException what the node has against the configuration, with the place in the file
     */
    static LNet of(Configuration config) {
        Map<String, Nid> nids = new LinkedHashMap<>();
        for (NiSpec ni : config.nis()) {
            if (ni.nid() != null && ni.request().interfaceName() != null) {
                nids.put(DryLnd.key(ni.request()), ni.nid());
            }
        }
        LNetConfig.Builder builder = config.tune(LNetConfig.builder().host(new StillHost()));
        for (NetType type : NetType.values()) {
            if (type != NetType.LO) {
                builder.lnd(new DryLnd.Provider(type, nids));
            }
        }
        LNet node = LNet.start(builder.build());
        try {
            config.applyTo(node);
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
        return node;
    }

    private static final class StillHost implements Host, NodeClock {
        private static final Worker IDLE = new Worker() {
            @Override
            public void wake() {}

            @Override
            public void close() {}
        };

        private final RandomGenerator random = new Random(1);

        @Override
        public NodeClock clock() {
            return this;
        }

        @Override
        public RandomGenerator random() {
            return random;
        }

        @Override
        public Worker startWorker(String name, Duty duty) {
            return IDLE;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public long wallNanos() {
            return 1;
        }
    }
}

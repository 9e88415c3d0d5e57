package org.railyard.fabric.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfException;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** A torus with traffic on it, which notes each delivery and holds the rules that always hold (spec 33 §9). */
final class SimWorld implements SimListener {
    static final int MTU_PACKET = 4096;
    static final SimSettings SMALL = SimSettings.DEFAULT.withBuffers(MTU_PACKET);

    private final Fabric fabric;
    private final FabricSim sim;
    private final List<Integer> hosts = new ArrayList<>();
    private final Map<Long, Long> lastOfFlow = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long digest;
    private long lastTime;
    private long lost;
    private int rounds;

    SimWorld(Fabric fabric, Routing routing, SimSettings settings) {
        this.fabric = fabric;
        this.sim = new FabricSim(fabric, routing, settings, this);
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            hosts.add(fabric.portIndex(node, 1));
        }
    }

    static Fabric torus(SampleTorus plan) {
        return FreshLids.assign(plan.fabric(), Fabric.NONE);
    }

    static Routing dor(Fabric fabric) {
        return (Routing) new DorEngine().route(fabric, EngineOptions.DEFAULT);
    }

    static Routing torus2Qos(SampleTorus plan, Fabric fabric) {
        try {
            return (Routing) new TorusEngine(TorusConfParser.parse(plan.conf(2)), TorusOptions.DEFAULT)
                    .route(fabric, EngineOptions.DEFAULT);
        } catch (TorusConfException e) {
            throw new IllegalArgumentException(e);
        }
    }

    FabricSim sim() {
        return sim;
    }

    Fabric fabric() {
        return fabric;
    }

    int hosts() {
        return hosts.size();
    }

    int port(int host) {
        return hosts.get(host);
    }

    int lid(int host) {
        return fabric.lid(hosts.get(host));
    }

    long digest() {
        return digest;
    }

    long lost() {
        return lost;
    }

    /** Returns what must not be. */
    List<String> wrong() {
        return wrong;
    }

    /** Sends a packet, numbered within its flow. */
    void send(int from, int to, int sl, int bytes, int number) {
        if (!sim.inject(port(from), lid(to), sl, bytes, token(from, to, sl, number))) {
            wrong.add("no room for a packet of host " + from);
        }
    }

    private static long token(int from, int to, int sl, int number) {
        return (long) number << 36 | (long) sl << 32 | (long) from << 16 | to;
    }

    /** Lets hosts send packets of any size to anybody for some time, by a seed. */
    void uniform(PathSls sls, long seed, int packets, long spanNanos) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Integer, Integer> numbers = new LinkedHashMap<>();
        rounds += packets;
        long start = sim.now();
        for (int i = 0; i < packets; i++) {
            sim.runUntil(start + spanNanos * i / packets);
            int from = random.nextInt(hosts());
            int to = (from + 1 + random.nextInt(hosts() - 1)) % hosts();
            int sl = sls.sl(lid(from), lid(to), random.nextInt(16));
            int number = numbers.merge(from << 16 | to << 4 | sl, 1, Integer::sum) + rounds;
            send(from, to, sl, 1 + random.nextInt(MTU_PACKET), number);
            audit();
        }
    }

    /** Flows begin again with number 1. */
    void forgetFlows() {
        lastOfFlow.clear();
    }

    private void audit() {
        if (sim.injected() != sim.delivered() + lost + sim.inside()) {
            wrong.add("packets are not conserved at " + sim.now());
        }
    }

    @Override
    public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
        long time = sim.now();
        if (time < lastTime || time <= birthNanos) {
            wrong.add("time runs back at " + time);
        }
        lastTime = time;
        long flow = token & 0xF_FFFF_FFFFL;
        Long before = lastOfFlow.put(flow, token >>> 36);
        if (before != null && before >= token >>> 36) {
            wrong.add("packet %d of flow %x came after %d".formatted(token >>> 36, flow, before));
        }
        digest = ((digest ^ token) * 0x9E3779B97F4A7C15L ^ time) * 0x9E3779B97F4A7C15L + hops;
    }

    @Override
    public void dropped(long token, DropReason reason) {
        lost++;
        digest = (digest ^ token) * 31 + reason.ordinal();
    }
}

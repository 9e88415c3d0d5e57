package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.whatif.FailureSet;

/** The check keeps sets of flows, the verifier remembers what it has seen; here each flow is walked by itself. */
final class EachFlowTest {
    private static final CheckOptions UNICAST = CheckOptions.DEFAULT.withMulticast(false);

    private final EachFlow flows = new EachFlow();

    @Test
    void toriUpToFourCubedWithSwitchesDown() {
        for (List<Integer> radix : List.of(List.of(3, 3, 1), List.of(4, 3, 2), List.of(3, 3, 3), List.of(4, 4, 4))) {
            SampleTorus torus = new SampleTorus(radix, Set.of(), 1, 1, Set.of(), Set.of());
            Fabric whole = FreshLids.assign(torus.fabric(), Fabric.NONE);
            TorusEngine engine = new TorusEngine(TorusConfParser.parse(torus.conf(2)), TorusOptions.DEFAULT);
            List<FailureSet> failures = new ArrayList<>(FailureSet.eachSwitch(whole));
            failures.add(new FailureSet("nothing", new BitSet()));
            // Each switch of the small ones.
            for (int i = failures.size() - 1; i >= 0; i -= whole.switchCount() > 24 ? 9 : 1) {
                Fabric fabric = whole.withLinksDown(failures.get(i).ports());
                if (engine.route(fabric, EngineOptions.DEFAULT) instanceof Routing routing) {
                    flows.compare(fabric, routing, UNICAST);
                }
            }
        }
    }

    @Test
    void hostsAndPortsOfSwitches() {
        SampleTorus torus = new SampleTorus(List.of(4, 3, 2), Set.of(), 3, 2, Set.of(), Set.of());
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        TorusEngine engine = new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT);
        Routing routing = (Routing) engine.route(fabric, EngineOptions.DEFAULT);
        for (boolean switchPorts : new boolean[] {false, true}) {
            flows.compare(fabric, routing, UNICAST.withSwitchPorts(switchPorts));
        }
        flows.compare(fabric, routing, UNICAST.withHostChannels(true).withSwitchPorts(true));
    }

    /** Rubbish: routes that end, go round or lead to the wrong port, tables that drop, SLs that are missing. */
    @Test
    void tablesByChance() {
        SplittableRandom random = new SplittableRandom(22);
        int certified = 0;
        for (int round = 0; round < 40; round++) {
            List<Integer> radix = List.of(round % 2 == 0 ? 3 : 5, 2, 1);
            SampleTorus torus = new SampleTorus(radix, Set.of(), 2, 1, Set.of(), Set.of());
            Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
            TorusEngine engine = new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT);
            Routing right = (Routing) engine.route(fabric, EngineOptions.DEFAULT);
            Routing wrong = new Routing(
                    "chance",
                    tables(fabric, right, random),
                    sls(random),
                    slToVl(random),
                    MulticastTables.NONE,
                    List.of());
            CheckOptions options =
                    UNICAST.withSwitchPorts(random.nextBoolean()).withHostChannels(random.nextInt(4) == 0);
            flows.compare(fabric, wrong, options);
            certified +=
                    CreditLoopCheck.check(fabric, wrong, options).certificate().isPresent() ? 1 : 0;
        }
        assertThat(certified).isBetween(5, 35);
    }

    private static ForwardingTables tables(Fabric fabric, Routing right, SplittableRandom random) {
        int changes = random.nextInt(6);
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            for (int lid = 0; lid < rows[sw].length; lid++) {
                rows[sw][lid] = (byte) right.forwarding().port(sw, lid);
            }
        }
        for (int i = 0; i < changes; i++) {
            byte[] row = rows[random.nextInt(rows.length)];
            row[random.nextInt(row.length)] = (byte) (random.nextInt(9) == 0 ? 0xFF : random.nextInt(9));
        }
        return new ForwardingTables(rows);
    }

    private static PathSls sls(SplittableRandom random) {
        int missing = random.nextInt(4) == 0 ? random.nextInt(30) : -1;
        int seed = random.nextInt(1000);
        return new RuledSls(
                2,
                40,
                lid -> lid,
                (from, to, level) -> from == missing ? PathSls.NO_SL : (from * 7 + to * seed) % 3 + 8 * level);
    }

    private static SlToVl slToVl(SplittableRandom random) {
        int drops = random.nextInt(3) == 0 ? random.nextInt(64) : -1;
        int vls = 1 + random.nextInt(5);
        return new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                long table = 0;
                for (int sl = 0; sl < 16; sl++) {
                    boolean dropped = drops == (switchIndex * 5 + in * 3 + out + sl) % 64;
                    table |= (long) (dropped ? DROP : (in + sl) % vls) << 4 * sl;
                }
                return table;
            }

            @Override
            public long endTable(int endPort) {
                return ALL_ZERO;
            }
        };
    }
}

package org.railyard.fabric.proven;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.format.LidSettings;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.Verification;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** A fabric that is routed again and again gets the tables that it would get if nothing were known of it. */
final class RepeatedRoutingTest {
    private static RoutingSettings settings(SampleTorus torus) {
        return RoutingSettings.of(new TorusEngine(TorusConfParser.parse(torus.conf(2)), TorusOptions.DEFAULT));
    }

    private static List<MulticastGroup> groups(Fabric fabric) {
        List<Integer> members = fabric.hosts();
        return List.of(new MulticastGroup(0xC000, 0, members), new MulticastGroup(0xC001, 0, members.subList(0, 3)));
    }

    private static int[] cables(Fabric fabric) {
        List<Integer> cables = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.cable(port);
            if (peer > port && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer))) {
                cables.add(port);
            }
        }
        return cables.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Fabric withLids(SampleTorus torus) {
        return LidSettings.fresh(Fabric.NONE, 0).assign(torus.fabric()).fabric();
    }

    /** Returns whether it was proved by what was known. */
    private static boolean compare(RoutingOutcome again, RoutingOutcome fresh) {
        assertThat(again).hasSameClassAs(fresh);
        if (!(again instanceof Proven one && fresh instanceof Proven two)) {
            return false;
        }
        Fabric fabric = one.tables().fabric();
        Routing here = one.tables().routing();
        Routing there = two.tables().routing();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            assertThat(here.forwarding().firstDifference(there.forwarding(), sw, 0))
                    .isNegative();
        }
        assertThat(here.sls().isKnownToAgree(there.sls())).isTrue();
        assertThat(here.multicast().mlids()).isEqualTo(there.multicast().mlids());
        for (int mlid : here.multicast().mlids()) {
            MulticastTables.Tree tree = requireNonNull(here.multicast().tree(mlid));
            MulticastTables.Tree other = requireNonNull(there.multicast().tree(mlid));
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                assertThat(tree.ports(sw)).isEqualTo(other.ports(sw));
            }
        }
        assertThat(here.notes()).isEqualTo(there.notes());
        assertThat(one.findings()).isEqualTo(two.findings());
        assertThat(Verification.firstViolation(fabric, here, CheckOptions.DEFAULT, one.certificate()))
                .isEmpty();
        assertThat(one.report().dependencies())
                .isGreaterThanOrEqualTo(two.report().dependencies());
        return !one.report().graph().isExact();
    }

    @Test
    void eachCable() {
        for (SampleTorus torus :
                List.of(SampleTorus.torus(4, 3, 1, 1), SampleTorus.torus(5, 2, 1, 2), SampleTorus.torus(2, 2, 3, 1))) {
            Fabric whole = withLids(torus);
            RoutingSettings settings = settings(torus);
            ProvenRouting routing = new ProvenRouting(settings);
            Proven before = (Proven) routing.run(whole, groups(whole));
            int known = 0;
            int[] cables = cables(whole);
            for (int cable : cables) {
                BitSet down = new BitSet();
                down.set(cable);
                Fabric left = whole.withLinksDown(down);
                RoutingOutcome fresh = routing.run(left, groups(left));
                known += compare(routing.runAgain(before, left, groups(left)), fresh) ? 1 : 0;
            }
            assertThat(known).as("%s", torus).isGreaterThan(cables.length * 9 / 10);
        }
    }

    @Test
    void cablesThatGoAndComeBack() {
        SampleTorus torus = SampleTorus.torus(4, 3, 1, 1);
        Fabric whole = withLids(torus);
        RoutingSettings settings = settings(torus);
        int[] cables = cables(whole);
        SplittableRandom random = new SplittableRandom(71);
        RepeatedRouting routing = new RepeatedRouting();
        BitSet down = new BitSet();
        int known = 0;
        for (int i = 0; i < 30; i++) {
            down.flip(cables[random.nextInt(cables.length)]);
            if (down.cardinality() > 5) {
                down.clear();
            }
            Fabric left = whole.withLinksDown(down);
            RoutingOutcome fresh = new ProvenRouting(settings).run(left, groups(left));
            known += compare(routing.run(settings, left, groups(left)), fresh) ? 1 : 0;
        }
        assertThat(known).isGreaterThan(5);
    }

    @Test
    void otherSettingsBeginAnew() {
        SampleTorus torus = SampleTorus.torus(4, 3, 1, 1);
        Fabric whole = withLids(torus);
        BitSet down = new BitSet();
        down.set(cables(whole)[0]);
        Fabric left = whole.withLinksDown(down);
        RoutingSettings settings = settings(torus);
        RepeatedRouting routing = new RepeatedRouting();
        routing.run(settings, whole, List.of());
        RoutingSettings others =
                settings.withOptions(new EngineOptions(EngineOptions.DEFAULT.maxOpVls(), 1, List.of()));
        RoutingOutcome fresh = new ProvenRouting(others).run(left, List.of());
        assertThat(compare(routing.run(others, left, List.of()), fresh)).isFalse();
        routing.run(settings, whole, List.of());
        routing.forget();
        fresh = new ProvenRouting(settings).run(left, List.of());
        assertThat(compare(routing.run(settings, left, List.of()), fresh)).isFalse();
    }

    /** Other engines know nothing of places, but what they make is proved by what differs, too. */
    @Test
    void anotherEngine() {
        SampleTorus torus = SampleTorus.torus(2, 2, 1, 2);
        Fabric whole = withLids(torus);
        RoutingSettings settings = RoutingSettings.of(new MinHopEngine());
        RepeatedRouting routing = new RepeatedRouting();
        assertThat(routing.run(settings, whole, List.of())).isInstanceOf(Proven.class);
        for (int cable : cables(whole)) {
            BitSet down = new BitSet();
            down.set(cable);
            Fabric left = whole.withLinksDown(down);
            compare(routing.run(settings, left, List.of()), new ProvenRouting(settings).run(left, List.of()));
        }
    }
}

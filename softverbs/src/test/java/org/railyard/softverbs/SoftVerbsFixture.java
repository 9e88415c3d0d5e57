package org.railyard.softverbs;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.verbs.VerbsCapability;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.Fidelity;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsProvider;

/** Three machines on a simulated fabric. */
final class SoftVerbsFixture implements VerbsFixture {
    private static final long SECOND = 1_000_000_000L;
    private static final Set<TrafficKind> EVERYTHING = EnumSet.allOf(TrafficKind.class);
    private static final Set<TrafficKind> OF_CARDS = EnumSet.of(TrafficKind.DATA, TrafficKind.ACK);

    private final SmallWorld world;

    private final List<FabricFaultRule> disturbing = new ArrayList<>();

    SoftVerbsFixture(Fidelity fidelity) {
        this(fidelity, 1);
    }

    SoftVerbsFixture(Fidelity fidelity, long seed) {
        world = SmallWorld.ofThree(seed, fidelity);
    }

    @Override
    public Optional<String> lacks(VerbsCapability capability) {
        return Optional.empty();
    }

    @Override
    public VerbsProvider provider(int node) {
        return world.node(node);
    }

    @Override
    public CmAddress address(int node, int port) {
        return SmallWorld.address(node, port);
    }

    @Override
    public CmAddress nobody() {
        return SmallWorld.address(99, 987);
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return world.time().runUntil(condition, SECOND);
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return world.time().runUntil(condition, 600 * SECOND);
    }

    @Override
    public void settle() {
        world.time().run(SECOND / 2);
    }

    @Override
    public void pass(long nanos) {
        world.time().run(nanos);
    }

    @Override
    public void cut(int one, int other, boolean isCut) {
        for (FabricFaultRule rule : List.of(
                FabricFaultRule.drop(EVERYTHING, world.port(one), world.port(other)),
                FabricFaultRule.drop(EVERYTHING, world.port(other), world.port(one)))) {
            if (isCut) {
                world.fabric().addFault(rule);
            } else {
                world.fabric().removeFault(rule);
            }
        }
    }

    @Override
    public void disturb(double loss, double repetition) {
        disturbing.forEach(world.fabric()::removeFault);
        disturbing.clear();
        disturbing.add(new FabricFaultRule(OF_CARDS, null, null, loss, FabricFaultRule.Action.DROP, 0));
        disturbing.add(new FabricFaultRule(OF_CARDS, null, null, repetition, FabricFaultRule.Action.DUPLICATE, 0));
        disturbing.forEach(world.fabric()::addFault);
    }

    @Override
    public void port(int node, boolean up) {
        world.fabric().setLink(world.port(node).fabricPort(), up);
    }

    @Override
    public void close() {
        for (int node = 0; node < 3; node++) {
            world.node(node).close();
        }
    }
}

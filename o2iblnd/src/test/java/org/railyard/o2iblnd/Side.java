package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.MemberState;
import org.railyard.o2iblnd.bond.MemberView;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;

/** A transport with one NI in a world, and what its stack heard. */
final class Side {
    private final IbWorld world;
    private final int machine;
    private final Targets targets = new Targets();
    private final RecordingStack stack = new RecordingStack();
    private final O2ibLnd lnd;
    private final TestNi ni;

    private Side(IbWorld world, int machine, TestNi ni) {
        this.world = world;
        this.machine = machine;
        this.ni = ni;
        this.lnd = world.start(machine, stack, Tunables.DEFAULT, targets);
    }

    /** A group of the first interfaces of a machine, not started. */
    static Side group(IbWorld world, int machine, int members, Map<String, Integer> tunables) {
        return new Side(world, machine, IbWorld.group(machine, members, tunables));
    }

    /** A group of the first interfaces of a machine. */
    static Side group(IbWorld world, int machine, int members) {
        return group(world, machine, members, Map.of()).start();
    }

    /** An ordinary NI on the first interface of a machine. */
    static Side ordinary(IbWorld world, int machine) {
        return ordinary(world, machine, Map.of());
    }

    /** An ordinary NI with tunables of its own. */
    static Side ordinary(IbWorld world, int machine, Map<String, Integer> tunables) {
        return new Side(world, machine, IbWorld.group(machine, 1, tunables)).start();
    }

    Side start() {
        lnd.startup(ni);
        return this;
    }

    /** Tells it at which interfaces another machine is reached. */
    Side knows(int other, int... rails) {
        targets.put(new Target(
                IbWorld.nid(other, 0),
                IntStream.of(rails)
                        .mapToObj(rail -> IbWorld.address(other, rail))
                        .toList()));
        return this;
    }

    O2ibLnd lnd() {
        return lnd;
    }

    Targets targets() {
        return targets;
    }

    RecordingStack stack() {
        return stack;
    }

    TestNi ni() {
        return ni;
    }

    Nid nid() {
        return ni.nid();
    }

    void tune(Map<String, Integer> changes) {
        lnd.tune(ni, changes);
    }

    void send(Side to, int count, int length) {
        send(to.nid(), count, length);
    }

    void send(Nid to, int count, int length) {
        for (int i = 0; i < count; i++) {
            assertThat(lnd.send(ni, TestMessage.put(nid(), to, length))).isZero();
        }
    }

    /** Sends, and waits until all of it has come back well. */
    void sendWell(Side to, int count, int length) {
        int before = stack.outcomes().size();
        send(to, count, length);
        awaitOutcomes(before + count);
        assertThat(stack.outcomes().subList(before, before + count))
                .allMatch(outcome -> outcome.health() == HealthStatus.OK);
    }

    void awaitOutcomes(int count) {
        assertThat(world.time().runUntil(() -> stack.outcomes().size() >= count, 100 * IbWorld.SECOND))
                .as("%d of %d came back", stack.outcomes().size(), count)
                .isTrue();
    }

    RecordingStack.Outcome lastOutcome() {
        return stack.outcomes().getLast();
    }

    /** Returns its routes to another, those that take turns. */
    List<RouteView> routes(Side to) {
        return all(to).stream().filter(route -> !route.extra()).toList();
    }

    List<RouteView> extras(Side to) {
        return all(to).stream().filter(RouteView::extra).toList();
    }

    private List<RouteView> all(Side to) {
        return lnd.routes().stream()
                .filter(set -> set.peer().equals(to.nid()))
                .flatMap(set -> set.routes().stream())
                .toList();
    }

    List<Long> messages(Side to) {
        return routes(to).stream().map(RouteView::messages).toList();
    }

    List<RouteState> states(Side to) {
        return routes(to).stream().map(RouteView::state).toList();
    }

    /** Returns the interfaces and addresses of its routes, for example {@code 0→2}. */
    List<String> pairs(Side to) {
        return routes(to).stream()
                .map(route -> rail(route.localIp()) + "→" + rail(route.remoteIp()))
                .toList();
    }

    private static int rail(int ip) {
        return ip >> 8 & 0xFF;
    }

    List<MemberState> members() {
        return lnd.groups().getFirst().members().stream().map(MemberView::state).toList();
    }

    /** Returns how many queue pairs each of its cards has. */
    List<Integer> queuePairs(int cards) {
        return IntStream.range(0, cards)
                .mapToObj(rail -> world.device(machine, rail).qpCount())
                .toList();
    }

    void link(int rail, boolean up) {
        world.fabric().setLink(world.port(machine, rail).fabricPort(), up);
    }
}

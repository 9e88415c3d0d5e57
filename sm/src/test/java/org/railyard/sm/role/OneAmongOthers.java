package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.sim.VirtualLoop;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.WatchedPort;
import org.railyard.sm.discover.FabricDiscovery;
import org.railyard.sm.discover.FabricDiscovery.Reading;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.role.Mastership.Verdict;
import org.railyard.sm.subnet.SubnetRequests;

/** A {@link Mastership} without a subnet manager around it, at a port of a simulated subnet, and what it did. */
final class OneAmongOthers implements Mastership.Effects {
    static final long SECOND = 1_000_000_000L;
    static final int PRIORITY = 5;

    /** How often a request is sent again. */
    static final int RETRIES = 6;

    private static final RequestSettings LIMITS = RequestSettings.DEFAULT.withTimeout(10_000_000L, RETRIES);
    private static final long PATIENCE = 60 * SECOND;

    final Fabric fabric;
    final SimulatedSubnet subnet;
    final VirtualLoop loop;
    final int port;
    final SimulatedPort own;
    final MadRequests requests;
    final Mastership mastership;
    final List<String> roles = new ArrayList<>();
    final List<String> sweeps = new ArrayList<>();
    int handingOver;
    int marked;
    long activity;

    /** Why the port can not be marked. */
    @Nullable
    ErrnoException cannotBeMarked;

    /** To whom trap 144 was sent, and from whom: {@code "9 from 5"}. */
    final List<String> traps = new ArrayList<>();

    /** How often it asked its own port. */
    int ownLooks;

    OneAmongOthers(Fabric fabric, int port, RoleSettings settings) {
        this.fabric = fabric;
        this.subnet = new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(1));
        this.loop = subnet.loop();
        this.port = port;
        this.own = subnet.attach(port);
        this.own.markSm(true);
        this.requests = new MadRequests(new Watched(own), LIMITS, (mad, from) -> {});
        this.mastership = new Mastership(requests, loop, fabric.portGuid(port), settings, LIMITS, () -> activity, this);
    }

    /** A transport whose MADs are looked at when they leave. */
    private final class Watched extends WatchedPort {
        Watched(SimulatedPort port) {
            super(port);
        }

        @Override
        public void send(Mad mad, MadAddress to, int timeoutMillis) {
            if (mad.is(MadMethod.TRAP, false)) {
                Notice notice = mad.data(Notice.TYPE);
                assertThat(notice.getInt(Notice.TRAP_NUMBER)).isEqualTo(Notice.LOCAL_CHANGES);
                traps.add(to.lid() + " from " + notice.getInt(Notice.ISSUER_LID));
            } else if (mad.isAbout(PortInfo.TYPE) && mad.path().equals(DirectedPath.OWN_NODE)) {
                ownLooks++;
            }
            super.send(mad, to, timeoutMillis);
        }
    }

    @Override
    public void changed(SmRole role, String why) {
        roles.add(role.text() + ": " + why);
    }

    @Override
    public void sweep(String why) {
        sweeps.add(why);
    }

    @Override
    public void handingOver() {
        handingOver++;
    }

    @Override
    public void markAgain() {
        marked++;
        if (cannotBeMarked != null) {
            throw cannotBeMarked;
        }
        own.markSm(true);
    }

    /** Adds another one at an end port. */
    ScriptedManager other(int at, int priority, SmRole role) {
        return new ScriptedManager(subnet.attach(at), priority, role);
    }

    /** Makes the node of a port say this of its ports. */
    void says(int of, int lid, int masterLid, PortState state) {
        subnet.tamper(
                fabric.nodeOf(of),
                mad -> mad.isAbout(PortInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        PortInfo.TYPE,
                                        mad.data(PortInfo.TYPE)
                                                .set(PortInfo.LID, lid)
                                                .set(PortInfo.MASTER_SM_LID, masterLid)
                                                .set(PortInfo.STATE, state.code()))
                        : mad);
    }

    /** The same of the own port, whose link is up. */
    void says(int lid, int masterLid) {
        says(port, lid, masterLid, PortState.ACTIVE);
    }

    FoundSubnet discover() {
        List<FoundSubnet> found = new ArrayList<>();
        int number = fabric.portNumber(port);
        FabricDiscovery.start(requests, LIMITS, new LinkedHashMap<>(), number, Reading.EVERYTHING, 0, found::add);
        assertThat(loop.runUntil(() -> !found.isEmpty(), PATIENCE)).isTrue();
        return found.getFirst();
    }

    /** Discovers, and finds the others. */
    Verdict elect() {
        List<Verdict> verdicts = new ArrayList<>();
        mastership.elect(discover(), verdicts::add);
        assertThat(loop.runUntil(() -> !verdicts.isEmpty(), PATIENCE)).isTrue();
        return verdicts.getFirst();
    }

    /** Starts, and finds the others. */
    Verdict start() {
        mastership.start();
        return elect();
    }

    /** Looks for the others in a light sweep; returns why a heavy one is needed. */
    List<String> look(boolean complete) {
        List<String> reasons = new ArrayList<>();
        AtomicBoolean ended = new AtomicBoolean();
        SubnetRequests exchange = new SubnetRequests(requests, LIMITS, () -> ended.set(true));
        exchange.begin(() -> mastership.look(exchange, complete, false, reasons::add));
        assertThat(loop.runUntil(ended::get, PATIENCE)).isTrue();
        return reasons;
    }

    /** Sends it a Set; returns the status of its answer. */
    int set(int modifier, SmInfo by) {
        List<Mad> answers = new ArrayList<>();
        mastership.received(Mad.lidRouted(MadMethod.SET, SmInfo.TYPE, modifier).setData(SmInfo.TYPE, by), answers::add);
        assertThat(answers).hasSize(1);
        return answers.getFirst().status();
    }

    /** Sends it a Set that it takes. */
    void told(int modifier, SmInfo by) {
        assertThat(set(modifier, by)).isEqualTo(MadStatus.OK);
    }
}

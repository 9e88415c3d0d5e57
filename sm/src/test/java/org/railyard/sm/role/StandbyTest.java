package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.sm.role.Managers.PATIENCE;
import static org.railyard.sm.role.Managers.SECOND;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sa.SmInfoRecord;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.SweepReport;
import org.railyard.sm.role.Managers.One;

/** Two subnet managers in one subnet: standby, takeover, handover (spec 41 §1, spec 42 §9). */
class StandbyTest {
    private static final String HOST_A = "H-0.0.0.0";
    private static final String HOST_B = "H-1.2.2.0";
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 3, 1);

    private final Managers subnet = new Managers(TORUS, 7);

    /** Sets that a sweep wrote. */
    private static long written(One one) {
        return one.reports.stream()
                .flatMap(report -> report.phases().stream())
                .mapToLong(phase -> phase.sets())
                .sum();
    }

    @Test
    void theLowerOneStandsByAndWritesNothing() {
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        One b = subnet.start(HOST_B, 3);
        assertThat(subnet.settle(a)).isTrue();
        subnet.subnet.loop().runFor(60 * SECOND);
        assertThat(b.roles).containsExactly("discovering", "standby");
        assertThat(a.roles).containsExactly("discovering", "master");
        assertThat(written(b)).isZero();
        assertThat(b.reports).extracting(SweepReport::result).containsExactly(SweepReport.Result.STANDBY);
        assertThat(b.master.manager().snapshot()).isEmpty();
        assertThat(a.master.manager().others())
                .extracting(OtherManager::priority)
                .containsExactly(3);
        assertThat(a.master.manager().others()).extracting(OtherManager::role).containsExactly(SmRole.STANDBY);
        assertThat(b.master.manager().others()).extracting(OtherManager::role).containsExactly(SmRole.MASTER);
    }

    /** Without a sweep in between: the snapshot was made before. */
    @Test
    void clientsAreToldWhatTheOtherHasBecome() {
        ScriptedManager other = new ScriptedManager(subnet.subnet.attach(subnet.port(HOST_B)), 3, SmRole.DISCOVERING);
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        assertThat(others(a)).containsExactly(SmInfo.DISCOVERING);
        int sweeps = a.reports.size();
        other.role = SmRole.STANDBY;
        assertThat(subnet.subnet.loop().runUntil(() -> !others(a).contains(SmInfo.DISCOVERING), 5 * SECOND))
                .isTrue();
        assertThat(others(a)).containsExactly(SmInfo.STANDBY);
        assertThat(a.reports).hasSize(sweeps);
    }

    /** Returns the states of the others, as a client at the master's port is told. */
    private List<Integer> others(One master) {
        Mad request = Mad.sa(MadMethod.GET_TABLE, SmInfoRecord.TYPE, 0);
        Mad answer = master.master
                .administration()
                .answer(request, MadAddress.gmp(master.lid(), 0))
                .orElseThrow();
        return IntStream.range(0, answer.records())
                .mapToObj(i -> answer.record(SmInfoRecord.TYPE, i))
                .filter(record -> record.getInt(SmInfoRecord.LID) != master.lid())
                .map(record -> record.smInfo().getInt(SmInfo.STATE))
                .toList();
    }

    @Test
    void withEqualPrioritiesTheSmallerGuidIsMaster() {
        One b = subnet.start(HOST_B, 4);
        One a = subnet.start(HOST_A, 4);
        assertThat(subnet.settle(a)).isTrue();
        assertThat(b.role()).isEqualTo(SmRole.STANDBY);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDeadMasterIsFoundAndItsLidsStay(boolean cableIsPulled) {
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        One b = subnet.start(HOST_B, 3);
        assertThat(subnet.settle(a)).isTrue();
        List<String> lids = subnet.lids();
        int tablesOfA = a.reports.size();
        if (cableIsPulled) {
            a.isDead = true;
            subnet.subnet.unlink(subnet.port(HOST_A));
        } else {
            a.kill();
        }
        long died = subnet.subnet.loop().nanoTime();
        assertThat(subnet.settle(b)).isTrue();
        long took = subnet.subnet.loop().nanoTime() - died;
        assertThat(took).as("not before three polls after the first failed").isBetween(6 * SECOND, 12 * SECOND);
        assertThat(subnet.lids()).isEqualTo(lids);
        assertThat(subnet.masterLids()).contains(b.lid()).hasSize(cableIsPulled ? 2 : 1);
        assertThat(b.roles).containsExactly("discovering", "standby", "discovering", "master");
        assertThat(a.reports.size()).isGreaterThanOrEqualTo(tablesOfA);
    }

    @Test
    void aHigherOneIsHandedTheSubnet() {
        One b = subnet.start(HOST_B, 3);
        assertThat(subnet.settle(b)).isTrue();
        List<String> lids = subnet.lids();
        One a = subnet.start(HOST_A, 5);
        long begun = subnet.subnet.loop().nanoTime();
        assertThat(subnet.settle(a)).isTrue();
        assertThat(subnet.subnet.loop().nanoTime() - begun).isLessThan(2 * SECOND);
        assertThat(b.roles).containsExactly("discovering", "master", "standby");
        assertThat(a.roles.getLast()).isEqualTo("master");
        assertThat(subnet.lids()).isEqualTo(lids);
        assertThat(subnet.masterLids()).containsExactly(a.lid());
        assertThat(b.master.manager().snapshot()).isEmpty();
    }

    /** What it has read before it began to write is what it goes by: the other one may have written meanwhile. */
    @Test
    void whoIsHandedTheSubnetWhileItWritesEmptiesNoRoutes() {
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        ScriptedManager lower = new ScriptedManager(subnet.subnet.attach(subnet.port(HOST_B)), 3, SmRole.MASTER);
        AtomicInteger handovers = new AtomicInteger();
        AtomicInteger emptied = new AtomicInteger();
        byte[] ports = new byte[LinearForwardingTable.BLOCK];
        for (int sw = 0; sw < TORUS.fabric().switchCount(); sw++) {
            subnet.subnet.tamper(sw, answer -> {
                if (answer.isAbout(SlToVlTable.TYPE) && handovers.getAndIncrement() == 0) {
                    handOver(lower, a);
                }
                if (answer.isAbout(LinearForwardingTable.TYPE)) {
                    answer.data(LinearForwardingTable.TYPE).copyTo(ports, 0);
                    emptied.addAndGet(ports[a.lid()] == (byte) LinearForwardingTable.NO_PATH ? 1 : 0);
                }
                return answer;
            });
        }
        // After this one it reads all tables, and writes those that can not be read.
        int before = a.reports.size();
        subnet.subnet.loop().execute(() -> handOver(lower, a));
        assertThat(subnet.subnet.loop().runUntil(() -> a.reports.size() >= before + 2, PATIENCE))
                .isTrue();
        assertThat(handovers).hasPositiveValue();
        assertThat(emptied).hasValue(0);
    }

    private static void handOver(ScriptedManager from, One to) {
        Mad set = Mad.lidRouted(MadMethod.SET, SmInfo.TYPE, SmInfo.HANDOVER).setData(SmInfo.TYPE, from.info());
        from.port.send(set, MadAddress.smp(to.lid()), 0);
    }

    @Test
    void aMasterThatEndsHandsOverAtOnce() {
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        One b = subnet.start(HOST_B, 3);
        assertThat(subnet.settle(a)).isTrue();
        AtomicInteger ended = new AtomicInteger();
        subnet.subnet.loop().execute(() -> a.master.leave(ended::incrementAndGet));
        assertThat(subnet.subnet.loop().runUntil(() -> ended.get() == 1, 3 * SECOND))
                .isTrue();
        assertThat(b.role()).isEqualTo(SmRole.MASTER);
        a.isDead = true;
        a.port.close();
        assertThat(subnet.settle(b)).isTrue();
        assertThat(subnet.masterLids()).containsExactly(b.lid());
    }

    @Test
    void aloneItEndsAtOnce() {
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        AtomicInteger ended = new AtomicInteger();
        subnet.subnet.loop().execute(() -> a.master.leave(ended::incrementAndGet));
        assertThat(subnet.subnet.loop().runUntil(() -> ended.get() == 1, SECOND))
                .isTrue();
    }

    /** Both became master while the subnet was in two parts; then it is one again. */
    @ParameterizedTest
    @CsvSource({"5,3", "3,5", "4,4"})
    void twoMastersBecomeOne(int ofA, int ofB) {
        One a = subnet.start(HOST_A, ofA);
        One b = subnet.start(HOST_B, ofB);
        One higher = ofB > ofA ? b : a;
        One lower = higher == a ? b : a;
        assertThat(subnet.settle(higher)).isTrue();
        // The lower one alone with its switch: it becomes master of these two.
        int host = subnet.port(lower.host);
        int sw = subnet.fabric.nodeOf(subnet.fabric.cable(host));
        for (int port = 1; port <= subnet.subnet.node(sw).lastPort(); port++) {
            if (subnet.fabric.cable(subnet.fabric.portIndex(sw, port)) != host) {
                subnet.subnet.unlink(subnet.fabric.portIndex(sw, port));
            }
        }
        assertThat(subnet.subnet.loop().runUntil(() -> lower.role() == SmRole.MASTER, PATIENCE))
                .isTrue();
        subnet.subnet.loop().runFor(5 * SECOND);
        assertThat(higher.role()).isEqualTo(SmRole.MASTER);
        for (int port = 1; port <= subnet.subnet.node(sw).lastPort(); port++) {
            subnet.subnet.relink(subnet.fabric.portIndex(sw, port));
        }
        subnet.subnet.loop().runFor(SECOND);
        assertThat(subnet.settle(higher)).isTrue();
        assertThat(lower.roles).endsWith("master", "standby");
        assertThat(subnet.masterLids()).containsExactly(higher.lid());
        assertThat(subnet.lids()).doesNotHaveDuplicates();
    }

    @Test
    void oneWithAnotherKeyIsIgnored() {
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        One b = subnet.start(HOST_B, new RoleSettings(9, 77, 2 * SECOND, 3));
        assertThat(subnet.subnet.loop().runUntil(() -> b.role() == SmRole.MASTER, PATIENCE))
                .isTrue();
        subnet.subnet.loop().runFor(5 * SECOND);
        assertThat(a.role()).isEqualTo(SmRole.MASTER);
        assertThat(a.reports.getLast().notes().toString()).contains(HOST_B, "another SM_Key");
    }

    private int set(One to, int modifier, SmRole role, int priority, long key) {
        SmInfo info = SmInfo.TYPE
                .create()
                .set(SmInfo.GUID, 0x99)
                .set(SmInfo.SM_KEY, key)
                .set(SmInfo.PRIORITY, priority)
                .set(SmInfo.STATE, role.code());
        AtomicInteger status = new AtomicInteger(-1);
        SimulatedPort port = subnet.subnet.attach(subnet.port("H-0.1.1.0"));
        MadRequests requests = new MadRequests(port, RequestSettings.DEFAULT, (mad, from) -> {});
        requests.submit(
                Mad.lidRouted(MadMethod.SET, SmInfo.TYPE, modifier).setData(SmInfo.TYPE, info),
                MadAddress.smp(to.lid()),
                outcome -> status.set(
                        outcome instanceof RequestOutcome.Answered answered
                                ? answered.mad().status()
                                : -2));
        subnet.subnet.loop().runUntil(() -> status.get() != -1, 10 * SECOND);
        requests.close();
        port.close();
        return status.get();
    }

    @ParameterizedTest
    @CsvSource({
        // Of a master with a lower priority the subnet is taken, of none else.
        "MASTER, 1, MASTER, 1, 1, 0, MASTER",
        "MASTER, 1, MASTER, 9, 1, 28, MASTER",
        "MASTER, 1, STANDBY, 1, 1, 28, MASTER",
        "MASTER, 1, MASTER, 1, 7, 28, MASTER",
        "MASTER, 2, MASTER, 1, 1, 0, MASTER",
        "MASTER, 3, MASTER, 1, 1, 28, MASTER",
        "MASTER, 4, MASTER, 1, 1, 28, MASTER",
        "MASTER, 5, MASTER, 1, 1, 28, MASTER",
        "MASTER, 6, MASTER, 1, 1, 28, MASTER",
        "STANDBY, 1, STANDBY, 1, 1, 28, STANDBY",
        "STANDBY, 3, STANDBY, 9, 1, 28, STANDBY",
        "STANDBY, 3, MASTER, 9, 1, 0, NOT_ACTIVE",
        "STANDBY, 4, MASTER, 9, 1, 28, STANDBY",
        "STANDBY, 5, MASTER, 9, 1, 0, STANDBY"
    })
    void aSetIsTakenWhereItIsLegal(
            SmRole role, int modifier, SmRole by, int priority, long key, int status, SmRole after) {
        One a = subnet.start(HOST_A, 5);
        One b = subnet.start(HOST_B, 3);
        assertThat(subnet.settle(a)).isTrue();
        One asked = role == SmRole.MASTER ? a : b;
        assertThat(set(asked, modifier, by, priority, key)).isEqualTo(status);
        subnet.subnet.loop().runFor(SECOND);
        assertThat(asked.role()).isEqualTo(after);
    }

    @Test
    void oneThatWasDisabledComesBackWhenItIsTold() {
        One a = subnet.start(HOST_A, 5);
        One b = subnet.start(HOST_B, 3);
        assertThat(subnet.settle(a)).isTrue();
        assertThat(set(b, SmInfo.DISABLE, SmRole.MASTER, 9, 1)).isEqualTo(MadStatus.OK);
        subnet.subnet.loop().runFor(30 * SECOND);
        assertThat(b.role()).isEqualTo(SmRole.NOT_ACTIVE);
        assertThat(set(b, SmInfo.TO_STANDBY, SmRole.MASTER, 9, 1)).isEqualTo(MadStatus.OK);
        assertThat(subnet.settle(a)).isTrue();
        assertThat(b.role()).isEqualTo(SmRole.STANDBY);
    }
}

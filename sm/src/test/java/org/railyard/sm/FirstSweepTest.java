package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.NoTurningBack;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleFatTree;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.sim.SimulatedNode;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.lid.LidOrder;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.program.Executor;

class FirstSweepTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 3, 1);

    private static RoutingSettings routing(SampleTorus torus, EngineName engine) {
        return RoutingSettings.of(engine.engine(TorusConfParser.parse(torus.conf(1)), false, List.of()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tablesEqualThoseOfFilesForTheSameLids(boolean keepTurnsBack) {
        SmSettings settings =
                SimulatedSm.torus(TORUS).withLids(LidOrder.OPENSM, 0, true).withTurnsBack(keepTurnsBack);
        SimulatedSm sm = new SimulatedSm(TORUS.fabric(), settings, TextStore.NONE, 1).started();
        Fabric numbered = FreshLids.assign(TORUS.fabric(), sm.smPort);
        Routing files = ((Proven) new ProvenRouting(settings.routing()).run(numbered, List.of()))
                .tables()
                .routing();
        Routing wanted = keepTurnsBack ? files : NoTurningBack.in(numbered, files);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(sm.last().phases()).allMatch(phase -> phase.failed() == 0);
        for (int sw = 0; sw < numbered.switchCount(); sw++) {
            SimulatedNode node = sm.subnet.node(sw);
            for (int lid = 1; lid <= numbered.maxLid(); lid++) {
                assertThat(node.forward(lid)).isEqualTo(wanted.forwarding().port(sw, lid));
            }
            for (int in = 0; in <= node.lastPort(); in++) {
                for (int out = 1; out <= node.lastPort(); out++) {
                    long table = 0;
                    for (int sl = 0; sl < 16; sl++) {
                        table |= (long) node.slToVl(in, out, sl) << (sl << 2);
                    }
                    assertThat(table).isEqualTo(wanted.slToVl().table(sw, in, out));
                }
            }
        }
        for (int port = 0; port < numbered.portCount(); port++) {
            if (numbered.isEndPort(port)) {
                PortInfo info = sm.subnet.node(numbered.nodeOf(port)).portInfo(numbered.portNumber(port));
                int sl = wanted.sls().sl(numbered.lid(port), numbered.lid(sm.smPort), 0);
                assertThat(info.getInt(PortInfo.LID)).isEqualTo(numbered.lid(port));
                assertThat(info.getInt(PortInfo.MASTER_SM_SL)).isEqualTo(sl);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineName.class,
            names = {"TORUS_2QOS", "UP_DOWN", "NUE", "LAYERED"})
    void allEnginesThatAreFreeOfCreditLoopsOnATorus(EngineName engine) {
        SimulatedSm sm =
                new SimulatedSm(TORUS.fabric(), SmSettings.of(routing(TORUS, engine)), TextStore.NONE, 1).started();
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineName.class,
            names = {"MIN_HOP", "DOR"})
    void othersOnAMesh(EngineName engine) {
        SampleTorus line = SampleTorus.torus(3, 1, 1, 2).withOpen(java.util.Set.of(0));
        SimulatedSm sm =
                new SimulatedSm(line.fabric(), SmSettings.of(routing(TORUS, engine)), TextStore.NONE, 1).started();
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    @Test
    void aFatTreeByItsLevels() {
        SimulatedSm sm = new SimulatedSm(
                        SampleFatTree.full(List.of(2, 2, 3)).network().fabric(),
                        SmSettings.of(RoutingSettings.of(EngineName.FTREE.engine(null, false, List.of()))),
                        TextStore.NONE,
                        1)
                .started();
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    @Test
    void whatIsNotProvedIsNotProgrammed() {
        SimulatedSm sm =
                new SimulatedSm(TORUS.fabric(), SmSettings.of(routing(TORUS, EngineName.MIN_HOP)), TextStore.NONE, 1);
        sm.subnet.loop().execute(sm.manager::start);
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.UNROUTABLE);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("credit loops"));
        assertThat(sm.last().phases()).extracting(Executor.Figures::name).containsExactly("SwitchInfo");
        assertThat(sm.subnet.node(0).forward(1)).isEqualTo(0xFF);
        long lightSweeps = sm.manager.lightSweeps();
        sm.subnet.loop().runFor(60 * SimulatedSm.SECOND);
        assertThat(sm.manager.lightSweeps()).isGreaterThan(lightSweeps + 3);
        assertThat(sm.reports)
                .as("the own link is not up because nothing was programmed")
                .noneMatch(report -> report.reason().contains("own link was down"));
        sm.manager.sweepNow("test");
        int sweeps = sm.reports.size();
        sm.subnet.loop().runUntil(() -> sm.reports.size() > sweeps, SimulatedSm.PATIENCE);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.UNROUTABLE);
        assertThat(sm.reports).flatExtracting(SweepReport::notes).noneMatch(note -> note.contains("own link was down"));
    }

    @Test
    void anOwnLinkThatDoesNotComeUpWasNotDown() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 1);
        sm.subnet.tamper(
                sm.fabric.nodeOf(sm.smPort),
                mad -> mad.isAbout(PortInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        PortInfo.TYPE,
                                        mad.data(PortInfo.TYPE).set(PortInfo.STATE, PortState.INIT.code()))
                        : mad);
        sm.subnet.loop().execute(sm.manager::start);
        sm.subnet.loop().runUntil(() -> sm.reports.size() >= 3, SimulatedSm.PATIENCE);
        assertThat(sm.reports).extracting(SweepReport::result).containsOnly(SweepReport.Result.INCOMPLETE);
        assertThat(sm.snapshot().routing()).isPresent();
        assertThat(sm.reports)
                .flatExtracting(SweepReport::notes)
                .anyMatch(note -> note.contains("does not become active"))
                .noneMatch(note -> note.contains("own link was down"));
    }

    @Test
    void lidsWithLmcAreKeptFromRunToRun() {
        TextInMemory store = new TextInMemory();
        SmSettings settings = SimulatedSm.torus(TORUS).withLids(LidOrder.GUID, 2, true);
        SimulatedSm first = new SimulatedSm(TORUS.fabric(), settings, store, 1).started();
        assertThat(new Devices(first.subnet).faults(first.snapshot())).isEmpty();
        assertThat(store.load().lines().filter(line -> !line.isEmpty())).hasSize(54);
        assertThat(first.snapshot().fabric().lmc(first.smPort)).isEqualTo(2);

        // The next run knows the table only: LIDs of ports that are absent stay theirs.
        SimulatedSm second = new SimulatedSm(TORUS.fabric(), settings.withLids(LidOrder.OPENSM, 2, false), store, 2);
        second.subnet.powerOff(30);
        second.started();
        for (int port = 0; port < first.fabric.portCount(); port++) {
            if (second.snapshot().endPort(first.fabric.portGuid(port)) != Fabric.NONE) {
                int there = second.snapshot().endPort(first.fabric.portGuid(port));
                assertThat(second.snapshot().fabric().lid(there))
                        .isEqualTo(first.snapshot().fabric().lid(port));
            }
        }
        assertThat(store.load().lines().filter(line -> !line.isEmpty())).hasSize(54);
    }

    @Test
    void keysAndGroups() {
        List<Integer> members = new ArrayList<>(List.of(0xFFFF, 0x8010));
        SimulatedSm sm = new SimulatedSm(
                        TORUS.fabric(),
                        SimulatedSm.torus(TORUS).withKeys((fabric, port) -> List.copyOf(members)),
                        TextStore.NONE,
                        1)
                .started();
        SimulatedNode host = sm.subnet.node(sm.fabric.nodeOf(sm.smPort));
        assertThat(host.pKeys(sm.fabric.portNumber(sm.smPort), 0).getInt(PKeyTable.KEYS, 1))
                .isEqualTo(0x8010);
        assertThat(sm.snapshot().pKeys(sm.snapshot().smPort())).startsWith(0xFFFF, 0x8010, 0);

        List<Long> guids = new ArrayList<>();
        for (int node = sm.fabric.switchCount(); node < sm.fabric.nodeCount(); node++) {
            guids.add(sm.fabric.portGuid(sm.fabric.portIndex(node, 1)));
        }
        sm.subnet.loop().execute(() -> sm.manager.multicast(List.of(new GroupMembers(0xC000, 0, guids))));
        sm.settle();
        int reached = 0;
        for (int sw = 0; sw < sm.fabric.switchCount(); sw++) {
            for (int port = 1; port <= sm.fabric.ports(sw); port++) {
                int peer = sm.fabric.peer(sm.fabric.portIndex(sw, port));
                boolean toHost = peer != Fabric.NONE && !sm.fabric.isSwitch(sm.fabric.nodeOf(peer));
                reached += toHost && sm.subnet.node(sw).multicasts(0xC000, port) ? 1 : 0;
            }
        }
        assertThat(reached).isEqualTo(27);
    }

    @Test
    void aThirdOfAllMadsIsLost() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 7);
        sm.subnet.loss(0.3);
        sm.started();
        sm.subnet.loss(0);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(54);
    }

    @Test
    void aPlanWritesNothingAndIsWhatTheSweepSends() {
        SimulatedSm planned = SimulatedSm.of(TORUS, 1);
        List<String> nodes = new ArrayList<>();
        planned.subnet
                .loop()
                .execute(() ->
                        planned.manager.plan(update -> nodes.add(update.node().name())));
        planned.subnet.loop().runUntil(() -> !planned.reports.isEmpty(), SimulatedSm.PATIENCE);
        SimulatedSm done = SimulatedSm.of(TORUS, 1).started();
        assertThat(planned.last().phases()).isEqualTo(done.last().phases());
        assertThat(nodes).hasSize((int)
                done.last().phases().stream().mapToLong(Executor.Figures::sets).sum());
        assertThat(planned.subnet.node(0).portInfo(0).getInt(PortInfo.LID)).isZero();
        assertThat(planned.subnet.node(0).portInfo(1).state()).isEqualTo(PortState.INIT);
    }
}

package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.OtherManager;
import org.railyard.sm.role.SmRole;

/** Looking at a subnet that somebody else manages, or nobody. */
class WatchTest {
    private static final SampleTorus TORUS = SampleTorus.torus(4, 4, 1, 1);

    private final SimulatedSm sm = SimulatedSm.of(TORUS, 3);
    private final Fabric fabric = sm.fabric;
    private final SimulatedPort port = sm.subnet.attach(fabric.portIndex(fabric.nodeCount() - 1, 1));
    private final List<SweepReport> reports = new ArrayList<>();
    private final TextInMemory lids = new TextInMemory();
    private final SubnetManager watcher =
            new SubnetManager(port, SimulatedSm.torus(TORUS), lids, new Listener(), (mad, from) -> {});

    private SweepReport next() {
        int before = reports.size();
        sm.subnet.loop().runUntil(() -> reports.size() > before, SimulatedSm.PATIENCE);
        return reports.getLast();
    }

    @Test
    void aSubnetThatNobodyManagesStaysAsItIs() {
        sm.subnet.loop().execute(watcher::watch);
        for (int i = 0; i < 3; i++) {
            SweepReport report = next();
            assertThat(report.result()).isEqualTo(Result.DONE);
            assertThat(report.links()).isZero();
            assertThat(report.linksDown()).isEqualTo(48);
            assertThat(report.notes())
                    .noneMatch(note -> note.contains("only these were read") || note.contains("own link was down"));
            assertThat(report.phases()).as("all is to be written").hasSizeGreaterThan(5);
        }
        assertThat(sm.subnet.node(5).portInfo(1).state()).isEqualTo(PortState.INIT);
        assertThat(sm.subnet.node(5).portInfo(0).getInt(PortInfo.LID)).isZero();
    }

    @Test
    void besideAMasterItTellsWhatIsGoneAndIsNotSeen() {
        sm.started();
        sm.subnet.loop().execute(watcher::watch);
        SweepReport first = next();
        assertThat(first.notes()).anyMatch(note -> note.startsWith("there is a subnet manager at"));
        assertThat(watcher.others()).extracting(OtherManager::role).containsExactly(SmRole.MASTER);
        assertThat(first.links()).isEqualTo(48);
        long reads = sm.manager.counters().sent();
        int cable = fabric.portIndex(5, 2);
        sm.subnet.unlink(cable);
        SweepReport second = next();
        assertThat(second.notes()).anyMatch(note -> note.startsWith("gone: "));
        assertThat(second.links()).isEqualTo(47);
        assertThat(next().notes()).noneMatch(note -> note.startsWith("gone: "));
        assertThat(watcher.others()).as("it is the same one").hasSize(1);
        assertThat(sm.manager.others()).isEmpty();
        assertThat(sm.manager.role()).isEqualTo(SmRole.MASTER);
        assertThat(sm.manager.counters().sent()).isGreaterThan(reads);
        long now = sm.subnet.loop().nanoTime();
        sm.subnet.loop().execute(() -> watcher.sweepNow("asked"));
        assertThat(next().reason()).isEqualTo("asked");
        assertThat(sm.subnet.loop().nanoTime() - now).isLessThan(SimulatedSm.SECOND);
        sm.subnet.loop().execute(watcher::stop);
        int last = reports.size();
        sm.subnet.loop().runFor(100 * SimulatedSm.SECOND);
        assertThat(reports).hasSize(last);
    }

    /** The most part of the time is left to those who manage the subnet. */
    @Test
    void itRestsTenTimesAsLongAsALookTakes() {
        sm.subnet.silence(fabric.nodeCount() - 2, true);
        sm.subnet.loop().execute(watcher::watch);
        SweepReport first = next();
        assertThat(first.nanos()).as("a node does not answer").isGreaterThan(2 * SimulatedSm.SECOND);
        long ended = sm.subnet.loop().nanoTime();
        SweepReport second = next();
        assertThat(sm.subnet.loop().nanoTime() - second.nanos() - ended).isEqualTo(10 * first.nanos());
        assertThat(second.reason()).isEqualTo("it is time to look");
        sm.subnet.loop().execute(watcher::stop);
    }

    @Test
    void whatIsAskedForDuringALookFollowsIt() {
        sm.subnet.loop().execute(watcher::watch);
        sm.subnet.loop().runFor(10_000);
        assertThat(reports).isEmpty();
        sm.subnet.loop().execute(() -> watcher.sweepNow("asked"));
        assertThat(next().reason()).isEqualTo("start");
        long ended = sm.subnet.loop().nanoTime();
        SweepReport asked = next();
        assertThat(asked.reason()).isEqualTo("asked");
        assertThat(sm.subnet.loop().nanoTime() - asked.nanos()).isEqualTo(ended);
        assertThat(next().reason()).isEqualTo("it is time to look");
        sm.subnet.loop().execute(watcher::stop);
    }

    /** The master may write one of another form, such as one of another version. */
    @Test
    void tablesThatCanNotBeReadAgainAreToldByName() {
        sm.started();
        sm.subnet.loop().execute(watcher::watch);
        next();
        lids.save("0x11 what\n");
        assertThat(next().reason())
                .contains("; LIDs are those read before: memory:1:6: found ")
                .doesNotContain("M_Keys");
        sm.subnet.loop().execute(watcher::stop);
    }

    private final class Listener implements SmListener {
        @Override
        public void swept(SweepReport report) {
            reports.add(report);
        }

        @Override
        public void role(SmRole role, String why) {
            throw new AssertionError("it has no part among subnet managers: " + role);
        }

        @Override
        public void published(SubnetSnapshot snapshot) {
            throw new AssertionError("routes that nobody has written are not published");
        }

        @Override
        public void trapped(Notice notice, int fromLid, String text) {
            throw new AssertionError("the master gets traps");
        }

        @Override
        public void failed(ErrnoException why) {
            throw new AssertionError(why);
        }
    }
}

package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.DirectedRoute;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.master.OpenSmSettings;

/** The M_Key of nodes: who has it manages them, who has not does nothing to them (spec 41 §9). */
class ManagementKeyTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 2, 1);

    private final Fabric fabric = TORUS.fabric();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(3));
    private final SimulatedSm told = SimulatedSm.of(TORUS, 1);

    private static SmSettings settings(String conf) {
        return new OpenSmSettings(OpenSmOptions.parse(conf)).manager(SimulatedSm.torus(TORUS), false);
    }

    /** Sweeps once with these settings, and ends. */
    private SweepReport sweep(String conf) {
        return sweep(conf, TextStore.NONE);
    }

    private SweepReport sweep(String conf, TextStore keys) {
        return sweep(conf, TextStore.NONE, keys);
    }

    private SweepReport sweep(String conf, TextStore lids, TextStore keys) {
        told.reports.clear();
        SimulatedPort port = subnet.attach(FreshLids.firstEndPort(fabric));
        SubnetManager manager = new SubnetManager(port, settings(conf), lids, told, (mad, from) -> {});
        manager.keepKeys(keys);
        subnet.loop().execute(manager::start);
        subnet.loop().runUntil(() -> !told.reports.isEmpty(), SimulatedSm.PATIENCE);
        manager.stop();
        port.close();
        return told.last();
    }

    private PortInfo info(int port) {
        return subnet.node(fabric.nodeOf(port)).portInfo(fabric.portNumber(port));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whoHasItManages(int protect) {
        String conf = "m_key 0x1234\nm_key_protection_level %d\nm_key_lease_period 30\n".formatted(protect);
        assertThat(sweep(conf).result()).isEqualTo(Result.DONE);
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)) {
                assertThat(info(port).get(PortInfo.M_KEY)).isEqualTo(0x1234);
                assertThat(info(port).getInt(PortInfo.M_KEY_PROTECT)).isEqualTo(protect);
                assertThat(info(port).getInt(PortInfo.M_KEY_LEASE)).isEqualTo(30);
                assertThat(info(port).getInt(PortInfo.M_KEY_VIOLATIONS)).isZero();
            }
        }
        SweepReport again = sweep(conf);
        assertThat(again.result()).isEqualTo(Result.DONE);
        assertThat(again.phases().stream().noneMatch(phase -> phase.name().startsWith("LFT")))
                .isTrue();
    }

    @Test
    void whoHasNotIsNamedAndChangesNothing() {
        assertThat(sweep("m_key 0x1234\nm_key_protection_level 2\n").result()).isEqualTo(Result.DONE);
        int far = fabric.portIndex(fabric.nodeCount() - 1, 1);
        String before = info(far).toString();
        SweepReport other = sweep("m_key 0x9999\n");
        assertThat(other.result()).isNotEqualTo(Result.DONE);
        assertThat(other.notes().toString()).doesNotContain("1234", "9999");
        assertThat(info(far).get(PortInfo.M_KEY)).isEqualTo(0x1234);
        assertThat(info(far).getInt(PortInfo.LID)).isPositive();
        assertThat(before).isNotEmpty();
    }

    private void assertAllHave(long key) {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)) {
                assertThat(info(port).get(PortInfo.M_KEY)).isEqualTo(key);
            }
        }
    }

    /** Whoever starts with another key in the configuration knows by the table the one that ports have. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aTableOfKeysOutlivesTheManager(int protect) {
        TextInMemory table = new TextInMemory();
        for (long key : new long[] {0x1234, 0x5678, 0x9ABC, 0, 0x1234}) {
            assertThat(sweep(conf(key, protect), table).result()).isEqualTo(Result.DONE);
            assertAllHave(key);
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndPort(port)) {
                    assertThat(info(port).getInt(PortInfo.M_KEY_VIOLATIONS))
                            .as("the key that most have is asked with first")
                            .isZero();
                }
            }
            long ports = table.load()
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("0xf"))
                    .count();
            assertThat(ports).isEqualTo(key == 0 ? 0 : 36);
        }
    }

    /** Killed when some ports have the new key and some the old one, and started with a third. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void killedWhileKeysChange(int protect) {
        TextInMemory table = new TextInMemory();
        // A port that is scrapped had another one.
        table.save("0x0000000000777777 0x0000000000000777\n");
        assertThat(sweep(conf(0x1234, protect), table).result()).isEqualTo(Result.DONE);
        SimulatedPort port = subnet.attach(FreshLids.firstEndPort(fabric));
        SubnetManager killed =
                new SubnetManager(port, settings(conf(0x5678, protect)), TextStore.NONE, told, (mad, from) -> {});
        killed.keepKeys(table);
        subnet.loop().execute(killed::start);
        subnet.loop().runUntil(() -> count(0x5678) >= 10, SimulatedSm.PATIENCE);
        assertThat(count(0x1234)).isGreaterThan(10);
        port.close();
        assertThat(table.load()).as("kept before the first port has it").contains("0x0000000000005678");
        for (int i = 0; i < 3 && (i == 0 || told.last().result() != Result.DONE); i++) {
            sweep(conf(0x9ABC, protect), table);
        }
        assertThat(told.last().result()).isEqualTo(Result.DONE);
        assertAllHave(0x9ABC);
    }

    private int count(long key) {
        int count = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            count += fabric.isEndPort(port) && info(port).get(PortInfo.M_KEY) == key ? 1 : 0;
        }
        return count;
    }

    /** A port that got a key and was gone before anybody knew has that key when it comes back, whoever asks then. */
    @Test
    void aPortThatWasGoneHasAKeyOfTheRing() {
        TextInMemory table = new TextInMemory();
        assertThat(sweep(conf(0x1234, 2), table).result()).isEqualTo(Result.DONE);
        int gone = fabric.portIndex(fabric.nodeCount() - 1, 1);
        sweep(conf(0x5678, 2), table);
        table.save(table.load()
                .replace(
                        "0x%016x 0x0000000000005678".formatted(fabric.portGuid(gone)),
                        "0x%016x 0x0000000000001234".formatted(fabric.portGuid(gone))));
        subnet.unlink(gone);
        sweep(conf(0x9ABC, 2), table);
        assertThat(info(gone).get(PortInfo.M_KEY)).isEqualTo(0x5678);
        subnet.relink(gone);
        assertThat(sweep(conf(0x9ABC, 2), table).result()).isEqualTo(Result.DONE);
        assertAllHave(0x9ABC);
    }

    /** Ports that are gone for good must not have those that are there asked with a wrong key at each start. */
    @Test
    void manyRecordsOfPortsThatAreGone() {
        TextInMemory table = new TextInMemory();
        StringBuilder scrapped = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            scrapped.append("0x%016x 0x0000000000000777\n\n".formatted(0x777000 + i));
        }
        table.save(scrapped.toString());
        assertThat(sweep(conf(0x1234, 2), table).result()).isEqualTo(Result.DONE);
        assertThat(sweep(conf(0x1234, 2), table).result()).isEqualTo(Result.DONE);
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)) {
                assertThat(info(port).getInt(PortInfo.M_KEY_VIOLATIONS)).isZero();
            }
        }
    }

    static List<RuntimeException> failures() {
        return List.of(
                new UncheckedIOException("keys: cannot be written: disk full", new IOException()),
                new SecurityException("keys: cannot be written: disk full"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void tablesThatAreNotKeptAreToldAndHinderNothing(RuntimeException failure) {
        TextStore broken = new TextStore() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public String load() {
                return "";
            }

            @Override
            public void save(String text) {
                throw failure;
            }
        };
        SweepReport report = sweep("m_key 0x1234\n", broken, broken);
        assertThat(report.result()).isEqualTo(Result.INCOMPLETE);
        assertThat(report.notes())
                .containsOnlyOnce(
                        "the table of LIDs is not kept: keys: cannot be written: disk full",
                        "the table of M_Keys is not kept: keys: cannot be written: disk full");
        assertAllHave(0x1234);
    }

    /** The first time it can not be written; how often it is after that. */
    private static final class FullOnce implements TextStore {
        private int saves;

        @Override
        public String name() {
            return "full";
        }

        @Override
        public String load() {
            return "";
        }

        @Override
        public void save(String text) {
            if (saves++ == 0) {
                throw new UncheckedIOException("disk full", new IOException());
            }
        }
    }

    @Test
    void tablesAreKeptByTheNextSweepAndThenWhenTheyChange() {
        FullOnce lids = new FullOnce();
        FullOnce keys = new FullOnce();
        SimulatedSm sm = new SimulatedSm(TORUS.fabric(), settings("m_key 0x1234\n"), lids, 5);
        sm.manager.keepKeys(keys);
        sm.started();
        assertThat(sm.reports.getFirst().result()).isEqualTo(Result.INCOMPLETE);
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        assertThat(lids.saves).isEqualTo(2);
        int kept = keys.saves;
        assertThat(kept).as("before keys are given, and after it").isBetween(2, 3);
        sweep(sm);
        assertThat(lids.saves).as("nothing changed").isEqualTo(2);
        assertThat(keys.saves).isEqualTo(kept);
    }

    /** At level 0 ports tell their keys to everybody: those of another subnet manager are not ours to keep. */
    @Test
    void keysOfOthersAreNotKept() {
        assertThat(sweep("m_key 0x1234\n").result()).isEqualTo(Result.DONE);
        TextInMemory table = new TextInMemory();
        sweep("m_key 0x9999\n", table);
        assertThat(table.load()).doesNotContain("1234");
        sweep("m_key 0x8888\n", table);
        assertAllHave(0x1234);
    }

    @Test
    void aPlanKeepsNothing() {
        TextInMemory table = new TextInMemory();
        SimulatedPort port = subnet.attach(FreshLids.firstEndPort(fabric));
        SubnetManager manager =
                new SubnetManager(port, settings("m_key 0x1234\n"), TextStore.NONE, told, (mad, from) -> {});
        manager.keepKeys(table);
        subnet.loop().execute(() -> manager.plan(set -> {}));
        subnet.loop().runUntil(() -> !told.reports.isEmpty(), SimulatedSm.PATIENCE);
        port.close();
        assertThat(table.load()).isEmpty();
    }

    @Test
    void aKeyIsNotPrinted() {
        assertThat(settings("m_key 0x1234\n").ports().toString())
                .doesNotContain("4660", "1234")
                .contains("an M_Key");
    }

    private static SimulatedSm running(String conf, long seed) {
        SimulatedSm sm = new SimulatedSm(TORUS.fabric(), settings(conf), TextStore.NONE, seed).started();
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        return sm;
    }

    private static void configure(SimulatedSm sm, String conf) {
        sm.subnet.loop().execute(() -> sm.manager.configure(settings(conf), "reload"));
    }

    private static PortInfo info(SimulatedSm sm, int port) {
        return sm.subnet.node(sm.fabric.nodeOf(port)).portInfo(sm.fabric.portNumber(port));
    }

    private static void assertAllHave(SimulatedSm sm, long key, int protect) {
        for (int port = 0; port < sm.fabric.portCount(); port++) {
            if (sm.fabric.isEndPort(port)) {
                assertThat(info(sm, port).get(PortInfo.M_KEY)).isEqualTo(key);
                assertThat(info(sm, port).getInt(PortInfo.M_KEY_PROTECT)).isEqualTo(key == 0 ? 0 : protect);
            }
        }
    }

    private static String conf(long key, int protect) {
        return "m_key %d\nm_key_protection_level %d\nm_key_lease_period 30\n".formatted(key, protect);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anotherKeyIsGivenByThoseWhoHaveTheOldOne(int protect) {
        SimulatedSm sm = running(conf(0x1234, protect), 5);
        for (long key : new long[] {0x5678, 0x9ABC, 0x1234, 0}) {
            int before = sm.reports.size();
            configure(sm, conf(key, protect));
            assertThat(sm.settle()).isTrue();
            assertThat(sm.reports).hasSize(before + 1);
            assertAllHave(sm, key, protect);
            assertThat(sm.last().notes().toString()).contains("36 of 36 end ports that were read have it");
        }
        assertThat(sm.manager.counters().resent()).isZero();
        for (int port = 0; port < sm.fabric.portCount(); port++) {
            assertThat(info(sm, port).getInt(PortInfo.M_KEY_VIOLATIONS)).isZero();
        }
        configure(sm, conf(0x77, protect));
        assertThat(sm.settle()).isTrue();
        assertAllHave(sm, 0x77, protect);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whoDidNotAnswerGetsItTwoSweepsLater(int protect) {
        SimulatedSm sm = running(conf(0x1234, protect), 6);
        int silent = sm.fabric.nodeCount() - 1;
        int gone = sm.fabric.portIndex(silent - 1, 1);
        sm.subnet.silence(silent, true);
        sm.subnet.unlink(gone);
        configure(sm, conf(0x5678, protect));
        int before = sm.reports.size();
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before + 1, SimulatedSm.PATIENCE);
        assertThat(sm.reports.get(before + 1).notes().toString()).contains("34 of 34 end ports that were read have it");
        assertThat(sm.reports.get(before).notes().toString())
                .contains(", where " + sm.fabric.description(silent) + " was: no answer to");
        assertThat(info(sm, sm.fabric.portIndex(silent, 1)).get(PortInfo.M_KEY)).isEqualTo(0x1234);
        sm.subnet.silence(silent, false);
        int sweeps = sm.reports.size();
        assertThat(sm.settle()).isTrue();
        assertThat(sm.reports).hasSizeLessThanOrEqualTo(sweeps + 2);
        assertThat(info(sm, sm.fabric.portIndex(silent, 1)).get(PortInfo.M_KEY)).isEqualTo(0x5678);
        sm.subnet.relink(gone);
        int relinked = sm.reports.size();
        assertThat(sm.settle()).isTrue();
        assertThat(sm.reports).hasSizeLessThanOrEqualTo(relinked + 2);
        assertAllHave(sm, 0x5678, protect);
    }

    @Test
    void whoWasAwayForTwoChangesGetsTheNewestKey() {
        SimulatedSm sm = running(conf(0x1234, 3), 6);
        int away = sm.fabric.portIndex(sm.fabric.nodeCount() - 1, 1);
        sm.subnet.unlink(away);
        assertThat(sm.settle()).isTrue();
        for (long key : new long[] {0x5678, 0x9ABC}) {
            configure(sm, conf(key, 3));
            assertThat(sm.settle()).isTrue();
        }
        assertThat(info(sm, away).get(PortInfo.M_KEY)).isEqualTo(0x1234);
        sm.subnet.relink(away);
        assertThat(sm.settle()).isTrue();
        assertAllHave(sm, 0x9ABC, 3);
    }

    /** Who only looks gives no key: nodes go on to have the one that the table says. */
    @Test
    void whoWatchesAsksWithTheKeyThatNodesHave() {
        TextInMemory table = new TextInMemory();
        assertThat(sweep(conf(0x1234, 2), table).result()).isEqualTo(Result.DONE);
        told.reports.clear();
        SimulatedPort port = subnet.attach(FreshLids.firstEndPort(fabric));
        SubnetManager watcher =
                new SubnetManager(port, settings(conf(0x5678, 2)), TextStore.NONE, told, (mad, from) -> {});
        watcher.keepKeys(table);
        subnet.loop().execute(watcher::watch);
        for (int looks = 1; looks <= 3; looks++) {
            int before = looks;
            subnet.loop().runUntil(() -> told.reports.size() >= before, SimulatedSm.PATIENCE);
            assertThat(told.last().result()).isEqualTo(Result.DONE);
            assertThat(told.last().notes())
                    .anyMatch(note -> note.startsWith(
                            "the M_Key was changed: 0 of 36 end ports that were read have it; without it: "));
            assertThat(watcher.counters().resent()).isZero();
        }
        watcher.stop();
        assertAllHave(0x1234);
        for (int each = 0; each < fabric.portCount(); each++) {
            if (fabric.isEndPort(each)) {
                assertThat(info(each).getInt(PortInfo.M_KEY_VIOLATIONS)).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void lostMadsHinderNoChange(int protect) {
        SimulatedSm sm = running(conf(0x1234, protect), 7);
        sm.subnet.loss(0.2);
        for (long key : new long[] {0x5678, 0x9ABC, 0}) {
            configure(sm, conf(key, protect));
            assertThat(sm.settle()).isTrue();
            assertAllHave(sm, key, protect);
        }
    }

    /** Somebody without the key begins the lease: if it ended, everybody could change the port. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeaseThatSomebodyBeginsDoesNotEnd(boolean isSwitch) {
        lease(running(conf(0x1234, 2), 9), isSwitch);
    }

    /** It ends before the next regular light sweep would show the key. */
    @Test
    void aShortLeaseDoesNotEnd() {
        lease(running(conf(0x1234, 2).replace("lease_period 30", "lease_period 6"), 9), false);
    }

    /** A sweep that one agent makes incomplete is repeated each minute only. */
    @Test
    void aLeaseDoesNotEndWhileAnotherAgentIsSilent() {
        SimulatedSm sm = running(conf(0x1234, 2), 9);
        sm.subnet.silence(sm.fabric.switchCount() + 1, true);
        sm.manager.sweepNow("test");
        sm.subnet.loop().runFor(300 * SimulatedSm.SECOND);
        lease(sm, false);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
    }

    private static void lease(SimulatedSm sm, boolean isSwitch) {
        int host = sm.fabric.portIndex(sm.fabric.nodeCount() - 1, 1);
        int near = sm.fabric.portIndex(sm.fabric.nodeOf(sm.fabric.cable(host)), 0);
        int attacked = isSwitch ? near : host;
        SimulatedPort vandal = sm.subnet.attach(host);
        DirectedPath path = isSwitch ? DirectedPath.OWN_NODE.then(1) : DirectedPath.OWN_NODE;
        for (int i = 0; i < 20; i++) {
            vandal.send(
                    Mad.directed(MadMethod.GET, PortInfo.TYPE, sm.fabric.portNumber(attacked), path),
                    MadAddress.DIRECTED,
                    100);
            sm.subnet.loop().runFor(17 * SimulatedSm.SECOND);
            assertThat(info(sm, attacked).get(PortInfo.M_KEY)).isEqualTo(0x1234);
        }
        assertThat(info(sm, attacked).getInt(PortInfo.M_KEY_VIOLATIONS)).isEqualTo(20);
    }

    @Test
    void aPortThatLostItsKeyGetsItBack() {
        SimulatedSm sm = running(conf(0x1234, 2), 9);
        int host = sm.fabric.portIndex(sm.fabric.nodeCount() - 1, 1);
        int near = sm.fabric.portIndex(sm.fabric.nodeOf(sm.fabric.cable(host)), 0);
        SimulatedPort other = sm.subnet.attach(host);
        for (int port : new int[] {host, near}) {
            DirectedPath path = port == near ? DirectedPath.OWN_NODE.then(1) : DirectedPath.OWN_NODE;
            Mad set = Mad.directed(MadMethod.SET, PortInfo.TYPE, sm.fabric.portNumber(port), path)
                    .setData(
                            PortInfo.TYPE,
                            info(sm, port).toSet().set(PortInfo.M_KEY, 0).set(PortInfo.M_KEY_PROTECT, 0));
            set.directedRoute().set(DirectedRoute.M_KEY, 0x1234);
            other.send(set, MadAddress.DIRECTED, 100);
            sm.subnet.loop().runFor(SimulatedSm.SECOND / 10);
            assertThat(info(sm, port).get(PortInfo.M_KEY)).isZero();
            sm.subnet.loop().runFor(11 * SimulatedSm.SECOND);
            assertThat(info(sm, port).get(PortInfo.M_KEY)).isEqualTo(0x1234);
            assertThat(sm.last().reason()).contains("does not answer, or has another M_Key");
        }
    }

    private static void sweep(SimulatedSm sm) {
        sm.subnet.loop().execute(() -> sm.manager.sweepNow("test"));
        int before = sm.reports.size();
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
    }

    @Test
    void aForeignKeyIsToldWithThePort() {
        SimulatedSm sm = running(conf(0x1234, 0), 8);
        int port = sm.fabric.portIndex(sm.fabric.nodeCount() - 1, 1);
        String name = sm.fabric.portName(port);
        sm.subnet.tamper(sm.fabric.nodeOf(port), answer -> {
            if (answer.isAbout(PortInfo.TYPE)) {
                answer.data(PortInfo.TYPE).set(PortInfo.M_KEY, 0xBAD);
            }
            return answer;
        });
        sweep(sm);
        assertThat(sm.last().notes()).contains(name + ": its M_Key is none of ours, so it takes nothing from us");
        assertThat(sm.last().notes().toString()).doesNotContain("bad", "BAD", "1234");
    }

    @Test
    void manyForeignKeysAreToldInALine() {
        SimulatedSm sm = running(conf(0x1234, 0), 8);
        for (int node = 0; node < sm.fabric.nodeCount(); node++) {
            sm.subnet.tamper(node, answer -> {
                if (answer.isAbout(PortInfo.TYPE)) {
                    answer.data(PortInfo.TYPE).set(PortInfo.M_KEY, 0xBAD);
                }
                return answer;
            });
        }
        sweep(sm);
        assertThat(sm.last().notes().stream().filter(note -> note.contains("none of ours")))
                .singleElement()
                .asString()
                .matches("the M_Keys of \\d+ ports are none of ours, so they take nothing from us: .*");
    }
}

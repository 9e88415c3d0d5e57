package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.master.OpenSmSettings;
import org.railyard.sm.program.PartitionEnforcement;

/** Switches that let through what belongs to the partitions of an end port, and nothing else (spec 41 §8). */
class EnforcementTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);
    private static final String TWO = """
        Default=0x7fff, ipoib : ALL=limited, SELF=full ;
        Blue=0x0010 : ALL_CAS=full ;
        """;

    private final Fabric fabric = TORUS.fabric();
    private final int host = fabric.portIndex(fabric.nodeCount() - 1, 1);
    private final int door = fabric.cable(host);

    private SmSettings settings(String partitions) {
        long guid = fabric.portGuid(fabric.portIndex(fabric.switchCount(), 1));
        return SimulatedSm.torus(TORUS)
                .withKeys(PartitionsConf.parse(partitions).keys(guid));
    }

    private SimulatedSm prepared(SmSettings settings) {
        return new SimulatedSm(fabric, settings, TextStore.NONE, 1);
    }

    private static SmSettings with(SmSettings settings, PartitionEnforcement enforcement) {
        String conf = "part_enforce " + enforcement.name().toLowerCase(Locale.ROOT) + "\n";
        return new OpenSmSettings(OpenSmOptions.parse(conf)).manager(settings, true);
    }

    private PortInfo info(SimulatedSm sm, int port) {
        return sm.subnet.node(fabric.nodeOf(port)).portInfo(fabric.portNumber(port));
    }

    private PKeyTable keys(SimulatedSm sm, int port) {
        return sm.subnet
                .node(fabric.nodeOf(port))
                .pKeys(fabric.isSwitch(fabric.nodeOf(port)) ? fabric.portNumber(port) : 1, 0);
    }

    private static void change(SimulatedSm sm, SmSettings settings) {
        sm.subnet.loop().execute(() -> sm.manager.configure(settings, "reload"));
        sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
    }

    @ParameterizedTest
    @EnumSource
    void portsTowardsEndsHaveTheKeysOfThese(PartitionEnforcement enforcement) {
        SimulatedSm sm = prepared(with(settings(TWO), enforcement)).started();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.cable(port);
            if (peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(port)) || fabric.portNumber(port) == 0) {
                continue;
            }
            boolean isDoor = !fabric.isSwitch(fabric.nodeOf(peer));
            assertThat(info(sm, port).isSet(PortInfo.ENFORCEMENT_IN)).isEqualTo(isDoor && enforcement.in());
            assertThat(info(sm, port).isSet(PortInfo.ENFORCEMENT_OUT)).isEqualTo(isDoor && enforcement.out());
            if (isDoor && enforcement != PartitionEnforcement.OFF) {
                assertThat(keys(sm, port).differences(keys(sm, peer))).isEmpty();
            }
        }
        assertThat(keys(sm, host).getInt(PKeyTable.KEYS, 0)).isEqualTo(0x7FFF);
        assertThat(keys(sm, host).getInt(PKeyTable.KEYS, 1)).isEqualTo(0x8010);
    }

    /** A key works from the moment at which a host has it: the switch has it before, and enforces only what it has. */
    @Test
    void theSwitchHasAKeyBeforeTheHost() {
        SimulatedSm sm = prepared(settings(TWO));
        List<String> order = new ArrayList<>();
        for (int port : new int[] {door, host}) {
            String who = port == door ? "switch " : "host ";
            sm.subnet.tamper(fabric.nodeOf(port), mad -> {
                boolean isOfDoor = port == host || mad.modifier() >>> 16 == fabric.portNumber(door);
                if (mad.isAbout(PKeyTable.TYPE)
                        && isOfDoor
                        && mad.data(PKeyTable.TYPE).getInt(PKeyTable.KEYS, 1) != 0) {
                    order.add(who + "0x%04x".formatted(mad.data(PKeyTable.TYPE).getInt(PKeyTable.KEYS, 1)));
                }
                if (mad.isAbout(PortInfo.TYPE)
                        && port == door
                        && Modifiers.portOf(mad.modifier()) == fabric.portNumber(door)
                        && mad.data(PortInfo.TYPE).isSet(PortInfo.ENFORCEMENT_IN)
                        && !order.contains("enforces")) {
                    order.add("enforces");
                }
                return mad;
            });
        }
        sm.started();
        assertThat(order).containsExactly("switch 0x8010", "host 0x8010", "enforces");
        order.clear();
        change(sm, settings(TWO.replace("0x0010", "0x0020")));
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        assertThat(order.stream().filter(each -> !each.equals("enforces")))
                .containsExactly("switch 0x8020", "host 0x8020");
    }

    /** Space for one key at each port. */
    private static void narrow(SimulatedSm sm, int sw) {
        sm.subnet.tamper(
                sw,
                mad -> mad.isAbout(SwitchInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        SwitchInfo.TYPE,
                                        mad.data(SwitchInfo.TYPE).set(SwitchInfo.ENFORCEMENT_CAP, 1))
                        : mad);
    }

    /** A subnet of such switches has a line in each sweep, not one for each host. */
    @Test
    void manySwitchesWithoutSpaceAreToldInALine() {
        SimulatedSm sm = prepared(settings(TWO));
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            narrow(sm, sw);
        }
        sm.started();
        assertThat(sm.reports.getFirst().notes().stream().filter(note -> note.contains("space for")))
                .singleElement()
                .asString()
                .startsWith("9 ports of switches have space for fewer P_Keys than the hosts behind them, and enforce no"
                        + " partitions: ")
                .contains("; S-", ": 2 P_Keys of H-", "but there is space for 1")
                .endsWith(" and 1 other");
    }

    /** Hosts that are in more partitions than they have space for have a line in each sweep. */
    @Test
    void manyHostsWithoutSpaceAreToldInALine() {
        StringBuilder many = new StringBuilder("Default=0x7fff, ipoib : ALL=full ;\n");
        for (int key = 1; key <= 200; key++) {
            many.append("p%d=0x%04x : ALL_CAS=full ;%n".formatted(key, key));
        }
        SimulatedSm sm = prepared(settings(many.toString()));
        sm.subnet.loop().execute(sm.manager::start);
        assertThat(sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE))
                .isTrue();
        assertThat(sm.last().result()).isEqualTo(Result.INCOMPLETE);
        assertThat(sm.last().notes().stream().filter(note -> note.contains("into fewer partitions")))
                .singleElement()
                .asString()
                .startsWith("9 ports have space for fewer P_Keys than they shall have, ")
                .contains("H-0.0.0.0/1: 201 P_Keys, but there is space for ");
    }

    @Test
    void aSwitchWithoutSpaceEnforcesNothingAndSaysSo() {
        SimulatedSm sm = prepared(settings(TWO));
        narrow(sm, fabric.nodeOf(door));
        sm.started();
        assertThat(info(sm, door).isSet(PortInfo.ENFORCEMENT_IN)).isFalse();
        assertThat(sm.reports.getFirst().notes())
                .contains("%s: 2 P_Keys of %s, but there is space for 1: it enforces no partitions"
                        .formatted(fabric.portName(door), fabric.portName(host)));
    }

    /** Whatever is written, the switch answers with this as the second key of its port. */
    private void keepSecondKeyOfDoor(SimulatedSm sm, int key) {
        sm.subnet.tamper(
                fabric.nodeOf(door),
                mad -> mad.isAbout(PKeyTable.TYPE) && mad.modifier() >>> 16 == fabric.portNumber(door)
                        ? mad.copy()
                                .setData(
                                        PKeyTable.TYPE, mad.data(PKeyTable.TYPE).set(PKeyTable.KEYS, 1, key))
                        : mad);
    }

    @Test
    void aSwitchThatDoesNotTakeItsTableEnforcesNothing() {
        SimulatedSm sm = prepared(settings(TWO));
        keepSecondKeyOfDoor(sm, 0);
        sm.subnet.loop().execute(sm.manager::start);
        sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(Result.INCOMPLETE);
        assertThat(info(sm, door).isSet(PortInfo.ENFORCEMENT_IN)).isFalse();
        sm.subnet.tamper(fabric.nodeOf(door), null);
        assertThat(sm.settle()).isTrue();
        assertThat(info(sm, door).isSet(PortInfo.ENFORCEMENT_IN)).isTrue();
    }

    /** It keeps what it had, and the host gets nothing that its switch would keep out. */
    @Test
    void aHostGetsNoKeyThatItsSwitchDidNotTake() {
        SimulatedSm sm = prepared(settings(TWO)).started();
        keepSecondKeyOfDoor(sm, 0x8010);
        change(sm, settings(TWO.replace("0x0010", "0x0020")));
        assertThat(sm.last().result()).isEqualTo(Result.INCOMPLETE);
        assertThat(keys(sm, host).getInt(PKeyTable.KEYS, 1)).isEqualTo(0x8010);
        sm.subnet.tamper(fabric.nodeOf(door), null);
        assertThat(sm.settle()).isTrue();
        assertThat(held(sm, host)).containsExactly(0x7FFF, 0x8020);
        assertThat(held(sm, door)).containsExactly(0x7FFF, 0x8020);
    }

    /** Somebody before let this switch enforce keys that nobody has any more. */
    @ParameterizedTest
    @EnumSource(
            value = PartitionEnforcement.class,
            names = {"BOTH", "OFF"})
    void whatWasEnforcedBeforeIsNoMore(PartitionEnforcement enforcement) {
        boolean isPartitioned = enforcement == PartitionEnforcement.OFF;
        SmSettings settings = isPartitioned ? settings(TWO) : SimulatedSm.torus(TORUS);
        SimulatedSm sm = prepared(with(settings, enforcement));
        PortInfo old = info(sm, door).toSet().set(PortInfo.ENFORCEMENT_IN, 1).set(PortInfo.ENFORCEMENT_OUT, 1);
        Mad set = Mad.directed(
                        MadMethod.SET,
                        PortInfo.TYPE,
                        Modifiers.port(fabric.portNumber(door)),
                        DirectedPath.OWN_NODE.then(1))
                .setData(PortInfo.TYPE, old);
        sm.subnet.attach(host).send(set, MadAddress.DIRECTED, 100);
        sm.subnet.loop().runFor(SimulatedSm.SECOND);
        assertThat(info(sm, door).isSet(PortInfo.ENFORCEMENT_IN)).isTrue();
        sm.started();
        assertThat(info(sm, door).isSet(PortInfo.ENFORCEMENT_IN)).isFalse();
        assertThat(info(sm, door).isSet(PortInfo.ENFORCEMENT_OUT)).isFalse();
    }

    /** With the default partition alone there is nothing to keep apart, and nothing is written for it. */
    @Test
    void theDefaultPartitionAloneCostsNothing() {
        SimulatedSm sm = prepared(settings("Default=0x7fff : ALL=full ;")).started();
        assertThat(sm.reports.getFirst().phases())
                .noneMatch(phase -> phase.name().startsWith("P_KeyTable"));
        assertThat(info(sm, door).isSet(PortInfo.ENFORCEMENT_IN)).isFalse();
    }

    @Test
    void nothingIsWrittenAgainOnceItIsThere() {
        SimulatedSm sm = prepared(settings(TWO)).started();
        int before = sm.reports.size();
        sm.subnet.loop().execute(() -> sm.manager.sweepNow("again"));
        assertThat(sm.settle()).isTrue();
        assertThat(sm.reports.subList(before, sm.reports.size()))
                .allMatch(report -> report.phases().stream()
                        .noneMatch(phase -> phase.name().startsWith("P_KeyTable")
                                || phase.name().startsWith("PortInfo of switch ports")));
    }

    /**
     * What a host holds and shall have passes its switch at any moment, whatever fails, but for a key that it should
     * have given up and has still; in the end all is as it shall.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noHostIsKeptOutOfItsPartitions(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedSm sm = prepared(settings(TWO)).started();
        SmSettings wanted = settings(TWO);
        Map<Integer, Set<Integer>> revoked = new TreeMap<>();
        for (int step = 0; step < 40; step++) {
            int node = fabric.switchCount() + 1 + random.nextInt(fabric.nodeCount() - fabric.switchCount() - 1);
            int near = fabric.nodeOf(fabric.cable(fabric.portIndex(node, 1)));
            switch (random.nextInt(7)) {
                case 0 -> sm.subnet.loss(random.nextInt(3) * 0.15);
                case 1 -> sm.subnet.silence(node, random.nextBoolean());
                case 2 -> sm.subnet.silence(near, near > 0 && random.nextBoolean());
                case 3 -> {
                    sm.subnet.powerOff(node);
                    sm.subnet.powerOn(node);
                }
                default -> {
                    SmSettings next = settings(partitions(random));
                    noteRevoked(sm, wanted, revoked);
                    wanted = next;
                    sm.subnet.loop().execute(() -> sm.manager.configure(next, "reload"));
                }
            }
            for (int i = 0; i < 50; i++) {
                sm.subnet.loop().runFor(random.nextLong(2_000_000));
                assertThat(keptOut(sm, wanted, revoked))
                        .as("seed %d, step %d", seed, step)
                        .isEmpty();
            }
        }
        sm.subnet.loss(0);
        for (int node = 0; node < fabric.nodeCount(); node++) {
            sm.subnet.silence(node, false);
        }
        sm.manager.sweepNow("all is whole");
        assertThat(sm.settle()).isTrue();
        for (int end = fabric.portIndex(fabric.switchCount(), 1); end < fabric.portCount(); end++) {
            int near = fabric.isEndPort(end) ? fabric.cable(end) : Fabric.NONE;
            if (near != Fabric.NONE) {
                assertThat(held(sm, end)).containsAll(wanted.keys().of(sm.fabric, end));
                assertThat(held(sm, near)).isEqualTo(Set.copyOf(wanted.keys().of(sm.fabric, end)));
                assertThat(info(sm, near).isSet(PortInfo.ENFORCEMENT_IN)).isTrue();
            }
        }
    }

    private static String partitions(SplittableRandom random) {
        StringBuilder text = new StringBuilder("Default=0x7fff : ALL=limited, SELF=full ;\n");
        for (int key = 0x10; key < 0x14; key++) {
            if (random.nextBoolean()) {
                text.append("p%d=0x%04x : ALL_CAS=full ;%n".formatted(key, key));
            }
        }
        return text.toString();
    }

    private Set<Integer> held(SimulatedSm sm, int port) {
        Set<Integer> keys = new TreeSet<>();
        for (int i = 0; i < PKeyTable.BLOCK; i++) {
            keys.add(keys(sm, port).getInt(PKeyTable.KEYS, i));
        }
        keys.remove(0);
        return keys;
    }

    private boolean isHost(int port) {
        return !fabric.isSwitch(fabric.nodeOf(port)) && fabric.cable(port) != Fabric.NONE;
    }

    /** Notes what hosts hold and should not. */
    private void noteRevoked(SimulatedSm sm, SmSettings wanted, Map<Integer, Set<Integer>> revoked) {
        for (int end = 0; end < fabric.portCount(); end++) {
            if (isHost(end)) {
                Set<Integer> keys = held(sm, end);
                wanted.keys().of(sm.fabric, end).forEach(keys::remove);
                revoked.computeIfAbsent(end, _ -> new TreeSet<>()).addAll(keys);
            }
        }
    }

    private List<String> keptOut(SimulatedSm sm, SmSettings wanted, Map<Integer, Set<Integer>> revoked) {
        List<String> all = new ArrayList<>();
        for (int end = 0; end < fabric.portCount(); end++) {
            if (isHost(end) && info(sm, fabric.cable(end)).isSet(PortInfo.ENFORCEMENT_IN)) {
                Set<Integer> missing = held(sm, end);
                Set<Integer> old = revoked.getOrDefault(end, new TreeSet<>());
                old.retainAll(missing);
                missing.removeAll(old);
                missing.retainAll(wanted.keys().of(sm.fabric, end));
                missing.removeAll(held(sm, fabric.cable(end)));
                missing.forEach(key -> all.add("a key that is kept out: 0x%04x".formatted(key)));
            }
        }
        return all;
    }
}

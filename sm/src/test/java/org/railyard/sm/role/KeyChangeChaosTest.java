package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.sm.role.Managers.SECOND;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.SmSettings;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.master.OpenSmSettings;
import org.railyard.sm.role.Managers.One;
import org.railyard.sm.sa.SaSettings;

/**
 * The M_Key is changed by reloads of three subnet managers, in any order, while they die, lose their cables and their
 * MADs: as long as one that knows both keys lives, in the end all ports have the new one, and the highest is master.
 */
class KeyChangeChaosTest {
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 2, 1);
    private static final List<String> HOSTS = List.of("H-0.0.0.0", "H-1.1.1.0", "H-0.2.1.0");
    private static final int ROUNDS = 3;
    private static final long MANY = 1000;
    private static final long FEW = 8;

    private final List<String> story = new ArrayList<>();
    private int lease;

    static LongStream seeds() {
        long count = Long.getLong("railyard.sm.seeds", Boolean.getBoolean("railyard.long") ? MANY : FEW);
        long first = Long.getLong("railyard.sm.firstSeed", 1);
        return LongStream.range(first, first + count);
    }

    private SmSettings settings(Managers managers, int priority, long key, int protect) {
        String conf = "m_key 0x%x\nm_key_protection_level %d\nm_key_lease_period %d\n".formatted(key, protect, lease);
        return new OpenSmSettings(OpenSmOptions.parse(conf))
                .manager(managers.settings(RoleSettings.DEFAULT.withPriority(priority)), false);
    }

    /** A switch whose lease had ended: SwitchInfo does not tell of it. */
    @Test
    void aSwitchHasLostItsKey() {
        allHaveTheNewKeyInTheEnd(136);
    }

    /** A master without link that comes back after another one has written tables, and has died. */
    @Test
    void tablesWereWrittenWhileTheMasterWasCutOff() {
        allHaveTheNewKeyInTheEnd(700_020);
    }

    /** It was cut off between two light sweeps: another one wrote to some or all nodes, and died. */
    @ParameterizedTest
    @ValueSource(longs = {2_000_262, 2_004_621})
    void aMasterThatWasCutOffForAMoment(long seed) {
        allHaveTheNewKeyInTheEnd(seed);
    }

    /** The host of a standby had sent many traps: its calls for a handover were ignored for ever. */
    @ParameterizedTest
    @ValueSource(longs = {10_019_569, 10_022_817})
    void aStandbyIsHeardAfterAStormOfTraps(long seed) {
        allHaveTheNewKeyInTheEnd(seed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void allHaveTheNewKeyInTheEnd(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Managers managers = new Managers(TORUS, random.nextLong());
        int protect = random.nextInt(4);
        lease = List.of(0, 1, 30).get(random.nextInt(3));
        long key = 0x1000;
        One[] live = new One[HOSTS.size()];
        for (int i = 0; i < live.length; i++) {
            live[i] = managers.start(HOSTS.get(i), settings(managers, i, key, protect));
        }
        managers.subnet.loop().runFor(10 * SECOND);
        assertRight(managers, live, key, protect, seed);
        for (int round = 0; round < ROUNDS; round++) {
            key = random.nextInt(8) == 0 ? 0 : 0x1001 + round;
            change(managers, random, live, key, protect);
            managers.subnet.loss(0);
            for (int port = 0; port < managers.fabric.portCount(); port++) {
                managers.subnet.relink(port);
            }
            managers.subnet.loop().runFor(30 * SECOND);
            assertRight(managers, live, key, protect, seed);
            for (int i = 0; i < live.length; i++) {
                if (live[i].isDead) {
                    live[i] = managers.start(HOSTS.get(i), settings(managers, i, key, protect));
                }
            }
            managers.subnet.loop().runFor(20 * SECOND);
            assertRight(managers, live, key, protect, seed);
        }
    }

    /** Reloads all that live, in any order, with faults before, between and after. */
    private void change(Managers managers, SplittableRandom random, One[] live, long key, int protect) {
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
        Collections.shuffle(order, random);
        happens(managers, random, live);
        for (int which : order) {
            if (!live[which].isDead) {
                One one = live[which];
                SmSettings settings = settings(managers, which, key, protect);
                tell(managers, "reload 0x%x %s".formatted(key, one.host));
                managers.subnet
                        .loop()
                        .execute(() -> one.master.configure(
                                settings, SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS), "reload"));
            }
            boolean isSoon = random.nextInt(3) == 0;
            managers.subnet.loop().runFor(random.nextLong(isSoon ? SECOND / 50 : 15 * SECOND));
            happens(managers, random, live);
        }
    }

    private void tell(Managers managers, String what) {
        story.add("%.3f: %s".formatted(managers.subnet.loop().nanoTime() / 1e9, what));
    }

    private void happens(Managers managers, SplittableRandom random, One[] live) {
        One one = live[random.nextInt(live.length)];
        long alive = Arrays.stream(live).filter(each -> !each.isDead).count();
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                if (alive > 1 && !one.isDead) {
                    tell(managers, "kill " + one.host);
                    one.kill();
                }
            }
            case 2 -> {
                double loss = random.nextInt(10) / 100.0;
                tell(managers, "loss " + loss);
                managers.subnet.loss(loss);
            }
            case 3 -> {
                int port = anyCable(managers.fabric, random);
                tell(managers, "unlink " + managers.fabric.portName(port));
                managers.subnet.unlink(port);
            }
            case 4 -> {
                tell(managers, "unlink " + one.host);
                managers.subnet.unlink(managers.port(one.host));
            }
            default -> {
                // Nothing.
            }
        }
    }

    private static int anyCable(Fabric fabric, SplittableRandom random) {
        while (true) {
            int port = random.nextInt(fabric.portCount());
            if (fabric.peer(port) != Fabric.NONE) {
                return port;
            }
        }
    }

    private void assertRight(Managers managers, One[] live, long key, int protect, long seed) {
        One highest = null;
        for (One one : live) {
            highest = one.isDead ? highest : one;
        }
        boolean settled = managers.settle(Objects.requireNonNull(highest));
        List<String> without = new ArrayList<>();
        for (int port = 0; port < managers.fabric.portCount(); port++) {
            PortInfo info = managers.info(port);
            boolean right =
                    info.get(PortInfo.M_KEY) == key && info.getInt(PortInfo.M_KEY_PROTECT) == (key == 0 ? 0 : protect);
            if (managers.fabric.isEndPort(port) && !right) {
                without.add("%s has 0x%x".formatted(managers.fabric.portName(port), info.get(PortInfo.M_KEY)));
            }
        }
        assertThat(settled && without.isEmpty())
                .as(
                        "seed %d, level %d, lease %d, settled %s: %s; %s; %s",
                        seed,
                        protect,
                        lease,
                        settled,
                        story,
                        without,
                        managers.all.stream()
                                .filter(one -> !one.isDead)
                                .map(one -> one.host + " " + one.role() + " " + one.reports.getLast())
                                .toList())
                .isTrue();
    }
}

package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Calculation;
import org.railyard.o2iblnd.tune.Calculator;
import org.railyard.o2iblnd.tune.Scene;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.VerbsProvider;
import org.railyard.verbs.card.memory.MemoryModel;

/** The devices are asked for exactly the queues that the calculator tells of, on both sides of a connection. */
class QueuesAsCalculatedTest {
    private static final String CREDITS = "peer_credits=%s,credits=512,concurrent_sends=%s,wrq_sge=%s";

    private static DeviceAttributes device(String profile) {
        return DeviceAttributes.profiles().stream()
                .filter(each -> each.profile().equals(profile))
                .findFirst()
                .orElseThrow()
                .withPorts(1);
    }

    private static Tunables tunables(String settings) {
        Tunables tunables = Tunables.DEFAULT;
        for (String each : settings.split(",")) {
            tunables = tunables.with(each);
        }
        return tunables;
    }

    private static TestNi ni(int machine, String settings) {
        Map<String, Integer> given = new LinkedHashMap<>();
        for (String each : settings.split(",")) {
            String[] words = each.split("=");
            given.put(words[0], Integer.valueOf(words[1]));
        }
        TestNi plain = IbWorld.ni(machine, 0);
        return new TestNi(plain.nid(), plain.net(), plain.interfaceName(), plain.tunables(), given);
    }

    @ParameterizedTest
    @CsvSource({
        // own peer_credits, concurrent_sends, wrq_sge, peer's peer_credits, device
        "8, 0, 2, 8, mlx5",
        "16, 32, 1, 16, mlx5",
        "63, 0, 4, 63, mlx4",
        "128, 64, 2, 128, mlx5",
        "255, 0, 2, 255, hfi",
        "128, 0, 2, 128, rxe",
        "64, 0, 2, 12, mlx5",
        "12, 24, 3, 64, mlx4",
    })
    @Requirement("mod-042")
    void asked(String own, String sends, String gather, String peers, String profile) {
        String ours = CREDITS.formatted(own, sends, gather);
        String theirs = CREDITS.formatted(peers, "0", gather);
        IbWorld world = new IbWorld(7200 * IbWorld.SECOND, 1, device(profile), MemoryModel.SCATTERED);
        List<WatchedVerbs> machines = new ArrayList<>();
        List<O2ibLnd> transports = new ArrayList<>();
        List<RecordingStack> stacks = new ArrayList<>();
        for (int machine = 0; machine < 2; machine++) {
            WatchedVerbs verbs = new WatchedVerbs(world.node(machine));
            RecordingStack stack = new RecordingStack();
            machines.add(verbs);
            stacks.add(stack);
            transports.add(start(world, machine, verbs.provider(), stack));
        }
        TestNi first = ni(0, ours);
        transports.get(0).startup(first);
        transports.get(1).startup(ni(1, theirs));
        assertThat(transports.get(0).send(first, TestMessage.put(first.nid(), IbWorld.nid(1, 0), 64)))
                .isZero();
        assertThat(world.time().runUntil(() -> !stacks.get(0).outcomes().isEmpty(), 60 * IbWorld.SECOND))
                .isTrue();
        assertThat(stacks.get(0).outcomes().getFirst().status()).isZero();

        Scene scene = Scene.DEFAULT.withDevice(device(profile));
        expect(
                machines.get(0),
                Calculator.calculate(scene.withTunables(tunables(ours)).withPeerTunables(tunables(theirs))));
        expect(
                machines.get(1),
                Calculator.calculate(scene.withTunables(tunables(theirs)).withPeerTunables(tunables(ours))));
        transports.forEach(O2ibLnd::close);
    }

    private static O2ibLnd start(IbWorld world, int machine, VerbsProvider verbs, RecordingStack stack) {
        VirtualHost host = new VirtualHost(world.time(), new SplittableRandom(1), (machine + 1) * 1_000_000L);
        return new O2ibLnd(stack, host, verbs, Tunables.DEFAULT, new Targets(), ip -> 24);
    }

    private static void expect(WatchedVerbs machine, Calculation calculation) {
        WatchedVerbs.Queues asked = machine.asked().getLast();
        assertThat(asked.entries()).isEqualTo(value(calculation, "cq_entries"));
        assertThat(asked.pair().sends()).isEqualTo(value(calculation, "send_work_requests"));
        assertThat(asked.pair().receives()).isEqualTo(value(calculation, "receive_work_requests"));
        assertThat(asked.pair().gather()).isEqualTo(value(calculation, "send_sges"));
    }

    private static int value(Calculation calculation, String figure) {
        return (int) calculation.figure("connection." + figure).value();
    }
}

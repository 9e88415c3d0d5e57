package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.testkit.Requirement;

/** Nodes with an NI on each of their cards: what they carry together, in the time of the simulated fabric. */
class TwoRailsCarryMoreTest {
    private static final int PORTAL = 42;
    private static final long MAILBOX = 7;
    private static final int BYTES = 1_000_000;
    private static final int COUNT = 64;

    private static LNet start(IbWorld world, int machine, int rails) {
        VirtualHost host =
                new VirtualHost(world.time(), new SplittableRandom(machine), 1_000_000_000_000_000L + machine);
        LNetConfig.Builder config = LNetConfig.builder()
                .host(host)
                .lnd(new O2ibLndProvider(_ -> world.node(machine), Tunables.DEFAULT, new Targets()));
        for (int rail = 0; rail < rails; rail++) {
            config.ni(NiRequest.ofInterface(Net.parse("o2ib"), "ib" + rail));
        }
        return LNet.start(config.build());
    }

    private static <T> T await(IbWorld world, CompletableFuture<T> future) {
        assertThat(world.time().runUntil(future::isDone, 100 * IbWorld.SECOND)).isTrue();
        return future.join();
    }

    /** Returns how long so many PUTs take that are begun at once, ns of virtual time. */
    private static long timeOver(int rails) {
        IbWorld world = new IbWorld(100_000_000, 2);
        LNet server = start(world, 0, rails);
        LNet client = start(world, 1, rails);
        server.attach(
                MeConfig.of(PORTAL, MAILBOX),
                MdConfig.of(Arena.ofAuto().allocate(BYTES)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        await(world, client.discover(IbWorld.nid(0, 0), true).toCompletableFuture());
        long begin = world.time().now();
        List<CompletableFuture<?>> puts = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            puts.add(client.put(
                            ProcessId.of(IbWorld.nid(0, 0)),
                            PORTAL,
                            MAILBOX,
                            Arena.ofAuto().allocate(BYTES))
                    .toCompletableFuture());
        }
        await(world, CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)));
        long took = world.time().now() - begin;
        client.close();
        server.close();
        return took;
    }

    @Test
    @Requirement("mrx-003")
    void almostTwiceAsMuch() {
        double gain = (double) timeOver(1) / timeOver(2);
        assertThat(gain).isBetween(1.8, 2.01);
    }
}

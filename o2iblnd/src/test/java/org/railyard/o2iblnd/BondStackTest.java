package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.NodeListener;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.testkit.Requirement;

/** Whole nodes whose NIs are groups: what the core, and the peer's, see of them (spec 21 §10). */
class BondStackTest {
    private static final int PORTAL = 42;
    private static final long MAILBOX = 7;
    private static final int BYTES = 100_000;
    private static final int FULL_HEALTH = 1000;

    private final IbWorld world = new IbWorld(100_000_000, 3);
    private final LNet server = start(0);
    private final LNet client = start(1);
    private final ProcessId target = ProcessId.of(IbWorld.nid(0, 0));

    private LNet start(int machine) {
        return start(machine, Tunables.DEFAULT, Settings.DEFAULT, event -> {});
    }

    private LNet start(int machine, Tunables tunables, Settings settings, NodeListener listener) {
        VirtualHost host =
                new VirtualHost(world.time(), new SplittableRandom(machine), 1_000_000_000_000_000L + machine);
        Targets targets = new Targets();
        for (int other = 0; other < IbWorld.MACHINES; other++) {
            targets.put(
                    new Target(IbWorld.nid(other, 0), List.of(IbWorld.address(other, 0), IbWorld.address(other, 1))));
        }
        return LNet.start(LNetConfig.builder()
                .host(host)
                .lnd(new O2ibLndProvider(_ -> world.node(machine), tunables, targets))
                .ni(NiRequest.ofInterface(Net.parse("o2ib"), "ib0,ib1"))
                .settings(settings)
                .listener(listener)
                .build());
    }

    private <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        assertThat(world.time().runUntil(future::isDone, 100 * IbWorld.SECOND)).isTrue();
        return future.join();
    }

    private void openMailbox() {
        server.attach(
                MeConfig.of(PORTAL, MAILBOX),
                MdConfig.of(Arena.ofAuto().allocate(BYTES)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
    }

    private CompletionStage<PutResult> put() {
        MemorySegment data = Arena.ofAuto().allocate(BYTES);
        return client.put(target, PORTAL, MAILBOX, data);
    }

    private NiInfo ni() {
        return client.inventory().nis().getFirst();
    }

    @Test
    @Requirement({"cb-001", "cb-143", "cb-144"})
    void aGroupIsOneNid() {
        PingReply reply = await(client.ping(IbWorld.nid(0, 0), IbWorld.nid(1, 0), Duration.ofSeconds(5)));
        assertThat(reply.nids()).filteredOn(nid -> !nid.isLoopback()).containsExactly(IbWorld.nid(0, 0));
        assertThat(await(client.discover(IbWorld.nid(0, 0), true)).nis())
                .singleElement()
                .satisfies(peer -> assertThat(peer.nid()).isEqualTo(IbWorld.nid(0, 0)));
        assertThat(client.nids()).filteredOn(nid -> !nid.isLoopback()).containsExactly(IbWorld.nid(1, 0));
        assertThat(ni().maxCredits()).as("credits of the group").isEqualTo(256);
    }

    @Test
    @Requirement({"cb-066", "cb-067", "cb-144", "cb-302"})
    void aPortThatGoesDownInMidStream() {
        openMailbox();
        await(put());
        await(put());
        List<CompletionStage<PutResult>> puts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            puts.add(put());
        }
        CompletableFuture<PutResult> early = puts.get(10).toCompletableFuture();
        assertThat(world.time().runUntil(early::isDone, IbWorld.SECOND)).isTrue();
        world.fabric().setLink(world.port(1, 1).fabricPort(), false);
        int lost = 0;
        for (CompletionStage<PutResult> each : puts) {
            CompletableFuture<PutResult> future = each.toCompletableFuture();
            assertThat(world.time().runUntil(future::isDone, 200 * IbWorld.SECOND))
                    .isTrue();
            lost += future.isCompletedExceptionally() ? 1 : 0;
        }
        assertThat(lost)
                .as("at most those posted on the port, here and, as answers, at the server")
                .isLessThanOrEqualTo(2 * 8);
        assertThat(ni().failures().fatal()).as("the NI works").isFalse();
        for (int i = 0; i < 20; i++) {
            assertThat(await(put()).mlength()).isEqualTo(BYTES);
        }
        world.fabric().setLink(world.port(1, 1).fabricPort(), true);
        world.time().run(100 * IbWorld.SECOND);
        assertThat(ni().health()).as("well again").isEqualTo(FULL_HEALTH);
        for (int i = 0; i < 20; i++) {
            assertThat(await(put()).mlength()).isEqualTo(BYTES);
        }
    }

    @Test
    @Requirement("cb-144")
    void messagesThatHadNotLeftAreNotEvenLate() {
        openMailbox();
        Nid far = IbWorld.nid(0, 0);
        world.fabric().setLink(world.port(0, 1).fabricPort(), false);
        for (int i = 0; i < 6; i++) {
            assertThat(await(put()).mlength()).isEqualTo(BYTES);
        }
        assertThat(ni().health())
                .as("the route that can not be connected costs nothing")
                .isEqualTo(FULL_HEALTH);
        assertThat(client.peers().stream().filter(peer -> peer.primaryNid().equals(far)))
                .hasSize(1);
    }

    /** Without help of the transport, and allowed for a node of one NI: by default there is nothing to send again. */
    @Test
    @Requirement({"cb-144", "cb-146"})
    void whatTheCoreSendsAgainTakesAnotherRouteOfTheSamePair() {
        List<NodeEvent> resent = new ArrayList<>();
        Tunables tunables = Tunables.DEFAULT.with(O2ibTunable.BOND_LOCAL_RETRY, 0);
        Settings settings = Settings.DEFAULT.with(Tunable.SINGLE_RAIL_RESEND, true);
        LNet third = start(2, tunables, settings, event -> {
            if (event.kind() == NodeEventKind.MESSAGE_RESENT) {
                resent.add(event);
            }
        });
        openMailbox();
        int lowest = FULL_HEALTH;
        for (int delay : new int[] {0, 20_000}) { // The connections are still being made.
            List<CompletableFuture<PutResult>> puts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                puts.add(third.put(target, PORTAL, MAILBOX, Arena.ofAuto().allocate(BYTES))
                        .toCompletableFuture());
            }
            world.time().run(delay);
            world.fabric().setLink(world.port(2, 1).fabricPort(), false);
            puts.forEach(each -> assertThat(world.time().runUntil(each::isDone, 200 * IbWorld.SECOND))
                    .isTrue());
            assertThat(puts).as("down after %d ns", delay).noneMatch(CompletableFuture::isCompletedExceptionally);
            lowest = Math.min(lowest, third.inventory().nis().getFirst().health());
            world.fabric().setLink(world.port(2, 1).fabricPort(), true);
            world.time().run(100 * IbWorld.SECOND);
        }
        assertThat(lowest).as("what ends badly costs the group").isLessThan(FULL_HEALTH);
        assertThat(resent).isNotEmpty().allSatisfy(event -> {
            assertThat(event.nid()).isEqualTo(IbWorld.nid(2, 0));
            assertThat(event.other()).isEqualTo(IbWorld.nid(0, 0));
        });
    }
}

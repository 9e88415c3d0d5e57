package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.testkit.Requirement;

/** Whole nodes over InfiniBand: real stacks on a simulated fabric. */
class StackTest {
    private static final int PORTAL = 42;
    private static final long MAILBOX = 7;
    private static final int MEGABYTE = 1 << 20;

    private final IbWorld world = new IbWorld(100_000_000);
    private final List<LNet> nodes = new ArrayList<>();

    private LNet start(int machine, int rails) {
        VirtualHost host =
                new VirtualHost(world.time(), new SplittableRandom(machine), 1_000_000_000_000_000L + machine);
        LNetConfig.Builder builder =
                LNetConfig.builder().host(host).lnd(new O2ibLndProvider(_ -> world.node(machine), Tunables.DEFAULT));
        for (int rail = 0; rail < rails; rail++) {
            builder.ni(NiRequest.ofNid(IbWorld.nid(machine, rail)));
        }
        LNet node = LNet.start(builder.build());
        nodes.add(node);
        return node;
    }

    private <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        assertThat(world.time().runUntil(future::isDone, 100 * IbWorld.SECOND)).isTrue();
        return future.join();
    }

    private static MemorySegment bytes(int count, int number) {
        MemorySegment memory = Arena.ofAuto().allocate(count);
        for (int i = 0; i < count; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (number + i * 7 + (i >> 9)));
        }
        return memory;
    }

    @Test
    @Requirement({"ibl-090", "sv-022"})
    void nodesPingWriteAndReadBack() {
        LNet server = start(0, 1);
        LNet client = start(1, 1);
        PingReply reply = await(client.ping(IbWorld.nid(0, 0), IbWorld.nid(1, 0), Duration.ofSeconds(5)));
        assertThat(reply.primaryNid()).isEqualTo(IbWorld.nid(0, 0));
        MemorySegment mailbox = Arena.ofAuto().allocate(MEGABYTE);
        server.attach(
                MeConfig.of(PORTAL, MAILBOX),
                MdConfig.of(mailbox).withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        ProcessId target = ProcessId.of(IbWorld.nid(0, 0));
        for (int size : new int[] {1, 3976, 3977, 65_536, MEGABYTE}) {
            MemorySegment sent = bytes(size, size);
            assertThat(await(client.put(target, PORTAL, MAILBOX, sent)).mlength())
                    .isEqualTo(size);
            assertThat(mailbox.asSlice(0, size).mismatch(sent)).isEqualTo(-1);
            MemorySegment back = Arena.ofAuto().allocate(size);
            assertThat(await(client.get(target, PORTAL, MAILBOX, back)).mlength())
                    .isEqualTo(size);
            assertThat(back.mismatch(sent)).isEqualTo(-1);
        }
        nodes.forEach(LNet::close);
        assertThat(world.device(0, 0).qpCount()).isZero();
        assertThat(world.device(1, 0).qpCount()).isZero();
    }

    /** 150 s for all, 75 s for an attempt, of which a PUT with a handshake gets half for each of its messages. */
    @Test
    @Requirement({"rsl-139", "rsl-054"})
    void aLargePutGetsHalfTheTimeForEachOfItsMessages() {
        start(0, 1);
        LNet client = start(1, 1);
        await(client.discover(IbWorld.nid(0, 0), false));
        world.node(0).freeze();
        List<Event> events = new ArrayList<>();
        Md md = client.bind(MdConfig.of(bytes(100_000, 1)).withHandler(events::add));
        long start = world.time().now();
        client.put(md, false, Nid.ANY, ProcessId.of(IbWorld.nid(0, 0)), PORTAL, MAILBOX, 0, 0);
        assertThat(world.time().runUntil(() -> !events.isEmpty(), 200 * IbWorld.SECOND))
                .isTrue();
        assertThat(events.getFirst().status()).isEqualTo(Errno.ETIMEDOUT.status());
        assertThat((world.time().now() - start) / IbWorld.SECOND)
                .as("noticed within a quarter more; the transport's own limit is 50 s")
                .isBetween(37L, 47L);
        world.node(0).thaw();
        nodes.forEach(LNet::close);
    }

    @Test
    @Requirement("ibl-110")
    void aRailThatFailsIsGoneRound() {
        LNet server = start(0, 2);
        LNet client = start(1, 2);
        MemorySegment mailbox = Arena.ofAuto().allocate(MEGABYTE);
        server.attach(
                MeConfig.of(PORTAL, MAILBOX),
                MdConfig.of(mailbox).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        ProcessId target = ProcessId.of(IbWorld.nid(0, 0));
        MemorySegment data = bytes(100_000, 3);
        await(client.put(target, PORTAL, MAILBOX, data));
        List<CompletionStage<PutResult>> under = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            if (i == 20) {
                world.time().run(30_000);
                world.fabric().setLink(world.port(1, 0).fabricPort(), false);
            }
            under.add(client.put(target, PORTAL, MAILBOX, data));
        }
        int arrived = 0;
        for (CompletionStage<PutResult> each : under) {
            CompletableFuture<PutResult> future = each.toCompletableFuture();
            assertThat(world.time().runUntil(future::isDone, 100 * IbWorld.SECOND))
                    .isTrue();
            arrived += future.isCompletedExceptionally() ? 0 : 1;
        }
        assertThat(arrived).as("those after the failure, at least").isGreaterThanOrEqualTo(20);
        for (int i = 0; i < 10; i++) {
            assertThat(await(client.put(target, PORTAL, MAILBOX, data)).mlength())
                    .isEqualTo(100_000);
        }
        nodes.forEach(LNet::close);
    }
}

package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.o2iblnd.transfer.MappedMemory;
import org.railyard.o2iblnd.transfer.RegionPool;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.DeviceAttributes.Ability;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.card.memory.MemoryModel;

/**
 * Payloads of every shape, in every way of registering memory, between nodes with the same cards and with different
 * ones.
 */
class RegistrationModesTest {
    private static final int PORTAL = 42;
    private static final int PAGE = 4096;
    private static final int MEGABYTE = 1 << 20;
    /** Nothing is posted to it. */
    private static final Qp NO_QP = new Qp() {
        @Override
        public int number() {
            return 0;
        }

        @Override
        public State state() {
            return State.INIT;
        }

        @Override
        public int postSend(WorkChain chain) {
            return 0;
        }

        @Override
        public boolean postReceive(long id, long address, int length, int key) {
            return false;
        }

        @Override
        public void modifyToError() {}

        @Override
        public void close() {}
    };

    private static final MemoryModel REAL = new MemoryModel(PAGE, true, true);

    /** Returns a card that is used in a certain way. */
    private static DeviceAttributes card(Registration mode) {
        Set<Ability> abilities = switch (mode) {
            case GLOBAL -> EnumSet.of(Ability.GLOBAL_REGION);
            case FMR -> EnumSet.of(Ability.FMR);
            case FASTREG -> EnumSet.of(Ability.FAST_REG);
            case FASTREG_GAPS -> EnumSet.of(Ability.FAST_REG, Ability.SG_GAPS);
            case ARENA -> EnumSet.noneOf(Ability.class);
        };
        return DeviceAttributes.MLX5.withAbilities(abilities);
    }

    private static IbWorld world(Registration mode) {
        return new IbWorld(100_000_000, 1, card(mode), REAL);
    }

    /** Returns pieces of memory with a certain shape. */
    private static List<MemorySegment> memory(String shape) {
        MemorySegment large = Arena.ofAuto().allocate(2L * MEGABYTE, PAGE);
        return switch (shape) {
            case "aligned" -> List.of(large.asSlice(0, MEGABYTE));
            case "unaligned-first" -> List.of(large.asSlice(100, MEGABYTE));
            case "short-last" -> List.of(large.asSlice(0, 3 * PAGE + 17));
            case "interior-gap" ->
                List.of(large.asSlice(0, PAGE), large.asSlice(5 * PAGE, 100), large.asSlice(9 * PAGE, PAGE));
            case "all-gaps" -> {
                List<MemorySegment> pieces = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    pieces.add(large.asSlice(3L * i * PAGE + 7, 100));
                }
                yield pieces;
            }
            case "smallest" -> List.of(large.asSlice(PAGE - 1, 3977));
            default -> throw new IllegalArgumentException(shape);
        };
    }

    private static int fill(List<MemorySegment> pieces) {
        int at = 0;
        for (MemorySegment piece : pieces) {
            for (long i = 0; i < piece.byteSize(); i++) {
                piece.set(ValueLayout.JAVA_BYTE, i, byteAt(at++));
            }
        }
        return at;
    }

    private static byte byteAt(int i) {
        return (byte) (i * 13 + (i >> 8) + (i >> 16) + 1);
    }

    private static void check(List<MemorySegment> pieces) {
        int at = 0;
        for (MemorySegment piece : pieces) {
            for (long i = 0; i < piece.byteSize(); i++) {
                if (piece.get(ValueLayout.JAVA_BYTE, i) != byteAt(at)) {
                    throw new AssertionError("byte " + at + " is wrong");
                }
                at++;
            }
        }
    }

    private static LNet start(IbWorld world, int machine, Tunables tunables) {
        VirtualHost host =
                new VirtualHost(world.time(), new SplittableRandom(machine), 1_000_000_000_000_000L + machine);
        return LNet.start(LNetConfig.builder()
                .host(host)
                .lnd(new O2ibLndProvider(_ -> world.node(machine), tunables))
                .ni(NiRequest.ofNid(IbWorld.nid(machine, 0)))
                .build());
    }

    /**
     * Writes to another node, from memory of one shape into memory of another one that is as long at least, and reads
     * it back.
     */
    private static void write(IbWorld world, Tunables tunables, List<MemorySegment> from, List<MemorySegment> to) {
        try (LNet server = start(world, 0, tunables);
                LNet client = start(world, 1, tunables)) {
            server.attach(
                    MeConfig.any(PORTAL),
                    MdConfig.of(to.toArray(MemorySegment[]::new))
                            .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE));
            int length = fill(from);
            List<String> events = new ArrayList<>();
            client.put(
                    client.bind(MdConfig.of(from.toArray(MemorySegment[]::new))
                            .withHandler(
                                    event -> events.add(event.kind() + " " + event.status() + " " + event.mlength()))),
                    true,
                    Nid.ANY,
                    ProcessId.of(IbWorld.nid(0, 0)),
                    PORTAL,
                    1,
                    0,
                    0);
            assertThat(world.time().runUntil(() -> events.size() == 2, 10 * IbWorld.SECOND))
                    .as("%s", events)
                    .isTrue();
            assertThat(events).contains("ACK 0 " + length);
            from.forEach(piece -> piece.fill((byte) 0));
            events.clear();
            client.get(
                    client.bind(MdConfig.of(from.toArray(MemorySegment[]::new))
                            .withHandler(event ->
                                    events.add(event.kind() + " of " + event.messageType() + " " + event.mlength()))),
                    Nid.ANY,
                    ProcessId.of(IbWorld.nid(0, 0)),
                    PORTAL,
                    1,
                    0);
            assertThat(world.time().runUntil(() -> events.size() == 2, 10 * IbWorld.SECOND))
                    .as("%s", events)
                    .isTrue();
            assertThat(events).as("no REPLY goes over the wire").contains("REPLY of GET " + length);
            check(from);
        }
    }

    @ParameterizedTest
    @CsvSource({"aligned", "unaligned-first", "short-last", "interior-gap", "all-gaps", "smallest"})
    @Requirement({"mod-016", "mod-052", "ibl-070", "sv-004"})
    void everyShapeArrivesInEveryMode(String shape) {
        for (Registration mode : Registration.values()) {
            for (MemoryModel model : List.of(REAL, MemoryModel.MERGED)) {
                IbWorld world = new IbWorld(100_000_000, 1, card(mode), model);
                List<MemorySegment> sink = memory(shape);
                Tunables tunables = Tunables.DEFAULT.with(O2ibTunable.USE_FASTREG_GAPS, 1);
                write(world, tunables, memory(shape), sink);
                check(sink);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GLOBAL, aligned, 256",
        "GLOBAL, unaligned-first, 257",
        "GLOBAL, short-last, 4",
        "GLOBAL, interior-gap, 3",
        "GLOBAL, all-gaps, 100",
        "GLOBAL, smallest, 2",
        "FMR, aligned, 1",
        "FMR, unaligned-first, 1",
        "FMR, short-last, 1",
        "FMR, interior-gap, 3",
        "FMR, all-gaps, 100",
        "FMR, smallest, 1",
        "FASTREG, aligned, 1",
        "FASTREG, unaligned-first, 1",
        "FASTREG, short-last, 1",
        "FASTREG, interior-gap, 0",
        "FASTREG, all-gaps, 0",
        "FASTREG_GAPS, interior-gap, 1",
        "FASTREG_GAPS, all-gaps, 1",
        "ARENA, aligned, 0"
    })
    @Requirement({"mod-052", "ibl-070"})
    void theDescriptorHasAsManyFragmentsAsTheModeNeeds(Registration mode, String shape, int fragments) {
        IbWorld world = world(mode);
        RegionPool pool = new RegionPool(world.device(0, 0).openPd(), mode, 10);
        List<MemorySegment> pieces = memory(shape);
        int bytes = fill(pieces);
        MappedMemory mapped = pool.map(
                TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), bytes).over(pieces), bytes, 257, NO_QP);
        if (mapped == null) {
            assertThat(fragments).as("it is copied").isZero();
            return;
        }
        RdmaDescriptor descriptor = new RdmaDescriptor();
        mapped.describe(descriptor, bytes, true);
        assertThat(descriptor.count()).isEqualTo(fragments);
        assertThat(descriptor.totalBytes()).isEqualTo(bytes);
        pool.giveBack(mapped, true);
    }

    @ParameterizedTest
    @CsvSource({
        "FMR, all-gaps, 32",
        "GLOBAL, aligned, 32",
        "GLOBAL, aligned, 1",
        "FASTREG, aligned, 1",
        "FASTREG_GAPS, all-gaps, 1",
        "ARENA, aligned, 1"
    })
    @Requirement("mod-053")
    void whatTakesMoreFragmentsThanWereAgreedOnIsCopiedAndTheConnectionStays(
            Registration mode, String shape, int fragments) throws Exception {
        List<MemorySegment> pieces = memory(shape);
        int bytes = fill(pieces);
        PeerExchange exchange = new PeerExchange(world(mode));
        KibMessage request = exchange.putTo(fragments, exchange.message(bytes).over(pieces));
        exchange.acknowledge(request.cookie(), bytes);
        assertThat(exchange.awaitMessage(KibType.PUT_DONE).status()).isEqualTo(bytes);
        for (int i = 0; i < bytes; i++) {
            if (exchange.peer().sinkByte(i) != byteAt(i)) {
                throw new AssertionError("byte " + i + " is wrong");
            }
        }
        assertThat(exchange.outcome().health()).isEqualTo(HealthStatus.OK);
        assertThat(exchange.peer().had(CmEvent.Type.DISCONNECTED)).isFalse();
        RegionPool pool = new RegionPool(world(mode).device(0, 0).openPd(), mode, 10);
        MappedMemory mapped = pool.map(exchange.message(bytes).over(pieces), bytes, fragments, NO_QP);
        assertThat(mapped == null)
                .as("as a sink, too, it would be copied")
                .isEqualTo(mode == Registration.FMR || mode == Registration.GLOBAL || mode == Registration.ARENA);
    }

    @ParameterizedTest
    @CsvSource({"GLOBAL, aligned, unaligned-first", "FMR, all-gaps, aligned", "FASTREG, unaligned-first, aligned"})
    @Requirement("mod-052")
    void sourceAndSinkMayHaveDifferentShapes(Registration mode, String from, String to) {
        IbWorld world = world(mode);
        List<MemorySegment> source = memory(from);
        List<MemorySegment> sink = memory(to);
        write(world, Tunables.DEFAULT, source, sink);
        long length = source.stream().mapToLong(MemorySegment::byteSize).sum();
        check(List.of(sink.getFirst().asSlice(0, length)));
    }
}

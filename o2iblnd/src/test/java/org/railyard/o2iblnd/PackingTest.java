package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.WireFormatException;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibHeader;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.Packing;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;

/** Several small messages in one, between nodes that both know it (spec 20 §23). */
class PackingTest {
    private static final long STAMP = 5;
    private static final int DEPTH = 8;
    private static final int SMALL = 64;

    private final IbWorld world = new IbWorld(100_000_000);
    private final KeepingStack stack = new KeepingStack();
    private final KeepingStack far = new KeepingStack();
    private final Nid here = IbWorld.nid(0, 0);
    private final Nid there = IbWorld.nid(1, 0);
    private final RawPeer raw = new RawPeer(world.node(1), there.nid4(), STAMP);
    private TestNi ni = IbWorld.ni(0, 0);
    private O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);
    private final TestNi farNi = IbWorld.ni(1, 0);
    private final O2ibLnd farLnd = world.start(1, far, Tunables.DEFAULT);
    private long stamp;

    private static TestNi ni(int machine, Map<String, Integer> tunables) {
        return new TestNi(IbWorld.nid(machine, 0), "ib0", tunables);
    }

    /** The raw peer asks for a connection. */
    private void connectRaw() throws WireFormatException {
        connectRaw(raw.request(here.nid4(), 0, DEPTH, 257));
    }

    private void connectRaw(KibMessage request) throws WireFormatException {
        lnd.startup(ni);
        ask(request);
        KibMessage answer = new KibMessage();
        answer.read(raw.last().privateData(), 0, raw.last().privateData().byteSize());
        stamp = answer.header().sourceStamp();
    }

    private void ask(KibMessage request) {
        raw.connect(
                new CmAddress(IbWorld.address(1, 0), 1000),
                new CmAddress(IbWorld.address(0, 0), Kib.SERVICE_PORT),
                RawPeer.bytes(request));
        assertThat(world.time().runUntil(() -> raw.had(CmEvent.Type.ESTABLISHED), IbWorld.SECOND))
                .isTrue();
    }

    private void greet() {
        KibMessage noop = raw.message(here.nid4(), stamp);
        noop.setGreeting(Kib.V2);
        MemorySegment bytes = RawPeer.bytes(noop);
        Packing.writeNoop(bytes, 0);
        raw.send(bytes, Packing.NOOP_BYTES);
        world.time().run(IbWorld.SECOND / 10);
    }

    private void send(long first, int count, int length) {
        for (long bits = first; bits < first + count; bits++) {
            assertThat(lnd.send(ni, TestMessage.put(here, there, length, bits))).isZero();
        }
        world.time().run(IbWorld.SECOND / 10);
    }

    private List<KibMessage> immediate() {
        return raw.received().stream()
                .filter(message -> message.type() == KibType.IMMEDIATE)
                .toList();
    }

    @Test
    void aPeerThatKnowsItGetsManyInOne() throws Exception {
        connectRaw();
        assertThat(Packing.isInAcceptance(raw.last().privateData())).isTrue();
        greet();
        send(0, 30, SMALL);
        int one = LNetHeader.NID4_BYTES + SMALL;
        assertThat(immediate())
                .extracting(message -> message.header().bytes())
                .containsExactly(KibHeader.BYTES + 29 * one, KibHeader.BYTES + one);
        assertThat(stack.outcomes()).hasSize(30).containsOnly(HealthStatus.OK);
        assertThat(immediate().getFirst().lnet().matchBits()).isZero();
    }

    /** Kernels do not say so; nor does whoever says so where nothing was offered. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPeerThatDoesNotSaySoGetsEachOnItsOwn(boolean greets) throws Exception {
        ni = greets ? ni(0, Map.of("pack", 0)) : ni;
        connectRaw();
        assertThat(Packing.isInAcceptance(raw.last().privateData())).isEqualTo(!greets);
        if (greets) {
            greet();
        }
        send(0, 5, SMALL);
        assertThat(immediate())
                .hasSize(5)
                .allMatch(message -> message.header().bytes() == KibMessage.PAYLOAD_OFFSET + SMALL);
    }

    @Test
    void theOldVersionDoesNotKnowIt() throws Exception {
        KibMessage request = raw.message(here.nid4(), 0);
        request.setConnection(Kib.V1, KibType.CONNREQ, ConnectionParameters.of(DEPTH, 256));
        connectRaw(request);
        assertThat(Packing.isInAcceptance(raw.last().privateData())).isFalse();
    }

    private void startFar() {
        lnd.startup(ni);
        farLnd.startup(farNi);
        send(0, 1, SMALL);
    }

    /** Sizes that fit at the first place, at a later one, or not with others at all. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void allArriveInOrderWithTheirPayload(long seed) {
        startFar();
        SplittableRandom random = new SplittableRandom(seed);
        for (int bits = 1; bits <= 1000; bits++) {
            int length = random.nextInt(4) == 0 ? random.nextInt(3977) : random.nextInt(200);
            assertThat(lnd.send(ni, TestMessage.put(here, there, length, bits))).isZero();
            if (random.nextInt(20) == 0) {
                world.time().run(random.nextLong(50_000));
            }
        }
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 1001, IbWorld.SECOND))
                .isTrue();
        assertThat(far.arrived())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(0, 1000).boxed().toList());
        assertThat(far.spoilt()).isEmpty();
        assertThat(far.waiting()).isZero();
        assertThat(stack.outcomes()).containsOnly(HealthStatus.OK);
    }

    @Test
    void checksumsAreOverAllOfIt() {
        lnd.close();
        lnd = world.start(0, stack, Tunables.DEFAULT.with(O2ibTunable.CKSUM, 1));
        startFar();
        send(1, 100, SMALL);
        assertThat(far.arrived()).hasSize(101);
        assertThat(far.spoilt()).isEmpty();
    }

    @Test
    void theNextOneWaitsForTheAnswerToTheOneBefore() {
        startFar();
        far.hold(true);
        send(1, 4, SMALL);
        assertThat(stack.outcomes()).as("they are there").hasSize(5);
        for (int i = 1; i <= 4; i++) {
            assertThat(far.arrived()).hasSize(1 + i);
            far.answerNext();
            world.time().run(IbWorld.SECOND / 10);
        }
        assertThat(far.spoilt()).isEmpty();
        assertThat(far.waiting()).isZero();
        far.hold(false);
        send(5, 200, SMALL);
        assertThat(far.arrived()).as("the buffer is free again").hasSize(205);
    }

    /** Who was asked for the connection packs, too, when it was told that it may. */
    @Test
    void bothSidesPack() {
        startFar();
        stack.hold(true);
        for (long bits = 1; bits <= 30; bits++) {
            assertThat(farLnd.send(farNi, TestMessage.put(there, here, SMALL, bits)))
                    .isZero();
        }
        world.time().run(IbWorld.SECOND / 10);
        assertThat(far.outcomes())
                .as("there are 8 credits, and none comes back")
                .hasSize(30);
    }

    @Test
    void whatIsPackedOnAConnectionThatEndsIsNoMoreOnTheNextOne() {
        startFar();
        for (int round = 0; round < 3; round++) {
            int before = stack.outcomes().size();
            world.device(0, 0).haltSends(true);
            send(100L * round, 20, SMALL);
            lnd.dropConnections(ni, there);
            world.device(0, 0).haltSends(false);
            world.time().run(IbWorld.SECOND);
            assertThat(stack.outcomes()).hasSize(before + 20);
            for (int i = 0; i < 40; i++) {
                send(1000 + i, 1, i % 2 == 0 ? SMALL : 3900);
            }
            assertThat(stack.outcomes()).hasSize(before + 60);
            assertThat(stack.outcomes().subList(before + 20, before + 60)).containsOnly(HealthStatus.OK);
        }
        assertThat(far.spoilt()).isEmpty();
    }

    @Test
    void anNiThatStopsIsShownNothingMore() {
        startFar();
        far.hold(true);
        send(1, 4, SMALL);
        farLnd.shutdown(farNi);
        far.answerNext();
        world.time().run(IbWorld.SECOND);
        assertThat(far.arrived()).containsExactly(0L, 1L);
    }

    /** To their sender they are delivered, so they are for their receiver, too. */
    @Test
    void whatIsThereWholeIsDeliveredBehindTheEnd() {
        startFar();
        far.hold(true);
        send(1, 4, SMALL);
        far.hold(false);
        lnd.dropConnections(ni, there);
        world.time().run(IbWorld.SECOND);
        assertThat(far.arrived()).hasSize(2);
        far.answerNext();
        world.time().run(IbWorld.SECOND);
        assertThat(far.arrived()).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(far.spoilt()).isEmpty();
        assertThat(far.waiting()).isZero();
    }

    @Test
    void oneWhoseMemoryIsGoneFailsAlone() {
        startFar();
        List<Arena> gone = new ArrayList<>();
        for (long bits = 1; bits <= 9; bits++) {
            Arena arena = Arena.ofShared();
            ByteBuffer bytes = arena.allocate(SMALL).asByteBuffer();
            for (int i = 0; i < SMALL; i++) {
                bytes.put(i, TestMessage.pattern(bits, i));
            }
            if (bits % 4 == 1) {
                gone.add(arena);
            }
            assertThat(lnd.send(ni, TestMessage.put(here, there, bits, bytes))).isZero();
        }
        gone.forEach(Arena::close);
        world.time().run(IbWorld.SECOND / 10);
        assertThat(far.arrived()).containsExactly(0L, 2L, 3L, 4L, 6L, 7L, 8L);
        assertThat(far.spoilt()).isEmpty();
        assertThat(stack.outcomes()).hasSize(10);
        assertThat(stack.outcomes().stream().filter(each -> each == HealthStatus.LOCAL_ERROR))
                .hasSize(3);
    }

    /** Returns an IMMEDIATE of the raw peer with so many bytes behind it. */
    private MemorySegment followed(byte[] more) {
        LNetHeader header = new LNetHeader();
        header.setPut(SMALL, -1, -1, 7, 77, 0, 0);
        header.setRoute(here, 12_345, there, 12_345);
        KibMessage message = raw.message(here.nid4(), stamp);
        message.setImmediate(Kib.V2, header, SMALL);
        message.header().setBytes(KibMessage.PAYLOAD_OFFSET + SMALL + more.length);
        MemorySegment bytes = RawPeer.bytes(message);
        for (int i = 0; i < SMALL; i++) {
            bytes.set(ValueLayout.JAVA_BYTE, KibMessage.PAYLOAD_OFFSET + i, TestMessage.pattern(77, i));
        }
        MemorySegment.copy(MemorySegment.ofArray(more), 0, bytes, KibMessage.PAYLOAD_OFFSET + SMALL, more.length);
        return bytes;
    }

    private void sendRaw(byte[] more) {
        MemorySegment bytes = followed(more);
        raw.send(bytes, bytes.byteSize());
        world.time().run(IbWorld.SECOND / 10);
    }

    @Test
    void aLengthThatIsNotThereEndsTheConnection() throws Exception {
        connectRaw();
        LNetHeader header = new LNetHeader();
        header.setPut(SMALL + 1, -1, -1, 7, 78, 0, 0);
        header.setRoute(here, 12_345, there, 12_345);
        byte[] more = new byte[LNetHeader.NID4_BYTES + SMALL];
        header.write(MemorySegment.ofArray(more), 0, false);
        sendRaw(more);
        assertThat(stack.arrived()).containsExactly(77L);
        assertThat(raw.had(CmEvent.Type.DISCONNECTED)).isTrue();
    }

    @Test
    void whatIsTooShortForAHeaderIsNone() throws Exception {
        connectRaw();
        sendRaw(new byte[LNetHeader.NID4_BYTES - 1]);
        sendRaw(new byte[0]);
        assertThat(stack.arrived()).containsExactly(77L, 77L);
        assertThat(raw.had(CmEvent.Type.DISCONNECTED)).isFalse();
    }

    /** Whatever follows, the first one arrives, and others can connect and send. */
    @Test
    void rubbishBehindAMessageHurtsNobody() throws Exception {
        SplittableRandom random = new SplittableRandom(4);
        connectRaw();
        for (int i = 1; i <= 200; i++) {
            byte[] more = new byte[random.nextInt(Kib.MESSAGE_BYTES - KibMessage.PAYLOAD_OFFSET - SMALL)];
            random.nextBytes(more);
            if (more.length >= LNetHeader.NID4_BYTES && random.nextBoolean()) {
                LNetHeader header = new LNetHeader();
                header.setPut(random.nextInt(more.length), -1, -1, 7, 78, 0, 0);
                header.setRoute(here, 12_345, there, 12_345);
                header.write(MemorySegment.ofArray(more), 0, false);
            }
            int before = stack.arrived().size();
            sendRaw(more);
            assertThat(stack.arrived().subList(before, before + 1)).containsExactly(77L);
            assertThat(stack.waiting()).isZero();
            if (raw.had(CmEvent.Type.DISCONNECTED)) {
                ask(raw.request(here.nid4(), 0, DEPTH, 257));
            }
        }
    }
}

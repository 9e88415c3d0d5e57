package org.railyard.roce.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.net.Datagrams.Sent;
import org.railyard.roce.net.Datagrams.Unsent;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.UdpRoute;

/** What every network of this machine does, over loopback. */
public abstract class DatagramsContract {
    private static final int HERE = 0x7F00_2E01;
    private static final int THERE = 0x7F00_2E02;
    private static final int PORT = 14_797;
    private static final long LIMIT_NANOS = 30_000_000_000L;

    private final RoceCounters counters = new RoceCounters();
    private @Nullable Datagrams near;
    private @Nullable Datagrams far;
    private Datagrams.@Nullable Socket from;
    private Datagrams.@Nullable Socket to;

    /** Makes a network. */
    protected abstract Datagrams network();

    private static LocalInterface at(int ip) {
        return LocalInterface.find(List.of(LocalInterface.text(ip))).getFirst();
    }

    @BeforeEach
    void open() {
        near = network();
        far = network();
        from = near.open(at(HERE), PORT, counters);
        to = far.open(at(THERE), PORT, counters);
    }

    @AfterEach
    void close() {
        from().close();
        to().close();
        near().close();
        far().close();
    }

    private Datagrams near() {
        return there(near);
    }

    private Datagrams far() {
        return there(far);
    }

    private Datagrams.Socket from() {
        return there(from);
    }

    private Datagrams.Socket to() {
        return there(to);
    }

    private static <T> T there(@Nullable T object) {
        if (object == null) {
            throw new IllegalStateException("not open");
        }
        return object;
    }

    private static UdpRoute route(int target) {
        return new UdpRoute(HERE, PORT, target, PORT);
    }

    /** Sends a packet whose payload tells its number. */
    private Sent send(int psn, int length, int target, Unsent unsent) {
        Frame frame = from().outgoing().begin(Opcode.SEND_ONLY, 7, false, false, psn);
        frame.memory().asSlice(frame.payloadOffset(), length).fill((byte) psn);
        frame.payload(length);
        return from().send(route(target), unsent, psn);
    }

    /** Sends packets as fast as they are taken, and takes them from the other side meanwhile. */
    private List<Integer> exchange(int... lengths) {
        List<Integer> came = new ArrayList<>();
        Frame frame = new Frame();
        int sent = 0;
        long end = System.nanoTime() + LIMIT_NANOS;
        while (came.size() < lengths.length) {
            assertThat(System.nanoTime() - end)
                    .as("%d of %d packets came", came.size(), lengths.length)
                    .isNegative();
            while (sent < lengths.length && sent - came.size() < 32) {
                if (send(sent, lengths[sent], THERE, psn -> came.add(-1)) == Sent.BUSY) {
                    break;
                }
                sent++;
            }
            from().flush();
            far().await(1_000_000);
            for (UdpRoute way = to().receive(frame); way != null; way = to().receive(frame)) {
                assertThat(way).isEqualTo(route(THERE));
                assertThat(frame.arrived(way)).isEqualTo(Frame.Fault.NONE);
                assertThat(frame.payloadLength()).isEqualTo(lengths[frame.psn()]);
                assertThat(frame.memory()
                                .asSlice(frame.payloadOffset(), frame.payloadLength())
                                .toArray(ValueLayout.JAVA_BYTE))
                        .containsOnly((byte) frame.psn());
                came.add(frame.psn());
            }
        }
        return came;
    }

    private static List<Integer> upTo(int count) {
        return java.util.stream.IntStream.range(0, count).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 64, 1024, 4096})
    void equalPacketsComeInOrder(int length) {
        int[] lengths = new int[500];
        java.util.Arrays.fill(lengths, length);
        assertThat(exchange(lengths)).isEqualTo(upTo(500));
        assertThat(counters.get(Counter.SEND_FAILURES)).isZero();
    }

    @Test
    void packetsOfAllLengthsComeInOrder() {
        java.util.SplittableRandom random = new java.util.SplittableRandom(18);
        int[] lengths = new int[2000];
        for (int i = 0; i < lengths.length; i++) {
            // Often as long as the one before, so that some leave together.
            lengths[i] = i > 0 && random.nextInt(3) > 0 ? lengths[i - 1] : 4 + random.nextInt(4093);
        }
        assertThat(exchange(lengths)).isEqualTo(upTo(lengths.length));
    }

    @Test
    void aPacketLeavesWithTheFlushAtTheLatest() {
        assertThat(send(3, 64, THERE, Unsent.IGNORED)).isEqualTo(Sent.YES);
        from().flush();
        Frame frame = new Frame();
        assertThat(far().await(LIMIT_NANOS)).isTrue();
        UdpRoute way = there(to().receive(frame));
        assertThat(frame.arrived(way)).isEqualTo(Frame.Fault.NONE);
        assertThat(frame.psn()).isEqualTo(3);
        assertThat(to().receive(frame)).isNull();
    }

    /** To the other side of the loopback device there is no way: what is told at once, or with the flush. */
    @Test
    void whatCanNotLeaveIsTold() {
        List<Integer> unsent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            if (send(i, 64, 0xC000_0201, unsent::add) == Sent.NO) {
                unsent.add(i);
            }
        }
        from().flush();
        assertThat(unsent).isEqualTo(upTo(5));
        assertThat(counters.get(Counter.SEND_FAILURES)).isEqualTo(5);
        assertThat(exchange(64, 64)).as("others are not concerned").isEqualTo(upTo(2));
    }

    @Test
    void aWakeupEndsAWait() throws InterruptedException {
        AtomicBoolean woken = new AtomicBoolean();
        Thread waits = new Thread(() -> {
            far().await(LIMIT_NANOS);
            woken.set(true);
        });
        waits.start();
        far().wakeup();
        waits.join();
        assertThat(woken).isTrue();
    }

    @Test
    void aWakeupBeforeAWaitCounts() {
        far().wakeup();
        long start = System.nanoTime();
        far().await(LIMIT_NANOS);
        assertThat(System.nanoTime() - start).isLessThan(LIMIT_NANOS);
    }

    @Test
    void aPortIsHadOnce() {
        assertThatThrownBy(() -> near().open(at(THERE), PORT, counters))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
                .hasMessageContaining("UDP port 14797 of 127.0.46.2 can not be had")
                .hasMessageContaining("rdma_rxe");
    }

    @Test
    void theLoopbackDeviceIsUp() {
        assertThat(near().look(at(HERE)).isUp()).isTrue();
        assertThat(near().look(new LocalInterface("no9", "no9", HERE, 8, 1500))).isEqualTo(Datagrams.Link.NONE);
    }

    /** What is sent to somebody who is not there is lost, and hurts nobody. */
    @Test
    void nobodyListens() {
        assertThat(send(0, 64, THERE + 1, Unsent.IGNORED)).isEqualTo(Sent.YES);
        from().flush();
        assertThat(exchange(64, 64, 8)).isEqualTo(upTo(3));
    }
}

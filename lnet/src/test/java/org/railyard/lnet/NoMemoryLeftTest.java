package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.stack.OwnMemory;
import org.railyard.lnet.wire.MessageType;

/** A process without memory outside its heap: what needs some fails, and works again as soon as there is some. */
@Isolated
class NoMemoryLeftTest extends TwoRails {
    private static final Nid C = Nid.parse("10.0.0.3@tcp");
    private static final Nid B3 = Nid.parse("10.0.2.2@tcp");
    private static final Nid B4 = Nid.parse("10.0.3.2@tcp");

    /** The last is less than anything that a node needs. */
    private static final int[] CHUNKS = {1 << 20, 64};

    @Override
    Settings settings() {
        return Settings.DEFAULT;
    }

    /** All memory outside the heap that the process may have; it comes back when it is asked for after the end. */
    private static final class Hog implements AutoCloseable {
        private final List<ByteBuffer> all = new ArrayList<>();

        Hog() {
            for (int bytes : CHUNKS) {
                take(bytes);
            }
            takeShared();
        }

        /** What is left of the block that small pieces share. */
        private static void takeShared() {
            try {
                while (true) {
                    OwnMemory.allocate(Long.BYTES);
                }
            } catch (ErrnoException e) {
                assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
            }
        }

        private void take(int bytes) {
            try {
                while (true) {
                    all.add(ByteBuffer.allocateDirect(bytes));
                }
            } catch (OutOfMemoryError _) {
                // That was all.
            }
        }

        @Override
        public void close() {
            all.clear();
        }
    }

    @Test
    void discoveryAndPingsFailAndGoOn() {
        net.node(settings(), C.toString());
        try (Hog _ = new Hog()) {
            assertThat(net.awaitError(a.discover(C, false)).errno()).isEqualTo(Errno.ENOMEM);
            assertThatThrownBy(() -> a.ping(C, Nid.ANY, Duration.ofSeconds(1)))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                    .hasMessageContaining("-XX:MaxDirectMemorySize");
        }
        net.await(a.discover(C, false));
        net.await(a.ping(C, Nid.ANY, Duration.ofSeconds(1)));
    }

    @Test
    void pushesAreTakenAgain() {
        net.hold(header -> header.type() == MessageType.PUT);
        b.addNi(net.request(B3.toString()));
        net.settle();
        try (Hog _ = new Hog()) {
            net.hold(header -> false);
            net.releaseAll();
            net.settle();
        }
        net.pass(20);
        b.addNi(net.request(B4.toString()));
        net.pass(1);
        assertThat(a.peers().getFirst().nis()).extracting(each -> each.nid()).contains(B3, B4);
    }

    @Test
    void anNiIsPingedAgain() {
        fail(1, HealthStatus.LOCAL_ERROR);
        put(8, BITS, 0);
        int before = Math.min(healthOf(a, A), healthOf(a, A2));
        assertThat(before).isLessThan(1000);
        try (Hog _ = new Hog()) {
            net.pass(2);
        }
        net.pass(30);
        assertThat(healthOf(a, A)).isEqualTo(1000);
        assertThat(healthOf(a, A2)).isEqualTo(1000);
    }

    @Test
    void aPutThatWouldWaitIsDroppedAndOthersDoWait() {
        Recorder at = new Recorder();
        b.setLazyPortal(PORTAL);
        var early = source(64, new Recorder());
        try (Hog _ = new Hog()) {
            put(early, false);
        }
        assertThat(b.dropCount()).isEqualTo(1);
        put(source(64, new Recorder()), false);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(64)).withOptions(MdOption.OP_PUT).withHandler(at));
        assertThat(at.lines()).containsExactly("PUT");
    }
}

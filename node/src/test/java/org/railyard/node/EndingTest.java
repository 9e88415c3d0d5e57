package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.config.ni.Device;
import org.railyard.control.ConfigOperation;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.LnetOperation;
import org.railyard.control.node.NodeDlc;
import org.railyard.control.node.O2ibs;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.testkit.Allocations;

/** A node that ends while documents are imported, which may take long. */
final class EndingTest {
    private static final int SECONDS = 30;

    private final Machine machine = new Machine();
    private final NodeDlc dlc = new NodeDlc(machine);
    private final List<Dlc> kept = new ArrayList<>();

    /** A machine that does something whenever it is asked for its devices: for a document first, then to apply it. */
    private static final class Machine extends BareMachine {
        private Runnable askedForTargets = () -> {};
        private IntConsumer asked = time -> {};
        private int times;
        private @Nullable LNet started;

        @Override
        public LNetConfig.Builder lnet() {
            return LNetConfig.builder();
        }

        @Override
        public List<Device> devices() {
            asked.accept(++times);
            return List.of();
        }

        @Override
        public @Nullable O2ibs o2ibs() {
            askedForTargets.run();
            return null;
        }

        @Override
        public void started(LNet lnet) {
            started = lnet;
        }

        int peers() {
            return Objects.requireNonNull(started).inventory().peerCount();
        }

        @Override
        public Runnable callAfter(int seconds, Runnable task) {
            throw new AssertionError("nothing is to be confirmed");
        }
    }

    @BeforeEach
    void start() {
        dlc.execute(new LnetOperation.Configure(false, false));
        dlc.onChange(kept::add);
    }

    @AfterEach
    void stop() {
        dlc.close();
    }

    private static ConfigOperation.Import peers(int first, int count, @Nullable String mode) {
        StringBuilder text = new StringBuilder("peer:\n");
        for (int i = first; i < first + count; i++) {
            text.append(String.format("  - primary nid: 10.1.%d.%d@tcp%n", i / 200, 1 + i % 200));
        }
        return new ConfigOperation.Import(text.toString(), "peers.yaml", mode, false, null);
    }

    private static Errno errnoOf(DlcException e) {
        return Errno.ofStatus(e.failures().getFirst().errno());
    }

    @Test
    void theRestOfAnImportIsRefused() {
        machine.asked = time -> {
            if (time == 2) {
                dlc.end();
            }
        };
        DlcException refused = catchThrowableOfType(DlcException.class, () -> dlc.execute(peers(0, 3, "add")));
        assertThat(refused).hasMessageContaining("the service ends; nothing was changed");
        assertThat(machine.peers()).isZero();
        assertThat(kept).as("changes that were kept for the next start").isEmpty();
    }

    @Test
    void theRestOfADeletionIsRefused() {
        dlc.execute(peers(0, 3, "add"));
        kept.clear();
        machine.askedForTargets = dlc::end;
        String text = "o2ibs: [{nid: 10.1.0.1@o2ib, ips: [{ip: 10.1.0.1}]}]\npeer: [{primary nid: 10.1.0.1@tcp}]";
        ConfigOperation.Import both = new ConfigOperation.Import(text, "both.yaml", "del", false, null);
        assertThat(errnoOf(catchThrowableOfType(DlcException.class, () -> dlc.execute(both))))
                .isEqualTo(Errno.ESHUTDOWN);
        assertThat(machine.peers()).isEqualTo(3);
        assertThat(kept).as("changes that were kept for the next start").isEmpty();
    }

    @Test
    void aDocumentThatIsStillReadHoldsUpNoEnd() throws InterruptedException {
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        machine.asked = time -> {
            reads.countDown();
            try {
                assertThat(ended.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        CompletableFuture<Errno> imported = CompletableFuture.supplyAsync(() ->
                errnoOf(catchThrowableOfType(DlcException.class, () -> dlc.execute(peers(0, 3, "add")))));
        assertThat(reads.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        dlc.close();
        ended.countDown();
        assertThat(imported.orTimeout(SECONDS, TimeUnit.SECONDS).join()).isEqualTo(Errno.ESHUTDOWN);
    }

    @Test
    void anImportTakesAsMuchForEachPeerHoweverManyThereAre() {
        Allocations allocations = new Allocations();
        dlc.execute(peers(0, 100, "add"));
        long before = allocations.bytes();
        dlc.execute(peers(100, 300, "add"));
        long few = allocations.bytes() - before;
        dlc.execute(peers(400, 2000, "add"));
        before = allocations.bytes();
        dlc.execute(peers(2400, 300, "add"));
        assertThat(allocations.bytes() - before).as("bytes, beside %d", few).isLessThan(2 * few);
    }
}

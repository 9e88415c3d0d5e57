package org.railyard.itest.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.control.ConfigOperation;
import org.railyard.control.Dlc;
import org.railyard.itest.kit.Await;
import org.railyard.itest.kit.Loopback;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.Requirement;

/**
 * A daemon that is killed while it imports has, at its next start, the configuration from before or the one from after,
 * and nothing in between. A few kills; with {@code -Drailyard.long=true} 200 of them. Another seed: {@code
 * -Drailyard.seed=N}.
 */
@BesideOthers
@Order(4)
final class KilledImportsTest {
    private static final int KILLS = Boolean.getBoolean("railyard.long") ? 200 : 4;

    /**
     * Kills until one of them is in the middle of an import, which on a busy machine may be missed: at most so many.
     */
    private static final int MOST_KILLS = KILLS + 40;

    private static final String DURING = "during the import";
    private static final long SEED = Long.getLong("railyard.seed", 20_261_120L);

    private static final String OWN = "127.0.0.61@tcp";

    private static final String BEFORE = """
        net:
          - net type: tcp
            local NI(s):
              - nid: 127.0.0.61@tcp
        peer:
          - primary nid: 10.5.0.1@tcp
            peer ni:
              - nid: 10.5.0.2@tcp
        """;

    /** Something of many kinds; what it takes to do it can be cut in many places. */
    private static final String MORE = """
        net:
          - net type: tcp1
            local NI(s):
              - nid: 127.0.0.62@tcp1
                tunables: {peer_credits: 16}
              - nid: 127.0.0.63@tcp1
        peer:
          - primary nid: 10.6.0.1@tcp
            peer ni:
              - nid: 10.6.[0-3].[1-20]@tcp
          - primary nid: 10.7.0.1@tcp
            Multi-Rail: false
        global: {numa_range: 7}
        udsp:
          - idx: 0
            src: tcp1
            action: {priority: 1}
          - idx: 1
            dst: 10.6.0.[1-20]@tcp
            action: {priority: 2}
        """;

    private static final String DELETE = "del";

    @TempDir
    private Path dir = Path.of("");

    private final int port = Loopback.freePort();
    private final Random chance = new Random(SEED);

    /** Time that an import takes, as far as that is known, ns. */
    private long usual;

    /** When the daemon was killed, and what it then found. */
    private final Map<String, Integer> outcomes = new TreeMap<>();

    private Lnetd start() throws IOException {
        return new Lnetd(dir, port, List.of());
    }

    /**
     * Returns the configuration. On a busy machine a node may have asked itself whether its NI is well, and then knows
     * itself as a peer: that is left out.
     */
    private static Map<String, Object> backup(Lnetd lnetd) {
        Map<String, Object> all = new LinkedHashMap<>(lnetd.dlc().execute(new ConfigOperation.Export(true)));
        all.computeIfPresent(
                "peer",
                (_, peers) -> ((List<?>) peers)
                        .stream()
                                .filter(each ->
                                        !(each instanceof Map<?, ?> peer && OWN.equals(peer.get("primary nid"))))
                                .toList());
        return all;
    }

    private static ConfigOperation.Import read(String text, String mode) {
        return new ConfigOperation.Import(text, "change", mode, false, null);
    }

    @Test
    @Requirement("cfg-065")
    void theOldConfigurationOrTheNewOneAndNothingInBetween() throws IOException {
        Lnetd lnetd = start();
        try {
            Dlc dlc = lnetd.dlc();
            dlc.execute(read(BEFORE, "add"));
            final Map<String, Object> before = backup(lnetd);
            long begin = System.nanoTime();
            lnetd.dlc().execute(read(MORE, "add"));
            usual = System.nanoTime() - begin;
            final Map<String, Object> after = backup(lnetd);
            assertThat(after).isNotEqualTo(before);
            boolean isBefore = false;
            for (int i = 0; i < KILLS || i < MOST_KILLS && !wasDuring(); i++) {
                String when = killDuring(lnetd, read(MORE, isBefore ? "add" : DELETE));
                lnetd = start();
                Map<String, Object> found = backup(lnetd);
                String context = "seed " + SEED + ", kill " + i + ", " + when;
                assertThat(found).as(context).isIn(before, after);
                boolean done = found.equals(before) != isBefore;
                assertThat(done || !when.equals("after the answer")).as(context).isTrue();
                assertThat(done && when.equals("before the import")).as(context).isFalse();
                outcomes.merge(when + ": " + (done ? "new" : "old"), 1, Integer::sum);
                isBefore = found.equals(before);
            }
        } finally {
            lnetd.close();
        }
        System.out.println("kills: " + outcomes);
        assertThat(wasDuring()).as("one was killed in the middle: %s", outcomes).isTrue();
    }

    private boolean wasDuring() {
        return outcomes.keySet().stream().anyMatch(outcome -> outcome.startsWith(DURING));
    }

    /** Returns when it was killed. */
    private String killDuring(Lnetd lnetd, ConfigOperation.Import read) {
        long delay = (long) (usual * (chance.nextDouble() * 1.2 - 0.1));
        if (delay < 0) {
            lnetd.kill();
            return "before the import";
        }
        long end = System.nanoTime() + delay;
        Thread killer = Thread.ofPlatform().start(() -> {
            for (long left = delay; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            lnetd.kill();
        });
        boolean answered = false;
        long took = 0;
        try {
            lnetd.dlc().execute(read);
            answered = true;
            took = System.nanoTime() - end + delay;
        } catch (UncheckedIOException e) {
            // Nobody is there any more to answer.
        }
        try {
            killer.join();
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
        // So that kills stay around the moment when all is done but for the answer.
        usual = answered ? (usual + took) / 2 : usual + usual / 20;
        return answered ? "after the answer" : DURING;
    }

    @Test
    void whatNobodyConfirmedIsNotKept() throws IOException {
        Map<String, Object> before;
        try (Lnetd lnetd = start()) {
            lnetd.dlc().execute(read(BEFORE, "add"));
            before = backup(lnetd);
            lnetd.dlc().execute(new ConfigOperation.Import(MORE, "change", "add", false, 600));
            assertThat(backup(lnetd)).isNotEqualTo(before);
            lnetd.kill();
        }
        try (Lnetd lnetd = start()) {
            assertThat(backup(lnetd)).isEqualTo(before);
        }
    }
}

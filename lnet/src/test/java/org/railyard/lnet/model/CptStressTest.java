package org.railyard.lnet.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

/**
 * The CPU partition that a message was counted on stays the one that counts, however often those of its NI change
 * meanwhile.
 */
class CptStressTest {
    private static final int SEEDS = Boolean.getBoolean("railyard.long") ? 2000 : 100;
    private static final int STEPS = 400;
    private static final int CPTS = 4;
    private static final NetTunables TUNABLES = new NetTunables(180, 1, 0, 8);

    /** Messages that hold a credit, with the pool that it is of. */
    private final Map<Message, Credits> holding = new LinkedHashMap<>();

    private final List<Message> waiting = new ArrayList<>();

    private static Message messageTo(int number) {
        Peer peer = new Peer(Nid.of(Net.TCP, number));
        Message message = new Message();
        message.path().peerNi = new PeerNi(peer.primaryNid, new PeerNet(Net.TCP, peer), 1);
        return message;
    }

    private void commit(NiCredits credits, Message message) {
        if (credits.take(message)) {
            committed(message);
        } else {
            waiting.add(message);
        }
    }

    private void committed(Message message) {
        assertThat(message.credits().niPool).isNotNull();
        holding.put(message, message.credits().niPool);
    }

    private void giveBack(NiCredits credits, Message message) {
        assertThat(message.credits().niPool).as("what it was committed with").isSameAs(holding.remove(message));
        Message next = credits.giveBack(message);
        if (next != null) {
            assertThat(waiting.remove(next)).isTrue();
            committed(next);
        }
    }

    private static int[] someCpts(Random random) {
        int[] some = IntStream.range(0, CPTS).filter(i -> random.nextBoolean()).toArray();
        return some.length == 0 ? new int[] {random.nextInt(CPTS)} : some;
    }

    private void move(NiCredits credits, int[] cpts) {
        MessageQueue going = new MessageQueue();
        credits.move(cpts, going);
        for (Message next = going.poll(); next != null; next = going.poll()) {
            assertThat(waiting.remove(next)).as("only what waited is let go").isTrue();
            committed(next);
        }
        waiting.forEach(each -> assertThat(each.credits().niPool)
                .as("what waits, waits at a pool")
                .isNotNull());
    }

    private static <T> T any(Random random, Iterable<T> from, int size) {
        int skip = random.nextInt(size);
        for (T each : from) {
            if (skip-- == 0) {
                return each;
            }
        }
        throw new AssertionError("fewer than " + size);
    }

    @Test
    @Requirement("rsl-136")
    void whatWasCommittedOnAPartitionEndsThere() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            NiCredits credits = new NiCredits(TUNABLES, IntStream.range(0, CPTS).toArray());
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(8)) {
                    case 0 -> move(credits, someCpts(random));
                    case 1, 2, 3, 4 -> commit(credits, messageTo(1 + random.nextInt(200)));
                    default -> {
                        if (!holding.isEmpty()) {
                            giveBack(credits, any(random, holding.keySet(), holding.size()));
                        }
                    }
                }
                holding.forEach((message, pool) -> assertThat(message.credits().niPool)
                        .as("while it is on its way")
                        .isSameAs(pool));
                assertThat(credits.value()).isEqualTo(credits.max() - holding.size() - waiting.size());
            }
            while (!holding.isEmpty()) {
                giveBack(credits, any(random, holding.keySet(), holding.size()));
            }
            assertThat(waiting).as("seed %d: all had their turn", seed).isEmpty();
            for (int i = 0; i < credits.cpts().length; i++) {
                assertThat(credits.value(i) * credits.cpts().length)
                        .as("seed %d, partition %d has all its credits and no more", seed, credits.cpts()[i])
                        .isEqualTo(credits.max());
            }
        }
    }

    @Test
    @Requirement("rsl-136")
    void aMessageIsCountedWhereItsNextHopIs() {
        int[] cpts = {0, 1, 2, 3};
        NiCredits credits = new NiCredits(TUNABLES, cpts);
        for (int number = 1; number < 20; number++) {
            Message message = messageTo(number);
            int place = CptTable.ofNid(Nid.of(Net.TCP, number), cpts);
            int before = credits.value(place);
            assertThat(credits.take(message)).isTrue();
            assertThat(credits.value(place)).isEqualTo(before - 1);
            move(credits, new int[] {(place + 1) % CPTS});
            move(credits, cpts);
            credits.giveBack(message);
        }
    }
}

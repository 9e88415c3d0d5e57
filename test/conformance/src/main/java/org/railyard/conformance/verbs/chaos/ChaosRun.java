package org.railyard.conformance.verbs.chaos;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmId;

/**
 * Connections, messages and faults by a seed, between three nodes in virtual time: ends that connect, send, write,
 * write what they may not, disconnect, fail and close at any moment; lost and repeated packets, nodes that are cut off,
 * ports that are down. Once all is whole, each end has been told what a {@link ChaosLedger} expects, and behind the
 * last one nothing is left in the cards.
 */
public final class ChaosRun {
    private static final int NODES = 3;
    private static final int SERVICE = 987;
    private static final int ACTIONS = 400;
    private static final int BURST = 4;
    private static final int RECEIVES = 8;
    private static final long SECOND = 1_000_000_000L;

    /** From one action to the next, as a rule and now and then, ns. */
    private static final int STEP = 2_000_000;

    private static final int LONG_STEP = 300_000_000;

    /** How often receives are posted until all that waits for them has come; more than there are requests of an end. */
    private static final int ROUNDS = 40;

    /** What was planted shows in one of so many places. */
    private static final int PLANTED_IN = 20;

    private final VerbsFixture world;
    private final SplittableRandom random;
    private final SplittableRandom hits;
    private final Planted planted;
    private final Arena arena = Arena.ofShared();
    private final List<ChaosNode> nodes = new ArrayList<>();
    private final List<ChaosEnd> ends = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private int connections;
    private int messages;
    private int down = -1;
    private int cutOne = -1;
    private int cutOther;

    /**
     * Makes one.
     *
     * @param world in virtual time; it is closed with the run
     * @param planted what is wrong on purpose
     */
    public ChaosRun(VerbsFixture world, long seed, Planted planted) {
        this.world = world;
        this.random = new SplittableRandom(seed);
        this.hits = new SplittableRandom(~seed);
        this.planted = planted;
        for (int i = 0; i < NODES; i++) {
            nodes.add(new ChaosNode(this, i, world.provider(i)));
            nodes.getLast().listen(world.address(i, SERVICE));
        }
    }

    SplittableRandom random() {
        return random;
    }

    Arena arena() {
        return arena;
    }

    List<ChaosEnd> ends() {
        return ends;
    }

    CmAddress address(ChaosNode node, int port) {
        return world.address(node.number(), port);
    }

    void violation(String what) {
        violations.add(what);
    }

    void noteConnection() {
        connections++;
    }

    void noteMessage() {
        messages++;
    }

    /** Returns how many ends were told that they are connected, in all. */
    public int connections() {
        return connections;
    }

    /** Returns how many messages arrived, in all. */
    public int messages() {
        return messages;
    }

    /** Tells whether something that was planted shows here. */
    boolean isHit(Planted which) {
        return planted == which && hits.nextInt(PLANTED_IN) == 0;
    }

    /** Does something of which an exception is a violation. */
    void guard(String who, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            violation(who + " met " + e + " at " + List.of(e.getStackTrace()).getFirst());
        }
    }

    /** Somebody was asked for a connection. */
    ChaosEnd asked(ChaosNode node, CmId request, long serial) {
        ends.add(new ChaosEnd(this, node, ends.size(), request, ends.get((int) serial)));
        return ends.getLast();
    }

    /** Runs; returns what was wrong, nothing as a rule. */
    public List<String> run() {
        try (arena) {
            for (int i = 0; i < ACTIONS && violations.isEmpty(); i++) {
                act();
                world.pass(random.nextInt(4) == 0 ? random.nextInt(LONG_STEP) : random.nextInt(STEP));
            }
            repair();
            settle();
            ends.forEach(ChaosEnd::checkEnd);
            closeAll();
            world.close();
        }
        return violations;
    }

    private void act() {
        int which = random.nextInt(100);
        if (which < 12) {
            ask(nodes.get(random.nextInt(NODES)), nodes.get(random.nextInt(NODES)));
        } else if (which < 70) {
            withUsable(this::send);
        } else if (which < 80) {
            withUsable(end -> end.postReceives(1 + random.nextInt(RECEIVES)));
        } else if (which < 83) {
            withAny(ChaosEnd::close);
        } else if (which < 86) {
            withAny(ChaosEnd::disconnect);
        } else if (which < 88) {
            withUsable(ChaosEnd::fail);
        } else if (which < 90) {
            cut();
        } else if (which < 92) {
            world.disturb(random.nextInt(3) == 0 ? 0 : random.nextDouble() * 0.2, random.nextDouble() * 0.1);
        } else if (which < 93) {
            takeDown();
        }
    }

    private void ask(ChaosNode from, ChaosNode to) {
        from.perform(() -> {
            ChaosEnd end = new ChaosEnd(this, from, ends.size());
            ends.add(end);
            end.ask(address(to, SERVICE));
        });
    }

    private void send(ChaosEnd end) {
        boolean wrong = random.nextInt(150) == 0;
        int count = 1 + random.nextInt(BURST);
        for (int i = 0; i < count; i++) {
            end.send(wrong);
        }
    }

    private void withUsable(Consumer<ChaosEnd> action) {
        with(ends.stream().filter(ChaosEnd::isUsable).toList(), action);
    }

    private void withAny(Consumer<ChaosEnd> action) {
        with(ends, action);
    }

    private void with(List<ChaosEnd> some, Consumer<ChaosEnd> action) {
        if (!some.isEmpty()) {
            ChaosEnd end = some.get(random.nextInt(some.size()));
            end.node().perform(() -> action.accept(end));
        }
    }

    /** Cuts two nodes off from each other, or connects those that are. */
    private void cut() {
        if (cutOne >= 0) {
            world.cut(cutOne, cutOther, false);
            cutOne = -1;
        } else {
            cutOne = random.nextInt(NODES);
            cutOther = random.nextInt(NODES);
            world.cut(cutOne, cutOther, true);
        }
    }

    /** Takes a port down, or brings that back which is. */
    private void takeDown() {
        if (down >= 0) {
            world.port(down, true);
            down = -1;
        } else {
            down = random.nextInt(NODES);
            world.port(down, false);
        }
    }

    private void repair() {
        if (cutOne >= 0) {
            cut();
        }
        if (down >= 0) {
            takeDown();
        }
        world.disturb(0, 0);
    }

    /** Lets all come to its end that is under way; then each end that is up sends once more, so that it knows it is. */
    private void settle() {
        for (int part = 0; part < 2; part++) {
            for (int round = 0; round < ROUNDS; round++) {
                ends.forEach(end -> end.node().perform(() -> end.postReceives(Integer.MAX_VALUE)));
                world.pass(2 * SECOND);
            }
            ends.forEach(end -> end.node().perform(() -> end.send(false)));
        }
    }

    private void closeAll() {
        if (planted != Planted.LEFT) {
            ends.forEach(end -> end.node().perform(end::closeAll));
        }
        world.pass(200 * SECOND);
        for (ChaosNode node : nodes) {
            if (node.queuePairs() != 0) {
                violation(node + " keeps " + node.queuePairs() + " queue pairs");
            }
        }
    }
}

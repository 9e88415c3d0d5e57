package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Nid;

/**
 * The send credits of an NI: a pool for each of its CPU partitions (spec 10 §7). A message belongs to the partition
 * that its next hop's NID is counted on.
 */
public final class NiCredits {
    private final NetTunables tunables;
    private int[] cpts;
    private Credits[] pools;

    /** Messages that hold a credit of any pool, those of former partitions included, or wait for one. */
    private int outstanding;

    private int max;
    private int min;

    /**
     * Makes full pools.
     *
     * @param cpts the partitions, at least one
     */
    public NiCredits(NetTunables tunables, int[] cpts) {
        this.tunables = tunables;
        this.cpts = cpts;
        this.pools = new Credits[cpts.length];
        for (int i = 0; i < cpts.length; i++) {
            pools[i] = new Credits(perCpt());
        }
        this.max = perCpt() * cpts.length;
        this.min = max;
    }

    /** Returns the credits of each partition: an equal share, but enough for eight peers. */
    private int perCpt() {
        int credits = tunables.credits();
        return cpts.length == 1
                ? credits
                : Math.min(credits, Math.max(credits / cpts.length, 8 * tunables.peerCredits()));
    }

    /** Takes a credit; returns false if there is none, then the message waits in line. */
    public boolean take(Message message) {
        outstanding++;
        min = Math.min(min, value());
        Credits pool = poolOf(message);
        message.credits().niPool = pool;
        return pool.take(message);
    }

    private Credits poolOf(Message message) {
        if (cpts.length == 1 || message.peerNi() == null) {
            return pools[0];
        }
        Nid nid = message.peerNi().nid();
        int cpt = CptTable.ofNid(nid, cpts);
        for (int i = 1; i < cpts.length; i++) {
            if (cpts[i] == cpt) {
                return pools[i];
            }
        }
        return pools[0];
    }

    /** Takes the credit of a message back; returns the message that gets it at once, or null. */
    public @Nullable Message giveBack(Message message) {
        Credits pool = message.credits().niPool;
        message.credits().niPool = null;
        outstanding--;
        return pool == null ? null : pool.giveBack();
    }

    /** Takes a message out of the line that waits here; it never had a credit. */
    public void withdraw(Message message) {
        Credits pool = message.credits().niPool;
        if (pool != null) {
            pool.withdraw(message);
            message.credits().niPool = null;
            outstanding--;
        }
    }

    /** Returns a message that waits, still in line, the first of its partition; null if none waits. */
    public @Nullable Message first() {
        for (Credits pool : pools) {
            Message message = pool.first();
            if (message != null) {
                return message;
            }
        }
        return null;
    }

    /**
     * Changes the partitions. What holds a credit keeps it until it is done; what waits at a partition that is none of
     * them any more waits at another.
     *
     * @param now the partitions from now on, at least one
     * @param going takes the messages that have a credit now
     */
    public void move(int[] now, MessageQueue going) {
        int[] before = cpts;
        Credits[] former = pools;
        cpts = now;
        pools = new Credits[now.length];
        for (int i = 0; i < now.length; i++) {
            Credits kept = find(before, former, now[i]);
            pools[i] = kept == null ? new Credits(perCpt()) : kept;
            pools[i].resize(perCpt());
            for (Message next = pools[i].next(); next != null; next = pools[i].next()) {
                going.add(next);
            }
        }
        for (int i = 0; i < before.length; i++) {
            if (find(now, pools, before[i]) == null) {
                for (Message next = former[i].first(); next != null; next = former[i].first()) {
                    former[i].withdraw(next);
                    next.credits().niPool = poolOf(next);
                    if (next.credits().niPool.take(next)) {
                        going.add(next);
                    }
                }
            }
        }
        max = perCpt() * cpts.length;
        min = Math.min(max, value());
    }

    private static @Nullable Credits find(int[] cpts, Credits[] pools, int cpt) {
        for (int i = 0; i < cpts.length; i++) {
            if (cpts[i] == cpt) {
                return pools[i];
            }
        }
        return null;
    }

    /** Returns the partitions; not to be changed. */
    public int[] cpts() {
        return cpts;
    }

    /** Returns the credits of a partition now, by its place in {@link #cpts}. */
    public int value(int place) {
        return pools[place].value();
    }

    /** Returns the credits of all partitions now. */
    public int value() {
        return max - outstanding;
    }

    /** Returns the fewest that there were since the partitions were last changed. */
    public int min() {
        return min;
    }

    /** Returns the credits of all partitions at rest. */
    public int max() {
        return max;
    }

    /**
     * Checks the pools, and that their sum is what is counted.
     *
     * @param of whose they are, for the error
     * @throws AssertionError if it is otherwise
     */
    public void checkInvariants(Object of) {
        int used = 0;
        for (Credits pool : pools) {
            pool.checkInvariants(of);
            used += pool.max() - pool.value();
        }
        // What is left of former partitions is counted as well.
        Invariant.check(
                outstanding >= used,
                of,
                "as many messages with a credit or in line as its partitions have",
                outstanding,
                used);
        Invariant.check(min <= value(), of, "the fewest credits ever to be no more than there are", min, value());
    }
}

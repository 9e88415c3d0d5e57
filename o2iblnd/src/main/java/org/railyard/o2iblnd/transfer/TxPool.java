package org.railyard.o2iblnd.transfer;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.wire.KibType;

/** Transmits of an NI, which are used again and again (spec 20 §13.3). Belongs to the loop. */
public final class TxPool {
    private final int max;
    private @Nullable Tx free;
    private int kept;

    /**
     * Makes an empty pool.
     *
     * @param max most unused transmits that are kept: {@code ntx}. There are as many more as messages that are under
     *     way at a time, which credits limit.
     */
    public TxPool(int max) {
        this.max = max;
    }

    /**
     * Takes a transmit.
     *
     * @param message what it is for; null if no message waits for it
     * @param toReceive whether the message is one to receive into
     * @param limitNanos how long each step may take, ns
     */
    public Tx take(KibType type, @Nullable LndMessage message, boolean toReceive, long limitNanos) {
        Tx tx = free;
        if (tx == null) {
            tx = new Tx();
        } else {
            free = tx.next();
            kept--;
        }
        tx.begin(type, message, toReceive, limitNanos);
        return tx;
    }

    /** Takes back one that is over. */
    public void giveBack(Tx tx) {
        tx.end();
        if (kept < max) {
            tx.setNext(free);
            free = tx;
            kept++;
        }
    }
}

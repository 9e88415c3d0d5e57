package org.railyard.mad.rmpp;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.RmppHeader;
import org.railyard.mad.wire.SaHeader;

/**
 * Receives one message as segments (spec 40 §4.1): takes them in order, acknowledges at the end of each window, and the
 * last one in order whenever another one than the next arrives. Memory grows with what has arrived, never with what a
 * header announces. Sans-I/O; for one thread.
 */
public final class RmppReceiver {
    private final RmppSettings settings;
    private final Consumer<Mad> out;
    private long endsAt;
    private byte[] bytes = new byte[2 * Mad.SIZE];
    private int size = Mad.SA_DATA;
    private int received;
    private int windowLast = 1;
    private boolean complete;
    private boolean taken;
    private boolean failed;

    /**
     * Begins with nothing received.
     *
     * @param now time, ns
     * @param out takes datagrams
     */
    public RmppReceiver(RmppSettings settings, long now, Consumer<Mad> out) {
        this.settings = settings;
        this.out = out;
        endsAt = now + settings.totalNanos();
    }

    /** Returns the whole message, once, when all of it is there; else null. */
    public @Nullable Mad takeMessage() {
        if (!complete || taken) {
            return null;
        }
        taken = true;
        try {
            Mad message = Mad.over(Arrays.copyOf(bytes, Math.max(size, Mad.SIZE)), size);
            bytes = new byte[0];
            return message;
        } catch (WireFormatException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Tells whether all of it is there, or was. */
    public boolean isComplete() {
        return complete;
    }

    /** Tells whether it ended early. */
    public boolean isFailed() {
        return failed;
    }

    /** Returns when it is given up, or, when it has ended, forgotten, ns. */
    public long endsAt() {
        return endsAt;
    }

    /** Gives up if it takes too long; to be called at {@link #endsAt}. */
    public void run(long now) {
        if (!complete && !failed && now >= endsAt) {
            failed = true;
        }
    }

    /** Takes a segment, or what ends the transfer. */
    public void received(Mad mad, long now) {
        RmppHeader rmpp = mad.rmpp();
        int type = rmpp.getInt(RmppHeader.TYPE);
        if (failed) {
            return;
        }
        if (type == RmppHeader.STOP || type == RmppHeader.ABORT) {
            failed = !complete;
        } else if (type != RmppHeader.DATA) {
            abort(mad, RmppStatus.BAD_TYPE);
        } else if (rmpp.getInt(RmppHeader.VERSION) != 1) {
            abort(mad, RmppStatus.BAD_VERSION);
        } else {
            data(mad, rmpp);
        }
        if (failed || complete && !taken) {
            // Long enough for what is still under way, and for a sender that did not get the last acknowledgement.
            endsAt = now + settings.timeoutNanos() * (settings.retries() + 2);
        }
    }

    private void data(Mad mad, RmppHeader rmpp) {
        long segment = rmpp.get(RmppHeader.SEGMENT);
        int flags = rmpp.getInt(RmppHeader.FLAGS);
        boolean first = (flags & RmppHeader.FLAG_FIRST) != 0;
        if (complete || segment <= received) {
            // The sender has not got our acknowledgement. Segments count from 1.
            if (segment == 0) {
                abort(mad, RmppStatus.BAD_FIRST);
            } else {
                acknowledge(mad);
            }
            return;
        }
        if (first != (segment == 1)) {
            abort(mad, RmppStatus.BAD_FIRST);
        } else if (segment > windowLast) {
            abort(mad, RmppStatus.BAD_SEGMENT);
        } else if (segment == received + 1) {
            inOrder(mad, rmpp, first, (flags & RmppHeader.FLAG_LAST) != 0);
        } else {
            // One before is missing: a sender that hears of it begins again there, and need not wait for its time-out.
            tellReceived(mad);
        }
    }

    private void inOrder(Mad mad, RmppHeader rmpp, boolean first, boolean last) {
        int data = Mad.SA_DATA_SIZE;
        if (last) {
            // One that is the first as well tells the sum over all segments, which is the same.
            long told = rmpp.get(RmppHeader.LENGTH) - SaHeader.LAYOUT.size();
            if (told < 0 || told > Mad.SA_DATA_SIZE) {
                abort(mad, RmppStatus.BAD_LAST);
                return;
            }
            data = (int) told;
        }
        if (first) {
            System.arraycopy(mad.bytes(), 0, bytes, 0, Mad.SA_DATA);
        }
        if (size + data > settings.maxBytes()) {
            failed = true;
            out.accept(RmppSender.control(reply(mad), RmppHeader.STOP, RmppStatus.RESOURCES, 0, 0));
            return;
        }
        if (size + data > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(2 * bytes.length, settings.maxBytes()));
        }
        System.arraycopy(mad.bytes(), Mad.SA_DATA, bytes, size, data);
        size += data;
        received++;
        complete = last;
        if (last || received == windowLast) {
            acknowledge(mad);
        }
    }

    private void acknowledge(Mad mad) {
        windowLast = Math.max(windowLast, received + (complete ? 0 : settings.window()));
        tellReceived(mad);
    }

    private void tellReceived(Mad mad) {
        out.accept(RmppSender.control(reply(mad), RmppHeader.ACK, 0, received, windowLast));
    }

    private void abort(Mad mad, int why) {
        if (complete) {
            return;
        }
        failed = true;
        out.accept(RmppSender.control(reply(mad), RmppHeader.ABORT, why, 0, 0));
    }

    /**
     * The header as it came, without data, but with the other value of the response bit: so the kernels at both ends
     * find whom it is for.
     */
    private static Mad reply(Mad mad) {
        byte[] header = new byte[Mad.SIZE];
        System.arraycopy(mad.bytes(), 0, header, 0, Mad.SA_DATA);
        return RmppSender.over(header).set(Mad.STATUS, MadStatus.OK).set(Mad.RESPONSE, mad.isResponse() ? 0 : 1);
    }
}

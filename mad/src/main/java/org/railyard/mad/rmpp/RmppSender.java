package org.railyard.mad.rmpp;

import java.util.function.Consumer;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.RmppHeader;
import org.railyard.mad.wire.SaHeader;

/**
 * Sends one message as segments (spec 40 §4.1). Sans-I/O; for one thread.
 *
 * <pre>
 * state     event                                     next
 * SENDING   ACK of the last segment                   DONE
 * SENDING   ACK with progress: send up to its window  SENDING
 * SENDING   ACK that is repeated: send again, once    SENDING
 * SENDING   time-out, retries left: send again        SENDING
 * SENDING   time-out, none left; total time           FAILED, ABORT sent
 * SENDING   time-out, nobody knows RMPP there         UNCONFIRMED
 * SENDING   wrong ACK                                 FAILED, ABORT sent
 * SENDING   STOP or ABORT                             FAILED
 * </pre>
 */
public final class RmppSender {
    /** Where the transfer is. */
    public enum State {
        /** Segments wait to be sent or acknowledged. */
        SENDING,
        /** The other end has everything. */
        DONE,
        /** Nobody has acknowledged anything, and may not know RMPP: whether it arrived is not known. */
        UNCONFIRMED,
        /** It ended early. */
        FAILED
    }

    private final Mad message;
    private final RmppSettings settings;
    private final Consumer<Mad> out;
    private final int dataBytes;
    private final int segments;
    private final long endsAt;
    private State state = State.SENDING;
    private int acknowledged;
    private int windowLast = 1;
    private int sentLast;

    /** The last segment that was sent when some were sent again. */
    private int resentTo;

    private int failures;
    private long retryAt;
    private int status;

    /**
     * Begins: the first segment is sent at once.
     *
     * @param message the whole, of any length; a copy is not made
     * @param now time, ns
     * @param out takes datagrams
     */
    public RmppSender(Mad message, RmppSettings settings, long now, Consumer<Mad> out) {
        this.message = message;
        this.settings = settings;
        this.out = out;
        dataBytes = Math.max(0, message.length() - Mad.SA_DATA);
        segments = Math.max(1, (dataBytes + Mad.SA_DATA_SIZE - 1) / Mad.SA_DATA_SIZE);
        endsAt = now + settings.totalNanos();
        sendWindow(now);
    }

    /** Returns where the transfer is. */
    public State state() {
        return state;
    }

    /** Returns the whole. */
    Mad message() {
        return message;
    }

    /** Returns how many bytes the message takes. */
    int bytes() {
        return message.bytes().length;
    }

    /** Returns why it failed or was given up, 0 if it was not. */
    public int status() {
        return status;
    }

    /** Returns when {@link #run} has to be called again, ns. */
    public long nextRun() {
        return Math.min(retryAt, endsAt);
    }

    /** Takes an ACK, STOP or ABORT of this transfer. */
    public void received(Mad mad, long now) {
        if (state != State.SENDING) {
            return;
        }
        RmppHeader rmpp = mad.rmpp();
        switch (rmpp.getInt(RmppHeader.TYPE)) {
            case RmppHeader.ACK -> acknowledged(rmpp, now);
            case RmppHeader.STOP, RmppHeader.ABORT -> {
                state = State.FAILED;
                status = rmpp.getInt(RmppHeader.STATUS);
            }
            default -> abort(RmppStatus.BAD_TYPE);
        }
    }

    private void acknowledged(RmppHeader rmpp, long now) {
        long segment = rmpp.get(RmppHeader.SEGMENT);
        long last = rmpp.get(RmppHeader.LENGTH);
        if (segment > segments) {
            abort(RmppStatus.BAD_SEGMENT);
        } else if (last < segment) {
            abort(RmppStatus.BAD_WINDOW);
        } else if (segment == segments) {
            state = State.DONE;
        } else if (segment >= acknowledged) {
            boolean progress = segment > acknowledged;
            acknowledged = (int) segment;
            // More than was sent: the other end has it from an earlier answer to the same request.
            sentLast = Math.max(sentLast, acknowledged);
            // A window never shrinks, and one larger than ours would only fill the queues on the way.
            long limit = Math.min(segment + RmppSettings.MAX_WINDOW, segments);
            int window = (int) Math.max(windowLast, Math.min(last, limit));
            // What tells nothing new puts nothing off: whoever repeats it would keep the place of others.
            if (progress || window > windowLast) {
                windowLast = window;
                failures = progress ? 0 : failures;
                sendWindow(now);
            } else if (acknowledged > resentTo && sentLast > acknowledged) {
                // Told twice: what followed is lost. What was sent again is told of, too, and not sent a third time.
                resend(now);
            }
        }
    }

    /** Does what is due. */
    public void run(long now) {
        if (state != State.SENDING) {
            return;
        }
        if (now >= endsAt) {
            abort(RmppStatus.TOTAL_TIME);
        } else if (now >= retryAt) {
            boolean isKnown = acknowledged > 0;
            if (failures == (isKnown ? settings.retries() : settings.firstRetries())) {
                if (isKnown || settings.firstRetries() > 0) {
                    abort(RmppStatus.RETRIES);
                } else {
                    state = State.UNCONFIRMED;
                    status = RmppStatus.RETRIES;
                }
            } else {
                failures++;
                resend(now);
            }
        }
    }

    private void resend(long now) {
        resentTo = sentLast;
        sentLast = acknowledged;
        sendWindow(now);
    }

    private void sendWindow(long now) {
        while (sentLast < Math.min(windowLast, segments)) {
            sentLast++;
            out.accept(segment(sentLast));
        }
        retryAt = now + settings.timeoutNanos();
    }

    private Mad segment(int number) {
        byte[] bytes = new byte[Mad.SIZE];
        int from = (number - 1) * Mad.SA_DATA_SIZE;
        int size = Math.min(Mad.SA_DATA_SIZE, dataBytes - from);
        System.arraycopy(message.bytes(), 0, bytes, 0, Mad.SA_DATA);
        System.arraycopy(message.bytes(), Mad.SA_DATA + from, bytes, Mad.SA_DATA, size);
        boolean first = number == 1;
        boolean last = number == segments;
        long header = SaHeader.LAYOUT.size();
        long length = last ? header + size : 0;
        if (first) {
            length = header * segments + dataBytes;
        }
        Mad segment = over(bytes, Mad.SA_DATA + size);
        segment.rmpp()
                .set(RmppHeader.VERSION, 1)
                .set(RmppHeader.TYPE, RmppHeader.DATA)
                .set(RmppHeader.RESPONSE_TIME, RmppHeader.NO_RESPONSE_TIME)
                .set(
                        RmppHeader.FLAGS,
                        RmppHeader.FLAG_ACTIVE
                                | (first ? RmppHeader.FLAG_FIRST : 0)
                                | (last ? RmppHeader.FLAG_LAST : 0))
                .set(RmppHeader.STATUS, 0)
                .set(RmppHeader.SEGMENT, number)
                .set(RmppHeader.LENGTH, length);
        return segment;
    }

    private void abort(int why) {
        state = State.FAILED;
        status = why;
        byte[] bytes = new byte[Mad.SIZE];
        System.arraycopy(message.bytes(), 0, bytes, 0, Mad.SA_DATA);
        out.accept(control(over(bytes), RmppHeader.ABORT, why, 0, 0));
    }

    /** Makes a datagram of RMPP without data out of a copy of the header. */
    static Mad control(Mad mad, int type, int status, long segment, long windowLast) {
        mad.rmpp()
                .set(RmppHeader.VERSION, 1)
                .set(RmppHeader.TYPE, type)
                .set(RmppHeader.RESPONSE_TIME, RmppHeader.NO_RESPONSE_TIME)
                .set(RmppHeader.FLAGS, RmppHeader.FLAG_ACTIVE)
                .set(RmppHeader.STATUS, status)
                .set(RmppHeader.SEGMENT, segment)
                .set(RmppHeader.LENGTH, windowLast);
        return mad;
    }

    static Mad over(byte[] bytes) {
        return over(bytes, bytes.length);
    }

    private static Mad over(byte[] bytes, int length) {
        try {
            return Mad.over(bytes, length);
        } catch (WireFormatException e) {
            throw new IllegalStateException(e);
        }
    }
}

package org.railyard.mad.transport;

import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MgmtClass;

/**
 * One transport for two users, each with its own window of requests: one of subnet management, one of all other
 * classes. Answers find their way by their class, so that both may use the same transactions. To be used in the loop of
 * the transport only.
 */
public final class SplitTransport {
    private final MadTransport whole;
    private final Half smps;
    private final Half others;
    private boolean receives;

    /**
     * Takes a transport over.
     *
     * @param others requests of other classes that may be unanswered at a time; the rest is for subnet management
     * @throws IllegalArgumentException if one of both is left with none
     */
    public SplitTransport(MadTransport whole, int others) {
        if (others < 1 || others >= whole.maxOutstanding()) {
            throw new IllegalArgumentException(
                    others + " of " + whole.maxOutstanding() + " outstanding requests; 1 or more expected, and fewer");
        }
        this.whole = whole;
        this.smps = new Half(whole.maxOutstanding() - others, true);
        this.others = new Half(others, whole.reassembles());
    }

    /** Returns the part for SMPs. Closing it closes the whole. */
    public MadTransport smps() {
        return smps;
    }

    /** Returns the part for the other classes. Closing it closes the whole. */
    public MadTransport others() {
        return others;
    }

    private Half half(Mad mad) {
        return MgmtClass.isSmp(mad.mgmtClass()) ? smps : others;
    }

    private final class Receiver implements MadReceiver {
        @Override
        public void received(Mad mad, MadAddress from) {
            MadReceiver to = half(mad).receiver;
            if (to != null) {
                to.received(mad, from);
            }
        }

        @Override
        public void undelivered(Mad request, int errno) {
            MadReceiver to = half(request).receiver;
            if (to != null) {
                to.undelivered(request, errno);
            }
        }

        @Override
        public void failed(ErrnoException why) {
            for (Half half : new Half[] {smps, others}) {
                MadReceiver to = half.receiver;
                if (to != null) {
                    to.failed(why);
                }
            }
        }
    }

    private final class Half implements MadTransport {
        private final int maxOutstanding;
        private final boolean reassembles;
        private @Nullable MadReceiver receiver;

        Half(int maxOutstanding, boolean reassembles) {
            this.maxOutstanding = maxOutstanding;
            this.reassembles = reassembles;
        }

        @Override
        public MadLoop loop() {
            return whole.loop();
        }

        @Override
        public LocalPort port() {
            return whole.port();
        }

        @Override
        public void receiver(MadReceiver newReceiver) {
            if (receiver != null) {
                throw new IllegalStateException(port() + " has a receiver already");
            }
            receiver = newReceiver;
            if (!receives) {
                receives = true;
                whole.receiver(new Receiver());
            }
        }

        @Override
        public void send(Mad mad, MadAddress to, int timeoutMillis) {
            whole.send(mad, to, timeoutMillis);
        }

        @Override
        public int maxOutstanding() {
            return maxOutstanding;
        }

        @Override
        public boolean reportsTimeouts() {
            return whole.reportsTimeouts();
        }

        @Override
        public boolean reassembles() {
            return reassembles;
        }

        @Override
        public void markSm(boolean isSm) {
            whole.markSm(isSm);
        }

        @Override
        public void close() {
            whole.close();
        }
    }
}

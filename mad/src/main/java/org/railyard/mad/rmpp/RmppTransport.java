package org.railyard.mad.rmpp;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.mad.transport.LocalPort;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.mad.wire.RmppHeader;

/**
 * Adds RMPP to a transport whose kernel does not do it: messages of the SA of any length go in and come out. Transfers
 * are told apart by the other end's LID and queue pair, method and the low half of the transaction; there are at
 * most {@link RmppSettings#maxTransfers()} each way, {@link RmppSettings#maxTransfersPerPeer()} of them with one peer,
 * and what is sent is bounded in bytes. What a peer does wrong ends its own transfer and nothing else.
 */
public final class RmppTransport implements MadTransport {
    /** Which transfer with whom. Of the response bit it does not depend: acknowledgements have the other value. */
    private record Key(int lid, int qpn, int tid, int method) {
        static Key of(Mad mad, MadAddress peer) {
            return new Key(peer.lid(), peer.qpn(), mad.tid(), mad.getInt(Mad.METHOD));
        }
    }

    private final MadTransport transport;
    private final RmppSettings settings;
    private final Map<Key, RmppSender> sending = new LinkedHashMap<>();
    private final Map<Key, RmppReceiver> receiving = new LinkedHashMap<>();
    private @Nullable MadReceiver receiver;
    private @Nullable Runnable timer;
    private long timerAt;

    /** Stands before a transport and takes it over. */
    public RmppTransport(MadTransport transport, RmppSettings settings) {
        this.transport = transport;
        this.settings = settings;
    }

    /** Returns a transport that reassembles: the same, or one of these before it. */
    public static MadTransport before(MadTransport transport, RmppSettings settings) {
        return transport.reassembles() ? transport : new RmppTransport(transport, settings);
    }

    @Override
    public MadLoop loop() {
        return transport.loop();
    }

    @Override
    public LocalPort port() {
        return transport.port();
    }

    @Override
    public void receiver(MadReceiver newReceiver) {
        if (receiver != null) {
            throw new IllegalStateException(port() + " has a receiver already");
        }
        receiver = newReceiver;
        transport.receiver(new Receiver(newReceiver));
    }

    @Override
    public void send(Mad mad, MadAddress to, int timeoutMillis) {
        if (!mad.isSegmented()) {
            transport.send(mad, to, timeoutMillis);
            return;
        }
        Key key = Key.of(mad, to);
        RmppSender known = sending.get(key);
        if (known != null && known.state() == RmppSender.State.SENDING) {
            // The same request, asked again while it is being answered.
            return;
        }
        sending.remove(key);
        checkLimits(mad, to);
        sending.put(key, new RmppSender(mad, settings, loop().nanoTime(), out -> sendQuietly(out, to)));
        startTimer();
    }

    /** Nobody gets more bytes than are left to all others: few large tables would be all that is sent. */
    private void checkLimits(Mad mad, MadAddress to) {
        int ownMessages = 0;
        long own = 0;
        long all = 0;
        for (Map.Entry<Key, RmppSender> one : sending.entrySet()) {
            all += one.getValue().bytes();
            if (one.getKey().lid() == to.lid()) {
                own += one.getValue().bytes();
                ownMessages++;
            }
        }
        String reached;
        if (sending.size() >= settings.maxTransfers()) {
            reached = settings.maxTransfers() + " messages";
        } else if (ownMessages >= settings.maxTransfersPerPeer()) {
            reached = settings.maxTransfersPerPeer() + " messages to LID " + to.lid();
        } else if (!sending.isEmpty() && all + mad.bytes().length > settings.maxSendBytes()) {
            reached = all + " bytes of " + settings.maxSendBytes();
        } else if (own > 0 && own + mad.bytes().length > settings.maxSendBytes() - all) {
            reached = own + " bytes to LID " + to.lid() + ", and leaves " + (settings.maxSendBytes() - all)
                    + " to others,";
        } else {
            return;
        }
        throw new ErrnoException(Errno.EAGAIN, port() + " sends " + reached + " already: ask later");
    }

    /** A datagram that is not taken is as good as one that is lost on the way. */
    private void sendQuietly(Mad mad, MadAddress to) {
        try {
            transport.send(mad, to, 0);
        } catch (ErrnoException _) {
            // It is sent again when it is missed.
        }
    }

    /** Returns how many messages are under way, both ways. */
    public int transfers() {
        return sending.size() + receiving.size();
    }

    private void startTimer() {
        long next = Long.MAX_VALUE;
        for (RmppSender sender : sending.values()) {
            next = Math.min(next, sender.nextRun());
        }
        for (RmppReceiver one : receiving.values()) {
            next = Math.min(next, one.endsAt());
        }
        if (next == Long.MAX_VALUE || timer != null && timerAt <= next) {
            return;
        }
        if (timer != null) {
            timer.run();
        }
        timerAt = next;
        timer = loop().schedule(Math.max(0, next - loop().nanoTime()), this::timeUp);
    }

    private void timeUp() {
        timer = null;
        long now = loop().nanoTime();
        for (RmppSender sender : sending.values()) {
            sender.run(now);
        }
        for (RmppReceiver one : receiving.values()) {
            one.run(now);
        }
        removeEnded(now);
        startTimer();
    }

    /** What was received, or has failed, stays for a while: the sender may not have got the last acknowledgement. */
    private void removeEnded(long now) {
        List<RmppSender> ended = new ArrayList<>();
        for (Iterator<RmppSender> all = sending.values().iterator(); all.hasNext(); ) {
            RmppSender one = all.next();
            if (one.state() != RmppSender.State.SENDING) {
                all.remove();
                ended.add(one);
            }
        }
        receiving.values().removeIf(one -> now >= one.endsAt());
        ended.forEach(this::tellOfFailure);
    }

    /** A kernel that does RMPP returns such a message to its sender, too. */
    private void tellOfFailure(RmppSender sender) {
        MadReceiver above = receiver;
        if (above != null && sender.state() == RmppSender.State.FAILED) {
            above.undelivered(sender.message(), Errno.ETIMEDOUT.number());
        }
    }

    private final class Receiver implements MadReceiver {
        private final MadReceiver above;

        Receiver(MadReceiver above) {
            this.above = above;
        }

        @Override
        public void received(Mad mad, MadAddress from) {
            if (mad.mgmtClass() != MgmtClass.SA || !mad.rmpp().isActive()) {
                above.received(mad, from);
                return;
            }
            Key key = Key.of(mad, from);
            RmppSender sender = sending.get(key);
            int type = mad.rmpp().getInt(RmppHeader.TYPE);
            if (type == RmppHeader.DATA) {
                segment(mad, from);
            } else if (type == 0) {
                // A sender that leaves RMPP to a kernel, which is not there: what it sent is all there is.
                above.received(mad, from);
            } else if (sender != null) {
                sender.received(mad, loop().nanoTime());
                if (sender.state() != RmppSender.State.SENDING) {
                    sending.remove(key);
                    tellOfFailure(sender);
                }
            } else {
                RmppReceiver ending = receiving.get(key);
                if (ending != null) {
                    ending.received(mad, loop().nanoTime());
                    removeEnded(loop().nanoTime());
                }
            }
        }

        private void segment(Mad mad, MadAddress from) {
            Key key = Key.of(mad, from);
            RmppReceiver known = receiving.get(key);
            if (known != null && known.isFailed() && mad.rmpp().getInt(RmppHeader.SEGMENT) == 1) {
                // The whole is sent anew.
                known = null;
            }
            MadAddress back = from.forAnswer(MgmtClass.SA);
            if (known == null) {
                if (isFull(key.lid())) {
                    receiving.values().removeIf(one -> one.isComplete() || one.isFailed());
                }
                if (isFull(key.lid())) {
                    byte[] header = mad.bytes().clone();
                    sendQuietly(
                            RmppSender.control(RmppSender.over(header), RmppHeader.STOP, RmppStatus.RESOURCES, 0, 0),
                            back);
                    return;
                }
                known = new RmppReceiver(settings, loop().nanoTime(), out -> sendQuietly(out, back));
                receiving.put(key, known);
                startTimer();
            }
            known.received(mad, loop().nanoTime());
            Mad whole = known.takeMessage();
            removeEnded(loop().nanoTime());
            startTimer();
            if (whole != null) {
                above.received(whole, from);
            }
        }

        private boolean isFull(int lid) {
            return receiving.size() >= settings.maxTransfers()
                    || receiving.size() >= settings.maxTransfersPerPeer()
                            && receiving.keySet().stream()
                                            .filter(key -> key.lid() == lid)
                                            .count()
                                    >= settings.maxTransfersPerPeer();
        }

        @Override
        public void undelivered(Mad request, int errno) {
            above.undelivered(request, errno);
        }

        @Override
        public void failed(ErrnoException why) {
            above.failed(why);
        }
    }

    @Override
    public int maxOutstanding() {
        return transport.maxOutstanding();
    }

    @Override
    public boolean reportsTimeouts() {
        return transport.reportsTimeouts();
    }

    @Override
    public boolean reassembles() {
        return true;
    }

    @Override
    public void markSm(boolean isSm) {
        transport.markSm(isSm);
    }

    @Override
    public void close() {
        transport.close();
    }
}

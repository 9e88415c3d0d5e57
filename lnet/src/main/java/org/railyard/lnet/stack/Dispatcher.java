package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;

/**
 * Does without the lock what was decided under it: hands messages to their transports and events to their handlers. One
 * thing at a time and in turn, so that a busy handler does not hold back messages, and nothing nests however long a
 * chain of sends and events is.
 */
public final class Dispatcher {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final Node node;
    private final Completer completer;
    private final Launcher launcher;
    private final Forwarder forwarder;

    Dispatcher(Node node, Completer completer, Launcher launcher, Forwarder forwarder) {
        this.node = node;
        this.completer = completer;
        this.launcher = launcher;
        this.forwarder = forwarder;
    }

    /** Takes a message back from its transport; the contract is {@link org.railyard.lnet.lnd.LndUpcalls#complete}. */
    public void complete(LndMessage lndMessage, int status, HealthStatus health) {
        Message message = (Message) lndMessage;
        Pending work = node.pending();
        endGivenBack(work);
        node.lock.lock();
        try {
            end(message, status, health, work);
        } finally {
            node.lock.unlock();
        }
        run(work);
    }

    /**
     * Takes a message back from its transport as one of several; the contract is {@link
     * org.railyard.lnet.lnd.LndUpcalls#completeSoon}.
     */
    public void completeSoon(LndMessage lndMessage) {
        Pending work = node.pending();
        if (work.givenBackCount == Pending.BATCH) {
            endGivenBack(work);
        }
        work.givenBack[work.givenBackCount++] = (Message) lndMessage;
    }

    private void end(Message message, int status, HealthStatus health, Pending work) {
        node.lock.assertHeld();
        assert message.checkInvariants();
        message.setOutcome(status, health);
        completer.end(message, work);
    }

    /** Ends what came back with {@link #completeSoon}, also inside a handler: credits and memory are free at once. */
    private void endGivenBack(Pending work) {
        int count = work.givenBackCount;
        work.inOneRead = false;
        if (count == 0) {
            return;
        }
        work.givenBackCount = 0;
        node.lock.lock();
        try {
            endAll(count, work);
        } finally {
            node.lock.unlock();
        }
    }

    private void endAll(int count, Pending work) {
        node.ledger.gather();
        try {
            for (int i = 0; i < count; i++) {
                Message message = work.givenBack[i];
                work.givenBack[i] = null;
                if (message != null) {
                    end(message, 0, HealthStatus.OK, work);
                }
            }
        } finally {
            node.ledger.settle();
        }
    }

    /** Tells whether the calling thread is inside a handler, or another call that the stack makes. */
    public boolean isInside() {
        return node.pending().running;
    }

    /** Ends what came back with {@link #completeSoon}, and does what the calling thread has decided. Needs no lock. */
    public void flush() {
        Pending work = node.pending();
        endGivenBack(work);
        run(work);
    }

    /** Does what was decided under the lock, unless a caller further up on this thread does it. Needs no lock. */
    void run(Pending work) {
        if (work.running) {
            return;
        }
        work.running = true;
        try {
            boolean more = true;
            while (more) {
                more = turn(work);
            }
        } finally {
            work.running = false;
        }
    }

    private boolean turn(Pending work) {
        sendAll(work);
        if (!work.toFail.isEmpty()) {
            failAll(work);
            return true;
        }
        Message toReceive = work.toReceive.poll();
        if (toReceive != null) {
            forwarder.receive(toReceive, work);
            return true;
        }
        MemoryDescriptor ready = work.ready.poll();
        if (ready != null) {
            deliver(ready, work);
            return true;
        }
        Runnable call = work.calls.poll();
        if (call != null) {
            call(call);
            return true;
        }
        return false;
    }

    private void sendAll(Pending work) {
        for (Message message = work.toSend.poll(); message != null; message = work.toSend.poll()) {
            FaultGate faults = node.faults;
            if (faults == null && !work.toSend.isEmpty()) {
                postAll(message, work);
            } else if (faults == null || !faults.stops(message)) {
                post(message);
            }
        }
    }

    /** Hands a message and those that follow it from the same NI to their transport. */
    private void postAll(Message first, Pending work) {
        LocalNi ni = first.ni();
        work.leaving[0] = first;
        int count = 1;
        for (Message next = work.toSend.peek();
                next != null && next.ni() == ni && count < Pending.BATCH;
                next = work.toSend.peek()) {
            work.leaving[count++] = work.toSend.poll();
        }
        int taken = ni == null ? 0 : postSome(ni, work.leaving, count);
        for (int i = 0; i < count; i++) {
            Message message = work.leaving[i];
            work.leaving[i] = null;
            if (i >= taken && message != null) {
                post(message);
            }
        }
    }

    private static int postSome(LocalNi ni, @Nullable Message[] messages, int count) {
        try {
            return ni.lnd().sendSome(ni, messages, count);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the transport of " + ni + " failed to take a message", e);
            return 0;
        }
    }

    /** Hands a message to its transport. Needs no lock. */
    void post(Message message) {
        LocalNi ni = message.ni();
        if (ni == null) {
            throw new IllegalStateException("a message without an NI can not be sent");
        }
        int status;
        try {
            status = ni.lnd().send(ni, message);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the transport of " + ni + " failed to take a message", e);
            status = Errno.EIO.status();
        }
        if (status < 0) {
            // The NI was removed after it was chosen: nothing left, and another one may do it (spec 10 §12.4).
            boolean gone = status == Errno.ESHUTDOWN.status();
            complete(message, status, gone ? HealthStatus.LOCAL_ABORTED : HealthStatus.LOCAL_ERROR);
        }
    }

    private void failAll(Pending work) {
        node.lock.lock();
        try {
            for (Message message = work.toFail.poll(); message != null; message = work.toFail.poll()) {
                completer.end(message, work);
            }
        } finally {
            node.lock.unlock();
        }
    }

    /**
     * Hands the event of a descriptor to its handler, and the few that came behind it if nothing else is to be done;
     * the next ones have to take their turn. What the handler sends leaves before the next event, or, if handlers are
     * quick, after a few.
     */
    private void deliver(MemoryDescriptor md, Pending work) {
        Message first = md.current;
        if (first == null) {
            throw new IllegalStateException("a descriptor without an event is not ready");
        }
        work.told[0] = first;
        call(md.handler(), first);
        int count;
        node.lock.lock();
        try {
            afterEvents(1, work);
            count = takeEvents(md, work);
            if (count == 0) {
                takeTurn(md, work);
                return;
            }
            long now = node.now();
            work.keepsTime = now - work.batchNanos < Pending.QUICK_NANOS;
            work.batchNanos = now;
        } finally {
            node.lock.unlock();
        }
        for (int i = 0; i < count; i++) {
            if (!work.keepsTime || i % Pending.QUICK_CALLS == 0) {
                sendAll(work);
            }
            call(md.handler(), work.told[i]);
        }
        work.keepsTime = false;
        node.lock.lock();
        try {
            afterEvents(count, work);
            takeTurn(md, work);
        } finally {
            node.lock.unlock();
        }
    }

    /** Takes the next events of a descriptor, unless there is something else to do first; returns how many. */
    private int takeEvents(MemoryDescriptor md, Pending work) {
        node.lock.assertHeld();
        if (!work.ready.isEmpty() || !work.toFail.isEmpty() || !work.toReceive.isEmpty()) {
            return 0;
        }
        int count = 0;
        for (Message next = md.events.peek(); next != null && count < Pending.BATCH; next = md.events.peek()) {
            md.events.poll();
            work.told[count++] = next;
        }
        if (count > 0) {
            md.current = work.told[0];
        }
        return count;
    }

    /** The next event of a descriptor waits until the others had their turn. */
    private void takeTurn(MemoryDescriptor md, Pending work) {
        node.lock.assertHeld();
        md.current = md.events.poll();
        if (md.current == null) {
            node.lock.signal();
        } else {
            work.ready.add(md);
        }
    }

    private void afterEvents(int count, Pending work) {
        node.lock.assertHeld();
        for (int i = 0; i < count; i++) {
            Message message = work.told[i];
            work.told[i] = null;
            if (message != null) {
                afterEvent(message, work);
            }
        }
    }

    /**
     * Whatever a handler throws, an error included, ends nothing else: the thread is a transport's and has others to
     * serve.
     */
    private static void call(@Nullable EventHandler handler, @Nullable Message message) {
        if (handler == null || message == null) {
            return;
        }
        try {
            handler.onEvent(message.event());
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "an event handler failed on " + message.event(), e);
        }
    }

    private static void call(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a call from the stack failed", e);
        }
    }

    private void afterEvent(Message message, Pending work) {
        node.lock.assertHeld();
        message.setMd(null);
        if (message.role() == Role.ACK_OWED) {
            acknowledge(message, work);
        } else {
            node.release(message);
        }
    }

    /** The PUT that a message was has been told to its owner: the message becomes the ACK (spec 10 §5.4). */
    private void acknowledge(Message message, Pending work) {
        node.lock.assertHeld();
        LNetHeader header = message.header();
        Nid source = header.destNid();
        Nid target = header.srcNid();
        int targetPid = header.srcPid();
        int accepted = message.accepted();
        Nid arrivedFrom = message.sender();
        PeerNi broughtIt = message.peerNi();
        message.clear();
        header.setAck(header.interfaceCookie(), header.objectCookie(), header.matchBits(), accepted);
        header.setRoute(target, targetPid, source, ProcessId.LUSTRE_PID);
        message.become(Role.RESPONSE);
        message.setSender(arrivedFrom);
        if (broughtIt != null) {
            // Who does not read the ACKs has no more of the messages than who does not read REPLYs.
            message.broughtBy(broughtIt);
        }
        message.path().request(source, target);
        launcher.launch(message, work);
    }
}

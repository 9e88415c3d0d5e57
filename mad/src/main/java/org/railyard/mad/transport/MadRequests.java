package org.railyard.mad.transport;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.MgmtClass;

/**
 * Requests over a transport: a window of outstanding ones, time-outs, retries with the same transaction, and answers
 * matched by the low 32 bits of the transaction (spec 40 §6 and §8.3). To be used in the loop of the transport only.
 *
 * <p>The window grows by one with each answer and is halved, once per time-out, when a target that has answered before
 * falls silent; what never answered says nothing about the fabric. Targets take turns. A window of {@value
 * #LARGE_WINDOW} or more is filled up when a quarter of it is free: were each answer followed by one request, both ends
 * would wake each other for each.
 *
 * <pre>
 * state        event                                    next
 * QUEUED       window and target have space: send       OUTSTANDING
 * OUTSTANDING  answer "busy", retries left              OUTSTANDING, until the time-out
 * OUTSTANDING  other answer of the same attribute       ended: Answered
 * OUTSTANDING  time-out or undelivered, retries left    QUEUED, before others
 * OUTSTANDING  time-out or undelivered, none left       ended: Unanswered
 * any          refused by the transport for good        ended: Refused
 * QUEUED       its turn, and not wanted any more        ended: Cancelled
 * any          close                                    ended: Cancelled
 * </pre>
 */
public final class MadRequests {
    /** Most requests that wait for their turn. */
    public static final int MAX_QUEUED = 1 << 20;

    /** How many ended transactions are remembered, to tell duplicates from what was never asked. */
    public static final int REMEMBERED = 4096;

    /** Most targets of which it is known whether they answer. */
    public static final int MAX_TARGETS = 1 << 17;

    /** Windows from here on are filled up in bursts. */
    public static final int LARGE_WINDOW = 32;

    /** Which part of a large window has to be free before requests are sent. */
    private static final int BURST_SHARE = 4;

    /** How much later than the transport's own time-out ours ends, ns: the transport should tell first. */
    private static final long GUARD = 100_000_000L;

    private static final long MILLI = 1_000_000L;

    /** Whoever sends, transaction 0 is that of traps. */
    private static final int FIRST_TID = 1;

    private final MadTransport transport;
    private final RequestSettings settings;
    private final BiConsumer<Mad, MadAddress> unsolicited;
    private final int hardLimit;

    private final Map<Object, Target> targets = new LinkedHashMap<>();
    private final Deque<Target> ready = new ArrayDeque<>();
    private final OutstandingTable<Request> outstanding;
    private final Runnable pumpNow = this::pumpNow;
    private final Deadlines deadlines = new Deadlines();
    private final int[] ended = new int[REMEMBERED];
    private long endedCount;
    private @Nullable Runnable timer;
    private long timerAt;

    private int nextTid = FIRST_TID;
    private int window;
    private long lastHalved = Long.MIN_VALUE;
    private int queued;
    private boolean pumping;
    private final TargetKeys keys = new TargetKeys();
    private boolean closed;
    private Consumer<ErrnoException> failureListener = why -> {};
    private Predicate<Mad> isUnwanted = mad -> false;
    private @Nullable ErrnoException failure;

    private long sent;
    private long resent;
    private long answered;
    private long unanswered;
    private long stale;
    private long duplicates;
    private long mismatched;
    private long unsolicitedCount;
    private long answersLost;

    /** One request. */
    private static final class Request {
        private final Mad mad;
        private final MadAddress to;
        private final Target target;
        private final long timeoutNanos;
        private final int retries;
        private final Consumer<RequestOutcome> done;
        private int attempts;
        private boolean isOutstanding;

        /** Whether the last attempt was answered by an agent that has no time for it. */
        private boolean metBusy;

        Request(Mad mad, MadAddress to, Target target, RequestSettings limits, Consumer<RequestOutcome> done) {
            this.mad = mad;
            this.to = to;
            this.target = target;
            this.timeoutNanos = limits.timeoutNanos();
            this.retries = limits.retries();
            this.done = done;
        }
    }

    /** What a target has: requests in order, and how many of its are outstanding. */
    private static final class Target {
        private final Object key;
        private final Deque<Request> waiting = new ArrayDeque<>();
        private final TargetKeys.Guess guess = new TargetKeys.Guess();
        private int outstanding;
        private boolean isReady;
        private boolean hasAnswered;

        Target(Object key) {
            this.key = key;
        }

        boolean isIdle() {
            return waiting.isEmpty() && outstanding == 0;
        }
    }

    /** When an attempt has failed; of an older attempt it means nothing. */
    private record Deadline(long at, int tid, Request request, int attempt) implements Comparable<Deadline> {
        boolean isAlive() {
            return request.isOutstanding && request.attempts == attempt;
        }

        @Override
        public int compareTo(Deadline other) {
            int order = Long.compare(at, other.at);
            return order != 0 ? order : Integer.compareUnsigned(tid, other.tid);
        }
    }

    /** Deadlines, the earliest first. Most come in this order, since most requests have the same time-out. */
    private static final class Deadlines {
        private final Deque<Deadline> inOrder = new ArrayDeque<>();
        private final PriorityQueue<Deadline> others = new PriorityQueue<>();

        void add(Deadline deadline) {
            Deadline last = inOrder.peekLast();
            if (last == null || last.compareTo(deadline) < 0) {
                inOrder.addLast(deadline);
            } else {
                others.add(deadline);
            }
        }

        /** Returns the first one, null if there is none. */
        @Nullable
        Deadline first() {
            forgetEnded();
            Deadline first = inOrder.peekFirst();
            Deadline other = others.peek();
            return first == null || other != null && other.compareTo(first) < 0 ? other : first;
        }

        /** Those of answered requests would only wake us and keep the requests; the first ones are answered first. */
        void forgetEnded() {
            for (Deadline first = inOrder.peekFirst(); first != null && !first.isAlive(); first = inOrder.peekFirst()) {
                inOrder.removeFirst();
            }
            for (Deadline first = others.peek(); first != null && !first.isAlive(); first = others.peek()) {
                others.remove();
            }
        }

        void clear() {
            inOrder.clear();
            others.clear();
        }
    }

    /**
     * Takes a transport over: becomes its receiver.
     *
     * @param unsolicited gets requests, traps and reports; to be answered with {@link #answer}
     */
    public MadRequests(MadTransport transport, RequestSettings settings, BiConsumer<Mad, MadAddress> unsolicited) {
        this.transport = transport;
        this.settings = settings;
        this.unsolicited = unsolicited;
        this.hardLimit = Math.min(settings.maxWindow(), transport.maxOutstanding());
        this.window = Math.min(settings.startWindow(), hardLimit);
        this.outstanding = new OutstandingTable<>(hardLimit);
        transport.receiver(new Receiver());
    }

    /**
     * Sends a request as soon as the window allows.
     *
     * @param request gets a transaction of its own, and belongs to this class from now on
     * @param done is told once, in the loop, never within this call
     * @throws ErrnoException ENOBUFS if {@link #MAX_QUEUED} requests wait, ESHUTDOWN if the requests or their transport
     *     have ended
     */
    public void submit(Mad request, MadAddress to, Consumer<RequestOutcome> done) {
        submit(request, to, settings, done);
    }

    /**
     * The same with a time-out and retries of its own; windows are those that all share.
     *
     * @throws ErrnoException as the other
     */
    public void submit(Mad request, MadAddress to, RequestSettings limits, Consumer<RequestOutcome> done) {
        if (failure != null) {
            throw new ErrnoException(failure.errno(), "no request can be sent: " + failure.getMessage(), failure);
        }
        if (closed) {
            throw new ErrnoException(Errno.ESHUTDOWN, "requests over " + transport.port() + " are closed");
        }
        if (queued >= MAX_QUEUED) {
            throw new ErrnoException(
                    Errno.ENOBUFS,
                    MAX_QUEUED + " requests wait already over " + transport.port() + "; wait for answers");
        }
        Object key = request.mgmtClass() == MgmtClass.SMP_DIRECTED ? request.path() : (Integer) to.lid();
        if (targets.size() >= MAX_TARGETS) {
            targets.values().removeIf(Target::isIdle);
        }
        Target target = targets.computeIfAbsent(key, Target::new);
        target.waiting.addLast(new Request(request, to, target, limits, done));
        queued++;
        makeReady(target);
        if (!pumping) {
            pumping = true;
            transport.loop().execute(pumpNow);
        }
    }

    /**
     * Sends what expects no answer: a response, TrapRepress. If the transport does not take it, whatever the reason,
     * that is counted and it is lost: whoever asked will ask again, and an address that is no good hurts nobody else.
     *
     * @return whether the transport took it
     */
    public boolean answer(Mad mad, MadAddress to) {
        if (!mad.isResponse()) {
            keys.write(mad);
        }
        try {
            transport.send(mad, to, 0);
            return true;
        } catch (ErrnoException _) {
            answersLost++;
            return false;
        }
    }

    /**
     * Says which M_Keys the agents of SMPs may have from now on. Each target is asked with that which it answered to
     * last, before that with the one that another target was last seen to have, at the beginning the first one; while
     * it is silent they take turns. TrapRepress has that which the other target has.
     *
     * @param newKeys one or more; 0 for none
     */
    public void keys(List<Long> newKeys) {
        keys.set(newKeys);
    }

    /** Sets who is told, once and in the loop, that the transport has failed: nothing is sent or received any more. */
    public void onFailure(Consumer<ErrnoException> listener) {
        failureListener = listener;
    }

    /**
     * Sets what is asked, in the loop, before each attempt at a request: whether it is not wanted any more. Then it is
     * cancelled. Until this is called all are wanted.
     */
    public void cancelling(Predicate<Mad> unwanted) {
        isUnwanted = unwanted;
    }

    /** Returns whether nothing can be sent any more: {@link #close} was called, or the transport has failed. */
    public boolean isClosed() {
        return closed;
    }

    /** Returns how many requests were sent and not answered yet. */
    public int outstanding() {
        return outstanding.size();
    }

    /** Returns how many requests wait for their turn. */
    public int queued() {
        return queued;
    }

    /** Returns how many requests may be outstanding at present. */
    public int window() {
        return window;
    }

    /** Returns what happened so far. */
    public RequestCounters counters() {
        return new RequestCounters(
                sent, resent, answered, unanswered, stale, duplicates, mismatched, unsolicitedCount, answersLost);
    }

    /** Ends all requests: each is told that it is cancelled. The transport stays open. */
    public void close() {
        closed = true;
        List<Request> all = outstanding.removeAll();
        for (Target target : targets.values()) {
            all.addAll(target.waiting);
            target.waiting.clear();
        }
        targets.clear();
        ready.clear();
        deadlines.clear();
        queued = 0;
        if (timer != null) {
            timer.run();
            timer = null;
        }
        for (Request request : all) {
            request.done.accept(new RequestOutcome.Cancelled(request.attempts));
        }
    }

    private void makeReady(Target target) {
        if (!target.isReady && !target.waiting.isEmpty() && target.outstanding < settings.maxPerTarget()) {
            target.isReady = true;
            ready.addLast(target);
        }
    }

    private void pumpNow() {
        pumping = false;
        pump();
    }

    /** Sends as much as the window allows, one request of each target in turn. */
    private void pump() {
        int limit = Math.min(window, hardLimit);
        if (limit >= LARGE_WINDOW && outstanding.size() > limit - limit / BURST_SHARE) {
            return;
        }
        while (outstanding.size() < limit && !ready.isEmpty()) {
            Target target = ready.removeFirst();
            target.isReady = false;
            Request request = target.waiting.pollFirst();
            if (request != null) {
                queued--;
                sendNow(request);
                makeReady(target);
            }
        }
    }

    /** What the transport can not take at present counts as lost, and is sent again in its time. */
    private void sendNow(Request request) {
        if (isUnwanted.test(request.mad)) {
            forget(request);
            request.done.accept(new RequestOutcome.Cancelled(request.attempts));
            return;
        }
        if (request.attempts == 0) {
            request.mad.set(Mad.TRANSACTION_ID, Integer.toUnsignedLong(freeTid()));
        }
        keys.write(request.mad, request.target.guess);
        int tid = request.mad.tid();
        try {
            transport.send(request.mad, request.to, (int) Math.max(1, request.timeoutNanos / MILLI));
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EAGAIN && e.errno() != Errno.EBUSY) {
                forget(request);
                request.done.accept(new RequestOutcome.Refused(e.errno().number(), request.attempts));
                return;
            }
        }
        sent++;
        resent += request.attempts > 0 ? 1 : 0;
        request.attempts++;
        request.metBusy = false;
        request.target.outstanding++;
        request.isOutstanding = true;
        outstanding.put(tid, request);
        long wait = request.timeoutNanos + (transport.reportsTimeouts() ? GUARD : 0);
        deadlines.add(new Deadline(transport.loop().nanoTime() + wait, tid, request, request.attempts));
        startTimer();
    }

    private void putBack(Request request) {
        request.target.waiting.addFirst(request);
        queued++;
        if (!request.target.isReady) {
            request.target.isReady = true;
            ready.addFirst(request.target);
        }
    }

    private int freeTid() {
        while (outstanding.has(nextTid) || nextTid == 0) {
            nextTid++;
        }
        return nextTid++;
    }

    /** Targets that nothing is left of are forgotten, unless they have proved to answer. */
    private void forget(Request request) {
        Target target = request.target;
        if (target.isIdle() && !target.hasAnswered) {
            targets.remove(target.key, target);
        }
    }

    private void startTimer() {
        Deadline first = deadlines.first();
        if (first == null || timer != null && timerAt <= first.at) {
            return;
        }
        if (timer != null) {
            timer.run();
        }
        timerAt = first.at;
        timer = transport
                .loop()
                .schedule(Math.max(0, first.at - transport.loop().nanoTime()), this::timeUp);
    }

    private void timeUp() {
        timer = null;
        long now = transport.loop().nanoTime();
        for (Deadline first = deadlines.first(); first != null && first.at <= now; first = deadlines.first()) {
            // Which ends the attempt, and so this deadline.
            attemptFailed(first.tid, first.request);
        }
        pump();
        startTimer();
    }

    private void attemptFailed(int tid, Request request) {
        outstanding.remove(tid);
        request.isOutstanding = false;
        request.target.outstanding--;
        long now = transport.loop().nanoTime();
        if (request.target.hasAnswered && (lastHalved == Long.MIN_VALUE || now - lastHalved > request.timeoutNanos)) {
            lastHalved = now;
            window = Math.max(Math.min(settings.startWindow(), hardLimit), window / 2);
        }
        if (!request.metBusy) {
            keys.silent(request.target.guess, request.mad);
        }
        if (request.attempts <= request.retries) {
            putBack(request);
            return;
        }
        unanswered++;
        remember(tid);
        makeReady(request.target);
        forget(request);
        request.done.accept(new RequestOutcome.Unanswered(request.attempts));
    }

    private void remember(int tid) {
        ended[(int) (endedCount++ % REMEMBERED)] = tid;
    }

    private boolean isRemembered(int tid) {
        int known = (int) Math.min(endedCount, REMEMBERED);
        return Arrays.stream(ended, 0, known).anyMatch(one -> one == tid);
    }

    /** TrapRepress is no answer to any request, although it has no response bit. */
    private static boolean isAnswer(Mad mad) {
        return mad.isResponse() && !mad.is(MadMethod.TRAP_REPRESS, true);
    }

    private void answered(Mad mad, MadAddress from) {
        int tid = mad.tid();
        Request request = outstanding.remove(tid);
        if (request == null) {
            if (isRemembered(tid)) {
                duplicates++;
            } else {
                stale++;
            }
            return;
        }
        if (!isAnswerTo(request.mad, mad)) {
            outstanding.put(tid, request);
            mismatched++;
            return;
        }
        request.target.hasAnswered = true;
        if (isBusy(mad) && request.attempts <= request.retries) {
            // Asked again at once it would be as busy: it has the time that an answer may take.
            request.metBusy = true;
            outstanding.put(tid, request);
            return;
        }
        request.isOutstanding = false;
        remember(tid);
        answered++;
        request.target.outstanding--;
        keys.answered(request.target.guess, request.mad, mad);
        window = Math.min(hardLimit, window + 1);
        deadlines.forgetEnded();
        makeReady(request.target);
        request.done.accept(new RequestOutcome.Answered(mad, from, request.attempts));
        pump();
    }

    /** The bit says that the request was dropped, and may be sent again; errors have others. */
    private static boolean isBusy(Mad mad) {
        return (mad.status() & MadStatus.BUSY) != 0;
    }

    private static boolean isAnswerTo(Mad request, Mad mad) {
        // MultiPathRecord is answered with PathRecords (spec 40 §5.2).
        boolean isSameAttribute = request.is(MadMethod.GET_MULTI, false) || mad.attributeId() == request.attributeId();
        return mad.mgmtClass() == request.mgmtClass()
                && isSameAttribute
                && mad.getInt(Mad.METHOD) == MadMethod.answerTo(request.getInt(Mad.METHOD))
                && (!MgmtClass.isSmp(mad.mgmtClass()) || mad.modifier() == request.modifier());
    }

    private final class Receiver implements MadReceiver {
        @Override
        public void received(Mad mad, MadAddress from) {
            if (closed) {
                return;
            }
            if (isAnswer(mad)) {
                answered(mad, from);
            } else {
                unsolicitedCount++;
                unsolicited.accept(mad, from);
            }
        }

        @Override
        public void undelivered(Mad mad, int errno) {
            if (mad.isResponse()) {
                answersLost++;
                return;
            }
            Request request = outstanding.get(mad.tid());
            if (request != null && !closed && request.mad.attributeId() == mad.attributeId()) {
                attemptFailed(mad.tid(), request);
                pump();
            }
        }

        @Override
        public void failed(ErrnoException why) {
            failure = why;
            closed = true;
            failureListener.accept(why);
            close();
        }
    }
}

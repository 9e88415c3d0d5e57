package org.railyard.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * A stack that keeps the books: which messages are lent, what came in, and where a transport broke the contract.
 * Thread-safe.
 */
final class ContractStack implements LndUpcalls {
    /** What to do with a header. */
    @FunctionalInterface
    interface Policy {
        /** Answers, or puts the answer off; returns 0, or a negative errno to refuse. */
        int take(IncomingHeader incoming);
    }

    /** What was said of a peer. */
    record PeerNews(LndNi ni, Nid peer, boolean alive) {}

    /** What was said of a device. */
    record DeviceNews(LndNi ni, DeviceEvent event) {}

    private static final Policy STORE = incoming -> {
        incoming.store();
        return 0;
    };

    private final ConcurrentLinkedQueue<IncomingHeader> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger arrived = new AtomicInteger();
    private final Set<Loan> loans = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
    private final List<PeerNews> peerNews = new CopyOnWriteArrayList<>();
    private final List<DeviceNews> deviceNews = new CopyOnWriteArrayList<>();
    private volatile Policy policy = STORE;
    private volatile Consumer<Loan> whenReturned = loan -> {};

    /** Decides from now on what is done with headers. Without, every payload is stored. */
    void policy(Policy value) {
        policy = value;
    }

    /** Stores every payload from now on. */
    void storeAll() {
        policy = STORE;
    }

    /** Is called, within the upcall, with every message that comes back from now on. */
    void whenReturned(Consumer<Loan> value) {
        whenReturned = value;
    }

    void lend(Loan loan) {
        loan.lend();
        loans.add(loan);
    }

    void violation(String what) {
        violations.add(what);
    }

    @Override
    public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        IncomingHeader incoming = new IncomingHeader(this, ni, header, from, fromPid, receiver);
        arrivals.add(incoming);
        arrived.incrementAndGet();
        return policy.take(incoming);
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        if (!(message instanceof Loan loan) || !loans.contains(loan)) {
            violation("completed a message that was never lent: " + message);
            return;
        }
        String flaw = loan.giveBack(status, health);
        if (!flaw.isEmpty()) {
            violation(loan + ": " + flaw);
        }
        whenReturned.accept(loan);
    }

    @Override
    public @Nullable LndMessage reply(LndNi ni, LndMessage get) {
        Loan answer = get instanceof Loan loan && loan.state() == Loan.State.LENT ? loan.answer() : null;
        if (answer != null) {
            lend(answer);
        }
        return answer;
    }

    @Override
    public void setReplyLength(LndMessage reply, int length) {
        String flaw = reply instanceof Loan loan && loans.contains(loan) ? loan.write(length) : "it was never lent";
        if (!flaw.isEmpty()) {
            violation("length of the answer " + reply + ": " + flaw);
        }
    }

    @Override
    public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
        peerNews.add(new PeerNews(ni, peer, alive));
    }

    @Override
    public void deviceEvent(LndNi ni, DeviceEvent event) {
        deviceNews.add(new DeviceNews(ni, event));
    }

    /** Returns what came in, in order. */
    List<IncomingHeader> arrivals() {
        return new ArrayList<>(arrivals);
    }

    /** Forgets what came in, all of which must have been dealt with. */
    void forgetArrivals() {
        arrivals.clear();
        arrived.set(0);
    }

    /** Returns how many headers came in. */
    int arrived() {
        return arrived.get();
    }

    /** Tells whether every payload that was to be stored is stored, and there are so many. */
    boolean hasStored(int count) {
        return arrived.get() >= count
                && arrivals.stream().filter(IncomingHeader::isStored).count() >= count;
    }

    /** Returns what the transport did against the contract. */
    List<String> violations() {
        List<String> all = new ArrayList<>(violations);
        for (Loan loan : loans) {
            if (loan.lateUses() > 0) {
                all.add(loan + ": used " + loan.lateUses() + " times after it was completed");
            }
        }
        return all;
    }

    /** Returns messages that are still lent. */
    List<Loan> open() {
        return loans.stream().filter(loan -> loan.state() == Loan.State.LENT).toList();
    }

    List<PeerNews> peerNews() {
        return peerNews;
    }

    List<DeviceNews> deviceNews() {
        return deviceNews;
    }
}

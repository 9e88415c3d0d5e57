package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.forward.NetWatch;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.model.Trust;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.peer.PeerTable;
import org.railyard.lnet.portal.Portal;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;

/** Receiving: from a header off the wire to memory and event (spec 10 §9, §4.2; 01 §5). */
public final class Receiver {
    static final String TOO_LONG = "too long for the memory descriptor that matches";

    private final Node node;
    private final Drops drops;
    private final DelayedPuts delayed;
    private final Completer completer;
    private final Launcher launcher;
    private final Forwarder forwarder;
    private final Dispatcher dispatcher;
    private Runnable netHeard = () -> {};

    Receiver(
            Node node,
            Drops drops,
            DelayedPuts delayed,
            Completer completer,
            Launcher launcher,
            Forwarder forwarder,
            Dispatcher dispatcher) {
        this.node = node;
        this.drops = drops;
        this.delayed = delayed;
        this.completer = completer;
        this.launcher = launcher;
        this.forwarder = forwarder;
        this.dispatcher = dispatcher;
    }

    /**
     * Connects what makes known that a net is not silent any more. It is called without the lock, before the ping from
     * there is answered; or as soon as possible, if the calling thread is in the middle of something.
     */
    public void setNetHeard(Runnable action) {
        netHeard = action;
    }

    /** Takes a header from a transport; the contract is {@link org.railyard.lnet.lnd.LndUpcalls#parse}. */
    public int parse(LndNi lndNi, LNetHeader header, Nid from, LndReceiver source) {
        LocalNi ni = (LocalNi) lndNi;
        int length = header.payloadLength();
        Pending work = node.pending();
        Message into = null;
        boolean held = false;
        int status = check(header, length, work);
        if (status == 0) {
            listen(ni, header, work);
            node.lock.lock();
            try {
                if (work.givenBackCount > 0 && work.inOneRead) {
                    node.keepNow();
                }
                work.inOneRead = true;
                FaultGate faults = node.faults;
                boolean foreign = !header.destNid().equals(ni.nid());
                if (foreign) {
                    status = checkForeign(ni, header, source, work);
                }
                if (status < 0 || (foreign && isRefusedRouting(ni, header, work))) {
                    held = false;
                } else if (faults != null && faults.drops(header, ni)) {
                    drops.drop(ni, null, header, "a fault rule says so", work);
                } else {
                    Message message = accept(ni, header, from, foreign, work);
                    held = message != null && faults != null && faults.holds(message, source, length);
                    if (message != null && !held) {
                        into = decide(message, source, work);
                        held = into == null && waits(message);
                    }
                }
            } finally {
                node.lock.unlock();
            }
        }
        try {
            if (status == 0 && !held) {
                receive(into, source, length, work);
            }
        } finally {
            dispatcher.run(work);
        }
        return status;
    }

    /** Hears pings of neighbours, which tell a router that a net works. */
    private void listen(LocalNi ni, LNetHeader header, Pending work) {
        if (header.type() != MessageType.GET || header.portal() != Wire.RESERVED_PORTAL) {
            return;
        }
        boolean news;
        node.lock.lock();
        try {
            news = node.routing.forwards()
                    && node.nis.find(header.srcNid()) == null
                    && NetWatch.heard(ni.localNet(), node.now());
        } finally {
            node.lock.unlock();
        }
        if (news && work.running) {
            work.calls.add(netHeard);
        } else if (news) {
            netHeard.run();
        }
    }

    /** A message that was held up is looked at now. Needs no lock. */
    void resume(Message message, LndReceiver source, int length) {
        Pending work = node.pending();
        Message into;
        boolean held;
        node.lock.lock();
        try {
            into = decide(message, source, work);
            held = into == null && waits(message);
        } finally {
            node.lock.unlock();
        }
        try {
            if (!held) {
                receive(into, source, length, work);
            }
        } finally {
            dispatcher.run(work);
        }
    }

    /**
     * Finds out what to receive a payload into; null if it is to be thrown away, or has to wait and so keeps the source
     * of its payload.
     */
    private @Nullable Message decide(Message message, LndReceiver source, Pending work) {
        node.lock.assertHeld();
        if (!message.isForwarding()) {
            return dispatch(message, source.placesReply(), work);
        }
        return forwarder.admit(message, source, work) == Forwarder.Admission.NOW ? message : null;
    }

    /** Tells whether a message that is to be passed on waits for what it needs to be received. */
    private static boolean waits(Message message) {
        return message.isForwarding() && message.transit().source() != null;
    }

    private void receive(@Nullable Message into, LndReceiver source, int length, Pending work) {
        if (into == null) {
            source.receive(null, 0, length);
        } else if (into.isForwarding()) {
            forwarder.receive(into, work);
        } else {
            into.setTimeout(Timeouts.receipt(node.settings, into));
            source.receive(into, into.length(), into.role().isPlaced() ? into.length() : length);
        }
    }

    private int check(LNetHeader header, int length, Pending work) {
        return switch (header.type()) {
            case ACK, GET ->
                length == 0
                        ? 0
                        : drops.refuse(
                                header.type() + " with a payload of " + Integer.toUnsignedString(length)
                                        + " bytes, expected none",
                                work);
            case PUT, REPLY ->
                length >= 0 && length <= Wire.MTU
                        ? 0
                        : drops.refuse(
                                header.type() + " with a payload of " + Integer.toUnsignedString(length)
                                        + " bytes, the limit is " + Wire.MTU,
                                work);
            case HELLO -> drops.refuse("HELLO behind the handshake", work);
        };
    }

    /** Checks a message for another NID: it may have been sent the wrong way. */
    private int checkForeign(LocalNi ni, LNetHeader header, LndReceiver source, Pending work) {
        Nid to = header.destNid();
        if (to.isOnNetOf(ni.nid()) || to.isLoopback() || to.isAny() || node.nis.find(to) != null) {
            return drops.refuse(
                    "a message to " + to + " came in on " + ni.nid() + ", expected that NID or one of another node",
                    work);
        }
        if (header.type() == MessageType.GET && source.placesReply()) {
            return drops.refuse(
                    "a GET to " + to + " came in on " + ni.nid()
                            + " whose answer is to be placed by this node; expected one that can be passed on",
                    work);
        }
        return 0;
    }

    /** A message that is for another net: returns whether it goes no further. */
    private boolean isRefusedRouting(LocalNi ni, LNetHeader header, Pending work) {
        node.lock.assertHeld();
        if (!node.routing.forwards()) {
            drops.drop(ni, null, header, "routing is off", work);
            return true;
        }
        if (node.nis.find(header.srcNid()) != null) {
            drops.drop(ni, null, header, "it is ours and came back: routes lead in a circle", work);
            return true;
        }
        if (node.nis.netOf(header.destNid()) == null
                && node.routes.to(header.destNid().net()).isEmpty()) {
            // Before a peer is made of it that nobody can reach.
            drops.drop(ni, null, header, "no route leads to its net", work);
            return true;
        }
        return false;
    }

    /** Records who sent; returns a message that holds the header, or null if it is dropped. */
    private @Nullable Message accept(LocalNi ni, LNetHeader header, Nid from, boolean foreign, Pending work) {
        node.lock.assertHeld();
        if (node.stopping || ni.state() == LocalNi.State.DELETING || node.messagesInUse() >= Node.MAX_MESSAGES) {
            drops.drop(ni, null, header, "the NI is stopping or all messages are in use", work);
            return null;
        }
        PeerNi peerNi = null;
        if (!ni.nid().isLoopback()) {
            if (isNobody(header.srcNid()) || isNobody(from)) {
                drops.drop(ni, null, header, "nobody can have sent it", work);
                return null;
            }
            peerNi = node.peers.findOrCreate(from, ni);
            if (peerNi == null) {
                drops.drop(
                        ni,
                        null,
                        header,
                        "the limit of " + PeerTable.MAX_PEER_NIS + " peer NIDs is reached, and all of them are in use",
                        work);
                return null;
            }
            heard(ni, peerNi, header);
            if (!foreign && !node.gateways.mayHaveSent(header, peerNi)) {
                drops.drop(ni, peerNi, header, "no route leads back through the router that it came by", work);
                return null;
            }
            node.gateways.receivedFrom(peerNi, header);
        }
        if (peerNi != null && isRequest(header) && !node.hasRoomFor(peerNi)) {
            drops.drop(ni, peerNi, header, "too many that it sent before are not answered yet", work);
            return null;
        }
        Message message = node.take();
        message.header().copyFrom(header);
        message.path().hop(ni, peerNi);
        message.setSender(from);
        if (peerNi != null) {
            message.broughtBy(peerNi);
        }
        if (foreign) {
            message.become(Role.FORWARD_IN);
            return message;
        }
        message.become(Role.RECEIVED);
        message.setInitiator(
                peerNi != null && header.srcNid().equals(from)
                        ? peerNi.peer().primaryNid
                        : node.peers.primaryOf(header.srcNid()));
        return message;
    }

    private void heard(LocalNi ni, PeerNi peerNi, LNetHeader header) {
        node.lock.assertHeld();
        peerNi.lastAlive = node.now();
        peerNi.everAlive = true;
        peerNi.peer().heard(peerNi.lastAlive);
        node.peers.trust(peerNi.peer(), Trust.HEARD);
        peerNi.status = PingInfo.STATUS_UP;
        if (node.nis.find(peerNi.nid()) == null) {
            ni.everHeard = true;
            ni.lastHeard = peerNi.lastAlive;
        }
        if (!answersProbe(header)) {
            node.health.received(ni, peerNi, node.judgesNextHops(peerNi.peer()));
        }
    }

    /** Tells whether a message is the answer to one that changes no health. */
    private boolean answersProbe(LNetHeader header) {
        MemoryDescriptor md = header.type() == MessageType.REPLY ? node.mds.find(header.objectCookie()) : null;
        return md != null && md.probe;
    }

    private static boolean isRequest(LNetHeader header) {
        return header.type() == MessageType.PUT || header.type() == MessageType.GET;
    }

    /** A name that no other node has: answers to it would go nowhere, or to ourselves. */
    private static boolean isNobody(Nid nid) {
        return nid.whyNobodys() != null;
    }

    /** Finds out what a message is for; returns it if payload is to be received into it, else null. */
    private @Nullable Message dispatch(Message message, boolean placed, Pending work) {
        node.lock.assertHeld();
        switch (message.header().type()) {
            case PUT -> {
                return onPut(message, work);
            }
            case REPLY -> {
                return onReply(message, work);
            }
            case GET -> {
                return onGet(message, placed, work);
            }
            case ACK -> onAck(message, work);
            case HELLO -> throw new IllegalStateException("HELLO was refused before");
        }
        return null;
    }

    private @Nullable Message onPut(Message message, Pending work) {
        LNetHeader header = message.header();
        Portal portal = node.portals.find(header.portal());
        if (portal == null) {
            drops.discard(message, "no such portal", work);
            return null;
        }
        switch (portal.match(message, node.identity)) {
            case MATCHED -> {
                openPut(message);
                return message;
            }
            case TOO_LONG -> drops.discard(message, TOO_LONG, work);
            case NO_MATCH -> {
                if (!portal.parksUnmatched()) {
                    drops.discard(message, "no match", work);
                } else if (!delayed.makeRoomFor(message, work)) {
                    drops.discard(message, "no match, and too many messages wait for one", work);
                } else if (!delayed.begin(message)) {
                    drops.discard(message, "no match, and no memory to wait in", work);
                } else {
                    return message;
                }
            }
        }
        return null;
    }

    /** A PUT has its descriptor: fixes what its event says and opens the memory. */
    static void openPut(Message message) {
        MemoryDescriptor md = requireMd(message);
        message.accept();
        message.event()
                .setPassive(
                        EventKind.PUT,
                        message.header(),
                        message.initiator(),
                        message.sender(),
                        message.header().payloadLength(),
                        message.accepted(),
                        message.mdOffset());
        if (md.has(MdOption.DISCARD)) {
            message.setLength(0);
        }
        message.openViews();
    }

    static MemoryDescriptor requireMd(Message message) {
        MemoryDescriptor md = message.md();
        if (md == null) {
            throw new IllegalStateException("a matched message without a descriptor");
        }
        return md;
    }

    /**
     * Answers a GET: the message becomes the REPLY. Returns it if the transport that brought the GET is to write it to
     * where the peer said.
     */
    private @Nullable Message onGet(Message message, boolean placed, Pending work) {
        LNetHeader header = message.header();
        Portal portal = node.portals.find(header.portal());
        Portal.Outcome outcome = portal == null ? Portal.Outcome.NO_MATCH : portal.match(message, node.identity);
        if (outcome != Portal.Outcome.MATCHED) {
            drops.discard(message, outcome == Portal.Outcome.TOO_LONG ? TOO_LONG : "no match", work);
            return null;
        }
        completer.received(message);
        int wanted = (int) Math.min(Integer.MAX_VALUE, Integer.toUnsignedLong(header.sinkLength()));
        message.event()
                .setPassive(
                        EventKind.GET,
                        header,
                        message.initiator(),
                        message.sender(),
                        wanted,
                        message.length(),
                        message.mdOffset());
        message.openViews();
        Nid source = header.destNid();
        Nid target = header.srcNid();
        int targetPid = header.srcPid();
        header.setReply(message.length(), header.interfaceCookie(), header.objectCookie());
        header.setRoute(target, targetPid, source, ProcessId.LUSTRE_PID);
        message.become(placed ? Role.PLACED_OUT : Role.RESPONSE);
        if (placed) {
            message.path().commit(node.now());
            return message;
        }
        message.path().leave();
        message.path().request(source, target);
        launcher.launch(message, work);
        return null;
    }

    /**
     * Makes the REPLY to a GET of this node; the contract is {@link org.railyard.lnet.lnd.LndUpcalls#reply}. Needs no
     * lock.
     */
    public @Nullable LndMessage makeReply(LndMessage get) {
        node.lock.lock();
        try {
            return PlacedReplies.make(node, (Message) get);
        } finally {
            node.lock.unlock();
        }
    }

    /** Returns the bound descriptor that a response names, or null if there is none that still takes one. */
    private @Nullable MemoryDescriptor initiatorMd(LNetHeader header) {
        node.lock.assertHeld();
        if (header.interfaceCookie() != node.cookie) {
            return null;
        }
        MemoryDescriptor md = node.mds.find(header.objectCookie());
        return md == null || md.entry != null || md.threshold == 0 ? null : md;
    }

    private void onAck(Message message, Pending work) {
        LNetHeader header = message.header();
        MemoryDescriptor md = initiatorMd(header);
        if (md == null || md.awaitedAcks == 0) {
            // Late or repeated: nothing wrong, hardly anybody interested.
            drops.discardQuietly(message, "nobody waits for this ACK any more", work);
            return;
        }
        completer.received(message);
        md.use();
        md.refs++;
        md.awaitedAcks--;
        node.ledger.answered(message, md);
        completer.untrackIfAnswered(md);
        // The target can not have stored more than was sent, whatever it says.
        int mlength = (int) Math.min(md.length(), Integer.toUnsignedLong(header.mlength()));
        message.event().setResponse(EventKind.ACK, header, message.initiator(), message.sender(), mlength);
        completer.finish(message, md, work);
    }

    private @Nullable Message onReply(Message message, Pending work) {
        LNetHeader header = message.header();
        MemoryDescriptor md = initiatorMd(header);
        if (md == null || md.awaitedReplies == 0) {
            drops.discard(message, "no request waits for this reply", work);
            return null;
        }
        int length = header.payloadLength();
        if (length > md.length() && !md.has(MdOption.TRUNCATE)) {
            drops.discard(message, "reply longer than the memory descriptor", work);
            return null;
        }
        md.use();
        md.refs++;
        md.awaitedReplies--;
        message.setPayload(md, 0, Math.min(length, md.length()));
        message.event().setResponse(EventKind.REPLY, header, message.initiator(), message.sender(), message.length());
        message.openViews();
        return message;
    }
}

package org.railyard.o2iblnd;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** Throws away what arrives, unless told to store it, and keeps how messages came back. */
final class RecordingStack implements LndUpcalls {
    /** How a message came back. */
    record Outcome(LndMessage message, int status, HealthStatus health) {}

    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<Boolean> peerNews = new ArrayList<>();
    private final List<Boolean> connectionNews = new ArrayList<>();
    private final List<DeviceEvent> deviceNews = new ArrayList<>();
    private final List<Integer> replyLengths = new ArrayList<>();
    private boolean placesReplies;
    private boolean stores;
    private boolean copies;
    private boolean holds;
    private Runnable held = () -> {};
    private int arrived;

    List<Outcome> outcomes() {
        return outcomes;
    }

    /** Returns whether peers were said to be alive, in order. */
    List<Boolean> peerNews() {
        return peerNews;
    }

    /** Returns whether peers were said to be connected, in order. */
    List<Boolean> connectionNews() {
        return connectionNews;
    }

    List<DeviceEvent> deviceNews() {
        return deviceNews;
    }

    int arrived() {
        return arrived;
    }

    @Override
    public int parse(LndNi on, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        arrived++;
        int length = header.payloadLength();
        if (holds) {
            holds = false;
            held = () -> receiver.receive(into(from, on.nid(), length), length, length);
            return 0;
        }
        receiver.receive(stores ? into(from, on.nid(), length) : null, stores ? length : 0, length);
        return 0;
    }

    private TestMessage into(Nid from, Nid to, int length) {
        return copies
                ? TestMessage.put(from, to, TestMessage.BITS, ByteBuffer.allocate(length))
                : TestMessage.put(from, to, length);
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        outcomes.add(new Outcome(message, status, health));
    }

    /** Lets the next message wait until {@link #answer}. */
    void hold() {
        holds = true;
    }

    /** Stores the message that waits. */
    void answer() {
        held.run();
    }

    /** Stores what arrives from now on. */
    void store() {
        stores = true;
    }

    /** Makes it store what arrives from now on in memory that no card can write to itself. */
    void storeCopies() {
        stores = true;
        copies = true;
    }

    /** Makes REPLYs from now on that peers may write to. */
    void placeReplies() {
        placesReplies = true;
    }

    /** Returns how long REPLYs were said to be. */
    List<Integer> replyLengths() {
        return replyLengths;
    }

    @Override
    public @Nullable LndMessage reply(LndNi ni, LndMessage get) {
        return placesReplies ? TestMessage.replyTo(get) : null;
    }

    @Override
    public void setReplyLength(LndMessage reply, int length) {
        replyLengths.add(length);
    }

    @Override
    public void notifyPeer(LndNi on, Nid peer, boolean alive, boolean reset, long whenNanos) {
        peerNews.add(alive);
        connectionNews.add(alive);
    }

    @Override
    public void disconnected(LndNi ni, Nid peer) {
        connectionNews.add(false);
    }

    @Override
    public void deviceEvent(LndNi on, DeviceEvent event) {
        deviceNews.add(event);
    }
}

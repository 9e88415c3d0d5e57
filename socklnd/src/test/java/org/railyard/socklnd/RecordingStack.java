package org.railyard.socklnd;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;

/** A stack that remembers what the transport tells it. */
final class RecordingStack implements LndUpcalls {
    /** A message that arrived whole. */
    record Arrival(LNetHeader header, ProcessId from, byte[] payload) {}

    record Completion(LndMessage message, int status, HealthStatus health) {}

    /** What to do with a header. */
    interface Policy {
        int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver);
    }

    final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
    final List<LNetHeader> headers = new CopyOnWriteArrayList<>();
    final List<Completion> completions = new CopyOnWriteArrayList<>();
    final List<DeviceEvent> deviceEvents = new CopyOnWriteArrayList<>();
    final List<Nid> deaths = new CopyOnWriteArrayList<>();
    final List<Nid> connected = new CopyOnWriteArrayList<>();
    final List<Nid> disconnected = new CopyOnWriteArrayList<>();
    /** Is called before a peer counts as connected. */
    volatile Runnable beforeConnected = () -> {};
    /** Is called before a peer counts as disconnected. */
    volatile Runnable beforeDisconnected = () -> {};
    /** Is called before a message counts as completed with an error. */
    volatile Runnable beforeError = () -> {};
    /** Is called when what was completed is told. */
    volatile Runnable atFlush = () -> {};

    private final Map<LndMessage, Arrival> receiving = new ConcurrentHashMap<>();
    volatile Policy policy = this::store;

    @Override
    public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        LNetHeader copy = new LNetHeader();
        copy.copyFrom(header);
        headers.add(copy);
        return policy.parse(ni, header, from, fromPid, receiver);
    }

    /** Stores the payload in two fragments. */
    int store(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        int length = header.payloadLength();
        TestMessage into =
                new TestMessage(ByteBuffer.allocateDirect(length / 3), ByteBuffer.allocateDirect(length - length / 3));
        expect(into, header, from, fromPid);
        receiver.receive(into, length, length);
        return 0;
    }

    void expect(TestMessage into, LNetHeader header, Nid from, int fromPid) {
        LNetHeader copy = new LNetHeader();
        copy.copyFrom(header);
        receiving.put(into, new Arrival(copy, new ProcessId(from, fromPid), new byte[0]));
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        if (status != 0) {
            beforeError.run();
        }
        Arrival arrival = receiving.remove(message);
        if (arrival == null || status != 0) {
            completions.add(new Completion(message, status, health));
            return;
        }
        ByteBuffer all = ByteBuffer.allocate(message.payloadLength());
        for (ByteBuffer fragment : message.fragments()) {
            all.put(fragment.duplicate().flip());
        }
        arrivals.add(new Arrival(arrival.header, arrival.from, all.array()));
    }

    @Override
    public void flush() {
        atFlush.run();
    }

    @Nullable
    Completion completionOf(LndMessage message) {
        return completions.stream()
                .filter(completion -> completion.message == message)
                .findFirst()
                .orElse(null);
    }

    Completion awaitCompletion(LndMessage message) {
        Await.until("completion", () -> completionOf(message) != null);
        Completion completion = completionOf(message);
        if (completion == null) {
            throw new AssertionError();
        }
        return completion;
    }

    @Override
    public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
        if (!alive) {
            deaths.add(peer);
        }
    }

    @Override
    public void connected(LndNi ni, Nid peer) {
        beforeConnected.run();
        connected.add(peer);
    }

    @Override
    public void disconnected(LndNi ni, Nid peer) {
        beforeDisconnected.run();
        disconnected.add(peer);
    }

    @Override
    public void deviceEvent(LndNi ni, DeviceEvent event) {
        deviceEvents.add(event);
    }
}

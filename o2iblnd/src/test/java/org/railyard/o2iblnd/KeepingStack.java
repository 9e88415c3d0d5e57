package org.railyard.o2iblnd;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** Keeps which messages arrived, in order, and whether their payload is what their match bits say. */
final class KeepingStack implements LndUpcalls {
    private final List<Long> arrived = new ArrayList<>();
    private final List<Long> spoilt = new ArrayList<>();
    private final List<HealthStatus> outcomes = new ArrayList<>();
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private final List<Arrival> open = new ArrayList<>();
    private boolean holds;

    private record Arrival(TestMessage message, ByteBuffer bytes, long bits) {}

    @Override
    public int parse(LndNi on, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        int length = header.payloadLength();
        long bits = header.matchBits();
        arrived.add(bits);
        ByteBuffer bytes = ByteBuffer.allocate(length);
        TestMessage into = TestMessage.put(from, on.nid(), bits, bytes);
        open.add(new Arrival(into, bytes, bits));
        Runnable answer = () -> receiver.receive(into, length, length);
        if (holds) {
            held.add(answer);
        } else {
            answer.run();
        }
        return 0;
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        Arrival arrival = open.stream()
                .filter(each -> each.message == message)
                .findFirst()
                .orElse(null);
        if (arrival == null) {
            outcomes.add(health);
            return;
        }
        open.remove(arrival);
        for (int i = 0; i < arrival.bytes.capacity(); i++) {
            if (arrival.bytes.get(i) != TestMessage.pattern(arrival.bits, i)) {
                spoilt.add(arrival.bits);
                return;
            }
        }
    }

    /** Lets messages wait until {@link #answerNext}, or no more. */
    void hold(boolean waits) {
        holds = waits;
    }

    /** Stores the message that waits. */
    void answerNext() {
        held.remove().run();
    }

    /** Returns the match bits of what arrived. */
    List<Long> arrived() {
        return arrived;
    }

    /** Returns the match bits of what arrived with another payload. */
    List<Long> spoilt() {
        return spoilt;
    }

    /** Returns how many arrived and were not stored. */
    int waiting() {
        return open.size();
    }

    /** Returns how what was sent came back. */
    List<HealthStatus> outcomes() {
        return outcomes;
    }

    @Override
    public void notifyPeer(LndNi on, Nid peer, boolean alive, boolean reset, long whenNanos) {
        // Nobody is interested.
    }

    @Override
    public void deviceEvent(LndNi on, DeviceEvent event) {
        // Nobody is interested.
    }
}

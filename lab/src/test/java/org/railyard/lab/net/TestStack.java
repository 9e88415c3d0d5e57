package org.railyard.lab.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** A stack that keeps books on what its LND does. */
final class TestStack implements LndUpcalls {
    /** How a message came back. */
    record Completion(int status, HealthStatus health) {}

    private record TestNi(Nid nid, Net net, String interfaceName) implements LndNi {
        @Override
        public NetTunables tunables() {
            return NetTunables.DEFAULT;
        }

        @Override
        public Map<String, Integer> lndTunables() {
            return Map.of();
        }
    }

    private final List<Completion> completions = new ArrayList<>();
    private final List<DeviceEvent> devices = new ArrayList<>();
    private final List<Nid> dead = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private @Nullable Lnd lnd;
    private @Nullable LndNi ni;
    private boolean answersLate;
    private int open;

    void use(Lnd used, Nid nid) {
        lnd = used;
        ni = new TestNi(nid, nid.net(), "eth0");
        used.startup(ni);
    }

    void send(Nid target, int bytes, long timeoutNanos) {
        Lnd used = lnd;
        LndNi from = ni;
        if (used == null || from == null) {
            throw new AssertionError("no LND");
        }
        LNetHeader header = new LNetHeader();
        header.setPut(bytes, -1, -1, 33, 0, 0, 0);
        header.setRoute(target, 12345, from.nid(), 12345);
        open++;
        int status = used.send(from, TestMessage.of(header, target, timeoutNanos, bytes));
        if (status < 0) {
            throw new AssertionError("refused with " + status);
        }
    }

    List<Completion> completions() {
        return completions;
    }

    List<DeviceEvent> devices() {
        return devices;
    }

    List<Nid> dead() {
        return dead;
    }

    List<Integer> sizes() {
        return sizes;
    }

    int arrived() {
        return sizes.size();
    }

    /** Returns how many messages are with the LND. */
    int open() {
        return open;
    }

    void clear() {
        completions.clear();
        sizes.clear();
    }

    /** From now on, headers are answered by {@link #answerAll} only. */
    void answerLate() {
        answersLate = true;
    }

    void answerAll() {
        answersLate = false;
        List<Runnable> now = List.copyOf(late);
        late.clear();
        now.forEach(Runnable::run);
    }

    @Override
    public int parse(LndNi to, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        int length = header.payloadLength();
        sizes.add(length);
        if (answersLate) {
            late.add(() -> receiver.receive(null, 0, length));
        } else {
            receiver.receive(null, 0, length);
        }
        return 0;
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        open--;
        completions.add(new Completion(status, health));
    }

    @Override
    public void notifyPeer(LndNi from, Nid peer, boolean alive, boolean reset, long whenNanos) {
        dead.add(peer);
    }

    @Override
    public void deviceEvent(LndNi of, DeviceEvent event) {
        devices.add(event);
    }
}

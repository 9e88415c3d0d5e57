package org.railyard.lab.run;

import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** An LND around another one, in which a defect can be put at each call. */
abstract class BentLnd implements LndProvider {
    private final LndProvider provider;

    BentLnd(LndProvider provider) {
        this.provider = provider;
    }

    int send(Lnd inner, LndNi ni, LndMessage message) {
        return inner.send(ni, message);
    }

    int parse(LndUpcalls stack, LndNi ni, LNetHeader header, Nid from, int pid, LndReceiver receiver) {
        return stack.parse(ni, header, from, pid, receiver);
    }

    void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
        stack.complete(message, status, health);
    }

    @Override
    public NetType type() {
        return provider.type();
    }

    @Override
    public Lnd create(LndUpcalls stack, Host host) {
        Lnd inner = provider.create(new Upcalls(stack), host);
        return new Downcalls(inner);
    }

    private final class Upcalls implements LndUpcalls {
        private final LndUpcalls stack;

        Upcalls(LndUpcalls stack) {
            this.stack = stack;
        }

        @Override
        public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
            return BentLnd.this.parse(stack, ni, header, from, fromPid, receiver);
        }

        @Override
        public void complete(LndMessage message, int status, HealthStatus health) {
            BentLnd.this.complete(stack, message, status, health);
        }

        @Override
        public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
            stack.notifyPeer(ni, peer, alive, reset, whenNanos);
        }

        @Override
        public void deviceEvent(LndNi ni, DeviceEvent event) {
            stack.deviceEvent(ni, event);
        }
    }

    private final class Downcalls implements Lnd {
        private final Lnd inner;

        Downcalls(Lnd inner) {
            this.inner = inner;
        }

        @Override
        public NetType type() {
            return inner.type();
        }

        @Override
        public NiBinding resolve(NiRequest request) {
            return inner.resolve(request);
        }

        @Override
        public void startup(LndNi ni) {
            inner.startup(ni);
        }

        @Override
        public void shutdown(LndNi ni) {
            inner.shutdown(ni);
        }

        @Override
        public int send(LndNi ni, LndMessage message) {
            return BentLnd.this.send(inner, ni, message);
        }

        @Override
        public int timeoutSeconds() {
            return inner.timeoutSeconds();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}

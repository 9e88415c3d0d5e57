package org.railyard.node;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.railyard.base.Errno;
import org.railyard.base.host.Host;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/** A machine whose transport takes all messages and sends none: nobody answers. */
final class StubMachine extends BareMachine implements LndProvider {
    private final Consumer<LndNi> starts;
    private final Runnable sends;

    /**
     * Makes one.
     *
     * @param starts called with each NI that is to start
     * @param sends called for each message
     */
    StubMachine(Consumer<LndNi> starts, Runnable sends) {
        this.starts = starts;
        this.sends = sends;
    }

    @Override
    public LNetConfig.Builder lnet() {
        return LNetConfig.builder().lnd(this);
    }

    @Override
    public NetType type() {
        return NetType.TCP;
    }

    @Override
    public Lnd create(LndUpcalls stack, Host host) {
        return new Silent(stack, starts, sends, new ConcurrentLinkedQueue<>());
    }

    private record Silent(LndUpcalls stack, Consumer<LndNi> starts, Runnable sends, Queue<LndMessage> taken)
            implements Lnd {
        @Override
        public NetType type() {
            return NetType.TCP;
        }

        @Override
        public NiBinding resolve(NiRequest request) {
            Nid nid = request.nid();
            if (nid == null) {
                throw new AssertionError("tests add NIs by their NIDs");
            }
            return new NiBinding(nid, "eth0", -1);
        }

        @Override
        public void startup(LndNi ni) {
            starts.accept(ni);
        }

        @Override
        public void shutdown(LndNi ni) {
            for (LndMessage each = taken.poll(); each != null; each = taken.poll()) {
                stack.complete(each, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ERROR);
            }
        }

        @Override
        public int send(LndNi ni, LndMessage message) {
            taken.add(message);
            sends.run();
            return 0;
        }

        @Override
        public int timeoutSeconds() {
            return 0;
        }

        @Override
        public void close() {}
    }
}

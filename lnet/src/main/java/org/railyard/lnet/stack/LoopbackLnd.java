package org.railyard.lnet.stack;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/** The transport of {@code 0@lo}: what is sent arrives, at once, by copying. */
public final class LoopbackLnd implements Lnd {
    private final LndUpcalls stack;
    // One per thread is enough: the stack hands out one message after the other, and takes the payload before parse
    // returns.
    private final ThreadLocal<Transfer> transfers = ThreadLocal.withInitial(Transfer::new);

    /** Makes a loopback transport. */
    public LoopbackLnd(LndUpcalls stack) {
        this.stack = stack;
    }

    @Override
    public NetType type() {
        return NetType.LO;
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        throw new ErrnoException(Errno.EINVAL, "the loopback NI 0@lo is always there and can not be added");
    }

    @Override
    public void startup(LndNi ni) {}

    @Override
    public void shutdown(LndNi ni) {}

    @Override
    public int send(LndNi ni, LndMessage message) {
        Transfer transfer = transfers.get();
        transfer.from = message;
        transfer.stack = stack;
        int status =
                stack.parse(ni, message.header(), Nid.LOOPBACK, message.header().srcPid(), transfer);
        transfer.from = null;
        transfer.stack = null;
        stack.complete(message, status, status == 0 ? HealthStatus.OK : HealthStatus.LOCAL_ERROR);
        return 0;
    }

    /**
     * One message on its way from memory to memory. Refers to nothing in between: what a thread keeps must not keep a
     * node.
     */
    private static final class Transfer implements LndReceiver {
        private @Nullable LndMessage from;
        private @Nullable LndUpcalls stack;

        @Override
        public void receive(@Nullable LndMessage target, int mlen, int rlen) {
            if (target != null && from != null && stack != null) {
                copy(from, target);
                stack.complete(target, 0, HealthStatus.OK);
            }
        }
    }

    private static void copy(LndMessage from, LndMessage target) {
        int source = 0;
        for (int i = 0; i < target.fragmentCount(); i++) {
            ByteBuffer to = target.fragments()[i];
            while (to.hasRemaining()) {
                ByteBuffer bytes = from.fragments()[source];
                if (!bytes.hasRemaining()) {
                    source++;
                    continue;
                }
                int take = Math.min(to.remaining(), bytes.remaining());
                to.put(to.position(), bytes, bytes.position(), take).position(to.position() + take);
                bytes.position(bytes.position() + take);
            }
        }
    }

    @Override
    public int timeoutSeconds() {
        return 0;
    }

    @Override
    public void close() {}
}

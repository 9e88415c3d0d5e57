package org.railyard.lnet.discovery;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.OwnMemory;
import org.railyard.lnet.wire.PingInfo;

/**
 * The descriptor on portal 0 that takes pushes: for one push each time, posted again after each (spec 10 §19, 01 §8.2).
 */
final class PushTarget {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    /** Largest buffer for a push: a block with the most large entries there can be. */
    static final int MAX_BYTES = PingInfo.MIN_BUFFER + PingInfo.MAX_INTERFACES * 24;

    /** Takes the pushes. */
    @FunctionalInterface
    interface Receiver {
        /**
         * Takes a push.
         *
         * @param event the PUT event
         * @param memory where the block is, {@link Event#mlength()} bytes; valid during the call
         */
        void pushed(Event event, MemorySegment memory);
    }

    private final Descriptors descriptors;
    private final Receiver receiver;
    private volatile int bytes = PingInfo.MIN_BUFFER;
    private volatile boolean closed;

    /** There was no memory for the descriptor. */
    private volatile boolean missing;

    private volatile @Nullable MemoryDescriptor posted;

    PushTarget(Descriptors descriptors, Receiver receiver) {
        this.descriptors = descriptors;
        this.receiver = receiver;
    }

    /** Takes the next push; later, if there is no memory now. */
    void post() {
        MemorySegment memory;
        try {
            memory = OwnMemory.allocate(bytes);
        } catch (ErrnoException e) {
            LOG.log(System.Logger.Level.DEBUG, "no push is taken for now", e);
            posted = null;
            missing = true;
            return;
        }
        missing = false;
        posted = descriptors.attach(
                new MeConfig(Wire.RESERVED_PORTAL, ProcessId.ANY, Wire.PING_MATCH_BITS, 0, false),
                MdConfig.of(memory)
                        .withOptions(MdOption.OP_PUT, MdOption.TRUNCATE, MdOption.MANAGE_REMOTE)
                        .withThreshold(1)
                        .withAutoUnlink()
                        .withHandler(event -> onEvent(event, memory)));
    }

    /** Takes the next push if none can be taken because there was no memory. */
    void postIfMissing() {
        if (missing && !closed) {
            post();
        }
    }

    /** Has room for pushes of the given size from now on. Needs no lock. */
    void enlarge(int wanted) {
        if (wanted > bytes) {
            bytes = Math.min(MAX_BYTES, wanted);
            MemoryDescriptor current = posted;
            if (current != null) {
                // A push that is coming in ends well; the event posts the next descriptor.
                descriptors.withdraw(current);
            }
        }
    }

    private void onEvent(Event event, MemorySegment memory) {
        if (event.kind() == EventKind.PUT && event.status() == 0) {
            try {
                receiver.pushed(event, memory);
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.ERROR, "a push from " + event.sourceNid() + " could not be processed", e);
            }
            if (event.rlength() > bytes) {
                bytes = Math.min(MAX_BYTES, event.rlength());
            }
        }
        if (event.unlinked() && !closed) {
            post();
        }
    }

    /** Takes no push any more. */
    void close() {
        closed = true;
    }
}

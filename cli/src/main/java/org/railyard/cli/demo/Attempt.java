package org.railyard.cli.demo;

import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/** One attempt at a transaction of the demo. Its events come one after the other. */
final class Attempt {
    /** An attempt's number is that of its transaction times this, plus which attempt it is. */
    static final int PER_TRANSACTION = 32;

    /** After so many attempts a transaction is lost. */
    static final int MAX = 20;

    private final IntConsumer then;
    private int sendStatus;

    private Attempt(IntConsumer then) {
        this.then = then;
    }

    /**
     * Writes to the target, or reads from it.
     *
     * @param slot whose sinks and source are meant
     * @param failures attempts of the slot that failed before
     * @param number of the attempt
     * @param then gets 0 if the target confirmed it, otherwise a negative errno; nothing touches the memory any more
     */
    static void begin(
            LNet node,
            ProcessId target,
            int slot,
            long failures,
            MemorySegment memory,
            long number,
            boolean get,
            IntConsumer then) {
        Md md = node.bind(
                MdConfig.of(memory).withThreshold(2).withAutoUnlink().withHandler(new Attempt(then)::onEvent));
        if (get) {
            node.get(md, Nid.ANY, target, DemoTarget.PORTAL, DemoTarget.getBits(slot), 0);
        } else {
            long bits = DemoTarget.putBits(slot, failures);
            node.put(md, true, Nid.ANY, target, DemoTarget.PORTAL, bits, 0, number);
        }
    }

    private void onEvent(Event event) {
        if (event.kind() == EventKind.SEND && event.status() < 0) {
            sendStatus = event.status();
        }
        if (event.unlinked()) {
            then.accept(sendStatus < 0 ? sendStatus : event.status());
        } else if (sendStatus < 0) {
            event.md().unlink();
        }
    }
}

package org.railyard.o2iblnd.tune;

import org.railyard.o2iblnd.wire.Kib;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.QpCapabilities;

/**
 * How large the queues of a connection are (spec 20 §10). The transport and the calculator use this, and nothing else.
 *
 * @param askedQueueDepth what was negotiated
 * @param queueDepth what the device can give
 * @param perMessage work requests that one message may take
 * @param sendRequests send work requests
 * @param receives receive work requests
 * @param askedEntries entries of the completion queue that a kernel node would ask for
 * @param entries entries of the completion queue
 * @param gather gather entries of a send request
 * @param verdict what a node of the era does on this device
 */
public record QueueSizing(
        int askedQueueDepth,
        int queueDepth,
        int perMessage,
        int sendRequests,
        int receives,
        int askedEntries,
        int entries,
        int gather,
        Verdict verdict) {
    /** Buffers for NOOPs that need no credit, V2 only. */
    private static final int OUT_OF_BAND = 2;

    /** What becomes of the connection. */
    public enum Verdict {
        /** It gets what it asks for. */
        FITS,
        /** It gets a smaller queue depth. */
        REDUCED,
        /** Railyard reduces the queue depth; a kernel node can not make the completion queue, and does not connect. */
        KERNEL_FAILS,
        /** It can not be made. */
        FAILS
    }

    /**
     * Works out sizes.
     *
     * @param tunables of this node
     * @param queueDepth negotiated, from 1
     * @param maxFragments negotiated, from 1
     * @param registrationRequests work requests that the registration of a transfer takes
     */
    public static QueueSizing of(
            EffectiveTunables tunables,
            int queueDepth,
            int maxFragments,
            int registrationRequests,
            DeviceAttributes device) {
        int outOfBand = tunables.version() == Kib.V1 ? 0 : OUT_OF_BAND;
        int gather = tunables.era().gather(tunables.given().get(O2ibTunable.WRQ_SGE));
        if (tunables.era().isOld()) {
            int perMessage = maxFragments + 1;
            int sends = perMessage * tunables.concurrentSends();
            int receives = 2 * queueDepth + outOfBand;
            boolean fits = sends <= device.maxQpWr() && sends + receives <= device.maxCqe();
            return new QueueSizing(
                    queueDepth,
                    queueDepth,
                    perMessage,
                    sends,
                    receives,
                    sends + receives,
                    sends + receives,
                    gather,
                    fits ? Verdict.FITS : Verdict.FAILS);
        }
        int perMessage = 1 + maxFragments + registrationRequests;
        return tunables.era() == LustreRelease.V2_11
                ? flatQueue(queueDepth, perMessage, outOfBand, gather, device)
                : deepQueue(queueDepth, perMessage, outOfBand, gather, device);
    }

    /** In 2.11 the completion queue has only two entries for each message to send. */
    private static QueueSizing flatQueue(
            int asked, int perMessage, int outOfBand, int gather, DeviceAttributes device) {
        int depth = Math.min(asked, device.maxQpWr() / perMessage);
        int receives = 2 * depth + outOfBand;
        int entries = receives + 2 * depth;
        Verdict verdict = depth == asked ? Verdict.FITS : depth >= 1 ? Verdict.REDUCED : Verdict.FAILS;
        return new QueueSizing(
                asked, depth, perMessage, perMessage * depth, receives, entries, entries, gather, verdict);
    }

    private static QueueSizing deepQueue(
            int asked, int perMessage, int outOfBand, int gather, DeviceAttributes device) {
        long wanted = (long) perMessage * asked;
        int depth = wanted > device.maxQpWr() ? device.maxQpWr() / perMessage : asked;
        int sends = (int) Math.min(wanted, device.maxQpWr());
        // A kernel node makes the completion queue first, for the depth that was negotiated.
        int askedEntries = 2 * asked + outOfBand + sends;
        boolean cut = depth < asked;
        int withinQueue = depth;
        while (depth > 0
                && 2 * depth + outOfBand + (cut && depth == withinQueue ? sends : perMessage * depth)
                        > device.maxCqe()) {
            depth--;
        }
        if (depth < withinQueue) {
            sends = perMessage * depth;
        }
        int receives = 2 * depth + outOfBand;
        Verdict verdict = Verdict.FITS;
        if (depth < 1) {
            verdict = Verdict.FAILS;
        } else if (askedEntries > device.maxCqe()) {
            verdict = Verdict.KERNEL_FAILS;
        } else if (cut) {
            verdict = Verdict.REDUCED;
        }
        return new QueueSizing(
                asked, depth, perMessage, sends, receives, askedEntries, receives + sends, gather, verdict);
    }

    /** Returns the memory for receives, bytes. */
    public long receiveBytes() {
        return (long) receives * Kib.MESSAGE_BYTES;
    }

    /** Returns the size of the queue pair. */
    public QpCapabilities capabilities() {
        return new QpCapabilities(sendRequests, receives, gather);
    }
}

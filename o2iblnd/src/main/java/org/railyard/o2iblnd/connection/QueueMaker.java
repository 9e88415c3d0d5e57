package org.railyard.o2iblnd.connection;

import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.transfer.Card;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.QueueSizing;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Cq;
import org.railyard.verbs.CqListener;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;

/**
 * The queues of a connection.
 *
 * @param sizing how large they became
 * @param cq completions of both queues
 * @param qp the queue pair
 */
record QueueMaker(QueueSizing sizing, Cq cq, Qp qp) {
    private static final int MIN_DEPTH = 2;

    /**
     * Makes queues, smaller ones if the device has no memory for those that were asked for (spec 20 §10.3).
     *
     * @param tunables those that count in the connection's version of the protocol
     * @throws VerbsException if it can not be done
     */
    static QueueMaker make(
            NiContext ni,
            EffectiveTunables tunables,
            Card card,
            CmId id,
            ConnectionParameters asked,
            CqListener listener) {
        VerbsDevice device = card.device();
        int depth = asked.queueDepth();
        while (true) {
            QueueSizing sizing = QueueSizing.of(
                    tunables, depth, asked.maxFragments(), card.registration().workRequests(), device.attributes());
            if (sizing.verdict() == QueueSizing.Verdict.FAILS) {
                throw new VerbsException(
                        VerbsException.Code.ENOMEM, "no queues of depth " + depth + " fit on " + device.name());
            }
            Cq cq = device.createCq(sizing.entries(), ni.loop(), listener);
            try {
                return new QueueMaker(sizing, cq, id.createQp(card.pd(), cq, sizing.capabilities()));
            } catch (VerbsException e) {
                cq.close();
                if (e.code() != VerbsException.Code.ENOMEM || sizing.queueDepth() < MIN_DEPTH) {
                    throw e;
                }
                ni.warn(
                        "depth " + device.name(),
                        device.name() + " has no memory for queue depth " + sizing.queueDepth() + "; trying less");
                depth = sizing.queueDepth() - 1;
            }
        }
    }

    /** Makes the message buffers for the queues. */
    Buffers buffers(Pd pd, EffectiveTunables tunables) {
        try {
            return new Buffers(pd, qp, sizing.receives(), tunables.concurrentSends());
        } catch (VerbsException e) {
            cq.close();
            throw e;
        }
    }
}

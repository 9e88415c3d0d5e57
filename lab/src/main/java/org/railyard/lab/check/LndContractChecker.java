package org.railyard.lab.check;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;

/**
 * Every message that an LND has taken comes back exactly once, with a status and a health status that agree (spec 10
 * §22).
 */
public final class LndContractChecker extends Checker implements LndWatch {
    /** Messages that are with an LND. Only looked up by message, never gone through in its own order. */
    private final IdentityHashMap<LndMessage, NodeRun> lent = new IdentityHashMap<>();

    /** Makes the checker. */
    public LndContractChecker(Violations findings) {
        super("lnd-contract", findings);
    }

    /** Returns how many messages are with LNDs. */
    public int lent() {
        return lent.size();
    }

    @Override
    public void sending(NodeRun life, LndNi ni, LndMessage message) {
        lend(life, message, "sends");
    }

    private void lend(NodeRun life, LndMessage message, String what) {
        if (lent.put(message, life) != null) {
            report(life + " " + what + " a message that its LND still has, a "
                    + message.header().type());
        }
    }

    @Override
    public void refused(NodeRun life, LndNi ni, LndMessage message, int status) {
        if (lent.remove(message) == null) {
            report(life + ": the LND gave a message back and then said that it does not take it");
        }
    }

    @Override
    public void receiving(NodeRun life, LndNi ni, @Nullable LndMessage message, int mlen) {
        if (message != null) {
            lend(life, message, "receives into");
        }
    }

    @Override
    public void expecting(NodeRun life, LndNi ni, LndMessage reply) {
        lend(life, reply, "expects");
    }

    @Override
    public void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {
        if (lent.remove(message) == null) {
            report(life + ": the LND gives back a message that it does not have ("
                    + message.header().type() + ", status " + status + "); it was given back before");
        }
        if (status > 0 || status == 0 != (health == HealthStatus.OK)) {
            report(life + ": the LND reports status " + status + " with health status " + health
                    + "; expected both to be good or both bad");
        }
    }

    @Override
    public void killed(NodeRun life) {
        lent.values().removeIf(owner -> owner == life);
    }

    @Override
    public void closed(NodeRun life) {
        long left = lent.values().stream().filter(owner -> owner == life).count();
        if (left > 0) {
            report(life + " is closed, and its LND still has " + left + " messages");
        }
    }
}

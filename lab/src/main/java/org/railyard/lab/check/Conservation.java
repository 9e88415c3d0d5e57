package org.railyard.lab.check;

import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * What a node says that it sent and received is what its LND took, gave back and handed over; and a closed node uses no
 * message any more.
 */
public final class Conservation extends Checker implements LndWatch {
    /** What went through an NI. */
    private static final class Count {
        final NodeRun life;
        final Nid nid;
        long sent;
        long arrived;
        long unwanted;
        long lost;

        Count(NodeRun life, Nid nid) {
            this.life = life;
            this.nid = nid;
        }
    }

    /** Counts by NI. Only looked up, never gone through in its own order. */
    private final IdentityHashMap<LndNi, Count> counts = new IdentityHashMap<>();

    /** What an LND sends at the moment, with where it is counted. A router sends the message that it received. */
    private final IdentityHashMap<LndMessage, Count> sending = new IdentityHashMap<>();

    /** Makes the checker. */
    public Conservation(Violations findings) {
        super("conservation", findings);
    }

    /** What an LND reads at the moment, with where it is counted. */
    private final IdentityHashMap<LndMessage, Count> receiving = new IdentityHashMap<>();

    /** REPLYs that peers are to write, with where they are counted: they arrive when they are given back. */
    private final IdentityHashMap<LndMessage, Count> expected = new IdentityHashMap<>();

    private Count count(NodeRun life, LndNi ni) {
        Count count = counts.get(ni);
        if (count == null) {
            count = new Count(life, ni.nid());
            counts.put(ni, count);
        }
        return count;
    }

    private Count find(NodeRun life, Nid nid) {
        for (Count count : counts.values()) {
            if (count.life == life && count.nid.equals(nid)) {
                return count;
            }
        }
        return new Count(life, nid);
    }

    @Override
    public void sending(NodeRun life, LndNi ni, LndMessage message) {
        Count count = count(life, ni);
        count.sent++;
        sending.put(message, count);
    }

    @Override
    public void refused(NodeRun life, LndNi ni, LndMessage message, int status) {
        count(life, ni).sent--;
        sending.remove(message);
    }

    @Override
    public void receiving(NodeRun life, LndNi ni, @Nullable LndMessage message, int mlen) {
        if (message != null) {
            receiving.put(message, count(life, ni));
        }
    }

    @Override
    public void expecting(NodeRun life, LndNi ni, LndMessage reply) {
        expected.put(reply, count(life, ni));
    }

    @Override
    public void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {
        Count written = expected.remove(message);
        if (written != null) {
            written.arrived += status == 0 ? 1 : 0;
            return;
        }
        Count taken = receiving.remove(message);
        Count count = taken == null ? sending.remove(message) : null;
        if (status < 0 && taken != null) {
            // Its payload did not come.
            taken.lost++;
        } else if (status < 0 && count != null) {
            count.sent--;
        }
    }

    @Override
    public void arriving(NodeRun life, LndNi ni, LNetHeader header, Nid from) {
        count(life, ni).arrived++;
    }

    @Override
    public void unwanted(NodeRun life, LndNi ni, LNetHeader header, int status) {
        count(life, ni).unwanted++;
    }

    @Override
    public void atRest(List<NodeRun> lives) {
        for (NodeRun life : lives) {
            for (NiInfo ni : life.lnet().nis()) {
                Count count = find(life, ni.nid());
                long sent = ni.traffic().sent().sum();
                if (sent != count.sent) {
                    report(life + ": " + ni.nid() + " counts " + sent + " messages sent, the LND sent " + count.sent);
                }
                long received = ni.traffic().received().sum();
                long dropped = ni.traffic().dropped().sum();
                long handedOver = count.arrived - count.unwanted - count.lost;
                // What waited for credits until it was too late counts as dropped and never arrived; what a router
                // received and could not pass on counts as received, and as dropped where it should have left.
                if (handedOver < received || handedOver > received + dropped) {
                    report(life + ": " + ni.nid() + " counts " + received + " messages received and " + dropped
                            + " dropped, the LND handed over " + handedOver);
                }
            }
        }
    }

    @Override
    public void killed(NodeRun life) {
        sending.values().removeIf(count -> count.life == life);
        receiving.values().removeIf(count -> count.life == life);
        expected.values().removeIf(count -> count.life == life);
    }

    @Override
    public void closed(NodeRun life) {
        int left = life.lnet().messagesInUse();
        if (left != 0) {
            report(life + " is closed, and " + left + " of its messages are in use");
        }
        if (life.host().openWorkers() != 0) {
            report(life + " is closed, and " + life.host().openWorkers() + " of its workers run");
        }
    }
}

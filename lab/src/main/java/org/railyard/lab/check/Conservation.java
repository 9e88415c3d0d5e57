package org.railyard.lab.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.lab.observe.Life;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lnet.NiInfo;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** What a node says that it sent and received is what its LND took, gave back and handed over; and a closed node uses no message any more. */
public final class Conservation extends Checker implements LndWatch {
    /** What went through an NI. */
    private static final class Count {
        long sent;
        long arrived;
        long unwanted;
    }

    private final Map<Life, Map<Nid, Count>> counts = new LinkedHashMap<>();

    /** Makes the checker. */
    public Conservation(Findings findings) {
        super("conservation", findings);
    }

    private Count count(Life life, Nid nid) {
        return counts.computeIfAbsent(life, _ -> new LinkedHashMap<>()).computeIfAbsent(nid, _ -> new Count());
    }

    @Override
    public void completing(Life life, LndMessage message, int status, HealthStatus health) {
        // Own messages carry one of the node's NIDs as their source; others were received.
        if (status == 0 && isOwn(life, message.header().srcNid())) {
            count(life, message.header().srcNid()).sent++;
        }
    }

    private static boolean isOwn(Life life, Nid nid) {
        return life.nids().contains(nid);
    }

    @Override
    public void arriving(Life life, LndNi ni, LNetHeader header, Nid from) {
        count(life, ni.nid()).arrived++;
    }

    @Override
    public void unwanted(Life life, LndNi ni, LNetHeader header, int status) {
        count(life, ni.nid()).unwanted++;
    }

    @Override
    public void atRest(List<Life> lives) {
        for (Life life : lives) {
            for (NiInfo ni : life.lnet().nis()) {
                Count count = count(life, ni.nid());
                long sent = ni.traffic().sent().sum();
                long got =
                        ni.traffic().received().sum() + ni.traffic().dropped().sum();
                if (sent != count.sent) {
                    report(life + ": " + ni.nid() + " counts " + sent + " messages sent, the LND sent " + count.sent);
                }
                if (got != count.arrived - count.unwanted) {
                    report(life + ": " + ni.nid() + " counts " + got
                            + " messages received or dropped, the LND handed over " + (count.arrived - count.unwanted));
                }
            }
        }
    }

    @Override
    public void closed(Life life) {
        int left = life.lnet().messagesInUse();
        if (left != 0) {
            report(life + " is closed, and " + left + " of its messages are in use");
        }
        if (life.host().openWorkers() != 0) {
            report(life + " is closed, and " + life.host().openWorkers() + " of its workers run");
        }
    }
}

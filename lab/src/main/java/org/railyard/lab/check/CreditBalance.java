package org.railyard.lab.check;

import java.util.List;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouterBufferInfo;

/**
 * Credits, router buffers among them, never exceed what there is, and are all back when nothing is on its way (spec 10
 * §7).
 */
public final class CreditBalance extends Checker {
    /** Makes the checker. */
    public CreditBalance(Violations findings) {
        super("credits", findings);
    }

    @Override
    public void tick(long now, List<NodeRun> lives) {
        for (NodeRun life : lives) {
            for (NiInfo ni : life.lnet().nis()) {
                if (ni.credits() > ni.maxCredits()) {
                    report(life + ": " + ni.nid() + " has " + ni.credits() + " credits of " + ni.maxCredits());
                }
            }
            for (RouterBufferInfo pool : life.lnet().routing().buffers()) {
                if (pool.credits() > pool.buffers()) {
                    report(life + ": " + text(pool));
                }
            }
        }
    }

    @Override
    public void atRest(List<NodeRun> lives) {
        for (NodeRun life : lives) {
            for (NiInfo ni : life.lnet().nis()) {
                if (ni.credits() != ni.maxCredits()) {
                    report(life + ": nothing is on its way, and " + ni.nid() + " has " + ni.credits() + " credits of "
                            + ni.maxCredits());
                }
            }
            for (RouterBufferInfo pool : life.lnet().routing().buffers()) {
                if (pool.credits() != pool.buffers()) {
                    report(life + ": nothing is on its way, and " + text(pool));
                }
            }
            life.lnet().peers().forEach(peer -> checkPeer(life, peer));
        }
    }

    private static String text(RouterBufferInfo pool) {
        return "partition " + pool.cpt() + " has " + pool.credits() + " credits for " + pool.buffers() + " "
                + pool.size().text() + " router buffers";
    }

    private void checkPeer(NodeRun life, PeerInfo peer) {
        for (PeerInfo.PeerNiInfo ni : peer.nis()) {
            if (ni.routerCredits() != ni.maxRouterCredits()) {
                report(life + ": nothing is on its way, and peer NI " + ni.nid() + " has " + ni.routerCredits()
                        + " router credits of " + ni.maxRouterCredits());
            }
            if (ni.credits() != ni.maxCredits() || ni.queuedBytes() != 0) {
                report(life + ": nothing is on its way, and peer NI " + ni.nid() + " has " + ni.credits()
                        + " credits of " + ni.maxCredits() + " and " + ni.queuedBytes() + " bytes queued");
            }
        }
    }
}

package org.railyard.fabric.sim.traffic;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.sim.LinkRate;
import org.railyard.fabric.sim.PortFigures;

/** What ports sent in some time, and how long they waited for credits; by port index of the fabric. Immutable. */
public final class LinkUse {
    /** By number of the channel: share of what the link carries; by port: share of the time without credits. */
    private final double[] used;

    private final double[] waited;

    private LinkUse(double[] used, double[] waited) {
        this.used = used;
        this.waited = waited;
    }

    /** Figures at the beginning of some time. */
    static final class Start {
        private final long time;
        private final long[] bytes;
        private final long[] waited;

        Start(Fabric fabric, PortFigures figures, long now) {
            time = now;
            bytes = new long[Channel.number(fabric.portCount(), 0)];
            waited = new long[fabric.portCount()];
            for (int port = 0; port < waited.length; port++) {
                waited[port] = figures.waitedNanos(port, now);
                for (int vl = 0; vl < Channel.VLS; vl++) {
                    bytes[Channel.number(port, vl)] = figures.bytes(port, vl);
                }
            }
        }

        long time() {
            return time;
        }

        LinkUse until(Fabric fabric, PortFigures figures, long now) {
            double[] used = new double[bytes.length];
            double[] without = new double[waited.length];
            double span = Math.max(1, now - time);
            for (int port = 0; port < waited.length; port++) {
                double most = span * LinkRate.bytesPerNano(fabric.width(port), fabric.speed(port));
                without[port] = (figures.waitedNanos(port, now) - waited[port]) / span;
                for (int vl = 0; vl < Channel.VLS; vl++) {
                    used[Channel.number(port, vl)] = (figures.bytes(port, vl) - bytes[Channel.number(port, vl)]) / most;
                }
            }
            return new LinkUse(used, without);
        }
    }

    /**
     * Returns which share of what its link carries a port sent, at most 1: a packet counts when its sending begins, the
     * last one may end later.
     */
    public double of(int port) {
        double sum = 0;
        for (int vl = 0; vl < Channel.VLS; vl++) {
            sum += of(port, vl);
        }
        return Math.min(1, sum);
    }

    /** Returns which share of what its link carries a port sent on a VL, 0–15. */
    public double of(int port, int vl) {
        return used[Channel.number(port, vl)];
    }

    /** Returns for which share of the time a port had packets and no credits for any of them. */
    public double waited(int port) {
        return waited[port];
    }

    /** Returns the largest share of a port that leads from switch to switch; 0 if there is none. */
    public double most(Fabric fabric) {
        double most = 0;
        for (int port = 0; port < waited.length; port++) {
            int far = fabric.cable(port);
            if (far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(far))) {
                most = Math.max(most, of(port));
            }
        }
        return most;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LinkUse use && Arrays.equals(used, use.used) && Arrays.equals(waited, use.waited);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(used);
    }

    @Override
    public String toString() {
        return "use of %d ports".formatted(waited.length);
    }
}

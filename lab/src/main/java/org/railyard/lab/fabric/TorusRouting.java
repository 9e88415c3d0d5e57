package org.railyard.lab.fabric;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proven.CreditLoops;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.conf.TorusConfException;
import org.railyard.fabric.torus.conf.TorusConfParser;

/**
 * How a torus is routed, with all its cables and without some. Tables are a function of torus and cables: runs of a
 * process share what was computed for others, as far as it is kept. Thread-safe.
 */
final class TorusRouting {
    /** Most tori that are kept. */
    private static final int MAX_TORI = 4;

    /** Most tables of a torus that are kept, and how many bytes of forwarding tables they may have. */
    private static final int MAX_KEPT = 512;

    private static final long MAX_KEPT_BYTES = 16L << 20;

    /** With two seeds no failed switch keeps torus-2QoS from finding the torus. */
    private static final int SEEDS = 2;

    private static final float LOAD_FACTOR = 0.75f;

    @GuardedBy("KNOWN")
    private static final Map<TorusSettings, TorusRouting> KNOWN = latest(MAX_TORI);

    private final Fabric whole;
    private final ProvenRouting engine;
    private final Routing first;

    @GuardedBy("this")
    private final Map<BitSet, Outcome> kept;

    /** What a subnet manager makes of what it finds. */
    sealed interface Outcome {}

    /**
     * Tables.
     *
     * @param remark of them, to go on with behind the name of the engine; may be empty
     */
    record Tables(Routing routing, String remark) implements Outcome {}

    /** The engine refuses. */
    record None(String why) implements Outcome {}

    private TorusRouting(TorusSettings settings) {
        whole = FreshLids.assign(settings.plan().fabric(), Fabric.NONE);
        engine = engine(settings);
        first = engine.tables(whole, List.of()).orThrow().routing();
        kept = latest((int) Math.min(MAX_KEPT, MAX_KEPT_BYTES / ((long) whole.switchCount() * (whole.maxLid() + 1))));
    }

    private static ProvenRouting engine(TorusSettings settings) {
        try {
            return ProvenRouting.by(
                    settings.engine().of(TorusConfParser.parse(settings.plan().conf(SEEDS))));
        } catch (TorusConfException e) {
            throw new IllegalStateException("a torus of " + settings.radices() + " has no torus-2QoS.conf", e);
        }
    }

    /** Returns a map that keeps so many entries, those that were asked for last. */
    private static <K, V> Map<K, V> latest(int most) {
        return new LinkedHashMap<>(16, LOAD_FACTOR, /* accessOrder */ true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /** Returns how the torus of a rail is routed. */
    static TorusRouting of(TorusSettings settings) {
        synchronized (KNOWN) {
            return KNOWN.computeIfAbsent(settings, TorusRouting::new);
        }
    }

    /** Returns the torus with all its cables, with LIDs. */
    Fabric whole() {
        return whole;
    }

    /** Returns its tables when nothing has failed yet. */
    Routing first() {
        return first;
    }

    /**
     * Routes what is left of the torus.
     *
     * @param down the cables that are missing, each by one port, always the same one
     * @param left the torus without them
     */
    Outcome without(BitSet down, Fabric left) {
        synchronized (this) {
            Outcome known = kept.get(down);
            if (known != null) {
                return known;
            }
        }
        Outcome computed = route(left);
        synchronized (this) {
            kept.put((BitSet) down.clone(), computed);
        }
        return computed;
    }

    private Outcome route(Fabric left) {
        return switch (engine.run(left, List.of())) {
            case Proven proven -> new Tables(proven.tables().routing(), "");
            case CreditLoops loops ->
                new Tables(
                        loops.tables().routing(),
                        ", which close a credit loop of " + channels(loops.report()) + " channels");
            case Refused refused -> new None(refused.refusal().toString());
        };
    }

    private static int channels(CheckReport report) {
        return report.loops().getFirst().waits().size();
    }
}

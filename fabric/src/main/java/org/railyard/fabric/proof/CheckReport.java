package org.railyard.fabric.proof;

import java.util.List;
import java.util.Optional;

/**
 * What the check found (spec 32 §3).
 *
 * @param channels channels in the graph
 * @param dependencies edges in the graph
 * @param components strongly connected components with a cycle
 * @param loops a shortest cycle of each component, at most {@value #MAX_LOOPS}
 * @param faults routes that do not arrive, forwarding loops, missing SLs: what makes the tables not checkable; at most
 *     {@value #MAX_FAULTS}
 * @param faultCount how many faults there are
 * @param certificate proof that there is no cycle; present if there is none
 * @param graph the edges, for who plans a change of these tables; after {@link LostCables} some may be of old ones
 */
public record CheckReport(
        int channels,
        int dependencies,
        int components,
        List<CreditLoop> loops,
        List<Fault> faults,
        long faultCount,
        Optional<Certificate> certificate,
        Dependencies graph) {
    /** Most loops that are reported. */
    public static final int MAX_LOOPS = 16;

    /** Most faults that are reported. */
    public static final int MAX_FAULTS = 50;

    /** Takes copies. */
    public CheckReport {
        loops = List.copyOf(loops);
        faults = List.copyOf(faults);
    }

    /** Returns that of tables without fault and cycle. */
    static CheckReport clean(AdjacencyList channels, Components components, Dependencies graph) {
        return new CheckReport(
                channels.size(),
                graph.count(),
                0,
                List.of(),
                List.of(),
                0,
                Optional.of(Certificate.of(channels, components)),
                graph);
    }

    /** What the tables are. */
    public enum Verdict {
        /** No cycle, and every route arrives. */
        CLEAN,
        /** At least one cycle. */
        LOOP,
        /** No cycle among what could be followed, but not everything could. */
        NOT_CHECKABLE
    }

    /** What is wrong with a route. */
    public enum FaultKind {
        /** Packets go round for ever. */
        FORWARDING_LOOP,
        /** Packets do not arrive. */
        UNREACHABLE,
        /** SL to VL drops the packets (VL 15). */
        DROPPED,
        /** There is no SL for the path. */
        NO_SL
    }

    /**
     * One fault.
     *
     * @param kind what kind
     * @param text which route, with names
     */
    public record Fault(FaultKind kind, String text) {}

    /** Returns the verdict; a loop weighs more than a fault. */
    public Verdict verdict() {
        if (components > 0) {
            return Verdict.LOOP;
        }
        return faultCount > 0 ? Verdict.NOT_CHECKABLE : Verdict.CLEAN;
    }
}

package org.railyard.bench.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Certificate;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.RoutingOutcome;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.sample.SampleDragonfly;
import org.railyard.fabric.sample.SampleFatTree;
import org.railyard.fabric.sample.SampleHyperX;
import org.railyard.fabric.sample.SampleTorus;

/** Engines for any fabric beside OpenSM's: how evenly they load cables, how long ways are, VLs, and time. */
final class EngineComparison {
    private static final String ROW = "%-16s %-9s %-10s %4s %9s %9s %7s %8s %9s %s%n";
    /** VLs by code. */
    private static final int[] VLS = {0, 1, 2, 4, 8};

    private static final List<EngineName> ONE_VL = List.of(EngineName.UP_DOWN, EngineName.FTREE);
    private static final List<String> OTHERS = List.of("updn", "ftree", "dfsssp", "lash");

    private final PrintWriter out;
    private final int rounds;
    private final long limitSeconds;

    EngineComparison(PrintWriter out, int rounds, long limitSeconds) {
        this.out = out;
        this.rounds = rounds;
        this.limitSeconds = limitSeconds;
    }

    /** Returns a torus, a fat tree, a dragonfly and a HyperX. */
    static Map<String, Fabric> fabrics() {
        Map<String, Fabric> fabrics = new LinkedHashMap<>();
        fabrics.put("torus 6x6x6", SampleTorus.torus(6, 6, 6, 1).fabric());
        fabrics.put(
                "fat-tree 8x8x8", SampleFatTree.full(List.of(8, 8, 8)).network().fabric());
        fabrics.put("dragonfly 17x8", new SampleDragonfly(17, 8, 4, 0).network().fabric());
        fabrics.put(
                "hyperx 8x8", new SampleHyperX(List.of(8, 8), 8, 1).network().fabric());
        return fabrics;
    }

    /**
     * Measures all, a row each. OpenSM's time of lash has the writing of its log in it.
     *
     * @param fabrics by name, without LIDs
     * @param lastCode nue gets VLs up to this code, 1 to 4
     */
    void run(Path directory, Map<String, Fabric> fabrics, int lastCode) throws IOException, InterruptedException {
        out.println("ways: over the most used cable and the mean; hops between switches: mean and most; ms: tables");
        out.printf(ROW, "fabric", "by", "engine", "VLs", "most", "mean", "hops", "longest", "ms", "");
        for (Map.Entry<String, Fabric> entry : fabrics.entrySet()) {
            Fabric fabric = FreshLids.assign(entry.getValue(), Fabric.NONE);
            for (int code = 1; code <= lastCode; code++) {
                ours(entry.getKey(), fabric, EngineName.NUE, code);
                theirs(
                        entry.getKey(),
                        OpenSmRun.engine(
                                fabric,
                                directory,
                                "nue",
                                List.of("--nue_max_num_vls", Integer.toString(VLS[code])),
                                limitSeconds),
                        "nue",
                        VLS[code]);
            }
            ours(entry.getKey(), fabric, EngineName.LAYERED, lastCode);
            for (EngineName engine : ONE_VL) {
                ours(entry.getKey(), fabric, engine, 1);
            }
            for (String engine : OTHERS) {
                theirs(entry.getKey(), OpenSmRun.engine(fabric, directory, engine, List.of(), limitSeconds), engine, 1);
            }
        }
    }

    private void ours(String name, Fabric fabric, EngineName engine, int code) {
        ProvenRouting routing = new ProvenRouting(RoutingSettings.of(engine.engine(null, false, List.of()))
                .withOptions(new EngineOptions(code, 1, List.of())));
        long[] micros = new long[rounds];
        for (int round = 0; round < rounds; round++) {
            long start = System.nanoTime();
            routing.tables(fabric, List.of());
            micros[round] = (System.nanoTime() - start) / 1000;
        }
        Arrays.sort(micros);
        RoutingOutcome outcome = routing.run(fabric, List.of());
        switch (outcome) {
            case Proven proven ->
                row(
                        name,
                        "Railyard",
                        engine.text(),
                        vls(proven.certificate()),
                        load(proven.tables()),
                        micros[rounds / 2]);
            case Refused refused ->
                refused(
                        name,
                        "Railyard",
                        engine.text(),
                        refused.refusal().reasons().getFirst().code());
            default -> throw new IllegalStateException(engine.text() + " closes a credit loop on " + name);
        }
    }

    /** Returns how many VLs packets use between switches; one where no packet goes on behind its first cable. */
    private static int vls(Certificate certificate) {
        BitSet vls = new BitSet();
        for (int i = 0; i < certificate.size(); i++) {
            vls.set(certificate.channel(i).vl());
        }
        return Math.max(1, vls.cardinality());
    }

    private static LinkLoad load(Tables tables) {
        return LinkLoad.of(tables.fabric(), tables.routing().forwarding());
    }

    private void theirs(String name, Optional<OpenSmRun.Routed> routed, String engine, int vls) {
        if (routed.isEmpty()) {
            refused(name, "OpenSM", engine, OpenSmRun.missing().orElse("refused, or not in time"));
            return;
        }
        OpenSmRun.Routed seen = routed.orElseThrow();
        row(name, "OpenSM", engine, Math.max(vls, seen.lanes()), seen.load(), seen.micros());
    }

    private void refused(String name, String by, String engine, String why) {
        out.printf(ROW, name, by, engine, "-", "-", "-", "-", "-", "-", why);
        out.flush();
    }

    private void row(String name, String by, String engine, int vls, LinkLoad load, long micros) {
        out.printf(
                ROW,
                name,
                by,
                engine,
                vls,
                load.most(),
                String.format(Locale.ROOT, "%.1f", load.mean()),
                String.format(Locale.ROOT, "%.2f", load.meanHops()),
                load.longest(),
                String.format(Locale.ROOT, "%.1f", micros / 1000.0),
                "");
        out.flush();
    }
}

package org.railyard.bench.fabric;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.bench.compare.PeakMemory;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;

/**
 * The program of the child JVM: builds the tables of one fabric some times, proves them, and prints what it took, one
 * {@code key value} a line, times in microseconds.
 */
public final class FabricWorker {
    private FabricWorker() {}

    /**
     * Measures.
     *
     * @param args radix, CAs per switch, rounds
     */
    public static void main(String[] args) throws IOException {
        FabricCase torus = new FabricCase(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        int rounds = Integer.parseInt(args[2]);
        Fabric fabric = torus.fabric();
        MulticastGroup all = new MulticastGroup(0xC000, 0, hosts(fabric));
        long[] tables = new long[rounds];
        long[] accepted = new long[rounds];
        long[] proof = new long[rounds];
        long[] verified = new long[rounds];
        // The same work as OpenSM's: its own tests, no proof.
        ProvenRouting likeOpenSm = ProvenRouting.by(new TorusEngine(torus.conf(), TorusOptions.LIKE_OPENSM));
        ProvenRouting routing = ProvenRouting.by(new TorusEngine(torus.conf(), TorusOptions.DEFAULT));
        for (int round = 0; round < rounds; round++) {
            tables[round] = time(() -> likeOpenSm.tables(fabric, List.of()).orThrow());
            Tables[] kept = new Tables[1];
            accepted[round] =
                    time(() -> kept[0] = routing.tables(fabric, List.of(all)).orThrow());
            CheckReport[] report = new CheckReport[1];
            proof[round] = time(() -> report[0] = routing.check(kept[0]));
            if (report[0].verdict() != CheckReport.Verdict.CLEAN) {
                throw new IllegalStateException("not clean: " + report[0].loops() + report[0].faults());
            }
            verified[round] = time(() -> routing.prove(kept[0]));
        }
        say("lids", fabric.maxLid());
        say("tables_first", tables[0]);
        say("tables", median(tables));
        say("accepted", median(accepted));
        say("proof_first", proof[0]);
        say("proof", median(proof));
        // Check and verifier go over the tables together.
        say("certificate", Math.max(0, median(verified) - median(proof)));
        say("peak_kb", PeakMemory.ownKib());
    }

    private static List<Integer> hosts(Fabric fabric) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
                ports.add(port);
            }
        }
        return ports;
    }

    private static long time(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1000;
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void say(String key, long value) {
        System.out.println(key + " " + value);
    }
}

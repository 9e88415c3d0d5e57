package org.railyard.bench.sm;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.railyard.bench.compare.PeakMemory;
import org.railyard.fabric.model.Fabric;
import org.railyard.sm.SweepReport;

/**
 * The program of the child JVM: brings one torus of simulated agents up, pulls cables, asks for paths, and prints what
 * it took, one {@code key value} a line, times in microseconds.
 */
public final class SmWorker {
    private static final long MILLI = 1_000_000L;

    private SmWorker() {}

    /**
     * Measures.
     *
     * @param args switches in each of three dimensions, cables that are pulled, CPU time of each measurement of
     *     PathRecords, ms
     */
    public static void main(String[] args) throws IOException {
        int side = Integer.parseInt(args[0]);
        int cables = Integer.parseInt(args[1]);
        long begin = cpu();
        SimulatedMaster simulated = new SimulatedMaster(side);
        say("agents_cpu", cpu() - begin);
        begin = cpu();
        SweepReport first = simulated.bringUp();
        say("up_cpu", cpu() - begin);
        say("up_mads", first.requests());
        say("nodes", first.switches() + (long) first.ends());
        pull(simulated, cables);
        say("peak_kb", PeakMemory.ownKib());
        SaLoad load = new SaLoad(simulated, Long.parseLong(args[2]) * MILLI);
        say("sa_singles", load.singles());
        say("sa_tables", load.tables());
        SaLoad.OverSubnet over = load.overSubnet();
        say("sa_singles_over_subnet", over.singles());
        say("sa_tables_over_subnet", over.tables());
    }

    private static void pull(SimulatedMaster simulated, int cables) {
        long[] cpu = new long[cables];
        long[] virtual = new long[cables];
        long[] mads = new long[cables];
        Fabric fabric = simulated.subnet().fabric();
        for (int i = 0; i < cables; i++) {
            int port = cable(fabric, (int) ((long) i * fabric.switchCount() / cables));
            long begin = cpu();
            SimulatedMaster.Loss loss = simulated.pull(port);
            cpu[i] = cpu() - begin;
            virtual[i] = loss.trapToEndNanos() / 1000;
            mads[i] = loss.report().requests();
            simulated.putBack(port);
        }
        say("pull_cpu_first", cpu[0]);
        say("pull_cpu", median(cpu));
        say("pull_virtual", median(virtual));
        say("pull_mads", median(mads));
    }

    /** Returns the first port of a switch that has a cable to another switch. */
    static int cable(Fabric fabric, int node) {
        for (int port = 1; port <= fabric.ports(node); port++) {
            int peer = fabric.cable(fabric.portIndex(node, port));
            if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
                return fabric.portIndex(node, port);
            }
        }
        throw new IllegalStateException("a switch without neighbours");
    }

    private static long cpu() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1000;
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Returns the most memory that a process had, KiB, by its file in /proc. */
    private static void say(String key, long value) {
        System.out.println(key + " " + value);
    }
}

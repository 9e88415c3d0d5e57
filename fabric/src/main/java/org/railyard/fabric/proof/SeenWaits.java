package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Who may wait for whom, as a verifier has seen it: an SL, a cable, and the next cable, of packets that came to the
 * first by ports with the same SL to VL tables, because the VLs follow from these. Not thread safe.
 */
final class SeenWaits {
    /** Of a port that leads to no switch. */
    static final int NO_SWITCH = -1;

    /** Most sets of SLs; what is beyond is kept one by one. */
    static final int MAX_SETS = 1 << 26;

    /** By switch: index of its port 0; one entry more than switches. */
    final int[] firstPort;
    /** By port index: the port at the other end, itself for port 0. */
    final int[] farPort;
    /** By port index: the switch at the other end, or {@link #NO_SWITCH}. */
    final int[] farSwitch;
    /** By port index of the input: the SL to VL tables by output. Ports with the same tables share them. */
    final long[][] slToVl;
    /**
     * By port index of an input: where its outputs begin in {@link #waits}, together with other inputs of the same
     * tables.
     */
    final int[] outputs;
    /** By output: where its sets begin in {@link #seen}; 0 = it has none. */
    final int[] waits;
    /**
     * For each output the SLs that are not dropped on the way to it; then for each cable of the switch behind it to
     * another one the SLs of packets that may wait for that.
     */
    final char[] seen;
    /** By port index: which of the cables of its switch to other switches is in it, from 1 on; 0 = none. */
    final short[] rank;

    private final Fabric fabric;
    /** By switch: how many cables lead to other switches. */
    private final int[] cables;
    /** Waits that have no place in {@link #seen}: SLs by input, output and wanted output. */
    private final Map<Wait, Integer> others;

    /** Packets that came by a port to a switch, have an output, and want another one at the next switch. */
    private record Wait(int input, int port, int wanted) {}

    /** Begins with none, by the cables of a fabric and the SL to VL tables of a routing. */
    SeenWaits(Fabric fabric, Routing routing, int maxSets) {
        this.fabric = fabric;
        firstPort = new int[fabric.switchCount() + 1];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            firstPort[sw] = fabric.portIndex(sw, 0);
            firstPort[sw + 1] = firstPort[sw] + fabric.ports(sw) + 1;
        }
        farPort = new int[fabric.portCount()];
        farSwitch = new int[fabric.portCount()];
        readCables();
        slToVl = new long[fabric.portCount()][];
        readTables(routing.slToVl());
        outputs = new int[fabric.portCount()];
        rank = new short[fabric.portCount()];
        cables = new int[fabric.switchCount()];
        for (int port = 0; port < firstPort[fabric.switchCount()]; port++) {
            rank[port] = (short) (farSwitch[port] == NO_SWITCH ? 0 : ++cables[fabric.nodeOf(port)]);
        }
        waits = new int[placeOutputs()];
        seen = new char[placeWaits(maxSets)];
        fillSeen();
        others = new LinkedHashMap<>();
    }

    /** Goes on with those of before, in the same fabric with fewer cables and the same SL to VL tables in use. */
    private SeenWaits(SeenWaits before, Fabric fabric) {
        this.fabric = fabric;
        firstPort = before.firstPort;
        farPort = new int[fabric.portCount()];
        farSwitch = new int[fabric.portCount()];
        readCables();
        slToVl = before.slToVl;
        outputs = before.outputs;
        rank = before.rank;
        cables = before.cables;
        waits = before.waits;
        seen = before.seen.clone();
        others = new LinkedHashMap<>(before.others);
    }

    /** Returns a copy that goes on where some cables are gone. */
    SeenWaits withFewerCables(Fabric left) {
        return new SeenWaits(this, left);
    }

    private void readCables() {
        for (int port = 0; port < farPort.length; port++) {
            boolean own = fabric.isSwitch(fabric.nodeOf(port)) && fabric.portNumber(port) == 0;
            farPort[port] = own ? port : fabric.peer(port);
            boolean between = !own && farPort[port] != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(farPort[port]));
            farSwitch[port] = between ? fabric.nodeOf(farPort[port]) : NO_SWITCH;
        }
    }

    private void readTables(SlToVl all) {
        Map<List<Long>, long[]> known = new LinkedHashMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                long[] read = new long[firstPort[sw + 1] - firstPort[sw]];
                for (int output = 0; output < read.length; output++) {
                    read[output] = all.table(sw, in - firstPort[sw], output);
                }
                // Most are those of the port before, as behind hosts.
                slToVl[in] = in > 0 && Arrays.equals(read, slToVl[in - 1])
                        ? slToVl[in - 1]
                        : known.computeIfAbsent(Arrays.stream(read).boxed().toList(), _ -> read);
            }
        }
    }

    /** Returns how many outputs there are, counted again for inputs with other tables. */
    private int placeOutputs() {
        int count = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                int like = firstPort[sw];
                while (slToVl[like] != slToVl[in]) {
                    like++;
                }
                outputs[in] = like < in ? outputs[like] : count;
                count += like < in ? 0 : slToVl[in].length;
            }
        }
        return count;
    }

    /** Returns how many sets there are, and one. */
    private int placeWaits(int maxSets) {
        int count = 1;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                for (int out = 0; out < slToVl[in].length; out++) {
                    int behind = farSwitch[firstPort[sw] + out];
                    int at = outputs[in] + out;
                    if (behind != NO_SWITCH && waits[at] == 0 && count + cables[behind] + 1 <= maxSets) {
                        waits[at] = count;
                        count += cables[behind] + 1;
                    }
                }
            }
        }
        return count;
    }

    private void fillSeen() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                for (int out = 0; out < slToVl[in].length; out++) {
                    int at = waits[outputs[in] + out];
                    if (at != 0) {
                        seen[at] = (char) passing(slToVl[in][out]);
                    }
                }
            }
        }
    }

    /** Returns the SLs that a table does not drop, a bit for each. */
    static int passing(long table) {
        int sls = 0;
        for (int sl = 0; sl < Channel.VLS; sl++) {
            sls |= SlToVl.vl(table, sl) == SlToVl.DROP ? 0 : 1 << sl;
        }
        return sls;
    }

    /**
     * Notes packets that may wait.
     *
     * @param input port index of the port by which they came
     * @param port port index of the output that they have
     * @param wanted port index of the output that they want at the next switch
     * @param sls a bit for each SL that is not dropped on the way to {@code port}
     */
    void add(int input, int port, int wanted, int sls) {
        int at = waits[outputs[input] + port - firstPort[fabric.nodeOf(port)]];
        if (at != 0) {
            seen[at + rank[wanted]] |= (char) sls;
        } else {
            others.merge(new Wait(input, port, wanted), sls, (some, more) -> some | more);
        }
    }

    /** Returns the first wait whose second number is not larger than its first one, in words; empty if all rise. */
    Optional<String> firstNotRising(CertificateNumbers numbers) {
        boolean[] done = new boolean[waits.length];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                for (int out = 0; out < slToVl[in].length; out++) {
                    // Inputs with the same tables share the sets.
                    int place = outputs[in] + out;
                    if (waits[place] != 0 && !done[place] && farSwitch[firstPort[sw] + out] != NO_SWITCH) {
                        done[place] = true;
                        Optional<String> bad = firstNotRising(numbers, in, firstPort[sw] + out, waits[place]);
                        if (bad.isPresent()) {
                            return bad;
                        }
                    }
                }
            }
        }
        return others.entrySet().stream()
                .flatMap(
                        each -> firstNotRising(
                                numbers, each.getValue(), each.getKey().input, each.getKey().port, each.getKey().wanted)
                                .stream())
                .findFirst();
    }

    private Optional<String> firstNotRising(CertificateNumbers numbers, int input, int port, int at) {
        int behind = farSwitch[port];
        for (int wanted = firstPort[behind]; wanted < firstPort[behind + 1]; wanted++) {
            if (rank[wanted] != 0 && seen[at + rank[wanted]] != 0) {
                Optional<String> bad = firstNotRising(numbers, seen[at + rank[wanted]], input, port, wanted);
                if (bad.isPresent()) {
                    return bad;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Looks up the numbers of the channels that packets are in when they have left by a port, and of those that they
     * want next. A channel without number is one that nothing waits for and that waits for nothing but the end port.
     * Where a cable is gone nothing waits.
     */
    private Optional<String> firstNotRising(CertificateNumbers numbers, int sls, int input, int port, int wanted) {
        if (farSwitch[port] == NO_SWITCH || farSwitch[wanted] == NO_SWITCH) {
            return Optional.empty();
        }
        long first = slToVl[input][port - firstPort[fabric.nodeOf(port)]];
        long second = slToVl[farPort[port]][wanted - firstPort[fabric.nodeOf(wanted)]];
        for (int rest = sls; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            int vl = SlToVl.vl(second, sl);
            if (vl != SlToVl.DROP) {
                int number = numbers.of(port, SlToVl.vl(first, sl));
                int after = numbers.of(wanted, vl);
                if (number == Certificate.NONE || after <= number) {
                    return Optional.of("SL %d: number %d is followed by %d at %s"
                            .formatted(sl, number, after, fabric.portName(wanted)));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns whether in another fabric and by another routing packets that these cables carry have the same VLs. */
    boolean hasSameVls(Fabric left, SlToVl all) {
        for (int sw = 0; sw < left.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                for (int out = 0; left.isInUse(in) && out < slToVl[in].length; out++) {
                    if (left.isInUse(firstPort[sw] + out)
                            && all.table(sw, in - firstPort[sw], out) != slToVl[in][out]) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}

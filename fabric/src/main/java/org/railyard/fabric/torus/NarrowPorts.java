package org.railyard.fabric.torus;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.tables.TorusSlToVl;

/**
 * Ports between switches that run with fewer VLs than they could: their SL to VL tables are cut, which the rule for the
 * whole fabric does not see. Then the finished tables are proved instead.
 */
final class NarrowPorts {
    private static final int FIRST_MLID = 0xC000;

    /** Most groups of one SL that are tried: all multicast LIDs are shared out between two SLs. */
    private static final int MAX_GROUPS = 8191;

    private NarrowPorts() {}

    /** Returns why the tables of {@code plan} are not free of credit loops because of such ports; empty if they are. */
    static Optional<Refusal.Reason> problem(TorusPlan plan) {
        Optional<String> narrow = first(plan);
        if (narrow.isEmpty()) {
            return Optional.empty();
        }
        CheckReport report = CreditLoopCheck.check(
                plan.fabric(), plan.routing(anyGroups(plan)), CheckOptions.DEFAULT.withSwitchPorts(true));
        return report.loops().isEmpty()
                ? Optional.empty()
                : Optional.of(new Refusal.Reason(
                        "credit-loop",
                        narrow.get() + " runs with fewer VLs than the other ports, which closes a credit loop of "
                                + report.loops().getFirst().waits().size() + " channels; look at its OperVLs"));
    }

    /** Returns the name of the first port whose table is not that of its class. */
    private static Optional<String> first(TorusPlan plan) {
        Fabric fabric = plan.fabric();
        TorusSlToVl slToVl = plan.slToVlTables();
        long[][] whole = new long[SlToVlRule.END + 1][SlToVlRule.END];
        for (int in = 0; in < whole.length; in++) {
            for (int out = 0; out < SlToVlRule.END; out++) {
                whole[in][out] = plan.slToVl().table(in, out);
            }
        }
        for (int at = 0; at < fabric.switchCount(); at++) {
            for (int out = 1; out <= fabric.ports(at); out++) {
                int outClass = plan.placement().portClass(at, out);
                boolean isOther = outClass != SlToVlRule.END && slToVl.isCut(fabric.portIndex(at, out));
                for (int in = 0; isOther && in <= fabric.ports(at); in++) {
                    if (slToVl.table(at, in, out) != whole[plan.placement().portClass(at, in)][outClass]) {
                        return Optional.of(fabric.portName(fabric.portIndex(at, out)));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns groups of all end ports that depend on all that any group may depend on: a group takes of parallel cables
     * the one that its LID says, modulo their number, and a dependency is between two such choices.
     */
    private static List<MulticastGroup> anyGroups(TorusPlan plan) {
        List<MulticastGroup> groups = new ArrayList<>();
        if (plan.tree().isPresent()) {
            List<Integer> members = endPorts(plan.fabric());
            int choices = choices(plan.placement());
            for (int sl : new int[] {0, 8}) {
                for (int i = 0; i < choices && plan.mode().allowsMulticastSl(sl); i++) {
                    groups.add(new MulticastGroup(FIRST_MLID + groups.size(), sl, members));
                }
            }
        }
        return groups;
    }

    /** Returns how many LIDs in a row there are until any two numbers of parallel cables see the same again. */
    private static int choices(Placement placement) {
        BitSet numbers = new BitSet();
        for (int position = 0; position < placement.grid().shape().positions(); position++) {
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                numbers.set(Math.max(1, placement.cables(position, group)));
            }
        }
        int most = 1;
        for (int a : numbers.stream().toArray()) {
            for (int b : numbers.stream().toArray()) {
                BigInteger divisor = BigInteger.valueOf(a).gcd(BigInteger.valueOf(b));
                most = Math.max(most, a / divisor.intValue() * b);
            }
        }
        return Math.min(most, MAX_GROUPS);
    }

    private static List<Integer> endPorts(Fabric fabric) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && fabric.lid(port) != 0) {
                ports.add(port);
            }
        }
        return ports;
    }
}

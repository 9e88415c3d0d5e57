package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.mad.smp.PortState;

/**
 * The phases that make a subnet what it shall be. Switches that forward nothing yet get all their tables before their
 * links come up; on others routes over new links are written when these are active (spec 41 §2.2).
 */
public final class PhasePlan {
    /** Stands for the routes of a subnet that has none. */
    public static final Routing NO_ROUTES = new Routing(
            "none",
            new ForwardingTables(new byte[0][]),
            PathSls.constant(0),
            SlToVl.uniform(SlToVl.ALL_ZERO),
            MulticastTables.NONE,
            List.of());

    private final Desired desired;
    private final PortUpdates ports;
    private final TableUpdates tables;
    /** Switches that forward nothing yet. */
    private final BitSet empty = new BitSet();

    /** Makes the plan of what shall be. */
    public PhasePlan(Desired desired) {
        this.desired = desired;
        this.ports = new PortUpdates(desired);
        this.tables = new TableUpdates(desired);
        for (int sw = 0; sw < desired.fabric().switchCount(); sw++) {
            empty.set(sw, desired.nodes().get(sw).held().forwardsUnknown());
        }
    }

    /** Returns what an operator should know of it, one line each. */
    public List<String> notes() {
        return List.of();
    }

    /** Returns the phase that only makes switches tell the next change. */
    public List<Phase> stateChanges() {
        return List.of(Phase.of(
                "SwitchInfo", "clear PortStateChange, so that the next change is told", ports::stateChanges));
    }

    /** Returns the phases up to active links. */
    public List<Phase> prepare() {
        List<Phase> phases = new ArrayList<>(stateChanges());
        phases.add(Phase.of("P_KeyTable", "partitions", tables::pKeys));
        phases.add(Phase.of("PortInfo of end ports", "LIDs, the subnet manager's LID and SL", ports::endPorts));
        phases.add(Phase.of("SLtoVLMappingTable", "VLs of the engine, before routes need them", tables::slToVl));
        phases.add(Phase.of("VLArbitrationTable", "weights of VLs", tables::arbitration));
        phases.add(Phase.of("PortInfo of switch ports", "link parameters", ports::switchPorts));
        phases.add(Phase.of("SwitchInfo", "LinearFDBTop and LifeTime", ports::switchSettings));
        phases.add(Phase.of(
                "LFT of new switches",
                "they forward nothing yet: any order is safe",
                () -> tables.linear(empty::get, desired.routing().forwarding()::port)));
        phases.add(Phase.of(
                "PortInfo: armed", "links with known ends", () -> ports.raise(PortState.INIT, PortState.ARMED)));
        phases.add(Phase.of(
                "PortInfo: active",
                "links whose both ends are armed",
                () -> ports.raise(PortState.ARMED, PortState.ACTIVE)));
        return phases;
    }

    /** Returns the phases that change routes in use. */
    public List<Phase> forward() {
        List<Phase> phases = new ArrayList<>();
        phases.add(Phase.of(
                "LFT", "new routes", () -> tables.linear(_ -> true, desired.routing().forwarding()::port)));
        phases.add(new Phase(
                "MFT: less",
                "branches that go, before others come: no ring in between",
                true,
                0,
                () -> tables.multicast(_ -> true, true)));
        phases.add(Phase.of("MFT", "branches of groups", () -> tables.multicast(_ -> true, false)));
        return phases;
    }
}

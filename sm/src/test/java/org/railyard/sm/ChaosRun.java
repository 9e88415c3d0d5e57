package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedNode;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.wire.Mad;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;

/**
 * Faults by a seed: cables, switches and hosts that come and go, agents that hang, lost and repeated MADs, noise, and a
 * subnet manager that is killed at any moment and started again. At many moments the tables of the devices must send
 * no packet round and close no credit loop; in the end, when all is whole, the subnet must be right within a bounded
 * number of sweeps, and every port must have the LID that it had first.
 */
final class ChaosRun implements SmListener {
    /** Sweeps within which the subnet has to be right after the last fault. */
    static final int MOST_SWEEPS = 12;

    private static final long SECOND = 1_000_000_000L;
    private static final long LIMIT = 400 * SECOND;
    private static final int STEPS = 8;

    /** What is wrong on purpose: a check has to find it. */
    enum Planted {
        NOTHING,
        /** Each sweep of the end asks for another one, for a while. */
        RESTLESS,
        /** A host does not answer, though all is whole. */
        DEAF,
        /** The table of LIDs comes back with two of them exchanged. */
        EXCHANGED_LIDS
    }

    private final SplittableRandom random;
    private final SampleTorus torus;
    private final Fabric fabric;
    private final SimulatedSubnet subnet;
    private final Devices devices;
    private final int smPort;
    private final List<String> violations = new ArrayList<>();
    private final TreeSet<Integer> pulled = new TreeSet<>();
    private final TreeSet<Integer> off = new TreeSet<>();
    private final TreeSet<Integer> silent = new TreeSet<>();
    /** Nodes whose answers are changed. */
    private final TreeSet<Integer> strangers = new TreeSet<>();

    private final StringBuilder story = new StringBuilder();
    private final TextStore lids = new TextInMemory();
    private SimulatedPort port;
    private SubnetManager manager;
    private int reports;
    private SweepReport.Result last = SweepReport.Result.NO_LINK;
    private PathSls sls = PathSls.constant(0);
    private boolean isRouted;
    /** Whether a switch has got entries since the devices were looked at. */
    private boolean written;

    private final boolean strange;
    private Planted planted = Planted.NOTHING;
    private boolean healed;
    private int restless;
    private long moments;

    ChaosRun(long seed) {
        this(seed, false);
    }

    ChaosRun with(Planted defect) {
        planted = defect;
        return this;
    }

    /**
     * Prepares a run.
     *
     * @param strange with agents that answer half and hosts that answer nonsense, too
     */
    ChaosRun(long seed, boolean strange) {
        this.strange = strange;
        random = new SplittableRandom(seed);
        torus = switch (random.nextInt(4)) {
            case 0 -> SampleTorus.torus(3, 3, 1, 1);
            case 1 -> SampleTorus.torus(4, 4, 1, 1);
            // Long enough that a lost cable has to be drained.
            case 2 -> SampleTorus.torus(8, 3, 1, 1);
            default -> SampleTorus.torus(3, 3, 3, 1);
        };
        fabric = torus.fabric();
        long jitter = random.nextInt(3) * 5_000L;
        subnet = new SimulatedSubnet(fabric, new SimulationSettings(500, jitter, 10_000, 64, SECOND), random.split());
        devices = new Devices(subnet);
        smPort = FreshLids.firstEndPort(fabric);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            subnet.tamper(sw, this::noted);
        }
        port = subnet.attach(smPort);
        manager = start();
    }

    private Mad noted(Mad answer) {
        written |= answer.isAbout(LinearForwardingTable.TYPE);
        return answer;
    }

    private SubnetManager start() {
        SubnetManager made = new SubnetManager(port, SimulatedSm.torus(torus), lids, this, (mad, from) -> {});
        subnet.loop().execute(made::start);
        return made;
    }

    /** Runs all of it; returns what was wrong, nothing if all was right. */
    List<String> run() {
        pass(200_000 + random.nextLong(8_000_000));
        boolean settled = until(() -> last == SweepReport.Result.DONE && manager.isIdle());
        if (!settled) {
            violations.add("the first sweep did not succeed");
        }
        Map<Long, Integer> first = lidsOfDevices();
        for (int i = 0; i < STEPS; i++) {
            fault();
            pass(
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextLong(300_000);
                        case 1 -> 30_000_000 + random.nextLong(1_500_000);
                        case 2 -> random.nextLong(SECOND);
                        default -> random.nextLong(20 * SECOND);
                    });
        }
        heal();
        if (planted == Planted.EXCHANGED_LIDS) {
            exchangeLids();
            restart();
        }
        subnet.silence(fabric.nodeCount() - 1, planted == Planted.DEAF);
        int before = reports;
        last = SweepReport.Result.NO_LINK;
        healed = true;
        manager.sweepNow("all is whole");
        if (!until(() -> last == SweepReport.Result.DONE && manager.isIdle())) {
            violations.add("not right again after " + (reports - before) + " sweeps");
        } else if (reports - before > MOST_SWEEPS) {
            violations.add("it took " + (reports - before) + " sweeps");
        } else {
            violations.addAll(devices.faults(manager.snapshot().orElseThrow()));
            if (!lidsOfDevices().equals(first)) {
                violations.add("LIDs changed: " + first + " " + lidsOfDevices());
            }
        }
        if (!violations.isEmpty()) {
            violations.add(story.toString());
        }
        return violations;
    }

    long moments() {
        return moments;
    }

    private Map<Long, Integer> lidsOfDevices() {
        Map<Long, Integer> of = new TreeMap<>();
        for (int index = 0; index < fabric.portCount(); index++) {
            SimulatedNode node = subnet.node(fabric.nodeOf(index));
            if (fabric.isEndPort(index) && fabric.portGuid(index) != 0) {
                of.put(
                        fabric.portGuid(index),
                        node.portInfo(fabric.portNumber(index)).getInt(PortInfo.LID));
            }
        }
        return of;
    }

    private void tell(String what) {
        story.append(subnet.loop().nanoTime() / 1000)
                .append(" us: ")
                .append(what)
                .append("; ");
    }

    /** One fault. No more than one cable or switch at a time is missing: more may be no torus any more. */
    private void fault() {
        switch (random.nextInt(strange ? 17 : 11)) {
            case 0, 1, 2 -> cable();
            case 3 -> power(random.nextInt(fabric.switchCount()));
            case 4 -> power(fabric.switchCount() + 1 + random.nextInt(fabric.nodeCount() - fabric.switchCount() - 1));
            case 5 -> {
                int node = random.nextInt(fabric.nodeCount());
                boolean hangs = silent.add(node) || !silent.remove(node);
                tell((hangs ? "hangs: " : "answers: ") + fabric.description(node));
                subnet.silence(node, hangs);
            }
            case 6 -> {
                double loss = random.nextInt(4) * 0.1;
                tell("loss " + loss);
                subnet.loss(loss);
            }
            case 7 -> subnet.duplication(random.nextInt(2) * 0.2);
            case 8 -> {
                int node = random.nextInt(fabric.nodeCount());
                tell("noise: " + fabric.description(node));
                subnet.babble(node, random.nextBoolean() ? Notice.LINK_STATE : Notice.LINK_INTEGRITY, 100_000_000);
            }
            case 9 -> {
                tell("killed and started again");
                restart();
            }
            case 10 -> {
                tell("SIGHUP");
                manager.sweepNow("told");
            }
            case 11, 12, 13 -> answerHalf(random.nextInt(fabric.nodeCount()));
            default -> answerNonsense(host());
        }
    }

    private void restart() {
        port.close();
        manager.stop();
        port = subnet.attach(smPort);
        last = SweepReport.Result.NO_LINK;
        manager = start();
    }

    private void exchangeLids() {
        List<String> lines = new ArrayList<>(
                lids.load().lines().filter(line -> !line.isBlank()).toList());
        String[] one = lines.getFirst().split(" ", 2);
        String[] other = lines.getLast().split(" ", 2);
        lines.set(0, one[0] + " " + other[1]);
        lines.set(lines.size() - 1, other[0] + " " + one[1]);
        lids.save(String.join("\n", lines) + "\n");
    }

    /** A host, but not that of the subnet manager. */
    private int host() {
        return fabric.switchCount() + 1 + random.nextInt(fabric.nodeCount() - fabric.switchCount() - 1);
    }

    /** Answers to questions about one attribute are never seen. */
    private void answerHalf(int node) {
        int attribute = List.of(0x10, 0x11, 0x12, 0x15, 0x16, 0x17, 0x18, 0x19).get(random.nextInt(8));
        tell("answers half, not 0x%x: %s".formatted(attribute, fabric.description(node)));
        strangers.add(node);
        subnet.tamper(
                node,
                answer -> answer.attributeId() == attribute
                        ? noted(answer).copy().set(Mad.TRANSACTION_ID, 0)
                        : noted(answer));
    }

    private void answerNonsense(int host) {
        tell("answers nonsense: " + fabric.description(host));
        strangers.add(host);
        SplittableRandom any = random.split();
        subnet.tamper(host, answer -> {
            Mad other = answer.copy();
            for (int i = any.nextInt(3) * 20; i < Mad.SMP_DATA_SIZE; i++) {
                other.bytes()[Mad.SMP_DATA + i] = (byte) any.nextInt();
            }
            return other;
        });
    }

    private void cable() {
        if (!pulled.isEmpty()) {
            int back = pulled.removeFirst();
            tell("back: " + fabric.portName(back));
            subnet.relink(back);
        } else if (off.isEmpty()) {
            int end = random.nextInt(fabric.portCount());
            int peer = fabric.cable(end);
            if (peer != Fabric.NONE && end != smPort && peer != smPort) {
                pulled.add(end);
                tell("pulled: " + fabric.portName(end));
                subnet.unlink(end);
            }
        }
    }

    private void power(int node) {
        boolean ofSm = fabric.nodeOf(fabric.cable(smPort)) == node;
        if (off.remove(node)) {
            tell("on: " + fabric.description(node));
            subnet.powerOn(node);
        } else if (!ofSm && off.isEmpty() && pulled.isEmpty()) {
            off.add(node);
            tell("off: " + fabric.description(node));
            subnet.powerOff(node);
        }
    }

    private void heal() {
        tell("healed");
        subnet.loss(0);
        subnet.duplication(0);
        pulled.forEach(subnet::relink);
        off.forEach(subnet::powerOn);
        silent.forEach(node -> subnet.silence(node, false));
        strangers.forEach(node -> subnet.tamper(node, fabric.isSwitch(node) ? this::noted : null));
        for (int node = 0; node < fabric.nodeCount(); node++) {
            subnet.babble(node, Notice.LINK_STATE, 0);
        }
    }

    /** Lets time pass, and looks at the devices whenever one has got entries. */
    private void pass(long nanos) {
        long end = subnet.loop().nanoTime() + nanos;
        while (subnet.loop().runUntil(() -> true, 0)
                && subnet.loop().nanoTime() < end
                && subnet.loop().step()) {
            look();
        }
    }

    private boolean until(BooleanSupplier condition) {
        long end = subnet.loop().nanoTime() + LIMIT;
        while (!condition.getAsBoolean()
                && subnet.loop().nanoTime() < end
                && subnet.loop().step()) {
            look();
        }
        return condition.getAsBoolean();
    }

    /** No packet may go round, no channels may wait for each other, now. */
    private void look() {
        if (!written || !isRouted || violations.size() > 3) {
            return;
        }
        written = false;
        moments++;
        Fabric live = devices.live(PortState.ACTIVE);
        CheckReport report = CreditLoopCheck.check(live, devices.routing(sls, live), CheckOptions.DEFAULT);
        report.loops().forEach(loop -> violations.add(at() + "credit loop: " + loop));
        report.faults().stream()
                .filter(fault -> fault.kind() == CheckReport.FaultKind.FORWARDING_LOOP)
                .forEach(fault -> violations.add(at() + fault));
    }

    private String at() {
        return subnet.loop().nanoTime() / 1000 + " us: ";
    }

    @Override
    public void swept(SweepReport report) {
        reports++;
        last = report.result();
        tell("sweep " + report.number() + " " + report.result());
        restless += healed ? 1 : 0;
        if (healed && planted == Planted.RESTLESS && restless <= MOST_SWEEPS) {
            manager.sweepNow("planted");
        }
    }

    @Override
    public void role(SmRole role, String why) {}

    @Override
    public void published(SubnetSnapshot snapshot) {
        snapshot.routing().ifPresent(routing -> {
            sls = routing.sls();
            isRouted = true;
        });
    }

    @Override
    public void failed(ErrnoException why) {
        throw why;
    }

    @Override
    public void trapped(Notice notice, int fromLid, String text) {
        // Sweeps tell enough.
    }
}

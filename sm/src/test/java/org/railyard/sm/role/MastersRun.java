package org.railyard.sm.role;

import static org.railyard.sm.role.Managers.PATIENCE;
import static org.railyard.sm.role.Managers.SECOND;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.sim.SimulatedNode;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.Devices;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SweepReport;
import org.railyard.sm.TextInMemory;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.master.OpenSmSettings;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.Managers.One;
import org.railyard.sm.sa.SaSettings;

/**
 * Three subnet managers, and maybe one that only looks, by a seed: processes that are stopped and go on, die, end and
 * start anew with other settings, subnets in two parts that become one again, reloads; at any moment, and in the middle
 * of what one of them reads or writes. As long as that lasts no table is emptied without need and, where all route
 * alike and one is master, no credit loop is closed. In the end the highest is master, and within a bounded number of
 * sweeps all is right.
 */
final class MastersRun {
    /** Sweeps of all within which the subnet has to be right after the last fault. */
    static final int MOST_SWEEPS = 16;

    private static final int EVENTS = 12;
    private static final int MOST_VIOLATIONS = 4;
    private static final int MOST_TOLD = 12;
    private static final List<EngineName> ENGINES =
            List.of(EngineName.TORUS_2QOS, EngineName.NUE, EngineName.LAYERED, EngineName.TORUS_2QOS);

    /** Events may come in the middle of any of these. */
    private static final List<Integer> MOMENTS = List.of(
            PortInfo.TYPE.id(),
            LinearForwardingTable.TYPE.id(),
            SlToVlTable.TYPE.id(),
            SwitchInfo.TYPE.id(),
            LinearForwardingTable.TYPE.id());

    /** What is wrong on purpose: a check has to find it. */
    enum Planted {
        NOTHING,
        /** Somebody empties the table of a switch once. */
        EMPTIED,
        /** The process of the highest is stopped in the end. */
        STOPPED
    }

    /**
     * What is wrong unless a sweep had reason for it, or the port has another LID after it.
     *
     * @param writer port index of whoever wrote that
     * @param isAlone whether it is about one destination, which may have been behind a cable that was pulled when the
     *     sweep looked
     */
    private record Suspect(String text, int writer, int lid, int owner, boolean isAlone) {}

    private final SplittableRandom random;
    private final Planted planted;
    private final Managers managers;
    private final Fabric fabric;
    private final Devices devices;
    private final boolean alike;
    private final int mostLmc;
    private final List<String> hosts;
    private final One[] live;
    private final int[] priorities;
    private final TextInMemory[] files;
    private final int[] lmcs;
    private @Nullable One monitor;
    private final byte[][] rows;
    private final List<Suspect> suspects = new ArrayList<>();
    private final Map<One, Integer> heard = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private boolean written;
    private boolean isWhole;

    /** When a cable was pulled or put back last. */
    private long cabled;

    private long moments;

    /** When two processes that ran took themselves for the master last. */
    private long contested = -1;

    /** When the last sweep began of which everything was done. */
    private long settled;

    /** So many answers about {@link #awaited} come before the next event. */
    private int countdown;

    private int awaited;

    MastersRun(long seed, Planted planted) {
        this.planted = planted;
        random = new SplittableRandom(seed);
        SampleTorus torus = Managers.torus(random);
        long agent = List.of(10_000L, 200_000L, 2_000_000L).get(random.nextInt(3));
        SimulationSettings settings = new SimulationSettings(500, random.nextInt(2) * 5_000L, agent, 64, SECOND);
        managers = new Managers(torus, settings, random.nextLong());
        fabric = managers.fabric;
        devices = new Devices(managers.subnet);
        alike = random.nextInt(3) > 0;
        mostLmc = random.nextInt(3);
        hosts = hosts();
        live = new One[3];
        priorities = new int[live.length];
        lmcs = new int[live.length];
        files = new TextInMemory[live.length];
        rows = new byte[fabric.switchCount()][LinearForwardingTable.BLOCK * 4];
        for (int sw = 0; sw < rows.length; sw++) {
            int of = sw;
            Arrays.fill(rows[sw], (byte) ForwardingTables.NO_PATH);
            managers.subnet.tamper(sw, answer -> answered(of, answer));
        }
    }

    /** Hosts in an order of chance. */
    private List<String> hosts() {
        List<String> names = new ArrayList<>();
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            names.add(random.nextInt(names.size() + 1), fabric.description(node));
        }
        return names;
    }

    long moments() {
        return moments;
    }

    /** Runs all of it; returns what was wrong, nothing if all was right. */
    List<String> run() {
        for (int which = 0; which < live.length; which++) {
            files[which] = new TextInMemory(hosts.get(which));
            start(which);
            pass(random.nextLong(5 * SECOND));
        }
        if (random.nextBoolean()) {
            One one = managers.add(hosts.get(3), settings(0, 0), new TextInMemory("none"));
            monitor = one;
            one.process.loop().execute(one.master::watch);
        }
        for (int event = 0; event < EVENTS; event++) {
            awaited = random.nextBoolean() ? MOMENTS.get(random.nextInt(MOMENTS.size())) : 0;
            countdown = 1 + random.nextInt(60);
            if (awaited != 0) {
                until(() -> countdown <= 0, 20 * SECOND);
            }
            happens();
            if (event == EVENTS / 2 && planted == Planted.EMPTIED) {
                pass(30 * SECOND);
                empty();
            }
            pass(
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextLong(300_000);
                        case 1 -> random.nextLong(30_000_000);
                        case 2 -> random.nextLong(SECOND);
                        default -> random.nextLong(20 * SECOND);
                    });
        }
        finish();
        List<String> told = new ArrayList<>(violations.subList(0, Math.min(violations.size(), MOST_TOLD)));
        if (!told.isEmpty()) {
            told.add(story.toString());
        }
        return told;
    }

    private void finish() {
        awaited = 0;
        isWhole = true;
        tell("all is whole");
        managers.subnet.loss(0);
        relinkAll();
        for (One one : live) {
            one.process.goOn(random.nextBoolean());
        }
        if (planted == Planted.STOPPED) {
            live[highest()].process.pause(0);
        }
        // A process that was stopped may have that in its queue which began it.
        pass(30 * SECOND);
        int highest = highest();
        long before = sweeps();
        if (!until(() -> isSettled(live[highest]), PATIENCE)) {
            violations.add("not right after %d more sweeps: %s".formatted(sweeps() - before, states()));
            return;
        }
        if (sweeps() - before > MOST_SWEEPS) {
            violations.add("it took %d sweeps".formatted(sweeps() - before));
        }
        // Of a sweep that has not ended, or of nobody's.
        for (One one : live) {
            violations.addAll(suspected(one, Long.MAX_VALUE));
        }
        check(highest);
    }

    private void check(int highest) {
        SubnetSnapshot snapshot = live[highest].master.manager().snapshot().orElseThrow();
        violations.addAll(devices.faults(snapshot));
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isHost = fabric.isEndPort(port) && !fabric.isSwitch(fabric.nodeOf(port));
            int lmc = managers.info(port).getInt(PortInfo.LMC);
            if (isHost && lmc != lmcs[highest]) {
                violations.add("%s has LMC %d, not %d".formatted(fabric.portName(port), lmc, lmcs[highest]));
            }
        }
        One looking = monitor;
        if (looking != null && looking.reports.isEmpty()) {
            violations.add("the one that only looks has told nothing");
        }
    }

    private long sweeps() {
        return Arrays.stream(live).mapToLong(one -> one.reports.size()).sum();
    }

    private boolean isSettled(One master) {
        for (One one : live) {
            SmRole role = one == master ? SmRole.MASTER : SmRole.STANDBY;
            if (!one.master.manager().isIdle() || one.role() != role) {
                return false;
            }
        }
        return !master.reports.isEmpty() && master.reports.getLast().result() == SweepReport.Result.DONE;
    }

    private String states() {
        List<String> states = new ArrayList<>();
        for (One one : live) {
            states.add("%s %s %s %s".formatted(one.host, one.role(), one.roles, one.reports.getLast()));
        }
        return states.toString();
    }

    private int highest() {
        int best = 0;
        for (int i = 1; i < live.length; i++) {
            boolean wins = priorities[i] != priorities[best]
                    ? priorities[i] > priorities[best]
                    : live[i].port.port().portGuid() < live[best].port.port().portGuid();
            best = wins ? i : best;
        }
        return best;
    }

    // What happens.

    private SmSettings settings(int priority, int lmc) {
        EngineName engine = alike ? EngineName.TORUS_2QOS : ENGINES.get(random.nextInt(ENGINES.size()));
        String conf = "lmc %d\nsubnet_prefix 0x%x\n"
                .formatted(lmc, alike ? 0xfe80000000000000L : 0xfe80000000000000L + random.nextInt(3));
        SmSettings base = SmSettings.of(RoutingSettings.of(
                        engine.engine(TorusConfParser.parse(managers.torus.conf(1)), false, List.of())))
                .withRole(RoleSettings.DEFAULT.withPriority(priority))
                .withSlChange(!alike);
        return new OpenSmSettings(OpenSmOptions.parse(conf)).manager(base, false);
    }

    private void start(int which) {
        priorities[which] = random.nextInt(3);
        lmcs[which] = mostLmc == 0 ? 0 : random.nextInt(mostLmc + 1);
        if (random.nextInt(4) == 0) {
            files[which] = new TextInMemory(hosts.get(which));
        }
        SmSettings settings = settings(priorities[which], lmcs[which]);
        tell("start %s with priority %d, LMC %d, %s"
                .formatted(
                        hosts.get(which),
                        priorities[which],
                        lmcs[which],
                        settings.routing().engine().name()));
        live[which] = managers.add(hosts.get(which), settings, files[which]);
        live[which].process.loop().execute(live[which].master::start);
    }

    private void happens() {
        int which = random.nextInt(live.length);
        One one = live[which];
        int master = random.nextInt(live.length);
        // What happens to a master matters most.
        if (random.nextBoolean() && live[master].role() == SmRole.MASTER) {
            which = master;
            one = live[master];
        }
        int kind = random.nextInt(12);
        cabled = kind == 2 || kind == 3 || kind == 8 ? managers.subnet.loop().nanoTime() : cabled;
        switch (kind) {
            case 0 -> kill(which);
            case 1 -> leave(which);
            case 2 -> {
                tell("unlink " + one.host);
                managers.subnet.unlink(managers.port(one.host));
            }
            case 3 -> {
                tell("unlink a cable");
                managers.subnet.unlink(anyCable());
            }
            case 4 -> {
                double loss = random.nextInt(3) * 0.08;
                tell("loss " + loss);
                managers.subnet.loss(loss);
            }
            case 5, 6, 7 -> pause(one);
            case 8 -> split(one);
            case 9 -> {
                tell("all cables are back");
                relinkAll();
            }
            case 10 -> reload(which);
            default -> goOn(one);
        }
    }

    private void kill(int which) {
        tell("kill " + live[which].host);
        forget(live[which]);
        live[which].kill();
        start(which);
    }

    private void leave(int which) {
        One one = live[which];
        if (one.process.isPaused()) {
            return;
        }
        tell("leave " + one.host);
        boolean[] ended = {false};
        one.process.loop().execute(() -> one.master.leave(() -> ended[0] = true));
        if (!until(() -> ended[0], PATIENCE)) {
            violations.add(at() + one.host + " does not end");
        }
        forget(one);
        one.isDead = true;
        one.port.close();
        start(which);
    }

    private void pause(One one) {
        if (one.process.isPaused()) {
            goOn(one);
            return;
        }
        long nanos = random.nextBoolean() ? SECOND / 10 + random.nextLong(2 * SECOND) : random.nextLong(60 * SECOND);
        int limit = List.of(16, 512, 100_000).get(random.nextInt(3));
        tell("stopped for %.3f s, %d MADs wait: %s".formatted(nanos / 1e9, limit, one.host));
        one.process.pause(limit);
        boolean timersFirst = random.nextBoolean();
        managers.subnet.loop().schedule(nanos, () -> {
            if (one.process.isPaused() && !one.isDead && !isWhole) {
                tell("goes on: " + one.host);
                one.process.goOn(timersFirst);
            }
        });
    }

    private void goOn(One one) {
        if (one.process.isPaused()) {
            tell("goes on: " + one.host);
            one.process.goOn(random.nextBoolean());
        }
    }

    /** Pulls all cables between some switches about that of a subnet manager, and the others. */
    private void split(One one) {
        int first = fabric.nodeOf(fabric.cable(managers.port(one.host)));
        BitSet side = new BitSet();
        side.set(first);
        int size = 1 + random.nextInt(fabric.switchCount() - 1);
        List<Integer> reached = new ArrayList<>(List.of(first));
        for (int i = 0; i < reached.size() && side.cardinality() < size; i++) {
            for (int port = 1; port <= fabric.ports(reached.get(i)) && side.cardinality() < size; port++) {
                int peer = fabric.cable(fabric.portIndex(reached.get(i), port));
                if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) && !side.get(fabric.nodeOf(peer))) {
                    side.set(fabric.nodeOf(peer));
                    reached.add(fabric.nodeOf(peer));
                }
            }
        }
        tell("%d switches about %s are apart".formatted(side.cardinality(), one.host));
        for (int sw : reached) {
            for (int port = 1; port <= fabric.ports(sw); port++) {
                int index = fabric.portIndex(sw, port);
                int peer = fabric.cable(index);
                if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) && !side.get(fabric.nodeOf(peer))) {
                    managers.subnet.unlink(index);
                }
            }
        }
    }

    private void reload(int which) {
        One one = live[which];
        priorities[which] = random.nextInt(3);
        SmSettings settings = settings(priorities[which], random.nextInt(3));
        tell("reload %s with priority %d, %s"
                .formatted(
                        one.host, priorities[which], settings.routing().engine().name()));
        one.process
                .loop()
                .execute(() -> one.master.configure(
                        settings, SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS), "reload"));
    }

    private void relinkAll() {
        cabled = managers.subnet.loop().nanoTime();
        for (int port = 0; port < fabric.portCount(); port++) {
            managers.subnet.relink(port);
        }
    }

    private int anyCable() {
        while (true) {
            int port = random.nextInt(fabric.portCount());
            if (fabric.peer(port) != Fabric.NONE) {
                return port;
            }
        }
    }

    /** Planted: nobody may do this. */
    private void empty() {
        relinkAll();
        One one = live[0];
        LinearForwardingTable table = LinearForwardingTable.TYPE.create();
        for (int lid = 0; lid < LinearForwardingTable.BLOCK; lid++) {
            table.set(LinearForwardingTable.PORTS, lid, ForwardingTables.NO_PATH);
        }
        Mad set = Mad.directed(MadMethod.SET, LinearForwardingTable.TYPE, 0, DirectedPath.of(1));
        one.process.send(set.setData(LinearForwardingTable.TYPE, table), MadAddress.DIRECTED, 1000);
        tell("the switch of " + one.host + " is emptied");
    }

    private void tell(String what) {
        story.add("%.6f: %s".formatted(managers.subnet.loop().nanoTime() / 1e9, what));
    }

    private String at() {
        return "%.6f: ".formatted(managers.subnet.loop().nanoTime() / 1e9);
    }

    // What is looked at.

    private Mad answered(int sw, Mad answer) {
        boolean isTable = answer.isAbout(LinearForwardingTable.TYPE);
        written |= isTable || answer.isAbout(SlToVlTable.TYPE);
        if (isTable || answer.isAbout(SwitchInfo.TYPE)) {
            // Ports use this half of a transaction to tell theirs from those of others.
            compare(sw, (int) (answer.get(Mad.TRANSACTION_ID) >>> Integer.SIZE) - 1);
        }
        if (answer.attributeId() == awaited) {
            countdown--;
        }
        return answer;
    }

    /** An entry to a port that is there is not taken away as long as it is the last one by which packets arrive. */
    private void compare(int sw, int writer) {
        byte[] now = row(sw);
        byte[] before = rows[sw];
        if (Arrays.equals(now, before)) {
            return;
        }
        boolean hadAny = false;
        boolean hasAny = false;
        List<Integer> lost = new ArrayList<>();
        int[] owners = owners();
        for (int lid = 1; lid < now.length; lid++) {
            if (owners[lid] < 0) {
                continue;
            }
            hadAny |= before[lid] != (byte) ForwardingTables.NO_PATH;
            hasAny |= now[lid] != (byte) ForwardingTables.NO_PATH;
            if (before[lid] != now[lid] && isReached(lid, owners[lid])) {
                lost.add(lid);
            }
        }
        rows[sw] = now;
        if (!isWriting(writer)) {
            return;
        }
        lost.removeIf(lid -> isReached(lid, owners[lid]));
        for (int lid : lost) {
            String text = "no switch forwards to %s, LID %d, any more, the last was %s";
            suspects.add(new Suspect(
                    at() + text.formatted(fabric.portName(owners[lid]), lid, fabric.description(sw)),
                    writer,
                    lid,
                    owners[lid],
                    true));
        }
        if (hadAny && !hasAny) {
            int own = fabric.portIndex(sw, 0);
            String text = fabric.description(sw) + " forwards nothing any more";
            suspects.add(new Suspect(at() + text, writer, managers.info(own).getInt(PortInfo.LID), own, false));
        }
    }

    /**
     * Whether the process at a port has written anything. If not, what arrives from there was sent by one that was
     * killed, in a sweep of which nobody has told whether it drained.
     */
    private boolean isWriting(int port) {
        return Arrays.stream(live)
                .anyMatch(one -> one != null && managers.port(one.host) == port && one.process.hasWritten());
    }

    /** Tells what is wrong about a sweep that began then. */
    private List<String> suspected(One one, long began) {
        int writer = managers.port(one.host);
        return suspects.stream()
                .filter(each -> each.writer() == writer)
                .filter(each -> !each.isAlone() || cabled < began)
                .filter(each -> managers.info(each.owner()).getInt(PortInfo.LID) == each.lid())
                .map(Suspect::text)
                .toList();
    }

    private byte[] row(int sw) {
        SimulatedNode node = managers.subnet.node(sw);
        int top = node.switchInfo().getInt(SwitchInfo.LINEAR_TOP);
        byte[] row = new byte[rows[sw].length];
        for (int lid = 0; lid < row.length; lid++) {
            row[lid] = (byte) (lid > top ? ForwardingTables.NO_PATH : node.forward(lid));
        }
        return row;
    }

    /**
     * Returns the port that has a LID as its first, by LID; -1 where none or more than one has it, or its link is down.
     * Others it loses when a master with a smaller LMC takes over.
     */
    private int[] owners() {
        int[] owners = new int[rows[0].length];
        Arrays.fill(owners, -1);
        BitSet seen = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (!fabric.isEndPort(port)) {
                continue;
            }
            PortInfo info = managers.info(port);
            int lid = info.getInt(PortInfo.LID);
            boolean isThere = fabric.isSwitch(fabric.nodeOf(port)) || managers.subnet.isUp(port);
            if (lid > 0 && lid < owners.length) {
                owners[lid] = isThere && !seen.get(lid) ? port : -1;
                seen.set(lid);
            }
        }
        return owners;
    }

    /** Whether any switch but the port's own forwards to it, so that packets arrive. */
    private boolean isReached(int lid, int owner) {
        for (int sw = 0; sw < rows.length; sw++) {
            if (sw != fabric.nodeOf(owner) && arrives(sw, lid, owner)) {
                return true;
            }
        }
        return false;
    }

    private boolean arrives(int from, int lid, int owner) {
        int at = from;
        for (int hop = 0; hop <= rows.length; hop++) {
            int out = rows[at][lid] & 0xFF;
            if (out < 1 || out > fabric.ports(at) || !managers.subnet.isUp(fabric.portIndex(at, out))) {
                return false;
            }
            int next = fabric.cable(fabric.portIndex(at, out));
            if (next == owner || fabric.isSwitch(fabric.nodeOf(owner)) && fabric.nodeOf(next) == fabric.nodeOf(owner)) {
                return true;
            }
            if (!fabric.isSwitch(fabric.nodeOf(next))) {
                return false;
            }
            at = fabric.nodeOf(next);
        }
        return false;
    }

    private void pass(long nanos) {
        boolean[] over = {false};
        managers.subnet.loop().schedule(nanos, () -> over[0] = true);
        until(() -> over[0], nanos + 1);
    }

    private boolean until(BooleanSupplier condition, long limit) {
        long end = managers.subnet.loop().nanoTime() + limit;
        while (!condition.getAsBoolean()
                && managers.subnet.loop().nanoTime() < end
                && managers.subnet.loop().step()) {
            look();
        }
        return condition.getAsBoolean();
    }

    private void look() {
        long masters = Arrays.stream(live)
                .filter(one -> one != null && one.role() == SmRole.MASTER && !one.process.isPaused())
                .count();
        contested = masters > 1 ? managers.subnet.loop().nanoTime() : contested;
        for (One one : managers.all) {
            int before = heard.getOrDefault(one, 0);
            if (one.reports.size() > before) {
                one.reports.subList(before, one.reports.size()).forEach(report -> judge(one, report));
                heard.put(one, one.reports.size());
            }
        }
        if (written && violations.size() < MOST_VIOLATIONS) {
            written = false;
            lookForLoops();
        }
    }

    private void forget(One one) {
        int writer = managers.port(one.host);
        suspects.removeIf(each -> each.writer() == writer);
    }

    /** Routes are emptied where old and new ones together could close a credit loop: a sweep then says so. */
    private void judge(One one, SweepReport report) {
        if (one == monitor) {
            return;
        }
        story.add("%ssweep %d of %s %s".formatted(at(), report.number(), one.host, report.result()));
        if (report.result() == SweepReport.Result.DONE) {
            settled = managers.subnet.loop().nanoTime() - report.nanos();
        }
        if (report.phases().isEmpty()) {
            return;
        }
        boolean drained = report.phases().stream()
                .anyMatch(phase -> phase.name().equals("LFT: drain")
                        || phase.name().startsWith("LFT: to LIDs")
                        || phase.name().startsWith("LFT: into"));
        if (!drained && violations.size() < MOST_VIOLATIONS) {
            violations.addAll(suspected(one, managers.subnet.loop().nanoTime() - report.nanos()));
        }
        forget(one);
    }

    /** Of two masters that do not know of each other yet neither can prove what it writes together with the other. */
    private void lookForLoops() {
        SubnetSnapshot last = managers.published;
        if (!alike || contested >= settled || last == null || last.routing().isEmpty()) {
            return;
        }
        moments++;
        Fabric now = devices.live(PortState.ACTIVE);
        CheckReport report = CreditLoopCheck.check(
                now, devices.routing(last.routing().orElseThrow().sls(), now), CheckOptions.DEFAULT);
        report.loops().forEach(loop -> violations.add(at() + "credit loop: " + loop));
    }
}

package org.railyard.campaign.work;

import static org.railyard.campaign.work.RowColumn.column;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.ShellWord;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.work.RowColumn.Role;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.whatif.FailureSet;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Notice;
import org.railyard.sm.SmListener;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SubnetManager;
import org.railyard.sm.SweepReport;
import org.railyard.sm.TextStore;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.master.Master;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaSettings;

/**
 * A subnet manager on a simulated subnet, as {@code railyard sm --fabric} has it, whose MADs get lost by a seed and
 * from which one cable between switches is pulled when all is well.
 */
public final class SmWork implements Work {
    /** Most MADs that are lost, %. */
    public static final int MAX_LOSS = 90;

    /** Longest time of a simulated subnet until all is done, ns of its time. */
    private static final long PATIENCE = 600_000_000_000L;

    private static final double PERCENT = 100;
    private static final String GOOD = CellText.lower(SweepReport.Result.DONE);

    private static final List<RowColumn> COLUMNS = List.of(
            RowColumn.ofCase(),
            column(
                    "verdict",
                    Role.VERDICT,
                    "how the last sweep ended: done, incomplete, unroutable, sl_change, no_link"),
            column("seed", Role.OTHER, "the seed"),
            column("pulled", Role.OTHER, "the port whose cable was pulled; empty if the first sweep was not done"),
            column("reason", Role.REASON, "the same as the verdict where it is not done"),
            column("places", Role.PLACES, "positions of the switches at both ends of the cable"),
            column("first_ms", Role.FIGURE, "until the subnet was right for the first time, ms of its time"),
            column(
                    "recovery_ms",
                    Role.FIGURE,
                    "from the pulled cable until the subnet was right again, ms of its time"),
            column("sweeps", Role.FIGURE, "heavy sweeps"),
            column("mads", Role.FIGURE, "MADs that the subnet manager sent"),
            column("resent", Role.OTHER, "those of them that were sent again"),
            column("unanswered", Role.OTHER, "requests without an answer"));

    private final CampaignPlan plan;
    private final RoutedFabric routed;
    private final List<FailureSet> cables;
    private final Optional<TorusLayout> layout;
    private final SeedSpan seeds;
    private final int loss;

    SmWork(CampaignPlan plan) {
        this.plan = plan;
        routed = RoutedFabric.of(plan);
        seeds = SeedSpan.of(plan);
        loss = (int) plan.number("loss", 0, MAX_LOSS);
        cables = FailureSet.eachCable(routed.fabric());
        if (cables.isEmpty()) {
            throw new ErrnoException(Errno.EINVAL, "no cable between switches in the fabric, expected one to pull");
        }
        if (routed.smPort() == Fabric.NONE) {
            throw new ErrnoException(Errno.EINVAL, "no host is in a cable, expected one for the subnet manager");
        }
        layout = RoutedFabric.layout(routed.tables(List.of()));
    }

    @Override
    public String title() {
        return "sm: a cable pulled, %d %% of MADs lost, %s; %d switches, %s"
                .formatted(
                        loss,
                        seeds.text(),
                        routed.fabric().switchCount(),
                        routed.engine().text());
    }

    @Override
    public long cases() {
        return seeds.count();
    }

    @Override
    public List<RowColumn> columns() {
        return COLUMNS;
    }

    @Override
    public String goodVerdict() {
        return GOOD;
    }

    @Override
    public Optional<TorusShape> torus() {
        return layout.map(TorusLayout::shape);
    }

    @Override
    public String mapped() {
        return "recovery_ms";
    }

    @Override
    public Worker worker() {
        return this::run;
    }

    private int cable(long number) {
        int chosen = Seeds.of(seeds.seed(number), 0).nextInt(cables.size());
        return cables.get(chosen).ports().nextSetBit(0);
    }

    private List<String> run(long number) {
        SimulatedSubnet subnet = new SimulatedSubnet(
                routed.fabric(), SimulationSettings.DEFAULT, new SplittableRandom(seeds.seed(number)));
        subnet.loss(loss / PERCENT);
        Sweeps sweeps = new Sweeps();
        SmSettings settings = SmSettings.of(routed.settings());
        int groupSls = SaSettings.groupSls(routed.settings().engine());
        try (SimulatedPort port = subnet.attach(routed.smPort())) {
            Master master = new Master(
                    port,
                    RmppSettings.DEFAULT,
                    settings.withKeys(PartitionsConf.none().keys(routed.fabric().portGuid(routed.smPort()))),
                    SaSettings.DEFAULT.withGroupSls(groupSls),
                    TextStore.NONE,
                    sweeps);
            SubnetManager manager = master.manager();
            subnet.loop().execute(master::start);
            settle(subnet, manager, sweeps);
            long first = subnet.loop().nanoTime();
            boolean isPulled = sweeps.isDone();
            if (isPulled) {
                long before = sweeps.count;
                subnet.unlink(cable(number));
                subnet.loop().runUntil(() -> sweeps.count > before, PATIENCE);
                settle(subnet, manager, sweeps);
            }
            List<String> row =
                    row(number, sweeps, first, isPulled, subnet.loop().nanoTime(), manager);
            master.stop();
            return row;
        }
    }

    private static void settle(SimulatedSubnet subnet, SubnetManager manager, Sweeps sweeps) {
        subnet.loop().runUntil(() -> manager.isIdle() && sweeps.last != null, PATIENCE);
    }

    private List<String> row(
            long number, Sweeps sweeps, long first, boolean isPulled, long end, SubnetManager manager) {
        int cable = cable(number);
        String verdict = sweeps.verdict();
        boolean isDone = verdict.equals(GOOD);
        return List.of(
                Long.toString(number),
                verdict,
                Long.toString(seeds.seed(number)),
                isPulled ? routed.fabric().portName(cable) : "",
                isDone ? "" : verdict,
                isPulled ? places(cable) : "",
                CellText.millis(first),
                isPulled && isDone ? CellText.millis(end - first) : "",
                Long.toString(sweeps.count),
                Long.toString(manager.counters().sent()),
                Long.toString(manager.counters().resent()),
                Long.toString(manager.counters().unanswered()));
    }

    private String places(int port) {
        Fabric fabric = routed.fabric();
        return RoutedFabric.places(layout, Stream.of(fabric.nodeOf(port), fabric.nodeOf(fabric.cable(port))));
    }

    @Override
    public String replay(long number, Path inputs) {
        return "railyard sm --fabric %s --loss %d --seed %d --unlink %s"
                .formatted(
                        RoutedFabric.options(plan, inputs),
                        loss,
                        seeds.seed(number),
                        ShellWord.quoted(routed.fabric().portName(cable(number))));
    }

    /** Counts sweeps. */
    private static final class Sweeps implements SmListener {
        private long count;
        private SweepReport.@Nullable Result last;

        private boolean isDone() {
            return last == SweepReport.Result.DONE;
        }

        private String verdict() {
            SweepReport.Result result = last;
            return CellText.lower(result == null ? SweepReport.Result.NO_LINK : result);
        }

        @Override
        public void swept(SweepReport report) {
            count++;
            last = report.result();
        }

        @Override
        public void role(SmRole role, String why) {
            // There is no other subnet manager.
        }

        @Override
        public void published(SubnetSnapshot snapshot) {
            // Sweeps tell enough.
        }

        @Override
        public void trapped(Notice notice, int fromLid, String text) {
            // Sweeps tell enough.
        }

        @Override
        public void failed(ErrnoException why) {
            throw why;
        }
    }
}

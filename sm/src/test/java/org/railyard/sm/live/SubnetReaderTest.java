package org.railyard.sm.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.live.PlanDiff;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.SmListener;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SubnetManager;
import org.railyard.sm.SweepReport;
import org.railyard.sm.TextStore;
import org.railyard.sm.WatchedPort;
import org.railyard.sm.lid.LidOrder;
import org.railyard.sm.master.Master;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaSettings;

/** Reads simulated subnets that a master has programmed. */
final class SubnetReaderTest {
    private static final long PATIENCE = 600_000_000_000L;
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 2, 1);
    private static final int TOLD = 100;

    private final Fabric fabric = TORUS.fabric();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(3));
    private final Listener master = new Listener(subnet);

    /** A master at the first host. */
    private final class Listener implements SmListener {
        private @Nullable SubnetSnapshot snapshot;
        private @Nullable Master manager;
        private final List<SweepReport> reports = new ArrayList<>();
        private final SimulatedSubnet subnet;

        Listener(SimulatedSubnet subnet) {
            this.subnet = subnet;
        }

        void start(int lmc) {
            Master started = new Master(
                    subnet.attach(firstHost()),
                    RmppSettings.DEFAULT,
                    SmSettings.of(RoutingSettings.of(EngineName.TORUS_2QOS.engine(
                                    TorusConfParser.parse(TORUS.conf(1)), false, List.of())))
                            .withLids(LidOrder.GUID, lmc, true),
                    SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS),
                    TextStore.NONE,
                    this);
            manager = started;
            subnet.loop().execute(started::start);
            subnet.loop()
                    .runUntil(
                            () -> !reports.isEmpty()
                                    && reports.getLast().result() == SweepReport.Result.DONE
                                    && started.manager().isIdle(),
                            PATIENCE);
        }

        @Override
        public void swept(SweepReport report) {
            reports.add(report);
        }

        @Override
        public void role(SmRole role, String why) {}

        @Override
        public void published(SubnetSnapshot published) {
            snapshot = published;
        }

        @Override
        public void trapped(Notice notice, int fromLid, String text) {}

        @Override
        public void failed(ErrnoException why) {
            throw why;
        }

        Fabric planned() {
            return Objects.requireNonNull(snapshot).fabric();
        }

        Routing plan() {
            return Objects.requireNonNull(snapshot).routing().orElseThrow();
        }
    }

    /** Notes what is sent. */
    private static final class Watched extends WatchedPort {
        private final List<Mad> sent = new ArrayList<>();

        private final Consumer<Mad> answers;

        /** Makes one that shows each MAD to somebody, who may change it, before it is received. */
        Watched(SimulatedPort port, Consumer<Mad> answers) {
            super(port);
            this.answers = answers;
        }

        @Override
        public void receiver(MadReceiver receiver) {
            super.receiver(new MadReceiver() {
                @Override
                public void received(Mad mad, MadAddress from) {
                    answers.accept(mad);
                    receiver.received(mad, from);
                }

                @Override
                public void undelivered(Mad request, int errno) {
                    receiver.undelivered(request, errno);
                }

                @Override
                public void failed(ErrnoException why) {
                    receiver.failed(why);
                }
            });
        }

        @Override
        public void send(Mad mad, MadAddress to, int timeoutMillis) {
            sent.add(mad.copy());
            super.send(mad, to, timeoutMillis);
        }
    }

    private int firstHost() {
        return fabric.portIndex(fabric.switchCount(), 1);
    }

    @BeforeEach
    void programmed() {
        master.start(0);
    }

    /** Reads it from the host that is the last. */
    private LiveSubnet read(boolean wantsSls) {
        return read(subnet, wantsSls, answer -> {});
    }

    /** Reads a subnet that somebody else answers, too. */
    private LiveSubnet read(SimulatedSubnet subnet, boolean wantsSls, Consumer<Mad> answers) {
        int port = fabric.portIndex(fabric.nodeCount() - 1, 1);
        List<LiveSubnet> read = new ArrayList<>();
        try (SimulatedPort own = subnet.attach(port)) {
            Watched watched = new Watched(own, answers);
            MadRequests requests = new MadRequests(watched, RequestSettings.DEFAULT, (mad, from) -> {});
            subnet.loop().execute(() -> SubnetReader.start(requests, RequestSettings.DEFAULT, 1, wantsSls, read::add));
            assertThat(subnet.loop().runUntil(() -> !read.isEmpty(), PATIENCE)).isTrue();
            assertThat(watched.sent).allMatch(mad -> mad.is(MadMethod.GET, false));
        }
        return read.getFirst();
    }

    private PlanDiff diff(LiveSubnet live) {
        return PlanDiff.between(master.planned(), master.plan(), Optional.empty(), live, TOLD);
    }

    private static List<String> lines(PlanDiff diff, String part) {
        return diff.parts().stream()
                .filter(one -> one.name().equals(part))
                .findFirst()
                .orElseThrow()
                .lines();
    }

    @Test
    void everythingIsAsTheMasterHasProgrammedIt() {
        LiveSubnet live = read(true);
        assertThat(live.unread()).isEmpty();
        assertThat(live.remarks()).isEmpty();
        assertThat(live.ownPort()).isEqualTo(fabric.portIndex(fabric.nodeCount() - 1, 1));
        PlanDiff diff = diff(live);
        assertThat(diff.parts()).allMatch(part -> part.lines().isEmpty());
        assertThat(diff.isEmpty()).isTrue();
        assertThat(diff.parts())
                .extracting(PlanDiff.Part::name)
                .containsExactly(
                        "nodes",
                        "cables",
                        "LIDs",
                        "forwarding entries",
                        "SL to VL tables",
                        "multicast masks",
                        "SLs of paths");
        int hosts = fabric.nodeCount() - fabric.switchCount();
        assertThat(diff.parts().getLast().compared()).isEqualTo((long) hosts * (fabric.nodeCount() - 1));
    }

    @Test
    void whatWasReadIsProvedAsThePlanIs() {
        LiveSubnet live = read(true);
        Routing routing = new Routing(
                "live",
                live.forwarding().orElseThrow(),
                live.sls().orElseThrow(),
                live.slToVl().orElseThrow(),
                live.multicast().orElseThrow(),
                List.of());
        CheckReport report = CreditLoopCheck.check(live.fabric(), routing, CheckOptions.DEFAULT);
        assertThat(report.verdict()).isEqualTo(CheckReport.Verdict.CLEAN);
    }

    /** Another engine may send to each LID of a port by another SL: a loop that only these close must be found. */
    @Test
    void slsToAllLidsOfAPortAreAskedFor() {
        SimulatedSubnet two = new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(3));
        Listener other = new Listener(two);
        other.start(1);
        LiveSubnet live = read(two, true, mad -> {
            if (mad.isAbout(SaPathRecord.TYPE)) {
                SaPathRecord record = mad.data(SaPathRecord.TYPE);
                record.set(SaPathRecord.SL, record.getInt(SaPathRecord.DLID) % 2 == 0 ? 0 : 7);
            }
        });
        assertThat(live.unread()).isEmpty();
        PathSls sls = live.sls().orElseThrow();
        int from = live.fabric().lid(firstHost());
        int to = live.fabric().lid(fabric.portIndex(fabric.nodeCount() - 1, 1));
        assertThat(live.fabric().lmc(firstHost())).isEqualTo(1);
        assertThat(sls.sl(from, to, 0)).isZero();
        assertThat(sls.sl(from, to + 1, 0)).isEqualTo(7);
    }

    @Test
    void lossChangesNothing() {
        subnet.loss(0.02);
        LiveSubnet live = read(false);
        assertThat(live.unread()).isEmpty();
        assertThat(diff(live).isEmpty()).isTrue();
        assertThat(diff(live).notCompared()).contains("SLs of paths: not read");
    }

    @Test
    void arbitrationIsRead() {
        LiveSubnet live = read(false);
        assertThat(live.arbitration()).isNotEmpty();
        live.arbitration().forEach((port, tables) -> {
            PortInfo said = subnet.node(fabric.nodeOf(port)).portInfo(fabric.portNumber(port));
            assertThat(tables.highEntries()).isEqualTo(said.getInt(PortInfo.VL_ARB_HIGH_CAP));
            assertThat(tables.low().entries()).hasSize(tables.lowEntries());
        });
    }

    @Test
    void anEntryAndATableThatAreOthersAreNamed() {
        int sw = 4;
        int lid = master.planned().lid(firstHost());
        int planned = master.plan().forwarding().port(sw, lid);
        int other = planned == 2 ? 3 : 2;
        subnet.tamper(sw, mad -> {
            if (mad.isAbout(LinearForwardingTable.TYPE)) {
                mad.data(LinearForwardingTable.TYPE).set(LinearForwardingTable.PORTS, lid, other);
            }
            if (mad.isAbout(SlToVlTable.TYPE) && mad.modifier() == (2 << 8 | 3)) {
                mad.data(SlToVlTable.TYPE).set(SlToVlTable.VLS, 5, 7);
            }
            return mad;
        });
        PlanDiff diff = diff(read(false));
        String name = fabric.description(sw);
        assertThat(lines(diff, "forwarding entries"))
                .containsExactly("%s, LID %d (%s): port %d planned, %d programmed"
                        .formatted(name, lid, fabric.portName(firstHost()), planned, other));
        assertThat(lines(diff, "SL to VL tables")).hasSize(1);
        assertThat(lines(diff, "SL to VL tables").getFirst()).startsWith(name + ", from port 2 to port 3: SL 0 to 15");
        assertThat(SlToVl.vl(master.plan().slToVl().table(sw, 2, 3), 5)).isNotEqualTo(7);
        assertThat(diff.isEmpty()).isFalse();
    }

    @Test
    void aPortBeyondTheSwitchLeadsNowhere() {
        subnet.tamper(0, mad -> {
            if (mad.isAbout(LinearForwardingTable.TYPE)) {
                mad.data(LinearForwardingTable.TYPE).set(LinearForwardingTable.PORTS, 1, 200);
            }
            return mad;
        });
        LiveSubnet live = read(false);
        assertThat(live.remarks())
                .containsExactly(fabric.description(0)
                        + ": 1 entries of its forwarding table name ports that it does not have; they lead nowhere");
    }

    @Test
    void twoPortsWithOneLidAreTold() {
        int node = fabric.nodeCount() - 2;
        int first = master.planned().lid(fabric.portIndex(0, 0));
        subnet.tamper(node, mad -> {
            if (mad.isAbout(PortInfo.TYPE)) {
                mad.data(PortInfo.TYPE).set(PortInfo.LID, first);
            }
            return mad;
        });
        LiveSubnet live = read(false);
        assertThat(live.remarks())
                .containsExactly("LID %d: both %s and %s have it; it counts as that of the first"
                        .formatted(
                                first,
                                fabric.portName(fabric.portIndex(0, 0)),
                                fabric.portName(fabric.portIndex(node, 1))));
        assertThat(lines(diff(live), "LIDs")).singleElement().asString().endsWith("planned, it has none");
    }

    @Test
    void whatDoesNotAnswerIsNotRead() {
        subnet.silence(3, true);
        LiveSubnet live = read(false);
        assertThat(live.unread()).isNotEmpty().allMatch(line -> line.contains("no answer to 4 requests"));
    }

    @Test
    void aSubnetAdministrationThatIsGoneIsToldOnce() {
        Master ended = Objects.requireNonNull(master.manager);
        subnet.loop().execute(ended::stop);
        LiveSubnet live = read(true);
        assertThat(live.unread())
                .containsExactly(
                        "SLs of paths: no answer from the subnet administration at LID %d to 4 requests; is the"
                                        .formatted(master.planned().lid(firstHost()))
                                + " subnet manager still running?");
    }

    @Test
    void aCableThatIsGoneIsNamedOnce() {
        int port = fabric.portIndex(0, 2);
        subnet.unlink(port);
        PlanDiff diff = diff(read(false));
        assertThat(lines(diff, "cables"))
                .containsExactly("%s: planned to %s, no link"
                        .formatted(fabric.portName(port), fabric.portName(fabric.cable(port))));
    }

    /** Of a group in the second block of LIDs, too, as subnet managers use them one after the other. */
    @Test
    void multicastTreesAreReadBlockAfterBlock() {
        SubnetManager manager = Objects.requireNonNull(master.manager).manager();
        List<Long> members =
                master.planned().hosts().stream().map(fabric::portGuid).toList();
        int second = Lids.MIN_MULTICAST + MulticastForwardingTable.BLOCK + 1;
        int before = master.reports.size();
        subnet.loop()
                .execute(() -> manager.multicast(List.of(
                        new GroupMembers(Lids.MIN_MULTICAST, 0, members),
                        new GroupMembers(second, 0, members.subList(0, 5)))));
        subnet.loop().runUntil(() -> master.reports.size() > before && manager.isIdle(), PATIENCE);
        LiveSubnet live = read(false);
        assertThat(live.unread()).isEmpty();
        PlanDiff diff = diff(live);
        assertThat(lines(diff, "multicast masks")).isEmpty();
        for (int mlid : new int[] {Lids.MIN_MULTICAST, second}) {
            MulticastTables.Tree tree = live.multicast().orElseThrow().tree(mlid);
            MulticastTables.Tree planned = master.plan().multicast().tree(mlid);
            assertThat(tree).isNotNull();
            assertThat(planned).isNotNull();
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                assertThat(Objects.requireNonNull(tree).ports(sw))
                        .isEqualTo(Objects.requireNonNull(planned).ports(sw));
            }
        }
    }

    /** Tables of more than 32 entries come in two blocks, whose answers may come in any order. */
    @Test
    void arbitrationTablesOfTwoBlocksAreRead() {
        int low = 40;
        int high = 33;
        LiveSubnet live = read(subnet, false, mad -> {
            if (mad.isAbout(PortInfo.TYPE)) {
                mad.data(PortInfo.TYPE).set(PortInfo.VL_ARB_LOW_CAP, low).set(PortInfo.VL_ARB_HIGH_CAP, high);
            } else if (mad.isAbout(VlArbitrationTable.TYPE)) {
                int block = mad.modifier() >>> 16;
                mad.setStatus(MadStatus.OK);
                VlArbitrationTable table = mad.data(VlArbitrationTable.TYPE);
                for (int i = 0; i < VlArbitrationTable.BLOCK; i++) {
                    table.set(VlArbitrationTable.VLS, i, i == 4 ? 15 : i % 8);
                    table.set(VlArbitrationTable.WEIGHTS, i, 40 * block + i);
                }
            }
        });
        assertThat(live.unread()).isEmpty();
        assertThat(live.arbitration()).hasSize(cabledPorts());
        live.arbitration().values().forEach(tables -> {
            assertThat(tables.low().entries()).isEqualTo(entries(low, Modifiers.LOW_FIRST));
            assertThat(tables.high().entries()).isEqualTo(entries(high, Modifiers.HIGH_FIRST));
        });
    }

    private int cabledPorts() {
        return (int) IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.peer(port) != Fabric.NONE)
                .count();
    }

    /** What such blocks make; an entry of VL 15, which is in no arbitration, counts for nothing. */
    private static List<VlArbTable.Entry> entries(int count, int firstBlock) {
        List<VlArbTable.Entry> entries = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            int i = at % VlArbitrationTable.BLOCK;
            int block = firstBlock + at / VlArbitrationTable.BLOCK;
            entries.add(i == 4 ? new VlArbTable.Entry(0, 0) : new VlArbTable.Entry(i % 8, 40 * block + i));
        }
        return entries;
    }

    /** With one data VL, or without such tables, there is nothing to choose. */
    @Test
    void portsWithoutArbitrationHaveNone() {
        int one = fabric.portIndex(2, 1);
        int none = fabric.portIndex(2, 2);
        subnet.tamper(2, mad -> {
            if (mad.isAbout(PortInfo.TYPE) && mad.modifier() == 1) {
                mad.data(PortInfo.TYPE).set(PortInfo.OPERATIONAL_VLS, 1);
            }
            if (mad.isAbout(PortInfo.TYPE) && mad.modifier() == 2) {
                mad.data(PortInfo.TYPE).set(PortInfo.VL_ARB_LOW_CAP, 0).set(PortInfo.VL_ARB_HIGH_CAP, 0);
            }
            return mad;
        });
        LiveSubnet live = read(false);
        assertThat(live.unread()).isEmpty();
        assertThat(live.arbitration()).hasSize(cabledPorts() - 2).doesNotContainKeys(one, none);
    }

    @Test
    void whatHasNoSlToVlTablesSendsAllOnVl0AndIsNotAskedForThem() {
        int host = fabric.nodeCount() - 2;
        for (int node : new int[] {2, host}) {
            subnet.tamper(node, mad -> {
                if (mad.isAbout(PortInfo.TYPE)) {
                    PortInfo said = mad.data(PortInfo.TYPE);
                    said.set(PortInfo.CAPABILITY_MASK, said.get(PortInfo.CAPABILITY_MASK) & ~PortInfo.CAP_SL_MAPPING);
                }
                assertThat(mad.isAbout(SlToVlTable.TYPE)).isFalse();
                return mad;
            });
        }
        LiveSubnet live = read(false);
        assertThat(live.unread()).isEmpty();
        SlToVl read = live.slToVl().orElseThrow();
        assertThat(read.table(2, 1, 2)).isEqualTo(SlToVl.ALL_ZERO);
        assertThat(read.endTable(fabric.portIndex(host, 1))).isEqualTo(SlToVl.ALL_ZERO);
        assertThat(read.endTable(firstHost()))
                .isEqualTo(master.plan().slToVl().endTable(firstHost()))
                .isNotEqualTo(SlToVl.ALL_ZERO);
    }

    /** What a base port 0 says of its LMC does not count (spec 40 §2.3). */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyAnEnhancedPort0HasAnLmc(boolean isEnhanced) {
        subnet.tamper(2, mad -> {
            if (mad.isAbout(PortInfo.TYPE) && mad.modifier() == 0) {
                mad.data(PortInfo.TYPE).set(PortInfo.LID, 0x400).set(PortInfo.LMC, 1);
            }
            if (mad.isAbout(SwitchInfo.TYPE)) {
                mad.data(SwitchInfo.TYPE).set(SwitchInfo.ENHANCED_PORT0, isEnhanced ? 1 : 0);
            }
            return mad;
        });
        LiveSubnet live = read(false);
        int port0 = fabric.portIndex(2, 0);
        assertThat(live.remarks()).isEmpty();
        assertThat(live.fabric().lid(port0)).isEqualTo(0x400);
        assertThat(live.fabric().lmc(port0)).isEqualTo(isEnhanced ? 1 : 0);
    }

    @Test
    void withoutASubnetManagerNobodyIsAskedForSls() {
        LiveSubnet live = read(subnet, true, mad -> {
            if (mad.isAbout(PortInfo.TYPE)) {
                mad.data(PortInfo.TYPE).set(PortInfo.MASTER_SM_LID, 0);
            }
            assertThat(mad.isAbout(SaPathRecord.TYPE)).isFalse();
        });
        assertThat(live.unread()).containsExactly("SLs of paths: the own port knows no subnet manager");
    }

    /** The reading ends, and one line tells of all that is missing. */
    @Test
    void aPortThatFailsEndsTheReading() {
        SimulatedPort own = subnet.attach(fabric.portIndex(fabric.nodeCount() - 1, 1));
        MadRequests requests = new MadRequests(own, RequestSettings.DEFAULT, (mad, from) -> {});
        List<LiveSubnet> read = new ArrayList<>();
        // The subnet is discovered then, and the tables are asked for.
        subnet.tamper(0, mad -> {
            if (mad.isAbout(SlToVlTable.TYPE) && !requests.isClosed()) {
                own.fail(new ErrnoException(Errno.ENODEV, "unplugged"));
            }
            return mad;
        });
        subnet.loop().execute(() -> SubnetReader.start(requests, RequestSettings.DEFAULT, 1, true, read::add));
        assertThat(subnet.loop().runUntil(() -> !read.isEmpty(), PATIENCE)).isTrue();
        subnet.loop().runFor(PATIENCE);
        assertThat(read).hasSize(1);
        List<String> unread = read.getFirst().unread();
        assertThat(unread)
                .singleElement()
                .asString()
                .endsWith(": the port failed before an answer came; nothing was read after that");
        own.close();
    }
}

package org.railyard.sm.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.rmpp.RmppTransport;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.LinkRecord;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.MultiPathRecord;
import org.railyard.mad.sa.NodeRecord;
import org.railyard.mad.sa.PortInfoRecord;
import org.railyard.mad.sa.ReportNotice;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.SlToVlRecord;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.SmListener;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SweepReport;
import org.railyard.sm.TextStore;
import org.railyard.sm.lid.LidOrder;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaSettings;
import org.railyard.testkit.Requirement;

/** A master in a simulated subnet, and clients that ask it over the subnet that it brought up. */
final class MasterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE = 600 * SECOND;
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 2, 1);

    private static final int MOST_GIDS = 255;
    private static final long JOIN =
            McMemberRecord.MGID.mask() | McMemberRecord.PORT_GID.mask() | McMemberRecord.JOIN_STATE.mask();

    private final Fabric fabric = TORUS.fabric();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(5));
    private final List<SubnetSnapshot> snapshots = new ArrayList<>();
    private final Master master = new Master(
            subnet.attach(host(0)),
            RmppSettings.DEFAULT,
            SmSettings.of(RoutingSettings.of(
                    EngineName.TORUS_2QOS.engine(TorusConfParser.parse(TORUS.conf(1)), false, List.of()))),
            SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS),
            TextStore.NONE,
            new SmListener() {
                @Override
                public void swept(SweepReport report) {}

                @Override
                public void role(SmRole role, String why) {}

                @Override
                public void published(SubnetSnapshot snapshot) {
                    snapshots.add(snapshot);
                }

                @Override
                public void failed(ErrnoException why) {
                    throw why;
                }

                @Override
                public void trapped(Notice notice, int fromLid, String text) {}
            });

    private int host(int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private SubnetSnapshot snapshot() {
        return snapshots.getLast();
    }

    private int lid(int port) {
        return snapshot().fabric().lid(port);
    }

    /** Until nothing is left to do. */
    private void settle(int sweeps) {
        assertThat(subnet.loop()
                        .runUntil(
                                () -> snapshots.size() >= sweeps
                                        && master.manager().isIdle(),
                                PATIENCE))
                .isTrue();
    }

    private Client start(int host) {
        subnet.loop().execute(master::start);
        settle(1);
        return new Client(host);
    }

    /** A program at a host. */
    private final class Client {
        private final int port;
        private final MadRequests requests;
        private final List<Mad> reports = new ArrayList<>();
        private boolean isDeaf;

        Client(int host) {
            this(host, RequestSettings.DEFAULT.withTimeout(SECOND, 3));
        }

        Client(int host, RequestSettings limits) {
            port = host(host);
            requests = new MadRequests(
                    new RmppTransport(subnet.attach(port), RmppSettings.DEFAULT), limits, this::reported);
        }

        private void reported(Mad mad, MadAddress from) {
            if (isDeaf) {
                return;
            }
            reports.add(mad);
            requests.answer(mad.answer(MadStatus.OK, ReportNotice.TYPE.recordSize()), from);
        }

        Mad ask(Mad request) {
            List<RequestOutcome> ended = new ArrayList<>();
            MadAddress sa = MadAddress.gmp(lid(snapshot().smPort()), 0);
            subnet.loop().execute(() -> requests.submit(request, sa, ended::add));
            assertThat(subnet.loop().runUntil(() -> !ended.isEmpty(), PATIENCE)).isTrue();
            assertThat(ended.getFirst()).isInstanceOf(RequestOutcome.Answered.class);
            return ((RequestOutcome.Answered) ended.getFirst()).mad();
        }
    }

    /** Nobody who edits a file means that all connections break. */
    @Test
    void aReloadLeavesLmcAsItIs() {
        start(1);
        int before = lid(host(3));
        SmSettings four = SmSettings.of(RoutingSettings.of(
                        EngineName.TORUS_2QOS.engine(TorusConfParser.parse(TORUS.conf(1)), false, List.of())))
                .withLids(LidOrder.GUID, 2, true);
        List<String> notes = new ArrayList<>();
        int sweeps = snapshots.size();
        subnet.loop()
                .execute(() -> notes.addAll(
                        master.configure(four, SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS), "reload")));
        settle(sweeps + 1);
        assertThat(notes)
                .containsExactly("lmc stays 0 until a restart: with another one ports lose LIDs that they have");
        assertThat(lid(host(3))).isEqualTo(before);
        assertThat(snapshot().fabric().lmc(host(3))).isZero();
    }

    @Test
    void tablesComeInManySegments() {
        Client client = start(7);
        Mad nodes = client.ask(Mad.sa(MadMethod.GET_TABLE, NodeRecord.TYPE, 0));
        assertThat(nodes.records()).isEqualTo(fabric.nodeCount());
        for (int i = 0; i < nodes.records(); i++) {
            NodeRecord record = nodes.record(NodeRecord.TYPE, i);
            int port = snapshot().fabric().portOfLid(record.getInt(NodeRecord.LID));
            assertThat(record.nodeDescription().text()).isEqualTo(fabric.description(fabric.nodeOf(port)));
        }
        Mad ports = client.ask(Mad.sa(MadMethod.GET_TABLE, PortInfoRecord.TYPE, 0));
        assertThat(ports.records()).isGreaterThan(4 * fabric.switchCount());
        Mad links = client.ask(Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0));
        long cabled = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            cabled += fabric.peer(port) != Fabric.NONE ? 1 : 0;
        }
        assertThat(links.records()).isEqualTo((int) cabled);
        Mad vls = client.ask(Mad.sa(MadMethod.GET_TABLE, SlToVlRecord.TYPE, 0));
        assertThat(vls.bytes().length).isGreaterThan(10_000);
    }

    @Test
    void tablesArriveOverALossyFabric() {
        Client client = start(7);
        subnet.loss(0.1);
        Mad nodes = client.ask(Mad.sa(MadMethod.GET_TABLE, NodeRecord.TYPE, 0));
        assertThat(nodes.records()).isEqualTo(fabric.nodeCount());
    }

    @Test
    @Requirement("t2q-035")
    void everyPathHasTheSlOfTheEngine() {
        Client client = start(4);
        Mad request = Mad.sa(MadMethod.GET_TABLE, SaPathRecord.TYPE, 0);
        request.saHeader().set(SaHeader.SM_KEY, SaSettings.DEFAULT.saKey());
        Mad all = client.ask(request);
        int ends = fabric.nodeCount();
        assertThat(all.records()).isEqualTo(ends * ends);
        for (int i = 0; i < all.records(); i++) {
            SaPathRecord path = all.record(SaPathRecord.TYPE, i);
            int from = path.getInt(SaPathRecord.SLID);
            int to = path.getInt(SaPathRecord.DLID);
            int sl = snapshot().routing().orElseThrow().sls().sl(from, to, 0);
            assertThat(path.getInt(SaPathRecord.SL)).isEqualTo(sl);
            assertThat(path.isSet(SaPathRecord.REVERSIBLE)).isTrue();
        }
    }

    /** All hosts ask at once, again and again, while a cable is lost. */
    @Test
    void aStormOfPathRecordsIsAnsweredAndDelaysNoSweep() {
        start(1);
        List<RequestOutcome> ended = new ArrayList<>();
        int asked = 0;
        for (int host = 2; host < fabric.switchCount(); host++) {
            Client client = new Client(
                    host, RequestSettings.DEFAULT.withTimeout(SECOND, 20).withWindow(64, 64, 64));
            for (int i = 0; i < 100; i++) {
                Mad request = Mad.sa(
                        i % 2 == 0 ? MadMethod.GET : MadMethod.GET_TABLE,
                        SaPathRecord.TYPE,
                        SaPathRecord.SGID.mask() | (i % 2 == 0 ? SaPathRecord.DGID.mask() : 0));
                request.data(SaPathRecord.TYPE)
                        .setGid(SaPathRecord.SGID, SaSettings.DEFAULT.subnetPrefix(), fabric.portGuid(client.port))
                        .setGid(
                                SaPathRecord.DGID,
                                SaSettings.DEFAULT.subnetPrefix(),
                                fabric.portGuid(host(i % fabric.switchCount())));
                client.requests.submit(request, MadAddress.gmp(lid(snapshot().smPort()), 0), ended::add);
                asked++;
            }
        }
        long begin = subnet.loop().nanoTime();
        subnet.unlink(fabric.portIndex(0, 2));
        settle(2);
        assertThat(subnet.loop().nanoTime() - begin).isLessThan(5 * SECOND);
        int all = asked;
        assertThat(subnet.loop().runUntil(() -> ended.size() == all, PATIENCE)).isTrue();
        assertThat(ended)
                .allSatisfy(outcome -> assertThat(
                                ((RequestOutcome.Answered) outcome).mad().status())
                        .isZero());
    }

    private Mad join(int port, MadMethod method) {
        Mad request = Mad.sa(
                method,
                McMemberRecord.TYPE,
                McMemberRecord.MGID.mask() | McMemberRecord.PORT_GID.mask() | McMemberRecord.JOIN_STATE.mask());
        request.data(McMemberRecord.TYPE)
                .setGid(McMemberRecord.MGID, 0xFF12_401B_FFFF_0000L, 0xFFFF_FFFFL)
                .setGid(McMemberRecord.PORT_GID, SaSettings.DEFAULT.subnetPrefix(), fabric.portGuid(port))
                .set(McMemberRecord.JOIN_STATE, McMemberRecord.FULL_MEMBER);
        return request;
    }

    @Test
    void whoJoinsIsReachedByTheTrees() {
        Client one = start(1);
        Client other = new Client(9);
        Mad joined = one.ask(join(one.port, MadMethod.SET));
        assertThat(joined.status()).isZero();
        other.ask(join(other.port, MadMethod.SET));
        int mlid = joined.data(McMemberRecord.TYPE).getInt(McMemberRecord.MLID);
        settle(2);
        for (Client client : List.of(one, other)) {
            int towards = fabric.cable(client.port);
            assertThat(subnet.node(fabric.nodeOf(towards)).multicasts(mlid, fabric.portNumber(towards)))
                    .isTrue();
        }
        one.ask(join(one.port, MadMethod.DELETE));
        other.ask(join(other.port, MadMethod.DELETE));
        settle(snapshots.size() + 1);
        int towards = fabric.cable(one.port);
        assertThat(subnet.node(fabric.nodeOf(towards)).multicasts(mlid, fabric.portNumber(towards)))
                .isFalse();
    }

    private static Mad subscribe(int qpn) {
        Mad subscribe = Mad.sa(MadMethod.SET, InformInfo.TYPE, 0);
        subscribe
                .data(InformInfo.TYPE)
                .set(InformInfo.LID_BEGIN, 0xFFFF)
                .set(InformInfo.IS_GENERIC, 1)
                .set(InformInfo.SUBSCRIBE, 1)
                .set(InformInfo.TYPE_CODE, 0xFFFF)
                .set(InformInfo.TRAP_NUMBER, 0xFFFF)
                .set(InformInfo.QPN, qpn)
                .set(InformInfo.PRODUCER_TYPE, 0xFFFFFF);
        return subscribe;
    }

    @Test
    void aSubscriberThatConfirmsNothingHoldsNoReportsToOthersUp() {
        Client deaf = start(2);
        for (int qpn = 100; qpn < 160; qpn++) {
            assertThat(deaf.ask(subscribe(qpn)).status()).isZero();
        }
        Client other = new Client(9);
        assertThat(other.ask(subscribe(0)).status()).isZero();
        deaf.isDeaf = true;
        subnet.unlink(host(11));
        subnet.loop().runFor(SECOND / 10);
        other.reports.clear();
        subnet.unlink(host(12));
        assertThat(subnet.loop().runUntil(() -> !other.reports.isEmpty(), SECOND / 10))
                .isTrue();
    }

    /** One that is sent again would come after the next one, and tell what is not so any more. */
    @Test
    void reportsComeInTheirOrderWhenOneIsLost() {
        Client client = start(2);
        assertThat(client.ask(subscribe(0)).status()).isZero();
        Client other = new Client(9);
        Mad join = Mad.sa(
                MadMethod.SET,
                McMemberRecord.TYPE,
                JOIN
                        | McMemberRecord.Q_KEY.mask()
                        | McMemberRecord.P_KEY.mask()
                        | McMemberRecord.TCLASS.mask()
                        | McMemberRecord.SL.mask()
                        | McMemberRecord.FLOW_LABEL.mask());
        Mad leave = Mad.sa(MadMethod.DELETE, McMemberRecord.TYPE, JOIN);
        for (Mad request : List.of(join, leave)) {
            request.data(McMemberRecord.TYPE)
                    .setGid(McMemberRecord.MGID, new Gid(0xFF12_0000_0000_0000L, 9))
                    .setGid(McMemberRecord.PORT_GID, new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(other.port)))
                    .set(McMemberRecord.P_KEY, 0xFFFF)
                    .set(McMemberRecord.JOIN_STATE, McMemberRecord.FULL_MEMBER);
        }
        client.isDeaf = true;
        assertThat(other.ask(join).status()).isZero();
        subnet.loop().runFor(SECOND / 100);
        client.isDeaf = false;
        assertThat(other.ask(leave).status()).isZero();
        subnet.loop().runFor(SECOND);
        assertThat(client.reports)
                .extracting(report -> report.data(ReportNotice.TYPE).notice().getInt(Notice.TRAP_NUMBER))
                .containsExactly(Notice.GROUP_CREATED, Notice.GROUP_DELETED);
    }

    @Test
    void subscribersHearWhoComesAndGoes() {
        Client client = start(2);
        assertThat(client.ask(subscribe(0)).status()).isZero();
        int before = snapshots.size();
        subnet.unlink(host(11));
        settle(before + 1);
        subnet.relink(host(11));
        settle(snapshots.size() + 1);
        subnet.loop().runFor(SECOND);
        assertThat(client.reports)
                .extracting(report -> report.data(ReportNotice.TYPE).notice().getInt(Notice.TRAP_NUMBER))
                .containsSubsequence(Notice.LINK_STATE, Notice.OUT_OF_SERVICE, Notice.LINK_STATE, Notice.IN_SERVICE);
        assertThat(client.reports.stream()
                        .map(report -> report.data(ReportNotice.TYPE).notice())
                        .filter(notice -> notice.getInt(Notice.TRAP_NUMBER) == Notice.OUT_OF_SERVICE))
                .singleElement()
                .satisfies(notice -> assertThat(
                                notice.details().getGid(TrapDetails.GID).guid())
                        .isEqualTo(fabric.portGuid(host(11))));
        assertThat(master.administration().counters().reportsUnanswered()).isZero();
    }

    /** Asks for the paths from a port to itself, with GIDs of nobody behind, and so many bytes in all. */
    private RequestOutcome askMulti(Client client, int bytes) throws Exception {
        byte[] all = new byte[bytes];
        System.arraycopy(Mad.sa(MadMethod.GET_MULTI, MultiPathRecord.TYPE, 0).bytes(), 0, all, 0, Mad.SA_DATA);
        Mad request = Mad.over(all);
        Gid own = new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(client.port));
        request.data(MultiPathRecord.TYPE)
                .set(MultiPathRecord.SGID_COUNT, MOST_GIDS)
                .set(MultiPathRecord.DGID_COUNT, MOST_GIDS)
                .setGid(0, own)
                .setGid(MOST_GIDS, own);
        List<RequestOutcome> ended = new ArrayList<>();
        MadAddress sa = MadAddress.gmp(lid(snapshot().smPort()), 0);
        subnet.loop().execute(() -> client.requests.submit(request, sa, ended::add));
        assertThat(subnet.loop().runUntil(() -> !ended.isEmpty(), PATIENCE)).isTrue();
        return ended.getFirst();
    }

    /** Its answer holds PathRecords, and says so. */
    @Test
    void multiPathsReachWhoAsked() throws Exception {
        int longest = Mad.SA_DATA + MultiPathRecord.LAYOUT.size() + 2 * MOST_GIDS * MultiPathRecord.GID_BYTES;
        assertThat(askMulti(start(2), longest)).isInstanceOfSatisfying(RequestOutcome.Answered.class, answered -> {
            assertThat(answered.mad().isAbout(SaPathRecord.TYPE)).isTrue();
            assertThat(answered.mad().records()).isEqualTo(1);
        });
    }

    /** All that may arrive at a time, from 256 clients, was more than the memory of a subnet manager. */
    @Test
    void longerRequestsThanThereAreAreStopped() throws Exception {
        assertThat(askMulti(start(2), Master.MAX_REQUEST_BYTES + Mad.SA_DATA_SIZE))
                .isInstanceOf(RequestOutcome.Unanswered.class);
    }

    @Test
    void afterStopNothingIsAnswered() {
        Client client = start(3);
        master.stop();
        List<RequestOutcome> ended = new ArrayList<>();
        subnet.loop()
                .execute(() -> client.requests.submit(
                        Mad.sa(MadMethod.GET_TABLE, NodeRecord.TYPE, 0),
                        MadAddress.gmp(lid(snapshot().smPort()), 0),
                        ended::add));
        assertThat(subnet.loop().runUntil(() -> !ended.isEmpty(), PATIENCE)).isTrue();
        assertThat(ended.getFirst()).isInstanceOf(RequestOutcome.Unanswered.class);
    }
}

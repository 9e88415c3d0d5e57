package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.railyard.sm.role.Managers.PATIENCE;
import static org.railyard.sm.role.Managers.SECOND;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.SweepReport;
import org.railyard.sm.role.Managers.One;
import org.railyard.sm.sa.SaCounters;
import org.railyard.sm.sa.SaStore;

/** What clients have registered when another subnet manager takes over: asked for again, or kept in a store. */
class KeptStateTest {
    private static final String HOST_A = "H-0.0.0.0";
    private static final String HOST_B = "H-1.2.2.0";
    private static final String CLIENT = "H-1.1.1.0";
    private static final String OTHER = "H-0.2.1.0";
    private static final Gid MGID = new Gid(0xFF12_401B_FFFF_0000L, 0x1234);
    private static final long CREATE = McMemberRecord.MGID.mask()
            | McMemberRecord.PORT_GID.mask()
            | McMemberRecord.JOIN_STATE.mask()
            | McMemberRecord.Q_KEY.mask()
            | McMemberRecord.TCLASS.mask()
            | McMemberRecord.P_KEY.mask()
            | McMemberRecord.FLOW_LABEL.mask()
            | McMemberRecord.SL.mask();

    private final Managers subnet = new Managers(SampleTorus.torus(2, 3, 3, 1), 7);
    private final Fabric fabric = subnet.fabric;
    private final InMemory store = new InMemory();

    private static class InMemory implements SaStore {
        private String text = "";
        private int saved;
        private final List<RuntimeException> failures = new ArrayList<>();
        private boolean throwsThem;
        private int waits;

        @Override
        public String load() {
            return text;
        }

        @Override
        public CompletableFuture<Void> save(String newText) {
            if (!failures.isEmpty()) {
                RuntimeException next = failures.removeFirst();
                if (throwsThem) {
                    throw next;
                }
                return CompletableFuture.failedFuture(next);
            }
            text = newText;
            saved++;
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void await() {
            waits++;
        }
    }

    /** A program at a host. */
    private final class Client {
        private final int port;
        private final MadRequests requests;

        Client(String host) {
            port = subnet.port(host);
            SimulatedPort transport = subnet.subnet.attach(port);
            requests = new MadRequests(transport, RequestSettings.DEFAULT.withTimeout(SECOND, 3), (mad, from) -> {});
        }

        Mad ask(Mad request, One master) {
            List<RequestOutcome> ended = new ArrayList<>();
            MadAddress sa = MadAddress.gmp(master.lid(), 0);
            subnet.subnet.loop().execute(() -> requests.submit(request, sa, ended::add));
            assertThat(subnet.subnet.loop().runUntil(() -> !ended.isEmpty(), PATIENCE))
                    .isTrue();
            return ((RequestOutcome.Answered) ended.getFirst()).mad();
        }

        Gid gid() {
            return new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(port));
        }

        int join(One master) {
            Mad request = Mad.sa(MadMethod.SET, McMemberRecord.TYPE, CREATE);
            request.data(McMemberRecord.TYPE)
                    .setGid(McMemberRecord.MGID, MGID)
                    .setGid(McMemberRecord.PORT_GID, gid())
                    .set(McMemberRecord.P_KEY, 0xFFFF)
                    .set(McMemberRecord.Q_KEY, 7)
                    .set(McMemberRecord.JOIN_STATE, McMemberRecord.FULL_MEMBER);
            Mad answer = ask(request, master);
            assertThat(answer.status()).isEqualTo(MadStatus.OK);
            return answer.data(McMemberRecord.TYPE).getInt(McMemberRecord.MLID);
        }

        void serve(One master) {
            service(MadMethod.SET, 77, master);
        }

        void unserve(One master) {
            service(MadMethod.DELETE, 77, master);
        }

        private void service(MadMethod method, int id, One master) {
            Mad request = Mad.sa(
                    method,
                    ServiceRecord.TYPE,
                    ServiceRecord.SERVICE_ID.mask() | ServiceRecord.GID.mask() | ServiceRecord.LEASE.mask());
            request.data(ServiceRecord.TYPE)
                    .set(ServiceRecord.SERVICE_ID, id)
                    .set(ServiceRecord.LEASE, 3600)
                    .setGid(ServiceRecord.GID, gid());
            assertThat(ask(request, master).status()).isEqualTo(MadStatus.OK);
        }

        void subscribe(One master) {
            Mad request = Mad.sa(MadMethod.SET, InformInfo.TYPE, 0);
            request.data(InformInfo.TYPE)
                    .set(InformInfo.LID_BEGIN, 0xFFFF)
                    .set(InformInfo.IS_GENERIC, 1)
                    .set(InformInfo.SUBSCRIBE, 1)
                    .set(InformInfo.TYPE_CODE, 0xFFFF)
                    .set(InformInfo.TRAP_NUMBER, 64)
                    .set(InformInfo.PRODUCER_TYPE, 0xFFFFFF);
            assertThat(ask(request, master).status()).isEqualTo(MadStatus.OK);
        }

        boolean isReached(int mlid) {
            int towards = fabric.cable(port);
            return subnet.subnet.node(fabric.nodeOf(towards)).multicasts(mlid, fabric.portNumber(towards));
        }
    }

    private int reregistrations(String host) {
        return subnet.subnet.node(fabric.nodeOf(subnet.port(host))).reregistrations();
    }

    private One alone() {
        One a = subnet.start(HOST_A, 5);
        assertThat(subnet.settle(a)).isTrue();
        return a;
    }

    /** Master A, standby B, and two clients that have registered what there is. */
    private One begun(Client client, Client other) {
        One a = alone();
        other.join(a);
        client.join(a);
        client.serve(a);
        client.subscribe(a);
        subnet.start(HOST_B, 3);
        subnet.subnet.loop().runFor(5 * SECOND);
        assertThat(subnet.settle(a)).isTrue();
        return a;
    }

    @Test
    void withoutAStoreAllClientsAreAskedAndComeBackWithinTwoSweeps() {
        Client client = new Client(CLIENT);
        Client other = new Client(OTHER);
        One a = begun(client, other);
        One b = subnet.all.get(1);
        int[] before = hosts().stream().mapToInt(this::reregistrations).toArray();
        a.kill();
        assertThat(subnet.settle(b)).isTrue();
        for (int i = 0; i < hosts().size(); i++) {
            assertThat(reregistrations(hosts().get(i))).as(hosts().get(i)).isGreaterThan(before[i]);
        }
        assertThat(b.master.administration().counters().memberships()).isZero();
        int sweeps = b.reports.size();
        int mlid = client.join(b);
        other.join(b);
        subnet.subnet.loop().runUntil(() -> client.isReached(mlid) && other.isReached(mlid), 10 * SECOND);
        assertThat(client.isReached(mlid) && other.isReached(mlid)).isTrue();
        assertThat(b.reports).hasSizeLessThanOrEqualTo(sweeps + 2);
    }

    private List<String> hosts() {
        List<String> hosts = new ArrayList<>();
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            hosts.add(Objects.requireNonNull(fabric.description(node)));
        }
        return hosts;
    }

    @Test
    void withAStoreNobodyHasToComeBack() {
        subnet.store = store;
        Client client = new Client(CLIENT);
        Client other = new Client(OTHER);
        One a = begun(client, other);
        One b = subnet.all.get(1);
        int mlid = client.join(a);
        assertThat(b.master.administration().counters().memberships()).isZero();
        int asked = reregistrations(CLIENT);
        a.kill();
        assertThat(subnet.settle(b)).isTrue();
        // Groups that were kept ask for a sweep, too; what is told is why it took over.
        assertThat(b.reports)
                .extracting(SweepReport::reason)
                .anyMatch(reason -> reason.startsWith("the master ") && reason.contains(" does not answer"));
        SaCounters counters = b.master.administration().counters();
        assertThat(counters.memberships()).isEqualTo(2);
        assertThat(counters.services()).isEqualTo(1);
        assertThat(counters.subscriptions()).isEqualTo(1);
        assertThat(client.isReached(mlid) && other.isReached(mlid)).isTrue();
        assertThat(reregistrations(CLIENT)).isGreaterThan(asked);
        assertThat(client.join(b)).isEqualTo(mlid);
        assertThat(b.master.administration().counters().memberships()).isEqualTo(2);
        b.master.administration().checkInvariants();
        assertThat(subnet.told)
                .contains("kept from before: multicast groups: 2, members: 2, services: 1, subscriptions: 1, alias"
                        + " GUIDs: 0");
        assertThat(text("service")).hasSize(1);
        int saved = store.saved;
        subnet.subnet.loop().runFor(660 * SECOND);
        assertThat(store.saved).isGreaterThan(saved + 1);
    }

    /** It has looked at the store when it began, and the master before keeps there what it has when it hands over. */
    @Test
    void whatCameWhileItWasDiscoveringIsThereAfterTheHandover() {
        subnet.store = store;
        Client client = new Client(CLIENT);
        Client other = new Client(OTHER);
        One a = alone();
        other.join(a);
        subnet.subnet.loop().runFor(5 * SECOND);
        subnet.subnet.loop().execute(() -> a.master.manager().sweepNow("asked for"));
        One b = subnet.start(HOST_B, 15);
        int mlid = client.join(a);
        assertThat(subnet.settle(b)).isTrue();
        assertThat(b.roles).containsExactly("discovering", "master");
        assertThat(b.master.administration().counters().memberships()).isEqualTo(2);
        b.master.administration().checkInvariants();
        assertThat(client.isReached(mlid) && other.isReached(mlid)).isTrue();
        assertThat(text("member")).hasSize(2);
    }

    private List<String> text(String kind) {
        return store.text.lines().filter(line -> line.startsWith(kind)).toList();
    }

    /** Registers a service just before the end of a master, and asserts that it is kept. */
    private void assertIsKept(Consumer<One> end) {
        subnet.store = store;
        Client client = new Client(CLIENT);
        One a = alone();
        subnet.subnet.loop().runFor(5 * SECOND);
        client.serve(a);
        assertThat(text("service")).isEmpty();
        end.accept(a);
        assertThat(text("service")).hasSize(1);
        assertThat(store.waits).as("until it is written").isPositive();
    }

    /** As clients were told that it is registered. */
    @Test
    void whatHasJustChangedIsKeptWhenTheMasterEnds() {
        assertIsKept(a -> {
            subnet.subnet.loop().execute(a.master::stop);
            subnet.subnet.loop().runFor(SECOND);
        });
    }

    @Test
    void whatHasJustChangedIsKeptWhenThePortFails() {
        assertIsKept(a -> {
            ErrnoException gone = new ErrnoException(Errno.ENODEV, "gone");
            assertThatThrownBy(() -> a.port.fail(gone))
                    .as("the listener is told")
                    .isSameAs(gone);
            a.isDead = true;
        });
    }

    @Test
    void whatHasJustChangedIsKeptBeforeAStandbyTakesOver() {
        subnet.store = store;
        Client client = new Client(CLIENT);
        One a = begun(client, new Client(OTHER));
        One b = subnet.all.get(1);
        assertThat(text("service")).hasSize(1);
        client.unserve(a);
        assertThat(text("service")).hasSize(1);
        subnet.subnet.loop().execute(() -> a.master.leave(() -> a.isDead = true));
        assertThat(subnet.settle(b)).isTrue();
        assertThat(b.master.administration().counters().services()).isZero();
        assertThat(b.master.administration().counters().memberships()).isEqualTo(2);
    }

    /** Each service that a client was told is registered, until the last moment. */
    @Test
    void whatHasJustChangedIsKeptBeforeAHigherOneTakesOver() {
        subnet.store = store;
        Client client = new Client(CLIENT);
        One a = alone();
        One b = subnet.start(HOST_B, 9);
        int registered = 0;
        while (a.role() == SmRole.MASTER && registered < 64) {
            subnet.subnet.loop().runFor(SECOND / 1000);
            if (a.role() == SmRole.MASTER) {
                client.service(MadMethod.SET, 100 + registered, a);
                registered++;
            }
        }
        assertThat(registered).isBetween(1, 63);
        assertThat(subnet.settle(b)).isTrue();
        assertThat(b.master.administration().counters().services()).isEqualTo(registered);
    }

    @Test
    void whoIsGoneIsForgotten() {
        subnet.store = store;
        Client client = new Client(CLIENT);
        Client other = new Client(OTHER);
        One a = begun(client, other);
        One b = subnet.all.get(1);
        a.kill();
        subnet.subnet.unlink(client.port);
        assertThat(subnet.settle(b)).isTrue();
        SaCounters counters = b.master.administration().counters();
        assertThat(List.of(counters.memberships(), counters.services(), counters.subscriptions()))
                .containsExactly(1, 0, 0);
        b.master.administration().checkInvariants();
    }

    /** All answers about P_Keys of a port are lost in the first sweep: it stays in groups of its partitions. */
    @Test
    void whoseKeysAreNotKnownYetStaysAMember() {
        subnet.store = store;
        Client client = new Client(CLIENT);
        Client other = new Client(OTHER);
        One a = begun(client, other);
        One b = subnet.all.get(1);
        int mlid = client.join(a);
        a.kill();
        int node = fabric.nodeOf(client.port);
        List<Mad> lost = new ArrayList<>();
        subnet.subnet.tamper(node, mad -> {
            if (mad.isAbout(PKeyTable.TYPE)) {
                lost.add(mad);
                return mad.copy().set(Mad.TRANSACTION_ID, 0);
            }
            return mad;
        });
        int sweeps = b.reports.size();
        assertThat(subnet.subnet.loop().runUntil(() -> b.reports.size() > sweeps, PATIENCE))
                .isTrue();
        assertThat(lost).isNotEmpty();
        assertThat(Objects.requireNonNull(subnet.published).pKeys(client.port)).isEmpty();
        assertThat(b.master.administration().counters().memberships()).isEqualTo(2);
        subnet.subnet.tamper(node, null);
        assertThat(subnet.settle(b)).isTrue();
        assertThat(subnet.published.pKeys(client.port)).isNotEmpty();
        assertThat(b.master.administration().counters().memberships()).isEqualTo(2);
        assertThat(client.isReached(mlid) && other.isReached(mlid)).isTrue();
    }

    @Test
    void aStoreThatIsBrokenIsToldAndHindersNothing() {
        subnet.store = store;
        Client client = new Client(CLIENT);
        for (String text : List.of("nonsense", "# railyard subnet administration 1\nmember 1 2\n")) {
            store.text = text;
            One one = alone();
            assertThat(subnet.told.getLast()).contains("is not used: line ");
            one.kill();
            subnet.all.clear();
        }
        store.text = """
            # railyard subnet administration 1
            group ff12%s
            group %s
            member 1 2 3 4
            service 5 00%s
            subscription 1 2 3 44%s
            """.formatted(
                        zeros(McMemberRecord.TYPE.recordSize() - 2),
                        zeros(McMemberRecord.TYPE.recordSize()),
                        zeros(ServiceRecord.TYPE.recordSize() - 1),
                        zeros(InformInfo.TYPE.recordSize() - 1));
        One one = alone();
        one.master.administration().checkInvariants();
        assertThat(subnet.told.getLast()).contains("kept from before");
        assertThat(client.join(one)).isPositive();
    }

    private static String zeros(int bytes) {
        return "00".repeat(bytes);
    }

    /** Each time something changes it fails again; whoever reads the journal needs it once. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatCanNotBeKeptIsToldOnceOfEachKind(boolean isThrown) {
        store.throwsThem = isThrown;
        RuntimeException full = new UncheckedIOException("no space", new IOException());
        store.failures.addAll(List.of(full, new SecurityException(), full));
        subnet.store = store;
        Client client = new Client(CLIENT);
        One one = alone();
        for (int i = 0; i < 4; i++) {
            client.service(MadMethod.SET, i, one);
            subnet.subnet.loop().runFor(5 * SECOND);
        }
        String what = "multicast groups, services, subscriptions and alias GUIDs are ";
        assertThat(subnet.told)
                .containsExactly(
                        what + "not kept: no space", what + "not kept: SecurityException", what + "kept again");
        assertThat(text("service")).hasSize(4);
    }

    @Test
    void whatIsStillBeingWrittenIsToldOnce() {
        List<CompletableFuture<Void>> given = new ArrayList<>();
        subnet.store = new InMemory() {
            @Override
            public CompletableFuture<Void> save(String text) {
                given.add(new CompletableFuture<>());
                return given.getLast();
            }
        };
        Client client = new Client(CLIENT);
        One one = alone();
        for (int i = 0; i < 4; i++) {
            client.service(MadMethod.SET, i, one);
            subnet.subnet.loop().runFor(5 * SECOND);
            if (given.size() == 2) {
                // That may be chance.
                assertThat(subnet.told).isEmpty();
            }
        }
        assertThat(given).hasSizeGreaterThan(2);
        assertThat(subnet.told).singleElement().asString().contains("still being written");
        given.getFirst().cancel(false);
        given.getLast().complete(null);
        assertThat(subnet.told).hasSize(2).last().asString().endsWith("kept again");
    }
}

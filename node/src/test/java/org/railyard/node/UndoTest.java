package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.Device;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.LnetOperation;
import org.railyard.control.NetOperation;
import org.railyard.control.PeerOperation;
import org.railyard.control.node.NodeDlc;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SourcePorts;

/** What a change takes along comes back when the change is taken back. */
final class UndoTest {
    private static final String NODE = """
        net:
          - net type: tcp
            local NI(s):
              - nid: 127.0.0.77@tcp
          - net type: tcp1
            local NI(s):
              - nid: 127.0.0.77@tcp1
        global: {discovery: 0}
        """;

    private static final String MORE = "net: [{net type: tcp2, local NI(s): [{nid: 127.0.0.76@tcp2}]}]\n";
    private static final String ITS_PEER = "peer: [{primary nid: 127.0.0.79@tcp2}]\n";

    private final Machine machine = new Machine();
    private final NodeDlc dlc = new NodeDlc(machine);

    /** A machine whose clock stands still. */
    private static final class Machine extends BareMachine {
        private final Map<Integer, Runnable> later = new LinkedHashMap<>();
        private final int port;

        Machine() {
            try (ServerSocket free = new ServerSocket(0)) {
                port = free.getLocalPort();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public LNetConfig.Builder lnet() {
            SockLndConfig config = SockLndConfig.builder()
                    .acceptPort(port)
                    .accept(AcceptPolicy.ALL)
                    .sourcePorts(SourcePorts.ANY)
                    .linkMonitor((device, address) -> DeviceLinkState.UP)
                    .build();
            return LNetConfig.builder().lnd(new SockLndProvider(config));
        }

        @Override
        public List<Device> devices() {
            return List.of(new Device("lo", true, true, List.of(InetAddress.ofLiteral("127.0.0.1"))));
        }

        @Override
        public Runnable callAfter(int seconds, Runnable task) {
            later.put(seconds, task);
            return () -> later.remove(seconds);
        }
    }

    @BeforeEach
    void start() {
        dlc.execute(new LnetOperation.Configure(false, false));
        add(NODE);
    }

    @AfterEach
    void stop() {
        dlc.close();
    }

    private void add(String text) {
        dlc.execute(new ConfigOperation.Import(text, "node.yaml", "add", false, null));
    }

    private Map<String, Object> backup() {
        return dlc.execute(new ConfigOperation.Export(true));
    }

    private void undo() {
        dlc.execute(new ConfigOperation.Undo());
    }

    private void deleteNet(String net) {
        dlc.execute(new NetOperation.Delete(net, List.of(), List.of()));
    }

    @Test
    void withANetItsRoutesAndConfiguredPeersComeBack() {
        deleteNet("tcp1");
        add("""
            route:
              - {net: o2ib9, gateway: 127.0.0.78@tcp, hop: 2, priority: 3}
              - {net: o2ib8, gateway: 127.0.0.80@tcp}
            peer:
              - {primary nid: 127.0.0.79@tcp, Multi-Rail: true, peer ni: [{nid: 127.0.0.80@tcp}]}
              - {primary nid: 127.0.0.81@tcp, Multi-Rail: false}
              - {primary nid: 127.0.0.82@tcp, Multi-Rail: true, lock_prim: true}
            """);
        Map<String, Object> before = backup();
        deleteNet("tcp");
        assertThat(backup()).doesNotContainKeys("net", "route", "peer");
        undo();
        assertThat(backup()).isEqualTo(before);
    }

    /** Peers call a node by its first NID. */
    @Test
    void anNiComesBackToItsPlace() {
        add("net: [{net type: tcp, local NI(s): [{nid: 127.0.0.76@tcp}, {nid: 127.0.0.75@tcp}]}]\n");
        add(MORE);
        Map<String, Object> before = backup();
        for (String net : List.of("tcp", "tcp1", "tcp2")) {
            deleteNet(net);
            undo();
            assertThat(backup()).isEqualTo(before);
        }
        for (int last : new int[] {75, 76, 77}) {
            dlc.execute(new NetOperation.Delete(null, List.of(), List.of("127.0.0." + last + "@tcp")));
            undo();
            assertThat(backup()).isEqualTo(before);
        }
    }

    @Test
    void aLimitThatIsLeftToLNetStaysThat() {
        dlc.execute(new NetOperation.Set("tcp", null, false, null, null, 0, null));
        deleteNet("tcp1");
        Map<String, Object> before = backup();
        assertThat(before.get("net")).asString().contains(", timeout=0,");
        assertThat(dlc.execute(new NetOperation.Show("tcp", 2)).toString())
                .as("what counts for all but messages")
                .contains(", timeout=50,");
        dlc.execute(new NetOperation.Set("tcp", null, false, null, 3, null, null));
        undo();
        assertThat(backup()).isEqualTo(before);
        deleteNet("tcp");
        undo();
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void aPeerThatWasReachedAllTheSameIsCalledAsBeforeAlsoIfItIsAGateway() {
        add("""
            peer:
              - {primary nid: 127.0.0.79@tcp, Multi-Rail: true, peer ni: [{nid: 127.0.0.79@tcp1}]}
            route:
              - {net: o2ib9, gateway: 127.0.0.79@tcp1, hop: 2, priority: 3}
            """);
        Map<String, Object> before = backup();
        deleteNet("tcp");
        assertThat(backup().toString()).contains("primary nid=127.0.0.79@tcp1");
        assertThat(backup().get("route")).isEqualTo(before.get("route"));
        undo();
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void aChangeThatCanNotBeKeptLosesNothingEither() {
        add("""
            route: [{net: o2ib9, gateway: 127.0.0.78@tcp}]
            peer: [{primary nid: 127.0.0.79@tcp}]
            """);
        deleteNet("tcp1");
        Map<String, Object> before = backup();
        dlc.onChange(_ -> {
            throw new ErrnoException(Errno.ENOSPC, "no room");
        });
        assertThat(catchThrowable(() -> deleteNet("tcp"))).hasMessageContaining("the change was taken back");
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void anNiThatIsTakenBackLeavesThePeersThatWereConfiguredBeforeIt() {
        add(ITS_PEER);
        Map<String, Object> before = backup();
        add(MORE);
        undo();
        assertThat(backup()).isEqualTo(before);
        assertThat(catchThrowable(() -> add(MORE.strip() + "\n" + "route: [{net: o2ib9, gateway: 127.0.0.78@tcp3}]\n")))
                .hasMessageContaining("127.0.0.78@tcp3");
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void aPeerThatTookTheGatewayOfARouteIsTakenBackWithoutTheRoute() {
        add("route: [{net: o2ib9, gateway: 127.0.0.78@tcp, hop: 2, priority: 3}]");
        Map<String, Object> before = backup();
        add("peer: [{primary nid: 127.0.0.79@tcp, peer ni: [{nid: 127.0.0.78@tcp}]}]");
        assertThat(backup().get("peer")).asString().contains("127.0.0.79@tcp");
        undo();
        assertThat(backup()).isEqualTo(before);
    }

    /** The network may have told of the NID as one of a peer with another name, which goes when it is configured. */
    @Test
    void aPeerThatWasKnownByAnotherNameIsTakenBackToo() {
        add("peer: [{primary nid: 127.0.0.79@tcp, peer ni: [{nid: 127.0.0.80@tcp}]}]");
        dlc.execute(new PeerOperation.Set("127.0.0.79@tcp", false, null, PeerState.MULTI_RAIL));
        Map<String, Object> before = dlc.kept();
        assertThat(before).doesNotContainKey("peer");
        add("peer: [{primary nid: 127.0.0.80@tcp}]");
        undo();
        assertThat(dlc.kept()).isEqualTo(before);
    }

    @Test
    void theStateOfAPeerComesBackWithoutWhatWasUnderWay() throws IOException {
        String gateway = "127.0.0.78@tcp";
        // It takes connections and says nothing, so that the check of the gateway goes on.
        try (ServerSocket silent = new ServerSocket(machine.port, 0, InetAddress.getByName("127.0.0.78"))) {
            silent.setSoTimeout(10_000);
            add("route: [{net: o2ib9, gateway: 127.0.0.78@tcp, hop: 1}]");
            try (Socket _ = silent.accept()) {
                assertThat(state(gateway) & ~PeerState.LASTING).isNotZero();
                dlc.execute(new PeerOperation.Set(gateway, false, null, PeerState.CONFIGURED));
                undo();
                assertThat(state(gateway) & PeerState.CONFIGURED).isZero();
            }
        }
    }

    private int state(String nid) {
        return Objects.requireNonNull(dlc.lnet())
                .inventory()
                .peer(Nid.parse(nid))
                .orElseThrow()
                .state();
    }

    private void delete(String text, int seconds) {
        dlc.execute(new ConfigOperation.Import(text, "node.yaml", "del", false, seconds));
    }

    @Test
    void whatADeletionDidThatWasRefusedInPartWaitsToBeConfirmed() {
        add("peer: [{primary nid: 127.0.0.79@tcp1}]");
        Map<String, Object> before = backup();
        String some = "peer: [{primary nid: 127.0.0.79@tcp1}, {primary nid: 127.0.0.80@tcp1}]";
        assertThat(catchThrowable(() -> delete(some, 60))).hasMessageContaining("there is no peer with the NID 127.0");
        assertThat(backup()).doesNotContainKey("peer");
        Objects.requireNonNull(machine.later.get(60)).run();
        assertThat(backup()).isEqualTo(before);

        assertThat(catchThrowable(() -> delete(some, 60))).isNotNull();
        dlc.execute(new ConfigOperation.Confirm());
        assertThat(backup()).doesNotContainKey("peer");
        assertThat(machine.later).isEmpty();

        assertThat(catchThrowable(() -> delete(some, 60))).isNotNull();
        assertThat(machine.later).as("nothing was done, and nothing waits").isEmpty();
        undo();
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void noTimeToConfirmIsRefusedBeforeAnythingIsDone() {
        Map<String, Object> before = backup();
        assertThat(catchThrowable(() -> delete("net: [{net type: tcp, local NI(s): [{nid: 127.0.0.77@tcp}]}]", 0)))
                .hasMessageContaining("expected 1 or more");
        assertThat(backup()).as("also in the order of its NIs").isEqualTo(before);
    }

    /** Undoes the removal of the NI while another program has its address. */
    private void undoInPart() throws IOException {
        try (ServerSocket other = new ServerSocket(machine.port, 1, InetAddress.ofLiteral("127.0.0.76"))) {
            assertThat(other.isBound()).isTrue();
            assertThatThrownBy(this::undo)
                    .isInstanceOfSatisfying(
                            DlcException.class,
                            e -> assertThat(e.failure().errno()).isEqualTo(Errno.EIO.status()))
                    .hasMessageContainingAll("could not be taken back as a whole", "the log of lnetd");
        }
        assertThat(backup().toString()).contains("127.0.0.79@tcp2").doesNotContain("127.0.0.76@tcp2");
    }

    @Test
    void anUndoThatFailsInPartSaysSoAndItsRestIsKept() throws IOException {
        add(MORE + ITS_PEER);
        List<Map<String, Object>> kept = new ArrayList<>();
        dlc.onChange(changed -> kept.add(changed.kept()));
        deleteNet("tcp2");
        undoInPart();
        assertThat(kept).hasSize(2).last().isEqualTo(backup());
    }

    @Test
    void anUndoOfWhatWaitsThatFailsInPartSaysSoToo() throws IOException {
        add(MORE + ITS_PEER);
        delete(MORE, 60);
        undoInPart();
        assertThat(machine.later).as("nothing waits any more").isEmpty();
    }
}

package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.Requirement;

/** What a node does to get connections as the one that dials. */
class DialTest extends ScriptedPeerCase {
    private void advanceUntilDialled(Node node) {
        Await.until("the next attempt", () -> {
            host.advance(VirtualHost.SECOND / 2);
            return node.lnd.stats().handshakesOpen() > 0;
        });
    }

    @Test
    void sendsRequestHelloAndQueuedMessagesInOrder() throws Exception {
        try (Node node = node(builder -> builder.set(SockTunable.CONNS_PER_PEER, 2))) {
            TestMessage first = put(node, 5000);
            try (RawPeer control = RawPeer.accept(server)) {
                Hello hello = greeted(control);
                assertThat(hello.version()).isEqualTo(ProtocolVersion.V3);
                assertThat(hello.srcNid()).isEqualTo(OWN);
                assertThat(hello.dstNid()).isEqualTo(HIGH);
                assertThat(hello.srcPid()).isEqualTo(ProcessId.LUSTRE_PID);
                assertThat(hello.dstPid()).isZero();
                assertThat(hello.type()).isEqualTo(ConnectionType.CONTROL);
                assertThat(hello.srcIncarnation()).isEqualTo(host.clock().wallNanos());
                assertThat(node.stack.completions).isEmpty();
                answer(control, hello, ConnectionType.CONTROL);
                // The queued message leaves at once, on the connection that is there.
                assertThat(control.read(96 + 5000))
                        .startsWith("c1000000")
                        .contains("0905007f00000200" + "0505007f00000200");
                assertThat(node.stack.awaitCompletion(first).status()).isZero();
                try (RawPeer in = acceptAs(ConnectionType.BULK_IN);
                        RawPeer out = acceptAs(ConnectionType.BULK_OUT);
                        RawPeer in2 = acceptAs(ConnectionType.BULK_IN);
                        RawPeer out2 = acceptAs(ConnectionType.BULK_OUT)) {
                    Await.until("five", () -> node.lnd.stats().connectionsOpen() == 5);
                    put(node, 5000);
                    put(node, 5000);
                    assertThat(out.read(4)).isEqualTo("c1000000");
                    assertThat(out2.read(4)).as("equals take turns").isEqualTo("c1000000");
                    // An end of one connection closes all of them.
                    in.hangUp();
                    assertThat(control.readToEnd()).isEmpty();
                    assertThat(in2.readToEnd()).isEmpty();
                }
                Await.until("all closed", () -> node.lnd.stats().connectionsOpen() == 0);
                Await.until("death", () -> !node.stack.deaths.isEmpty());
                assertThat(node.stack.deaths).containsExactly(HIGH);
            }
        }
    }

    @Test
    void refusedConnectionThenBackOff() throws Exception {
        server.close();
        try (Node node = node(builder -> builder)) {
            TestMessage first = put(node, 10);
            assertThat(node.stack.awaitCompletion(first))
                    .isEqualTo(new RecordingStack.Completion(
                            first, Errno.ECONNREFUSED.status(), HealthStatus.REMOTE_DROPPED));
            Await.until("death", () -> !node.stack.deaths.isEmpty());
            assertThat(node.stack.deaths).containsExactly(HIGH);
            TestMessage inBackOff = put(node, 10);
            assertThat(node.stack.awaitCompletion(inBackOff))
                    .isEqualTo(new RecordingStack.Completion(
                            inBackOff, Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_DROPPED));
            host.advance(VirtualHost.SECOND);
            TestMessage second = put(node, 10);
            assertThat(node.stack.awaitCompletion(second).health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
            host.advance(VirtualHost.SECOND);
            TestMessage stillBackOff = put(node, 10);
            assertThat(node.stack.awaitCompletion(stillBackOff).health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
            host.advance(VirtualHost.SECOND);
            TestMessage third = put(node, 10);
            assertThat(node.stack.awaitCompletion(third).health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
            assertThat(node.lnd.stats().dialsFailed()).isEqualTo(3);
        }
    }

    private static PeerConnections only(Node node) {
        List<PeerConnections> all = node.lnd.connections(node.ni);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @Test
    void tellsOfItsConnections() throws Exception {
        try (Node node = node(builder -> builder)) {
            assertThat(node.lnd.connections(node.ni)).isEmpty();
            put(node, 10);
            try (RawPeer control = RawPeer.accept(server)) {
                Hello hello = greeted(control);
                PeerConnections dialling = only(node);
                assertThat(dialling.peer()).isEqualTo(HIGH);
                assertThat(dialling.state()).isEqualTo(PeerConnections.State.CONNECTING);
                assertThat(dialling.waiting()).isEqualTo(1);
                host.advance(3 * VirtualHost.SECOND);
                answer(control, hello, ConnectionType.CONTROL);
                try (RawPeer in = acceptAs(ConnectionType.BULK_IN);
                        RawPeer out = acceptAs(ConnectionType.BULK_OUT)) {
                    Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
                    assertThat(node.stack.connected)
                            .as("told once, of the first")
                            .containsExactly(HIGH);
                    host.advance(5 * VirtualHost.SECOND);
                    PeerConnections well = only(node);
                    assertThat(well.state()).isEqualTo(PeerConnections.State.CONNECTED);
                    assertThat(well.open().toString()).isEqualTo("{control=1, bulk in=1, bulk out=1}");
                    assertThat(well.stateNanos()).isEqualTo(5 * VirtualHost.SECOND);
                    assertThat(well.aliveNanos()).isEqualTo(5 * VirtualHost.SECOND);
                    assertThat(well.waiting()).isZero();
                    assertThat(well.failure()).isNull();
                    server.close();
                    out.hangUp();
                    Await.until("all closed", () -> node.lnd.stats().connectionsOpen() == 0);
                    PeerConnections broken = only(node);
                    assertThat(broken.state()).isEqualTo(PeerConnections.State.NONE);
                    assertThat(broken.failure()).isNotNull();
                    assertThat(broken.stateNanos()).isZero();
                    assertThat(in.readToEnd()).isEmpty();
                }
            }
            node.stack.awaitCompletion(put(node, 10));
            host.advance(VirtualHost.SECOND / 2);
            PeerConnections failed = only(node);
            assertThat(failed.state()).isEqualTo(PeerConnections.State.FAILED);
            assertThat(failed.failure()).isEqualTo(Errno.ECONNREFUSED);
            assertThat(failed.retryNanos()).isEqualTo(VirtualHost.SECOND / 2);
            assertThat(failed.stateNanos()).isEqualTo(VirtualHost.SECOND / 2);
            // It calls in its turn: what failed before is of no interest any more.
            try (ServerSocket back = new ServerSocket(0, 50, InterfaceTable.addressOf(HIGH));
                    RawPeer caller = RawPeer.connect("127.0.5.9", OWN.toString(), node.port())) {
                ports.set(HIGH, back.getLocalPort());
                caller.control(OWN.toString(), HIGH.toString(), 1);
                Await.until("connected", () -> node.lnd.stats().connectionsOpen() == 1);
                try (RawPeer rest = RawPeer.accept(back)) {
                    assertThat(greeted(rest).type()).isEqualTo(ConnectionType.BULK_IN);
                    assertThat(only(node).state()).isEqualTo(PeerConnections.State.CONNECTED);
                    assertThat(only(node).failure()).isNull();
                }
            }
        }
    }

    @Test
    void connectionsThatCanNotAllBeMadeAreIncomplete() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(106)).startsWith("c1");
                node.stack.awaitCompletion(message);
                try (RawPeer in = RawPeer.accept(server)) {
                    greeted(in);
                    server.close();
                    in.hangUp();
                }
                Await.until("failed", () -> only(node).state() == PeerConnections.State.INCOMPLETE);
                assertThat(only(node).open()).containsEntry("control", 1).containsEntry("bulk in", 0);
                assertThat(only(node).failure()).isNotNull();
            }
        }
    }

    @Test
    @Requirement("rsl-144")
    void noHelloInTime() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = put(node, 10);
            try (RawPeer silent = RawPeer.accept(server)) {
                greeted(silent);
                host.advance(49 * VirtualHost.SECOND);
                assertThat(node.stack.completions).isEmpty();
                host.advance(2 * VirtualHost.SECOND);
                assertThat(node.stack.awaitCompletion(message))
                        .isEqualTo(new RecordingStack.Completion(
                                message, Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT));
                assertThat(silent.readToEnd()).isEmpty();
            }
        }
    }

    @Test
    void messageWithALimitOfItsOwnDoesNotWaitLonger() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = TestMessage.put(OWN, HIGH, 10, 1);
            message.setTimeoutNanos(3 * VirtualHost.SECOND);
            assertThat(node.lnd.send(node.ni, message)).isZero();
            try (RawPeer silent = RawPeer.accept(server)) {
                greeted(silent);
                host.advance(3 * VirtualHost.SECOND);
                assertThat(node.stack.awaitCompletion(message).health()).isEqualTo(HealthStatus.LOCAL_TIMEOUT);
                assertThat(node.lnd.stats().handshakesOpen()).isEqualTo(1);
            }
        }
    }

    @Test
    void lostRaceIsTriedAgainAfterASecond() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = put(node, 10);
            try (RawPeer refusing = RawPeer.accept(server)) {
                answer(refusing, greeted(refusing), ConnectionType.NONE);
                assertThat(refusing.readToEnd()).isEmpty();
            }
            Await.until("handshake over", () -> node.lnd.stats().handshakesOpen() == 0);
            assertThat(node.stack.completions).isEmpty();
            advanceUntilDialled(node);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(96)).startsWith("c1");
                assertThat(node.stack.awaitCompletion(message).status()).isZero();
            }
        }
    }

    @Test
    void threeRefusalsFailWhileATypeIsMissing() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = put(node, 10);
            for (int i = 0; i < 3; i++) {
                try (RawPeer refusing = RawPeer.accept(server)) {
                    answer(refusing, greeted(refusing), ConnectionType.NONE);
                    assertThat(refusing.readToEnd()).isEmpty();
                }
                Await.until("handshake over", () -> node.lnd.stats().handshakesOpen() == 0);
                if (i < 2) {
                    advanceUntilDialled(node);
                }
            }
            assertThat(node.stack.awaitCompletion(message).health()).isEqualTo(HealthStatus.REMOTE_ERROR);
        }
    }

    @Test
    void identityTypeAndVersionOfTheAnswerAreChecked() throws Exception {
        try (Node node = node(builder -> builder)) {
            String[] answers = {
                "63697245030000000805007f000002000505007f000002003930000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0100000000000000",
                "63697245030000000905007f000002000505007f000002003830000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0100000000000000",
                "63697245030000000905007f000002000505007f000002003930000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0200000000000000",
                "6369724503000000ffffffffffffffff0505007f000002003930000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0100000000000000",
                "63697245090000000905007f000002000505007f000002003930000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0100000000000000",
                "deadbeef",
                "485454502f312e3120343030204261642052657175657374"
            };
            for (String bytes : answers) {
                TestMessage message = put(node, 10);
                try (RawPeer peer = RawPeer.accept(server)) {
                    greeted(peer);
                    peer.send(bytes);
                    assertThat(node.stack.awaitCompletion(message))
                            .isEqualTo(new RecordingStack.Completion(
                                    message, Errno.EPROTO.status(), HealthStatus.REMOTE_ERROR));
                    assertThat(peer.readToEnd()).isEmpty();
                }
                host.advance(60 * VirtualHost.SECOND);
            }
            assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_ANSWER)).isEqualTo(answers.length);
        }
    }

    @Test
    void otherVersionIsTakenUpAtOnce() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (RawPeer refusing = RawPeer.accept(server)) {
                greeted(refusing);
                refusing.send(RawPeer.segment(
                        Hello.of(ProtocolVersion.V2, HIGH, HIGH, ProcessId.LUSTRE_PID, 0, 77, 0, ConnectionType.NONE)));
                try (RawPeer control = RawPeer.accept(server)) {
                    Hello again = greeted(control);
                    assertThat(again.version()).isEqualTo(ProtocolVersion.V2);
                    answer(control, again, ConnectionType.CONTROL);
                    assertThat(control.read(96)).startsWith("c1");
                }
            }
        }
    }

    @Test
    void aVersionThatCanNotBeSpokenIsNotTakenUp() throws Exception {
        try (Node node = node(builder -> builder.protocol(ProtocolVersion.V2))) {
            for (int i = 0; i < 2; i++) {
                TestMessage message = put(node, 10);
                try (RawPeer refusing = RawPeer.accept(server)) {
                    assertThat(greeted(refusing).version()).isEqualTo(ProtocolVersion.V2);
                    refusing.send(RawPeer.segment(Hello.of(
                            ProtocolVersion.V3, HIGH, OWN, ProcessId.LUSTRE_PID, 0, 77, 0, ConnectionType.NONE)));
                    assertThat(node.stack.awaitCompletion(message))
                            .isEqualTo(new RecordingStack.Completion(
                                    message, Errno.EPROTO.status(), HealthStatus.REMOTE_ERROR));
                }
                host.advance(60 * VirtualHost.SECOND);
            }
            assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_ANSWER)).isEqualTo(2);
        }
    }

    /** Two peers that disagree about the version for ever do not call each other for ever. */
    @Test
    void aPeerThatWantsYetAnotherVersionEachTimeIsGivenUp() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = put(node, 10);
            ProtocolVersion[] wanted = {ProtocolVersion.V2, ProtocolVersion.V3};
            for (int call = 0; call < 5; call++) {
                try (RawPeer refusing = RawPeer.accept(server)) {
                    assertThat(greeted(refusing).version()).isEqualTo(wanted[(call + 1) % 2]);
                    refusing.send(RawPeer.segment(Hello.of(
                            wanted[call % 2], HIGH, HIGH, ProcessId.LUSTRE_PID, 0, 77, 0, ConnectionType.NONE)));
                    assertThat(refusing.readToEnd()).isEmpty();
                }
            }
            assertThat(node.stack.awaitCompletion(message))
                    .isEqualTo(
                            new RecordingStack.Completion(message, Errno.EPROTO.status(), HealthStatus.REMOTE_ERROR));
            assertThat(node.lnd.stats().handshakesOpen()).isZero();
            TestMessage later = put(node, 10);
            assertThat(node.stack.awaitCompletion(later).status())
                    .as("the next call has to wait")
                    .isEqualTo(Errno.EHOSTUNREACH.status());
        }
    }

    /** Old nodes list addresses of theirs, which are of no use. */
    @Test
    void addressesInTheAnswerArePassedOver() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (RawPeer peer = RawPeer.accept(server)) {
                greeted(peer);
                peer.send("63697245030000000905007f000002000505007f000002003930000000000000" + "01".repeat(8)
                        + "00".repeat(8) + "0100000002000000" + "0905007f");
                peer.send("0a05007f");
                assertThat(peer.read(106)).startsWith("c1");
            }
        }
    }

    @Test
    void bulkConnectionsGoToTheirOwnPort() throws Exception {
        try (ServerSocket bulk = new ServerSocket(0, 50, InterfaceTable.addressOf(HIGH))) {
            SockLndConfig config = SockLndConfig.builder()
                    .acceptPort(server.getLocalPort())
                    .set(SockTunable.ACCEPT_PORT_BULK, bulk.getLocalPort())
                    .accept(AcceptPolicy.ALL)
                    .sourcePorts(SourcePorts.ANY)
                    .build();
            NiRequest request = NiRequest.ofNid(OWN);
            try (SockLnd lnd = new SockLnd(config, new RecordingStack(), host)) {
                LndNi ni =
                        new TestNi(OWN, OWN.net(), lnd.resolve(request).interfaceName(), request.tunables(), Map.of());
                lnd.startup(ni);
                assertThat(lnd.send(ni, TestMessage.put(OWN, HIGH, 10))).isZero();
                try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                        RawPeer in = RawPeer.accept(bulk)) {
                    assertThat(control.read(106)).startsWith("c1");
                    assertThat(greeted(in).type()).isEqualTo(ConnectionType.BULK_IN);
                }
                // And it listens at both.
                for (int port : new int[] {server.getLocalPort(), bulk.getLocalPort()}) {
                    try (RawPeer caller = RawPeer.connect("127.0.5.7", OWN.toString(), port)) {
                        caller.control(OWN.toString(), "127.0.5.7@tcp", 5);
                    }
                }
            }
        }
    }

    @Test
    void restartedPeerLosesItsOldConnections() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                    RawPeer in = RawPeer.accept(server)) {
                Hello hello = greeted(in);
                in.send(RawPeer.segment(
                        Hello.of(hello.version(), HIGH, OWN, ProcessId.LUSTRE_PID, 0, 78, 0, ConnectionType.BULK_OUT)));
                assertThat(control.read(106)).hasSize(212);
                assertThat(control.readToEnd()).isEmpty();
                assertThat(in.readToEnd()).isEmpty();
                // And it begins anew at once.
                try (RawPeer next = acceptAs(ConnectionType.CONTROL)) {
                    assertThat(next.localPort()).isPositive();
                }
            }
        }
    }

    @Test
    void afterARestartThePeerMaySpeakANewerVersion() throws Exception {
        try (Node node = node(builder -> builder);
                RawPeer before = RawPeer.connect("127.0.5.9", OWN.toString(), node.port());
                RawPeer after = RawPeer.connect("127.0.5.9", OWN.toString(), node.port())) {
            assertThat(before.hello(ProtocolVersion.V2, OWN.toString(), HIGH.toString(), 1, 1))
                    .isEqualTo(1);
            assertThat(after.hello(ProtocolVersion.V2, OWN.toString(), HIGH.toString(), 2, 1))
                    .isEqualTo(-1);
            assertThat(before.readToEnd()).isEmpty();
            put(node, 10);
            try (RawPeer called = RawPeer.accept(server)) {
                assertThat(greeted(called).version()).isEqualTo(ProtocolVersion.V3);
            }
        }
    }

    /** Calls to others that do not answer may take all there is for a long time. */
    @Test
    void aCallThatWaitsForItsTurnIsNoRace() throws Exception {
        try (ServerSocket low = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.1"));
                Node node = node(builder -> builder.set(SockTunable.NCONNDS_MAX, 1))) {
            ports.set(LOW, low.getLocalPort());
            put(node, 10);
            try (RawPeer silent = RawPeer.accept(server)) {
                greeted(silent);
                TestMessage toLow = TestMessage.put(OWN, LOW, 10, 1);
                assertThat(node.lnd.send(node.ni, toLow)).isZero();
                try (RawPeer calls = RawPeer.connect("127.0.5.1", OWN.toString(), node.port())) {
                    assertThat(calls.hello(OWN.toString(), LOW.toString(), 5, 1))
                            .isEqualTo(1);
                    assertThat(node.lnd.stats().refused(HandshakeRefusal.RACE)).isZero();
                    assertThat(calls.read(106)).startsWith("c1");
                    assertThat(node.stack.awaitCompletion(toLow).status()).isZero();
                    // Its turn: what there is is not made once more.
                    silent.hangUp();
                    try (RawPeer rest = RawPeer.accept(low)) {
                        assertThat(rest.readBytes(16)).hasSize(16);
                        assertThat(Hello.read(MemorySegment.ofArray(rest.readBytes(56)), 0)
                                        .type())
                                .isEqualTo(ConnectionType.BULK_IN);
                    }
                }
            }
        }
    }

    @Test
    void whatWaitedForItsTurnTooLongWasNotThePeersFault() throws Exception {
        Nid second = Nid.parse("127.0.5.8@tcp");
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.8"));
                ServerSocket low = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.1"));
                Node node = node(builder -> builder.set(SockTunable.NCONNDS_MAX, 1))) {
            ports.set(second, other.getLocalPort());
            ports.set(LOW, low.getLocalPort());
            put(node, 10);
            try (RawPeer silent = RawPeer.accept(server)) {
                greeted(silent);
                TestMessage patient = TestMessage.put(OWN, second, 10, 1);
                patient.setTimeoutNanos(100 * VirtualHost.SECOND);
                assertThat(node.lnd.send(node.ni, patient)).isZero();
                TestMessage toLow = TestMessage.put(OWN, LOW, 10, 1);
                assertThat(node.lnd.send(node.ni, toLow)).isZero();
                Await.until("the end of its time", () -> {
                    host.advance(VirtualHost.SECOND);
                    return node.stack.completionOf(toLow) != null;
                });
                assertThat(node.stack.awaitCompletion(toLow).health()).isEqualTo(HealthStatus.LOCAL_TIMEOUT);
            }
            try (RawPeer silent = RawPeer.accept(other)) {
                assertThat(silent.read(16)).startsWith("0071ceac");
            }
            // The call ends with the connection; the next turn is that of a peer that nobody waits for.
            Await.until("its turn", () -> node.lnd.stats().handshakesOpen() == 0);
            low.setSoTimeout(100);
            assertThatThrownBy(low::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    /** Whoever asks in the name of nodes that do not answer keeps no other from being called. */
    @Test
    void answersLeaveCallsForOthers() throws Exception {
        Nid[] nobody = new Nid[4];
        List<ServerSocket> silent = new ArrayList<>();
        try (ServerSocket low = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.1"));
                Node node = node(builder -> builder.set(SockTunable.NCONNDS_MAX, 4))) {
            ports.set(LOW, low.getLocalPort());
            for (int i = 0; i < nobody.length; i++) {
                String address = "127.0.5." + (10 + i);
                nobody[i] = Nid.parse(address + "@tcp");
                silent.add(new ServerSocket(0, 50, InetAddress.ofLiteral(address)));
                ports.set(nobody[i], silent.getLast().getLocalPort());
                assertThat(node.lnd.send(node.ni, reply(nobody[i]))).isZero();
            }
            put(node, 10);
            try (RawPeer called = acceptAs(ConnectionType.CONTROL)) {
                assertThat(called.read(106)).startsWith("c1");
            }
            // One of them turns out to be somebody that this node has something to ask of.
            assertThat(node.lnd.send(node.ni, TestMessage.put(OWN, nobody[3], 10)))
                    .isZero();
            try (RawPeer called = RawPeer.accept(silent.get(3))) {
                assertThat(called.read(16)).startsWith("0071ceac");
            }
            // Those whose calls end make room for those that wait.
            RawPeer.accept(silent.get(0)).hangUp();
            RawPeer.accept(silent.get(1)).hangUp();
            try (RawPeer called = RawPeer.accept(silent.get(2))) {
                assertThat(called.read(16)).startsWith("0071ceac");
            }
        } finally {
            for (ServerSocket each : silent) {
                each.close();
            }
        }
    }

    private static TestMessage reply(Nid to) {
        LNetHeader header = new LNetHeader();
        header.setReply(0, 1, 1);
        header.setRoute(to, ProcessId.LUSTRE_PID, OWN, ProcessId.LUSTRE_PID);
        return TestMessage.of(header, to, 0, 0);
    }

    @Test
    void raceIsWonByTheHigherNid() throws Exception {
        try (ServerSocket low = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.1"));
                Node node = node(builder -> builder)) {
            ports.set(LOW, low.getLocalPort());
            put(node, 10);
            TestMessage toLow = TestMessage.put(OWN, LOW, 10, 1);
            assertThat(node.lnd.send(node.ni, toLow)).isZero();
            try (RawPeer highSilent = RawPeer.accept(server);
                    RawPeer lowSilent = RawPeer.accept(low);
                    RawPeer highCalls = RawPeer.connect("127.0.5.9", OWN.toString(), node.port());
                    RawPeer lowCalls = RawPeer.connect("127.0.5.1", OWN.toString(), node.port())) {
                greeted(highSilent);
                assertThat(lowSilent.read(16)).startsWith("0071ceac");
                assertThat(lowCalls.hello(OWN.toString(), LOW.toString(), 5, 1)).isEqualTo(-1);
                assertThat(highCalls.hello(OWN.toString(), HIGH.toString(), 5, 1))
                        .isEqualTo(1);
                assertThat(node.lnd.stats().refused(HandshakeRefusal.RACE)).isEqualTo(1);
                // The message that waited for our call takes the connection that came in.
                assertThat(highCalls.read(96)).startsWith("c1");
            }
        }
    }
}

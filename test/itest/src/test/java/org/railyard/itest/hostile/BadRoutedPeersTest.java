package org.railyard.itest.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.itest.kit.Await;
import org.railyard.itest.kit.Loopback;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionType;

/**
 * Bad peers of a router, over real sockets: honest nodes go on through it meanwhile and afterwards, and its buffers
 * come back.
 */
@Isolated
final class BadRoutedPeersTest {
    private static final Nid NEAR = Nid.parse("127.0.11.9@tcp");
    private static final Nid FAR = Nid.parse("127.0.12.9@tcp1");
    private static final Nid HONEST = Nid.parse("127.0.11.1@tcp");
    private static final Nid BAD = Nid.parse("127.0.11.66@tcp");
    private static final Nid SERVER = Nid.parse("127.0.12.1@tcp1");
    private static final Nid SECOND = Nid.parse("127.0.12.2@tcp1");
    private static final int PORTAL = 44;
    private static final int SHARE = 8;

    private final int port = Loopback.freePort();
    private final Arena arena = Arena.ofShared();
    private final Watch watch = new Watch();
    private final LNet router = Loopback.node(
            Loopback.transport(port).set(SockTunable.SOCK_TIMEOUT, 1),
            settings -> settings.with(Tunable.FORWARDING, 1).with(Tunable.LARGE_BUFFERS, 4 * SHARE),
            NEAR.toString(),
            FAR.toString());
    private final LNet honest = node(HONEST, FAR.net(), NEAR);
    private final LNet server = node(SERVER, NEAR.net(), FAR);
    private final LNet second = node(SECOND, NEAR.net(), FAR);

    private LNet node(Nid nid, Net far, Nid gateway) {
        LNet node = Loopback.node(port, nid.toString());
        node.routes().add(far, gateway, 1, 0);
        MemorySegment memory = arena.allocate(Wire.MTU, 64);
        node.attach(
                MeConfig.of(PORTAL, 1),
                MdConfig.of(memory).withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        return node;
    }

    @BeforeEach
    void routesAreUp() {
        for (LNet node : List.of(honest, server, second)) {
            Await.until(
                    () -> "routes of " + node.nids() + ": " + node.routes().list(),
                    () -> node.routes().list().stream().allMatch(RouteInfo::isUp));
        }
        assertServed(SERVER);
        assertServed(SECOND);
    }

    @AfterEach
    void theHonestAreServed() {
        try {
            Await.until(
                    () -> "buffers to come back: " + router.routing().buffers(),
                    () -> router.routing().buffers().stream().allMatch(pool -> pool.credits() == pool.buffers()));
            assertServed(SERVER);
            assertServed(SECOND);
        } finally {
            watch.close();
            List.of(honest, server, second, router).forEach(LNet::close);
            arena.close();
        }
    }

    private void assertServed(Nid target) {
        MemorySegment memory = arena.allocate(Wire.MTU, 64);
        assertThat(Await.value(honest.put(ProcessId.of(target), PORTAL, 1, memory))
                        .mlength())
                .isEqualTo(Wire.MTU);
        assertThat(Await.value(honest.get(ProcessId.of(target), PORTAL, 1, memory))
                        .mlength())
                .isEqualTo(Wire.MTU);
    }

    private RouterBufferInfo large() {
        return router.routing().buffers().get(RouterBufferSize.LARGE.ordinal());
    }

    private Attacker attacker(ConnectionType type) throws IOException, WireFormatException {
        return new Attacker(NEAR, port, BAD).shakeHands(type);
    }

    private static LNetHeader put(Nid target, int length) {
        return put(BAD, target, length);
    }

    private static LNetHeader put(Nid source, Nid target, int length) {
        LNetHeader header = Attacker.header(source, target);
        header.setPut(length, Wire.NO_COOKIE, Wire.NO_COOKIE, PORTAL, 1, 0, 0);
        return header;
    }

    @Test
    void whatCanNotBeRightEndsTheConnection() throws IOException, WireFormatException {
        List<Nid> wrong = List.of(FAR, HONEST, Nid.ANY, Nid.LOOPBACK);
        for (Nid target : wrong) {
            try (Attacker attacker = attacker(ConnectionType.CONTROL)) {
                attacker.send(Attacker.frame(put(target, 0), new byte[0]));
                attacker.awaitClose();
            }
        }
        try (Attacker attacker = attacker(ConnectionType.BULK_OUT)) {
            attacker.send(Attacker.frame(put(SERVER, Wire.MTU + 1), new byte[0]));
            attacker.awaitClose();
        }
        assertThat(router.statistics().get(Statistic.ERRORS)).isGreaterThanOrEqualTo(wrong.size());
    }

    @Test
    void onesThatEndInTheMiddleOfAPayload() throws IOException, WireFormatException {
        for (int i = 0; i < 2 * SHARE; i++) {
            // The end of one connection of a peer is the end of all its connections: each is another one.
            Nid self = Nid.parse("127.0.11." + (100 + i) + "@tcp");
            try (Attacker attacker = new Attacker(NEAR, port, self).shakeHands(ConnectionType.BULK_OUT)) {
                byte[] whole = Attacker.frame(put(self, SERVER, Wire.MTU), new byte[Wire.MTU]);
                attacker.send(Arrays.copyOf(whole, 100_000));
                Await.until(() -> "a buffer in use: " + large(), () -> large().credits() < large().buffers());
            }
            Await.until(() -> "it to come back: " + large(), () -> large().credits() == large().buffers());
        }
    }

    @Test
    void oneThatDoesNotTakeItsAnswers() throws IOException, WireFormatException {
        try (Attacker control = attacker(ConnectionType.CONTROL);
                Attacker unread = attacker(ConnectionType.BULK_IN)) {
            List<byte[]> requests = new ArrayList<>();
            for (int i = 0; i < 5 * SHARE; i++) {
                LNetHeader get = Attacker.header(BAD, SERVER);
                get.setGet(77, i, PORTAL, 1, 0, Wire.MTU);
                requests.add(Attacker.frame(get, new byte[0]));
            }
            for (byte[] request : requests) {
                control.send(request);
            }
            Await.until(() -> "answers to pile up: " + large(), () -> large().credits() <= large().buffers() - SHARE);
            assertThat(large().credits()).as("its server's share").isEqualTo(large().buffers() - SHARE);
            assertServed(SECOND);
            Await.until(() -> "the router to give up: " + large(), () -> large().credits() == large().buffers());
            assertServed(SERVER);
            unread.awaitClose();
        }
    }
}

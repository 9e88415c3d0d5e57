package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.testkit.Requirement;

/** A node with several rails and one that does not understand them, both ways. */
class OldPeersTest {
    private static final int PORTAL = 33;

    private final TestNetwork net = new TestNetwork();
    private final Recorder from = new Recorder();

    @AfterEach
    void close() {
        net.close();
    }

    private static void attach(LNet node, EventHandler handler) {
        node.attach(
                MeConfig.any(PORTAL),
                MdConfig.of(Arena.ofAuto().allocate(64))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(handler));
    }

    private List<String> put(LNet node, String target) {
        net.settle();
        net.takeLog();
        Md md = node.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from));
        node.put(md, true, Nid.ANY, ProcessId.of(Nid.parse(target)), PORTAL, 7, 0, 0);
        net.settle();
        return net.takeLog().stream()
                .filter(p -> switch (p.header().type()) {
                    case PUT -> p.header().portal() == PORTAL;
                    case ACK -> true;
                    default -> false;
                })
                .map(p -> p.header().type() + " " + p.header().srcNid() + " > "
                        + p.header().destNid())
                .toList();
    }

    private LNet rails() {
        return net.node("10.0.0.1@tcp", "10.0.1.1@tcp", "10.1.0.1@tcp1");
    }

    private LNet old() {
        return net.node(
                Settings.of(CompatProfile.DOCUMENTS).with(Tunable.MULTI_RAIL, false), "10.0.0.2@tcp", "10.1.0.2@tcp1");
    }

    @Test
    @Requirement({"mrx-020", "bck-025"})
    void eachNidOfAnOldPeerCanBeSentToAndAnswersTheWayItWasAsked() {
        LNet a = rails();
        attach(old(), event -> {});
        for (int i = 0; i < 3; i++) {
            assertThat(put(a, "10.0.0.2@tcp"))
                    .containsExactly("PUT 10.0.0.1@tcp > 10.0.0.2@tcp", "ACK 10.0.0.2@tcp > 10.0.0.1@tcp");
            assertThat(put(a, "10.1.0.2@tcp1"))
                    .containsExactly("PUT 10.1.0.1@tcp1 > 10.1.0.2@tcp1", "ACK 10.1.0.2@tcp1 > 10.1.0.1@tcp1");
        }
    }

    @Test
    @Requirement({"mrx-021", "bck-025"})
    void anOldPeerIsAnsweredTheWayItAskedOrNotAtAll() {
        LNet a = rails();
        LNet old = old();
        attach(a, event -> {
            if (event.kind() == EventKind.PUT && event.targetNid().equals(Nid.parse("10.0.1.1@tcp"))) {
                net.device("10.0.1.1@tcp", DeviceEvent.FATAL);
            }
        });
        assertThat(put(old, "10.0.0.1@tcp"))
                .containsExactly("PUT 10.0.0.2@tcp > 10.0.0.1@tcp", "ACK 10.0.0.1@tcp > 10.0.0.2@tcp");
        assertThat(put(old, "10.0.1.1@tcp"))
                .as("its NI failed before the answer, and there is no other for it")
                .containsExactly("PUT 10.0.0.2@tcp > 10.0.1.1@tcp");
    }

    @Test
    void anOldPeerIsSentToFromTheNidThatItAskedAsLongAsThatIsThere() {
        LNet a = rails();
        LNet old = old();
        attach(a, event -> {});
        attach(old, event -> {});
        assertThat(put(old, "10.0.1.1@tcp")).hasSize(2);
        for (int i = 0; i < 3; i++) {
            assertThat(put(a, "10.0.0.2@tcp"))
                    .containsExactly("PUT 10.0.1.1@tcp > 10.0.0.2@tcp", "ACK 10.0.0.2@tcp > 10.0.1.1@tcp");
        }
        a.removeNi(Nid.parse("10.0.1.1@tcp"));
        assertThat(put(a, "10.0.0.2@tcp"))
                .containsExactly("PUT 10.0.0.1@tcp > 10.0.0.2@tcp", "ACK 10.0.0.2@tcp > 10.0.0.1@tcp");
    }

    /** Tells whether a PUT arrives and is confirmed; either way it has an end. */
    private boolean arrives(LNet node, String target) {
        CompletableFuture<PutResult> put = node.put(
                        ProcessId.of(Nid.parse(target)),
                        PORTAL,
                        7,
                        Arena.ofAuto().allocate(8))
                .toCompletableFuture();
        net.pass(200);
        assertThat(put).as("no message is without an end").isDone();
        return !put.isCompletedExceptionally();
    }

    @Test
    @Requirement("rsl-086")
    void aMixedClusterWorksWithWhatEachNodeHas() {
        LNet a = rails();
        LNet b = net.node("10.0.0.3@tcp", "10.0.1.3@tcp");
        LNet silent = net.node(
                Settings.of(CompatProfile.DOCUMENTS).with(Tunable.DISCOVERY, false), "10.0.0.4@tcp", "10.0.1.4@tcp");
        LNet old = old();
        List<LNet> all = List.of(a, b, silent, old);
        all.forEach(node -> attach(node, event -> {}));
        for (LNet node : all) {
            for (LNet other : all) {
                assertThat(node == other
                                || arrives(node, other.nids().getFirst().toString()))
                        .as(node.nids() + " to " + other.nids())
                        .isTrue();
            }
        }
        for (String one : List.of("10.0.0.2@tcp", "10.0.0.4@tcp")) {
            String knownBy = put(a, one).getFirst().split(" ")[1];
            net.device(knownBy, DeviceEvent.FATAL);
            assertThat(arrives(a, "10.0.0.3@tcp"))
                    .as("multi-rail: another rail")
                    .isTrue();
            assertThat(arrives(b, knownBy)).isTrue();
            assertThat(arrives(a, "10.1.0.2@tcp1"))
                    .as("another NID of the old node")
                    .isTrue();
            assertThat(arrives(a, one))
                    .as(one + " knows this node by the NID that is down")
                    .isFalse();
            net.device(knownBy, DeviceEvent.CLEAR);
            assertThat(arrives(a, one)).as(one + " is well again").isTrue();
        }
    }
}

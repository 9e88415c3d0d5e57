package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.sm.subnet.ManagedNode;

/** Which links are taken down so that they come up with what both ends shall have, from where, and what is told. */
class LinkRestartsTest {
    private static final int ONE_VL = 1;
    private static final int MTU_512 = 2;

    private final Ring ring = new Ring();

    private LinkRestarts restarts() {
        return LinkRestarts.of(ring.fabric, ring.nodes, ring.policy());
    }

    private PortInfo said(int node, int port) {
        return Objects.requireNonNull(ring.nodes.get(node).port(port));
    }

    private void has(int node, int port, BitField field, int value) {
        ring.nodes.get(node).port(port, said(node, port).set(field, value));
    }

    /** Both ends of the cable from switch 0 to switch 1. */
    private void wrong() {
        has(0, Ring.NEXT, PortInfo.OPERATIONAL_VLS, ONE_VL);
        has(1, Ring.BACK, PortInfo.OPERATIONAL_VLS, ONE_VL);
    }

    private void hops(int node, int port, int hops) {
        DirectedPath path = DirectedPath.OWN_NODE;
        for (int i = 0; i < hops; i++) {
            path = path.then(1);
        }
        ring.nodes.get(node).path(port, path);
    }

    @Test
    void linksThatAreAsTheyShallBeStayUp() {
        assertThat(restarts().isEmpty()).isTrue();
        assertThat(restarts().phases()).isEmpty();
    }

    @Test
    void whatIsWrongAtOneEndIsTold() {
        wrong();
        has(1, Ring.BACK, PortInfo.NEIGHBOR_MTU, MTU_512);
        assertThat(restarts().text())
                .isEqualTo("1 links are up with other VLs or another MTU than both ends shall have: "
                        + "S-0[1] to S-1[18] (VLs 1 instead of 8, MTU 4096 and 512 instead of 4096)");
    }

    @Test
    void anMtuAloneIsEnough() {
        has(0, Ring.NEXT, PortInfo.NEIGHBOR_MTU, MTU_512);
        assertThat(restarts().isEmpty()).isFalse();
    }

    /** Code 0 tells nothing; in INIT nothing has to go down. */
    @Test
    void whatIsNotToldAndWhatCanBeSetNowIsNotWrong() {
        has(0, Ring.NEXT, PortInfo.NEIGHBOR_MTU, 0);
        assertThat(restarts().isEmpty()).isTrue();
        wrong();
        ring.state(0, Ring.NEXT, PortState.INIT);
        ring.state(1, Ring.BACK, PortState.INIT);
        assertThat(restarts().isEmpty()).isTrue();
        ring.state(1, Ring.BACK, PortState.ARMED);
        assertThat(restarts().isEmpty()).isFalse();
    }

    @Test
    void whatAPortDoesNotTakeIsNoReason() {
        wrong();
        ring.nodes.get(0).held().ignores(Ring.NEXT, PortInfo.OPERATIONAL_VLS);
        assertThat(restarts().isEmpty()).as("the other end may").isFalse();
        ring.nodes.get(1).held().ignores(Ring.BACK, PortInfo.OPERATIONAL_VLS);
        assertThat(restarts().isEmpty()).isTrue();
    }

    private List<String> sets(LinkRestarts restarts) {
        return restarts.phases().stream()
                .map(phase -> {
                    StringBuilder text = new StringBuilder();
                    phase.updates()
                            .get()
                            .forEachRemaining(set -> text.append(set.node()
                                    .portName(Modifiers.portOf(set.mad().modifier()))));
                    return text.toString();
                })
                .toList();
    }

    /** A Set from the far end would have to pass the cable itself, and its answer would be lost. */
    @Test
    void theNearerEndIsTold() {
        wrong();
        hops(0, 0, 2);
        hops(1, 0, 3);
        assertThat(sets(restarts())).containsExactly("S-0[1]");
        hops(0, 0, 4);
        assertThat(sets(restarts())).containsExactly("S-1[18]");
        hops(0, 0, 3);
        assertThat(sets(restarts())).containsExactly("S-0[1]");
    }

    /** No path to the other one is known. */
    @Test
    void theEndThatIsReachedIsTold() {
        wrong();
        ring.nodes.get(0).beginSweep();
        ring.nodes.get(0).keepPort(Ring.NEXT);
        assertThat(sets(restarts())).containsExactly("S-1[18]");
    }

    @Test
    void theFarthestGoDownFirst() {
        wrong();
        has(1, Ring.NEXT, PortInfo.OPERATIONAL_VLS, ONE_VL);
        has(2, Ring.HOST, PortInfo.OPERATIONAL_VLS, ONE_VL);
        hops(0, 0, 1);
        hops(1, 0, 2);
        hops(2, 0, 3);
        hops(Ring.SWITCHES + 2, 1, 4);
        assertThat(sets(restarts())).containsExactly("S-2[3]", "S-1[1]", "S-0[1]");
    }

    @Test
    void aLinkThatWentDownIsInInitAgainAndNoNodeWasSwitchedOff() {
        wrong();
        LinkRestarts restarts = restarts();
        Ring.run(restarts.phases().getFirst());
        assertThat(said(0, Ring.NEXT).state()).isEqualTo(PortState.INIT);
        assertThat(said(1, Ring.BACK).state()).isEqualTo(PortState.INIT);
        for (ManagedNode node : ring.nodes.subList(0, 2)) {
            int port = node == ring.nodes.getFirst() ? Ring.NEXT : Ring.BACK;
            assertThat(Objects.requireNonNull(node.switchInfo()).isSet(SwitchInfo.STATE_CHANGE))
                    .isTrue();
            assertThat(node.wasRestarted(port)).isTrue();
            node.beginSweep();
            node.keepPort(port);
            node.beginSweep();
            assertThat(node.mayBeReset()).isFalse();
        }
    }

    /** Devices that go on with what they had would go down in each sweep. */
    @Test
    void eachLinkIsTakenDownOnce() {
        wrong();
        Ring.run(restarts().phases().getFirst());
        ring.state(0, Ring.NEXT, PortState.ACTIVE);
        ring.state(1, Ring.BACK, PortState.ACTIVE);
        assertThat(restarts().isEmpty()).isTrue();
    }

    @Test
    void thoseThatDoNotComeUpAreNamed() {
        wrong();
        has(2, Ring.HOST, PortInfo.OPERATIONAL_VLS, ONE_VL);
        LinkRestarts restarts = restarts();
        assertThat(restarts.areUp(ring.fabric)).isTrue();
        assertThat(restarts.missing(ring.fabric)).isEmpty();
        ring.state(1, Ring.BACK, PortState.DOWN);
        assertThat(restarts.areUp(ring.fabric)).isFalse();
        assertThat(restarts.missing(ring.fabric))
                .startsWith("S-0[1] to S-1[18]")
                .doesNotContain("S-2");
    }

    private LinkRestarts many(int links) {
        int left = links;
        for (int port = 0; port < ring.fabric.portCount() && left > 0; port++) {
            if (ring.fabric.peer(port) > port) {
                has(ring.fabric.nodeOf(port), ring.fabric.portNumber(port), PortInfo.OPERATIONAL_VLS, ONE_VL);
                left--;
            }
        }
        assertThat(left).isZero();
        return restarts();
    }

    @Test
    void allOfAFewAreNamed() {
        assertThat(many(6).text()).startsWith("6 links").doesNotContain("others");
    }
}

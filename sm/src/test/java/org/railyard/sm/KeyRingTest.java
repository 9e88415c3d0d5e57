package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.DirectedRoute;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;

/** Which M_Keys nodes may have, and with which one they are asked first (spec 41 §9). */
class KeyRingTest {
    private final Fabric fabric = SampleTorus.torus(3, 1, 1, 1).fabric();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(1));
    private final MadRequests requests =
            new MadRequests(subnet.attach(FreshLids.firstEndPort(fabric)), RequestSettings.DEFAULT, (mad, from) -> {});
    private final KeyRing ring = new KeyRing(requests, 1);

    /** Returns the key of what is sent to a node of which nothing is known. */
    private long askedWith() {
        Mad mad = Mad.directed(MadMethod.GET, PortInfo.TYPE, 0, DirectedPath.OWN_NODE);
        requests.answer(mad, MadAddress.DIRECTED);
        return mad.directedRoute().get(DirectedRoute.M_KEY);
    }

    private void changes(long... keys) {
        for (long key : keys) {
            ring.change(key);
        }
    }

    /** A node that was away for two changes is asked with the key that it had. */
    @Test
    void thePreviousTwoKeysAreKept() {
        changes(2, 3);
        assertThat(ring.newestFirst()).containsExactly(3L, 2L, 1L);
        assertThat(ring.holds(1)).isTrue();
        changes(4);
        assertThat(ring.newestFirst()).containsExactly(4L, 3L, 2L);
        assertThat(ring.holds(1)).isFalse();
        changes(2);
        assertThat(ring.newestFirst()).as("each is there once").containsExactly(2L, 4L, 3L);
    }

    /** A wrong key costs a time-out, and counts as a violation at the node. */
    @Test
    void nodesAreAskedWithTheKeyThatMostHave() {
        assertThat(askedWith()).isEqualTo(1);
        changes(2);
        assertThat(askedWith()).as("nobody has the new one yet").isEqualTo(1);
        ring.given(2);
        assertThat(ring.isChanging()).isFalse();
        assertThat(askedWith()).isEqualTo(2);
    }

    @Test
    void aChangeDoesNotEndWithTheOneBefore() {
        changes(2, 3);
        ring.given(2);
        assertThat(ring.isChanging()).isTrue();
        assertThat(askedWith()).isEqualTo(2);
        ring.given(3);
        assertThat(ring.isChanging()).isFalse();
        assertThat(askedWith()).isEqualTo(3);
    }

    private static MKeyTable table(long... ring) {
        MKeyTable table = new MKeyTable();
        table.ring(Arrays.stream(ring).boxed().toList());
        return table;
    }

    @Test
    void keptKeysComeBeforeEarlierOnes() {
        changes(2, 3);
        ring.recall(table(8));
        assertThat(ring.newestFirst()).containsExactly(3L, 8L, 2L);
        ring.recall(table(9, 3, 7, 6));
        assertThat(ring.newestFirst()).containsExactly(3L, 9L, 7L);
        ring.recall(table());
        assertThat(ring.newestFirst()).as("nothing is kept").containsExactly(3L, 9L, 7L);
    }

    /** The key of the configuration was changed while there was no subnet manager. */
    @Test
    void aKeyThatNoPortIsKeptWithIsGivenFirst() {
        MKeyTable kept = table(5);
        kept.seen(0x11, 5);
        ring.recall(kept);
        assertThat(ring.isChanging()).isTrue();
        assertThat(askedWith()).isEqualTo(5);
        kept.seen(0x12, 1);
        KeyRing other = new KeyRing(requests, 1);
        other.recall(kept);
        assertThat(other.isChanging()).as("a port has it").isFalse();
        assertThat(askedWith()).isEqualTo(1);
    }
}

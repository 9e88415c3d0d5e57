package org.railyard.sm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;

/** When requests that belong together have ended. */
final class SubnetRequestsTest {
    private final Fabric fabric = SampleTorus.torus(2, 2, 1, 1).fabric();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(1));
    private final MadRequests requests = new MadRequests(
            subnet.attach(fabric.portIndex(fabric.nodeCount() - 1, 1)), RequestSettings.DEFAULT, (mad, from) -> {});
    private final List<String> ends = new ArrayList<>();
    private final List<RequestOutcome> outcomes = new ArrayList<>();
    private final SubnetRequests asked = new SubnetRequests(requests, RequestSettings.DEFAULT, () -> ends.add("end"));

    private static Mad question() {
        return Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, DirectedPath.of(1));
    }

    @Test
    void whatIsAskedMeanwhileBelongsToThem() {
        asked.begin(() -> asked.ask(question(), first -> asked.ask(question(), outcomes::add)));
        assertThat(ends).isEmpty();
        assertThat(subnet.loop().runUntil(() -> !ends.isEmpty(), 1_000_000_000L))
                .isTrue();
        assertThat(outcomes).singleElement().isInstanceOf(RequestOutcome.Answered.class);
        assertThat(asked.open()).isZero();
    }

    /** The port has failed, or the subnet manager ends: who waits for the end must not wait for ever. */
    @Test
    void whatCanNotBeSentEndsThemToo() {
        requests.close();
        asked.begin(() -> {
            asked.ask(question(), outcomes::add);
            asked.ask(question(), outcomes::add);
        });
        RequestOutcome refused = new RequestOutcome.Refused(Errno.ESHUTDOWN.number(), 0);
        assertThat(outcomes).containsExactly(refused, refused);
        assertThat(ends).containsExactly("end");
        assertThat(asked.open()).isZero();
    }
}

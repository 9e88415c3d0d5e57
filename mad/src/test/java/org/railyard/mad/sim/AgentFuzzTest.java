package org.railyard.mad.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.railyard.base.wire.WireFormatException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;

/** Whatever is sent into a simulated subnet, its agents answer or drop it, and answer the next request. */
final class AgentFuzzTest {
    private static final Fabric FABRIC = SampleTorus.torus(2, 2, 1, 1).fabric();
    private static final long SECOND = 1_000_000_000L;

    @FuzzTest
    void anyMad(byte[] data) throws WireFormatException {
        SimulatedSubnet subnet = new SimulatedSubnet(FABRIC, SimulationSettings.DEFAULT, new SplittableRandom(1));
        SimulatedPort port = subnet.attach(FABRIC.portIndex(FABRIC.switchCount(), 1));
        MadRequests requests = new MadRequests(port, RequestSettings.DEFAULT, (mad, from) -> {});
        for (int at = 0; at < data.length && at < 16 * Mad.SIZE; at += Mad.SIZE) {
            Mad mad = Mad.over(Arrays.copyOf(Arrays.copyOfRange(data, at, data.length), Mad.SIZE));
            port.send(mad, MadAddress.smp(mad.getInt(Mad.CLASS_SPECIFIC)), 0);
            subnet.loop().runFor(SECOND / 100);
        }
        AtomicLong answered = new AtomicLong();
        requests.submit(
                Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, DirectedPath.OWN_NODE), MadAddress.DIRECTED, outcome -> {
                    if (outcome instanceof RequestOutcome.Answered || outcome instanceof RequestOutcome.Unanswered) {
                        answered.set(1);
                    }
                });
        assertThat(subnet.loop().runUntil(() -> answered.get() == 1, 10 * SECOND))
                .isTrue();
    }
}

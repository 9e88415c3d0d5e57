package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.sm.subnet.ManagedNode;

/** How phases end when something goes wrong. */
class ProgrammerTest {
    private static final int MANY = 200_000;

    private final SampleTorus torus = SampleTorus.torus(3, 3, 1, 1);
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(torus.fabric(), SimulationSettings.DEFAULT, new SplittableRandom(1));
    private final SimulatedPort port = subnet.attach(FreshLids.firstEndPort(torus.fabric()));
    private final MadRequests requests = new MadRequests(port, RequestSettings.DEFAULT, (mad, from) -> {});
    private final List<Executor.Result> results = new ArrayList<>();

    private static ManagedNode node() {
        ManagedNode node = new ManagedNode(NodeInfo.TYPE
                .create()
                .set(NodeInfo.NODE_TYPE, NodeInfo.CA)
                .set(NodeInfo.NODE_GUID, 1)
                .set(NodeInfo.NUM_PORTS, 1));
        node.path(1, DirectedPath.OWN_NODE);
        return node;
    }

    private void run(int sets, Runnable atAnswer) {
        ManagedNode node = node();
        Phase keys = Phase.of(
                "P_KeyTable",
                "test",
                () -> IntStream.range(0, sets)
                        .mapToObj(i -> Update.of(
                                node,
                                1,
                                PKeyTable.TYPE,
                                Modifiers.pKeys(0, 0),
                                PKeyTable.TYPE.create(),
                                answer -> atAnswer.run()))
                        .iterator());
        new Programmer(requests, RequestSettings.DEFAULT, subnet.loop()).run(List.of(keys, keys), results::add);
        subnet.loop().runUntil(() -> !results.isEmpty(), 600_000_000_000L);
    }

    @Test
    void whatIsClosedEndsManySetsAtOnce() {
        run(MANY, requests::close);
        assertThat(results).hasSize(1);
        assertThat(results.getFirst().stopped()).isTrue();
        assertThat(results.getFirst().complete()).isFalse();
        assertThat(results.getFirst().figures()).hasSize(1);
        assertThat(results.getFirst().figures().getFirst().sets()).isLessThan(2000);
    }

    @Test
    void anAnswerThatCanNotBeUsedIsAFailedSet() {
        run(3, () -> {
            throw new IllegalStateException("test");
        });
        assertThat(results.getFirst().stopped()).isFalse();
        assertThat(results.getFirst().complete()).isFalse();
        assertThat(results.getFirst().figures()).allMatch(phase -> phase.failed() == 3);
        // A line for all Sets of one attribute to one node with one reason, those of the second phase as well.
        assertThat(results.getFirst().problems())
                .singleElement()
                .asString()
                .contains(" (and 5 more: port 0 block 0, ", "can not be used");
    }

    /** A step that was made is refused when it is repeated: where nobody tells that it was, no device is at fault. */
    @Test
    void whetherARefusedSetWasDoneBeforeIsNotKnownWithoutAnswer() {
        int own = torus.fabric().nodeOf(FreshLids.firstEndPort(torus.fabric()));
        int[] answers = {0};
        // Of each phase the Set is refused, and all questions after it are not answered.
        subnet.tamper(
                own,
                mad -> answers[0]++ % (1 + RequestSettings.DEFAULT.retries() + 1) == 0
                        ? mad.copy().set(Mad.STATUS, 0x1C)
                        : mad.copy().set(Mad.TRANSACTION_ID, 0));
        run(1, () -> {});
        assertThat(results.getFirst().problems())
                .singleElement()
                .asString()
                .contains("refused: 0x001c (invalid value), or done before and only the answer lost", "to 4 questions");
    }
}

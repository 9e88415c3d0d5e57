package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.WatchedPort;
import org.railyard.sm.subnet.ManagedNode;

/** How phases end when something goes wrong. */
class ProgrammerTest {
    private static final int MANY = 200_000;

    /** Much longer than all of a run takes in the time of the simulation, ns. */
    private static final long WAIT = 100_000_000_000L;

    private final SampleTorus torus = SampleTorus.torus(3, 3, 1, 1);
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(torus.fabric(), SimulationSettings.DEFAULT, new SplittableRandom(1));
    private final SimulatedPort port = subnet.attach(FreshLids.firstEndPort(torus.fabric()));
    private final MadRequests requests = new MadRequests(port, RequestSettings.DEFAULT, (mad, from) -> {});
    private final List<Executor.Result> results = new ArrayList<>();
    private final List<String> accepted = new ArrayList<>();

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
        new Programmer(requests, RequestSettings.DEFAULT, subnet.loop(), () -> {})
                .run(List.of(keys, keys), results::add);
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
    void whatIsGivenUpIsToldOnce() {
        int[] answers = {0};
        requests.cancelling(mad -> answers[0] >= 3 && mad.is(MadMethod.SET, false));
        run(MANY, () -> answers[0]++);
        assertThat(results.getFirst().stopped()).isTrue();
        assertThat(results.getFirst().complete()).isFalse();
        assertThat(results.getFirst().figures()).as("phases").hasSize(1);
        assertThat(results.getFirst().figures().getFirst().sets()).isLessThan(2000);
        assertThat(results.getFirst().problems())
                .singleElement()
                .asString()
                .contains("not sent, as everything after it: the sweep was given up")
                .doesNotContain("more");
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

    private int own() {
        return torus.fabric().nodeOf(FreshLids.firstEndPort(torus.fabric()));
    }

    private Update update(ManagedNode node) {
        return Update.of(
                node, 1, PKeyTable.TYPE, Modifiers.pKeys(0, 0), PKeyTable.TYPE.create(), _ -> accepted.add("accepted"));
    }

    private void run(Phase... phases) {
        new Programmer(requests, RequestSettings.DEFAULT, subnet.loop(), () -> {}).run(List.of(phases), results::add);
        subnet.loop().runUntil(() -> !results.isEmpty(), 600_000_000_000L);
    }

    private void refuseTheFirst(UnaryOperator<Mad> others) {
        int[] answers = {0};
        subnet.tamper(
                own(), mad -> answers[0]++ == 0 ? mad.copy().set(Mad.STATUS, MadStatus.BAD_VALUE) : others.apply(mad));
    }

    /** A step that was made when only its answer was lost is refused the second time. */
    @Test
    void aRefusedSetIsDoneIfTheNodeIsAsItShallBe() {
        refuseTheFirst(UnaryOperator.identity());
        Update step = update(node()).orReached(_ -> true);
        run(Phase.of("test", "test", () -> List.of(step).iterator()));
        assertThat(results.getFirst().complete()).isTrue();
        assertThat(results.getFirst().problems()).isEmpty();
        assertThat(accepted).hasSize(1);
    }

    @Test
    void aRefusedSetIsNotDoneIfTheNodeIsNotAsItShallBe() {
        refuseTheFirst(UnaryOperator.identity());
        run(Phase.of(
                "test",
                "test",
                () -> List.of(update(node()).orReached(_ -> false)).iterator()));
        refusedAndFailed();
    }

    @Test
    void aRefusedSetIsNotDoneIfTheQuestionIsRefusedToo() {
        refuseTheFirst(mad -> mad.copy().set(Mad.STATUS, MadStatus.BAD_VALUE));
        run(Phase.of(
                "test",
                "test",
                () -> List.of(update(node()).orReached(_ -> true)).iterator()));
        refusedAndFailed();
    }

    private void refusedAndFailed() {
        assertThat(results.getFirst().complete()).isFalse();
        assertThat(results.getFirst().figures())
                .singleElement()
                .extracting(Executor.Figures::failed)
                .isEqualTo(1L);
        assertThat(results.getFirst().problems()).singleElement().asString().contains(": refused: 0x001c");
        assertThat(accepted).isEmpty();
    }

    /** More than are made ahead: each answer, also that to a question, lets the next one be sent. */
    @Test
    void setsThatAreRefusedDoNotHoldUpOthers() {
        subnet.tamper(own(), mad -> mad.copy().set(Mad.STATUS, MadStatus.BAD_VALUE));
        ManagedNode node = node();
        run(Phase.of(
                "test", "test", () -> Collections.nCopies(3000, update(node)).iterator()));
        assertThat(results.getFirst().figures())
                .singleElement()
                .extracting(Executor.Figures::failed)
                .isEqualTo(3000L);
    }

    @Test
    void whatComesAfterAStrictPhaseThatFailedIsLeftAndTold() {
        refuseTheFirst(UnaryOperator.identity());
        run(
                Phase.strict("first", "test", () -> List.of(update(node())).iterator()),
                Phase.of("second", "test", () -> List.of(update(node())).iterator()));
        assertThat(results.getFirst().stopped()).isTrue();
        assertThat(results.getFirst().figures())
                .extracting(Executor.Figures::name)
                .containsExactly("first");
        assertThat(results.getFirst().problems())
                .last()
                .isEqualTo("first: not all of it was done; what comes after it is left for the next sweep");
    }

    /** It is not known whether a node took what it did not answer; it gets no more, and that counts as failed. */
    @Test
    void aNodeThatDoesNotAnswerGetsNothingMore() {
        subnet.silence(own(), true);
        ManagedNode node = node();
        Update lost =
                new Update(node, update(node).mad(), _ -> {}, () -> accepted.add("unsure"), _ -> true, Update.NEVER);
        run(
                Phase.of("first", "test", () -> List.of(lost).iterator()),
                Phase.of("second", "test", () -> List.of(lost, lost).iterator()));
        assertThat(accepted).containsExactly("unsure");
        assertThat(node.isLost()).isTrue();
        assertThat(results.getFirst().figures())
                .extracting(Executor.Figures::sets, Executor.Figures::failed)
                .containsExactly(tuple(1L, 1L), tuple(0L, 2L));
    }

    /** Takes some Sets, and then no more: a device with an error. */
    private static final class FailingPort extends WatchedPort {
        private int left;

        FailingPort(SimulatedPort port, int left) {
            super(port);
            this.left = left;
        }

        @Override
        public void send(Mad mad, MadAddress to, int timeoutMillis) {
            if (mad.is(MadMethod.SET, false) && left-- <= 0) {
                throw new ErrnoException(Errno.EIO, "test");
            }
            super.send(mad, to, timeoutMillis);
        }
    }

    private void runFailing(int taken, Phase... phases) {
        int last = torus.fabric().nodeCount() - 1;
        subnet.silence(last, true);
        MadRequests failing = new MadRequests(
                new FailingPort(subnet.attach(torus.fabric().portIndex(last, 1)), taken),
                RequestSettings.DEFAULT,
                (mad, from) -> {});
        new Programmer(failing, RequestSettings.DEFAULT, subnet.loop(), () -> {}).run(List.of(phases), results::add);
        subnet.loop().runUntil(() -> !results.isEmpty(), 600_000_000_000L);
    }

    private Update unsure(ManagedNode node) {
        return new Update(
                node,
                update(node).mad(),
                _ -> accepted.add("accepted"),
                () -> accepted.add("unsure"),
                _ -> true,
                Update.NEVER);
    }

    /** That is no fault of the node: others of its Sets may be taken. */
    @Test
    void whatIsNotSentIsFailedAndTold() {
        ManagedNode node = node();
        runFailing(0, Phase.of("test", "test", () -> List.of(unsure(node)).iterator()));
        assertThat(results.getFirst().complete()).isFalse();
        assertThat(results.getFirst().stopped()).isFalse();
        assertThat(results.getFirst().figures())
                .extracting(Executor.Figures::sets, Executor.Figures::failed)
                .containsExactly(tuple(1L, 1L));
        assertThat(results.getFirst().problems())
                .singleElement()
                .asString()
                .endsWith(": not sent, EIO (input/output error)");
        assertThat(node.isLost()).isFalse();
        assertThat(accepted).as("what it holds is known").isEmpty();
    }

    /** The node may have taken the first one, of which the answer was lost. */
    @Test
    void whatIsNotSentAgainMayHaveBeenTaken() {
        runFailing(1, Phase.of("test", "test", () -> List.of(unsure(node())).iterator()));
        assertThat(results.getFirst().problems())
                .singleElement()
                .asString()
                .contains(": no answer, and not sent again, EIO (");
        assertThat(accepted).containsExactly("unsure");
    }

    /** An agent that is busy when the Set is repeated may have taken the first one. */
    @Test
    void whatIsRefusedWhenItIsRepeatedMayHaveBeenTaken() {
        int[] answers = {0};
        subnet.tamper(
                own(),
                mad -> answers[0]++ == 0
                        ? mad.copy().set(Mad.TRANSACTION_ID, 0)
                        : mad.copy().set(Mad.STATUS, MadStatus.BUSY));
        run(Phase.of("test", "test", () -> List.of(unsure(node())).iterator()));
        assertThat(results.getFirst().complete()).isFalse();
        assertThat(accepted).containsExactly("unsure");
    }

    @Test
    void whatIsRefusedAtOnceWasNotTaken() {
        refuseTheFirst(UnaryOperator.identity());
        run(Phase.of("test", "test", () -> List.of(unsure(node())).iterator()));
        assertThat(results.getFirst().complete()).isFalse();
        assertThat(accepted).isEmpty();
    }

    @Test
    void whatAnAnswerThatCanNotBeUsedMeansIsNotKnown() {
        ManagedNode node = node();
        Update strange = new Update(
                node,
                update(node).mad(),
                _ -> {
                    throw new IllegalStateException("test");
                },
                () -> accepted.add("unsure"),
                _ -> true,
                Update.NEVER);
        run(Phase.of("test", "test", () -> List.of(strange).iterator()));
        assertThat(accepted).containsExactly("unsure");
    }

    private long begun(Phase first, Phase second) {
        long[] at = {0};
        run(first, new Phase(second.name(), second.why(), false, 0, second.settled(), () -> {
            at[0] = subnet.loop().nanoTime();
            return Collections.emptyIterator();
        }));
        return at[0];
    }

    @Test
    void afterEntriesWereEmptiedPacketsDieOutBeforeTheNextPhase() {
        Phase next = Phase.of("next", "test", Collections::emptyIterator);
        Phase drain =
                Phase.drain("drain", "test", WAIT, () -> List.of(update(node())).iterator());
        long before = subnet.loop().nanoTime();
        assertThat(begun(drain, next) - before).isGreaterThanOrEqualTo(WAIT);
    }

    @Test
    void whatIsProvedBesideThemDoesNotWait() {
        Phase next = Phase.of("next", "test", Collections::emptyIterator).unsettled();
        Phase drain =
                Phase.drain("drain", "test", WAIT, () -> List.of(update(node())).iterator());
        long before = subnet.loop().nanoTime();
        assertThat(begun(drain, next) - before).isLessThan(WAIT);
    }

    @Test
    void whereNothingHadToBeEmptiedNothingDiesOut() {
        Phase next = Phase.of("next", "test", Collections::emptyIterator);
        Phase drain = Phase.drain("drain", "test", WAIT, Collections::emptyIterator);
        long before = subnet.loop().nanoTime();
        assertThat(begun(drain, next) - before).isLessThan(WAIT);
    }
}

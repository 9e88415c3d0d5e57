package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.TrafficKind;

/**
 * A card that gets no acknowledgements gives up and breaks the connection, though the peer has got the message, and has
 * answered it: what the answer says counts.
 */
class LostAcknowledgementsTest {
    private static final int BYTES = 100_000;

    private final IbWorld world = new IbWorld(100_000_000);
    private final RecordingStack stack = new RecordingStack();
    private final RecordingStack far = new RecordingStack();
    private final TestNi ni = IbWorld.ni(0, 0);
    private final TestNi farNi = IbWorld.ni(1, 0);
    private final O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);

    private void connect() {
        lnd.startup(ni);
        world.start(1, far, Tunables.DEFAULT).startup(farNi);
        send(TestMessage.put(ni.nid(), farNi.nid(), 64));
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 1, IbWorld.SECOND))
                .isTrue();
        stack.outcomes().clear();
        far.outcomes().clear();
    }

    private void send(TestMessage message) {
        assertThat(lnd.send(ni, message)).isZero();
    }

    /** From now on a machine gets no acknowledgements of the other one. */
    private void loseAcknowledgements(int to) {
        world.fabric()
                .addFault(FabricFaultRule.drop(EnumSet.of(TrafficKind.ACK), world.port(1 - to, 0), world.port(to, 0)));
    }

    private void awaitTheEndOfTheConnection() {
        assertThat(world.time().runUntil(() -> world.device(0, 0).qpCount() == 0, 10 * IbWorld.SECOND))
                .as("the card has given up")
                .isTrue();
        world.time().run(IbWorld.SECOND);
    }

    private static void assertEndedWell(List<RecordingStack.Outcome> outcomes, int count) {
        assertThat(outcomes).hasSize(count).allMatch(each -> each.status() == 0 && each.health() == HealthStatus.OK);
    }

    @Test
    void aPutThatIsStoredIsDelivered() {
        connect();
        far.store();
        loseAcknowledgements(1);
        send(TestMessage.put(ni.nid(), farNi.nid(), BYTES));
        awaitTheEndOfTheConnection();
        assertEndedWell(stack.outcomes(), 1);
        assertEndedWell(far.outcomes(), 1);
    }

    @Test
    void aPutOfWhichNothingIsWantedIsDelivered() {
        connect();
        loseAcknowledgements(0);
        send(TestMessage.put(ni.nid(), farNi.nid(), BYTES));
        awaitTheEndOfTheConnection();
        assertEndedWell(stack.outcomes(), 1);
    }

    @Test
    void aGetWhoseReplyIsThereIsOver() {
        connect();
        far.store();
        stack.placeReplies();
        loseAcknowledgements(0);
        send(TestMessage.get(ni.nid(), farNi.nid(), BYTES));
        awaitTheEndOfTheConnection();
        assertEndedWell(stack.outcomes(), 2);
        assertThat(stack.replyLengths()).hasSize(1);
    }

    /** Nobody has told that it arrived: it may have, so it is neither delivered nor sent again. */
    @Test
    void aPutWhosePayloadIsNotKnownToHaveArrivedFails() {
        connect();
        far.store();
        loseAcknowledgements(0);
        send(TestMessage.put(ni.nid(), farNi.nid(), BYTES));
        awaitTheEndOfTheConnection();
        assertThat(stack.outcomes())
                .extracting(RecordingStack.Outcome::health)
                .containsExactly(HealthStatus.NETWORK_TIMEOUT);
    }
}

package org.railyard.softverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.softverbs.net.Fidelity;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.memory.MemoryModel;

/** When a card begins to wait for an acknowledgement. */
class AckTimerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TIMEOUT = 50_000;

    private final List<String> resent = new ArrayList<>();
    private final SmallWorld world = new SmallWorld(
            SampleTorus.torus(3, 1, 1, 1),
            3,
            7,
            SoftSettings.DEFAULT.withFidelity(Fidelity.PACKET).withAckTimeout(TIMEOUT),
            (time, what, port, subject, detail) -> {
                if (what.equals("resend")) {
                    resent.add(port + " at " + time);
                }
            },
            MemoryModel.SCATTERED);

    private List<Link> links(int count) {
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Link link = new Link(world.node(0), world.node(1), SmallWorld.address(1, 900 + i));
            link.open();
            links.add(link);
        }
        assertThat(world.time().runUntil(() -> links.stream().allMatch(Link::isUp), SECOND))
                .isTrue();
        return links;
    }

    /**
     * Eight connections share a port of 0.25 bytes per ns: the last of their packets waits for six time-outs before it
     * leaves.
     */
    @Test
    void whatWaitsInTheQueueOfItsPortIsNotSentAgain() {
        List<Link> links = links(8);
        world.fabric().setRate(world.port(0).fabricPort(), 1, LinkSpeed.SDR);
        long start = world.time().now();
        links.forEach(link -> link.want(32));
        assertThat(world.time().runUntil(() -> links.stream().allMatch(link -> link.sent() == 32), SECOND))
                .isTrue();
        assertThat(world.time().now() - start).isGreaterThan(5 * TIMEOUT);
        assertThat(resent).isEmpty();
        assertThat(links).allMatch(link -> link.wrong() == 0 && link.received() == 32);
    }

    @Test
    void whatLeftAndWasLostIsSentAgainUntilTriesAreUsedUp() {
        Link link = links(1).getFirst();
        world.fabric().setLink(world.port(1).fabricPort(), false);
        link.want(1);
        assertThat(world.time().runUntil(() -> !link.failures().isEmpty(), SECOND))
                .isTrue();
        assertThat(link.failures().getFirst()).isEqualTo(WorkStatus.RETRY_EXCEEDED);
        assertThat(resent).isNotEmpty();
    }
}

package org.railyard.lnet.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.TestHost;

/** What repeats is told once a second, and the last that is told is how things stand. */
class EventLimiterTest {
    private static final Nid NI = Nid.parse("10.0.0.1@tcp");

    private final TestHost host = new TestHost(0);
    private final List<NodeEvent> told = new ArrayList<>();
    private final EventLimiter limiter = new EventLimiter(host, told::add);

    private void health(int before, int now) {
        limiter.add(NodeEventKind.NI_HEALTH, NI, Nid.ANY, before, now, "");
    }

    private List<String> texts() {
        List<String> texts = told.stream().map(NodeEvent::text).toList();
        told.clear();
        return texts;
    }

    @Test
    void theFirstAtOnceTheRestWhenTheSecondIsOver() {
        health(1000, 900);
        health(900, 800);
        health(800, 700);
        assertThat(texts()).containsExactly("NI 10.0.0.1@tcp: health 1000 → 900");
        host.advance(EventLimiter.INTERVAL_NANOS - 1);
        limiter.settle();
        assertThat(texts()).isEmpty();
        host.advance(1);
        limiter.settle();
        assertThat(texts()).containsExactly("NI 10.0.0.1@tcp: health 900 → 700, 2 times within a second");
        health(700, 1000);
        assertThat(texts()).as("a second has not gone by since").isEmpty();
        host.advance(EventLimiter.INTERVAL_NANOS);
        limiter.settle();
        assertThat(texts()).containsExactly("NI 10.0.0.1@tcp: health 700 → 1000");
        host.advance(EventLimiter.INTERVAL_NANOS);
        limiter.settle();
        health(1000, 900);
        assertThat(texts()).as("a quiet second later").containsExactly("NI 10.0.0.1@tcp: health 1000 → 900");
    }

    @Test
    void whatFlapsIsToldInTheOrderOfItsLastEvents() {
        for (int i = 0; i < 5; i++) {
            limiter.add(NodeEventKind.DEVICE_DOWN, NI, Nid.ANY, 0, 0, "");
            limiter.add(NodeEventKind.DEVICE_UP, NI, Nid.ANY, 0, 0, "");
        }
        limiter.add(NodeEventKind.DEVICE_DOWN, NI, Nid.ANY, 0, 0, "");
        told.clear();
        host.advance(EventLimiter.INTERVAL_NANOS);
        limiter.settle();
        assertThat(told)
                .extracting(NodeEvent::kind, NodeEvent::count)
                .containsExactly(tuple(NodeEventKind.DEVICE_UP, 4), tuple(NodeEventKind.DEVICE_DOWN, 5));
    }

    @Test
    void moreNidsThanAreKeptApartAreCounted() {
        for (int i = 0; i < EventLimiter.MAX_TOPICS + 50; i++) {
            Nid peer = Nid.parse("10.1." + i / 250 + "." + i % 250 + "@tcp");
            limiter.add(NodeEventKind.PEER_ADDED, peer, Nid.ANY, 0, 0, "");
        }
        assertThat(told).hasSize(EventLimiter.MAX_TOPICS);
        told.clear();
        host.advance(EventLimiter.INTERVAL_NANOS);
        limiter.settle();
        assertThat(texts()).containsExactly("the same of further NIDs, 50 times within a second");
        host.advance(EventLimiter.INTERVAL_NANOS);
        limiter.settle();
        limiter.add(NodeEventKind.PEER_ADDED, NI, Nid.ANY, 0, 0, "");
        assertThat(texts()).as("there is room again").containsExactly("peer 10.0.0.1@tcp is new");
    }
}

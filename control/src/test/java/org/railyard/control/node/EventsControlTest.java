package org.railyard.control.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.railyard.control.EventsOperation;
import org.railyard.lnet.api.EventRing;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.nid.Nid;

/** Events for readers that are fast, slow, or have seen some already. */
class EventsControlTest {
    private static final Nid NI = Nid.parse("10.0.0.1@tcp");

    private final EventRing ring = new EventRing();
    private final EventsControl control = new EventsControl(ring);
    private final List<Map<String, Object>> told = new ArrayList<>();

    private void tell(int count) {
        for (int i = 0; i < count; i++) {
            ring.happened(new NodeEvent(1_500, NodeEventKind.NI_HEALTH, NI, Nid.ANY, 1000, i, "", 1));
        }
    }

    private static EventsOperation.Show last(int count, @Nullable Long after) {
        return new EventsOperation.Show(List.of(), null, count, after);
    }

    private List<Object> numbers() {
        return told.stream()
                .filter(each -> each.containsKey("number"))
                .map(each -> each.get("number"))
                .toList();
    }

    @Test
    void aReaderThatIsTooSlowIsToldHowManyAreMissing() throws InterruptedException {
        tell(3);
        control.follow(last(2, 0L), document -> {
            told.add(document);
            if (told.size() == 3) {
                // While it was busy with the third document more happened than is kept.
                tell(EventRing.MAX_EVENTS + 100);
            }
            return told.size() < 6;
        });
        assertThat(told.getFirst()).isEqualTo(Map.of("last", 3L));
        assertThat(numbers()).containsExactly(2L, 3L, 104L, 105L);
        assertThat(told.get(3)).isEqualTo(Map.of("lost", 100L));
    }

    @Test
    void whoComesBackIsToldWhatItMissed() throws InterruptedException {
        tell(EventRing.MAX_EVENTS + 50);
        control.follow(last(EventRing.MAX_EVENTS, 20L), document -> {
            told.add(document);
            return told.size() < 3;
        });
        assertThat(told.get(1)).isEqualTo(Map.of("lost", 30L));
        assertThat(numbers()).containsExactly(51L);
        assertThat(control.execute(last(1, 20L))).containsEntry("lost", 30L).containsEntry("last", 1074L);
        assertThat(control.execute(last(1, null))).doesNotContainKey("lost");
    }

    @Test
    void anEventAsADocument() {
        tell(1);
        assertThat(control.execute(last(5, null)).toString())
                .isEqualTo("{events=[{number=1, time=1970-01-01T00:00:00.000001Z, kind=ni-health, nid=10.0.0.1@tcp,"
                        + " bad=true, text=NI 10.0.0.1@tcp: health 1000 → 0}], last=1}");
    }
}

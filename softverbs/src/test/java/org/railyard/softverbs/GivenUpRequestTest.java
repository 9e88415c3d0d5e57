package org.railyard.softverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;

/** Who asks for a connection and gives up does not know the number that the other side gave it. */
class GivenUpRequestTest {
    private static final long SECOND = 1_000_000_000L;

    private final SmallWorld world = SmallWorld.ofThree(1);
    private final EventLoop asking = world.node(0).createEventLoop("asking");
    private final EventLoop asked = world.node(1).createEventLoop("asked");
    private final List<CmEvent.Type> told = new ArrayList<>();

    private void listen() {
        asked.execute(() -> {
            CmId listener = world.node(1).createId(asked, (_, event) -> told.add(event.type()));
            listener.bind(SmallWorld.address(1, 987), false);
            listener.listen();
        });
    }

    private CmId ask() {
        CmId id = world.node(0).createId(asking, this::onEvent);
        asking.execute(() -> id.resolveAddress(SmallWorld.address(1, 987), SECOND));
        return id;
    }

    private void onEvent(CmId id, CmEvent event) {
        if (event.type() == CmEvent.Type.ADDRESS_RESOLVED) {
            id.resolveRoute(-1, SECOND);
        } else if (event.type() == CmEvent.Type.ROUTE_RESOLVED) {
            VerbsDevice device = Objects.requireNonNull(id.device());
            Cq cq = device.createCq(2, asking, _ -> {});
            id.createQp(device.openPd(), cq, new QpCapabilities(1, 1, 1));
            id.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
        }
    }

    @Test
    void isHeardBeforeTheAnswer() {
        listen();
        CmId id = ask();
        assertThat(world.time().runUntil(() -> !told.isEmpty(), SECOND)).isTrue();
        asking.execute(id::close);
        world.time().run(SECOND);
        assertThat(told).containsExactly(CmEvent.Type.CONNECT_REQUEST, CmEvent.Type.CONNECT_ERROR);
    }
}

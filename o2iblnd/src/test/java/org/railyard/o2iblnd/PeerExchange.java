package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;

/** A PUT to, or a GET from, a scripted peer: what is agreed on, what it answers, what becomes of the messages. */
final class PeerExchange {
    private final IbWorld world;
    private final Nid here = IbWorld.nid(0, 0);
    private final Nid there = IbWorld.nid(1, 0);
    private final TestNi ni = IbWorld.ni(0, 0);
    private final RecordingStack stack = new RecordingStack();
    private final O2ibLnd lnd;
    private final RawPeer peer;
    private long stamp;

    PeerExchange(IbWorld world) {
        this.world = world;
        this.lnd = world.start(0, stack, Tunables.DEFAULT);
        this.peer = new RawPeer(world.node(1), there.nid4(), 5);
    }

    RawPeer peer() {
        return peer;
    }

    TestMessage message(int length) {
        return TestMessage.put(here, there, length);
    }

    /** Sends a message of the peer's. */
    void answer(KibMessage message) {
        peer.send(message);
    }

    /** Returns a message of the peer's, without contents. */
    KibMessage fromPeer() {
        return peer.message(here.nid4(), stamp);
    }

    KibMessage awaitMessage(KibType type) {
        assertThat(world.time()
                        .runUntil(() -> peer.received().stream().anyMatch(m -> m.type() == type), IbWorld.SECOND))
                .isTrue();
        return peer.received().stream()
                .filter(m -> m.type() == type)
                .findFirst()
                .orElseThrow();
    }

    /** Connects with so many fragments, sends a PUT, and returns the request that the peer gets. */
    KibMessage putTo(int fragments, TestMessage message) throws Exception {
        connect(fragments);
        send(message);
        return awaitMessage(KibType.PUT_REQ);
    }

    /** Lets the peer connect with so many fragments. */
    void connect(int fragments) throws Exception {
        lnd.startup(ni);
        peer.connect(
                new CmAddress(IbWorld.address(1, 0), 1000),
                new CmAddress(IbWorld.address(0, 0), Kib.SERVICE_PORT),
                RawPeer.bytes(peer.request(here.nid4(), 0, 8, fragments)));
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.ESTABLISHED), IbWorld.SECOND))
                .isTrue();
        KibMessage answer = new KibMessage();
        answer.read(peer.last().privateData(), 0, 196);
        stamp = answer.header().sourceStamp();
        // The message that says that the connection is up may still be on its way.
        world.time().run(IbWorld.SECOND / 10);
    }

    void send(TestMessage message) {
        assertThat(lnd.send(ni, message)).isZero();
    }

    /** Returns a GET of so many bytes. */
    TestMessage get(int length) {
        return TestMessage.get(here, there, length);
    }

    RecordingStack stack() {
        return stack;
    }

    /** Ends a GET that the peer got. */
    void done(long cookie, int status) {
        KibMessage message = fromPeer();
        message.setCompletion(Kib.V2, KibType.GET_DONE, cookie, status);
        peer.send(message);
    }

    /** Closes the connection of the transport, with everything that is under way. */
    void stop() {
        lnd.shutdown(ni);
    }

    void acknowledge(long cookie, int... fragments) {
        RdmaDescriptor sink = new RdmaDescriptor();
        sink.reset(peer.sinkKey());
        long offset = 0;
        for (int length : fragments) {
            sink.add(peer.sinkAddress(offset), length);
            offset += length + 1000;
        }
        KibMessage message = peer.message(here.nid4(), stamp);
        message.setPutAck(Kib.V2, cookie, 55, sink);
        peer.send(message);
    }

    RecordingStack.Outcome outcome() {
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes()).hasSize(1);
        return stack.outcomes().getFirst();
    }
}

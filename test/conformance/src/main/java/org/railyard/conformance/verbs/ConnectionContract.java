package org.railyard.conformance.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.PrivateData;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.WorkStatus;

/** Connections: asked for, accepted, turned down, ended; private data; numbers of queue pairs. */
public abstract class ConnectionContract extends VerbsContract {
    /** For subclasses. */
    protected ConnectionContract() {}

    private static MemorySegment bytes(int count, int number) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = End.byteOf(number, i);
        }
        return MemorySegment.ofArray(bytes);
    }

    /** The receiver is told the size that fits, not what the sender said. */
    private static void assertPadded(CmEvent event, int size, int said, int number) {
        byte[] expected = new byte[size];
        bytes(said, number).asByteBuffer().get(0, expected, 0, said);
        assertThat(event.privateData().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        assertThat(event.privateData().isReadOnly()).isTrue();
    }

    /** Two ends, of which one has asked for a connection and the other has not answered. */
    private record Request(End one, End other) {}

    private Request request(MemorySegment privateData) {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        asked.listen(fixture().address(1, SERVICE));
        End one = asking.resolve(fixture().address(1, SERVICE));
        one.prepare(USUAL);
        one.connect(ConnectParameters.DEFAULT, privateData);
        return new Request(one, asked.nextRequest());
    }

    @Test
    void privateDataComesPaddedToItsFixedSize() {
        Request request = request(bytes(24, 1));
        End one = request.one();
        End other = request.other();
        assertPadded(other.request(), PrivateData.REQUEST_BYTES, 24, 1);
        other.prepare(USUAL);
        other.accept(ConnectParameters.DEFAULT, bytes(100, 2));
        assertPadded(one.awaitEvent(CmEvent.Type.ESTABLISHED), PrivateData.REPLY_BYTES, 100, 2);
        other.awaitEvent(CmEvent.Type.ESTABLISHED);
        assertThat(other.id().localAddress()).isEqualTo(fixture().address(1, SERVICE));
        assertThat(other.id().remoteAddress()).isEqualTo(one.id().localAddress());
    }

    @Test
    void privateDataHasItsLimits() {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        asked.listen(fixture().address(1, SERVICE));
        End one = asking.resolve(fixture().address(1, SERVICE));
        one.prepare(USUAL);
        assertThatThrownBy(() -> one.connect(ConnectParameters.DEFAULT, bytes(PrivateData.REQUEST_BYTES + 1, 1)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("57");
        one.connect(ConnectParameters.DEFAULT, bytes(PrivateData.REQUEST_BYTES, 1));
        End other = asked.nextRequest();
        assertPadded(other.request(), PrivateData.REQUEST_BYTES, PrivateData.REQUEST_BYTES, 1);
        assertThatThrownBy(() -> other.party().run(() -> other.id().reject(bytes(PrivateData.REJECT_BYTES + 1, 1))))
                .isInstanceOf(VerbsException.class);
        other.prepare(USUAL);
        assertThatThrownBy(() -> other.accept(ConnectParameters.DEFAULT, bytes(PrivateData.REPLY_BYTES + 1, 1)))
                .isInstanceOf(VerbsException.class);
        other.accept(ConnectParameters.DEFAULT, bytes(PrivateData.REPLY_BYTES, 3));
        assertPadded(one.awaitEvent(CmEvent.Type.ESTABLISHED), PrivateData.REPLY_BYTES, PrivateData.REPLY_BYTES, 3);
    }

    @Test
    void aRejectSaysWhy() {
        Request request = request(MemorySegment.NULL);
        End one = request.one();
        End other = request.other();
        other.party().run(() -> other.id().reject(bytes(24, 9)));
        CmEvent rejected = one.awaitEvent(CmEvent.Type.REJECTED);
        assertThat(rejected.reason()).isEqualTo(CmRejectReason.CONSUMER_DEFINED);
        assertPadded(rejected, PrivateData.REJECT_BYTES, 24, 9);
        assertThat(one.had(CmEvent.Type.ESTABLISHED)).isFalse();
        // The port still listens.
        Pair pair = connect(one.party(), other.party(), 1, ConnectParameters.DEFAULT, USUAL, 1);
        assertThat(pair.one().qp().state()).isEqualTo(Qp.State.READY_TO_SEND);
    }

    @Test
    void aPortOnWhichNobodyListensRejects() {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        asked.listen(fixture().address(1, SERVICE));
        End one = asking.resolve(fixture().address(1, SERVICE + 1));
        one.prepare(USUAL);
        one.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
        assertThat(one.awaitEvent(CmEvent.Type.REJECTED).reason()).isEqualTo(CmRejectReason.INVALID_SERVICE_ID);
        assertThat(asked.hasRequest()).isFalse();
    }

    @Test
    void nobodyHasTheAddress() {
        Party asking = new Party(fixture(), 0);
        End one = asking.newEnd();
        asking.run(() -> one.id().resolveAddress(fixture().nobody(), SECOND));
        elapse("an answer", () -> !one.events().isEmpty());
        if (one.had(CmEvent.Type.ADDRESS_RESOLVED)) {
            // Where addresses are not asked about, the request is what fails.
            asking.run(() -> one.id().resolveRoute(-1, SECOND));
            one.awaitEvent(CmEvent.Type.ROUTE_RESOLVED);
            one.prepare(USUAL);
            one.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
            elapse("the end of the attempt", () -> one.had(CmEvent.Type.UNREACHABLE));
        } else {
            assertThat(one.had(CmEvent.Type.ADDRESS_ERROR)).isTrue();
        }
    }

    @Test
    void onlyOneListensAtAnAddress() {
        Party asked = new Party(fixture(), 1);
        asked.listen(fixture().address(1, SERVICE));
        End second = asked.newEnd();
        assertThatThrownBy(() -> asked.run(() -> {
                    second.id().bind(fixture().address(1, SERVICE), true);
                    second.id().listen();
                }))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.EADDRINUSE));
        End third = asked.newEnd();
        assertThatThrownBy(() -> asked.run(() -> third.id().bind(fixture().nobody(), false)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.EADDRNOTAVAIL));
    }

    @Test
    void aSourcePortThatWasChosenIsUsed() {
        connectFrom(fixture().address(0, 1023));
    }

    /** The address is that of the port that leads to the peer, which is told so. */
    @Test
    void aSourcePortThatWasChosenForAnyAddressIsUsed() {
        connectFrom(new CmAddress(0, 1023));
    }

    private void connectFrom(CmAddress source) {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        asked.listen(fixture().address(1, SERVICE));
        End one = asking.newEnd();
        asking.run(() -> {
            one.id().bind(source, true);
            one.id().resolveAddress(fixture().address(1, SERVICE), SECOND);
        });
        one.awaitEvent(CmEvent.Type.ADDRESS_RESOLVED);
        asking.run(() -> one.id().resolveRoute(-1, SECOND));
        one.awaitEvent(CmEvent.Type.ROUTE_RESOLVED);
        PathRecord path = Objects.requireNonNull(one.id().path());
        assertThat(path.mtu()).isBetween(256, 4096);
        assertThat(path.sl()).isBetween(0, 15);
        one.prepare(USUAL);
        one.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
        assertThat(asked.nextRequest().id().remoteAddress()).isEqualTo(fixture().address(0, 1023));
        assertThat(one.id().localAddress()).isEqualTo(fixture().address(0, 1023));
    }

    @Test
    void bothSidesHearOfTheEnd() {
        Pair pair = connect();
        pair.other().party().run(() -> pair.other().id().disconnect());
        pair.one().awaitEvent(CmEvent.Type.DISCONNECTED);
        pair.other().awaitEvent(CmEvent.Type.DISCONNECTED);
        assertThat(pair.one().qp().state()).isEqualTo(Qp.State.ERROR);
        assertThat(pair.other().qp().state()).isEqualTo(Qp.State.ERROR);
        await("flushed receives", () -> pair.one().receives().size() == 8);
        assertThat(pair.one().receives()).allMatch(done -> done.status() == WorkStatus.FLUSHED);
        // Again: nothing happens.
        pair.other().party().run(() -> pair.other().id().disconnect());
        fixture().settle();
        assertThat(pair.other().events().stream().filter(e -> e.type() == CmEvent.Type.DISCONNECTED))
                .hasSize(1);
    }

    @Test
    void anEndThatIsGivenBackBreaksOff() {
        Pair pair = connect();
        pair.one().party().run(() -> pair.one().id().close());
        pair.other().awaitEvent(CmEvent.Type.DISCONNECTED);
        assertThat(pair.one().had(CmEvent.Type.DISCONNECTED)).isFalse();
    }

    @Test
    void aRequestThatIsGivenBackIsTurnedDown() {
        Request request = request(MemorySegment.NULL);
        End one = request.one();
        End other = request.other();
        other.party().run(() -> other.id().close());
        one.awaitEvent(CmEvent.Type.REJECTED);
    }

    @Test
    void numbersOfQueuePairsAreNotUsedAgainSoon() {
        Party asking = new Party(fixture(), 0);
        Party asked = new Party(fixture(), 1);
        Set<Integer> numbers = new LinkedHashSet<>();
        for (int i = 0; i < 10; i++) {
            Pair pair = connect(asking, asked, 1, ConnectParameters.DEFAULT, USUAL, 1);
            assertThat(numbers.add(pair.one().qp().number())).isTrue();
            assertThat(pair.one().qp().number()).isBetween(2, 0xFFFFFF);
            asking.run(() -> pair.one().id().close());
            pair.other().awaitEvent(CmEvent.Type.DISCONNECTED);
            asked.run(() -> pair.other().id().close());
        }
    }

    @Test
    void aNodeConnectsWithItself() {
        Party party = new Party(fixture(), 0);
        Pair pair = connect(party, party, 0, ConnectParameters.DEFAULT, USUAL, 4);
        pair.one().fill(End.SOURCE, 100, 5);
        pair.one().send(1, End.SOURCE, 100);
        await("the message", () -> pair.other().receives().size() == 1);
        assertThat(pair.other().differs(End.RECEIVES, 100, 5)).isEqualTo(-1);
    }

    @Test
    void callbacksComeFromTheLoop() {
        Pair pair = connect();
        pair.one().send(1, End.SOURCE, 10);
        await(
                "the completions",
                () -> !pair.one().sends().isEmpty() && !pair.other().receives().isEmpty());
        assertThat(pair.one().party().outsideLoop()).isEmpty();
        assertThat(pair.other().party().outsideLoop()).isEmpty();
    }
}

package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** PUTs that come before anybody wants them: early arrivals and lazy portals (spec 10 §4.2, 01 §4.3). */
class DelayedPutsTest extends TwoNodes {
    private final Recorder at = new Recorder();
    private final Recorder from = new Recorder();

    private static LNetHeader putHeader(int portal, int length, long bits) {
        LNetHeader header = fromAToB();
        header.setPut(length, Wire.NO_COOKIE, Wire.NO_COOKIE, portal, bits, 0, 0);
        return header;
    }

    @Test
    @Requirement("dbg-025")
    void aPutToAPortalInUseThatMatchesNothingIsDropped() {
        sink(BITS, 8, at);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            put(8, 99, 0);
            put(8, 99, 0);
            assertThat(log.lines())
                    .as("once, whatever follows soon")
                    .filteredOn(line -> line.contains("dropped"))
                    .containsExactly("WARNING dropped PUT from " + A + " to " + B + " portal " + PORTAL
                            + " bits 0x63: no match");
        }
        assertThat(b.dropCount()).isEqualTo(2);
        assertThat(niOf(b).traffic().dropped().put()).isEqualTo(2);
        assertThat(peerNiOf(b).traffic().dropped().put()).isEqualTo(2);
    }

    @Test
    void aGetThatMatchesNothingIsAlwaysDropped() {
        b.setLazyPortal(PORTAL);
        get(source(8, from), BITS, 0);
        assertThat(b.dropCount()).isEqualTo(1);
        assertThat(niOf(b).traffic().dropped().get()).isEqualTo(1);
        sink(BITS, 8, at);
        assertThat(at.lines()).isEmpty();
    }

    @Test
    void aPutBeforeTheFirstEntryOfAPortalWaits() {
        put(source(8, from), true);
        assertThat(from.lines()).containsExactly("SEND");
        MemorySegment memory = memory(8);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory).withOptions(MdOption.OP_PUT).withHandler(at));
        assertThat(at.lines()).as("delivered before attach returns").containsExactly("PUT");
        assertThat(bytes(memory)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        net.settle();
        assertThat(from.lines()).containsExactly("SEND", "ACK");
    }

    @Test
    void aWaitingPutGoesIntoAllFragmentsOfItsDescriptor() {
        put(8, BITS, 0);
        List<MemorySegment> fragments = List.of(memory(3), memory(1), memory(4));
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(fragments.toArray(MemorySegment[]::new))
                        .withOptions(MdOption.OP_PUT)
                        .withHandler(at));
        assertThat(at.only(EventKind.PUT).mlength()).isEqualTo(8);
        assertThat(fragments.stream().map(TwoNodes::bytes))
                .containsExactly(new byte[] {0, 1, 2}, new byte[] {3}, new byte[] {4, 5, 6, 7});
    }

    @Test
    void aLazyPortalKeepsPutsInOrderUntilTheyMatch() {
        b.setLazyPortal(PORTAL);
        sink(BITS, 8, new Recorder());
        for (int i = 1; i <= 6; i++) {
            put(i, 100 + i % 2, 0);
        }
        sink(100, 8, at);
        assertThat(at.events()).extracting(Event::mlength).containsExactly(2, 4, 6);
        sink(101, 8, at);
        assertThat(at.events()).extracting(Event::mlength).containsExactly(2, 4, 6, 1, 3, 5);
        assertThat(b.messagesInUse()).isZero();
    }

    @Test
    void aWaitingPutGoesToOneDescriptorOnly() {
        put(4, BITS, 0);
        sink(BITS, 8, at);
        sink(BITS, 8, at);
        assertThat(at.lines()).containsExactly("PUT");
    }

    @Test
    void aDescriptorWithAThresholdTakesNoMoreThanThat() {
        for (int i = 1; i <= 3; i++) {
            put(i, BITS, 0);
        }
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(8))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withThreshold(2)
                        .withAutoUnlink()
                        .withHandler(at));
        assertThat(at.lines()).containsExactly("PUT", "PUT!");
        assertThat(b.messagesInUse())
                .as("not lazy, but early: the third waits on")
                .isEqualTo(1);
    }

    @Test
    void aWaitingPutThatIsTooLongForItsDescriptorIsDropped() {
        put(9, BITS, 0);
        sink(BITS, 8, at);
        assertThat(at.lines()).isEmpty();
        assertThat(b.dropCount()).isEqualTo(1);
        assertThat(b.messagesInUse()).isZero();
    }

    @Test
    void clearingDropsWhatWaits() {
        b.setLazyPortal(PORTAL);
        sink(BITS, 8, new Recorder());
        put(1, 100, 0);
        put(2, 100, 0);
        b.clearLazyPortal(PORTAL);
        assertThat(b.dropCount()).isEqualTo(2);
        assertThat(b.messagesInUse()).isZero();
        put(3, 100, 0);
        assertThat(b.dropCount()).isEqualTo(3);
    }

    @Test
    void emptyPutsWaitToo() {
        put(0, BITS, 0);
        sink(BITS, 0, at);
        assertThat(at.only(EventKind.PUT).mlength()).isZero();
    }

    @Test
    void discardingDescriptorsTakeWaitingPutsToo() {
        put(8, BITS, 0);
        MemorySegment memory = memory(8);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory)
                        .withOptions(MdOption.OP_PUT, MdOption.DISCARD)
                        .withHandler(at));
        assertThat(at.only(EventKind.PUT).mlength()).isEqualTo(8);
        assertThat(bytes(memory)).containsOnly(0);
    }

    @Test
    void aWaitingPutWhosePayloadDidNotArriveIsForgotten() {
        net.damage(packet -> true);
        put(8, BITS, 0);
        sink(BITS, 8, at);
        assertThat(at.lines()).isEmpty();
        assertThat(b.messagesInUse()).isZero();
    }

    @Test
    void aDescriptorThatComesBeforeThePayloadTakesIt() {
        net.slow();
        put(source(8, from), true);
        MemorySegment memory = memory(8);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory).withOptions(MdOption.OP_PUT).withHandler(at));
        assertThat(at.lines()).isEmpty();
        net.fast();
        assertThat(at.lines()).containsExactly("PUT");
        assertThat(bytes(memory)).isEqualTo(bytes(counting(8)));
        assertThat(from.lines()).containsExactly("SEND", "ACK");
    }

    @Test
    void aPayloadThatComesWhenNobodyMayWaitAnyMoreIsDropped() {
        b.setLazyPortal(PORTAL);
        sink(99, 8, at);
        net.slow();
        put(8, BITS, 0);
        b.clearLazyPortal(PORTAL);
        assertThat(b.dropCount()).isZero();
        net.fast();
        assertThat(b.dropCount()).isEqualTo(1);
        assertThat(b.messagesInUse()).isZero();
    }

    /** Whose payload is still to come has a share of what may wait, but can not give way. */
    @Test
    void whatIsOnItsWayDoesNotGiveWay() {
        net.slow();
        byte[] payload = new byte[1 << 20];
        for (int i = 0; i < 64; i++) {
            net.inject(putHeader(40, payload.length, i), payload);
        }
        LNetHeader header = putHeader(PORTAL, 1, BITS);
        header.setRoute(B, 12345, Nid.parse("10.0.1.7@tcp"), 12345);
        net.inject(header, new byte[1]);
        assertThat(b.dropCount()).as("there is no room").isEqualTo(1);
        net.fast();
        net.inject(header, new byte[1]);
        assertThat(b.dropCount()).as("one of those that wait now").isEqualTo(2);
        sink(BITS, 8, at);
        assertThat(at.lines()).containsExactly("PUT");
        b.clearLazyPortal(40);
    }

    @Test
    void theNumberOfWaitingPutsIsLimited() {
        for (int i = 0; i < 4096; i++) {
            net.inject(putHeader(40, 0, i), new byte[0]);
        }
        assertThat(b.dropCount()).isZero();
        net.inject(putHeader(41, 0, 1), new byte[0]);
        assertThat(b.dropCount()).isEqualTo(1);
        b.clearLazyPortal(40);
        net.inject(putHeader(41, 0, 1), new byte[0]);
        assertThat(b.messagesInUse()).isEqualTo(1);
    }

    /** One peer that asks at the wrong place leaves room for others. */
    @Test
    void whoeverHasMostWaitingGivesWay() {
        for (int i = 0; i < 4096; i++) {
            net.inject(putHeader(40, 0, i), new byte[0]);
        }
        Nid other = Nid.parse("10.0.1.7@tcp");
        for (int i = 0; i < 2; i++) {
            LNetHeader header = putHeader(PORTAL, 0, BITS + i);
            header.setRoute(B, 12345, other, 12345);
            net.inject(header, new byte[0]);
        }
        assertThat(b.dropCount()).isEqualTo(2);
        sink(BITS, 8, at);
        sink(BITS + 1, 8, at);
        assertThat(at.events()).extracting(Event::sourceNid).containsExactly(other, other);
        Recorder early = new Recorder();
        b.attach(
                MeConfig.of(40, 2),
                MdConfig.of(memory(8)).withOptions(MdOption.OP_PUT).withHandler(early));
        b.attach(
                MeConfig.of(40, 1),
                MdConfig.of(memory(8)).withOptions(MdOption.OP_PUT).withHandler(early));
        assertThat(early.events()).as("the oldest are gone").hasSize(1);
        b.clearLazyPortal(40);
    }

    /** What of a sender waits no more is no part of its share. */
    @Test
    void whoeverHadMostWaitingBeforeDoesNotGiveWay() {
        for (int i = 0; i < 4000; i++) {
            net.inject(putHeader(40, 0, i), new byte[0]);
        }
        Nid other = Nid.parse("10.0.1.7@tcp");
        b.clearLazyPortal(40);
        for (int i = 0; i < 4000; i++) {
            LNetHeader header = putHeader(41, 0, i);
            header.setRoute(B, 12345, other, 12345);
            net.inject(header, new byte[0]);
        }
        for (int i = 0; i < 96; i++) {
            net.inject(putHeader(PORTAL, 0, BITS), new byte[0]);
        }
        assertThat(b.dropCount()).isEqualTo(4000);
        net.inject(putHeader(PORTAL, 0, BITS), new byte[0]);
        assertThat(b.dropCount()).isEqualTo(4001);
        b.clearLazyPortal(41);
        assertThat(b.dropCount()).as("it was one of the other's").isEqualTo(8000);
        assertThat(b.messagesInUse()).isEqualTo(97);
        b.clearLazyPortal(PORTAL);
    }

    /** Names that it makes up are not others. */
    @Test
    void whoeverHasMostWaitingUnderManyNamesGivesWay() {
        for (int i = 0; i < 4096; i++) {
            LNetHeader header = putHeader(40, 0, i);
            header.setRoute(B, 12345, Nid.of(A.net(), (11 << 24) + i), 12345);
            net.inject(A, header, new byte[0], B);
        }
        Nid other = Nid.parse("10.0.1.7@tcp");
        for (int i = 0; i < 2; i++) {
            LNetHeader header = putHeader(PORTAL, 0, BITS + i);
            header.setRoute(B, 12345, other, 12345);
            net.inject(header, new byte[0]);
        }
        sink(BITS, 8, at);
        sink(BITS + 1, 8, at);
        assertThat(at.events()).extracting(Event::sourceNid).containsExactly(other, other);
        b.clearLazyPortal(40);
    }

    @Test
    void asManyBytesAsOthersHaveAreLeftToEach() {
        byte[] payload = new byte[1 << 20];
        for (int i = 0; i < 64; i++) {
            net.inject(putHeader(40, payload.length, i), payload);
        }
        LNetHeader header = putHeader(PORTAL, payload.length, BITS);
        header.setRoute(B, 12345, Nid.parse("10.0.1.7@tcp"), 12345);
        net.inject(header, payload);
        assertThat(b.dropCount()).isEqualTo(1);
        sink(BITS, payload.length, at);
        assertThat(at.only(EventKind.PUT).mlength()).isEqualTo(payload.length);
        b.clearLazyPortal(40);
    }

    /** Where nobody has said that they shall wait, they do not do so for ever. */
    @Test
    void whatCameTooEarlyIsDroppedWhenItsSenderHasGivenUp() {
        b.setLazyPortal(PORTAL);
        put(8, BITS, 0);
        net.inject(putHeader(40, 8, 1), new byte[8]);
        net.pass(b.settings().get(Tunable.TRANSACTION_TIMEOUT) - 2);
        assertThat(b.dropCount()).isZero();
        net.pass(4);
        assertThat(b.dropCount()).isEqualTo(1);
        sink(BITS, 8, at);
        assertThat(at.lines()).as("of a lazy portal").containsExactly("PUT");
    }

    @Test
    void theBytesOfWaitingPutsAreLimited() {
        byte[] payload = new byte[1 << 20];
        for (int i = 0; i < 64; i++) {
            net.inject(putHeader(40, payload.length, i), payload);
        }
        assertThat(b.dropCount()).isZero();
        net.inject(putHeader(40, 1, 1), new byte[1]);
        assertThat(b.dropCount()).isEqualTo(1);
        net.inject(putHeader(40, 0, 1), new byte[0]);
        assertThat(b.dropCount()).isEqualTo(1);
        b.clearLazyPortal(40);
    }

    @Test
    void theSenderIsWhoItIsKnownToBeWhenTheMatchIsMade() {
        Nid other = Nid.parse("10.0.1.7@tcp");
        LNetHeader header = putHeader(PORTAL, 0, BITS);
        header.setRoute(B, 12345, other, 12345);
        net.inject(header, new byte[0]);
        LNet c = net.node("10.0.0.7@tcp", other.toString());
        net.await(c.discover(B, false));
        sink(BITS, 8, at);
        assertThat(at.only(EventKind.PUT).initiatorNid()).isEqualTo(Nid.parse("10.0.0.7@tcp"));
        assertThat(at.only(EventKind.PUT).sourceNid()).isEqualTo(other);
    }

    @Test
    void whatWaitsGoesWithTheNode() {
        net.inject(putHeader(40, 8, 1), new byte[8]);
        assertThat(b.messagesInUse()).isEqualTo(1);
        b.close();
        assertThat(b.messagesInUse()).isZero();
        assertThat(net.takeTypes()).doesNotContain(MessageType.ACK);
    }

    @Test
    void portalNumbersFromTheWireAreNotBelieved() {
        for (int portal : new int[] {64, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            net.inject(putHeader(portal, 4, 1), new byte[4]);
            LNetHeader get = fromAToB();
            get.setGet(1, 2, portal, 1, 0, 8);
            net.inject(get, new byte[0]);
        }
        assertThat(b.dropCount()).isEqualTo(8);
    }
}

package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.LNetHeader;

/** Which descriptor takes a message, and how much of it (spec 10 §4.2, 01 §4.2). */
class MatchingTest extends TwoNodes {
    private final Recorder first = new Recorder();
    private final Recorder second = new Recorder();

    private Md attach(MeConfig me, Recorder recorder, MdOption... options) {
        return b.attach(me, MdConfig.of(memory(64)).withOptions(options).withHandler(recorder));
    }

    private Md attachPut(MeConfig me, Recorder recorder) {
        return attach(me, recorder, MdOption.OP_PUT, MdOption.MANAGE_REMOTE);
    }

    @Test
    void theEarlierOfTwoEqualEntriesTakesTheMessage() {
        attachPut(MeConfig.of(PORTAL, BITS), first);
        attachPut(MeConfig.of(PORTAL, BITS), second);
        put(8, BITS, 0);
        assertThat(first.lines()).containsExactly("PUT");
        assertThat(second.lines()).isEmpty();
    }

    @Test
    void anEntryAttachedInFrontIsSearchedFirst() {
        attachPut(MeConfig.of(PORTAL, BITS), second);
        attachPut(new MeConfig(PORTAL, ProcessId.ANY, BITS, 0, true), first);
        put(8, BITS, 0);
        assertThat(first.lines()).containsExactly("PUT");
    }

    @Test
    void entriesWithIgnoreBitsAreSearchedBeforeTheOthers() {
        attachPut(MeConfig.of(PORTAL, BITS), second);
        attachPut(new MeConfig(PORTAL, ProcessId.ANY, 0, 0xffff, false), first);
        put(8, BITS, 0);
        assertThat(first.lines()).containsExactly("PUT");
        assertThat(second.lines()).isEmpty();
    }

    @Test
    void onlyBitsThatAreNotIgnoredHaveToAgree() {
        attachPut(new MeConfig(PORTAL, ProcessId.ANY, 0xab00, 0xff, false), first);
        put(8, 0xab17, 0);
        put(8, 0xac17, 0);
        assertThat(first.lines()).containsExactly("PUT");
        assertThat(b.dropCount()).isEqualTo(1);
    }

    @Test
    void anEntryForOneNodeTakesNobodyElsesMessages() {
        attachPut(MeConfig.of(PORTAL, BITS).withInitiator(new ProcessId(Nid.parse("10.0.0.9@tcp"), -1)), first);
        attachPut(MeConfig.of(PORTAL, BITS).withInitiator(new ProcessId(A, -1)), second);
        put(8, BITS, 0);
        assertThat(first.lines()).isEmpty();
        assertThat(second.lines()).containsExactly("PUT");
    }

    @Test
    void anEntryForOneProcessTakesNobodyElsesMessages() {
        attachPut(MeConfig.of(PORTAL, BITS).withInitiator(new ProcessId(Nid.ANY, 7)), first);
        attachPut(MeConfig.of(PORTAL, BITS).withInitiator(new ProcessId(Nid.ANY, ProcessId.LUSTRE_PID)), second);
        put(8, BITS, 0);
        assertThat(first.lines()).isEmpty();
        assertThat(second.lines()).containsExactly("PUT");
    }

    @Test
    void anyNidOfThePeerNamesIt() {
        a.addNi(net.request("10.0.1.1@tcp"));
        net.settle();
        attachPut(MeConfig.of(PORTAL, BITS).withInitiator(new ProcessId(Nid.parse("10.0.1.1@tcp"), -1)), first);
        for (int i = 0; i < 4; i++) {
            put(8, BITS, 0);
        }
        assertThat(first.lines()).hasSize(4);
        assertThat(first.events()).allMatch(e -> e.initiatorNid().equals(A));
        assertThat(first.events()).extracting(Event::sourceNid).contains(A, Nid.parse("10.0.1.1@tcp"));
    }

    @Test
    void aPortalTakesOnlyTheKindOfEntryThatCameFirst() {
        attachPut(MeConfig.of(PORTAL, BITS), first);
        expect(Errno.EPERM, () -> attachPut(MeConfig.of(PORTAL, BITS).withInitiator(TO_A), second));
        MeConfig exact = MeConfig.of(34, BITS).withInitiator(TO_A);
        attachPut(exact, second);
        expect(Errno.EPERM, () -> attachPut(MeConfig.of(34, BITS), first));
        expect(Errno.EPERM, () -> attachPut(new MeConfig(34, TO_A, BITS, 1, false), first));
        a.put(source(8, new Recorder()), false, Nid.ANY, TO_B, 34, BITS, 0, 0);
        net.settle();
        assertThat(second.lines()).containsExactly("PUT");
    }

    @Test
    void anOperationThatIsNotAllowedDoesNotMatch() {
        attach(MeConfig.of(PORTAL, BITS), first, MdOption.OP_GET, MdOption.MANAGE_REMOTE);
        attachPut(MeConfig.of(PORTAL, BITS), second);
        put(8, BITS, 0);
        get(source(8, new Recorder()), BITS, 0);
        assertThat(first.lines()).containsExactly("GET");
        assertThat(second.lines()).containsExactly("PUT");
    }

    @Test
    void withoutManageRemoteTheDescriptorKeepsItsOwnOffset() {
        MemorySegment memory = memory(16);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory).withOptions(MdOption.OP_PUT).withHandler(first));
        put(6, BITS, 3);
        put(6, BITS, 3);
        assertThat(first.events()).extracting(Event::offset).containsExactly(0, 6);
        assertThat(bytes(memory)).startsWith(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0);
        put(6, BITS, 0);
        assertThat(first.lines()).as("6 bytes do not fit into 4").hasSize(2);
        assertThat(b.dropCount()).isEqualTo(1);
        put(4, BITS, 0);
        assertThat(first.events()).hasSize(3);
    }

    @Test
    void withManageRemoteTheInitiatorChoosesTheOffset() {
        MemorySegment memory = memory(16);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory)
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(first));
        put(4, BITS, 12);
        put(4, BITS, 2);
        assertThat(first.events()).extracting(Event::offset).containsExactly(12, 2);
        assertThat(bytes(memory)).containsExactly(0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3);
    }

    @Test
    void anOffsetBehindTheEndIsTooLongEvenWithTruncate() {
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(16))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE)
                        .withHandler(first));
        put(4, BITS, 17);
        put(4, BITS, -1);
        put(0, BITS, Integer.MIN_VALUE);
        get(source(4, new Recorder()), BITS, 17);
        assertThat(first.lines()).isEmpty();
        assertThat(b.dropCount()).isEqualTo(4);
        put(4, BITS, 16);
        assertThat(first.only(EventKind.PUT).mlength()).isZero();
        assertThat(first.only(EventKind.PUT).rlength()).isEqualTo(4);
    }

    @Test
    void truncateCutsWhatDoesNotFit() {
        MemorySegment memory = memory(10);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory)
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE)
                        .withHandler(first));
        Recorder sent = new Recorder();
        put(source(8, sent), true, BITS, 6);
        assertThat(first.only(EventKind.PUT).rlength()).isEqualTo(8);
        assertThat(first.only(EventKind.PUT).mlength()).isEqualTo(4);
        assertThat(sent.only(EventKind.ACK).mlength()).isEqualTo(4);
        assertThat(bytes(memory)).containsExactly(0, 0, 0, 0, 0, 0, 0, 1, 2, 3);
    }

    @Test
    void tooLongWithoutTruncateEndsTheSearch() {
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(4)).withOptions(MdOption.OP_PUT).withHandler(first));
        attachPut(MeConfig.of(PORTAL, BITS), second);
        put(8, BITS, 0);
        assertThat(first.lines()).isEmpty();
        assertThat(second.lines()).isEmpty();
        assertThat(b.dropCount()).isEqualTo(1);
    }

    @Test
    void maxSizeLimitsEachOperationAndExhaustsTheDescriptorWhenLessIsLeft() {
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(10))
                        .withOptions(MdOption.OP_PUT, MdOption.TRUNCATE)
                        .withMaxSize(4)
                        .withAutoUnlink()
                        .withHandler(first));
        put(6, BITS, 0);
        put(3, BITS, 0);
        assertThat(first.events()).extracting(Event::mlength).containsExactly(4, 3);
        assertThat(first.lines()).as("3 bytes are left, fewer than max_size").containsExactly("PUT", "PUT!");
        put(1, BITS, 0);
        assertThat(b.dropCount()).isEqualTo(1);
    }

    @Test
    void anExhaustedDescriptorIsPassedOver() {
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(64))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withThreshold(2)
                        .withHandler(first));
        attachPut(MeConfig.of(PORTAL, BITS), second);
        for (int i = 0; i < 3; i++) {
            put(8, BITS, 0);
        }
        assertThat(first.lines()).as("not auto-unlink: it stays").containsExactly("PUT", "PUT");
        assertThat(second.lines()).containsExactly("PUT");
    }

    @Test
    void anExhaustedAutoUnlinkDescriptorGoesWithItsLastOperation() {
        Md md = b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(64))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withThreshold(2)
                        .withAutoUnlink()
                        .withHandler(first));
        put(8, BITS, 0);
        put(8, BITS, 0);
        assertThat(first.lines()).containsExactly("PUT", "PUT!");
        assertThat(md.isUnlinked()).isTrue();
        expect(Errno.ENOENT, md::unlink);
    }

    @Test
    void payloadIsSpreadOverFragments() {
        MemorySegment[] parts = {memory(3), memory(0), memory(5), memory(4)};
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(parts)
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .withHandler(first));
        put(9, BITS, 2);
        assertThat(bytes(parts[0])).containsExactly(0, 0, 0);
        assertThat(bytes(parts[2])).containsExactly(1, 2, 3, 4, 5);
        assertThat(bytes(parts[3])).containsExactly(6, 7, 8, 0);
        MemorySegment back = memory(8);
        get(a.bind(MdConfig.of(back)), BITS, 3);
        assertThat(bytes(back)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void discardedPayloadLooksLikeAnyOther() {
        MemorySegment memory = memory(8);
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory)
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE, MdOption.DISCARD)
                        .withHandler(first));
        Recorder sent = new Recorder();
        put(source(8, sent), true);
        assertThat(first.only(EventKind.PUT).mlength()).isEqualTo(8);
        assertThat(sent.only(EventKind.ACK).mlength()).isEqualTo(8);
        assertThat(bytes(memory)).containsOnly(0);
    }

    @Test
    void aGetIsNeverAnsweredWithMoreThanTheMtu() {
        int mtu = 1 << 20;
        b.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(mtu + 1)).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE));
        b.attach(
                MeConfig.of(PORTAL, 7),
                MdConfig.of(memory(mtu + 1)).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        for (long bits : new long[] {BITS, 7}) {
            LNetHeader header = new LNetHeader();
            header.setGet(1, 2, PORTAL, bits, 0, -1);
            header.setRoute(B, ProcessId.LUSTRE_PID, A, ProcessId.LUSTRE_PID);
            net.inject(header, new byte[0]);
        }
        net.settle();
        assertThat(net.takeLog()).extracting(p -> p.payload().length).containsExactly(mtu);
        assertThat(b.dropCount()).isEqualTo(1);
    }

    @Test
    void badParametersAreRefusedBeforeAnythingIsMade() {
        MemorySegment[] many = new MemorySegment[257];
        Arrays.fill(many, memory(1));
        MdConfig takesPuts = MdConfig.of(memory(4)).withOptions(MdOption.OP_PUT);
        expect(Errno.EINVAL, () -> b.attach(MeConfig.of(64, 0), takesPuts));
        expect(Errno.EINVAL, () -> b.attach(MeConfig.of(-1, 0), takesPuts));
        expect(Errno.EINVAL, () -> b.attach(MeConfig.of(PORTAL, 0), MdConfig.of(memory(4))));
        expect(Errno.EINVAL, () -> b.attach(MeConfig.of(PORTAL, 0), takesPuts.withMaxSize(5)));
        expect(Errno.EINVAL, () -> b.attach(MeConfig.of(PORTAL, 0), takesPuts.withMaxSize(-1)));
        expect(Errno.EINVAL, () -> b.attach(MeConfig.of(PORTAL, 0), takesPuts.withThreshold(-2)));
        expect(
                Errno.EINVAL,
                () -> b.attach(MeConfig.of(PORTAL, 0), MdConfig.of(many).withOptions(MdOption.OP_PUT)));
        expect(
                Errno.EINVAL,
                () -> b.attach(
                        MeConfig.of(PORTAL, 0),
                        MdConfig.of(memory(4).asReadOnly()).withOptions(MdOption.OP_PUT)));
        expect(Errno.EINVAL, () -> a.bind(MdConfig.of(memory(4)).withOptions(MdOption.OP_GET)));
        expect(Errno.EINVAL, () -> a.bind(takesPuts));
        expect(Errno.EINVAL, () -> a.bind(MdConfig.of(memory((1 << 20) + 1))));
        expect(Errno.EINVAL, () -> a.bind(MdConfig.of(memory(4)).withTimeoutNanos(-1)));
        expect(Errno.EINVAL, () -> a.bind(MdConfig.of(MemorySegment.ofArray(new long[2]))));
        expect(Errno.EINVAL, () -> b.setLazyPortal(64));
    }
}

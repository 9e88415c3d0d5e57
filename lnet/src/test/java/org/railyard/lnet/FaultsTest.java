package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.DelayRule;
import org.railyard.lnet.api.DropRule;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.FaultFilter;
import org.railyard.lnet.api.FaultKind;
import org.railyard.lnet.api.FaultRuleInfo;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** Faults on purpose (spec 10 §18). */
class FaultsTest extends TwoNodes {
    private static final Nid ALL_TCP = Nid.parse("255.255.255.255@tcp");
    private static final FaultFilter EVERY = FaultFilter.all().withRate(1);

    private final Recorder at = new Recorder();
    private final Recorder from = new Recorder();

    private Md sinkAndSource() {
        sink(BITS, 64, at);
        return source(8, from);
    }

    private FaultRuleInfo only(LNet node, FaultKind kind) {
        assertThat(node.faults().rules(kind)).hasSize(1);
        return node.faults().rules(kind).getFirst();
    }

    private void clear() {
        for (LNet node : List.of(a, b)) {
            for (FaultKind kind : FaultKind.values()) {
                if (!node.faults().rules(kind).isEmpty()) {
                    node.faults().delete(kind, Nid.ANY, Nid.ANY);
                }
            }
        }
        net.settle();
    }

    @Test
    void aDropOnReceiptIsSilent() {
        Md md = sinkAndSource();
        long before = b.dropCount();
        b.faults().add(DropRule.of(EVERY.withMessages(MessageType.PUT)));
        put(md, true);
        assertThat(from.lines()).as("the sender sees a success, and waits").containsExactly("SEND");
        assertThat(at.lines()).isEmpty();
        assertThat(b.dropCount()).isEqualTo(before + 1);
        assertThat(niOf(b).traffic().dropped().put()).isEqualTo(1);
        assertThat(only(b, FaultKind.DROP))
                .isEqualTo(new FaultRuleInfo(DropRule.of(EVERY.withMessages(MessageType.PUT)), 1, 1, 1, 0, 0, 0));
        clear();
        put(md, false);
        assertThat(at.lines()).containsExactly("PUT");
    }

    @Test
    void withoutErrorsARuleOfTheSenderDoesNothing() {
        Md md = sinkAndSource();
        a.faults().add(DropRule.of(EVERY.withMessages(MessageType.PUT)));
        put(md, false);
        assertThat(at.lines()).containsExactly("PUT");
        assertThat(only(a, FaultKind.DROP).examined()).isZero();
    }

    @ParameterizedTest
    @EnumSource(HealthStatus.class)
    void withAnErrorSendsFailAndHealthFollows(HealthStatus status) {
        if (status == HealthStatus.OK) {
            expect(Errno.EINVAL, () -> DropRule.of(EVERY).withHealthErrors(Set.of(status)));
            return;
        }
        a.set(Tunable.RETRY_COUNT, 0);
        Md md = sinkAndSource();
        a.faults().add(DropRule.of(EVERY.withMessages(MessageType.PUT)).withHealthErrors(Set.of(status)));
        put(md, false);
        assertThat(from.events())
                .singleElement()
                .satisfies(event -> assertThat(event.status()).isNegative());
        assertThat(at.lines()).isEmpty();
        boolean here = status.name().startsWith("LOCAL") || status == HealthStatus.NETWORK_TIMEOUT;
        boolean there = status.name().startsWith("REMOTE") || status == HealthStatus.NETWORK_TIMEOUT;
        assertThat(niOf(a).health() < 1000).isEqualTo(here);
        assertThat(peerNiOf(a).health() < 1000).isEqualTo(there);
        b.faults().add(DropRule.of(EVERY).withHealthErrors(Set.of(status)));
        assertThat(only(b, FaultKind.DROP).examined())
                .as("on receipt it does nothing")
                .isZero();
    }

    @Test
    void anyErrorMeansEachOfThemNowAndThen() {
        a.set(Tunable.HEALTH_SENSITIVITY, 0);
        Md md = sinkAndSource();
        a.inventory().resetStatistics();
        a.faults().add(DropRule.of(EVERY.withMessages(MessageType.PUT)).withHealthErrors(DropRule.ANY_ERROR));
        for (int i = 0; i < 200; i++) {
            put(md, false);
        }
        assertThat(from.events())
                .hasSize(200)
                .allSatisfy(event -> assertThat(event.status()).isNegative());
        assertThat(only(a, FaultKind.DROP).hit()).isEqualTo(200);
    }

    @Test
    void dropAllActsOnBothSides() {
        a.set(Tunable.RETRY_COUNT, 0);
        Md md = sinkAndSource();
        FaultFilter rare = FaultFilter.all().withRate(1_000_000).withMessages(MessageType.PUT);
        a.faults().add(DropRule.of(rare).withAll());
        put(md, false);
        assertThat(from.events())
                .singleElement()
                .satisfies(event -> assertThat(event.status()).isNegative());
        clear();
        b.faults().add(DropRule.of(rare).withAll());
        put(md, false);
        assertThat(at.lines()).isEmpty();
        assertThat(only(b, FaultKind.DROP).hit()).isEqualTo(1);
    }

    @Test
    void sourcesTargetsPortalsAndTypesAreTold() {
        Md md = sinkAndSource();
        List<FaultFilter> misses = List.of(
                FaultFilter.of(B, Nid.ANY),
                FaultFilter.of(Nid.ANY, A),
                FaultFilter.of(Nid.parse("255.255.255.255@tcp1"), Nid.ANY),
                FaultFilter.all().withPortals(PORTAL + 1),
                FaultFilter.all().withMessages(MessageType.GET, MessageType.ACK, MessageType.REPLY),
                FaultFilter.all().withLocal(A));
        for (FaultFilter filter : misses) {
            b.faults().add(DropRule.of(filter.withRate(1)));
        }
        put(md, false);
        assertThat(at.lines()).containsExactly("PUT");
        clear();
        List<FaultFilter> hits = List.of(
                FaultFilter.of(A, B),
                FaultFilter.of(ALL_TCP, ALL_TCP),
                FaultFilter.all().withPortals(3, PORTAL),
                FaultFilter.all().withMessages(MessageType.PUT),
                FaultFilter.all().withLocal(B));
        for (FaultFilter filter : hits) {
            b.faults().add(DropRule.of(filter.withRate(1)));
            put(md, false);
            assertThat(only(b, FaultKind.DROP).hit()).as("%s", filter).isEqualTo(1);
            clear();
        }
        assertThat(at.lines()).containsExactly("PUT");
    }

    @Test
    void aRuleForALocalNidDoesNothingElse() {
        Md md = sinkAndSource();
        FaultFilter here = EVERY.withLocal(A).withMessages(MessageType.PUT);
        a.faults().add(DropRule.of(here).withHealthErrors(DropRule.ANY_ERROR));
        a.faults().add(new DelayRule(here, 1));
        b.faults().add(new DelayRule(EVERY.withLocal(B), 1));
        put(md, false);
        assertThat(at.lines()).containsExactly("PUT");
    }

    @Test
    void oneInEachWindowOfThreeIsHit() {
        Md md = sinkAndSource();
        b.faults()
                .add(DropRule.of(FaultFilter.all().withMessages(MessageType.PUT).withRate(3)));
        List<Integer> places = new ArrayList<>();
        for (int window = 0; window < 60; window++) {
            for (int place = 0; place < 3; place++) {
                long hit = only(b, FaultKind.DROP).hit();
                put(md, false);
                if (only(b, FaultKind.DROP).hit() > hit) {
                    places.add(place);
                }
            }
            assertThat(places).hasSize(window + 1);
        }
        assertThat(Set.copyOf(places)).as("at a random place").containsExactlyInAnyOrder(0, 1, 2);
        assertThat(only(b, FaultKind.DROP).examined()).isEqualTo(180);
        b.faults().reset(FaultKind.DROP);
        assertThat(only(b, FaultKind.DROP).examined()).isZero();
        assertThat(only(b, FaultKind.DROP).hit()).isZero();
    }

    @Test
    void everyOtherMessageBeginsWithTheFirst() {
        Md md = sinkAndSource();
        for (int attempt = 0; attempt < 10; attempt++) {
            b.faults()
                    .add(DropRule.of(
                            FaultFilter.all().withMessages(MessageType.PUT).withRate(2)));
            put(md, false);
            assertThat(only(b, FaultKind.DROP).hit()).isEqualTo(1);
            clear();
        }
    }

    @Test
    void oneInEachIntervalIsHit() {
        Md md = sinkAndSource();
        b.faults()
                .add(DropRule.of(FaultFilter.all().withMessages(MessageType.PUT).withInterval(5)));
        Set<Integer> seconds = new TreeSet<>();
        for (int window = 0; window < 40; window++) {
            for (int second = 0; second < 5; second++) {
                net.pass(1);
                long hit = only(b, FaultKind.DROP).hit();
                put(md, false);
                put(md, false);
                long more = only(b, FaultKind.DROP).hit() - hit;
                assertThat(more).isLessThanOrEqualTo(1);
                if (more == 1) {
                    seconds.add(second);
                }
            }
            // The last instant of a window may fall just behind the last message in it.
            assertThat(only(b, FaultKind.DROP).hit()).isBetween((long) window, window + 1L);
        }
        assertThat(seconds).as("at a random instant").hasSizeGreaterThan(2);
        net.pass(1000);
        long hit = only(b, FaultKind.DROP).hit();
        for (int i = 0; i < 10; i++) {
            put(md, false);
        }
        assertThat(only(b, FaultKind.DROP).hit())
                .as("what was missed is not made up for")
                .isBetween(hit + 1, hit + 2);
    }

    @Test
    void byChanceEveryOtherIsHit() {
        Md md = sinkAndSource();
        b.faults()
                .add(DropRule.of(FaultFilter.all().withMessages(MessageType.PUT).withInterval(1))
                        .withRandom());
        for (int i = 0; i < 1000; i++) {
            put(md, false);
        }
        assertThat(only(b, FaultKind.DROP).hit()).isBetween(400L, 600L);
    }

    @Test
    void theNewestRuleThatHitsCounts() {
        Md md = sinkAndSource();
        FaultFilter puts = EVERY.withMessages(MessageType.PUT);
        b.faults().add(DropRule.of(puts));
        b.faults().add(DropRule.of(puts.withPortals(PORTAL)));
        put(md, false);
        assertThat(b.faults().rules(FaultKind.DROP))
                .extracting(FaultRuleInfo::examined)
                .containsExactly(1L, 0L);
        assertThat(b.faults().rules(FaultKind.DROP).getFirst().rule().filter().portals())
                .isEqualTo(1L << PORTAL);
    }

    @Test
    void delayedSendsKeepTheirCreditsAndTheirOrder() {
        sink(BITS, 64, at);
        a.faults().add(new DelayRule(EVERY.withMessages(MessageType.PUT), 3));
        for (int i = 1; i <= 4; i++) {
            put(source(i, from), false);
        }
        assertThat(at.lines()).isEmpty();
        assertThat(peerNiOf(a).credits()).isEqualTo(4);
        assertThat(niOf(a).credits()).isEqualTo(niOf(a).maxCredits() - 4);
        net.pass(2);
        assertThat(at.lines()).isEmpty();
        net.pass(2);
        assertThat(at.events()).extracting(event -> event.mlength()).containsExactly(1, 2, 3, 4);
        assertThat(only(a, FaultKind.DELAY).hit()).isEqualTo(4);
    }

    @Test
    void whatArrivesIsDelayedBeforeItIsLookedAt() {
        b.faults().add(new DelayRule(EVERY.withMessages(MessageType.PUT), 2));
        Md md = source(8, from);
        put(md, true);
        assertThat(from.lines()).containsExactly("SEND");
        sink(BITS, 64, at);
        assertThat(at.lines()).isEmpty();
        net.pass(3);
        assertThat(at.lines()).as("it matches what is there when it goes on").containsExactly("PUT");
        assertThat(from.lines()).containsExactly("SEND", "ACK");
    }

    @Test
    void deletingARuleLetsGoAtOnce() {
        sink(BITS, 64, at);
        Md md = source(8, from);
        a.faults().add(new DelayRule(EVERY.withMessages(MessageType.PUT), 3600));
        b.faults().add(new DelayRule(EVERY.withMessages(MessageType.ACK, MessageType.PUT), 3600));
        put(md, true);
        assertThat(at.lines()).isEmpty();
        assertThat(a.faults().delete(FaultKind.DELAY, Nid.ANY, Nid.ANY)).isEqualTo(1);
        net.settle();
        assertThat(at.lines()).isEmpty();
        assertThat(b.faults().delete(FaultKind.DELAY, Nid.ANY, Nid.ANY)).isEqualTo(1);
        net.settle();
        assertThat(at.lines()).containsExactly("PUT");
        assertThat(from.lines()).containsExactly("SEND", "ACK");
    }

    @Test
    void closingTheNodeCancelsWhatIsDelayed() {
        sink(BITS, 64, at);
        a.faults().add(new DelayRule(EVERY.withMessages(MessageType.PUT), 3600));
        b.faults().add(new DelayRule(EVERY.withMessages(MessageType.PUT), 3600));
        put(source(8, from), false);
        Recorder loopback = new Recorder();
        a.put(source(8, loopback), false, Nid.ANY, ProcessId.of(Nid.LOOPBACK), PORTAL, BITS, 0, 0);
        net.settle();
        a.close();
        assertThat(from.events().getFirst().status()).isEqualTo(Errno.ECANCELED.status());
        assertThat(loopback.events().getFirst().status()).isEqualTo(Errno.ECANCELED.status());
    }

    @Test
    void removingAnNiCancelsWhatItReceived() {
        Nid other = Nid.parse("10.0.0.8@tcp");
        b.addNi(net.request(other.toString()));
        net.settle();
        sink(BITS, 64, at);
        b.faults().add(new DelayRule(EVERY.withMessages(MessageType.PUT).withPortals(PORTAL), 3600));
        for (Nid to : List.of(B, other, B, B)) {
            inject(to);
        }
        b.removeNi(B);
        net.settle();
        assertThat(b.messagesInUse()).as("what came over the other NI").isEqualTo(1);
        b.faults().delete(FaultKind.DELAY, Nid.ANY, Nid.ANY);
        assertThat(at.events()).extracting(Event::targetNid).containsExactly(other);
    }

    private void inject(Nid to) {
        LNetHeader header = new LNetHeader();
        header.setRoute(to, ProcessId.LUSTRE_PID, A, ProcessId.LUSTRE_PID);
        header.setPut(0, Wire.NO_COOKIE, Wire.NO_COOKIE, PORTAL, BITS, 0, 0);
        net.inject(header, new byte[0]);
    }

    /** What is held up needs memory. */
    @Test
    void whatIsTooMuchToBeHeldUpPasses() {
        int most = 65_536;
        sink(BITS, 64, at);
        b.faults().add(new DelayRule(EVERY.withMessages(MessageType.PUT).withPortals(PORTAL), 3600));
        for (int i = 0; i < most; i++) {
            inject(B);
        }
        assertThat(at.events()).isEmpty();
        inject(B);
        assertThat(at.events()).hasSize(1);
        b.faults().delete(FaultKind.DELAY, Nid.ANY, Nid.ANY);
        assertThat(at.events()).hasSize(most + 1);
    }

    @Test
    void discoveryIsAffectedLikeAnythingElse() {
        LNet c = net.node("10.0.0.9@tcp");
        c.faults().add(DropRule.of(EVERY.withMessages(MessageType.GET)));
        var found = a.discover(Nid.parse("10.0.0.9@tcp"), false);
        net.settle();
        assertThat(found.toCompletableFuture()).isNotDone();
        c.faults().delete(FaultKind.DROP, Nid.ANY, Nid.ANY);
        net.pass(200);
        assertThat(found.toCompletableFuture()).isDone();
    }

    @Test
    void loopbackIsAffectedLikeAnythingElse() {
        a.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(memory(64)).withOptions(MdOption.OP_PUT).withHandler(at));
        a.faults().add(new DelayRule(EVERY.withMessages(MessageType.PUT), 1));
        a.put(source(8, from), false, Nid.ANY, ProcessId.of(Nid.LOOPBACK), PORTAL, BITS, 0, 0);
        net.settle();
        assertThat(at.lines()).isEmpty();
        net.pass(2);
        assertThat(at.lines()).containsExactly("PUT");
        a.faults().add(DropRule.of(EVERY));
        a.put(source(8, from), false, Nid.ANY, ProcessId.of(Nid.LOOPBACK), PORTAL, BITS, 0, 0);
        net.pass(2);
        assertThat(at.lines()).containsExactly("PUT");
    }

    @Test
    void deletingGoesBySourceAndTarget() {
        FaultInjection faults = a.faults();
        faults.add(DropRule.of(FaultFilter.of(A, B).withRate(1_000_000)));
        faults.add(DropRule.of(FaultFilter.of(A, ALL_TCP).withRate(1_000_000)));
        faults.add(DropRule.of(FaultFilter.of(B, A).withRate(1_000_000)));
        faults.add(new DelayRule(FaultFilter.of(B, A).withRate(1_000_000), 1));
        expect(Errno.ENOENT, () -> faults.delete(FaultKind.DROP, B, B));
        assertThat(faults.delete(FaultKind.DROP, A, Nid.ANY)).isEqualTo(2);
        assertThat(faults.delete(FaultKind.DROP, B, A)).isEqualTo(1);
        expect(Errno.ENOENT, () -> faults.delete(FaultKind.DROP, Nid.ANY, Nid.ANY));
        net.await(a.ping(B, Nid.ANY, Duration.ofSeconds(1)));
        assertThat(only(a, FaultKind.DELAY).examined())
                .as("what is left still works")
                .isEqualTo(1);
    }

    @Test
    void rulesThatMakeNoSenseAreRefused() {
        expect(Errno.EINVAL, () -> DropRule.of(FaultFilter.all()));
        expect(Errno.EINVAL, () -> DropRule.of(FaultFilter.all().withRate(1).withInterval(1)));
        expect(Errno.EINVAL, () -> DropRule.of(FaultFilter.all().withRate(-1)));
        expect(Errno.EINVAL, () -> DropRule.of(FaultFilter.all().withInterval(-1)));
        expect(Errno.EINVAL, () -> DropRule.of(EVERY).withRandom());
        expect(Errno.EINVAL, () -> new DelayRule(FaultFilter.all(), 1));
        expect(Errno.EINVAL, () -> new DelayRule(EVERY, 0));
        expect(Errno.EINVAL, () -> FaultFilter.all().withPortals(64));
        expect(Errno.EINVAL, () -> FaultFilter.all().withPortals(-1));
        expect(Errno.EINVAL, () -> FaultFilter.all().withMessages(MessageType.HELLO));
        expect(
                Errno.EINVAL,
                () -> FaultFilter.all().withMessages(MessageType.ACK).withPortals(3));
        assertThat(FaultFilter.all().withMessages().messages())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(MessageType.HELLO)));
    }

    @Test
    void rulesAreLimited() {
        for (int i = 0; i < 256; i++) {
            a.faults().add(DropRule.of(FaultFilter.of(B, B).withRate(1)));
        }
        expect(Errno.ENOSPC, () -> a.faults().add(DropRule.of(EVERY)));
    }
}

package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.mad.perf.PortCounters;
import org.railyard.mad.perf.PortCountersExtended;

/** Rates and errors from readings of a port's counters. */
class LinkHistoryTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<Long> NONE = List.of(0L, 0L, 0L, 0L);

    private static PortReading wide(long seconds, long words, long packets, List<Long> errors) {
        return new PortReading(seconds * SECOND, true, words, packets, 0, errors);
    }

    private static PortReading narrow(long seconds, long words, long packets) {
        return new PortReading(seconds * SECOND, false, words, packets, 0, NONE);
    }

    private static LinkHistory counts(PortReading first) {
        return new LinkHistory("A/1 -> B/2", 1000, first, false);
    }

    @Test
    void ratesAreThoseOfTheTimeBetween() {
        LinkFigures figures = counts(wide(1, 100, 10, NONE)).next(wide(3, 350, 16, NONE));
        assertThat(figures.bytes()).hasValue(500);
        assertThat(figures.share()).hasValue(0.5);
        assertThat(figures.packets()).hasValue(3);
        assertThat(figures.remarks()).isEmpty();
        assertThat(figures.allErrors()).isZero();
    }

    @Test
    void errorsAreThoseSinceTheBeginning() {
        LinkHistory counts = counts(wide(1, 0, 0, List.of(5L, 1L, 0L, 100L)));
        assertThat(counts.next(wide(2, 0, 0, List.of(7L, 1L, 0L, 100L))).errors())
                .containsExactly(2L, 0L, 0L, 0L);
        LinkFigures later = counts.next(wide(3, 0, 0, List.of(8L, 2L, 0L, 104L)));
        assertThat(later.errors()).containsExactly(3L, 1L, 0L, 4L);
        assertThat(later.allErrors()).isEqualTo(8);
    }

    @Test
    void errorsOfBeforeCountIfTheyAreWanted() {
        LinkHistory counts = new LinkHistory("A/1 -> B/2", 1000, wide(1, 0, 0, List.of(5L, 0L, 0L, 7L)), true);
        assertThat(counts.next(wide(2, 0, 0, List.of(6L, 0L, 0L, 7L))).errors()).containsExactly(6L, 0L, 0L, 7L);
    }

    @Test
    void aCounterThatWasClearedCountsFromZero() {
        LinkHistory counts = counts(wide(1, 1000, 100, List.of(5L, 0L, 0L, 0L)));
        counts.next(wide(2, 1000, 100, List.of(9L, 0L, 0L, 0L)));
        LinkFigures figures = counts.next(wide(3, 20, 2, List.of(1L, 0L, 0L, 0L)));
        assertThat(figures.bytes()).hasValue(80);
        assertThat(figures.errors()).containsExactly(5L, 0L, 0L, 0L);
        assertThat(figures.remarks()).containsExactly("cleared by somebody");
        assertThat(counts.next(wide(4, 20, 2, List.of(1L, 0L, 0L, 0L))).remarks())
                .isEmpty();
    }

    @Test
    void aCounterAtItsEndTellsNoRate() {
        LinkFigures figures = counts(narrow(1, 0xFFFFFF00L, 5)).next(narrow(2, 0xFFFFFFFFL, 9));
        assertThat(figures.bytes()).isEmpty();
        assertThat(figures.share()).isEmpty();
        assertThat(figures.packets()).hasValue(4);
        assertThat(figures.remarks()).containsExactly("data counter at its end, 4294967295");
        LinkFigures errors = counts(wide(1, 0, 0, NONE)).next(wide(2, 0xFFFFFFFFL, 0, List.of(65535L, 255L, 0L, 0L)));
        assertThat(errors.bytes()).isPresent();
        assertThat(errors.remarks())
                .containsExactly(
                        "symbol errors at the counter's end, 65535", "link_downed errors at the counter's end, 255");
    }

    @Test
    void countersOfOtherWidthAreNotCompared() {
        LinkHistory counts = counts(wide(1, 1L << 40, 1L << 40, NONE));
        LinkFigures figures = counts.next(narrow(2, 7, 7));
        assertThat(figures.bytes()).isEmpty();
        assertThat(figures.packets()).isEmpty();
        assertThat(figures.remarks()).isEmpty();
        assertThat(counts.next(narrow(3, 8, 7)).bytes()).hasValue(4);
    }

    @Test
    void aPortThatWasSilentHasTheRateSinceItsLastAnswer() {
        LinkHistory counts = counts(wide(1, 0, 0, NONE));
        assertThat(counts.next(wide(11, 250, 0, NONE)).bytes()).hasValue(100);
    }

    @Test
    void withoutSpeedThereIsNoShare() {
        assertThat(LinkHistory.speed(LinkSpeed.SDR, 4)).isEqualTo(1e9);
        assertThat(LinkHistory.speed(LinkSpeed.NDR, 4)).isEqualTo(50e9);
        LinkHistory counts =
                new LinkHistory("A/1 -> B/2", LinkHistory.speed(LinkSpeed.UNKNOWN, 4), wide(1, 0, 0, NONE), false);
        LinkFigures figures = counts.next(wide(2, 1, 0, NONE));
        assertThat(figures.bytes().orElseThrow()).isCloseTo(4, within(1e-9));
        assertThat(figures.share()).isEmpty();
    }

    @Test
    void wideCountersAreTakenWhereTheyAre() {
        PortCounters counters = PortCounters.TYPE
                .create()
                .set(PortCounters.SENT_DATA, 0xFFFFFFFFL)
                .set(PortCounters.TRANSMIT_WAIT, 3)
                .set(PortCounters.TRANSMIT_DISCARDS, 4);
        PortCountersExtended extended =
                PortCountersExtended.TYPE.create().set(PortCountersExtended.SENT_DATA, 1L << 33);
        assertThat(PortReading.of(1, counters, extended))
                .isEqualTo(new PortReading(1, true, 1L << 33, 0, 3, List.of(0L, 0L, 0L, 4L)));
        assertThat(PortReading.of(1, counters, null))
                .isEqualTo(new PortReading(1, false, 0xFFFFFFFFL, 0, 3, List.of(0L, 0L, 0L, 4L)));
    }
}

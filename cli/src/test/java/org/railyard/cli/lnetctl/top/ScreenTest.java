package org.railyard.cli.lnetctl.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.cli.lnetctl.top.Drawn.Style;
import org.railyard.control.figures.Rated;
import org.railyard.control.figures.Reading;
import org.railyard.control.figures.Reading.Counters;

/** What is drawn, of what, at which size. */
final class ScreenTest {
    private static final long SECOND = 1_000_000_000L;
    private static final View BY_NID = View.of(Order.NID);

    private static Counters ni(String nid, long health, long sent) {
        return new Counters(
                nid, "eth0", "ACTIVE", health, 250, 256, -3, 4096, sent, sent * 2, 0, sent * 1_000_000, 0, 0, 0);
    }

    private static Reading reading(long seconds, List<Counters> nis, List<Counters> peers) {
        return new Reading(seconds * SECOND, nis, peers, 0);
    }

    private static List<String> draw(NodeFigures figures, View view, int width, int height) {
        return Screen.draw(figures, view, "title", "", width, height).lines().stream()
                .map(Drawn::text)
                .toList();
    }

    private static NodeFigures figures(int nis, int peers) {
        List<Counters> before = IntStream.range(0, nis)
                .mapToObj(i -> ni("10.0.0." + i + "@tcp", 1000, 0))
                .toList();
        List<Counters> after = IntStream.range(0, nis)
                .mapToObj(i -> ni("10.0.0." + i + "@tcp", 1000, 100 + i))
                .toList();
        List<Counters> others = IntStream.range(0, peers)
                .mapToObj(i -> ni("10.0.1." + i + "@tcp", 1000, i))
                .toList();
        return NodeFigures.of(reading(1, before, others), reading(3, after, others));
    }

    @Test
    void aScreenOf80Columns() {
        assertThat(draw(figures(1, 1), BY_NID, 80, 24))
                .startsWith(
                        "title",
                        "out 50/s 50MB/s  in 100/s 0B/s  drops 0  resends 0  time-outs 0",
                        "",
                        "NI                HEALTH  OUT/s   IN/s OUTB/s  INB/s   CREDITS DROPS TMOUTS",
                        "10.0.0.0@tcp        1000     50    100    50M      0   250/256     0      0",
                        "",
                        "PEER NI           HEALTH  OUT/s   IN/s OUTB/s  INB/s   CREDITS DROPS TMOUTS",
                        "10.0.1.0@tcp        1000      0      0      0      0   250/256     0      0")
                .endsWith("q quit  h help  s sort: nid  v view")
                .hasSize(24);
    }

    @Test
    void aWideScreenHasAllColumns() {
        assertThat(draw(figures(1, 1), BY_NID, 120, 40).get(3))
                .isEqualTo("NI                OF               STATE     HEALTH  OUT/s   IN/s OUTB/s  INB/s   CREDITS"
                        + "   MIN QUEUE DROPS RSNDS TMOUTS");
    }

    @ParameterizedTest
    @CsvSource({"80, 24", "40, 10", "120, 40", "200, 60", "20, 5", "80, 3", "40, 1"})
    void nothingIsLargerThanTheScreen(int width, int height) {
        for (View.Tables tables : View.Tables.values()) {
            View view = new View(Order.RATE, tables, 7, false);
            List<String> lines = draw(figures(30, 200), view, width, height);
            assertThat(lines).hasSizeLessThanOrEqualTo(height).allMatch(line -> line.length() <= width);
            assertThat(draw(figures(0, 0), view, width, height)).hasSizeLessThanOrEqualTo(height);
        }
    }

    @Test
    void pagesOfPeers() {
        NodeFigures many = figures(2, 50);
        List<String> seen = new ArrayList<>();
        Screen.Drawing last = Screen.draw(many, BY_NID, "", "", 80, 24);
        int page = -1;
        while (last.view().page() > page) {
            page = last.view().page();
            last.lines().stream()
                    .map(line -> line.text().split(" ")[0])
                    .filter(word -> word.startsWith("10.0.1."))
                    .forEach(seen::add);
            last = Screen.draw(many, last.view().after('n'), "", "", 80, 24);
        }
        assertThat(seen).hasSize(50).doesNotHaveDuplicates();
        assertThat(last.lines().getLast().text()).startsWith("page " + (page + 1) + "/" + (page + 1));
    }

    @Test
    void moreNisThanThereIsRoomFor() {
        List<String> lines = draw(figures(9, 9), BY_NID, 80, 12);
        assertThat(lines).contains("… 7 more NIs: v").anyMatch(line -> line.startsWith("10.0.1.0@tcp"));
        assertThat(draw(figures(9, 9), BY_NID.after('v'), 80, 13)).anyMatch(line -> line.startsWith("10.0.0.8@tcp"));
    }

    @Test
    void troubleTakesThePlaceOfTheTitle() {
        Drawn first = Screen.draw(figures(1, 1), BY_NID, "title", "lnetd does not answer since 3 s", 80, 24)
                .lines()
                .getFirst();
        assertThat(first).isEqualTo(new Drawn("lnetd does not answer since 3 s", Style.BAD));
    }

    @Test
    void helpTakesThePlaceOfTheTables() {
        View help = BY_NID.after('h');
        assertThat(draw(figures(1, 1), help, 80, 24)).anyMatch(line -> line.startsWith("CREDITS, MIN"));
        assertThat(help.after('h')).isEqualTo(BY_NID);
    }

    @Test
    void whatIsBadIsMarked() {
        Reading before = reading(1, List.of(ni("1@tcp", 1000, 0), ni("2@tcp", 900, 0)), List.of());
        List<Drawn> lines = Screen.draw(NodeFigures.of(before, before), BY_NID, "", "", 80, 24)
                .lines();
        assertThat(lines.stream().filter(line -> line.style() == Style.BAD))
                .singleElement()
                .matches(line -> line.text().startsWith("2@tcp"));
    }

    @Test
    void ratesAreMadeOfDifferences() {
        Rated rated = figures(2, 0).nis().getLast();
        assertThat(rated.out()).isEqualTo(50.5);
        assertThat(rated.outBytes()).isEqualTo(50.5e6);
        assertThat(figures(3, 0).sum(Rated::out)).isEqualTo(50 + 50.5 + 51);
    }

    @Test
    void aResetCounterHasNoRateForOnce() {
        Reading before = reading(1, List.of(ni("1@tcp", 1000, 500)), List.of());
        Reading after = reading(2, List.of(ni("1@tcp", 1000, 20)), List.of());
        assertThat(NodeFigures.of(before, after).nis().getFirst().out()).isNaN();
        assertThat(draw(NodeFigures.of(before, after), BY_NID, 80, 24).get(4)).contains("1000      -      -");
        Reading later = reading(3, List.of(ni("1@tcp", 1000, 30)), List.of());
        assertThat(NodeFigures.of(after, later).nis().getFirst().out()).isEqualTo(10);
    }

    @Test
    void aDaemonThatWasStartedAnewHasNoRates() {
        Reading before = reading(100, List.of(ni("1@tcp", 1000, 500)), List.of());
        Reading after = reading(2, List.of(ni("1@tcp", 1000, 600), ni("2@tcp", 1000, 5)), List.of());
        assertThat(NodeFigures.of(before, after).nis()).allMatch(each -> Double.isNaN(each.out()));
        assertThat(NodeFigures.of(null, after).nis()).allMatch(each -> Double.isNaN(each.in()));
    }

    @Test
    void orders() {
        Counters down = new Counters("9@tcp", "eth9", "FAILED", 1000, 256, 256, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        Reading before = reading(1, List.of(ni("1@tcp", 1000, 0), ni("2@tcp", 900, 0), down), List.of());
        Reading after = reading(2, List.of(ni("1@tcp", 1000, 1), ni("2@tcp", 900, 2), down), List.of());
        List<Rated> rows = NodeFigures.of(before, after).nis();
        assertThat(Order.RATE.sorted(rows))
                .extracting(row -> row.now().nid())
                .containsExactly("2@tcp", "1@tcp", "9@tcp");
        assertThat(Order.BYTES.sorted(rows))
                .extracting(row -> row.now().nid())
                .containsExactly("2@tcp", "1@tcp", "9@tcp");
        assertThat(Order.HEALTH.sorted(rows))
                .extracting(row -> row.now().nid())
                .containsExactly("9@tcp", "2@tcp", "1@tcp");
        assertThat(Order.CREDITS.sorted(rows))
                .extracting(row -> row.now().nid())
                .containsExactly("1@tcp", "2@tcp", "9@tcp");
        assertThat(Order.NID.next()).isEqualTo(Order.RATE);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "3.52, 3.5",
        "9.96, 10",
        "999, 999",
        "9999, 9999",
        "10000, 10k",
        "999499, 999k",
        "999999, 1.0M",
        "1234567, 1.2M",
        "-3, -3",
        "NaN, -",
        "9223372036854775807, 9.2E"
    })
    void numbersInFewCharacters(double value, String text) {
        assertThat(ShortNumbers.of(value)).isEqualTo(text).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void longNamesKeepBothEnds() {
        assertThat(Screen.cut("2001:db8:1:2:3:4:5:6@tcp", 12)).isEqualTo("2001:…:6@tcp");
        assertThat(Screen.cut("short", 12)).isEqualTo("short");
    }
}

package org.railyard.base.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlPageTest {
    private static final String HOSTILE = "</svg><script>harm(\"&'\")</script>\u0001";

    /** What is not well formed would break the page around it. */
    private static void requireWellFormed(String svg) {
        assertThat(svg).doesNotContain("<script", "NaN", "Infinity", "\u0001");
        String text = svg.replaceAll("<[a-z/][a-zA-Z0-9]*( [a-zA-Z-]+=\"[^\"<>]*\")*/?>", "");
        assertThat(text).doesNotContain("<", ">", "\"");
        assertThat(text.replaceAll("&(lt|gt|amp|quot|#39);", "")).doesNotContain("&");
    }

    @Test
    void quantilesAreRightToThreePercent() {
        Distribution distribution = new Distribution();
        for (int i = 1; i <= 10_000; i++) {
            distribution.add(i);
        }
        distribution.add(Double.NaN);
        assertThat(distribution.count()).isEqualTo(10_000);
        assertThat(distribution.quantile(0.5)).isCloseTo(5000, within(150.0));
        assertThat(distribution.quantile(0.99)).isCloseTo(9900, within(300.0));
        assertThat(distribution.quantile(0.002)).isEqualTo(20);
        assertThat(distribution.mean()).isEqualTo(5000.5);
        assertThat(distribution.max()).isEqualTo(10_000);
        assertThat(new Distribution().quantile(0.5)).isZero();
    }

    @Test
    void whatIsPutInIsShownAndNothingElse() {
        String page = new HtmlPage(HOSTILE, "railyard " + HOSTILE)
                .section(HOSTILE)
                .text(HOSTILE)
                .remark(HOSTILE)
                .pre(HOSTILE)
                .table(List.of(HOSTILE), List.of(List.of(HOSTILE), List.of(17)))
                .html();
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .endsWith("</body></html>\n")
                .contains("default-src 'none'", "&lt;/svg&gt;&lt;script&gt;harm(&quot;&amp;&#39;&quot;)", "<td>17</td>")
                .doesNotContain("<script", "src=", "href=", "url(", "@import");
    }

    @Test
    void ofALongTableTheRestIsTold() {
        List<List<Object>> rows = Collections.nCopies(HtmlPage.MAX_ROWS + 5, List.of("x"));
        assertThat(new HtmlPage("t", "c").table(List.of("h"), rows).html())
                .contains("and 5 more")
                .satisfies(page -> assertThat(page.split("<td>", -1)).hasSize(HtmlPage.MAX_ROWS + 1));
    }

    @Test
    void plotsAreWellFormedWhateverTheyShow() {
        Distribution same = new Distribution();
        same.add(5);
        for (Distribution values : List.of(new Distribution(), same)) {
            requireWellFormed(Plot.histogram(HOSTILE, HOSTILE, values));
        }
        requireWellFormed(Plot.bars(HOSTILE, List.of()));
        requireWellFormed(Plot.bars(HOSTILE, List.of(new Plot.Bar(HOSTILE, 0), new Plot.Bar("b", 2, 1, 3))));
        requireWellFormed(Plot.lines(HOSTILE, List.of()));
        List<Plot.Point> broken = List.of(new Plot.Point(1, 0), new Plot.Point(2, Double.NaN), new Plot.Point(3, 1e12));
        requireWellFormed(Plot.lines(HOSTILE, Collections.nCopies(8, new Plot.Line(HOSTILE, broken))));
        requireWellFormed(
                Plot.map(new Plot.Cells(3, 2, 60), (x, _, _) -> x == 0 ? Double.NaN : x, (_, _, _) -> HOSTILE));
    }

    @Test
    void aLineIsBrokenWhereThereIsNoValue() {
        List<Plot.Point> points = List.of(new Plot.Point(1, 1), new Plot.Point(2, Double.NaN), new Plot.Point(3, 1));
        String svg = Plot.lines("x", List.of(new Plot.Line("y", points)));
        assertThat(svg.split("<polyline class=\"line0\"", -1))
                .as("two parts, and the legend")
                .hasSize(4);
    }
}

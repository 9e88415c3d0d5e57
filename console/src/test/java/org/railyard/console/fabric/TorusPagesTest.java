package org.railyard.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.base.text.DocReader;
import org.railyard.console.web.WebAnswer;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.format.LidSettings;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.sample.Position;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** A torus of 4 x 4 x 3 with a missing switch and a missing cable. */
final class TorusPagesTest {
    private static final SampleTorus SAMPLE = SampleTorus.torus(4, 4, 3, 1)
            .without(
                    Set.of(new Position(3, 3, 2)),
                    Set.of(new SampleTorus.Gap(new Position(1, 1, 1), new Position(2, 1, 1))));

    private static final TorusPages PAGES = pages(SAMPLE);

    private static TorusPages pages(SampleTorus sample) {
        TorusConf conf = TorusConfParser.parse(sample.conf(2));
        Fabric fabric = LidSettings.KEEP.assign(sample.fabric()).fabric();
        TorusLayout layout = TorusLayout.of(
                fabric,
                new TorusEngine(conf, TorusOptions.DEFAULT).place(fabric).orElseThrow());
        return new TorusPages("sample", fabric, layout, ProvenRouting.by(new TorusEngine(conf, TorusOptions.DEFAULT)));
    }

    private static Map<String, Object> ask(String path, Map<String, String> query) {
        return ask(PAGES, path, query);
    }

    private static Map<String, Object> ask(TorusPages pages, String path, Map<String, String> query) {
        WebAnswer answer = Objects.requireNonNull(pages.pages().get(path), path).answer(query);
        assertThat(answer.status()).isEqualTo(200);
        return DocReader.mapping(new String(answer.body(), StandardCharsets.UTF_8));
    }

    private static List<?> list(Map<String, Object> document, String key) {
        assertThat(document.get(key)).as("%s of %s", key, document.keySet()).isInstanceOf(List.class);
        return document.get(key) instanceof List<?> list ? list : List.of();
    }

    /** Returns the id of a switch. */
    private static int id(String name) {
        for (Object each : list(ask("/api/fabric", Map.of()), "switches")) {
            if (each instanceof Map<?, ?> sw && name.equals(sw.get("name")) && sw.get("id") instanceof Long id) {
                return Math.toIntExact(id);
            }
        }
        throw new AssertionError("no switch " + name);
    }

    private static int link(String from, String to) {
        List<?> links = list(ask("/api/fabric", Map.of()), "links");
        int a = id(from);
        int b = id(to);
        return IntStream.range(0, links.size())
                .filter(i -> links.get(i) instanceof List<?> link
                        && link.subList(0, 2).equals(List.of((long) a, (long) b)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theMapHasPlacesLinksAndWhatIsMissing() {
        Map<String, Object> map = ask("/api/fabric", Map.of());
        assertThat(map).containsEntry("radix", List.of(4L, 4L, 3L)).containsEntry("gaps", List.of(List.of(3L, 3L, 2L)));
        assertThat(list(map, "switches")).hasSize(47);
        assertThat(list(map, "hosts")).hasSize(47);
        // Three for each switch, but for the six of the one that is missing.
        assertThat(list(map, "links")).hasSize(3 * 48 - 6);
        List<?> missing = list(map, "links").stream()
                .filter(each -> each instanceof List<?> link && link.get(3).equals(0L))
                .toList();
        assertThat(missing).isEqualTo(List.of(List.of((long) id("S-1.1.1"), (long) id("S-2.1.1"), 0L, 0L)));
    }

    @Test
    void twoPlacesInADimensionAreNeighboursOnce() {
        TorusPages two = pages(SampleTorus.torus(4, 2, 1, 1));
        Map<String, Object> map = ask(two, "/api/fabric", Map.of());
        assertThat(list(map, "links")).hasSize(8 + 4);
    }

    @Test
    void asItIsItIsProved() {
        Map<String, Object> whole = ask("/api/whatif", Map.of("fail", ""));
        assertThat(whole)
                .containsEntry("verdict", "proved")
                .containsEntry("cut off", 0L)
                .doesNotContainKey("entries");
        assertThat(list(whole, "load")).hasSize(3 * 48 - 6);
    }

    @Test
    void whatASwitchThatFailsChanges() {
        Map<String, Object> left = ask("/api/whatif", Map.of("fail", "s" + id("S-0.2.1")));
        assertThat(left).containsEntry("verdict", "proved").containsEntry("cut off", 1L);
        assertThat(list(left, "failed")).isEqualTo(List.of("S-0.2.1"));
        assertThat(left.get("entries changed")).isInstanceOf(Long.class).isNotEqualTo(0L);
        assertThat(list(left, "load").get(link("S-0.2.1", "S-1.2.1"))).isEqualTo(List.of(0L, 0L));
    }

    @Test
    void whatTheEngineRefusesIsTold() {
        Map<String, Object> left = ask("/api/whatif", Map.of("fail", "s" + id("S-0.0.0") + ",s" + id("S-0.2.0")));
        assertThat(left).containsEntry("verdict", "refused").doesNotContainKey("load");
        assertThat(list(left, "reasons"))
                .anySatisfy(reason -> assertThat(reason).asString().contains("routable again with switch (0,0,0)"));
    }

    @Test
    void aWayHopByHop() {
        Map<String, Object> way = ask("/api/path", Map.of("from", "H-0.0.0.0", "to", "H-1.0.0.0"));
        assertThat(way).containsEntry("arrives", true).containsEntry("end", "arrives");
        assertThat(list(way, "hops")).hasSize(3);
        assertThat(list(way, "hops").get(1))
                .asString()
                .contains("S-0.0.0")
                .contains("S-1.0.0")
                .contains("why=+x");
        // With the cable between them failed it is a longer one.
        Map<String, Object> round = ask(
                "/api/path", Map.of("from", "H-0.0.0.0", "to", "H-1.0.0.0", "fail", "l" + link("S-0.0.0", "S-1.0.0")));
        assertThat(list(round, "hops")).hasSizeGreaterThan(3);
        Map<String, Object> none =
                ask("/api/path", Map.of("from", "H-0.0.0.0", "to", "H-1.0.0.0", "fail", "s" + id("S-1.0.0")));
        assertThat(none).containsEntry("arrives", false);
    }

    @Test
    void whatLinksCarryInASimulation() {
        Map<String, Object> few = ask("/api/sim", Map.of("pattern", "uniform", "load", "0.1"));
        Map<String, Object> many = ask("/api/sim", Map.of("pattern", "uniform", "load", "0.5"));
        assertThat(list(many, "links")).hasSize(3 * 48 - 6);
        assertThat(many).containsEntry("micros", 1000L).containsEntry("deadlock", "");
        assertThat(share(many, "busiest")).isGreaterThan(share(few, "busiest")).isLessThanOrEqualTo(1);
        assertThat(share(few, "accepted")).isBetween(0.05, 0.15);
        assertThat(ask("/api/sim", Map.of("pattern", "uniform", "load", "0.5")))
                .as("the same question has the same answer")
                .isEqualTo(many);
        int failed = link("S-0.0.0", "S-1.0.0");
        Map<String, Object> left = ask("/api/sim", Map.of("pattern", "uniform", "load", "0.1", "fail", "l" + failed));
        assertThat(list(left, "links").get(failed)).asString().startsWith("[0");
    }

    private static double share(Map<String, Object> document, String key) {
        return Double.parseDouble(String.valueOf(document.get(key)));
    }

    @Test
    void whatCanNotBeSimulatedIsRefused() {
        for (String load : List.of("", "0", "1.5", "-1", "0.00000001", "NaN")) {
            assertThatThrownBy(() -> ask("/api/sim", Map.of("pattern", "uniform", "load", load)))
                    .as(load)
                    .hasMessageContaining("load '" + load + "'; expected a share");
        }
        assertThatThrownBy(() -> ask("/api/sim", Map.of("pattern", "circle", "load", "0.5")))
                .hasMessageContaining("pattern 'circle'; expected one of uniform, tornado");
        assertThatThrownBy(() -> ask("/api/sim", Map.of("pattern", "transpose", "load", "0.5")))
                .isInstanceOf(IllegalArgumentException.class);
        String two = "s" + id("S-0.0.0") + ",s" + id("S-0.2.0");
        assertThatThrownBy(() -> ask("/api/sim", Map.of("pattern", "uniform", "load", "0.5", "fail", two)))
                .hasMessageContaining("refused as it is");
    }

    @Test
    void whatCanNotBeIsRefused() {
        for (String fail : List.of("x1", "s", "s48", "l9999", "s-1", "s1;s2", "s12345678")) {
            assertThatThrownBy(() -> ask("/api/whatif", Map.of("fail", fail)))
                    .as(fail)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("failure '" + fail + "'");
        }
        assertThatThrownBy(() -> ask("/api/whatif", Map.of("fail", "s1,".repeat(100))))
                .hasMessageContaining("more than 64 failures");
        assertThatThrownBy(() -> ask("/api/path", Map.of("from", "nobody", "to", "H-1.0.0.0")))
                .hasMessageContaining("from 'nobody': no host has this name or LID; expected such as H-");
        assertThatThrownBy(() -> ask("/api/path", Map.of("from", "H-1.0.0.0", "to", "H-1.0.0.0")))
                .hasMessageContaining("the same port");
        assertThatThrownBy(() -> ask("/api/path", Map.of("from", "H-0.0.0.0", "to", "H-1.0.0.0", "hint", "16")))
                .hasMessageContaining("expected 0 to 15");
    }
}

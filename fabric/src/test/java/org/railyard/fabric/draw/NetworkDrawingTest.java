package org.railyard.fabric.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.sample.SampleDragonfly;
import org.railyard.fabric.sample.SampleFatTree;
import org.railyard.fabric.sample.SampleHyperX;
import org.railyard.fabric.sample.SampleTorus;

final class NetworkDrawingTest {
    /** Returns the elements of a group of the picture. */
    private static String group(String svg, String style) {
        int start = svg.indexOf("<g class=\"" + style + "\"");
        assertThat(start).as(style).isPositive();
        return svg.substring(start, svg.indexOf("</g>", start));
    }

    private static List<String> elements(String group, String name) {
        return group.lines().filter(line -> line.startsWith("<" + name + " ")).toList();
    }

    /** All switches at places of their own, and as many cables as there are. */
    private static String drawn(Fabric fabric, int cables) {
        String svg = new NetworkDrawing(fabric).svg("a <title> & \"more\"");
        List<String> circles = elements(group(svg, "switch"), "circle");
        assertThat(circles).hasSize(fabric.switchCount()).doesNotHaveDuplicates();
        assertThat(elements(group(svg, "cable"), "path")).hasSize(cables);
        assertThat(group(svg, "title")).contains(">a &lt;title&gt; &amp; &quot;more&quot;</text>");
        return group(svg, "legend");
    }

    @Test
    void aFatTreeHasARowForEachLevel() {
        Fabric tree = SampleFatTree.full(List.of(3, 3, 4)).network().fabric();
        assertThat(drawn(tree, 72)).contains("3 levels, switches with hosts at the bottom");
        NetworkPlaces places = new NetworkPlaces(tree);
        Set<Double> rows = new HashSet<>();
        for (int sw = 0; sw < tree.switchCount(); sw++) {
            rows.add(places.spot(sw).y());
        }
        assertThat(rows).hasSize(3);
    }

    @Test
    void manyCablesAreThinAndTheirRowsFarApart() {
        NetworkDrawing small = new NetworkDrawing(
                SampleFatTree.full(List.of(2, 2, 2)).network().fabric());
        assertThat(small.thickness()).isEqualTo(1);
        assertThat(group(small.svg("small"), "cable")).startsWith("<g class=\"cable\">");
        NetworkDrawing large = new NetworkDrawing(
                SampleFatTree.full(List.of(8, 8, 8)).network().fabric());
        assertThat(large.width()).isBetween(1.5 * large.height(), 2.5 * large.height());
        assertThat(large.thickness()).isBetween(0.05, 0.5);
        assertThat(group(large.svg("large"), "cable")).startsWith("<g class=\"cable\" style=\"stroke-width:0.");
    }

    @Test
    void groupsOfADragonflyAreTogether() {
        assertThat(drawn(new SampleDragonfly(9, 4, 2, 2).network().fabric(), 9 * 6 + 36))
                .contains("9 groups of switches that are all joined to each other")
                .doesNotContain("others");
        assertThat(drawn(
                        new SampleDragonfly(9, 4, 2, 2).network().fabric(Set.of("S-3.2"), Set.of()),
                        9 * 6 + 36 - 3 - 2))
                .contains("9 groups");
    }

    @Test
    void linesOfAHyperXAreTogether() {
        assertThat(drawn(new SampleHyperX(List.of(4, 4), 2, 1).network().fabric(), 48))
                .contains("4 groups of switches");
        assertThat(drawn(new SampleHyperX(List.of(8), 1, 2).network().fabric(), 56))
                .contains("1 groups of switches");
    }

    @Test
    void whatIsNeitherIsACircle() {
        assertThat(drawn(SampleTorus.torus(5, 4, 1, 1).fabric(), 40)).contains("switches in a circle");
    }

    @Test
    void cablesThatAreDownAreDashed() {
        Fabric whole = new SampleHyperX(List.of(4), 1, 1).network().fabric();
        BitSet down = new BitSet();
        for (int port = 1; port <= whole.ports(0); port++) {
            int far = whole.cable(whole.portIndex(0, port));
            down.set(whole.portIndex(0, port), far != Fabric.NONE && whole.isSwitch(whole.nodeOf(far)));
        }
        String svg = new NetworkDrawing(whole.withLinksDown(down)).svg("t");
        assertThat(elements(group(svg, "gone"), "path")).hasSize(3);
        assertThat(group(svg, "legend")).contains("cables that are down (3)");
    }

    @Test
    void namesAreTextWhateverTheyAre() {
        FabricBuilder builder = new FabricBuilder();
        String name = "<a>&\"\u0001\uD83D\uDE00-----";
        builder.connect(
                builder.node(NodeType.SWITCH, 1, 4, name), 1, builder.node(NodeType.SWITCH, 2, 4, name + name), 1);
        String svg = new NetworkDrawing(builder.build()).svg(name);
        String ofNode = ">&lt;a&gt;&amp;&quot;_\uD83D\uDE00";
        assertThat(group(svg, "name")).contains(ofNode + "-----</text>", ofNode + "----…</text>");
        assertThat(svg).doesNotContain("<a>", "\u0001").contains("<title>&lt;a&gt;&amp;&quot; \uD83D\uDE00");
    }

    @Test
    void anEmptyFabricIsNoPicture() {
        assertThatThrownBy(() -> new NetworkDrawing(new FabricBuilder().build()))
                .isInstanceOf(FabricException.class)
                .hasMessage("a picture needs 1 to 2048 switches, there are 0");
    }
}

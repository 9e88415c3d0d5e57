package org.railyard.fabric.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.sample.SampleDragonfly;
import org.railyard.fabric.sample.SampleFatTree;
import org.railyard.fabric.sample.SampleHyperX;
import org.railyard.fabric.sample.SampleTorus;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class NetworkDrawingTest {
    /** Parses the picture: it must be well formed, whatever the names are. */
    private static Document parsed(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static Element group(Document document, String style) {
        NodeList groups = document.getElementsByTagName("g");
        for (int i = 0; i < groups.getLength(); i++) {
            Element group = (Element) groups.item(i);
            if (group.getAttribute("class").equals(style)) {
                return group;
            }
        }
        throw new AssertionError("no group " + style);
    }

    /** All switches at places of their own, and as many cables as there are. */
    private static String drawn(Fabric fabric, int cables) throws Exception {
        String svg = new NetworkDrawing(fabric).svg("a <title> & \"more\"");
        Document document = parsed(svg);
        NodeList circles = group(document, "switch").getElementsByTagName("circle");
        Set<String> places = new HashSet<>();
        for (int i = 0; i < circles.getLength(); i++) {
            Element circle = (Element) circles.item(i);
            places.add(circle.getAttribute("cx") + " " + circle.getAttribute("cy"));
        }
        assertThat(places).hasSize(fabric.switchCount());
        assertThat(group(document, "cable").getElementsByTagName("path").getLength())
                .isEqualTo(cables);
        assertThat(group(document, "title").getTextContent().strip()).isEqualTo("a <title> & \"more\"");
        return group(document, "legend").getTextContent();
    }

    @Test
    void aFatTreeHasARowForEachLevel() throws Exception {
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
    void groupsOfADragonflyAreTogether() throws Exception {
        assertThat(drawn(new SampleDragonfly(9, 4, 2, 2).network().fabric(), 9 * 6 + 36))
                .contains("9 groups of switches that are all joined to each other")
                .doesNotContain("others");
        assertThat(drawn(
                        new SampleDragonfly(9, 4, 2, 2).network().fabric(Set.of("S-3.2"), Set.of()),
                        9 * 6 + 36 - 3 - 2))
                .contains("9 groups");
    }

    @Test
    void linesOfAHyperXAreTogether() throws Exception {
        assertThat(drawn(new SampleHyperX(List.of(4, 4), 2, 1).network().fabric(), 48))
                .contains("4 groups of switches");
        assertThat(drawn(new SampleHyperX(List.of(8), 1, 2).network().fabric(), 56))
                .contains("1 groups of switches");
    }

    @Test
    void whatIsNeitherIsACircle() throws Exception {
        assertThat(drawn(SampleTorus.torus(5, 4, 1, 1).fabric(), 40)).contains("switches in a circle");
    }

    @Test
    void cablesThatAreDownAreDashed() throws Exception {
        Fabric whole = new SampleHyperX(List.of(4), 1, 1).network().fabric();
        BitSet down = new BitSet();
        for (int port = 1; port <= whole.ports(0); port++) {
            int far = whole.cable(whole.portIndex(0, port));
            down.set(whole.portIndex(0, port), far != Fabric.NONE && whole.isSwitch(whole.nodeOf(far)));
        }
        Document document = parsed(new NetworkDrawing(whole.withLinksDown(down)).svg("t"));
        assertThat(group(document, "gone").getElementsByTagName("path").getLength())
                .isEqualTo(3);
        assertThat(group(document, "legend").getTextContent()).contains("cables that are down (3)");
    }

    @Test
    void namesAreTextWhateverTheyAre() throws Exception {
        FabricBuilder builder = new FabricBuilder();
        String name = "<a>&\"\u0001\uD83D\uDE00-----";
        builder.connect(
                builder.node(NodeType.SWITCH, 1, 4, name), 1, builder.node(NodeType.SWITCH, 2, 4, name + name), 1);
        Document document = parsed(new NetworkDrawing(builder.build()).svg(name));
        assertThat(group(document, "name").getTextContent()).contains("<a>&\" \uD83D\uDE00-----", "…");
        assertThat(document.getElementsByTagName("a").getLength()).isZero();
    }

    @Test
    void anEmptyFabricIsNoPicture() {
        assertThatThrownBy(() -> new NetworkDrawing(new FabricBuilder().build()))
                .isInstanceOf(FabricException.class)
                .hasMessage("a picture needs 1 to 2048 switches, there are 0");
    }
}

package org.railyard.node.o2ib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.text.YamlText;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.bond.RouteSetView.Origin;
import org.railyard.testkit.Requirement;

/** What people see of channel bonding. */
class DocumentsTest {
    private static RouteSetView set(Origin origin) {
        return new RouteSetView(
                Nid.parse("10.1.0.2@o2ib"),
                Nid.parse("10.1.0.5@o2ib"),
                origin,
                List.of(0x0A010005, 0x0A010105),
                List.of());
    }

    @Test
    @Requirement({"cb-090", "cb-103"})
    void whatAPeerHasTold() {
        assertThat(YamlText.of(Documents.learned(set(Origin.LEARNED)))).isEqualTo("""
            nid: 10.1.0.5@o2ib
            by: 10.1.0.2@o2ib
            used: true
            ips:
                - ip: "10.1.0.5"
                - ip: "10.1.1.5"
            """);
        assertThat(Documents.learned(set(Origin.TARGET))).containsEntry("used", false);
    }

    @Test
    @Requirement("cb-103")
    void whereAddressesComeFrom() {
        assertThat(Documents.routes(set(Origin.LEARNED))).containsEntry("addresses", "learned");
        assertThat(Documents.routes(set(Origin.TARGET))).containsEntry("addresses", "target");
        assertThat(Documents.routes(set(Origin.NID))).containsEntry("addresses", "nid");
    }
}

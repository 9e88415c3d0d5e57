package org.railyard.node.o2ib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.text.YamlText;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.bond.RouteSetView.Origin;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.RouteView;
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
    void theRoutesToAPeer() {
        RouteSetView routes = new RouteSetView(
                Nid.parse("10.1.0.2@o2ib"),
                Nid.parse("10.1.0.5@o2ib"),
                Origin.TARGET,
                List.of(),
                List.of(
                        new RouteView("ib0", 0x0A010002, 0x0A010005, false, RouteState.CONNECTED, 2, 2, null, 17, null),
                        new RouteView(
                                "ib1", 0x0A010102, 0x0A010105, true, RouteState.DISCONNECTED, 0, 1, null, 3, "gone")));
        assertThat(YamlText.of(Documents.routes(routes))).isEqualTo("""
            peer nid: 10.1.0.5@o2ib
            nid: 10.1.0.2@o2ib
            addresses: target
            routes:
                - dev: ib0
                  local ip: "10.1.0.2"
                  remote ip: "10.1.0.5"
                  state: connected
                  takes turns: true
                  connections: 2
                  protocol: 2
                  messages: 17
                  last error: ""
                - dev: ib1
                  local ip: "10.1.1.2"
                  remote ip: "10.1.1.5"
                  state: disconnected
                  takes turns: false
                  connections: 0
                  protocol: 1
                  messages: 3
                  last error: gone
            """);
    }

    @Test
    @Requirement("cb-103")
    void whereAddressesComeFrom() {
        assertThat(Documents.routes(set(Origin.LEARNED))).containsEntry("addresses", "learned");
        assertThat(Documents.routes(set(Origin.TARGET))).containsEntry("addresses", "target");
        assertThat(Documents.routes(set(Origin.NID))).containsEntry("addresses", "nid");
    }
}

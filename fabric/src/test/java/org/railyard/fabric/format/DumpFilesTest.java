package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;

/** Which files a routed fabric has, and which of them would be too long. */
final class DumpFilesTest {
    private static final Fabric FABRIC =
            FreshLids.assign(SampleTorus.torus(3, 2, 1, 1).fabric(), Fabric.NONE);
    private static final Routing ROUTING = (Routing) new DorEngine().route(FABRIC, EngineOptions.DEFAULT);
    private static final SubnetList SUBNET =
            new SubnetList(FABRIC, FABRIC.hosts().getFirst());

    @Test
    void eachFileHasWhatItsNameSays() {
        TorusDump places = new TorusDump(List.of(new TorusDump.Place(2, 1, 0, 0x77, "S")));
        Map<String, Consumer<TextSink>> files = DumpFiles.of(SUBNET, ROUTING, Optional.of(places));
        assertThat(files.keySet())
                .containsExactly(
                        "guid2lid",
                        "opensm-subnet.lst",
                        "opensm-lfts.dump",
                        "opensm-sl2vl.dump",
                        "opensm.fdbs",
                        "opensm.mcfdbs",
                        "ibdm.psl",
                        "ibdm.slvl",
                        "opensm-torus.dump");
        assertThat(Guid2Lid.parse(text(files, "guid2lid")).ranges())
                .isEqualTo(Guid2Lid.of(FABRIC).ranges());
        assertThat(SubnetList.parse(text(files, "opensm-subnet.lst")).fabric().lid(SUBNET.smPort()))
                .isEqualTo(FABRIC.lid(SUBNET.smPort()));
        int lid = FABRIC.lid(FABRIC.hosts().getLast());
        assertThat(LftsDump.parse(text(files, "opensm-lfts.dump"), FABRIC).port(0, lid))
                .isEqualTo(ROUTING.forwarding().port(0, lid));
        for (String name : List.of("opensm-sl2vl.dump", "opensm.fdbs", "ibdm.slvl", "ibdm.psl")) {
            assertThat(text(files, name)).as(name).contains("0x");
        }
        assertThat(TorusDump.parse(text(files, "opensm-torus.dump"))).isEqualTo(places);
        assertThat(DumpFiles.of(SUBNET, ROUTING, Optional.empty())).doesNotContainKey("opensm-torus.dump");
    }

    private static String text(Map<String, Consumer<TextSink>> files, String name) {
        return TextSink.collect(Objects.requireNonNull(files.get(name)));
    }

    /** 2,500 CAs, so many lines for each LID. */
    private static Fabric many(int maxLid) {
        FabricBuilder builder = new FabricBuilder();
        for (int i = 1; i <= 2500; i++) {
            builder.node(NodeType.CA, i, 1, "H").port(1).lid(i == 1 ? maxLid : i, 0);
        }
        return builder.build();
    }

    @Test
    void pathSlsAreNotWrittenWhereNobodyCouldUseThem() {
        assertThat(DumpFiles.withoutPathSls(many(40_000))).isEmpty();
        Fabric large = many(40_001);
        assertThat(DumpFiles.withoutPathSls(large).orElseThrow())
                .startsWith("no ibdm.psl: it would have up to 100002500 lines");
        assertThat(DumpFiles.of(new SubnetList(large, 0), ROUTING, Optional.empty()))
                .doesNotContainKey("ibdm.psl")
                .containsKey("ibdm.slvl");
    }
}
